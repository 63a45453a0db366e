// Which files and statements the account's queries find, and which movements are in a statement: of one account and one currency.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { beside, onRows } from '../../../test/bare-rows.ts'
import { changedBy } from '../../../test/changed-rows.ts'
import { rowsDatabase } from '../../../test/file-database.ts'
import * as corrections from './correct-queries.ts'
import * as queries from './statement-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, theirs] = ['bank-a', 'bank-b'] as [ConnectionId, ConnectionId]
const account = { connection: ours, currency: 'EUR' }
const digest = Buffer.of(1)
const file = { connection: ours, sha256: '\\x01', state: 'IMPORTED', name: 'a.xml', bytes: '\\x00' }
const otherFiles = [{ connection: theirs }, { sha256: '\\x02' }] as const

const statement = {
  connection: ours,
  number: 4,
  currency: 'EUR',
  bank_id: 'S4',
  opening_minor: 100,
  closing_minor: 200,
  closed_on: '2026-01-04',
  file_sha256: '\\x00',
}
const numbered = (number: number, more: object = {}) => ({
  ...statement,
  number,
  bank_id: `S${number}`,
  ...more,
})

const entry = {
  connection: ours,
  reference: 'A',
  part: 0,
  credit: true,
  amount_minor: 10,
  currency: 'EUR',
  booked_on: '2026-01-02',
  kind: 'UNATTRIBUTED',
  fact: {},
}

test('a file was imported, or refused, under its own account and digest', async () => {
  const isImported = (rows: readonly object[]) =>
    onRows(sql, { sepa_file: rows as readonly Record<string, unknown>[] }, (tx) =>
      queries.isImported(tx, ours, digest),
    )
  const refused = { ...file, state: 'REFUSED', reason: 'x' }
  assert.equal(await isImported([file]), true)
  assert.equal(await isImported([refused, ...beside(file, ...otherFiles)]), false)
  const refusedIn = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    onRows(sql, { sepa_file: rows }, (tx) => corrections.selectRefused(tx, ours, digest))
  assert.equal((await refusedIn([refused]))?.reason, 'x')
  assert.equal(await refusedIn([file, ...beside(refused, ...otherFiles)]), undefined)
})

test('statements are those of one account and one currency; numbers are of all its currencies', async () => {
  const others = [3, 5, 7].flatMap((number) => [
    numbered(number, { currency: 'USD' }),
    numbered(number + 2, { connection: theirs }),
  ])
  const rows = {
    sepa_statement: [...others, numbered(6), numbered(8), numbered(4), numbered(2), numbered(1)],
  }
  const on = <Answer>(ask: (tx: Parameters<typeof queries.selectLastNumber>[0]) => Promise<Answer>) =>
    onRows(sql, rows, ask)
  const last = await on((tx) => queries.selectLastStatement(tx, account))
  assert.equal(last?.number, 8)
  assert.equal(await on((tx) => queries.selectLastNumber(tx, ours)), 8)
  assert.equal(await on((tx) => queries.selectLastNumber(tx, 'bank-c' as ConnectionId)), 0)
  const of = (currency: string) => on((tx) => queries.selectLastStatement(tx, { connection: ours, currency }))
  assert.equal((await of('USD'))?.number, 7)
  assert.equal(await of('BRL'), undefined)

  const named = (bankId: string) => on((tx) => queries.selectStatement(tx, account, bankId))
  assert.equal((await named('S4'))?.number, 4)
  for (const bankId of ['S3', 'S9', 'S10']) assert.equal(await named(bankId), undefined, bankId)

  const around = (number: number) => on((tx) => queries.selectNeighbours(tx, account, number))
  const { before: older, next, ...rest } = await around(4)
  assert.deepEqual([older?.number, next?.number, rest], [2, 6, {}])
  assert.deepEqual(Object.keys(await around(1)), ['next'])
  assert.deepEqual(Object.keys(await around(8)), ['before'])
})

test('a statement is the first of its currency, whatever others the account and other accounts have', async () => {
  const isFirst = (number: number) =>
    onRows(
      sql,
      {
        sepa_statement: [
          numbered(4),
          numbered(5),
          numbered(3, { currency: 'USD' }),
          numbered(3, { connection: theirs }),
        ],
      },
      (tx) => queries.isFirstStatement(tx, account, number),
    )
  assert.deepEqual([await isFirst(4), await isFirst(5)], [true, false])
})

