// Each filter by which records are found is read from its index and no further than its page, also where statistics never saw the value.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { addressOf } from '#/db/address.ts'
import { connect, type Sql } from '#/db/client.ts'
import { candidatesMax } from '#/db/search.ts'
import { createMetadataFiller } from '#/finding/fill.ts'
import { declareMetadataKeys } from '#/finding/metadata-key.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, secondMs } from '#/kernel/time.ts'
import { findRefunds } from '#/refunds/find.ts'
import { findWithdrawals } from '#/withdrawals/find.ts'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { selectByBeginning, type Beginning } from './find-queries.ts'
import { findPayments } from './find.ts'

let database: TestDatabase
/** A client that records each statement that it sends, in `sent`. */
let sql: Sql
const sent: { readonly text: string; readonly values: readonly unknown[] }[] = []

const merchantId = newId() as MerchantId
const other = newId() as MerchantId
const start = new Date('2026-11-01T00:00:00.000Z')
const rows = 60_000
const everyMs = 10 * secondMs

/** Row `n` of a table, ten seconds after the one before. */
const id = `(lpad(to_hex(${start.getTime()}::bigint + n * ${everyMs}::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid`
const createdAt = `'${start.toISOString()}'::timestamptz + n * interval '10 seconds'`

/** Nine of ten are of one merchant. The oldest three are rare in everything, and come after the statistics. */
const insertRows = (from: number, to: number) => `
  insert into payment (merchant_id, id, idempotency_key, fingerprint, request, status, amount_minor, currency, methods, exceptions, created_at)
  select case when n % 10 = 0 then '${other}'::uuid else '${merchantId}'::uuid end, ${id}, 'k' || n, '',
         json_build_object('customerName', case when n <= 3 then 'Rare Name' else 'Ana' end,
                           'customerEmail', case when n <= 3 then 'Rare@example.com' else 'ana@example.com' end,
                           'customerTaxId', case when n <= 3 then '52998224725' else '39053344705' end,
                           'metadata', json_build_object('order', case when n <= 3 then 'rare' else 'often' end)),
         case when n % 500 = 1 then 'EXPIRED' else 'PAID' end, case when n <= 3 then 777 else 100 end, 'BRL', '{PIX}',
         case when n <= 3 then '{LATE}'::text[] when n % 2 = 0 then '{OVERPAID}'::text[] else '{}'::text[] end, ${createdAt}
    from generate_series(${from}, ${to}) as n;
  insert into receipt (connection, provider_ref, outcome, occurrence, merchant_id, payment_id, attempt_id, ordinal, booked_minor,
                       currency, evidence, happened_at, recorded_at, means)
  select 'c', 'ref' || n, 'paid', 1, '${merchantId}', ${id}, gen_random_uuid(), 1, 100, 'BRL', '', ${createdAt}, ${createdAt},
         json_build_object('last4', case when n <= 3 then '0007' else '4242' end)
    from generate_series(${from}, ${to}) as n where n % 10 <> 0;
  insert into withdrawal (merchant_id, id, type, status, amount_minor, fee_minor, currency, wallet_id, connection, reference,
                          destination, request, fingerprint, requested_by, end_to_end_id, created_at)
  select '${merchantId}', ${id}, 'PIX', 'COMPLETED', case when n <= 3 then 777 else 100 end, 0, 'BRL', gen_random_uuid(), 'c',
         'r' || n, json_build_object('text', case when n <= 3 then 'rare@example.com' else 'ana@example.com' end), '{}', '',
         gen_random_uuid(), case when n <= 3 then 'E' || n end, ${createdAt}
    from generate_series(${from}, ${to}) as n;
  insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor, currency, status,
                      fingerprint, request, tx_hash, created_at)
  select '${merchantId}', ${id}, gen_random_uuid(), gen_random_uuid(), 'CRYPTO', 'c', 'p' || n, gen_random_uuid(),
         case when n <= 3 then 777 else 100 end, 'USDT', 'COMPLETED', '', '{}', case when n <= 3 then '0x' || n end, ${createdAt}
    from generate_series(${from}, ${to}) as n`

