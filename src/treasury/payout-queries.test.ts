// Which payouts a statement finds and changes: of one subject, by its state, and never what is no payout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { bareAddress, bareBytes, boundStates, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './payout-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [wanted, second, unasked] = [bareId(11), bareId(12), bareId(13)]
const [hot, treasury, gas, theirs, anybody] = [1, 2, 5, 3, 9] as const
const at = new Date('2026-11-22T00:00:00Z')

/** The payout that is asked for. Each row beside it has a number of its own. */
const payout = {
  id: bareId(1),
  chain: ours,
  purpose: 'PAYOUT',
  subject: wanted,
  reference: 'payout/1',
  recipient: bareBytes(anybody),
  units: 7,
  units_booked: false,
  taken: false,
}
const elsewhere = [{ subject: unasked }, { purpose: 'SWEEP' }] as const

/** The rows of `chain_tx` that have this state and failure, by their subjects. */
async function subjectsWith(tx: Tx, state: string, failure: string): Promise<readonly string[]> {
  const rows = await tx`
    select subject from chain_tx where state = ${state} and failure = ${failure} order by subject`
  return rows.map(({ subject }) => subject as string)
}

test('the payout of a subject is found, and no other transaction of it', async () => {
  const row = { ...payout, state: 'FINAL', tx_hash: bareBytes(50) }
  const find = (...rows: BareRows[string]) =>
    onRows(sql, { chain_tx: rows }, (tx) => queries.selectPayout(tx, wanted))
  assert.deepEqual(await find(...beside({ ...row, units: 100 }, ...elsewhere), row), {
    chain: ours,
    reference: 'payout/1',
    state: 'FINAL',
    recipient: bareAddress(anybody),
    units: 7n,
    txHash: bareAddress(50),
    failure: null,
    evidence: null,
  })
  assert.equal(await find(...beside(row, ...elsewhere)), undefined)
})

test('a payout stands as its own wallet does; without a nonce, as a wallet that pays out on its chain and may send', async () => {
  const row = { ...payout, state: 'QUEUED' }
  const wallet = { chain: ours, purpose: 'hot' }
  const tables = {
    chain_tx: [
      row,
      { ...row, subject: second, state: 'SIGNED', wallet: bareBytes(3), taken: true, cancel: 'asked' },
      ...beside({ ...row, state: 'FINAL' }, ...elsewhere),
    ],
    hot_wallet: [
      { ...wallet, address: bareBytes(3), stopped: 'a stranger has the key' },
      { ...wallet, address: bareBytes(4), waiting: 'TOKENS' },
      { ...wallet, address: bareBytes(1), purpose: 'gas', waiting: 'beside' },
      { ...wallet, address: bareBytes(2), chain: other, waiting: 'beside' },
    ],
  }
  const found = await onRows(sql, tables, (tx) => queries.selectStandings(tx, [wanted, second]))
  assert.deepEqual(
    found.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)),
    [
      {
        subject: wanted,
        state: 'QUEUED',
        isTaken: false,
        isStopping: false,
        walletStopped: null,
        walletWaits: 'TOKENS',
      },
      {
        subject: second,
        state: 'SIGNED',
        isTaken: true,
        isStopping: true,
        walletStopped: 'a stranger has the key',
        walletWaits: null,
      },
    ],
  )
})

test('an address is a deposit of ours on its own chain alone', async () => {
  const row = { chain: ours, address: bareBytes(1) }
  const isOurs = (rows: BareRows[string]) =>
    onRows(sql, { deposit_address: rows }, (tx) => queries.isOwnDeposit(tx, ours, bareAddress(1)))
  assert.equal(await isOurs([row]), true)
  assert.equal(await isOurs(beside(row, { chain: other }, { address: bareBytes(2) })), false)
})

/** What a signer signed in a span that a restore lost. What is recorded, people decide about. */
const lost = [
  { reference: 'payout/lost', is_recorded: false },
  { reference: 'payout/recorded', is_recorded: true },
]

