// The statement against a model that the test keeps.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { newId, type PaymentId } from '#/kernel/id.ts'
import { walletAvailable } from '#/ledger/chart.ts'
import { runnable } from '#/ledger/kind.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { assertDocumented } from './document.ts'
import { openApiWorld, paymentBody, type Api, type ApiWorld, type Tenant } from './world.ts'

type Row = Readonly<Record<string, unknown>>
type Expected = {
  readonly currency: string
  readonly kind: string
  readonly amount: number
  readonly balance: number
  readonly paymentId: string
}

let base: ApiWorld
let api: Api
let tenant: Tenant
/** Newest first. */
const expected: Expected[] = []
let walletIds: ReadonlyMap<string, string>

/** Payments of two currencies in turns; a fee of 1 % on USDT, rounded down, and of 7 flat. */
before(async () => {
  base = await openApiWorld()
  api = await base.openApi()
  tenant = await base.openTenant()
  await writeFeeRule(base.sql, {
    merchantId: tenant.id,
    method: 'CRYPTO',
    currency: 'USDT',
    fixedMinor: 7n,
    ratePpm: 10_000n,
  })
  const { body } = await api.ask('GET', '/v1/wallets', { key: tenant.key })
  walletIds = new Map(
    (body['data'] as readonly Row[]).map((row) => [String(row['currency']), String(row['id'])]),
  )
  const balances = { USDT: 0, EUR: 0 }
  for (let nth = 0; nth < 24; nth += 1) {
    const currency = nth % 3 === 2 ? 'EUR' : 'USDT'
    const amount = 150 + 13 * nth
    const created = await api.ask('POST', '/v1/payments', { key: tenant.key, body: paymentBody({ amount }) })
    const paymentId = String(created.body['id'])
    await base.settlePayment(tenant.id, paymentId as PaymentId, BigInt(amount), currency)
    balances[currency] += amount
    expected.unshift({ currency, kind: 'PAYMENT', amount, balance: balances[currency], paymentId })
    if (currency === 'USDT') {
      const fee = 7 + Math.floor(amount / 100)
      balances.USDT -= fee
      expected.unshift({ currency, kind: 'FEE', amount: -fee, balance: balances.USDT, paymentId })
    }
    if (nth % 6 === 5) await wait(5)
  }
})
after(() => base.close())

async function page(query: string): Promise<{ readonly rows: readonly Row[]; readonly next?: string }> {
  const answer = await api.ask('GET', `/v1/wallets/statement?${query}`, { key: tenant.key })
  assert.equal(answer.status, 200, answer.text)
  assertDocumented('GET', '/v1/wallets/statement', answer)
  const next = answer.body['nextCursor']
  return { rows: answer.body['data'] as readonly Row[], ...(typeof next === 'string' ? { next } : {}) }
}

async function all(query: string, limit: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let cursor = '', pages = 0; pages < 200; pages += 1) {
    const { rows: more, next } = await page(`${query}&limit=${limit}${cursor}`)
    assert.ok(more.length <= limit)
    rows.push(...more)
    if (next === undefined) return rows
    cursor = `&cursor=${next}`
  }
  return assert.fail('the statement does not end')
}

function brief(rows: readonly Row[]): readonly Expected[] {
  return rows.map((row) => ({
    currency: String(row['currency']),
    kind: String(row['kind']),
    amount: Number(row['amount']),
    balance: Number(row['balance']),
    paymentId: String(row['paymentId']),
  }))
}

test('every movement appears once, newest first, with its running balance, whatever the size of a page', async () => {
  for (const limit of [1, 2, 3, 7, 39, 40, 41, 100]) {
    const rows = await all('', limit)
    assert.deepEqual(brief(rows), expected, `pages of ${limit}`)
    assert.equal(new Set(rows.map((row) => row['id'])).size, rows.length)
  }
})

test('a row keeps its id', async () => {
  const ids = async (limit: number) => (await all('', limit)).map((row) => row['id'])
  assert.deepEqual(await ids(4), await ids(100))
})

test('the id of a row is a UUIDv8 that begins with its instant', async () => {
  for (const row of await all('', 100)) {
    const id = String(row['id'])
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const instant = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
    assert.equal(new Date(instant).toISOString(), row['postedAt'])
  }
})

test('a wallet that the merchant does not have is refused, and a new merchant has an empty statement', async () => {
  const other = await base.openTenant()
  const ask = (query: string) => api.ask('GET', `/v1/wallets/statement?${query}`, { key: other.key })
  const foreign = await ask(`walletId=${walletIds.get('EUR')}`)
  assert.deepEqual([foreign.status, foreign.body['code']], [404, 'not_found'])
  const empty = await ask('')
  assert.deepEqual([empty.status, empty.body['data']], [200, []])
})

test('filters by wallet, currency and kind return exactly what fits', async () => {
  for (const currency of ['USDT', 'EUR', 'BRL']) {
    const wanted = expected.filter((row) => row.currency === currency)
    assert.deepEqual(brief(await all(`currency=${currency}`, 5)), wanted)
    assert.deepEqual(brief(await all(`walletId=${walletIds.get(currency)}`, 5)), wanted)
  }
  for (const kind of ['PAYMENT', 'FEE', 'WITHDRAWAL']) {
    const wanted = expected.filter((row) => row.kind === kind)
    assert.deepEqual(brief(await all(`kind=${kind}`, 4)), wanted)
  }
  const both = expected.filter((row) => row.kind === 'PAYMENT' && row.currency === 'EUR')
  assert.deepEqual(brief(await all(`kind=PAYMENT&currency=EUR`, 3)), both)
  assert.deepEqual(await all(`walletId=${walletIds.get('EUR')}&currency=USDT`, 10), [])
})

