// What has a nonce: how it goes on, how it ends, and what a signer signed of it in a span that a restore lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { minuteMs } from '#/kernel/time.ts'
import { bareAddress, bareBytes, boundStates, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as lost from './lost-signatures-queries.ts'
import * as queries from './outgoing-queries.ts'
import type { ChainTxId } from './outgoing.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const key = { chain: ours, address: bareAddress(1) }
const chainTxId = (number: number) => bareId(number) as ChainTxId
const [first, second, third] = [chainTxId(1), chainTxId(2), chainTxId(3)] as const
const at = new Date('2026-11-22T00:00:00Z')

const bound = {
  id: first,
  chain: ours,
  wallet: bareBytes(1),
  purpose: 'PAYOUT',
  subject: bareId(11),
  reference: 'payout/1',
  state: 'SIGNED',
  nonce: 5,
  target: bareBytes(21),
  data: '\\x01',
  value: 0,
  gas: 100,
  units: 7,
  recipient: bareBytes(22),
  taken: false,
}
const foreign = [{ chain: other }, { wallet: bareBytes(2) }] as const
const ended = [{ state: 'QUEUED' }, { state: 'FINAL' }, { state: 'FAILED' }] as const

/** The rows of `chain_tx` of which a column has this text, by their ids. */
async function idsWith(tx: Tx, column: string, value: string): Promise<readonly string[]> {
  const rows = await tx`select id from chain_tx where ${tx(column)}::text = ${value} order by id`
  return rows.map(({ id }) => id as string)
}

test('a wallet’s transactions without an end are found in the order of nonces, each with what was signed for it', async () => {
  const attempt = {
    tx: first,
    hash: bareBytes(50),
    raw: '\\x02',
    max_fee: 9,
    tip: 2,
    cancels: false,
    signed_at: at,
  }
  const tables = {
    chain_tx: [
      {
        ...bound,
        id: second,
        nonce: 6,
        state: 'MINED',
        units: null,
        recipient: null,
        taken: true,
        cancel: 'asked',
      },
      bound,
      ...beside({ ...bound, nonce: 7 }, ...foreign, ...ended),
    ],
    chain_tx_attempt: [{ ...attempt, hash: bareBytes(51), max_fee: 10 }, attempt, { ...attempt, tx: third }],
  }
  const found = await onRows(sql, tables, (tx) => queries.selectOpen(tx, key))
  const payload = { to: bareAddress(21), value: 0n, data: '0x01', gas: 100n, reference: 'payout/1' }
  const signed = { hash: bareAddress(50), raw: '0x02', cancels: false }
  const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
  assert.deepEqual(found, [
    {
      ...payload,
      id: first,
      nonce: 5n,
      state: 'SIGNED',
      recipient: bareAddress(22),
      units: 7n,
      isTaken: false,
      cancel: undefined,
      attempts: [
        { ...signed, fees },
        { ...signed, hash: bareAddress(51), fees: { ...fees, maxFeePerGas: 10n } },
      ],
    },
    {
      ...payload,
      id: second,
      nonce: 6n,
      state: 'MINED',
      recipient: undefined,
      units: 0n,
      isTaken: true,
      cancel: 'asked',
      attempts: [],
    },
  ])
})

test('what is signed becomes SIGNED from RESERVED alone, and no other transaction does', async () => {
  const tables = {
    chain_tx: [
      { ...bound, state: 'RESERVED' },
      { ...bound, id: second, state: 'BROADCAST' },
      { ...bound, id: third, state: 'RESERVED' },
    ],
    chain_tx_attempt: [],
  }
  await onRows(sql, tables, async (tx) => {
    const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
    const attempt = { hash: bareAddress(50), raw: '0x02', fees, cancels: false } as const
    await queries.insertAttempts(
      tx,
      [
        { id: first, ...attempt },
        { id: second, ...attempt },
      ],
      at,
    )
    assert.deepEqual(await idsWith(tx, 'state', 'SIGNED'), [first])
    assert.equal((await tx`select 1 from chain_tx_attempt`).length, 2)
  })
})

test('what the chain shows is written to what was signed and has no end, and to nothing beside it', async () => {
  const not = [...ended, { state: 'RESERVED' }]
  const tables = {
    chain_tx: [bound, { ...bound, id: second }, ...beside({ ...bound, id: third }, ...not)],
  }
  const mined = {
    state: 'MINED',
    hash: bareAddress(50),
    blockNumber: 9n,
    blockHash: bareAddress(51),
  } as const
  await onRows(sql, tables, async (tx) => {
    await queries.writeProgress(
      tx,
      [first, third].map((id) => ({ id, ...mined })),
    )
    assert.deepEqual(await idsWith(tx, 'block_number', '9'), [first])
    await queries.writeProgress(tx, [{ id: first, state: 'BROADCAST' }])
    assert.deepEqual(await idsWith(tx, 'state', 'BROADCAST'), [first])
    assert.deepEqual(await idsWith(tx, 'block_number', '9'), [])
  })
})

test('what has a nonce and no end can be canceled, and be told that a stranger used its nonce', async () => {
  const rows = [
    ...boundStates.map((state, index) => ({ ...bound, id: bareId(11 + index), state })),
    ...ended.map((change, index) => ({ ...bound, id: bareId(21 + index), ...change })),
  ]
  const open = boundStates.map((_state, index) => bareId(11 + index))
  await onRows(sql, { chain_tx: rows }, async (tx) => {
    for (const { id } of rows) await queries.writeCancel(tx, id as ChainTxId, id)
    const canceled = await tx`select id from chain_tx where cancel = id::text order by id`
    assert.deepEqual(
      canceled.map(({ id }) => id as string),
      open,
    )
  })
  const others = [...foreign, { nonce: 6 }].map((change, index) => ({
    ...bound,
    ...change,
    id: bareId(31 + index),
  }))
  await onRows(sql, { chain_tx: [...rows, ...others] }, async (tx) => {
    await queries.writeTaken(tx, key, [5n])
    assert.deepEqual(await idsWith(tx, 'taken', 'true'), open)
  })
})

test('the block that shows a movement of one of our hashes is a final one before one that is only seen, the last one first', async () => {
  const moved = {
    chain: ours,
    tx_hash: bareBytes(50),
    state: 'SEEN',
    block_number: 9,
    block_hash: bareBytes(61),
  }
  const find = (...rows: BareRows[string]) =>
    onRows(sql, { coin_move: rows }, (tx) =>
      queries.selectMovedIn(tx, ours, [bareAddress(50), bareAddress(51)]),
    )
  const not = beside(
    { ...moved, state: 'FINAL', block_hash: bareBytes(60) },
    { chain: other },
    { tx_hash: bareBytes(52) },
  )
  const later = { ...moved, block_number: 10, block_hash: bareBytes(62) }
  const final = { ...moved, state: 'FINAL', block_number: 8, block_hash: bareBytes(63) }
  assert.equal(await find(...not, moved, later), bareAddress(62))
  assert.equal(await find(...not, moved, later, final), bareAddress(63))
  assert.equal(await find(...not), undefined)
})

test('a transaction ends once; its wallet’s sum grows by its cost, and the whole gwei of the sum are what it cost', async () => {
  const wallet = { chain: ours, address: bareBytes(1), gas_wei: 1_500_000_000 }
  const end = { hash: bareAddress(50), blockNumber: 9n, blockHash: bareAddress(51), evidence: Buffer.of(1) }
  const ends = [
    { ...end, id: first, failure: undefined, gasWei: 700_000_000n },
    { ...end, id: second, failure: 'reverted', gasWei: 2_000_000_000n },
  ]
  const tables = {
    hot_wallet: [...beside({ ...wallet, gas_wei: 999 }, { chain: other }, { address: bareBytes(2) }), wallet],
    chain_tx: [
      bound,
      { ...bound, id: second, state: 'MINED' },
      { ...bound, id: third },
      ...beside(bound, ...ended, { state: 'RESERVED' }),
    ],
  }
  await onRows(sql, tables, async (tx) => {
    assert.equal(await queries.writeEnds(tx, key, ends, at), 2)
    const rows = await tx`
      select id, state, failure, gas_gwei as gwei from chain_tx where final_at = ${at} order by id`
    assert.deepEqual(
      [...rows],
      [
        { id: first, state: 'FINAL', failure: null, gwei: 1n },
        { id: second, state: 'FAILED', failure: 'reverted', gwei: 2n },
      ],
    )
    const sums = await tx`select gas_wei::text as sum from hot_wallet order by gas_wei`
    assert.deepEqual(
      sums.map(({ sum }) => sum as string),
      ['999', '999', '4200000000'],
    )
  })
})

test('what has hung for long is found, in the order of nonces, to a limit', async () => {
  const tables = {
    chain_tx: [
      { ...bound, id: second, nonce: 6 },
      bound,
      ...beside({ ...bound, nonce: 4 }, ...foreign, ...ended),
      { ...bound, id: third, nonce: 3 },
    ],
  }
  const find = (limit: number) =>
    onRows(sql, tables, async (tx) => {
      await tx`
        update chain_tx
           set created_at = statement_timestamp() - (case id when ${third} then 30 else 61 end) * interval '1 second'`
      return queries.selectHanging(tx, key, { olderMs: minuteMs, limit })
    })
  const found = await find(9)
  assert.deepEqual(
    found.map(({ id }) => id),
    [first, second],
  )
  assert.deepEqual(
    (await find(1)).map(({ id }) => id),
    [first],
  )
  assert.equal(found[0]?.wallet, bareAddress(1))
})

const signature = {
  chain: ours,
  wallet: bareBytes(1),
  reference: 'payout/1',
  nonce: 5,
  cancels: false,
  gas: 100,
  max_fee: 9,
  tip: 2,
  is_recorded: false,
}

test('lost signatures are found of transactions that wait, or have the same nonce and no end, the lowest nonce first', async () => {
  const find = (tables: BareRows, limit = 9) =>
    onRows(sql, { lost_signature: [signature], ...tables }, (tx) => lost.selectLost(tx, key, limit))
  const queued = { ...bound, state: 'QUEUED', wallet: null, nonce: null }
  const later = [{ ...signature, nonce: 6 }, { ...signature, max_fee: 10 }, signature]
  const found = await find({ chain_tx: [queued], lost_signature: later })
  assert.deepEqual(
    found.map(({ nonce, fees, isBound }) => [nonce, fees.maxFeePerGas, isBound]),
    [
      [5n, 9n, false],
      [5n, 10n, false],
      [6n, 9n, false],
    ],
  )
  assert.equal((await find({ chain_tx: [queued], lost_signature: later }, 1)).length, 1)
  for (const state of boundStates)
    assert.deepEqual(
      (await find({ chain_tx: [{ ...bound, state }] })).map(({ isBound }) => isBound),
      [true],
      state,
    )
  const not = [
    { ...bound, state: 'FINAL' },
    { ...bound, state: 'FAILED' },
    { ...bound, wallet: bareBytes(2) },
    { ...bound, nonce: 6 },
    { ...queued, chain: other },
    { ...queued, reference: 'payout/2' },
  ]
  assert.deepEqual(await find({ chain_tx: not }), [])
  const others = beside(signature, ...foreign, { is_recorded: true })
  assert.deepEqual(await find({ chain_tx: [queued], lost_signature: others }), [])
})

test('a transaction that waits is bound to the nonce under which it was signed, unless another has it, and the wallet goes on behind it', async () => {
  const wallet = { chain: ours, address: bareBytes(1), next_nonce: 3 }
  const queued = { ...bound, state: 'QUEUED', wallet: null, nonce: null }
  const bind = (...chain_tx: BareRows[string]) => {
    const hot_wallet = [wallet, ...beside(wallet, { chain: other }, { address: bareBytes(2) })]
    return onRows(sql, { chain_tx, hot_wallet }, async (tx) => {
      await lost.bindLost(tx, key, [
        { id: first, nonce: 5n },
        { id: first, nonce: 5n },
      ])
      const rows = await tx`select next_nonce as next from hot_wallet order by chain desc, address`
      return [await idsWith(tx, 'state', 'RESERVED'), rows.map((row) => row['next'] as bigint)]
    })
  }
  const isBound = [[first], [6n, 3n, 3n]]
  const isLeft = [[], [3n, 3n, 3n]]
  assert.deepEqual(await bind(queued, { ...queued, id: second }), isBound)
  assert.deepEqual(await bind({ ...queued, state: 'FAILED' }), isLeft)
  assert.deepEqual(await bind(queued, { ...bound, id: second }), isLeft)
  const others = [...foreign, { nonce: 4 }].map((change) => ({ ...bound, ...change, id: second }))
  assert.deepEqual(await bind(queued, ...others), isBound)
})

test('a wallet goes on at the nonce behind what was signed, never before its own', async () => {
  const wallet = { chain: ours, address: bareBytes(1), next_nonce: 3 }
  const hot_wallet = [wallet, ...beside(wallet, { chain: other }, { address: bareBytes(2) })]
  for (const [nonce, next] of [
    [4n, 4n],
    [2n, 3n],
  ] as const)
    await onRows(sql, { hot_wallet }, async (tx) => {
      await lost.raiseNextNonce(tx, key, nonce)
      const rows = await tx`select next_nonce as next from hot_wallet order by chain desc, address`
      assert.deepEqual(
        rows.map((row) => row['next'] as bigint),
        [next, 3n, 3n],
      )
    })
})

test('coins that left by a lost transaction are a payout, if nobody explained them or has to decide about them', async () => {
  const left = { id: bareId(41), chain: ours, tx_hash: bareBytes(50), booked_as: 'LEFT' }
  const not = [
    { id: bareId(42), chain: other },
    { id: bareId(43), tx_hash: bareBytes(51) },
    { id: bareId(44), booked_as: 'MOVED' },
    { id: bareId(45) },
  ]
  const tables = { coin_move: [left, ...beside(left, ...not)], unrecorded: [{ move: bareId(45) }] }
  await onRows(sql, tables, async (tx) => {
    await lost.explainMoves(tx, ours, [bareAddress(50)])
    const paid = await tx`select id from coin_move where booked_as = 'PAID'`
    assert.deepEqual(
      paid.map(({ id }) => id as string),
      [left.id],
    )
  })
})

test('a signature that was made again is removed, and none that differs in anything', async () => {
  const others = beside(
    signature,
    ...foreign,
    { nonce: 6 },
    { cancels: true },
    { gas: 101 },
    { max_fee: 10 },
    { tip: 3 },
  )
  await onRows(sql, { lost_signature: [signature, ...others], chain_tx: [bound] }, async (tx) => {
    const [made] = await lost.selectLost(tx, key, 1)
    await lost.deleteLost(tx, key, made === undefined ? [] : [made])
    assert.equal((await tx`select 1 from lost_signature`).length, others.length)
    await lost.deleteLost(tx, key, made === undefined ? [] : [made])
    assert.equal((await tx`select 1 from lost_signature`).length, others.length)
  })
})
