// Each move of the watcher's cursor is one transaction: the blocks, their transfers, the movements of our own places, and the signals, under
// the watcher's fence alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import { FencedOff } from '#/evm/fence.ts'
import { must } from '#/kernel/check.ts'
import { fileDatabase } from '../../../test/file-database.ts'
import {
  depositAddress as address,
  someone as other,
  treasury,
  watchedChain,
} from '../../../test/rails/watched-chain.ts'
import {
  acquireLease,
  adoptChain,
  advance,
  beginAt,
  finalize,
  renewLease,
  rewind,
  seizeLease,
  type ReadBlock,
} from './cursor.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const hash = (number: number): Address => `0x${String(number).padStart(64, '0')}`
const at = new Date('2026-11-22T00:00:00Z')
const block = (number: number) => ({ number: BigInt(number), hash: hash(number) })

/** A chain whose cursor began at block 10, with one address of a payment. */
async function chainAt10() {
  const { deps, payment, told } = await watchedChain(sql)
  const { key } = deps.chain
  const { fence } = must(await acquireLease(deps), 'the lease is free')
  const cursor = await beginAt(deps, fence, block(10))
  const sighting = (inBlock: number, logIndex = 0) => ({
    blockHash: hash(inBlock),
    blockNumber: BigInt(inBlock),
    blockAt: at,
    logIndex,
    txHash: hash(1_000 * inBlock + logIndex),
    ordinal: 0,
    address,
    sender: other,
    value: 5n,
    log: {},
    owner: { ...payment, address, isLost: false },
  })
  const move = (inBlock: number) => ({
    blockHash: hash(inBlock),
    blockNumber: BigInt(inBlock),
    blockAt: at,
    logIndex: 9,
    txHash: hash(1_000 * inBlock + 9),
    sender: treasury,
    recipient: other,
    value: 5n,
    log: '{}',
  })
  return {
    deps,
    cursor,
    fence,
    sighting,
    move,
    /** Block by block, as the watcher would have read it. */
    read: (number: number, more: Partial<ReadBlock> = {}): ReadBlock => ({
      ...block(number),
      parentHash: hash(number - 1),
      sightings: [],
      moves: [],
      ...more,
    }),
    /** What the inbox was told since the last call: outcome, occurrence and place of each signal. */
    told: () =>
      told().map((signals) =>
        signals
          .map(
            ({ outcome, occurrence, blockHash, logIndex }) =>
              `${outcome} ${occurrence} ${BigInt(blockHash).toString(16)}:${logIndex}`,
          )
          .join(),
      ),
    /** The cursor, the blocks, the transfers and the movements, as they stand. */
    async stands() {
      const [row] = await sql`select number, final_number as final, generation from chain where key = ${key}`
      const lines = await sql<{ line: string }[]>`
        select 'block ' || number as line from chain_block where chain = ${key}
        union all select state || ' ' || block_number || ':' || log_index from chain_transfer where chain = ${key}
        union all select state || ' move ' || block_number from coin_move where chain = ${key}
        order by line`
      return [Number(row?.['number']), Number(row?.['final']), ...lines.map(({ line }) => line)]
    },
    generation: async () =>
      (await sql`select generation from chain where key = ${key}`)[0]?.['generation'] as number,
  }
}

const nothing = { missed: [], strays: [] }

test('the cursor begins at a final block, and its lease is kept while nobody else takes it', async () => {
  const { deps, cursor, fence, stands } = await chainAt10()
  assert.deepEqual(await stands(), [10, 10, 'block 10'])
  assert.deepEqual(cursor, { fence, tip: block(10), final: block(10) })
  await renewLease(deps, fence)
  const next = await seizeLease(deps)
  await assert.rejects(renewLease(deps, fence), FencedOff)
  await renewLease(deps, next)
})

test('blocks are written with their transfers and movements, and what came is told once', async () => {
  const { deps, cursor, sighting, move, read, stands, told } = await chainAt10()
  assert.equal(await advance(deps, cursor, []), cursor)
  const empty = await advance(deps, cursor, [read(11)])
  assert.deepEqual([await stands(), told()], [[11, 10, 'block 10', 'block 11'], []])
  const blocks = [read(12, { sightings: [sighting(12)], moves: [move(12)] }), read(13)]
  const next = await advance(deps, empty, blocks)
  assert.deepEqual(next.tip, block(13))
  const then = [13, 10, 'SEEN 12:0', 'SEEN move 12', 'block 10', 'block 11', 'block 12', 'block 13']
  assert.deepEqual([await stands(), told()], [then, ['seen 1 12:0']])
})