test('a payout is canceled once, before its end; without a nonce it fails at once', async () => {
  const row = { ...payout, state: 'SIGNED', reference: 'payout/recorded' }
  const not = [
    ...elsewhere,
    { state: 'FINAL' },
    { state: 'FAILED' },
    { cancel: 'asked before' },
    { reference: 'payout/lost' },
  ]
  const cancel = (rows: BareRows[string], see: (tx: Tx) => Promise<unknown> = async () => {}) =>
    onRows(sql, { chain_tx: rows, lost_signature: lost }, async (tx) => {
      const answer = await queries.requestCancel(tx, wanted, 'asked', at)
      await see(tx)
      return answer
    })
  const result = (tx: Tx) =>
    tx`select state, failure, cancel, final_at as at from chain_tx where cancel = 'asked'`
  const isCanceled = await cancel([...beside(row, ...not), row], async (tx) => {
    assert.deepEqual([...(await result(tx))], [{ state: 'SIGNED', failure: null, cancel: 'asked', at: null }])
  })
  assert.equal(isCanceled, true)
  await cancel([{ ...row, state: 'QUEUED' }], async (tx) => {
    assert.deepEqual([...(await result(tx))], [{ state: 'FAILED', failure: 'asked', cancel: 'asked', at }])
  })
  assert.equal(await cancel(beside(row, ...not)), false)
})

test('payouts that have no nonce are locked in the order of their ids, and those alone are dropped', async () => {
  const row = { ...payout, state: 'QUEUED' }
  const tables = {
    chain_tx: [
      { ...row, id: bareId(2), subject: second, reference: 'payout/recorded' },
      row,
      ...beside(row, ...elsewhere, { state: 'RESERVED' }, { reference: 'payout/lost' }),
    ],
    lost_signature: lost,
  }
  const [locked, dropped] = await onRows(sql, tables, async (tx) => {
    const before = await queries.lockWaiting(tx, [second, wanted])
    await queries.dropWaiting(tx, [second], 'frozen')
    return [before, await subjectsWith(tx, 'FAILED', 'frozen')]
  })
  assert.deepEqual(locked, [wanted, second])
  assert.deepEqual(dropped, [second])
  const only = { chain_tx: [row, ...beside(row, ...elsewhere, { state: 'RESERVED' })] }
  await onRows(sql, only, async (tx) => {
    await queries.dropWaiting(tx, [wanted], 'frozen')
    assert.equal((await subjectsWith(tx, 'FAILED', 'frozen')).length, 1)
  })
})

test('a person says how a payout ended whose nonce a stranger used, while it has no end', async () => {
  const row = { ...payout, state: 'MINED', taken: true }
  const not = [...elsewhere, { taken: false }, { state: 'QUEUED' }, { state: 'FINAL' }, { state: 'FAILED' }]
  const resolve = (end: 'FINAL' | 'FAILED', rows: BareRows[string]) =>
    onRows(sql, { chain_tx: rows }, async (tx) => {
      const answer = await queries.resolvePayout(tx, wanted, end, at)
      const [ended] = await tx`select state, failure from chain_tx where final_at = ${at}`
      return { answer, ended }
    })
  assert.deepEqual(await resolve('FAILED', [...beside(row, ...not), row]), {
    answer: true,
    ended: { state: 'FAILED', failure: 'resolved' },
  })
  assert.deepEqual((await resolve('FINAL', [row])).ended, { state: 'FINAL', failure: null })
  assert.equal((await resolve('FINAL', beside(row, ...not))).answer, false)
})

