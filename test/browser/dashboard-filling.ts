// Fills a sandbox with what a shop has after some weeks, by the API, the scenarios of `trigger` and the dashboard's own calls: what the pictures show.
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import { openSandboxClient } from '#/cli/api-client.ts'
import { scenarios } from '#/cli/trigger-scenarios.ts'
import { openStage } from '#/cli/trigger-stage.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import { call, type Json } from '../journeys/merchant.ts'

/** A record of each kind, for the parameters of paths. `payments`: by how they ended. */
export type Filled = {
  readonly merchant: Readonly<Record<string, string>>
  readonly operator: Readonly<Record<string, string>>
  readonly payments: Readonly<Record<string, string>>
}

/** A call behind `/api/`, as the dashboard's pages make it. Throws unless it succeeds. */
type Ask = (method: string, path: string, body?: Json) => Promise<Json>

type World = { readonly sandbox: SandboxFile; readonly ask: Ask }

const dataOf = (answer: Json) => answer['data'] as readonly Json[]
const idOf = (answer: Json | undefined) => String(must(answer, 'a record')['id'])

type Filling = {
  /** What each screen needs to show something, without the weeks of payments around it. */
  readonly isShort?: boolean
  /** Whether the person gets a second factor, which guarded actions then ask for again and again. Default: no. */
  readonly hasFactor?: boolean
}

/** `page`: of an owner of the sandbox's merchant, who is also an operator. */
export async function fillDashboard(
  sandbox: SandboxFile,
  page: Page,
  { isShort = false, hasFactor = false }: Filling = {},
): Promise<Filled> {
  const world: World = { sandbox, ask: askBy(page) }
  if (hasFactor) await addFactor(world)
  const own = await prepareShop(world)
  await playScenarios(
    sandbox,
    isShort ? ['refund-completed', 'dispute-opened', 'card-authorised'] : usualScenarios,
  )
  const kinds = isShort ? ['balances'] : ['balances', 'verify']
  await Promise.all([orderPayments(world), takeStrayMoney(world), runJobs(world, kinds)])
  await sellTogether(world, own.subAccount)
  await payOut(world, own.wallet)
  await rehearse(world)
  return recordsOf(world, own)
}

/** Calls as the page's person. */
export function askBy(page: Page): Ask {
  const send = async ([verb, url, body]: readonly [string, string, string | undefined]) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: verb, ...(body === undefined ? {} : { headers, body }) })
    return { status: answer.status, text: await answer.text() }
  }
  return async (method, path, body) => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const call = [method, `/api/${path}`, content] as const
    let { status, text } = await page.evaluate(send, call)
    // A busy machine's database: nothing was done, and the same call may be sent again.
    for (let tries = 1; status === 503 && tries < 5; tries += 1)
      ({ status, text } = await page.evaluate(send, call))
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Json)
  }
}

/** What an operator does asks for a second factor. */
async function addFactor({ ask }: World): Promise<void> {
  const { secret } = await ask('POST', 'me/totp', {})
  await ask('POST', 'me/totp/confirm', { code: generateSync({ secret: String(secret) }) })
}

