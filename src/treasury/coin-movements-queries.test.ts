// Which movements of our coins are due, and what is written where they are booked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import { bareAddress, bareBytes, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './coin-movements-queries.ts'
import type { ChainTxId } from './outgoing.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [hot, treasury, deposit, anybody] = [1, 2, 3, 9] as const
const at = new Date('2026-11-22T00:00:00Z')

const move = {
  id: bareId(1),
  chain: ours,
  sender: bareBytes(deposit),
  recipient: bareBytes(treasury),
  value: 7,
  state: 'FINAL',
  tx_hash: bareBytes(50),
  log: '\\x01',
  block_number: 10,
  log_index: 1,
}
const notDue = [{ state: 'SEEN' }, { booked_as: 'SWEPT' }] as const

const gas = {
  id: bareId(21),
  chain: ours,
  gas_gwei: 5,
  gas_booked: false,
  wallet: bareBytes(hot),
  tx_hash: bareBytes(51),
}
const notDueGas = [{ gas_gwei: null }, { gas_booked: true }] as const
const chain = [{ key: ours }]

/** The shared connection for crypto, and beside it connections that are not asked. */
const shared = { id: 'shared', mode: 'SANDBOX', method: 'CRYPTO', settings: { chain: ours } }
const connection = [
  shared,
  ...beside(
    { ...shared, id: 'beside' },
    { method: 'PIX' },
    { settings: { chain: other } },
    { merchant_id: bareId(90) },
  ),
]

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

test('what is final and not booked is due, to a limit of movements and of costs; a sweep waits that moved more than is held', async () => {
  const held = { chain: ours, address: bareBytes(deposit), held: 7 }
  const due = (tables: BareRows, limit = 9) =>
    onRows(sql, { coin_move: [], chain_tx: [], chain, deposit_address: [], ...tables }, async (tx) => [
      ...(await queries.selectDue(tx, limit)),
    ])
  const coin_move = [
    { ...move, id: bareId(2), value: 8 },
    { ...move, id: bareId(4), sender: bareBytes(hot), value: 8 },
    move,
    ...beside({ ...move, id: bareId(3) }, ...notDue),
  ]
  const chain_tx = [
    { ...gas, id: bareId(24), tx_hash: null },
    gas,
    ...beside({ ...gas, id: bareId(22) }, ...notDueGas, { chain: other }),
  ]
  const deposit_address = [
    held,
    { ...held, chain: other, held: 8 },
    { ...held, address: bareBytes(anybody), held: 1 },
  ]
  const tables = { coin_move, chain_tx, deposit_address }
  const group = (number: number) => ours + bareAddress(number).slice(2)
  assert.deepEqual(await due(tables), [
    { id: bareId(1), group: group(50) },
    { id: bareId(4), group: group(50) },
    { id: bareId(21), group: group(51) },
    { id: bareId(24), group: ours + bareId(24) },
  ])
  assert.deepEqual(idsOf(await due(tables, 1)), [bareId(1), bareId(21)])
})

test('a due movement says which of our places its ends are, what its deposit address has, and whether it is a payout', async () => {
  const wanted = [bareId(1), bareId(2), bareId(3), bareId(4)]
  const place = { chain: ours, address: bareBytes(hot), place: 'hot' }
  const tables = {
    connection,
    coin_move: [
      { ...move, id: bareId(3), block_number: 11, log_index: 0, tx_hash: bareBytes(52) },
      {
        ...move,
        id: bareId(2),
        log_index: 2,
        sender: bareBytes(hot),
        recipient: bareBytes(anybody),
        tx_hash: bareBytes(51),
      },
      move,
      ...beside({ ...move, id: bareId(4) }, ...notDue),
      { ...move, id: bareId(5) },
    ],
    coin_place: [
      place,
      { ...place, address: bareBytes(treasury), place: 'treasury' },
      ...beside(
        { ...place, chain: other },
        {},
        { address: bareBytes(treasury) },
        { address: bareBytes(anybody) },
      ),
      { ...place, chain: other, address: bareBytes(deposit) },
    ],
    deposit_address: [
      { chain: ours, address: bareBytes(deposit), received: 9, held: 8 },
      ...beside(
        { received: 1, held: 1 },
        { chain: other, address: bareBytes(deposit) },
        { chain: ours, address: bareBytes(4) },
      ),
    ],
    chain_tx_attempt: [
      { tx: bareId(31), hash: bareBytes(51) },
      { tx: bareId(32), hash: bareBytes(52) },
    ],
    chain_tx: [
      { id: bareId(31), purpose: 'PAYOUT' },
      { id: bareId(32), purpose: 'SWEEP' },
    ],
  }
  const found = await onRows(sql, tables, (tx) => queries.selectDueMoves(tx, wanted))
  assert.deepEqual(
    found.map(({ id, from, to, received, isPayout }) => [id, from, to, received, isPayout]),
    [
      [bareId(1), null, 'treasury', 9n, false],
      [bareId(2), 'hot', null, undefined, true],
      [bareId(3), null, 'treasury', 9n, false],
    ],
  )
  assert.deepEqual(found[0], {
    id: bareId(1),
    chain: ours,
    mode: 'SANDBOX',
    connection: 'shared',
    sender: bareAddress(deposit),
    recipient: bareAddress(treasury),
    value: 7n,
    log: Buffer.from([1]),
    from: null,
    to: 'treasury',
    received: 9n,
    held: 8n,
    isPayout: false,
  })
})

