// What our records say of a chain's coins, on a test's own rows: what counts, and what stands beside it and does not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { bareAddress, bareBytes, openStates, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as queries from './compare-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

/** The numbers of addresses: two places of ours, a place on the other chain, and anybody's. */
const [hot, treasury, theirs, anybody] = [1, 2, 3, 9] as const

const chainRow = {
  key: ours,
  chain_id: 31337,
  token: bareBytes(21),
  treasury: bareBytes(22),
  factory: bareBytes(23),
  final_number: 10,
  final_hash: bareBytes(24),
}

test('each chain is known once, by the connection for crypto that belongs to no merchant, in the order of keys', async () => {
  const connection = { id: 'shared', mode: 'SANDBOX', method: 'CRYPTO', settings: { chain: ours } }
  const tables = {
    chain: [chainRow, { ...chainRow, key: other, final_number: null, final_hash: null }],
    chain_token: [
      { chain: ours, symbol: 'USDT', address: bareBytes(25), decimals: 6 },
      { chain: other, symbol: 'USDT', address: bareBytes(26), decimals: 18 },
    ],
    connection: [
      connection,
      { ...connection, id: 'of the other', mode: 'LIVE', settings: { chain: other } },
      ...beside({ ...connection, id: 'beside' }, { method: 'PIX' }, { merchant_id: bareId(1) }),
    ],
  }
  const found = await onRows(sql, tables, queries.selectKnownChains)
  assert.deepEqual(
    found.map(({ key, mode, connection: by, final }) => [key, mode, by, final]),
    [
      [other, 'LIVE', 'of the other', undefined],
      [ours, 'SANDBOX', 'shared', { number: 10n, hash: bareAddress(24) }],
    ],
  )
  assert.deepEqual(found[1], {
    key: ours,
    mode: 'SANDBOX',
    connection: 'shared',
    chainId: 31337n,
    token: { address: bareAddress(25), decimals: 6 },
    treasury: bareAddress(22),
    factory: bareAddress(23),
    final: { number: 10n, hash: bareAddress(24) },
  })
})

const move = {
  chain: ours,
  sender: bareBytes(anybody),
  recipient: bareBytes(anybody),
  value: 7,
  state: 'FINAL',
  tx_hash: bareBytes(50),
}

test('deposit addresses have what they hold, and what is final and not booked: arrivals beyond what was received, less what left', async () => {
  const deposit = { chain: ours, address: bareBytes(2), held: 40, received: 60 }
  const shown = { chain: ours, address: bareBytes(2), value: 100, state: 'FINAL' }
  const left = { ...move, sender: bareBytes(2), value: 10 }
  const tables = {
    deposit_address: [
      ...beside(deposit, { address: bareBytes(4) }, { address: bareBytes(3) }, {}, { address: bareBytes(1) }),
      { ...deposit, chain: other, address: bareBytes(5) },
    ],
    chain_transfer: [
      shown,
      ...beside({ ...shown, value: 1000 }, { state: 'SEEN' }, { chain: other, address: bareBytes(2) }),
      ...beside(
        { ...shown, value: 2000 },
        { address: bareBytes(1) },
        { chain: other, address: bareBytes(3) },
      ),
      { ...shown, chain: other, address: bareBytes(5) },
    ],
    coin_move: [
      left,
      ...beside(
        { ...left, value: 3000 },
        { chain: other },
        { sender: bareBytes(3) },
        { state: 'SEEN' },
        { booked_as: 'SWEPT' },
      ),
    ],
  }
  const page = async (after: number | undefined, all: boolean, limit = 9) => {
    const from = after === undefined ? undefined : bareAddress(after)
    const rows = await onRows(sql, tables, (tx) =>
      queries.selectRecordedDeposits(tx, ours, { after: from, all, limit }),
    )
    return rows.map(({ address, place, units, unbooked }) => [address, place, units, unbooked])
  }
  const reached = [bareAddress(2), 'deposit', 40n, 100n - 60n - 10n]
  assert.deepEqual(await page(1, false), [reached])
  assert.deepEqual(await page(1, true), [
    reached,
    [bareAddress(3), 'deposit', 40n, -60n - 3000n],
    [bareAddress(4), 'deposit', 40n, -60n],
  ])
  assert.deepEqual(await page(undefined, false, 1), [[bareAddress(1), 'deposit', 40n, 2000n - 60n]])
})

const places = [
  { chain: ours, address: bareBytes(treasury), place: 'treasury', units: 30 },
  { chain: ours, address: bareBytes(hot), place: 'hot', units: 50 },
  { chain: other, address: bareBytes(theirs), place: 'hot', units: 70 },
]