test('the first statement has what was notified before it opened, but not what was decided to be the same', async () => {
  const rows = [
    entry,
    ...beside(
      entry,
      { connection: theirs },
      { currency: 'USD' },
      { statement: 1 },
      { booked_on: '2026-01-03' },
      { kind: 'SAME' },
    ),
  ]
  const changed = await changedBy(sql, { sepa_entry: rows }, 'sepa_entry', (tx) =>
    queries.stateEarlier(tx, account, { before: '2026-01-03', statement: 9 }),
  )
  assert.deepEqual(changed, [0])
})

test('what no statement has is found up to a day, unless one has a held movement that is like it', async () => {
  const held = { ...entry, reference: 'H', booked_on: '2026-02-01', kind: 'HELD', like_reference: 'A' }
  const like = { ...held, like_part: 0, statement: 2 }
  const find = async (...rows: readonly Readonly<Record<string, unknown>>[]) =>
    (await onRows(sql, { sepa_entry: rows }, (tx) => queries.selectUnstated(tx, account, '2026-01-02')))
      ?.reference
  assert.equal(await find(entry), 'A')
  const others = [{ connection: theirs }, { currency: 'USD' }, { statement: 1 }, { kind: 'SAME' }]
  assert.equal(await find(...beside(entry, ...others, { booked_on: '2026-01-03' })), undefined)
  assert.equal(await find(entry, like), undefined)
  const unlike = [{ connection: theirs }, { like_reference: 'B' }, { like_part: 1 }, { statement: null }]
  assert.equal(await find(entry, ...beside(like, ...unlike)), 'A')
  const earlier = { ...entry, reference: 'Z', booked_on: '2026-01-01' }
  assert.equal(await find({ ...entry, reference: 'B' }, entry), 'A')
  assert.equal(await find(entry, earlier), 'Z')
})

test('the balance that the bank reported is the last statement and what it notified since, without what waits', async () => {
  const of = (amount_minor: number, more: object = {}) => ({ ...entry, amount_minor, ...more })
  const rows = {
    sepa_statement: [
      numbered(1, { closing_minor: 100 }),
      numbered(2, { closing_minor: 1_000 }),
      numbered(3, { closing_minor: 7, connection: theirs }),
    ],
    sepa_entry: [
      of(10),
      of(3, { credit: false }),
      of(500, { statement: 2 }),
      of(20, { kind: 'SAME' }),
      of(40, { kind: 'HELD' }),
      of(30, { kind: 'HELD', statement: 2 }),
      of(5, { kind: 'PROPOSED', statement: 2 }),
      of(8, { currency: 'USD' }),
      of(25, { currency: 'USD', kind: 'HELD' }),
      of(11, { currency: 'BRL', statement: 2 }),
      of(90, { connection: theirs }),
      of(12, { connection: theirs, currency: 'BRL' }),
      of(70, { connection: theirs, kind: 'HELD', statement: 3 }),
      of(6, { connection: theirs, kind: 'PROPOSED', statement: 3 }),
    ],
  }
  const balances = await onRows(sql, rows, (tx) => queries.selectReportedBalances(tx, ours))
  assert.deepEqual(
    balances.map(({ currency, minor, isStated }) => [currency, minor, isStated]),
    [
      // 1000 + 10 - 3 notified, without the 30 that is held and the 5 that is proposed in the statement.
      ['EUR', 972n, true],
      ['USD', 8n, false],
    ],
  )
})

test('a proposal is decided once, under its own name', async () => {
  const proposed = { ...entry, kind: 'PROPOSED' }
  const others = [{ connection: theirs }, { reference: 'B' }, { part: 1 }, { kind: 'PAID' }]
  const changed = await changedBy(
    sql,
    { sepa_entry: [proposed, ...beside(proposed, ...others)] },
    'sepa_entry',
    (tx) => queries.decideProposal(tx, { connection: ours, reference: 'A', part: 0 }, 'UNATTRIBUTED'),
  )
  assert.deepEqual(changed, [0])
})

test('a correction marks its entries and changes its statement, and no other', async () => {
  const entries = [entry, ...beside(entry, { connection: theirs }, { reference: 'B' }, { part: 1 })]
  const marked = await changedBy(sql, { sepa_entry: entries }, 'sepa_entry', (tx) =>
    corrections.markCorrected(tx, ours, [{ reference: 'A', part: 0 }]),
  )
  assert.deepEqual(marked, [0])
  const others = beside(statement, { connection: theirs }, { currency: 'USD' }, { number: 5 })
  const changed = await changedBy(sql, { sepa_statement: [statement, ...others] }, 'sepa_statement', (tx) =>
    corrections.correctStatementRow(tx, account, {
      number: 4,
      openingMinor: 1n,
      closingMinor: 2n,
      file: digest,
    }),
  )
  assert.deepEqual(changed, [0])
})
