// What is still open of a sub-account that is to be closed: each row beside those that keep it open differs in one column.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { selectStillOpen } from './sub-account-queries.ts'
import type { OpenThing, StillOpen } from './sub-account.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs, parent] = [bareId(1) as MerchantId, bareId(2) as MerchantId, bareId(3) as MerchantId]
const [past, future] = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'] as const
const of = { merchant_id: ours }
const elsewhere = { merchant_id: theirs }

/** Nothing is open with these rows alone. The merchant of another id stands beside ours in the other mode. */
const nothing: BareRows = {
  merchant: [
    { id: ours, mode: 'LIVE' },
    { id: theirs, mode: 'SANDBOX' },
  ],
  sub_account: [{ merchant_id: ours, parent_id: parent }],
  ...Object.fromEntries(
    'payment payment_link withdrawal refund dispute payout_schedule transfer_grant wallet account balance'
      .split(' ')
      .map((table) => [table, []]),
  ),
}

const openOf = (tables: BareRows): Promise<readonly StillOpen[]> =>
  onRows(sql, { ...nothing, ...tables }, (tx) => selectStillOpen(tx, ours))

type Row = Readonly<Record<string, unknown>>
type Case = {
  readonly what: OpenThing
  /** A row that keeps it open. Absent changes of `open` do, too; each of `ended` does not. */
  readonly row: Row
  readonly open: readonly Row[]
  readonly ended: readonly Row[]
}

const currency = 'BRL'
const cases: readonly Case[] = [
  {
    what: 'payment',
    row: { ...of, status: 'PENDING' },
    open: [{ status: 'WAITING_PAYMENT' }, { status: 'APPROVED' }],
    ended: [elsewhere, { status: 'PAID' }],
  },
  {
    what: 'payment_link',
    row: of,
    open: [{ expires_at: future }],
    ended: [elsewhere, { archived_at: past }, { expires_at: past }],
  },
  {
    what: 'withdrawal',
    row: { ...of, status: 'PENDING' },
    open: [{ status: 'PENDING_APPROVAL' }, { status: 'PROCESSING' }],
    ended: [elsewhere, { status: 'COMPLETED' }],
  },
  {
    what: 'refund',
    row: { ...of, currency, status: 'PENDING' },
    open: [{ currency: 'USDT' }],
    ended: [elsewhere, { status: 'COMPLETED' }],
  },
  {
    what: 'dispute',
    row: { ...of, currency, status: 'OPEN' },
    open: [{ currency: 'USD' }],
    ended: [elsewhere, { status: 'WON' }],
  },
  {
    what: 'payout_schedule',
    row: { ...of, status: 'ACTIVE' },
    open: [{ status: 'PAUSED' }],
    ended: [elsewhere, { status: 'ENDED' }],
  },
  {
    what: 'transfer_grant',
    row: { ...of, taken_minor: 5 },
    open: [{ max_minor: 6 }, { expires_at: future }],
    ended: [elsewhere, { revoked_at: past }, { max_minor: 5 }, { expires_at: past }],
  },
]

for (const { what, row, open, ended } of cases)
  test(`a ${what.replace('_', ' ')} keeps it open only while it has not ended`, async () => {
    const rows = [{}, ...open, ...ended].map((change, index) => ({
      ...row,
      ...change,
      id: bareId(100 + index),
    }))
    const ids = rows.slice(0, 1 + open.length).map(({ id }) => id)
    assert.deepEqual([...(await openOf({ [what]: rows }))], [{ what, count: ids.length, ids }])
    assert.deepEqual([...(await openOf({ [what]: rows.slice(ids.length) }))], [])
  })

