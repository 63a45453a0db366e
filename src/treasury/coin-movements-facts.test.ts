// How the ledger books a movement of our own coins: its kind, its cents, and what it changes at our places.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { baseUnitsPerCent as cent } from '#/coins/units.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { bareAddress, bareBytes, ours } from '../../test/bare-coins.ts'
import { bareId, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import type { DueMove } from './coin-movements-queries.ts'
import {
  deductMinor,
  depositsOf,
  gasFact,
  kindOf,
  moveFact,
  placeMoves,
  coinMovements,
} from './coin-movements.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [hot, treasury, deposit, anybody] = [1, 2, 3, 9] as const
const log = Buffer.of(1)

/** From anybody to nobody of ours, 7 cents. */
const move: DueMove = {
  id: bareId(1),
  chain: ours,
  mode: 'SANDBOX',
  connection: 'shared' as ConnectionId,
  sender: bareAddress(anybody),
  recipient: bareAddress(anybody),
  value: 7n * cent,
  log,
  from: null,
  to: null,
  received: undefined,
  held: undefined,
  isPayout: false,
}
const place = {
  hot: { at: 'hot', address: bareAddress(hot) },
  treasury: { at: 'treasury', address: bareAddress(treasury) },
} as const
const from = (which: 'hot' | 'treasury') => ({ from: place[which].at, sender: place[which].address })
const to = (which: 'hot' | 'treasury') => ({ to: place[which].at, recipient: place[which].address })
const swept = { sender: bareAddress(deposit), received: 9n * cent, held: 9n * cent, ...to('treasury') }

describe('a movement', () => {
  const common = {
    id: bareId(1),
    mode: 'SANDBOX',
    connection: 'shared',
    chain: ours,
    minor: 5n,
    evidence: log,
  }
  for (const [name, change, kind, cents, fact] of [
    ['a payout from the hot wallet', { ...from('hot'), isPayout: true }, 'PAID', 0n, { what: 'PAID' }],
    [
      'a payout to a place of ours',
      { ...from('hot'), ...to('treasury'), isPayout: true },
      'PAID',
      0n,
      { what: 'PAID' },
    ],
    ['from the hot wallet to anybody', from('hot'), 'LEFT', 0n, { what: 'LEFT' }],
    [
      'from the treasury to anybody, by our transaction',
      { ...from('treasury'), isPayout: true },
      'LEFT',
      0n,
      { what: 'LEFT' },
    ],
    [
      'a refill',
      { ...from('treasury'), ...to('hot') },
      'MOVED',
      7n,
      { what: 'MOVED', from: 'treasury', to: 'hot' },
    ],
    [
      'within the treasury',
      { ...from('treasury'), ...to('treasury') },
      'MOVED',
      0n,
      { what: 'MOVED', from: 'treasury', to: 'treasury' },
    ],
    ['from anybody to the hot wallet', to('hot'), 'FOUND', 7n, { what: 'FOUND', at: 'hot' }],
    [
      'from a deposit address to the treasury',
      swept,
      'SWEPT',
      7n,
      { what: 'MOVED', from: 'deposit', to: 'treasury' },
    ],
    ['from a deposit address to anybody', { ...swept, to: null }, 'LEFT', 0n, { what: 'LEFT' }],
  ] as const)
    test(`${name} is ${kind}, and carries ${cents} cents`, () => {
      const changed = { ...move, ...change }
      assert.equal(kindOf(changed), kind)
      assert.equal(deductMinor(changed, depositsOf([changed])), cents)
      assert.deepEqual(moveFact(changed, 5n), { ...common, ...fact })
    })

  test('a cost is booked with the receipt that shows it, or by its transaction’s id', () => {
    const gas = { ...move, id: bareId(2), wallet: bareAddress(hot), gwei: 5n, evidence: null }
    const { evidence, minor, what } = gasFact(gas)
    assert.deepEqual([what, minor, evidence], ['GAS', 5n, Buffer.from(bareId(2))])
    assert.deepEqual(gasFact({ ...gas, evidence: log }).evidence, log)
  })
})

describe('cents of sweeps', () => {
  const half = cent / 2n
  /** The cents of movements out of one address, one after the other. */
  const cents = (received: bigint, held: bigint, ...values: bigint[]) => {
    const moves = values.map((value) => ({ ...move, ...swept, received, held, value }))
    const deposits = depositsOf(moves)
    return moves.map((each) => deductMinor(each, deposits))
  }

  test('they are the whole cents by which the sum that left has grown', () => {
    assert.deepEqual(cents(3n * cent, 3n * cent, half, half, 2n * cent), [0n, 1n, 2n])
    assert.deepEqual(cents(3n * cent, 2n * cent + half, half, 2n * cent), [1n, 2n])
  })

  test('what an address does not hold by our records waits, and all that it holds can leave', () => {
    assert.deepEqual(cents(3n * cent, cent, cent + 1n, cent), [undefined, 1n])
  })

  test('an address is known by its chain, and only where both of its sums are', () => {
    const known = { ...move, ...swept }
    const keys = [
      ...depositsOf([
        known,
        { ...known, chain: 'other' },
        { ...known, received: undefined },
        { ...move, held: 1n },
      ]).keys(),
    ]
    assert.deepEqual(keys, [`ours/${bareAddress(deposit)}`, `other/${bareAddress(deposit)}`])
    assert.equal(depositsOf([{ ...known, held: undefined }]).size, 0)
  })
})

test('the units at our places change by what came, what was swept and what moved, and not by what payouts took', () => {
  const changed = placeMoves([
    { ...move, ...to('hot') },
    { ...move, ...from('treasury'), ...to('hot'), value: 2n * cent },
    { ...move, ...swept },
    { ...move, ...from('hot'), isPayout: true },
    { ...move, ...from('hot'), ...to('treasury'), isPayout: true },
    { ...move, ...from('hot') },
    { ...move, ...to('hot'), chain: 'other', value: cent },
  ])
  assert.deepEqual(
    changed.map(({ chain, place: at, address, units }) => [chain, at, address, units / cent]),
    [
      [ours, 'hot', bareAddress(hot), 9n],
      [ours, 'treasury', bareAddress(treasury), 5n],
      ['other', 'hot', bareAddress(hot), 1n],
    ],
  )
})

describe('what the ledger takes', () => {
  const at = new Date('2026-11-22T00:00:00Z')
  const row = {
    id: bareId(1),
    chain: ours,
    state: 'FINAL',
    sender: bareBytes(deposit),
    recipient: bareBytes(treasury),
    value: String(7n * cent),
    tx_hash: bareBytes(50),
    log: '\\x01',
    block_number: 10,
  }
  const tables = {
    connection: [{ id: 'shared', mode: 'SANDBOX', method: 'CRYPTO', settings: { chain: ours } }],
    coin_move: [
      row,
      { ...row, id: bareId(2), block_number: 11 },
      { ...row, id: bareId(3), sender: bareBytes(treasury), recipient: bareBytes(hot), block_number: 12 },
    ],
    coin_place: [
      { chain: ours, address: bareBytes(treasury), place: 'treasury', units: 0 },
      { chain: ours, address: bareBytes(hot), place: 'hot', units: 0 },
    ],
    deposit_address: [
      { chain: ours, address: bareBytes(deposit), received: String(9n * cent), held: String(9n * cent) },
    ],
    chain_tx: [{ id: bareId(21), chain: ours, wallet: bareBytes(hot), gas_gwei: 5, gas_booked: false }],
    refill: [{ id: bareId(41), chain: ours, units: String(7n * cent) }],
    chain_tx_attempt: [],
  }
  /** What is left after these were taken: kinds, what the address holds, the places, costs to book, refills to meet. */
  const take = (...ids: string[]) =>
    onRows(sql, tables, async (tx) => {
      await tx`create unique index on coin_place (chain, address)`
      const view = await coinMovements.load(tx, [1, 2, 3, 21].map(bareId))
      const facts = ids.map((id) => view.consume(id)?.minor)
      await view.save(tx, at)
      return { known: view.facts.map(({ minor }) => minor), facts, ...(await left(tx)) }
    })
  const left = async (tx: Tx) => ({
    kinds: (await tx`select booked_as as kind from coin_move order by id`).map(({ kind }) => kind as string),
    held: (await tx`select held::text from deposit_address`).map(({ held }) => BigInt(held as string) / cent),
    units: (await tx`select units::text from coin_place order by place`).map(
      ({ units }) => BigInt(units as string) / cent,
    ),
    costs: (await tx`select 1 from chain_tx where not gas_booked`).length,
    refills: (await tx`select 1 from refill where ended_at is null`).length,
  })
  const untouched = { kinds: [null, null, null], held: [9n], units: [0n, 0n], costs: 1, refills: 1 }
  const known = [0n, 0n, 0n, 5n]

  test('nothing that is not taken is written', async () => {
    assert.deepEqual(await take(), { known, facts: [], ...untouched })
  })

  test('a sweep leaves its address and comes to the treasury, once; a second one waits for what is not settled', async () => {
    assert.deepEqual(await take(bareId(1), bareId(1), bareId(2)), {
      known,
      facts: [7n, undefined, undefined],
      ...untouched,
      kinds: ['SWEPT', null, null],
      held: [2n],
      units: [0n, 7n],
    })
  })

  test('a refill moves units between our places once, and is met', async () => {
    assert.deepEqual(await take(bareId(3), bareId(3)), {
      known,
      facts: [7n, undefined],
      ...untouched,
      kinds: [null, null, 'MOVED'],
      units: [7n, -7n],
      refills: 0,
    })
  })

  test('a cost is booked once, and what is not due is nothing', async () => {
    assert.deepEqual(await take(bareId(21), bareId(21), bareId(99)), {
      known,
      facts: [5n, undefined, undefined],
      ...untouched,
      costs: 0,
    })
  })

  test('what is due comes in groups of one transaction', async () => {
    const groups = await onRows(sql, { ...tables, chain: [{ key: ours }] }, (tx) => coinMovements.due(tx, 9))
    assert.deepEqual(groups, [[1, 2, 3].map(bareId), [bareId(21)]])
  })
})