/** Templates, keys, people, endpoints, limits, fees: what is there before the first customer. */
async function prepareShop({ sandbox, ask }: World) {
  const shop = `m/${sandbox.merchantId}`
  const { document } = await ask('GET', `${shop}/templates/default`)
  const brand = { displayName: 'Café da Serra', colors: { accent: '#0b5cff' } }
  const shown = document as Json & { readonly brand?: Json }
  await ask('PUT', `${shop}/templates/cafe-da-serra`, {
    ...shown,
    name: 'Café da Serra',
    brand: { ...shown.brand, ...brand },
  })
  await ask('PUT', `${shop}/templates/assinaturas`, { ...shown, name: 'Assinaturas e planos anuais' })
  const inbox = `${sandbox.apiUrl}/sandbox/inbox`
  const endpoint = await ask('POST', `${shop}/webhook-endpoints`, { url: inbox, description: 'Loja online' })
  // Nothing listens there.
  const closed = 'http://127.0.0.1:9/webhooks/vintem/orders'
  await ask('POST', `${shop}/webhook-endpoints`, { url: closed, description: 'ERP, old server' })
  const key = await ask('POST', `${shop}/keys`, {
    name: 'Loja online',
    scopes: ['payments:read', 'payments:write'],
  })
  const old = await ask('POST', `${shop}/keys`, { name: 'Planilha do contador', scopes: ['wallets:read'] })
  await ask('POST', `${shop}/keys/${idOf(old)}/revoke`, {})
  const wallet = await ask('POST', `${shop}/wallets`, {
    currency: 'BRL',
    walletType: 'SPENDABLE',
    label: 'Impostos e folha de pagamento',
  })
  for (const [email, role] of [
    ['marcia.albuquerque@cafedaserra.example', 'FINANCE'],
    ['joao@cafedaserra.example', 'DEVELOPER'],
  ])
    await ask('POST', `${shop}/invitations`, { email, role })
  const office = `operator/merchants/${sandbox.merchantId}`
  await ask('PATCH', `${office}/limits`, { type: 'PIX', each: 500_000, day: 2_000_000, approvalAbove: 3_000 })
  await ask('POST', `${office}/destinations`, {
    type: 'PIX',
    destination: 'financeiro@cafedaserra.example',
    keyType: 'EMAIL',
    reason: 'the bank account in the contract',
  })
  await ask('PUT', `${office}/fees`, {
    method: 'PIX',
    currency: 'BRL',
    fixed: 10,
    ratePpm: 9_900,
    reason: 'the contract',
  })
  await ask('POST', 'operator/merchants', { name: 'Padaria Pão Quente', mode: 'SANDBOX' })
  const link = await ask('POST', `${shop}/payment-links`, {
    name: 'Assinatura do clube de cafés especiais',
    description: 'Um quilo por mês, torra da semana',
    currency: 'BRL',
    amount: 8_900,
    checkout: 'cafe-da-serra',
    usesMax: 50,
    idempotencyKey: newId(),
  })
  const subAccount = await ask('POST', `${shop}/sub-accounts`, {
    name: 'Torrefação Irmãos Brandão',
    taxId: '52.998.224/0001-07',
    reference: 'parceiro 14',
  })
  await ask('POST', `${shop}/sub-accounts/${idOf(subAccount)}/keys`, {
    name: 'Sistema da torrefação',
    scopes: ['payments:read'],
  })
  return {
    endpoint: idOf(endpoint),
    key: idOf(key),
    wallet: idOf(wallet),
    link: idOf(link),
    subAccount: idOf(subAccount),
  }
}

/** So many requests of a key may wait for events at once. */
const waitersMax = 5

/** Several times, so that lists are long. */
const often = ['pix-paid', 'card-paid', 'usdt-paid', 'wallet-app-paid', 'refund-completed']

/** Every scenario of `trigger`. */
const usualScenarios = [...Object.keys(scenarios), ...often, ...often]

async function playScenarios(sandbox: SandboxFile, names: readonly string[]): Promise<void> {
  const waiting = [...names]
  const play = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const webhookUrl = `${sandbox.apiUrl}/sandbox/inbox`
      const stage = await openStage({ api: openSandboxClient(sandbox), sandbox, webhookUrl, show: () => {} })
      await must(scenarios[name], name).play(stage)
    }
  }
  await Promise.all(Array.from({ length: waitersMax }, play))
}

