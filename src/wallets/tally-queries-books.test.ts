// What the statement, the reports and the tally read of the books: each condition on entries that it alone tells apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as statement from './statement-queries.ts'
import * as tally from './tally-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [mine, other] = [
  { id: 1n, name: 'wallet:1:available' },
  { id: 2n, name: 'wallet:2:available' },
] as const
const subjectOf = (transfer: number) => bareId(50 + transfer)
const instant = (second: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, second))

/** Six transfers, each alone in its batch, between the two accounts and a third one that nobody asks for. */
const sides = [
  [3, 1],
  [1, 2],
  [3, 1],
  [2, 1],
  [3, 2],
  [1, 3],
] as const
const numbers = sides.map((_, nth) => nth + 1)
const books = {
  account: [
    { ...mine, mode: 'LIVE' },
    { ...other, mode: 'LIVE' },
    { id: 3, name: 'wallet:3:pending', mode: 'LIVE' },
    { id: 4, name: mine.name, mode: 'SANDBOX' },
  ],
  batch: numbers.map((number) => ({ number, transfer_from: number - 1, at: instant(number) })),
  transfer: sides.map(([debit, credit], nth) => ({
    number: nth + 1,
    batch: nth + 1,
    debit,
    credit,
    subject: subjectOf(nth + 1),
    step: 'step',
    kind: 'PAYMENT',
  })),
  entry: entriesOf(sides),
  head: [{ transfer: 6, at: instant(6) }],
}

/** Each transfer moves ten times its number: from its debit to its credit. */
function entriesOf(moves: readonly (readonly [number, number])[]) {
  const balances = new Map<number, number>()
  return moves.flatMap(([debit, credit], nth) =>
    (
      [
        [debit, -1],
        [credit, 1],
      ] as const
    ).map(([account, sign]) => {
      const minor = sign * 10 * (nth + 1)
      balances.set(account, (balances.get(account) ?? 0) + minor)
      return { account_id: account, transfer: nth + 1, minor, balance: balances.get(account) }
    }),
  )
}

test('accounts are found by name in one mode', async () => {
  const found = await onRows(sql, books, (tx) =>
    statement.selectAccounts(tx, 'LIVE', [mine.name, 'never used']),
  )
  assert.deepEqual([...found], [mine])
})

test('rows are those of the accounts, newest first, after one transfer and before a position', async () => {
  const rowsOf = async (first: bigint, before: statement.Position, limit = 10) =>
    (await onRows(sql, books, (tx) => statement.selectRows(tx, [mine, other], { first, before }, limit))).map(
      ({ transfer, account, minor, subject, at }) => [transfer, account, minor, subject, at],
    )
  const row = (number: number, account: bigint, minor: bigint) => [
    BigInt(number),
    account,
    minor,
    subjectOf(number),
    instant(number),
  ]
  assert.deepEqual(await rowsOf(0n, { transfer: 7n, account: 0n }), [
    row(6, 1n, -60n),
    row(5, 2n, 50n),
    row(4, 2n, -40n),
    row(4, 1n, 40n),
    row(3, 1n, 30n),
    row(2, 2n, 20n),
    row(2, 1n, -20n),
    row(1, 1n, 10n),
  ])
  assert.deepEqual(await rowsOf(3n, { transfer: 7n, account: 0n }, 2), [row(6, 1n, -60n), row(5, 2n, 50n)])
  // Before a row: the account with the smaller number has its row of the same transfer still to come.
  assert.deepEqual(await rowsOf(3n, { transfer: 4n, account: 2n }), [row(4, 1n, 40n)])
  assert.deepEqual(await rowsOf(3n, { transfer: 4n, account: 1n }), [])
})

test('a row is found again by its subject and step, on an account that it moved', async () => {
  const found = (subject: string, step: string, account: bigint) =>
    onRows(sql, books, (tx) => statement.selectTransfer(tx, subject, step, account))
  assert.equal(await found(subjectOf(2), 'step', 2n), 2n)
  assert.equal(await found(subjectOf(2), 'step', 3n), undefined)
  assert.equal(await found(subjectOf(2), 'another', 2n), undefined)
  assert.equal(await found(subjectOf(5), 'step', 1n), undefined)
})

test('a refund names its payment to its merchant', async () => {
  const refund = { merchant_id: ours, id: bareId(5), payment_id: bareId(6) }
  const rows = { refund: [refund, ...beside(refund, { merchant_id: theirs }, { id: bareId(7) })] }
  const found = await onRows(sql, rows, (tx) => statement.selectRefunded(tx, ours, [bareId(5)]))
  assert.deepEqual([...found], [{ id: bareId(5), paymentId: bareId(6) }])
})

test('labels of shares are read by the platform and by the recipient of the share, where there are any', async () => {
  const split = { id: bareId(8), merchant_id: ours, payment_id: bareId(6) }
  const share = {
    merchant_id: ours,
    payment_id: bareId(6),
    ordinal: 0,
    label: 'rent',
    sub_account_id: theirs,
  }
  const rows = {
    payment_split: [split, ...beside(split, { id: bareId(9), payment_id: bareId(7) })],
    payment_share: [
      share,
      ...beside(
        share,
        { ordinal: 1, label: null },
        { ordinal: 2, sub_account_id: bareId(3) },
        { payment_id: bareId(7) },
        { merchant_id: bareId(4) },
      ),
    ],
  }
  const labelsFor = async (merchant: MerchantId) =>
    (await onRows(sql, rows, (tx) => statement.selectShareLabels(tx, merchant, [bareId(8)])))
      .map(({ splitId, ordinal, label }) => `${splitId} ${ordinal} ${label}`)
      .toSorted((a, b) => a.localeCompare(b))
  assert.deepEqual(await labelsFor(ours), [`${bareId(8)} 0 rent`, `${bareId(8)} 2 rent`])
  assert.deepEqual(await labelsFor(theirs), [`${bareId(8)} 0 rent`])
  assert.deepEqual(await labelsFor(bareId(4) as MerchantId), [])
})