async function selectPlaces(tables: BareRows): Promise<readonly (readonly [string, bigint, bigint])[]> {
  const rows = { coin_place: places, chain: [chainRow], coin_move: [], chain_tx: [], chain_tx_attempt: [] }
  const found = await onRows(sql, { ...rows, ...tables }, (tx) => queries.selectRecordedPlaces(tx, ours))
  return found.map(({ address, units, unbooked }) => [address, units, unbooked])
}

async function unbookedAtHot(tables: BareRows): Promise<bigint | undefined> {
  return (await selectPlaces(tables)).find(([address]) => address === bareAddress(hot))?.[2]
}

test('the places of a chain are those of this chain alone, the hot wallet before the treasury', async () => {
  assert.deepEqual(await selectPlaces({}), [
    [bareAddress(hot), 50n, 0n],
    [bareAddress(treasury), 30n, 0n],
  ])
})

test('what came to a place and is final and not booked is missing from its units', async () => {
  const came = { ...move, recipient: bareBytes(hot) }
  const not = [{ chain: other }, { recipient: bareBytes(anybody) }, { state: 'SEEN' }, { booked_as: 'FOUND' }]
  assert.equal(await unbookedAtHot({ coin_move: [came, ...beside(came, ...not)] }), 7n)
})

test('what went from a place to another of ours, is final and not booked is too much in its units', async () => {
  const went = { ...move, sender: bareBytes(hot), recipient: bareBytes(treasury) }
  const not = [
    { chain: other },
    { sender: bareBytes(anybody) },
    { state: 'SEEN' },
    { booked_as: 'MOVED' },
    { recipient: bareBytes(anybody) },
    { recipient: bareBytes(theirs) },
  ]
  assert.equal(await unbookedAtHot({ coin_move: [went, ...beside(went, ...not)] }), -7n)
})

test('a payout that is final and whose units were not deducted is too much in the units of its place', async () => {
  const [wanted, sweep, deducted] = [bareId(1), bareId(2), bareId(3)]
  const paid = { ...move, sender: bareBytes(hot) }
  const not = [
    { chain: other },
    { sender: bareBytes(anybody) },
    { state: 'SEEN' },
    { booked_as: 'MOVED' },
    { tx_hash: bareBytes(52) },
    { tx_hash: bareBytes(53) },
    { tx_hash: bareBytes(54) },
  ]
  const tables = {
    coin_move: [paid, { ...paid, value: 5, booked_as: 'PAID' }, ...beside(paid, ...not)],
    chain_tx_attempt: [
      { tx: wanted, hash: bareBytes(50) },
      { tx: sweep, hash: bareBytes(52) },
      { tx: deducted, hash: bareBytes(53) },
    ],
    chain_tx: [
      { id: wanted, purpose: 'PAYOUT', units_booked: false },
      { id: sweep, purpose: 'SWEEP', units_booked: false },
      { id: deducted, purpose: 'PAYOUT', units_booked: true },
    ],
  }
  assert.equal(await unbookedAtHot(tables), -12n)
})

test('a payout whose units were deducted before the watcher finds it final is missing from the units of its place', async () => {
  const seen = { ...move, state: 'SEEN' }
  const deducted = {
    chain: ours,
    wallet: bareBytes(hot),
    purpose: 'PAYOUT',
    units: 7,
    units_booked: true,
    block_number: 11,
    tx_hash: bareBytes(50),
  }
  const not = [
    { chain: other },
    { wallet: bareBytes(anybody) },
    { purpose: 'REFILL' },
    { units_booked: false },
    { block_number: 10 },
    { tx_hash: bareBytes(51) },
    { tx_hash: bareBytes(52) },
  ]
  const tables = {
    coin_move: [
      seen,
      { ...seen, tx_hash: bareBytes(51), state: 'FINAL' },
      { ...seen, tx_hash: bareBytes(52), chain: other },
    ],
    chain_tx: [deducted, ...beside(deducted, ...not)],
    chain: [chainRow, { ...chainRow, key: other, final_number: 5 }],
  }
  assert.equal(await unbookedAtHot(tables), 7n)
})

