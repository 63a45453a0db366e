// The watcher's steps on a chain in memory: where it begins, how far it reads, when it goes back, and what it makes final.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { ensurePlaces } from '#/coins/queries.ts'
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { HistoryTooShort } from '#/evm/read.ts'
import { fileDatabase } from '../../../test/file-database.ts'
import { blockSeconds, madeAt, makeChain, type MadeTransfer } from '../../../test/rails/made-chain.ts'
import { depositAddress, someone, token, treasury, watchingChain } from '../../../test/rails/watched-chain.ts'
import { findStart } from './begin.ts'
import { isLost } from './rebuild.ts'
import { FinalityViolation, step } from './watch.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

const paying = (value = 5n): MadeTransfer => ({ token, from: someone, to: depositAddress, value })

describe('the place to begin', () => {
  test('it is the last block that the node calls final and that is as deep as we want, but at least the first', async () => {
    for (const [head, behind, confirmations, start] of [
      [20, 2, 1, 18],
      [20, 2, 6, 15],
      [20, 10, 6, 10],
      [3, 0, 12, 0],
      [0, 0, 1, 0],
    ] as const) {
      const made = makeChain({ finalizedBehind: behind })
      made.mineTo(head)
      const { deps } = await watchingChain(sql, made, {}, confirmations)
      const { number } = await findStart(deps)
      assert.equal(number, BigInt(start), `${head} ${behind} ${confirmations}`)
    }
  })

  test('it is made ten minutes before the first address was assigned, where that is earlier', async () => {
    const made = makeChain({ finalizedBehind: 0 })
    made.mineTo(40)
    const { deps, key } = await watchingChain(sql, made)
    const margin = 600n
    for (const [assigned, start] of [
      [madeAt(40n) + margin + 1n, 40],
      [madeAt(40n) + margin, 39],
      [madeAt(17n) + margin, 16],
      [madeAt(17n) + margin + 1n, 17],
      [madeAt(17n) + margin + blockSeconds, 17],
      [madeAt(2n) + margin, 1],
      [madeAt(1n) + margin, 0],
      [madeAt(0n), 0],
    ] as const) {
      await sql`update deposit_address set created_at = to_timestamp(${Number(assigned)}) where chain = ${key}`
      const { number } = await findStart(deps)
      assert.equal(number, BigInt(start), `${assigned - madeAt(0n)} s after the first block`)
    }
  })

  test('a node without a final block, or without the block to begin at, is none to follow', async () => {
    const made = makeChain()
    made.mineTo(5)
    const blind = async (at: unknown) => (at === 'finalized' ? undefined : made.head())
    const { deps } = await watchingChain(sql, made)
    await assert.rejects(
      findStart({ ...deps, rpc: { ...made.rpc, getBlockByNumber: blind } }),
      /no final block/,
    )
    const forgetful: Rpc['getBlockByNumber'] = (at) =>
      at === 3n ? Promise.resolve(undefined) : made.rpc.getBlockByNumber(at)
    await assert.rejects(
      findStart({ ...deps, rpc: { ...made.rpc, getBlockByNumber: forgetful } }),
      HistoryTooShort,
    )
  })
})