test('a block that left is taken back alone, and what it had is told; a block without transfers tells nothing', async () => {
  const { deps, cursor, sighting, move, read, stands, told } = await chainAt10()
  const read11 = read(11, { sightings: [sighting(11)], moves: [move(11)] })
  const read12 = read(12, { sightings: [sighting(12)], moves: [move(12)] })
  const at13 = await advance(deps, cursor, [read11, read12, read(13)])
  told()
  const at12 = await rewind(deps, at13)
  assert.deepEqual([at12.tip, told()], [block(12), []])
  const at11 = await rewind(deps, at12)
  assert.deepEqual([at11.tip, told()], [block(11), ['orphaned 1 12:0']])
  const then = [11, 10, 'ORPHANED 12:0', 'SEEN 11:0', 'SEEN move 11', 'block 10', 'block 11']
  assert.deepEqual(await stands(), then)
  // The block comes back: the same transfer is told once more, as the second time.
  await advance(deps, at11, [read12])
  assert.deepEqual(told(), ['seen 2 12:0'])
})

test('what is final is money, once; blocks before it are not kept', async () => {
  const { deps, cursor, sighting, move, read, stands, told } = await chainAt10()
  const read11 = read(11, { sightings: [sighting(11)], moves: [move(11)] })
  const read12 = read(12, { sightings: [sighting(12)], moves: [move(12)] })
  const at12 = await advance(deps, cursor, [read11, read12])
  told()
  const final = await finalize(deps, at12, block(11), { ...nothing, missed: [sighting(11, 3)] })
  assert.deepEqual(final, { ...at12, final: block(11) })
  const then = [
    'FINAL 11:0',
    'FINAL 11:3',
    'FINAL move 11',
    'SEEN 12:0',
    'SEEN move 12',
    'block 11',
    'block 12',
  ]
  assert.deepEqual([await stands(), told()], [[12, 11, ...then], ['paid 1 11:0,paid 1 11:3']])
  const at13 = await advance(deps, final, [read(13)])
  await finalize(deps, at13, block(12), nothing)
  assert.deepEqual(told(), ['paid 1 12:0'])
  await finalize(deps, { ...at13, final: block(12) }, block(13), nothing)
  assert.deepEqual(told(), [])
})

test('a transfer of a transaction that was money before is not money again, and is told as gone', async () => {
  const { deps, cursor, sighting, read, told, stands } = await chainAt10()
  const again = { ...sighting(12), txHash: sighting(11).txHash }
  const at12 = await advance(deps, cursor, [
    read(11, { sightings: [sighting(11)] }),
    read(12, { sightings: [again] }),
  ])
  const final = await finalize(deps, at12, block(11), nothing)
  told()
  await finalize(deps, final, block(12), nothing)
  assert.deepEqual(told(), ['orphaned 1 12:0'])
  assert.deepEqual(await stands(), [12, 12, 'FINAL 11:0', 'ORPHANED 12:0', 'block 12'])
})

test('tokens that are not ours are counted when their block is final', async () => {
  const { deps, cursor, read } = await chainAt10()
  const at11 = await advance(deps, cursor, [read(11)])
  const stray = { blockNumber: 11n, txHash: hash(1), address, token: treasury, value: 7n }
  await finalize(deps, at11, block(11), { missed: [], strays: [stray] })
  const [row] = await sql`select transfers, claimed::text from stray where chain = ${deps.chain.key}`
  assert.deepEqual({ ...row }, { transfers: 1n, claimed: '7' })
})

test('the sandbox begins again on a new chain: what was not final is gone, and told', async () => {
  const { deps, cursor, sighting, move, read, stands, told, generation } = await chainAt10()
  const forgotten: string[] = []
  const treasuryOf = { forgetEnded: async (_tx: unknown, key: string) => void forgotten.push(key) }
  const read11 = read(11, { sightings: [sighting(11)], moves: [move(11)] })
  const final = await finalize(deps, await advance(deps, cursor, [read11]), block(11), nothing)
  await advance(deps, final, [read(12, { sightings: [sighting(12)], moves: [move(12)] })])
  told()
  const fence = await seizeLease(deps)
  await adoptChain({ ...deps, treasury: treasuryOf }, fence, block(5))
  const kept = ['FINAL 11:0', 'FINAL move 11', 'ORPHANED 12:0', 'block 5']
  assert.deepEqual([await stands(), told()], [[5, 5, ...kept], ['orphaned 1 12:0']])
  assert.deepEqual([forgotten, await generation()], [[deps.chain.key], 2])
  // The lease is free again, and a chain on which nothing waited tells nothing.
  const next = must(await acquireLease(deps), 'the lease is free')
  await adoptChain({ ...deps, treasury: treasuryOf }, next.fence, block(6))
  assert.deepEqual(told(), [])
})

test('a watcher that lost its lease moves nothing', async () => {
  const { deps, cursor, fence, sighting, read, stands, told } = await chainAt10()
  const at11 = await advance(deps, cursor, [read(11, { sightings: [sighting(11)] })])
  told()
  const before = await stands()
  await seizeLease(deps)
  const forgetEnded = async () => {}
  for (const act of [
    () => beginAt({ ...deps }, fence, block(20)),
    () => advance(deps, at11, [read(12, { sightings: [sighting(12)] })]),
    () => rewind(deps, at11),
    () => finalize(deps, at11, block(11), nothing),
    () => adoptChain({ ...deps, treasury: { forgetEnded } }, fence, block(5)),
  ])
    await assert.rejects(act(), FencedOff, String(act))
  assert.deepEqual([await stands(), told()], [before, []])
})
