import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { connect, type Tx } from '#/db/client.ts'
import { factoryAddress, implementationAddress, type Address } from '#/evm/address.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type MerchantId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { bareId, beside, onRows } from '../../../test/bare-rows.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { testDatabase } from '../../../test/postgres.ts'
import * as queries from './queries.ts'
import { selectUnfailedPayouts } from './refund-queries.ts'

const { ensureChain } = queries

const database = openForTests(testDatabase)
const owner = openForTests(() => connect(database.ownerUrl, { max: 2 }))

const treasury: Address = '0x00000000000000000000000000000000000000aa'

function proposal(key: string): Chain {
  return {
    key,
    mode: 'LIVE',
    connection: `a1-${newId()}` as ConnectionId,
    chainId: 56n,
    network: 'BSC',
    tokens: [usdtAt('0x00000000000000000000000000000000000000bb')],
    treasury,
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    confirmationsMin: 12,
  }
}

test('processes that connect a chain for the first time at once share one connection, and so do later ones', async () => {
  // Each is a process of its own for the database.
  const processes = Array.from({ length: 6 }, () => connect(database.appUrl, { max: 2 }))
  const [sql] = processes
  if (sql === undefined) return
  try {
    // Connected beforehand, so that all of them run at once.
    await Promise.all(processes.map((each) => each.begin((tx) => tx`select 1`)))
    const made = await Promise.all(processes.map((each) => ensureChain(each, proposal('bsc'))))
    const [first] = made
    assert.deepEqual(new Set(made.map(({ connection }) => connection)), new Set([first?.connection]))
    const again = await ensureChain(sql, proposal('bsc'))
    assert.equal(again.connection, first?.connection)
    const other = await ensureChain(sql, proposal('other'))
    assert.notEqual(other.connection, first?.connection)
    const rows = await sql<{ id: string }[]>`select id from connection order by created_at`
    assert.deepEqual(
      rows.map(({ id }) => id),
      [first?.connection, other.connection],
    )
  } finally {
    await Promise.all(processes.map((each) => each.end({ timeout: 1 })))
  }
})

const hash = (number: number): Address => `0x${String(number).padStart(64, '0')}`
const address = (number: number): Address => `0x${String(number).padStart(40, '0')}`
const stored = (hex: string) => `\\x${hex.slice(2)}`

const [ours, theirs] = [bareId(1) as MerchantId, bareId(2) as MerchantId]
const [wanted, other] = [bareId(11) as PaymentId, bareId(12) as PaymentId]
const ref = { merchantId: ours, paymentId: wanted }

const chain = [
  { key: 'bsc', number: 9 },
  { key: 'other', number: 9 },
]
const chain_token = chain.map(({ key }, index) => ({
  chain: key,
  symbol: 'USDT',
  address: stored(address(90 + index)),
  decimals: 6,
}))
const deposit = {
  chain: 'bsc',
  address: stored(address(1)),
  merchant_id: ours,
  payment_id: wanted,
  attempt_id: bareId(21),
  asked: 1,
  received: 0,
  held: 0,
}
/** Of other payments: on another chain, of another merchant, and another of this merchant's. */
const others = beside(
  deposit,
  { chain: 'other', payment_id: other },
  { merchant_id: theirs, payment_id: bareId(13), address: stored(address(2)) },
  { payment_id: bareId(14), address: stored(address(3)) },
)