describe('a step', () => {
  test('it reads at most sixteen blocks, makes final what is deep enough, and says how far it is behind', async () => {
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made)
    const at8 = await watcher.begin()
    made.mineTo(50)
    const at24 = await step(watcher.deps, at8)
    assert.deepEqual([at24.tip.number, at24.final.number], [24n, 24n])
    const at40 = await step(watcher.deps, at24)
    const at50 = await step(watcher.deps, at40)
    assert.deepEqual([at50.tip.number, at50.final.number], [50n, 48n])
    // Nothing is new: the cursor is the same, and nobody is woken.
    const before = watcher.signals()
    assert.equal(await step(watcher.deps, at50), at50)
    assert.equal(watcher.signals(), before)
    assert.deepEqual(watcher.lags, [42, 26, 10, 0])
    made.forkAt(50)
    await step(watcher.deps, at50)
    assert.equal(watcher.lags.at(-1), 0, 'a node may lag behind us')
  })

  test('our own depth counts the block itself', async () => {
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made, {}, 6)
    const cursor = await watcher.begin()
    made.mineTo(30)
    const next = await step(watcher.deps, await step(watcher.deps, cursor))
    assert.deepEqual([next.tip.number, next.final.number], [30n, 25n])
  })

  test('transfers to our addresses are told when their block is read and when it is final, each with its place in its transaction', async () => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made, { log })
    const cursor = await watcher.begin()
    made.mineTo(12)
    const at12 = await step(watcher.deps, cursor)
    assert.deepEqual([watcher.told(), watcher.signals()], [[], 1])
    const stray = { ...paying(9n), token: treasury }
    made.mine(
      [
        paying(),
        stray,
        paying(),
        { ...paying(), value: 0n },
        { ...paying(), from: depositAddress },
        paying(),
      ],
      [paying()],
      [{ ...paying(), to: someone }],
    )
    const at13 = await step(watcher.deps, at12)
    assert.deepEqual(watcher.told(), ['seen 0,seen 1,seen 4,seen 0'])
    assert.equal(watcher.signals(), 3)
    made.mineTo(15)
    await step(watcher.deps, at13)
    assert.deepEqual(watcher.told(), ['paid 0,paid 1,paid 4,paid 0'])
    const strays = await sql`select transfers, claimed::text from stray where chain = ${watcher.key}`
    assert.deepEqual(
      strays.map((row) => ({ ...row })),
      [{ transfers: 1n, claimed: '9' }],
    )
    assert.deepEqual(lines, [], 'the second reading found nothing more of the token')
  })

  test('movements from and to our own places are written, and no others', async () => {
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made)
    await ensurePlaces(sql, watcher.key, [{ address: treasury, place: 'treasury' }])
    const cursor = await watcher.begin()
    const between = (from: MadeTransfer['from'], to: MadeTransfer['to']) => [{ token, from, to, value: 1n }]
    made.mineTo(12)
    made.mine(
      between(treasury, someone),
      between(someone, treasury),
      between(someone, `0x${'c3'.repeat(20)}`),
    )
    await step(watcher.deps, cursor)
    const moves = await sql<
      { at: number }[]
    >`select log_index as at from coin_move where chain = ${watcher.key} order by at`
    assert.deepEqual(
      moves.map(({ at }) => at),
      [0, 1],
    )
  })

  test('a transfer that the first reading could not know is found by the second, and the operator is told', async () => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made, { log })
    const cursor = await watcher.begin()
    const rows = await sql`delete from deposit_address where chain = ${watcher.key} returning *`
    made.mine([paying()])
    const at11 = await step(watcher.deps, cursor)
    await sql`insert into deposit_address ${sql(rows)}`
    made.mine([paying()])
    const at12 = await step(watcher.deps, at11)
    assert.deepEqual([watcher.told(), lines], [['seen 0'], []])
    made.mineTo(14)
    await step(watcher.deps, at12)
    assert.deepEqual(watcher.told(), ['paid 0,paid 0'])
    const { msg, transfers } = JSON.parse(lines.join()) as Record<string, unknown>
    assert.deepEqual([msg, transfers], ['the second reading found more', 1])
  })

  test('a block that left is taken back, one for each step, and nobody is final in a fork', async () => {
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made)
    const cursor = await watcher.begin()
    made.mineTo(11)
    made.mine([paying()])
    const at12 = await step(watcher.deps, cursor)
    assert.equal(watcher.signals(), 2, 'one transfer came, and a block is final')
    watcher.told()
    made.forkAt(12)
    made.mineTo(13)
    const back = await step(watcher.deps, at12)
    assert.deepEqual([back.tip.number, watcher.told()], [11n, ['orphaned 0']])
    assert.deepEqual((await step(watcher.deps, back)).tip, { number: 13n, hash: made.head().hash })
  })

  test('a block is not final while the node has another one at its height', async () => {
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made)
    const cursor = await watcher.begin()
    made.mineTo(12)
    const other = makeChain()
    other.forkAt(0)
    other.mineTo(20)
    const at12 = await step(watcher.deps, cursor)
    assert.equal(at12.final.number, 10n)
    made.mineTo(13)
    // The fork began after the head was read.
    const unsure: Rpc['getBlockByNumber'] = (at) =>
      at === 11n ? other.rpc.getBlockByNumber(at) : made.rpc.getBlockByNumber(at)
    const next = await step({ ...watcher.deps, rpc: { ...made.rpc, getBlockByNumber: unsure } }, at12)
    assert.deepEqual([next.tip.number, next.final.number], [13n, 10n])
  })

  test('another block at our final height is a violation; none there is one only where a lost chain is rebuilt', async () => {
    const made = makeChain({ finalizedBehind: 0 })
    made.mineTo(10)
    const watcher = await watchingChain(sql, made)
    const cursor = await watcher.begin()
    assert.deepEqual(cursor.tip, cursor.final)
    // Another chain: as long as ours, longer, and a shorter one that has another block at our final height.
    for (const length of [10, 12]) {
      made.forkAt(5)
      made.mineTo(length)
      await assert.rejects(step(watcher.deps, cursor), FinalityViolation, String(length))
    }
    made.forkAt(7)
    await assert.rejects(step(watcher.deps, cursor), (error) => !(error instanceof FinalityViolation))
    const rebuilt = { ...watcher.deps, onViolation: async () => {} }
    await assert.rejects(step(rebuilt, cursor), FinalityViolation)
  })

  test('a node that lags behind us with another final block is a violation, and one with ours is waited for', async () => {
    const made = makeChain()
    made.mineTo(10)
    const watcher = await watchingChain(sql, made)
    const first = await watcher.begin()
    made.mineTo(14)
    const cursor = await step(watcher.deps, first)
    assert.equal(cursor.final.number, 12n)
    made.forkAt(13)
    assert.equal(await step(watcher.deps, cursor), cursor)
    made.forkAt(11)
    made.mineTo(13)
    await assert.rejects(step(watcher.deps, cursor), FinalityViolation)
  })
})

