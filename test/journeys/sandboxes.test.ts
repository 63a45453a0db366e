// Two sandboxes beside the first one, made by the command while the server runs, each with accounts of its own at the simulators.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { before, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { main, type Installation } from './installation.ts'
import { call, type Json } from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'
import { asOperator, controlOf } from './shop.ts'

type Made = {
  readonly id: string
  readonly name: string
  readonly apiKey: string
  readonly webhookSecret: string
}
type Connection = { readonly id: string; readonly method: string; readonly settings: Json }

/** What each sandbox takes by each method; no amount is one of the bank's magic ones. */
const takings = {
  PIX: { amount: 4_990, currency: 'BRL', scenario: 'exact' },
  CREDIT_CARD: { amount: 1_990, currency: 'EUR', scenario: 'success' },
  CRYPTO: { amount: 1_234, currency: 'USDT', scenario: 'exact' },
  PARTNER_PAY: { amount: 1_000, currency: 'USDT', scenario: 'confirm' },
} as const
const methods = Object.keys(takings) as (keyof typeof takings)[]

let installation: Installation
/** The sandboxes by these names; other files may have made others. */
let ana: Made
let bia: Made

before(async () => {
  installation = await sharedInstallation()
})

async function command(...args: readonly string[]): Promise<unknown> {
  const { code, output } = await installation.run('sandbox', ...args, '--json')
  assert.equal(code, 0, output)
  return JSON.parse(output)
}

function api({ apiKey }: Pick<Made, 'apiKey'>, method: string, path: string, body?: unknown) {
  return call({ apiUrl: installation.sandbox().apiUrl, apiKey }, method, path, body)
}

async function create(sandbox: Made, method: keyof typeof takings, more: Json = {}): Promise<Json> {
  const { amount, currency } = takings[method]
  const request = { amount, currency, paymentMethods: [method], idempotencyKey: crypto.randomUUID(), ...more }
  const { status, body } = await api(sandbox, 'POST', '/v1/payments', request)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

/** A new payment by each method, paid by the sandbox's payer. */
async function takeAll(sandbox: Made): Promise<readonly string[]> {
  const ids = await Promise.all(
    methods.map(async (method) => {
      const id = String((await create(sandbox, method))['id'])
      const { scenario } = takings[method]
      const paid = await api(sandbox, 'POST', `/v1/sandbox/payments/${id}/pay`, { scenario })
      assert.equal(paid.status, 202, JSON.stringify(paid.body))
      return id
    }),
  )
  for (const id of ids)
    await eventually(`${id} is paid`, async () => {
      const { body } = await api(sandbox, 'GET', `/v1/payments/${id}`)
      return body['status'] === 'PAID'
    })
  return ids
}

/** The sums of a sandbox's wallets. */
async function balancesOf(sandbox: Pick<Made, 'apiKey'>): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await api(sandbox, 'GET', '/v1/wallets/balance')
  assert.equal(status, 200, JSON.stringify(body))
  const sums = (body['data'] as readonly Json[]).map(({ currency, balance }) => [currency, balance] as const)
  return Object.fromEntries(sums.filter(([, balance]) => balance !== 0)) as Json
}

const own = ({ id }: Made): Promise<readonly Connection[]> =>
  asOperator(
    installation,
    async (sql) => sql<Connection[]>`
      select id, method, settings from connection where merchant_id = ${id} order by method, id`,
  )

/** How often the passes of these connections were claimed so far. */
const passesOf = (ids: readonly string[]): Promise<number> =>
  asOperator(installation, async (sql) => {
    const [row] = await sql<{ takes: number }[]>`
      select coalesce(sum(takes), 0)::integer as takes from reconciliation where connection = any (${[...ids]})`
    return row?.takes ?? 0
  })

test('a creation that was killed half way is completed by the next one of the same name, and nothing is there twice', async () => {
  const env = {
    ...process.env,
    PORT: String(installation.port),
    VINTEM_DATA_DIR: installation.dataDir,
  }
  const dying = spawn(process.execPath, [main, 'sandbox', 'create', '--name', 'Ana'], {
    env,
    stdio: 'ignore',
  })
  const gone = once(dying, 'exit')
  await eventually('the sandbox is begun', async () => {
    const rows = await asOperator(installation, async (sql) => sql`select from sandbox where name = 'Ana'`)
    return rows.length === 1
  })
  dying.kill('SIGKILL')
  await gone
  ana = (await command('create', '--name', 'Ana')) as Made
  bia = (await command('create', '--name', 'Bia')) as Made
  const sandboxes = (await command('list')) as readonly Json[]
  assert.deepEqual(
    sandboxes.filter(({ name }) => name === 'Ana' || name === 'Bia').map(({ id, state }) => [id, state]),
    [
      [ana.id, 'READY'],
      [bia.id, 'READY'],
    ],
  )
  for (const each of [ana, bia])
    assert.deepEqual(
      (await own(each)).map(({ method }) => method),
      ['CREDIT_CARD', 'CREDIT_CARD', 'PARTNER_PAY', 'PIX', 'PIX_PAYOUT', 'SEPA_TRANSFER'],
    )
})

