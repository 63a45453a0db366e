// Which stored movements the queries find and change: what a reported one may be, what a debit may take back, and what a person decides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { beside, onRows, type RowsTx } from '../../../test/bare-rows.ts'
import { changedBy } from '../../../test/changed-rows.ts'
import { rowsDatabase } from '../../../test/file-database.ts'
import * as held from './held-queries.ts'
import * as identities from './identity-queries.ts'
import * as recalls from './recall-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

type Row = Readonly<Record<string, unknown>>

const [ours, theirs] = ['bank-a', 'bank-b'] as [ConnectionId, ConnectionId]
const account = { connection: ours, currency: 'EUR' }
const [day, otherDay] = ['2026-01-02', '2026-01-03'] as const
const entry = {
  connection: ours,
  reference: 'A',
  part: 0,
  credit: true,
  amount_minor: 100,
  currency: 'EUR',
  booked_on: day,
  kind: 'UNATTRIBUTED',
  fact: {},
  names: [],
  corrected: false,
  file_sha256: '\\x00',
}
const key = { connection: ours, reference: 'A', part: 0 }
/** The columns of a row of another movement. */
const others = [{ connection: theirs }, { reference: 'B' }, { part: 1 }] as const

const on = <Answer>(rows: readonly Row[], ask: (tx: RowsTx) => Promise<Answer>) =>
  onRows(sql, { sepa_entry: rows }, ask)
const changed = (rows: readonly Row[], change: (tx: RowsTx) => Promise<unknown>) =>
  changedBy(sql, { sepa_entry: rows }, 'sepa_entry', change)
const namesOf = (rows: readonly { readonly reference: string; readonly part: number }[]) =>
  rows.map(({ reference, part }) => `${reference}/${part}`)

test('a reported movement may be one of its name, or identifier, with the day or the amount; or of both', async () => {
  const of = (reference: string, more: object = {}) => ({ ...entry, reference, ...more })
  const neither = { booked_on: otherDay, amount_minor: 7 }
  const rows = [
    of('A', { amount_minor: 7 }),
    of('A2', { booked_on: otherDay }),
    of('B', { names: ['id'], amount_minor: 7 }),
    of('B2', { names: ['id'], booked_on: otherDay }),
    of('C'),
    // None of these may be it.
    of('A', { part: 1, ...neither }),
    of('A3', neither),
    of('A3', { connection: theirs, amount_minor: 7 }),
    of('D', { names: ['other'], amount_minor: 7 }),
    of('E', { booked_on: otherDay }),
    of('F', { names: ['id'], ...neither }),
    of('F', { names: ['id'], amount_minor: 7, connection: theirs }),
    of('G', neither),
    of('G', { connection: theirs }),
    of('U', { currency: 'USD' }),
    of('K', { corrected: true }),
    of('C', { connection: theirs }),
  ]
  const sought = { bookedOn: day, minor: 100n, ids: ['id'], references: ['A', 'A2', 'A3'] }
  const find = (...each: (typeof sought)[]) =>
    on(rows, async (tx) => namesOf(await identities.selectCandidates(tx, account, each)))
  assert.deepEqual(await find(sought), ['A/0', 'B/0', 'C/0', 'A2/0', 'B2/0'])
  assert.deepEqual(await find(), [])
})

test('movements of a statement are those of its account and currency that no correction took back', async () => {
  const stated = { ...entry, statement: 4 }
  const differ = [{ connection: theirs }, { statement: 5 }, { currency: 'USD' }, { corrected: true }]
  const find = (rows: readonly Row[]) =>
    on(rows, async (tx) => namesOf(await identities.selectOfStatement(tx, account, 4)))
  assert.deepEqual(await find([stated]), ['A/0'])
  assert.deepEqual(await find(beside(stated, ...differ)), [])
})

test('names are taken by entries of the account alone', async () => {
  const rows = [
    entry,
    { ...entry, part: 1 },
    { ...entry, reference: 'B' },
    { ...entry, reference: 'C', connection: theirs },
  ]
  const taken = await on(rows, (tx) => identities.selectTaken(tx, ours, ['A', 'C', 'D']))
  assert.deepEqual([...taken], ['A'])
})

test('a statement is added to what was known from a notification alone', async () => {
  const rows = [entry, ...beside(entry, ...others, { statement: 1 }, { kind: 'SAME' })]
  const state = (tx: RowsTx) => identities.stateEntries(tx, ours, [key], 4)
  assert.deepEqual(await changed(rows, state), [0])
  assert.deepEqual([...(await on(rows, state))], [{ credit: true, minor: 100n }])
})

