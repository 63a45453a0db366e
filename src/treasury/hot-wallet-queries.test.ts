// A wallet that sends: who has its lease, what its state is, what it bought and spent. Each statement is about one wallet of one chain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import { minuteMs } from '#/kernel/time.ts'
import { bareAddress, bareBytes, boundStates, other, ours } from '../../test/bare-coins.ts'
import { bareId, beside, onRows, type BareRows } from '../../test/bare-rows.ts'
import { fileDatabase } from '../../test/file-database.ts'
import * as gas from './gas-queries.ts'
import { gasFills } from './gas.ts'
import * as queries from './hot-wallet-queries.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const key = { chain: ours, address: bareAddress(1) }
const wallet = { chain: ours, address: bareBytes(1), purpose: 'hot', next_nonce: 10, fence: 5, gas_wei: 0 }
const foreign = [{ chain: other }, { address: bareBytes(2) }] as const
const at = new Date('2026-11-22T00:00:00Z')

test('a lease is acquired of one wallet, while nobody has it; with its fence it is held and released', async () => {
  const keys = [key, { ...key, chain: other }, { ...key, address: bareAddress(2) }]
  const until = async () =>
    (await sql`select lease_until is null as "isFree" from hot_wallet order by chain desc, address`).map(
      (row) => row['isFree'] as boolean,
    )
  assert.equal(await queries.isKnownWallet(sql, key), false)
  for (const each of keys.slice(1))
    await queries.insertWallet(sql, each, { purpose: 'hot', nextNonce: 0n, at })
  assert.equal(await queries.isKnownWallet(sql, key), false)
  await queries.insertWallet(sql, key, { purpose: 'hot', nextNonce: 3n, at })
  assert.equal(await queries.isKnownWallet(sql, key), true)
  assert.equal(await queries.acquireLease(sql, key, minuteMs), 1n)
  assert.deepEqual(await until(), [false, true, true])
  assert.equal(await queries.acquireLease(sql, key, minuteMs), undefined)
  await sql`update hot_wallet set lease_until = statement_timestamp() - interval '1 second', fence = 1`
  assert.equal(await queries.acquireLease(sql, key, minuteMs), 2n)
  await sql`update hot_wallet set lease_until = null, fence = 2`
  const hold = (fence: bigint) => sql.begin((tx) => queries.holdLease(tx, key, fence, minuteMs))
  assert.equal(await hold(1n), 0)
  assert.equal(await hold(2n), 1)
  assert.deepEqual(await until(), [false, true, true])
  await sql`update hot_wallet set lease_until = ${at}`
  await queries.releaseLease(sql, key, 1n)
  assert.deepEqual(await until(), [false, false, false])
  await queries.releaseLease(sql, key, 2n)
  assert.deepEqual(await until(), [true, false, false])
})

const queued = {
  chain: ours,
  purpose: 'PAYOUT',
  state: 'QUEUED',
  merchant_id: bareId(71),
  reference: 'payout/1',
}

test('a wallet has a queue while something of its kind waits that may leave, and lost signatures while one is not recorded', async () => {
  const lost = { chain: ours, wallet: bareBytes(1), reference: 'payout/lost', is_recorded: false }
  const isSeen = async (tables: BareRows, purpose: 'PAYOUT' | 'SWEEP' = 'PAYOUT') => {
    const rows = {
      hot_wallet: beside(wallet, ...foreign, { waiting: 'GAS' }),
      chain: [
        { key: other, halted: 'beside' },
        { key: ours, halted: 'reorganised' },
      ],
      money_freeze: [{ merchant_id: bareId(72) }],
      lost_signature: [],
      chain_tx: [],
      ...tables,
    }
    const row = await onRows(sql, rows, (tx) => queries.selectWallet(tx, key, purpose))
    assert.deepEqual([row?.waiting, row?.halted, row?.fence, row?.nextNonce], ['GAS', 'reorganised', 5n, 10n])
    return [row?.isQueued, row?.hasLost]
  }
  const frozen = { merchant_id: bareId(72) }
  const not = [{ chain: other }, { purpose: 'SWEEP' }, { state: 'RESERVED' }, frozen]
  assert.deepEqual(await isSeen({ chain_tx: [queued] }), [true, false])
  assert.deepEqual(await isSeen({ chain_tx: beside(queued, ...not) }), [false, false])
  assert.deepEqual(await isSeen({ chain_tx: [{ ...queued, ...frozen, purpose: 'SWEEP' }] }, 'SWEEP'), [
    true,
    false,
  ])
  const signed = [{ ...queued, reference: 'payout/lost' }]
  assert.deepEqual(await isSeen({ chain_tx: signed, lost_signature: [lost] }), [false, true])
  const others = beside(lost, { chain: other }, { wallet: bareBytes(2) }, { is_recorded: true })
  assert.deepEqual(await isSeen({ lost_signature: others }), [false, false])
  const none = { hot_wallet: beside(wallet, ...foreign) }
  assert.equal(await onRows(sql, none, (tx) => queries.selectWallet(tx, key, 'PAYOUT')), undefined)
})

