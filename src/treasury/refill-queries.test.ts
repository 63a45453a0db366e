// What the wallet that pays out has and owes, and which refills a statement ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { secondMs } from '#/kernel/time.ts'
import { bareAddress, bareBytes, openStates, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './refill-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [hot, treasury, anybody] = [1, 2, 9] as const
const at = new Date('2026-11-22T00:00:00Z')
const before1 = new Date('2026-11-21T00:00:00Z')

const payout = { chain: ours, purpose: 'PAYOUT', units: 7, units_booked: false, created_at: before1 }

/** What the wallet has and owes; `old`: the payouts of 1 unit that waited longer than a minute. */
async function selectState(tables: BareRows, age?: { readonly seconds: number }): Promise<queries.HotState> {
  const from = { hot: bareAddress(hot), treasury: bareAddress(treasury), agedMs: 60 * secondMs }
  return onRows(sql, { coin_place: [], chain_tx: [], ...tables }, async (tx) => {
    if (age !== undefined)
      await tx`update chain_tx set created_at = clock_timestamp() - ${age.seconds} * interval '1 second'`
    return queries.selectHotState(tx, ours, from)
  })
}

test('the wallet has what is booked, less payouts that left it and are not booked; the treasury has what is booked', async () => {
  const place = { chain: ours, address: bareBytes(hot), units: 100 }
  const paid = { ...payout, state: 'FINAL', wallet: bareBytes(hot) }
  const tables = {
    coin_place: [
      place,
      { ...place, address: bareBytes(treasury), units: 900 },
      ...beside({ ...place, units: 5000 }, { address: bareBytes(anybody) }),
      ...beside({ ...place, chain: other, units: 6000 }, {}, { address: bareBytes(treasury) }),
    ],
    chain_tx: [
      paid,
      ...beside(
        { ...paid, units: 1000 },
        { chain: other },
        { wallet: bareBytes(anybody) },
        { state: 'FAILED' },
        { units_booked: true },
        { purpose: 'REFILL' },
      ),
    ],
  }
  assert.deepEqual(await selectState(tables), { units: 93n, owed: 0n, aged: 0n, treasuryUnits: 900n })
  assert.deepEqual(await selectState({}), { units: 0n, owed: 0n, aged: 0n, treasuryUnits: 0n })
})

test('the wallet owes what the payouts of its chain without an end move, and of them those in the queue age', async () => {
  const rows = openStates.map((state, index) => ({ ...payout, state, units: 10 ** index }))
  const tables = {
    chain_tx: [
      ...rows,
      ...beside(
        { ...payout, state: 'QUEUED', units: 500_000 },
        { state: 'FINAL' },
        { state: 'FAILED' },
        { chain: other },
        { purpose: 'REFILL' },
      ),
    ],
  }
  const { owed, aged } = await selectState(tables, { seconds: 61 })
  assert.deepEqual([owed, aged], [11_111n, 1n])
  assert.equal((await selectState(tables, { seconds: 30 })).aged, 0n)
})

const refill = { id: bareId(1), chain: ours, units: 7, tx: bareId(11), created_at: before1 }

test('the refill that is on its way is that of the chain without an end', async () => {
  const find = (...rows: BareRows[string]) =>
    onRows(sql, { refill: rows }, (tx) => queries.selectOpenRefill(tx, ours))
  const not = beside(refill, { chain: other }, { ended_at: at })
  assert.deepEqual(await find(...not, refill), {
    id: bareId(1),
    units: 7n,
    tx: bareId(11),
    createdAt: before1,
  })
  assert.equal(await find(...not), undefined)
})

test('a refill is recorded while no other one of its chain is on its way', async () => {
  const tables = { refill: beside({ ...refill, id: bareId(2) }, { chain: other }, { ended_at: at }) }
  await onRows(sql, tables, async (tx) => {
    await tx`create unique index on refill (chain) where ended_at is null`
    const insert = (id: string) => queries.insertRefill(tx, ours, { id, units: 7n, tx: null, createdAt: at })
    assert.equal(await insert(bareId(1)), true)
    assert.equal(await insert(bareId(3)), false)
  })
})

/** The ids of the refills that ended at `at`, with the movements that met them. */
async function endedNow(tx: Tx): Promise<readonly (readonly [string, string | null])[]> {
  const rows = await tx`select id, move from refill where ended_at = ${at} order by id`
  return rows.map(({ id, move }) => [id as string, move as string | null])
}

test('a refill by the signer ends when its transaction failed, or when the movement that it made is booked', async () => {
  const brought = { id: bareId(31), chain: ours, tx_hash: bareBytes(50), booked_as: 'MOVED' }
  const final = { id: bareId(11), chain: ours, purpose: 'REFILL', state: 'FINAL', tx_hash: bareBytes(50) }
  const failed = { ...final, id: bareId(12), state: 'FAILED', tx_hash: null }
  const end = (tables: BareRows) =>
    onRows(sql, { coin_move: [brought], ...tables }, async (tx) => {
      const count = await queries.endRefills(tx, ours, at)
      const ended = await endedNow(tx)
      assert.equal(count, ended.length)
      return ended
    })
  const two = [refill, { ...refill, id: bareId(2), tx: failed.id }]
  assert.deepEqual(await end({ refill: two, chain_tx: [final, failed] }), [
    [bareId(1), brought.id],
    [bareId(2), null],
  ])
  const otherRefills = [
    ...beside(refill, { chain: other }, { ended_at: before1 }, { tx: null }),
    ...beside({ ...refill, id: bareId(3) }, { tx: bareId(13) }),
  ]
  const otherTxs = [final, { ...final, id: bareId(13), purpose: 'SWEEP' }]
  assert.deepEqual(await end({ refill: otherRefills, chain_tx: otherTxs }), [])
  assert.deepEqual(await end({ refill: [refill], chain_tx: [{ ...final, state: 'MINED' }] }), [])
  const unbooked = beside(brought, { chain: other }, { tx_hash: bareBytes(51) }, { booked_as: null })
  assert.deepEqual(await end({ refill: [refill], chain_tx: [final], coin_move: unbooked }), [])
})

test('a refill can be canceled that the operator was to sign', async () => {
  const open = { ...refill, tx: null }
  const not = beside(open, { chain: other }, { ended_at: before1 }, { tx: bareId(11) })
  const cancel = (...rows: BareRows[string]) =>
    onRows(sql, { refill: rows }, async (tx) => [
      await queries.cancelRefill(tx, ours, at),
      (await endedNow(tx)).length,
    ])
  assert.deepEqual(await cancel(...not, open), [true, 1])
  assert.deepEqual(await cancel(...not), [false, 0])
})

test('the wallet that pays out is the hot place whose sender was recorded last, or one that nobody sends from', async () => {
  const place = { chain: ours, address: bareBytes(1), place: 'hot' }
  const sender = { chain: ours, address: bareBytes(1), created_at: before1 }
  const find = (tables: BareRows) =>
    onRows(sql, { hot_wallet: [], ...tables }, (tx) => queries.selectHotPlace(tx, ours))
  const others = beside(
    place,
    { chain: other, address: bareBytes(5) },
    { place: 'treasury', address: bareBytes(6) },
  )
  const later = { ...sender, created_at: at }
  assert.equal(
    await find({
      coin_place: [
        ...others,
        place,
        { ...place, address: bareBytes(2) },
        { ...place, address: bareBytes(3) },
      ],
      hot_wallet: [
        sender,
        { ...later, address: bareBytes(2) },
        { ...later, chain: other, created_at: '2026-11-23T00:00:00Z' },
        ...beside({ ...sender, created_at: '2026-11-24T00:00:00Z' }, { address: bareBytes(6) }),
      ],
    }),
    bareAddress(2),
  )
  assert.equal(await find({ coin_place: [...others, place] }), bareAddress(1))
  assert.equal(await find({ coin_place: others }), undefined)
})

test('the treasury has a sender where a wallet of this purpose has its address on this chain', async () => {
  const wallet = { chain: ours, address: bareBytes(treasury), purpose: 'treasury' }
  const holds = (rows: BareRows[string]) =>
    onRows(sql, { hot_wallet: rows }, (tx) => queries.holdsTreasury(tx, ours, bareAddress(treasury)))
  assert.equal(await holds([wallet]), true)
  const not = beside(wallet, { chain: other }, { address: bareBytes(anybody) }, { purpose: 'gas' })
  assert.equal(await holds(not), false)
})

test('the last refills of all chains are shown, the newest first', async () => {
  const rows = [
    refill,
    { ...refill, id: bareId(2), chain: other },
    { ...refill, id: bareId(3), ended_at: at },
  ]
  const found = await onRows(sql, { refill: rows }, (tx) => queries.selectRefills(tx, 2))
  assert.deepEqual(found, [
    { id: bareId(3), chain: ours, units: 7n, tx: bareId(11), createdAt: before1, endedAt: at },
    { id: bareId(2), chain: other, units: 7n, tx: bareId(11), createdAt: before1, endedAt: null },
  ])
})