test('a chain is lost when the node has another final block, or lacks the block after the cursor below its head', async () => {
  const made = makeChain({ finalizedBehind: 0 })
  made.mineTo(10)
  const { deps, key, begin: start } = await watchingChain(sql, made)
  const lostAt = (rpc: Rpc) => isLost(deps, key, rpc)
  assert.equal(await lostAt(made.rpc), false, 'it was never followed')
  await start()
  assert.equal(await lostAt(made.rpc), false)
  made.mineTo(11)
  assert.equal(await lostAt(made.rpc), false)
  const without = (number: bigint): Rpc => ({
    ...made.rpc,
    getBlockByNumber: async (at) => (at === number ? undefined : made.rpc.getBlockByNumber(at)),
  })
  assert.equal(await lostAt(without(11n)), true)
  assert.equal(await lostAt(without(10n)), true, 'the final block is not there')
  let reads = 0
  const justMade = async (at: Parameters<Rpc['getBlockByNumber']>[0]) =>
    at === 11n && (reads += 1) === 1 ? undefined : made.rpc.getBlockByNumber(at)
  assert.equal(await lostAt({ ...made.rpc, getBlockByNumber: justMade }), false, 'it was made meanwhile')
  made.forkAt(11)
  assert.equal(await lostAt(without(11n)), false, 'the node has no more than we have')
  made.forkAt(10)
  made.mineTo(10)
  assert.equal(await lostAt(made.rpc), true, 'the final block is another one')
})