test('at most a thousand of each are counted, and the first five are named', async () => {
  const payment = Array.from({ length: 1_001 }, (_, index) => ({
    ...of,
    id: bareId(2_000 - index),
    status: 'PENDING',
  }))
  const [found] = await openOf({ payment })
  assert.equal(found?.count, 1_000)
  assert.equal(found.ids.length, 5)
  const few = await openOf({ payment: payment.slice(-6) })
  assert.deepEqual(few[0]?.ids, [1_000, 1_001, 1_002, 1_003, 1_004].map(bareId))
})

const wallet = bareId(21)
/** The parent has this wallet, so its absence keeps nothing open. */
const wallets = [
  { ...of, id: wallet, currency },
  { merchant_id: parent, id: bareId(22), currency, is_default: true },
]
const account = (id: number, name: string, mode = 'LIVE') => ({ id, mode, name })

test('money of its wallets keeps it open, on whichever of their accounts', async () => {
  const ofWallet = `wallet:${wallet}`
  const rows = {
    wallet: [...wallets, { ...elsewhere, id: bareId(23), currency }],
    account: [
      ...['available', 'pending', 'held'].map((part, index) => account(index + 1, `${ofWallet}:${part}`)),
      account(4, `${ofWallet}:available`, 'SANDBOX'),
      account(5, `wallet:${bareId(23)}:available`, 'SANDBOX'),
      account(6, 'operator:fees'),
    ],
  }
  const found = [{ what: 'balance', count: 1, ids: [wallet] }]
  for (const [id, minor, expected] of [
    [1, 1, found],
    [2, 1, found],
    [3, -1, found],
    [1, 0, []],
    [4, 1, []],
    [5, 1, []],
    [6, 1, []],
  ] as const)
    assert.deepEqual(
      [...(await openOf({ ...rows, balance: [{ account_id: id, minor }] }))],
      expected,
      `${id}`,
    )
})

test('a debt of it or to it keeps it open, in every currency', async () => {
  const rows = {
    account: [
      account(1, `receivable:${ours}:BRL`),
      account(2, `owes:${ours}:EUR`),
      account(3, `owed:${ours}:USDT`),
      account(4, `owes:${ours}:USD`, 'SANDBOX'),
      account(5, `owes:${theirs}:USD`, 'SANDBOX'),
      account(6, 'operator:fees'),
    ],
  }
  const found = (unit: string) => [{ what: 'debt', count: 1, ids: [unit] }]
  for (const [id, minor, expected] of [
    [1, 1, found('BRL')],
    [2, 1, found('EUR')],
    [3, 1, found('USDT')],
    [1, 0, []],
    [4, 1, []],
    [5, 1, []],
    [6, 1, []],
  ] as const)
    assert.deepEqual(
      [...(await openOf({ ...rows, balance: [{ account_id: id, minor }] }))],
      expected,
      `${id}`,
    )
})

test('its parent has to have a default wallet in each currency in which money may still come', async () => {
  const inUsd = { ...of, id: bareId(31), status: 'PAID', currency: 'USD', methods: ['CARD'] }
  const [own, parents] = wallets
  const lacking = (ids: readonly string[]) => [{ what: 'parent_wallet', count: ids.length, ids }]
  const rows: readonly (readonly [tables: BareRows, expected: readonly object[]])[] = [
    [{ wallet: wallets }, []],
    [{ wallet: [own ?? {}] }, lacking(['BRL'])],
    ...[{ currency: 'EUR' }, { is_default: false }, { merchant_id: theirs }].map(
      (change) => [{ wallet: [own ?? {}, { ...parents, ...change }] }, lacking(['BRL'])] as const,
    ),
    [{ payment: [inUsd] }, lacking(['USD'])],
    [{ payment: beside(inUsd, elsewhere, { currency: 'USDT' }, { methods: ['CRYPTO'] }) }, []],
    [{ wallet: [own ?? {}], sub_account: [{ merchant_id: theirs, parent_id: parent }] }, []],
  ]
  for (const [tables, expected] of rows)
    assert.deepEqual([...(await openOf(tables))], expected, JSON.stringify(tables))
})
