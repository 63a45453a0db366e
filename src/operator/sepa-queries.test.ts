// Which rows of bank files the console's statements find, and whom a movement of an account may concern.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId, Id, MerchantId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { merchantsConcerned } from './sepa-concerned.ts'
import * as queries from './sepa-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const account = 'account' as ConnectionId
const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [early, late, latest] = ['01', '02', '03'].map((day) => `2026-11-${day}T00:00:00.000007Z`)
const microsOf = (at: string | undefined) => `${Date.parse(String(at)) * 1_000 + 7}`

test('files of banks go on after the last one of a page, also among files of one instant', async () => {
  const file = { connection: 'b', sha256: '\\x01', state: 'IMPORTED', created_at: late }
  const rows = [
    { ...file, name: 'early', created_at: early, connection: 'a' },
    { ...file, name: 'third', connection: 'c' },
    { ...file, name: 'second', sha256: '\\x02', state: 'REFUSED' },
    { ...file, name: 'first' },
    { ...file, name: 'latest', created_at: latest, connection: 'z' },
  ]
  const list = (page: Omit<Parameters<typeof queries.selectFilePage>[1], 'limit'>, limit = 9) =>
    onRows(sql, { sepa_file: rows }, async (tx) =>
      (await queries.selectFilePage(tx, { ...page, limit })).map(({ name }) => name).join(),
    )
  assert.equal(await list({}), 'latest,first,second,third,early')
  assert.equal(await list({ after: { atUs: microsOf(late), parts: ['b', '01'] } }), 'second,third,early')
  assert.equal(await list({ after: { atUs: microsOf(late), parts: ['b', '01'] } }, 1), 'second')
  assert.equal(await list({ state: 'REFUSED' }), 'second')
  assert.equal(await list({ state: 'IMPORTED' }), 'latest,first,third,early')
})

test('typos that wait go on after the last one of a page, the oldest first', async () => {
  const entry = { connection: 'b', reference: 'r', part: 1, kind: 'PROPOSED', created_at: late }
  const rows = [
    { ...entry, payment_id: bareId(5), created_at: latest, connection: 'a' },
    { ...entry, payment_id: bareId(4), reference: 's', part: 0 },
    { ...entry, payment_id: bareId(3), part: 2 },
    { ...entry, payment_id: bareId(2) },
    { ...entry, payment_id: bareId(1), created_at: early, connection: 'z' },
    { ...entry, payment_id: bareId(9), kind: 'PAID' },
  ]
  const list = (page: Parameters<typeof queries.selectProposalPage>[1]) =>
    onRows(sql, { sepa_entry: rows }, async (tx) =>
      (await queries.selectProposalPage(tx, page)).map((each) => each.paymentId?.slice(-1)).join(),
    )
  assert.equal(await list({ limit: 9 }), '1,2,3,4,5')
  assert.equal(await list({ after: { atUs: microsOf(late), parts: ['b', 'r', '1'] }, limit: 2 }), '3,4')
})

test('files of payments go on after the last one of a page, also among files of one instant', async () => {
  const rows = [
    { id: bareId(1), created_at: early },
    { id: bareId(3), created_at: late },
    { id: bareId(2), created_at: late },
    { id: bareId(9), created_at: latest },
  ]
  const list = (page: Parameters<typeof queries.selectBatchPage>[1]) =>
    onRows(sql, { sepa_batch: rows }, async (tx) =>
      (await queries.selectBatchPage(tx, page)).map(({ id }) => id.slice(-1)).join(),
    )
  assert.equal(await list({ limit: 9 }), '9,2,3,1')
  assert.equal(await list({ after: { atUs: microsOf(late), parts: [bareId(2)] }, limit: 9 }), '3,1')
  assert.equal(await list({ after: { atUs: microsOf(late), parts: [bareId(2)] }, limit: 1 }), '3')
})

test('payouts that wait for a file are those of the account whose withdrawal goes on', async () => {
  const payout = { connection: account, state: 'WAITING', merchant_id: ours, amount_minor: 5 }
  const ended = { merchant_id: ours, status: 'COMPLETED' }
  const tables = {
    sepa_payout: [
      { ...payout, payout_id: bareId(11) },
      { ...payout, payout_id: bareId(12) },
      { ...payout, payout_id: bareId(13) },
      ...beside({ ...payout, payout_id: bareId(14) }, { connection: 'other' }, { state: 'SENT' }),
    ],
    withdrawal: [
      { ...ended, id: bareId(12), status: 'PROCESSING' },
      { ...ended, id: bareId(13) },
      { ...ended, id: bareId(99) },
    ],
  }
  const waiting = (most: number) =>
    onRows(sql, tables, async (tx) =>
      (await queries.selectWaitingPayouts(tx, [account], most)).map((each) => ({ ...each })),
    )
  assert.deepEqual(await waiting(9), [{ connection: account, payouts: 2, minor: 10n }])
  assert.deepEqual(await waiting(1), [{ connection: account, payouts: 1, minor: 5n }])
})