test('a span holds its first instant and not its last, to the millisecond', async () => {
  const rows = await all('', 100)
  const times = [...new Set(rows.map((row) => String(row['postedAt'])))].sort()
  const [first = '', last = ''] = [times[2], times.at(-3)]
  const between = rows.filter((row) => String(row['postedAt']) >= first && String(row['postedAt']) < last)
  assert.ok(between.length > 0 && between.length < rows.length)
  for (const limit of [3, 100]) assert.deepEqual(await all(`from=${first}&to=${last}`, limit), between)
  assert.deepEqual(
    await all(`from=${last}`, 100),
    rows.filter((row) => String(row['postedAt']) >= last),
  )
  assert.deepEqual(
    await all(`to=${first}`, 100),
    rows.filter((row) => String(row['postedAt']) < first),
  )
  assert.deepEqual(await all('from=2999-01-01', 10), [])
  assert.deepEqual(await all('to=1999-01-01', 10), [])
})

test('a row added while a caller pages shifts no page', async () => {
  const first = await page('limit=10')
  const created = await api.ask('POST', '/v1/payments', {
    key: tenant.key,
    body: paymentBody({ amount: 999 }),
  })
  await base.settlePayment(tenant.id, String(created.body['id']) as PaymentId, 999n, 'EUR')
  const second = await page(`limit=10&cursor=${first.next}`)
  assert.deepEqual(brief([...first.rows, ...second.rows]), expected.slice(0, 20))
})

/** Moves money between two wallets of the merchant: both sides are rows of the statement. */
const transferKind = runnable<
  { from: string; to: string; minor: bigint },
  undefined,
  true,
  boolean,
  EventDraft
>({
  name: 'move between wallets',
  load: async ({ books }, items) => {
    await books.load(
      items.flatMap(({ from, to }) => [from, to].map((id) => walletAvailable('SANDBOX', id, 'EUR'))),
    )
    return undefined
  },
  decide: (_view, { from, to, minor }, { books }) => {
    const [debit, credit] = [walletAvailable('SANDBOX', from, 'EUR'), walletAvailable('SANDBOX', to, 'EUR')]
    const posting = {
      subject: newId(),
      step: '1.move',
      kind: 'TRANSFER',
      debit,
      credit,
      minor,
      cause: Buffer.alloc(32),
    }
    return { verdict: books.post([posting]).ok, change: true }
  },
  write: async () => {},
})

test('both sides of a transfer between two wallets are rows, and no page boundary loses one', async () => {
  const opened = await api.ask('POST', '/v1/wallets', {
    key: tenant.key,
    body: { currency: 'EUR', walletType: 'RESERVE', label: 'Reserve' },
  })
  const [main, reserve] = [walletIds.get('EUR') ?? '', String(opened.body['id'])]
  for (const [from, to, minor] of [
    [main, reserve, 30n],
    [reserve, main, 10n],
    [main, reserve, 5n],
  ] as const) {
    assert.equal(await base.lane.submit(transferKind, { from, to, minor }), true)
  }
  const whole = (await all('currency=EUR', 100)).slice(0, 6)
  assert.deepEqual(new Set(whole.map((row) => row['kind'])), new Set(['TRANSFER']))
  const amounts = (id: string) => whole.filter((row) => row['walletId'] === id).map((row) => row['amount'])
  assert.deepEqual(amounts(main), [-5, 10, -30])
  assert.deepEqual(amounts(reserve), [5, -10, 30])
  for (const limit of [1, 2, 3, 5]) assert.deepEqual((await all('currency=EUR', limit)).slice(0, 6), whole)
  const { body } = await api.ask('GET', '/v1/wallets/balance', { key: tenant.key })
  const eur = (body['data'] as readonly Row[]).find((row) => row['currency'] === 'EUR')
  assert.deepEqual(eur?.['byWalletType'], [
    { walletType: 'SPENDABLE', balance: Number(eur?.['balance']) - 25, pendingBalance: 0, heldBalance: 0 },
    { walletType: 'RESERVE', balance: 25, pendingBalance: 0, heldBalance: 0 },
  ])
})

test('a cursor of another merchant is refused', async () => {
  const { next } = await page('limit=1')
  const other = await base.openTenant()
  const answer = await api.ask('GET', `/v1/wallets/statement?cursor=${next}`, { key: other.key })
  assert.equal(answer.status, 400)
})

test('the sums of a currency are those of its wallets, and no fee is lost', async () => {
  const { body } = await api.ask('GET', '/v1/wallets/balance', { key: tenant.key })
  const usdt = (body['data'] as readonly Row[]).find((row) => row['currency'] === 'USDT')
  assert.equal(usdt?.['balance'], expected.find((row) => row.currency === 'USDT')?.balance)
  const wallet = await api.ask('GET', `/v1/wallets/${walletIds.get('USDT')}`, { key: tenant.key })
  assert.equal(wallet.body['balance'], usdt?.['balance'])
})