test('the accounts of a chain are those of its mode, and what has no account has nothing', async () => {
  const chain: queries.KnownChain = {
    key: ours,
    mode: 'LIVE',
    connection: 'c' as ConnectionId,
    chainId: 1n,
    token: { address: bareAddress(21), decimals: 18 },
    treasury: bareAddress(22),
    factory: bareAddress(23),
    final: undefined,
  }
  const account = [
    { id: 1, mode: 'LIVE', name: 'coins:ours:USDT:deposit' },
    { id: 2, mode: 'SANDBOX', name: 'coins:ours:USDT:treasury' },
    { id: 3, mode: 'LIVE', name: 'coins:other:USDT:hot' },
  ]
  const balance = [
    { account_id: 1, minor: 300 },
    { account_id: 2, minor: 500 },
    { account_id: 3, minor: 700 },
  ]
  const find = (tables: BareRows) => onRows(sql, tables, (tx) => queries.selectAccounts(tx, chain))
  assert.deepEqual(await find({ account, balance }), { deposit: 300n, treasury: 0n, hot: 0n })
  assert.deepEqual(await find({ account: [], balance: [] }), { deposit: 0n, treasury: 0n, hot: 0n })
})

/** Movements that nothing explains, with what people said of them. */
const strange: BareRows = {
  coin_move: [
    { id: bareId(2), booked_as: 'LEFT' },
    { id: bareId(1), booked_as: 'FOUND' },
    { id: bareId(3), booked_as: 'MOVED' },
    { id: bareId(4), booked_as: 'FOUND' },
    { id: bareId(5), booked_as: 'LEFT' },
    { id: bareId(6), booked_as: 'FOUND', chain: other },
  ].map((row) => ({ ...move, block_at: '2026-11-22T00:00:00Z', ...row })),
  coin_claim: [
    { move: bareId(1), merchant_id: bareId(11), note: 'theirs', proposed_by: 'ana' },
    {
      move: bareId(4),
      merchant_id: bareId(11),
      proposed_by: 'ana',
      confirmed_by: 'eva',
      confirmed_at: '2026-11-23T00:00:00Z',
    },
  ],
  unrecorded: [{ id: bareId(30), move: bareId(5) }],
}
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

test('unexplained movements are shown that a person still has to review, or all of them, of one chain or of each', async () => {
  const find = (filter: { chain?: string; all: boolean }) =>
    onRows(sql, strange, (tx) => queries.selectStrangeMoves(tx, filter))
  assert.deepEqual(idsOf(await find({ chain: ours, all: false })), [1, 2].map(bareId))
  assert.deepEqual(idsOf(await find({ chain: ours, all: true })), [1, 2, 4, 5].map(bareId))
  assert.deepEqual(idsOf(await find({ all: false })), [1, 2, 6].map(bareId))
  assert.deepEqual(
    (await find({ chain: ours, all: true })).map(({ proposal }) => proposal),
    [
      { merchantId: bareId(11), note: 'theirs', proposedBy: 'ana', confirmedBy: null },
      undefined,
      { merchantId: bareId(11), note: null, proposedBy: 'ana', confirmedBy: 'eva' },
      undefined,
    ],
  )
})

test('a page of unexplained movements goes on after an id, to its limit', async () => {
  const find = async (page: { after?: string; limit: number }) =>
    idsOf(await onRows(sql, strange, (tx) => queries.selectStrangePage(tx, { chain: ours, ...page })))
  assert.deepEqual(await find({ limit: 9 }), [1, 2].map(bareId))
  assert.deepEqual(await find({ limit: 1 }), [bareId(1)])
  assert.deepEqual(await find({ after: bareId(1), limit: 9 }), [bareId(2)])
})

test('what is on its way is counted by purpose; a sweep moves what its addresses hold', async () => {
  const payout = { id: bareId(1), chain: ours, purpose: 'PAYOUT', units: 5 }
  const sweep = { chain: ours, address: bareBytes(1), tx: bareId(2) }
  const held = { chain: ours, address: bareBytes(1), held: 40 }
  const tables = {
    chain_tx: [
      { ...payout, id: bareId(2), purpose: 'SWEEP', units: null, state: 'SIGNED' },
      ...openStates.map((state) => ({ ...payout, state })),
      ...beside(payout, { state: 'FINAL' }, { state: 'FAILED' }, { state: 'QUEUED', chain: other }),
    ],
    sweep: [sweep, { ...sweep, address: bareBytes(2) }, { ...sweep, address: bareBytes(3), tx: bareId(3) }],
    deposit_address: [
      held,
      { ...held, address: bareBytes(2), held: 2 },
      ...beside(
        { ...held, held: 1000 },
        { chain: other },
        { address: bareBytes(3) },
        { address: bareBytes(4) },
      ),
    ],
  }
  assert.deepEqual(await onRows(sql, tables, (tx) => queries.selectInFlight(tx, ours)), [
    { purpose: 'PAYOUT', count: 5, units: 25n },
    { purpose: 'SWEEP', count: 1, units: 42n },
  ])
})