test('a file is handed out again to who took it under the same key alone', async () => {
  const file = { id: bareId(1), taken_key: bareId(51), taken_by: 'ana', bytes: '\\x01' }
  const taking = { id: bareId(1) as Id<'sepa-batch'>, key: bareId(51), by: 'ana' }
  const find = (rows: BareRows[string]) =>
    onRows(sql, { sepa_batch: rows }, (tx) => queries.selectTaking(tx, taking))
  assert.deepEqual(await find([file]), Buffer.of(1))
  assert.equal(
    await find(beside(file, { id: bareId(2) }, { taken_key: bareId(52) }, { taken_by: 'bea' })),
    undefined,
  )
})

const wallet = [
  { id: bareId(21), merchant_id: ours },
  { id: bareId(22), merchant_id: theirs },
]
/** Nothing of an account: tests put their own rows beside it. */
const nothing = { connection: [], sepa_entry: [], unmatched: [], wallet }

test('a debit that names no credit may take back each that is large enough, of its account and currency, of the last 400 days', async () => {
  const debit = { minor: 100n, currency: 'EUR', bookedOn: '2026-11-20' }
  const possible = (tables: BareRows) =>
    onRows(sql, { ...nothing, ...tables }, (tx) => queries.selectPossiblyTaken(tx, account, debit))
  const entry = {
    connection: account,
    currency: 'EUR',
    credit: true,
    merchant_id: ours,
    kind: 'PAID',
    amount_minor: 100,
    booked_on: '2026-11-20',
  }
  // 400 days before: by the calendar, 365 to the same day of 2025 and 35 more.
  for (const row of [entry, ...beside(entry, { kind: 'PROPOSED' }, { booked_on: '2025-10-16' })])
    assert.deepEqual(await possible({ sepa_entry: [row] }), [ours], JSON.stringify(row))
  const others = [
    { connection: 'other' },
    { currency: 'BRL' },
    { credit: false },
    { merchant_id: null },
    { kind: 'HELD' },
    { amount_minor: 99 },
    { booked_on: '2025-10-15' },
    { booked_on: '2026-11-21' },
  ]
  assert.deepEqual(await possible({ sepa_entry: beside(entry, ...others) }), [])
  const stray = {
    connection: account,
    currency: 'EUR',
    amount_minor: 100,
    recorded_at: '2025-10-16T00:00:00Z',
    wallet_id: bareId(21),
  }
  assert.deepEqual(await possible({ unmatched: [stray] }), [ours])
  const strays = [
    { connection: 'other' },
    { currency: 'BRL' },
    { amount_minor: 99 },
    { recorded_at: '2025-10-15T23:59:59Z' },
  ]
  assert.deepEqual(await possible({ unmatched: beside(stray, ...strays) }), [])
})

test('a movement concerns whose payments it changes, to whom its money was credited, who may have it, and whose account it is', async () => {
  const concerned = (tables: BareRows, of: Partial<Parameters<typeof merchantsConcerned>[2]>) =>
    onRows(sql, { ...nothing, ...tables }, (tx) =>
      merchantsConcerned(tx, account, { merchants: [], credits: [], ...of }),
    )
  assert.deepEqual(await concerned({}, {}), [])
  assert.deepEqual(await concerned({}, { merchants: [theirs, ours, theirs] }), [ours, theirs])
  const credit = { connection: account, provider_ref: 'r1', wallet_id: bareId(21) }
  const others = beside({ ...credit, wallet_id: bareId(22) }, { connection: 'other' }, { provider_ref: 'r2' })
  assert.deepEqual(await concerned({ unmatched: [credit, ...others] }, { credits: ['r1'] }), [ours])
  assert.deepEqual(await concerned({ connection: [{ id: account, merchant_id: theirs }] }, {}), [theirs])
  const entry = { connection: account, currency: 'EUR', credit: true, kind: 'PAID', booked_on: '2026-11-20' }
  const unnamed = { minor: 1n, currency: 'EUR', bookedOn: '2026-11-20' } as const
  const paid = { sepa_entry: [{ ...entry, merchant_id: ours, amount_minor: 1 }] }
  assert.deepEqual(await concerned(paid, { unnamed }), [ours])
  assert.deepEqual(await concerned(paid, {}), [])
})