/** What a statement wrote into this column of the wallets: those of the other chain and address last. */
async function written(
  column: string,
  write: (tx: Tx) => Promise<unknown>,
  rows: BareRows[string] = [wallet],
) {
  const hot_wallet = [...rows, ...beside(wallet, ...foreign)]
  return onRows(sql, { hot_wallet }, async (tx) => {
    await write(tx)
    const found = await tx`select ${tx(column)}::text as value from hot_wallet order by chain desc, address`
    return found.map(({ value }) => value as string | null)
  })
}

test('why a wallet waits or is stopped is written to it alone', async () => {
  assert.deepEqual(await written('waiting', (tx) => queries.writeWaiting(tx, key, 'GAS')), [
    'GAS',
    null,
    null,
  ])
  assert.deepEqual(await written('stopped', (tx) => queries.writeStopped(tx, key, 'x')), ['x', null, null])
})

test('a stop is lifted that has the reason which the operator saw, and the wallet goes on at the account’s nonce, never before its own', async () => {
  const stopped = { ...wallet, stopped: 'seen' }
  const lift = async (rows: BareRows[string], nextNonce: bigint) =>
    onRows(sql, { hot_wallet: rows }, async (tx) => {
      const isLifted = await queries.liftStop(tx, key, { reason: 'seen', nextNonce })
      const nonces = await tx`select next_nonce as next from hot_wallet where stopped is null`
      return [isLifted, ...nonces.map((row) => row['next'] as bigint)]
    })
  const not = beside(stopped, ...foreign, { stopped: 'another' })
  assert.deepEqual(await lift([stopped, ...not], 12n), [true, 12n])
  assert.deepEqual(await lift([stopped, ...not], 9n), [true, 10n])
  assert.deepEqual(await lift(not, 12n), [false])
})

test('of each wallet an operator sees how much of its kind waits, and how much it has under way', async () => {
  const bound = { ...queued, wallet: bareBytes(1), nonce: 1 }
  const tables = {
    hot_wallet: beside(
      wallet,
      { address: bareBytes(3), purpose: 'treasury' },
      {},
      { address: bareBytes(2), purpose: 'gas' },
      { chain: other },
    ),
    chain_tx: [
      queued,
      ...beside(queued, {}, { state: 'FAILED' }, { chain: other }, { purpose: 'SWEEP' }),
      ...['SWEEP', 'SWEEP', 'REFILL'].map((purpose) => ({ ...queued, purpose })),
      ...boundStates.map((state) => ({ ...bound, state })),
      ...beside(
        { ...bound, state: 'SIGNED' },
        { state: 'FINAL' },
        { chain: other },
        { wallet: bareBytes(9) },
      ),
    ],
  }
  const found = await onRows(sql, tables, (tx) => queries.selectWalletStates(tx))
  assert.deepEqual(
    found.map((each) => [each.chain, each.purpose, each.address, each.queued, each.open]),
    [
      [other, 'hot', bareAddress(1), 1, 1],
      [ours, 'gas', bareAddress(2), 3, 0],
      [ours, 'hot', bareAddress(1), 2, 4],
      [ours, 'treasury', bareAddress(3), 1, 0],
    ],
  )
})