test('the cost of a final transaction is due until it is booked, and is marked once', async () => {
  const asked = [bareId(22), bareId(21)]
  const tables = {
    connection,
    chain_tx: [{ ...gas, id: bareId(22) }, gas, ...beside(gas, { id: bareId(23) }, ...notDueGas)],
  }
  await onRows(sql, tables, async (tx) => {
    const found = await queries.selectDueGas(tx, asked)
    assert.deepEqual(idsOf(found), [bareId(21), bareId(22)])
    assert.deepEqual(found[0], {
      id: bareId(21),
      chain: ours,
      mode: 'SANDBOX',
      connection: 'shared',
      wallet: bareAddress(hot),
      gwei: 5n,
      evidence: null,
    })
    // The row without a cost is not booked either.
    assert.equal(await queries.markGasBooked(tx, asked as ChainTxId[]), 3)
    assert.equal(await queries.markGasBooked(tx, asked as ChainTxId[]), 0)
    assert.deepEqual(idsOf(await tx<{ id: string }[]>`select id from chain_tx where not gas_booked`), [
      bareId(23),
    ])
  })
})

test('a movement is booked as the books say, and no other', async () => {
  const tables = { coin_move: [move, { ...move, id: bareId(2) }] }
  await onRows(sql, tables, async (tx) => {
    await queries.writeBooked(tx, [{ id: bareId(1), as: 'SWEPT', minor: 4n }], at)
    const rows = await tx`select id, booked_as as kind, minor, booked_at as at from coin_move order by id`
    assert.deepEqual(
      [...rows],
      [
        { id: bareId(1), kind: 'SWEPT', minor: 4n, at },
        { id: bareId(2), kind: null, minor: null, at: null },
      ],
    )
  })
})

test('units leave the deposit address that was swept, however many movements there are, and come to our places', async () => {
  const held = { chain: ours, address: bareBytes(deposit), held: 100 }
  const gone = { chain: ours, address: bareAddress(deposit), units: 7n }
  const tables = {
    deposit_address: [held, ...beside(held, { chain: other }, { address: bareBytes(4) })],
    coin_place: [{ chain: ours, address: bareBytes(hot), place: 'hot', units: 5 }],
  }
  await onRows(sql, tables, async (tx) => {
    await queries.deductHeld(tx, [gone, { ...gone, units: 3n }])
    const left = await tx`select held::integer from deposit_address order by chain, address`
    assert.deepEqual(
      left.map((row) => row['held'] as number),
      [100, 90, 100],
    )
    await tx`create unique index on coin_place (chain, address)`
    await queries.moveUnits(tx, [
      { chain: ours, address: bareAddress(hot), place: 'hot', units: -2n },
      { chain: ours, address: bareAddress(treasury), place: 'treasury', units: 7n },
    ])
    const places = await tx`select place, units::integer from coin_place order by place`
    assert.deepEqual(
      [...places],
      [
        { place: 'hot', units: 3 },
        { place: 'treasury', units: 7 },
      ],
    )
  })
})

test('a refill that the operator signs is met by a movement of its amount from the treasury to the wallet that pays out', async () => {
  const brought = { ...move, sender: bareBytes(treasury), recipient: bareBytes(hot) }
  const refill = { id: bareId(41), chain: ours, units: 7 }
  const source = { chain: ours, address: bareBytes(treasury), place: 'treasury' }
  const target = { chain: ours, address: bareBytes(hot), place: 'hot' }
  const meet = (tables: BareRows) =>
    onRows(
      sql,
      { coin_move: [brought], refill: [refill], coin_place: [source, target], ...tables },
      async (tx) => {
        await queries.meetRefills(tx, [bareId(1)], at)
        const rows = await tx`select id, move from refill where ended_at = ${at}`
        return rows.map(({ id, move: by }) => [id as string, by as string])
      },
    )
  assert.deepEqual(await meet({}), [[bareId(41), bareId(1)]])
  const others = beside(
    refill,
    { chain: other },
    { units: 8 },
    { tx: bareId(31) },
    { ended_at: '2026-11-21T00:00:00Z' },
  )
  assert.deepEqual(await meet({ refill: others }), [])
  assert.deepEqual(await meet({ coin_move: [{ ...brought, id: bareId(2) }] }), [])
  const elsewhere = [{ chain: other }, { address: bareBytes(8) }]
  const wrongPlaces = [
    ...beside(source, ...elsewhere, { place: 'hot' }).map((row) => [row, target]),
    ...beside(target, ...elsewhere, { place: 'treasury' }).map((row) => [source, row]),
  ]
  for (const coin_place of wrongPlaces)
    assert.deepEqual(await meet({ coin_place }), [], JSON.stringify(coin_place))
})
