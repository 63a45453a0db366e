// What the watcher's statements find and change, on a test's own rows: of one chain, under one fence, and of blocks in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { bareId, beside, onRows, type RowsTx } from '../../../test/bare-rows.ts'
import { rowsDatabase } from '../../../test/file-database.ts'
import * as queries from './watch-queries.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

/** The transaction as a pool, whose transactions run in it. */
const pool = (tx: RowsTx): Sql => {
  Object.assign(tx, { begin: (work: (tx: RowsTx) => unknown) => work(tx) })
  return tx
}

const hash = (number: number): Address => `0x${String(number).padStart(64, '0')}`
const address = (number: number): Address => `0x${String(number).padStart(40, '0')}`
const stored = (hex: string) => `\\x${hex.slice(2)}`

const [past, future] = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z']

test('a lease that nobody has, or that has run out, is taken under the next fence; the lease of a watcher is not', async () => {
  for (const [lease_until, fence] of [
    [null, 4n],
    [past, 4n],
    [future, undefined],
  ] as const) {
    const chain = [
      { key: 'bsc', fence: 3, lease_until },
      { key: 'other', fence: 7 },
    ]
    await onRows(sql, { chain }, async (tx) => {
      assert.equal((await queries.acquireLease(pool(tx), 'bsc', 5_000))?.fence, fence, String(lease_until))
      assert.equal((await queries.acquireLease(pool(tx), 'bsc', 5_000))?.fence, undefined)
      const [other] = await tx`select fence, lease_until as until from chain where key = 'other'`
      assert.deepEqual({ ...other }, { fence: 7n, until: null })
    })
  }
})

test('a lease is renewed and released, the tip moved and the chain halted under its own fence, and no other chain is', async () => {
  const chain = [
    { key: 'bsc', fence: 4, lease_until: future },
    { key: 'other', fence: 4, lease_until: future },
  ]
  const tip = { number: 9n, hash: hash(9) }
  const acts: Readonly<Record<string, (tx: RowsTx, fence: bigint) => Promise<unknown>>> = {
    renew: (tx, fence) => queries.renewLease(pool(tx), 'bsc', fence, 5_000),
    release: (tx, fence) => queries.releaseLease(tx, 'bsc', fence),
    move: (tx, fence) => queries.moveTip(tx, 'bsc', { fence, tip, leaseMs: 5_000 }),
    halt: (tx, fence) => queries.writeHalt(tx, 'bsc', fence, 'finality'),
  }
  const texts = async (tx: RowsTx) =>
    (await tx<{ key: string; row: string }[]>`select key, to_json(chain)::text as row from chain`).map(
      ({ key, row }) => `${key} ${row}`,
    )
  for (const [name, act] of Object.entries(acts))
    await onRows(sql, { chain }, async (tx) => {
      const before = new Set(await texts(tx))
      const changed = async () => (await texts(tx)).filter((each) => !before.has(each))
      await act(tx, 5n)
      assert.deepEqual(await changed(), [], name)
      await act(tx, 4n)
      assert.deepEqual(
        (await changed()).map((each) => each.split(' ')[0]),
        ['bsc'],
        name,
      )
    })
})

test('a halt is lifted by its own reason, on its own chain', async () => {
  const chain = [
    { key: 'bsc', halted: 'finality' },
    { key: 'other', halted: 'finality' },
  ]
  await onRows(sql, { chain }, async (tx) => {
    assert.equal(await queries.liftHalt(tx, 'bsc', 'something else'), false)
    assert.equal(await queries.liftHalt(tx, 'bsc', 'finality'), true)
    const halted = (await queries.selectChainStates(tx)).filter((each) => each.halted !== null)
    assert.deepEqual(
      halted.map(({ key }) => key),
      ['other'],
    )
  })
})

test('blocks are found and deleted by their numbers, on their chain', async () => {
  const ofChain = (chain: string, first: number) =>
    [4, 2, 3, 1].map((number) => ({ chain, number, hash: stored(hash(first + number)) }))
  const chain_block = [...ofChain('other', 90), ...ofChain('bsc', 0)]
  await onRows(sql, { chain_block }, async (tx) => {
    const kept = async () =>
      (await tx<{ name: string }[]>`select chain || number as name from chain_block order by 1`)
        .map(({ name }) => name)
        .join(' ')
    assert.deepEqual(await queries.selectBlock(tx, 'bsc', 2n), { number: 2n, hash: hash(2) })
    assert.equal(await queries.selectBlock(tx, 'bsc', 5n), undefined)
    const after1 = await queries.selectBlocks(tx, 'bsc', 1n, 3n)
    assert.deepEqual(after1, [
      { number: 2n, hash: hash(2) },
      { number: 3n, hash: hash(3) },
    ])
    await queries.deleteBlock(tx, 'bsc', 4n)
    assert.equal(await kept(), 'bsc1 bsc2 bsc3 other1 other2 other3 other4')
    await queries.deleteBlocksBelow(tx, 'bsc', 3n)
    assert.equal(await kept(), 'bsc3 other1 other2 other3 other4')
    await queries.deleteAllBlocks(tx, 'bsc')
    assert.equal(await kept(), 'other1 other2 other3 other4')
  })
})