test('addresses at which a payment is paid are found among those asked, on any chain that we know', async () => {
  const tables = {
    chain: [{ key: ours }, { key: other }],
    deposit_address: [
      { chain: ours, address: bareBytes(1) },
      { chain: other, address: bareBytes(2) },
      { chain: 'unknown', address: bareBytes(3) },
    ],
  }
  const asked = [1, 2, 3, 4].map(bareAddress)
  const found = await onRows(sql, tables, (tx) => queries.selectDepositsAmong(tx, asked))
  assert.deepEqual(found.toSorted(), [1, 2].map(bareAddress))
})

test('native coin that came is due where more came than is recorded of this wallet, in whole gwei of the sum', async () => {
  const shared = { id: 'shared', mode: 'SANDBOX', method: 'CRYPTO', settings: { chain: ours } }
  const recorded = { chain: ours, wallet: bareBytes(1), wei: 1_500_000_000 }
  const tables = {
    connection: [
      shared,
      ...beside(
        { ...shared, id: 'x' },
        { method: 'PIX' },
        { settings: { chain: other } },
        { merchant_id: bareId(1) },
      ),
    ],
    gas_fill: [recorded, ...beside(recorded, { chain: other }, { wallet: bareBytes(2) })],
  }
  const due = (totalWei: bigint, tokens: BareRows = tables) =>
    onRows(sql, tokens, (tx) =>
      gas.selectDueFills(tx, [
        { id: bareId(1), chain: ours, wallet: bareAddress(1), totalWei, evidence: Buffer.of() },
      ]),
    )
  assert.deepEqual(await due(1_500_000_000n), [])
  const found = await due(2_100_000_000n)
  assert.deepEqual(
    found.map(({ wei, gwei, mode, connection }) => [wei, gwei, mode, connection]),
    [[600_000_000n, 1n, 'SANDBOX', 'shared']],
  )
  assert.deepEqual(await due(2_100_000_000n, { ...tables, connection: [] }), [])
  // As the ledger gets it: once, though two batches name it.
  const fill = {
    id: bareId(1),
    chain: ours,
    wallet: bareAddress(1),
    totalWei: 2_100_000_000n,
    evidence: Buffer.of(),
  }
  const view = await onRows(sql, tables, (tx) => gasFills(new Map([[fill.id, fill]])).load(tx, [fill.id]))
  const fact = view.consume(fill.id)
  assert.deepEqual([fact?.what, fact?.minor], ['GAS_BOUGHT', 1n])
  assert.equal(view.consume(fill.id), undefined)
})

test('a wallet of the chain shows what it bought and spent, and the first nonce that no final transaction has', async () => {
  const fill = { chain: ours, wallet: bareBytes(1), wei: 7 }
  const bound = { chain: ours, wallet: bareBytes(1), nonce: 8 }
  const tables = {
    hot_wallet: [
      { ...wallet, gas_wei: 3 },
      ...beside(
        wallet,
        { address: bareBytes(3) },
        { address: bareBytes(2), purpose: 'gas' },
        { chain: other },
      ),
    ],
    gas_fill: [fill, fill, ...beside({ ...fill, wei: 500 }, { chain: other }, { wallet: bareBytes(9) })],
    chain_tx: [
      ...boundStates.map((state, index) => ({ ...bound, state, nonce: 8 - index })),
      ...beside(
        { ...bound, state: 'SIGNED', nonce: 1 },
        { state: 'FINAL' },
        { chain: other },
        { wallet: bareBytes(9) },
      ),
    ],
  }
  const found = await onRows(sql, tables, (tx) => gas.selectGasWallets(tx, ours))
  assert.deepEqual(found, [
    { address: bareAddress(2), purpose: 'gas', nextNonce: 10n, boughtWei: 0n, spentWei: 0n },
    { address: bareAddress(1), purpose: 'hot', nextNonce: 5n, boughtWei: 14n, spentWei: 3n },
    { address: bareAddress(3), purpose: 'hot', nextNonce: 10n, boughtWei: 0n, spentWei: 0n },
  ])
})