before(async () => {
  database = await testDatabase()
  const owner = connect(database.ownerUrl, { max: 2, transactionSeconds: 120 })
  for (const each of [merchantId, other])
    await owner`insert into merchant (id, mode, name, webhook_secret, created_at) values (${each}, 'SANDBOX', 'Ana', '', now())`
  await owner.unsafe(insertRows(4, rows))
  await owner.unsafe('analyze')
  await owner.unsafe(insertRows(1, 3))
  await declareMetadataKeys(owner, merchantId, ['order'])
  const filler = createMetadataFiller({ sql: owner, log: silentLog, batch: 20_000, settledMs: 0 })
  while ((await filler.once()) > 0);
  await owner.end()
  const { url: server, servers } = addressOf(database.appUrl)
  const socket = 'path' in servers[0] ? servers[0] : {}
  sql = postgres(server, {
    ...socket,
    max: 1,
    types: { bigint: postgres.BigInt },
    fetch_types: false,
    debug: (_: number, text: string, values: unknown[]) => void sent.push({ text, values }),
  }) as Sql
})
after(async () => {
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

type Node = Readonly<Record<string, unknown>> & { readonly Plans?: readonly Node[] }

const tables = ['payment', 'receipt', 'withdrawal', 'refund', 'metadata_value']

/** The scans of the tables in all statements that `find` sends, with the rows that each examined. */
async function scansOf(find: () => Promise<unknown>) {
  sent.length = 0
  await find()
  const statements = [...sent]
  const scans: { readonly type: string; readonly index: string; readonly rows: number }[] = []
  for (const { text, values } of statements) {
    const [row] = await sql.unsafe<{ 'QUERY PLAN': readonly { Plan: Node }[] }[]>(
      `explain (analyze, format json) ${text}`,
      values as string[],
    )
    const flat = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
    const number = (node: Node, name: string) => Number(node[name] ?? 0)
    for (const node of (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flat(Plan)))
      if (tables.includes(String(node['Relation Name'])))
        scans.push({
          type: String(node['Node Type']),
          index: String(node['Index Name']),
          rows:
            (number(node, 'Actual Rows') + number(node, 'Rows Removed by Filter')) *
            number(node, 'Actual Loops'),
        })
  }
  return scans
}

const limit = 50
const middle = addMs(start, (rows / 2) * everyMs)
const rails = new Map()
const payments = (filter: object) => findPayments({ sql, rails }, merchantId, { limit, ...filter })
const withdrawals = (filter: object) => findWithdrawals(sql, merchantId, { limit, ...filter })
const refunds = (filter: object) => findRefunds(sql, merchantId, { limit, ...filter })

type Case = {
  readonly by: string
  readonly find: () => Promise<{ readonly rows: readonly unknown[]; readonly next?: string }>
  readonly index: RegExp
  /** Absent: a whole page, and more after it. */
  readonly found?: number
  /** Candidates may be read besides the page. */
  readonly compared?: true
  /** All of them were read: the list ends. */
  readonly ends?: true
}

const cases: readonly Case[] = [
  {
    by: 'a rare e-mail',
    find: () => payments({ customerEmail: 'rare@EXAMPLE.com' }),
    index: /_by_email$/,
    found: 3,
  },
  {
    by: 'a frequent e-mail',
    find: () => payments({ customerEmail: 'ana@example.com' }),
    index: /_by_email$/,
  },
  {
    by: 'an e-mail that none has',
    find: () => payments({ customerEmail: 'no@x' }),
    index: /_by_email$/,
    found: 0,
  },
  {
    by: 'a rare name',
    find: () => payments({ customerName: 'rare name' }),
    index: /_by_customer_name$/,
    found: 3,
  },
  { by: 'a frequent name', find: () => payments({ customerName: 'ANA' }), index: /_by_customer_name$/ },
  { by: 'a rare card', find: () => payments({ cardLast4: '0007' }), index: /^receipt_by_card$/, found: 3 },
  { by: 'a frequent card', find: () => payments({ cardLast4: '4242' }), index: /^receipt_by_card$/ },
  {
    by: 'a card that none has',
    find: () => payments({ cardLast4: '9999' }),
    index: /^receipt_by_card$/,
    found: 0,
  },
  {
    by: 'a rare tax id',
    find: () => payments({ customerTaxId: '52998224725' }),
    index: /_by_tax_id$/,
    found: 3,
  },
  { by: 'a frequent tax id', find: () => payments({ customerTaxId: '39053344705' }), index: /_by_tax_id$/ },
  { by: 'a rare amount', find: () => payments({ amountMinor: 777n }), index: /_by_amount$/, found: 3 },
  { by: 'a frequent amount', find: () => payments({ amountMinor: 100n }), index: /_by_amount$/ },
  {
    by: 'an amount that none has',
    find: () => payments({ amountMinor: 5n }),
    index: /_by_amount$/,
    found: 0,
  },
  {
    by: 'an amount and an end',
    find: () => payments({ amountMinor: 100n, to: middle }),
    index: /_by_amount$/,
  },
  {
    by: 'a rare exception',
    find: () => payments({ exceptions: ['LATE'] }),
    index: /_by_exceptions$/,
    found: 3,
  },
  {
    by: 'a frequent exception',
    find: () => payments({ exceptions: ['OVERPAID'] }),
    index: /_by_exceptions$/,
  },
  {
    by: 'an exception that none has',
    find: () => payments({ exceptions: ['DUPLICATE'] }),
    index: /_by_exceptions$/,
    found: 0,
  },
  {
    by: 'a rare value of metadata',
    find: () => payments({ metadata: { order: 'rare' } }),
    index: /^metadata_value_pkey$/,
    found: 3,
  },
  {
    by: 'a frequent value of metadata',
    find: () => payments({ metadata: { order: 'often' } }),
    index: /^metadata_value_pkey$/,
  },
  {
    by: 'a frequent amount and a rare state',
    find: () => payments({ amountMinor: 100n, status: 'FAILED' }),
    index: /_by_amount$/,
    found: 0,
    compared: true,
  },
  {
    by: 'a frequent value of metadata and a rare e-mail',
    find: () => payments({ metadata: { order: 'often' }, customerEmail: 'rare@example.com' }),
    index: /_by_email$/,
    found: 0,
    compared: true,
    ends: true,
  },
  {
    by: 'a withdrawal’s rare amount',
    find: () => withdrawals({ amountMinor: 777n }),
    index: /_by_amount$/,
    found: 3,
  },
  {
    by: 'a withdrawal’s frequent amount',
    find: () => withdrawals({ amountMinor: 100n }),
    index: /_by_amount$/,
  },
  {
    by: 'a rare destination',
    find: () => withdrawals({ destinations: [['rare@example.com', 'x']] }),
    index: /_by_destination$/,
    found: 3,
  },
  {
    by: 'a frequent destination',
    find: () => withdrawals({ destinations: [['ana@example.com']] }),
    index: /_by_destination$/,
  },
  {
    by: 'a withdrawal’s end-to-end id',
    find: () => withdrawals({ endToEndId: 'E2' }),
    index: /_by_reference$/,
    found: 1,
  },
  {
    by: 'a withdrawal’s transaction',
    find: () => withdrawals({ txHash: '0x2' }),
    index: /_by_reference$/,
    found: 0,
  },
  {
    by: 'a refund’s rare amount',
    find: () => refunds({ amountMinor: 777n }),
    index: /_by_amount$/,
    found: 3,
  },
  { by: 'a refund’s frequent amount', find: () => refunds({ amountMinor: 100n }), index: /_by_amount$/ },
  { by: 'a refund’s transaction', find: () => refunds({ txHash: '0x2' }), index: /_by_tx$/, found: 1 },
]

const beginning = (kind: Beginning, text: string) => async () => ({
  rows: await selectByBeginning(sql, merchantId, { kind, text, limit: 10 }),
})

for (const [by, find, index, found] of [
  ['a rare name', beginning('NAME', 'rare'), /_by_name_form$/, 3],
  ['a frequent name', beginning('NAME', 'A'), /_by_name_form$/, 10],
  ['a name that none has', beginning('NAME', 'zz'), /_by_name_form$/, 0],
  ['a rare e-mail', beginning('EMAIL', 'RARE@'), /_by_email_form$/, 3],
  ['a frequent e-mail', beginning('EMAIL', 'ana'), /_by_email_form$/, 10],
  ['a rare order', beginning('ORDER', 'ra'), /_by_order_form$/, 3],
  ['a frequent order', beginning('ORDER', 'o'), /_by_order_form$/, 10],
  ['a reference', beginning('REFERENCE', 'ref12345'), /^receipt_by_reference$/, 1],
  ['a reference of many', beginning('REFERENCE', 'ref'), /^receipt_by_reference$/, 10],
] as const)
  test(`the beginning of ${by} is found by its index, and no further than the page`, async () => {
    assert.equal((await find()).rows.length, found)
    const scans = await scansOf(find)
    for (const scan of scans) assert.match(scan.index, index, JSON.stringify(scans))
    const examined = scans.reduce((sum, scan) => sum + scan.rows, 0)
    assert.ok(examined <= 150, `${examined} rows were read: ${JSON.stringify(scans)}`)
  })

for (const { by, find, index, found = limit, compared, ends } of cases) {
  test(`${by} is found by its index, and no further than the page`, async () => {
    const page = await find()
    assert.equal(page.rows.length, found)
    assert.equal(page.next !== undefined, found === limit || (compared === true && ends === undefined))
    const scans = await scansOf(find)
    for (const { type } of scans) assert.match(type, /^Index (?:Only )?Scan$/, JSON.stringify(scans))
    assert.ok(
      scans.some((scan) => index.test(scan.index)),
      JSON.stringify(scans),
    )
    const examined = scans.reduce((sum, scan) => sum + scan.rows, 0)
    const allowed = compared === true ? 2 * candidatesMax : 10 + 6 * (found + 1)
    assert.ok(examined <= allowed, `${examined} rows were read: ${JSON.stringify(scans)}`)
  })
}