const transfer = {
  chain: 'bsc',
  address: deposit.address,
  tx_hash: stored(hash(50)),
  ordinal: 0,
  block_number: 5,
  block_at: '2026-11-22T00:00:00Z',
  state: 'FINAL',
}
/** With the number of its place as its value, so that it is known again. */
const numbered = (...rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map((row, index) => ({ log_index: index, value: index, ...row }))
const values = (rows: readonly { readonly value: string }[]) => rows.map(({ value }) => Number(value))

test('a connection of CRYPTO has the chain that its settings name', async () => {
  const connection = { id: 'a1-1', method: 'CRYPTO', settings: { chain: 'bsc' } }
  const tables = {
    chain: chain.map((row) => ({ ...row, chain_id: 56, treasury: stored(treasury) })),
    connection: [connection, ...beside(connection, { id: 'a1-2' }, { id: 'a1-3', method: 'PIX' })],
  }
  const found = await onRows(owner, tables, (tx) =>
    queries.selectPlaces(tx, ['a1-1', 'a1-3'] as ConnectionId[]),
  )
  assert.deepEqual(
    found.map((each) => [each.connection, each.key]),
    [['a1-1', 'bsc']],
  )
})

test('totals are read and written at the address of the payment on the chain, and at no other', async () => {
  const rows = [
    deposit,
    ...beside(deposit, { chain: 'other' }, { merchant_id: theirs }, { payment_id: other }),
  ]
  await onRows(owner, { deposit_address: rows }, async (tx) => {
    const [total, ...more] = await queries.selectTotals(tx, [{ ...ref, chain: 'bsc' }])
    assert.deepEqual([total, more], [{ ...ref, chain: 'bsc', received: 0n, held: 0n }, []])
    await queries.writeTotals(tx, [])
    await queries.writeTotals(tx, [{ ...ref, chain: 'bsc', received: 3n, held: 2n }])
    const written = await tx`
      select chain, merchant_id, payment_id, received::text, held::text from deposit_address where received > 0 or held > 0`
    assert.deepEqual(
      [...written],
      [{ chain: 'bsc', merchant_id: ours, payment_id: wanted, received: '3', held: '2' }],
    )
  })
})

test('deposits of a payment are the newest that its address has on its chain now, the oldest first, with their count', async () => {
  const newest = { block_at: '2026-11-22T00:00:09Z' }
  const tables = {
    chain,
    chain_token,
    deposit_address: [deposit, ...others],
    deposit_count: [
      { chain: 'bsc', address: deposit.address, transfers: 4 },
      { chain: 'bsc', address: stored(address(9)), transfers: 5 },
      { chain: 'other', address: deposit.address, transfers: 6 },
    ],
    chain_transfer: numbered(
      { ...transfer, ...newest, block_number: 9, state: 'SEEN' },
      transfer,
      { ...transfer, block_number: 4 },
      ...beside(
        { ...transfer, ...newest },
        { chain: 'other' },
        { address: stored(address(9)) },
        { state: 'ORPHANED' },
      ),
    ),
  }
  const found = await onRows(owner, tables, (tx) => queries.selectDeposits(tx, [ref], 2))
  assert.deepEqual(values(found), [1, 0])
  assert.deepEqual(
    found.map(({ count, confirmations, final }) => [count, confirmations, final]),
    [
      [4n, 5, true],
      [4n, 1, false],
    ],
  )
})

test('a named deposit is the first final transfer of its transaction to the address of the payment', async () => {
  const tables = {
    chain,
    chain_token,
    deposit_address: [deposit, ...others],
    chain_transfer: numbered(
      { ...transfer, ordinal: 3 },
      { ...transfer, ordinal: 2 },
      ...beside(
        { ...transfer, ordinal: 1 },
        { chain: 'other' },
        { tx_hash: stored(hash(51)) },
        { state: 'SEEN' },
        { address: stored(address(9)) },
      ),
    ),
  }
  const txHash = hash(50)
  const find = (ordinal?: number) =>
    onRows(owner, tables, (tx) =>
      queries.selectNamedDeposits(tx, [{ ...ref, named: { txHash, ...given({ ordinal }) } }]),
    )
  assert.deepEqual(values(await find()), [1])
  assert.deepEqual(values(await find(3)), [0])
  assert.deepEqual(values(await find(1)), [])
})

test('a payment is found by its address, on the chains that are there, for its own merchant', async () => {
  const rows = [deposit, ...others, { ...deposit, chain: 'unknown', payment_id: bareId(15) }]
  const found = await onRows(owner, { chain, chain_token, deposit_address: rows }, (tx) =>
    queries.selectPaymentsAt(tx, ours, address(1)),
  )
  assert.deepEqual(found.toSorted(), [wanted, other])
})

test('payments are found by a transaction that a chain has now, at the addresses that it reached there', async () => {
  const found = (transfers: readonly Readonly<Record<string, unknown>>[]) =>
    onRows(
      owner,
      { chain, chain_token, deposit_address: [deposit, ...others], chain_transfer: numbered(...transfers) },
      (tx) => queries.selectPaymentsOfTx(tx, ours, hash(50)),
    )
  assert.deepEqual(await found([transfer, transfer]), [wanted])
  assert.deepEqual(await found([{ ...transfer, state: 'SEEN' }]), [wanted])
  assert.deepEqual(await found([{ ...transfer, chain: 'other' }]), [other])
  for (const change of [{ tx_hash: stored(hash(51)) }, { state: 'ORPHANED' }, { chain: 'unknown' }])
    assert.deepEqual(await found([{ ...transfer, ...change }]), [], JSON.stringify(change))
  for (const number of [2, 9])
    assert.deepEqual(
      await found([{ ...transfer, address: stored(address(number)) }]),
      [],
      'of another merchant, and of nobody',
    )
})

test('a page of deposits is of one payment, the newest first, and continues before the last of the page', async () => {
  const tables = {
    chain,
    chain_token,
    deposit_address: [deposit, ...others, { ...deposit, merchant_id: theirs, address: stored(address(4)) }],
    chain_transfer: numbered(
      transfer,
      { ...transfer, log_index: 7 },
      { ...transfer, block_number: 6, log_index: 0, state: 'SEEN' },
      ...beside(
        transfer,
        { chain: 'other' },
        { address: stored(address(3)) },
        { address: stored(address(4)) },
        { state: 'ORPHANED' },
      ),
    ),
  }
  const page = (limit: number, before?: queries.DepositKey) =>
    onRows(owner, tables, (tx) => queries.selectDepositPage(tx, ref, { limit, before }))
  assert.deepEqual(values(await page(9)), [2, 1, 0])
  assert.deepEqual(values(await page(2)), [2, 1])
  const at = new Date(transfer.block_at)
  assert.deepEqual(values(await page(9, { at, blockNumber: 5n, logIndex: 7 })), [0])
})

test('a chain keeps the connection that was made for it first: of CRYPTO, shared, and of its own key', async () => {
  const connection = {
    id: 'a1-1',
    method: 'CRYPTO',
    settings: { chain: 'kept' },
    created_at: '2026-11-22T00:00:05Z',
  }
  const earlier = beside(
    { ...connection, created_at: '2026-11-22T00:00:00Z' },
    { id: 'a1-2', method: 'PIX' },
    { id: 'a1-3', merchant_id: ours },
    { id: 'a1-4', settings: { chain: 'other' } },
  )
  const later = { ...connection, id: 'a1-0', created_at: '2026-11-22T00:00:06Z' }
  const kept = await onRows(owner, { connection: [later, ...earlier, connection] }, (tx) => {
    Object.assign(tx, { begin: (work: (tx: Tx) => unknown) => work(tx) })
    return ensureChain(tx, proposal('kept'))
  })
  assert.equal(kept.connection, 'a1-1')
})

test('a chain is followed from the moment that its cursor has a place and a final block', async () => {
  const row = { key: 'bsc', number: 9, final_number: 7, final_hash: stored(hash(7)), generation: 2 }
  const follow = (more: object, key = 'bsc') =>
    onRows(owner, { chain: [{ ...row, ...more }] }, (tx) => queries.selectFollowedChain(tx, key))
  assert.deepEqual(await follow({}), { tip: 9n, final: { number: 7n, hash: hash(7) }, generation: 2 })
  for (const missing of [{ number: null }, { final_number: null }, { final_hash: null }])
    assert.equal(await follow(missing), undefined, JSON.stringify(missing))
  assert.equal(await follow({}, 'other'), undefined)
})

test('an address has what is booked there and what is final and not booked yet: came in, or was swept away', async () => {
  const swept = { chain: 'bsc', sender: deposit.address, state: 'FINAL', value: 5 }
  const tables = {
    deposit_address: [
      { ...deposit, received: 100, held: 60 },
      ...others,
      { ...deposit, address: stored(address(4)), received: 9, held: 9 },
    ],
    chain_transfer: [
      ...[70, 80].map((value) => ({ ...transfer, value })),
      { ...transfer, value: 1_000, state: 'SEEN' },
      { ...transfer, value: 1_000, chain: 'other' },
    ],
    coin_move: [
      swept,
      ...beside({ ...swept, value: 1_000 }, { chain: 'other' }, { state: 'SEEN' }, { booked_as: 'SWEPT' }),
    ],
  }
  const places = await onRows(owner, tables, (tx) => queries.selectChainPlaces(tx, 'bsc'))
  // 60 are booked there, 50 of 150 final ones are not booked yet, and 5 have left.
  assert.deepEqual(places, [{ address: address(1), units: 60n + 50n - 5n }])
})

test('a transaction is on the chain when a block has it now, with a transfer to the address', async () => {
  const isThere = (...rows: readonly Readonly<Record<string, unknown>>[]) =>
    onRows(owner, { chain_transfer: rows }, (tx) => queries.isOnChain(tx, 'bsc', address(1), hash(50)))
  assert.equal(await isThere(transfer), true)
  assert.equal(await isThere({ ...transfer, state: 'SEEN' }), true)
  const changes = [{ chain: 'other' }, { address: stored(address(2)) }, { tx_hash: stored(hash(51)) }]
  assert.equal(await isThere(...beside(transfer, ...changes, { state: 'ORPHANED' })), false)
})

test('a refund may still be paid by a payout of its own that did not fail', async () => {
  const refund = bareId(31) as RefundId
  const row = { subject: refund, purpose: 'PAYOUT', state: 'QUEUED' }
  const find = (...rows: readonly Readonly<Record<string, unknown>>[]) =>
    onRows(owner, { chain_tx: rows }, (tx) => selectUnfailedPayouts(tx, [refund]))
  assert.deepEqual(await find(row), [refund])
  assert.deepEqual(await find({ ...row, state: 'FINAL' }), [refund])
  assert.deepEqual(
    await find(...beside(row, { subject: bareId(32) }, { purpose: 'SWEEP' }, { state: 'FAILED' })),
    [],
  )
})
