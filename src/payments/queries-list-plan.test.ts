// A merchant's list is read from an index, in the order of the index, however many payments there are.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { addressOf } from '#/db/address.ts'
import { connect, type Sql } from '#/db/client.ts'
import { firstIdAt, newId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { addMs, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { listPayments, type PaymentFilter } from './queries.ts'

let database: TestDatabase
/** A client that records each statement that it sends, in `sent`. */
let sql: Sql
let sent: { readonly text: string; readonly values: readonly unknown[] } | undefined

const merchantId = newId() as MerchantId
const start = new Date('2026-11-01T00:00:00.000Z')
const payments = 100_000
const everyMs = 10 * secondMs

before(async () => {
  database = await testDatabase()
  const owner = connect(database.ownerUrl, { max: 1, transactionSeconds: 120 })
  await owner`insert into merchant (id, mode, name, webhook_secret, created_at)
    values (${merchantId}, 'SANDBOX', 'Ana', '', now()), (${newId()}, 'SANDBOX', 'Bia', '', now())`
  // Nine of ten are Ana's. The time in a UUIDv7 is up to two seconds before or after `created_at`.
  await owner`
    insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods,
                         method, created_at)
    select case when n % 10 = 0 then (select id from merchant where name = 'Bia') else ${merchantId}::uuid end,
           (lpad(to_hex(${start.getTime()}::bigint + n * ${everyMs}::bigint + (n % 5 - 2) * 1000), 12, '0') || '7000'
             || '8' || lpad(to_hex(n), 15, '0'))::uuid,
           'k' || n, '', '{}', case when n % 50 = 1 then 'EXPIRED' else 'PAID' end, 100, 'USDT', '{CRYPTO}', 'CRYPTO',
           ${start}::timestamptz + n * interval '10 seconds'
      from generate_series(1, ${payments}) as n`
  await owner`analyze payment`
  await owner`analyze merchant`
  await owner.end()
  const debug = (_: number, text: string, values: unknown[]) => {
    sent = { text, values }
  }
  const { url: server, servers } = addressOf(database.appUrl)
  const socket = 'path' in servers[0] ? servers[0] : {}
  sql = postgres(server, {
    ...socket,
    max: 1,
    types: { bigint: postgres.BigInt },
    fetch_types: false,
    debug,
  }) as Sql
})
after(async () => {
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

type Node = Readonly<Record<string, unknown>> & { readonly Plans?: readonly Node[] }

/** All nodes of the plan of the statement of `listPayments`. */
async function planOf(filter: PaymentFilter): Promise<readonly Node[]> {
  await listPayments(sql, merchantId, filter)
  const { text, values } = sent ?? assert.fail('a statement was sent')
  const [row] = await sql.unsafe<{ 'QUERY PLAN': readonly { Plan: Node }[] }[]>(
    `explain (analyze, format json) ${text}`,
    values as string[],
  )
  const flat = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
  return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flat(Plan))
}

const middle = addMs(start, (payments / 2) * everyMs)
const span = { from: middle, to: addMs(middle, hourMs) }
const cursor = firstIdAt(addMs(middle, 30 * minuteMs)) as PaymentId
const old = { to: addMs(start, hourMs) }

const key = /^payment_pkey$/
const byKind = /^payment_by_kind$/
const cases: readonly {
  readonly by: string
  readonly filter: Partial<PaymentFilter>
  readonly index: RegExp
}[] = [
  { by: 'nothing', filter: {}, index: key },
  { by: 'a cursor', filter: { before: cursor }, index: key },
  { by: 'a span', filter: span, index: key },
  { by: 'a beginning', filter: { from: span.from }, index: key },
  { by: 'an end long ago', filter: old, index: key },
  { by: 'a span and a cursor', filter: { ...span, before: cursor }, index: key },
  { by: 'a span and a method', filter: { ...span, method: 'CRYPTO' }, index: key },
  { by: 'a span and a currency', filter: { ...span, currency: 'USDT' }, index: byKind },
  { by: 'a currency that none has', filter: { currency: 'EUR' }, index: byKind },
  { by: 'a currency and a rare status', filter: { currency: 'USDT', status: 'EXPIRED' }, index: byKind },
  { by: 'a frequent status', filter: { status: 'PAID' }, index: byKind },
  { by: 'a rare status', filter: { status: 'EXPIRED' }, index: byKind },
  { by: 'a status that none has', filter: { status: 'FAILED' }, index: byKind },
  { by: 'a status and a cursor', filter: { status: 'EXPIRED', before: cursor }, index: byKind },
  { by: 'a status and a span', filter: { status: 'EXPIRED', ...span }, index: byKind },
  { by: 'a status and an end long ago', filter: { status: 'EXPIRED', ...old }, index: byKind },
]

for (const { by, filter, index } of cases) {
  test(`a list by ${by} is read from an index in its order, and no further than its page`, async () => {
    const limit = 51
    const nodes = await planOf({ ...filter, limit })
    const scans = nodes.filter((node) => node['Relation Name'] === 'payment')
    const places = scans.filter((node) => node['Scan Direction'] === 'Backward')
    assert.ok(places.length > 0)
    for (const scan of places) assert.match(String(scan['Index Name']), index)
    for (const scan of scans) assert.match(String(scan['Node Type']), /^Index (?:Only )?Scan$/)
    // Each kind reads at most one page, and then the page itself is read. Only the tolerance at the ends of a span reads a few rows more.
    const number = (node: Node, name: string) => Number(node[name] ?? 0)
    const examined = scans.reduce(
      (sum, node) =>
        sum +
        (number(node, 'Actual Rows') + number(node, 'Rows Removed by Filter')) * number(node, 'Actual Loops'),
      0,
    )
    assert.ok(examined <= 10 * limit, `${examined} rows were read`)
  })
}

test('a span lists exactly the payments that were created in it, from its first instant to before its last', async () => {
  const found = await listPayments(sql, merchantId, { ...span, limit: 1_000 })
  const inside = (n: number) => n % 10 !== 0
  const instants = Array.from({ length: payments }, (_, index) => index + 1)
    .filter(inside)
    .map((n) => start.getTime() + n * everyMs)
    .filter((at) => at >= span.from.getTime() && at < span.to.getTime())
  assert.deepEqual(
    found.map(({ createdAt }) => createdAt.getTime()),
    instants.toReversed(),
  )
  const [exact] = found
  assert.ok(exact)
  const at = exact.createdAt
  const only = await listPayments(sql, merchantId, { from: at, to: addMs(at, 1), limit: 10 })
  assert.deepEqual(
    only.map(({ id }) => id),
    [exact.id],
  )
  assert.deepEqual(
    await listPayments(sql, merchantId, { from: addMs(at, 1), to: addMs(at, 2), limit: 10 }),
    [],
  )
})

test('a span may begin before the first possible time and end after the last one', async () => {
  const ages = { from: new Date('0001-01-01T00:00:00Z'), to: new Date('9999-12-31T00:00:00Z') }
  assert.equal((await listPayments(sql, merchantId, { ...ages, limit: 3 })).length, 3)
})