test('both take money by Pix, card, USDT and wallet app, each at accounts of its own, and none touches the other’s', async () => {
  const shared = await balancesOf(installation.sandbox())
  const [anas, bias] = [await takeAll(ana), await takeAll(bia)]
  await takeAll(bia)
  assert.deepEqual(await balancesOf(ana), { BRL: 4_990, EUR: 1_990, USDT: 2_234 })
  assert.deepEqual(await balancesOf(bia), { BRL: 9_980, EUR: 3_980, USDT: 4_468 })
  assert.deepEqual(await balancesOf(installation.sandbox()), shared)
  for (const id of anas) assert.equal((await api(bia, 'GET', `/v1/payments/${id}`)).status, 404)
  for (const id of bias) assert.equal((await api(ana, 'GET', `/v1/payments/${id}`)).status, 404)
  // The simulators have the money apart too.
  const [anasOwn, biasOwn] = [await own(ana), await own(bia)]
  const settingsOf = (all: readonly Connection[], method: string) =>
    all.find((each) => each.method === method)?.settings ?? {}
  for (const [all, count] of [
    [anasOwn, 1],
    [biasOwn, 2],
  ] as const) {
    // Of its two accounts at the acquirer, one is in Brazil and takes no card here.
    const accounts = all.filter(({ method }) => method === 'CREDIT_CARD')
    const sessions = await Promise.all(
      accounts.map(async ({ settings }) => {
        const path = `/state?account=${String(settings['accountId'])}`
        const state = await controlOf(installation, 'acquirer', 'GET', path)
        return (state['sessions'] as readonly Json[]).length
      }),
    )
    assert.deepEqual(
      sessions.toSorted((a, b) => a - b),
      [0, count],
    )
  }
  const keys = [anasOwn, biasOwn].map((all) => settingsOf(all, 'PIX')['pixKey'])
  assert.notEqual(keys[0], keys[1])
  assert.deepEqual(
    [anasOwn, biasOwn].map((all) => settingsOf(all, 'PIX_PAYOUT')['pixKey']),
    keys,
  )
})

test('money leaves the account of the sandbox that sends it', async () => {
  const request = { type: 'PIX', amount: 1_000, currency: 'BRL', pixKey: 'ok@sim.pix', pixKeyType: 'EMAIL' }
  const { status, body } = await api(bia, 'POST', '/v1/withdrawals', {
    ...request,
    idempotencyKey: crypto.randomUUID(),
  })
  assert.equal(status, 201, JSON.stringify(body))
  await eventually('it is sent', async () => {
    const { body: now } = await api(bia, 'GET', `/v1/withdrawals/${String(body['id'])}`)
    return now['status'] === 'COMPLETED'
  })
  const [pix] = (await own(bia)).filter(({ method }) => method === 'PIX')
  const { controlUrl } = installation.sandbox().simulators.pixBank
  const events = (await (await fetch(`${controlUrl}/_sim/events?limit=10000`)).json()) as {
    readonly events: readonly Json[]
  }
  const sent = events.events.filter(
    ({ type, pixKey }) => type === 'payout.accepted' && pixKey === pix?.settings['pixKey'],
  )
  assert.equal(sent.length, 1)
})

test('an archived sandbox takes nothing new while the other runs on; money under way still arrives', async () => {
  const open = await create(ana, 'PIX')
  const first = (await command('archive', ana.id)) as Json
  assert.equal(first['state'], 'ARCHIVED')
  assert.deepEqual(await command('archive', ana.id), first)
  await eventually('the key has ended', async () => (await api(ana, 'GET', '/v1/me')).status === 401)
  const refused = await api(ana, 'POST', '/v1/payments', {})
  assert.equal(refused.status, 401)
  // The bank has the charge still, and its payer pays it.
  const { controlUrl } = installation.sandbox().simulators.pixBank
  const paid = await fetch(`${controlUrl}/_sim/pay`, {
    method: 'POST',
    body: JSON.stringify({ copyPaste: open['pixCopyPaste'], webhook: 'lose' }),
  })
  assert.equal(paid.status, 201)
  await eventually('it is booked, although its callback was lost', () =>
    asOperator(installation, async (sql) => {
      const [payment] = await sql`select status from payment where id = ${String(open['id'])}`
      return payment?.['status'] === 'PAID'
    }),
  )
  await takeAll(bia)
  assert.equal((await balancesOf(bia))['EUR'], 5_970)
})

test('an archived sandbox without open payments is no longer polled', async () => {
  await command('archive', bia.id)
  const [idle, busy] = [(await own(bia)).map(({ id }) => id), (await own(ana)).map(({ id }) => id)]
  // A pass that was claimed before may still be finished.
  const [before, others] = [await passesOf(idle), await passesOf(busy)]
  assert.ok(before > 0)
  await eventually('the other’s are polled', async () => (await passesOf(busy)) > others + 2)
  assert.equal(await passesOf(idle), before)
})

test('the books are right, and the records of an archived sandbox stay', async () => {
  const { code, output } = await installation.run('verify')
  assert.equal(code, 0, output)
  const wallets = await installation.run('wallet', 'list', ana.id, '--json')
  assert.equal(wallets.code, 0, wallets.output)
  const all = JSON.parse(wallets.output) as readonly Json[]
  const amounts = all.map(({ currency, balance }) => [currency, balance] as const)
  assert.deepEqual(Object.fromEntries(amounts.filter(([, balance]) => balance !== 0)), {
    BRL: 9_980,
    EUR: 1_990,
    USDT: 2_234,
  })
})