test('a position is that of the last transfer before an instant, and of all for the future', async () => {
  const found = await onRows(sql, books, (tx) =>
    statement.selectPositions(tx, [instant(3), instant(9), instant(1), instant(4)]),
  )
  assert.deepEqual(found, [2n, 6n, 0n, 3n])
})

const summed = [
  { id: 1n, sum: 'both' },
  { id: 2n, sum: 'both' },
] as const

test('a balance is that after the last entry up to a transfer, added up', async () => {
  const found = await onRows(sql, books, (tx) => statement.selectBalancesAt(tx, summed, [3n, 6n]))
  assert.deepEqual(
    found.map(({ number, minor }) => [number, minor]).toSorted(([a = 0n], [b = 0n]) => Number(a - b)),
    // 10 - 20 + 30 and 20; then + 40 - 60 and - 40 + 50.
    [
      [3n, 40n],
      [6n, 30n],
    ],
  )
})

test('what moved is the same with a mark of the tally and without, and is cut at each transfer', async () => {
  const mark = { account_id: 1, transfer: 3, kind: 'PAYMENT', count: 3, inflow: 40, outflow: 20 }
  const marks = [
    mark,
    // An older mark of the account, a later one, and one of another account.
    ...beside(
      mark,
      { transfer: 1, count: 1, inflow: 10, outflow: 0 },
      { transfer: 6, count: 5, inflow: 80, outflow: 80 },
      { account_id: 2, count: 1, inflow: 20, outflow: 0 },
    ),
  ]
  for (const rows of [[], marks]) {
    const found = await onRows(sql, { ...books, tally: rows }, (tx) =>
      statement.selectFlowsAt(tx, summed, [3n, 4n, 6n]),
    )
    assert.deepEqual(
      found
        .toSorted((a, b) => Number(a.number - b.number))
        .map(({ number, kind, count, inflow, outflow }) => [number, kind, count, inflow, outflow]),
      [
        [3n, 'PAYMENT', 4n, 60n, 20n],
        [4n, 'PAYMENT', 6n, 100n, 60n],
        [6n, 'PAYMENT', 8n, 150n, 120n],
      ],
      `${rows.length} marks`,
    )
  }
})

test('a mark is due for a wallet that moved and has so many entries since its last one', async () => {
  const dueWith = (marks: readonly object[], after: bigint, upTo: bigint, every: number) =>
    onRows(sql, { ...books, tally: marks.map((row) => ({ ...row })) }, async (tx) =>
      (await tally.selectDue(tx, { after, upTo }, every)).map(({ account, mark }) => [account, mark]),
    )
  const mark = { account_id: 1, transfer: 2, kind: 'PAYMENT', count: 2, inflow: 10, outflow: 20 }
  // The third account moved most, but is no available balance.
  assert.deepEqual(await dueWith([], 0n, 6n, 3), [
    [1n, 0n],
    [2n, 0n],
  ])
  assert.deepEqual(await dueWith([], 0n, 6n, 4), [[1n, 0n]])
  assert.deepEqual(await dueWith([], 0n, 6n, 6), [])
  assert.deepEqual(await dueWith([], 0n, 4n, 4), [[1n, 0n]])
  assert.deepEqual(await dueWith([], 0n, 3n, 4), [])
  // Only the second account moved between these.
  assert.deepEqual(await dueWith([], 4n, 5n, 3), [[2n, 0n]])
  assert.deepEqual(await dueWith([], 5n, 6n, 3), [[1n, 0n]])
  assert.deepEqual(await dueWith([], 2n, 3n, 1), [[1n, 0n]])
  assert.deepEqual(await dueWith([mark], 0n, 6n, 3), [
    [1n, 2n],
    [2n, 0n],
  ])
  assert.deepEqual(await dueWith([mark, { ...mark, transfer: 3 }], 0n, 6n, 3), [[2n, 0n]])
})

test('movements are those after the mark of their own account, in order', async () => {
  const marked = [
    { account: 1n, mark: 2n },
    { account: 2n, mark: 0n },
  ]
  const found = await onRows(sql, books, (tx) => tally.selectMovements(tx, marked, 4n))
  assert.deepEqual(
    found.map(({ account, transfer, minor }) => [account, transfer, minor]),
    [
      [1n, 3n, 30n],
      [1n, 4n, 40n],
      [2n, 2n, 20n],
      [2n, 4n, -40n],
    ],
  )
})

test('the content of a mark is that of its account and transfer', async () => {
  const mark = { account_id: 1, transfer: 3, kind: 'PAYMENT', count: 3, inflow: 40, outflow: 20 }
  const rows = [mark, ...beside(mark, { account_id: 2, count: 9 }, { transfer: 4, count: 9 })]
  const found = await onRows(sql, { tally: rows }, (tx) => tally.selectMarks(tx, [{ account: 1n, mark: 3n }]))
  assert.deepEqual(found, [
    { account: 1n, transfer: 3n, kind: 'PAYMENT', count: 3n, inflow: 40n, outflow: 20n },
  ])
})