const owner = { merchant_id: bareId(1), payment_id: bareId(11), attempt_id: bareId(21), is_lost: false }
const deposit = { chain: 'bsc', address: stored(address(1)), ...owner }

test('owners are those of the addresses that are asked for, on the chain', async () => {
  const rows = [
    deposit,
    ...beside(deposit, { chain: 'other', payment_id: bareId(12) }, { address: stored(address(2)) }),
  ]
  const found = await onRows(sql, { deposit_address: rows }, (tx) =>
    queries.selectOwners(tx, 'bsc', [address(1)]),
  )
  assert.deepEqual([...found.keys()], [address(1)])
  assert.equal(found.get(address(1))?.paymentId, owner.payment_id)
})

/** A transfer that a block has, by its place in the block. */
const transfer = {
  chain: 'bsc',
  block_hash: stored(hash(5)),
  block_number: 5,
  block_at: past,
  tx_hash: stored(hash(50)),
  ordinal: 0,
  address: deposit.address,
  sender: stored(address(3)),
  value: 7,
  state: 'SEEN',
  occurrence: 1,
  log: {},
}
const numbered = (...rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map((row, log_index) => ({ ...row, log_index }))
const deposits = [deposit, { ...deposit, chain: 'other' }]
const places = (rows: readonly { readonly logIndex: number }[]) => rows.map(({ logIndex }) => logIndex)

/** What `act` returns of these transfers, by their places, and which it left in a state other than they were. */
async function changing(
  rows: readonly Readonly<Record<string, unknown>>[],
  act: (tx: RowsTx) => Promise<readonly { readonly logIndex: number }[]>,
) {
  const chain_transfer = numbered(...rows)
  return onRows(sql, { chain_transfer, deposit_address: deposits }, async (tx) => {
    const returned = places(await act(tx))
    const now = await tx<
      { logIndex: number; state: string }[]
    >`select log_index as "logIndex", state from chain_transfer order by log_index`
    return {
      returned,
      changed: places(now.filter(({ logIndex, state }) => rows[logIndex]?.['state'] !== state)),
    }
  })
}

test('of a block that left the chain, those transfers are orphaned that are not final', async () => {
  const { returned, changed } = await changing(
    [
      transfer,
      ...beside(
        transfer,
        { chain: 'other' },
        { block_hash: stored(hash(6)) },
        { state: 'FINAL' },
        { state: 'ORPHANED' },
      ),
    ],
    (tx) => queries.orphanSightings(tx, 'bsc', { number: 5n, hash: hash(5) }),
  )
  assert.deepEqual([returned, changed], [[0], [0]])
})

test('of a lost chain, all transfers are orphaned that are not final, in the order of their blocks', async () => {
  const { returned, changed } = await changing(
    [
      { ...transfer, block_number: 6 },
      transfer,
      ...beside(transfer, { chain: 'other' }, { state: 'FINAL' }, { state: 'ORPHANED' }),
    ],
    (tx) => queries.orphanAll(tx, 'bsc'),
  )
  assert.deepEqual(
    [returned, changed],
    [
      [1, 0],
      [0, 1],
    ],
  )
})

test('a transfer is orphaned up to a block if the same one of its transaction was final before, on its chain', async () => {
  const final = (tx_hash: number, more: object = {}) => ({
    ...transfer,
    tx_hash: stored(hash(tx_hash)),
    block_number: 1,
    state: 'FINAL',
    ...more,
  })
  const again = (tx_hash: number, more: object = {}) => ({
    ...transfer,
    tx_hash: stored(hash(tx_hash)),
    ...more,
  })
  const { returned, changed } = await changing(
    [
      again(50),
      again(50, { chain: 'other' }),
      again(50, { block_number: 6 }),
      again(50, { state: 'ORPHANED' }),
      final(50),
      final(50, { chain: 'other' }),
      // Of each of these, what was before differs in one thing.
      again(51),
      final(51, { chain: 'other' }),
      again(52),
      final(52, { ordinal: 1 }),
      again(53),
      final(53, { state: 'ORPHANED' }),
      again(54),
    ],
    (tx) => queries.orphanRepeated(tx, 'bsc', 5n),
  )
  assert.deepEqual([returned, changed], [[0], [0]])
})

test('transfers up to a block become final, the oldest first, and only as many as are asked for', async () => {
  const rows = [
    { ...transfer, block_number: 4 },
    transfer,
    { ...transfer, block_number: 3 },
    ...beside(transfer, { chain: 'other' }, { block_number: 6 }, { state: 'ORPHANED' }),
  ]
  const upTo = (limit: number) => changing(rows, (tx) => queries.finalizeSightings(tx, 'bsc', 5n, limit))
  assert.deepEqual(await upTo(9), { returned: [2, 0, 1], changed: [0, 1, 2] })
  assert.deepEqual(await upTo(2), { returned: [2, 0], changed: [0, 2] })
})

test('what is recorded of blocks is what they have now, on their chain', async () => {
  const { returned } = await changing(
    [
      transfer,
      { ...transfer, state: 'FINAL' },
      ...beside(transfer, { chain: 'other' }, { block_hash: stored(hash(6)) }, { state: 'ORPHANED' }),
    ],
    (tx) => queries.selectRecorded(tx, 'bsc', [hash(5)]),
  )
  assert.deepEqual(
    returned.toSorted((a, b) => a - b),
    [0, 1],
  )
})