/** Orders with names, items and references, by the checkout: paid, open, and one that failed. */
async function orderPayments({ sandbox }: World): Promise<void> {
  const orders = [
    ['Ana Beatriz Figueiredo', 4_990, 'PIX', 'exact'],
    ['Maximiliano Albuquerque de Vasconcelos Neto', 1_284_000, 'PIX', 'exact'],
    ['Sofía Núñez', 15_900, 'CREDIT_CARD', 'success'],
    ['Inês', 990, 'PIX', undefined],
    ['Carlos Drummond', 25_000, 'CREDIT_CARD', 'decline'],
  ] as const
  for (const [customerName, amount, method, scenario] of orders) {
    const { body, status } = await call(sandbox, 'POST', '/v1/payments', {
      amount,
      currency: 'BRL',
      ...(scenario === undefined ? { checkout: 'cafe-da-serra' } : { paymentMethods: [method] }),
      customerName,
      customerEmail: 'cliente@example.com',
      description: 'Café em grãos, torra média',
      metadata: { order: `2026-${amount}`, channel: 'loja online' },
      items: [{ name: 'Café em grãos, torra média, 1 kg', quantity: 1, amount }],
      idempotencyKey: newId(),
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    if (scenario !== undefined)
      await call(sandbox, 'POST', `/v1/sandbox/payments/${idOf(body)}/pay`, { scenario })
  }
}

/** A payment whose money is shared with the sub-account. */
async function sellTogether({ sandbox }: World, subAccountId: string): Promise<void> {
  const { body, status } = await call(sandbox, 'POST', '/v1/payments', {
    amount: 12_600,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    customerName: 'Ana Beatriz Figueiredo',
    description: 'Caixa de três cafés especiais',
    splits: [{ subAccountId, percent: '33.33', label: 'Torrefação' }],
    idempotencyKey: newId(),
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  await call(sandbox, 'POST', `/v1/sandbox/payments/${idOf(body)}/pay`, { scenario: 'exact' })
}

/** Pix to the shop's key that no payment expects, and one sum above what one operator decides alone. */
async function takeStrayMoney({ sandbox, ask }: World): Promise<void> {
  const { controlUrl } = sandbox.simulators.pixBank
  const connections = dataOf(await ask('GET', 'operator/connections'))
  const bank = must(
    connections.find((each) => each['method'] === 'PIX'),
    'a connection to the bank',
  )
  const { pixKey } = bank['settings'] as Json
  for (const amount of ['12.34', '250.00', '4800.00']) {
    const payer = { name: 'Maria Aparecida dos Santos', cpf: '52998224725' }
    const body = JSON.stringify({ pixKey, amount, payer, infoPagador: 'pedido 1022' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${controlUrl}/_sim/pay-key`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const rows = await eventually('the money is in suspense', async () => {
    const found = dataOf(await ask('GET', 'operator/suspense'))
    return found.length >= 3 && found
  })
  const large = must(
    rows.find((each) => Number(each['amount']) > 100_000),
    'a large sum',
  )
  const reason = 'the bank asks for it back'
  await ask('POST', `operator/suspense/${idOf(large)}/resolve`, { resolution: 'RETURNED', reason })
}

async function runJobs({ ask }: World, kinds: readonly string[]): Promise<void> {
  const [connection] = dataOf(await ask('GET', 'operator/connections'))
  await ask('POST', 'operator/jobs', {
    kind: 'connection.test',
    arguments: { connectionId: connection?.['id'] },
  })
  for (const kind of kinds) {
    const job = await ask('POST', 'operator/jobs', { kind, arguments: {}, reason: 'the month ends' })
    const path = `operator/jobs/${idOf(job)}`
    await eventually(kind, async () => (await ask('GET', path))['endedAt'] !== undefined)
  }
}

/** Withdrawals that wait for a second person, a batch and schedules. */
async function payOut({ sandbox, ask }: World, wallet: string): Promise<void> {
  const shop = `m/${sandbox.merchantId}`
  const wallets = dataOf(await ask('GET', `${shop}/wallets`))
  const main = must(
    wallets.find((each) => each['currency'] === 'BRL' && each['id'] !== wallet),
    'a wallet in BRL',
  )
  const to = { type: 'PIX', currency: 'BRL', pixKeyType: 'EMAIL' }
  // The sandbox's key is the operator's, so the person who is signed in decides.
  const order = {
    ...to,
    amount: 32_000,
    pixKey: 'fornecedor@torrefacao.example',
    description: 'Torrefação, nota 8812',
  }
  for (const amount of [32_000, 8_700])
    await call(sandbox, 'POST', '/v1/withdrawals', { ...order, amount, idempotencyKey: newId() })
  await ask('POST', `${shop}/withdrawals`, { ...order, amount: 5_400, idempotencyKey: newId() })
  const withdrawals = [1_500, 2_050, 990].map((amount, place) => ({
    ...to,
    amount,
    pixKey: `pessoa${place}@example.com`,
  }))
  await call(sandbox, 'POST', '/v1/withdrawal-batches', { withdrawals, idempotencyKey: newId() })
  await ask('POST', `${shop}/payout-schedules`, {
    ...to,
    pixKey: 'financeiro@cafedaserra.example',
    walletId: main['id'],
    rhythm: 'WEEKLY',
    weekday: 'FRIDAY',
    time: '06:00',
    timeZone: 'America/Sao_Paulo',
    keep: 50_000,
    idempotencyKey: newId(),
  })
  const transfer = { fromWalletId: main['id'], toWalletId: wallet, amount: 12_500 }
  await ask('POST', `${shop}/transfers`, {
    ...transfer,
    description: 'Impostos de novembro',
    idempotencyKey: newId(),
  })
}

async function rehearse({ sandbox, ask }: World): Promise<void> {
  const shop = `m/${sandbox.merchantId}`
  const made = await ask('POST', `${shop}/sandbox/rehearsals`, {
    url: `${sandbox.apiUrl}/sandbox/inbox`,
    seed: 7,
  })
  await eventually(
    'the rehearsal ends',
    async () => (await ask('GET', `${shop}/sandbox/rehearsals/${idOf(made)}`))['endedAt'] !== undefined,
  )
  const at = new Date(Date.now() - 3_600_000).toISOString()
  await ask('POST', `${shop}/webhook-recoveries`, { since: at })
}

async function recordsOf(
  { sandbox, ask }: World,
  own: Awaited<ReturnType<typeof prepareShop>>,
): Promise<Filled> {
  const shop = `m/${sandbox.merchantId}`
  const first = async (path: string, wanted: (row: Json) => boolean = () => true) => {
    const rows = dataOf(await ask('GET', path))
    return String(must(rows.find(wanted) ?? rows[0], path)['id'])
  }
  const has = (field: string, value: string) => (row: Json) => row[field] === value
  const all = dataOf(await ask('GET', `${shop}/payments?limit=100`))
  const payments = Object.fromEntries(all.toReversed().map((each) => [String(each['status']), idOf(each)]))
  const named = must(
    all.find((each) => String(each['customerName']).startsWith('Ana')),
    'a payment of Ana',
  )
  return {
    payments,
    merchant: {
      paymentId: idOf(named),
      linkId: own.link,
      subAccountId: own.subAccount,
      slug: 'cafe-da-serra',
      walletId: await first(`${shop}/wallets`, has('currency', 'BRL')),
      withdrawalId: await first(`${shop}/withdrawals?limit=100`, ({ amount }) => amount === 32_000),
      batchId: await first(`${shop}/withdrawal-batches`),
      refundId: await first(`${shop}/refunds`),
      disputeId: await first(`${shop}/disputes`, has('status', 'OPEN')),
      keyId: own.key,
      endpointId: own.endpoint,
      deliveryId: await first(`${shop}/deliveries?limit=100`, has('status', 'PENDING')),
      eventId: await first(`${shop}/events?limit=1`),
      rehearsalId: await first(`${shop}/sandbox/rehearsals`),
    },
    operator: {
      merchants: sandbox.merchantId,
      connections: await first('operator/connections', has('method', 'PIX')),
      jobs: await first('operator/jobs', has('kind', 'verify')),
      users: await first('operator/users'),
      name: String(must(dataOf(await ask('GET', 'operator/queues'))[0], 'a queue')['name']),
    },
  }
}