test('payouts that ended in the last minute and are not settled are told by their reference', async () => {
  const row = { ...payout, state: 'FINAL', reference: 'payout/a' }
  const tables = {
    chain_tx: [
      row,
      { ...row, state: 'FAILED', reference: 'payout/b' },
      ...beside(
        { ...row, reference: 'payout/beside' },
        { purpose: 'SWEEP' },
        { state: 'MINED' },
        { units_booked: true },
      ),
      { ...row, reference: 'payout/early' },
    ],
  }
  const found = await onRows(sql, tables, async (tx) => {
    await tx`
      update chain_tx
         set final_at = statement_timestamp() - case reference when 'payout/early' then 61 else 30 end * interval '1 second'`
    return queries.selectEndedPayouts(tx)
  })
  assert.deepEqual(found.toSorted(), ['a', 'b'])
})

test('payouts that are done are counted, and their units leave the places that they left, once', async () => {
  const row = { ...payout, state: 'FINAL', wallet: bareBytes(hot) }
  const tables = {
    chain_tx: [
      row,
      { ...row, subject: second, units: 2 },
      ...beside({ ...row, units: 1000 }, ...elsewhere, { state: 'MINED' }),
      { ...row, subject: second, units: 500, units_booked: true },
    ],
    coin_place: [{ chain: ours, address: bareBytes(hot), place: 'hot', units: 100 }],
  }
  await onRows(sql, tables, async (tx) => {
    await tx`create unique index on coin_place (chain, address)`
    const left = async () =>
      (await tx`select units::integer from coin_place`).map(({ units }) => units as number)
    assert.equal(await queries.countDone(tx, [wanted]), 1)
    assert.equal(await queries.countDone(tx, [wanted, second]), 3)
    assert.equal(await queries.countDone(tx, []), 0)
    await queries.deductUnits(tx, [wanted, second])
    assert.deepEqual(await left(), [91])
    await queries.deductUnits(tx, [wanted, second])
    assert.deepEqual(await left(), [91])
  })
})

test('a place holds what is booked, less payouts that left, with what moved between our places; and it shows its next nonce', async () => {
  const row = { ...payout, state: 'FINAL', wallet: bareBytes(hot) }
  const moved = {
    chain: ours,
    sender: bareBytes(hot),
    recipient: bareBytes(treasury),
    value: 10,
    state: 'FINAL',
  }
  const signed = { ...row, state: 'SIGNED', units: null, nonce: 8 }
  const tables = {
    coin_place: [
      { chain: ours, address: bareBytes(treasury), units: 200 },
      { chain: ours, address: bareBytes(hot), units: 100 },
      { chain: other, address: bareBytes(theirs), units: 300 },
    ],
    hot_wallet: [
      { chain: ours, address: bareBytes(gas), next_nonce: 4 },
      { chain: ours, address: bareBytes(hot), next_nonce: 9 },
      { chain: other, address: bareBytes(theirs), next_nonce: 6 },
    ],
    chain_tx: [
      row,
      ...beside(
        { ...row, units: 1000 },
        { chain: other },
        { wallet: bareBytes(anybody) },
        { purpose: 'REFILL' },
        { state: 'MINED' },
        { units_booked: true },
      ),
      ...boundStates.map((state, index) => ({ ...signed, state, nonce: 8 - index })),
      ...beside(
        { ...signed, nonce: 1 },
        { chain: other },
        { wallet: bareBytes(anybody) },
        { state: 'FINAL' },
      ),
    ],
    coin_move: [
      moved,
      ...beside(
        { ...moved, value: 5000 },
        { chain: other },
        { state: 'SEEN' },
        { booked_as: 'MOVED' },
        { recipient: bareBytes(anybody) },
        { recipient: bareBytes(theirs) },
      ),
    ],
  }
  assert.deepEqual(await onRows(sql, tables, (tx) => queries.selectPlaces(tx, ours)), [
    { address: bareAddress(hot), units: 100n - 7n - 10n, nextNonce: 5n },
    { address: bareAddress(treasury), units: 210n, nextNonce: undefined },
    { address: bareAddress(gas), units: 0n, nextNonce: 4n },
  ])
})