test('a debit may be about credits that have one of its own names, or a shared one and its amount', async () => {
  const of = (reference: string, more: object = {}) => ({ ...entry, reference, amount_minor: 5, ...more })
  const back = { kind: 'RETURNED' }
  const shared = { names: ['shared'], amount_minor: 100 }
  const rows = [
    of('own', { kind: 'PAID' }),
    of('B', { names: ['own'], kind: 'PROPOSED' }),
    of('C', shared),
    // It is about none of these.
    of('own', { part: 1, ...back }),
    of('D', { amount_minor: 100 }),
    of('E', { names: ['own'], ...back }),
    of('E', { names: ['own'], connection: theirs }),
    of('F', { ...shared, ...back }),
    of('F', { ...shared, connection: theirs }),
    of('G', { names: ['shared'] }),
    of('H', back),
    of('H', { connection: theirs }),
    of('I', { names: ['own'], credit: false }),
    of('U', { names: ['own'], currency: 'USD' }),
    of('own', { connection: theirs }),
  ]
  const debit = { minor: 100n, currency: 'EUR', own: ['own', 'H'], shared: ['shared'] }
  const find = (...debits: (typeof debit)[]) =>
    on(rows, async (tx) => (await recalls.selectCredits(tx, ours, debits)).map(namesOf))
  assert.deepEqual(await find(debit), [['own/0', 'C/0', 'B/0']])
  assert.deepEqual(await find({ ...debit, own: [], shared: [] }, { ...debit, shared: [] }), [
    [],
    ['own/0', 'B/0'],
  ])
  assert.deepEqual(await find(), [])
})

test('a credit that a person names is one of the account, and what recalls took is no longer left of it', async () => {
  const recall = { ...entry, reference: 'R', kind: 'RECALL', credit: false, amount_minor: 30 }
  const took = { ...recall, of_reference: 'A', of_part: 0 }
  const unlike = [{ connection: theirs }, { of_reference: 'B' }, { of_part: 1 }]
  const find = (...rows: readonly Row[]) =>
    on(rows, (tx) => recalls.selectCredit(tx, ours, { ...key, currency: 'EUR' }))
  assert.equal((await find(entry, took, ...beside(took, ...unlike)))?.leftMinor, 70n)
  const differ = [...others, { currency: 'USD' }, { credit: false }, { kind: 'RETURNED' }]
  assert.equal(await find(...beside(entry, ...differ)), undefined)
})

test('of proposals and unclear debits, the one that is named is decided, and only while it waits', async () => {
  const proposed = { ...entry, kind: 'PROPOSED' }
  const proposals = [proposed, ...beside(proposed, ...others, { kind: 'PAID' })]
  assert.deepEqual(await changed(proposals, (tx) => recalls.endProposals(tx, ours, [key])), [0])

  const unclear = { ...entry, credit: false, kind: 'UNCLEAR' }
  const decided = beside(unclear, ...others, { kind: 'OTHER' })
  const lock = (rows: readonly Row[]) => on(rows, (tx) => recalls.lockUnclear(tx, key))
  assert.equal((await lock([...decided, unclear]))?.reference, 'A')
  assert.equal(await lock(decided), undefined)
  for (const credit of [undefined, { reference: 'C', part: 1 }])
    assert.deepEqual(
      await changed([unclear, ...decided], (tx) => recalls.decideUnclear(tx, key, credit)),
      [0],
    )
})

test('a held movement is shown beside the one that it is like, after a place in the order', async () => {
  const row = {
    ...entry,
    kind: 'HELD',
    created_at: '2026-01-02T00:00:00Z',
    like_reference: 'L',
    like_part: 2,
  }
  const like = { ...entry, reference: 'L', part: 2, amount_minor: 8 }
  const unlike = beside(like, { connection: theirs }, { reference: 'M' }, { part: 3 })
  const find = (rows: readonly Row[], place?: held.AfterHeld) =>
    on(rows, (tx) => held.selectHeld(tx, { ...(place && { after: place }), limit: 9 }))
  const likeOf = async (rows: readonly Row[]) => (await find(rows)).map(({ likeMinor }) => likeMinor)
  assert.deepEqual(await likeOf([row, ...unlike, like]), [8n])
  assert.deepEqual(await likeOf([row, ...unlike]), [null])

  const next = { ...row, reference: 'B' }
  const [first] = await find([next, row])
  assert.ok(first !== undefined)
  assert.deepEqual(namesOf([first]), ['A/0'])
  const { atUs } = first
  assert.deepEqual(namesOf(await find([next, row], { ...key, atUs })), ['B/0'])
  // Only the time, in microseconds, tells these apart.
  const later = { ...row, created_at: '2026-01-02T00:00:00.000001Z' }
  assert.deepEqual(namesOf(await find([row, later], { ...key, atUs })), ['A/0'])
})

test('a held movement is locked and decided once, under its own name', async () => {
  const row = { ...entry, kind: 'HELD', statement: 4, like_reference: 'L', like_part: 2 }
  const differ = beside(row, ...others, { kind: 'SAME' })
  const like = { ...entry, reference: 'L', part: 2 }
  const lock = (rows: readonly Row[]) => on(rows, (tx) => held.lockHeld(tx, key))
  assert.equal(await lock(differ), undefined)
  const locked = await lock([...differ, row, like])
  assert.equal(locked?.likeMinor, 100n)
  assert.ok(locked !== undefined)

  const unlike = beside(like, { connection: theirs }, { reference: 'M' }, { part: 3 }, { statement: 3 })
  const same = (tx: RowsTx) => held.endAsSame(tx, locked)
  assert.deepEqual(await changed([row, like, ...differ, ...unlike], same), [0, 1])

  const names = ['x']
  const matched = { kind: 'OTHER' } as const
  const stored = { ...locked, fact: '{}', statement: 4, matched, names }
  const other = (tx: RowsTx) => held.endAsOther(tx, ours, stored)
  assert.deepEqual(await changed([row, ...differ], other), [0])
})
