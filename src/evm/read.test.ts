import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { openLookout } from '../../test/laws/watcher-lookout.ts'
import { isFields, lie, listed, type Call } from '../../test/laws/watcher-node.ts'
import { cent } from '../../test/laws/watcher-till.ts'
import { catchUp } from '../../test/laws/watcher-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'

const at = openForTests(openLookout)
beforeEach(() => {
  at.front.alter = undefined
})

type Fields = Readonly<Record<string, unknown>>

const changed = (result: unknown, fields: Fields) => (isFields(result) ? { ...result, ...fields } : result)
const otherHash = `0x${'ab'.repeat(32)}`
const aBlock = 'eth_getBlockByNumber'
const receipts = 'eth_getBlockReceipts'
const logs = 'eth_getLogs'

/** Receipts with changed logs, everything else unchanged. */
function withLogs(result: unknown, change: (logs: readonly Fields[]) => readonly Fields[]) {
  return listed(result).map((receipt) => ({ ...receipt, logs: change(listed(receipt['logs'])) }))
}

describe('a node with false answers', () => {
  const more = `0x${(10n ** 24n).toString(16).padStart(64, '0')}`
  const lies: readonly (readonly [string, (call: Call, result: unknown) => unknown])[] = [
    ['returns another time of a block', lie(aBlock, (block) => changed(block, { timestamp: '0x1' }))],
    ['returns another parent of a block', lie(aBlock, (block) => changed(block, { parentHash: otherHash }))],
    ['returns another hash of a block', lie(aBlock, (block) => changed(block, { hash: otherHash }))],
    [
      'returns another root of the receipts',
      lie(aBlock, (block) => changed(block, { receiptsRoot: otherHash })),
    ],
    ['leaves out a transaction of a block', lie(aBlock, (block) => changed(block, { transactions: [] }))],
    ['returns one block for all', lie(aBlock, () => genesis)],
    ['leaves out a receipt', lie(receipts, (result) => listed(result).slice(1))],
    ['leaves out a log of a receipt', lie(receipts, (result) => withLogs(result, () => []))],
    [
      'changes an amount',
      lie(receipts, (result) => withLogs(result, (all) => all.map((log) => ({ ...log, data: more })))),
    ],
    ['doubles a log', lie(receipts, (result) => withLogs(result, (all) => [...all, ...all]))],
    [
      'reports that a transaction failed',
      lie(receipts, (result) => listed(result).map((each) => ({ ...each, status: '0x0' }))),
    ],
    [
      'reports that a log was removed',
      lie(receipts, (result) => withLogs(result, (all) => all.map((log) => ({ ...log, removed: true })))),
    ],
    [
      "labels receipts as another block's",
      lie(receipts, (result) => listed(result).map((each) => ({ ...each, blockHash: otherHash }))),
    ],
    ['has no logs at the second read', lie(logs, () => [])],
    [
      'changes an amount at the second read',
      lie(logs, (result) => listed(result).map((log) => ({ ...log, data: more }))),
    ],
    [
      'invents a transfer at the second read',
      lie(logs, (result) => [
        ...listed(result),
        ...listed(result).map((log) => ({ ...log, logIndex: '0x63' })),
      ]),
    ],
    [
      'returns logs of another block at the second read',
      lie(logs, (result) => listed(result).map((log) => ({ ...log, blockHash: otherHash }))),
    ],
    ['returns nonsense', lie(aBlock, () => 'soon')],
  ]
  let genesis: unknown

  for (const [what, altered] of lies) {
    test(`that ${what} makes no progress, and nothing is credited`, async () => {
      genesis = await at.chain.rpc.call(aBlock, ['0x0', false])
      const { scene, payment } = await at.paidScene()
      const before = await at.cursorOf(scene)
      at.front.alter = altered
      {
        await using watcher = at.run(scene)
        await eventually('the watcher logs it', () =>
          watcher.lines.some(({ msg }) => msg === 'the watcher makes no progress'),
        )
        assert.equal(await at.received(scene, payment), 0)
        const { final, halted } = await at.cursorOf(scene)
        assert.deepEqual({ final, halted }, { final: before.final, halted: null })
      }
      at.front.alter = undefined
      await catchUp(scene.watching(at.rpc))
      assert.equal(await at.received(scene, payment), 1_000)
      assert.deepEqual(await scene.balance(), { available: 1_000n, pending: 0n })
    })
  }
})

/** A node that lacks the results of these methods for blocks below `from`. */
function forgetting(from: bigint, ...methods: readonly string[]) {
  return ({ method, params }: Call, result: unknown) => {
    const isOld = isFields(result) && typeof result['number'] === 'string' && BigInt(result['number']) < from
    const [first] = listed(result)
    const isOldList = first !== undefined && BigInt(String(first['blockNumber'])) < from
    return methods.includes(method) && params[0] !== 'finalized' && (isOld || isOldList) ? null : result
  }
}

describe('a node that lags, lacks history or is not reachable', () => {
  test('with a head below ours the watcher waits, and nothing is reversed', async () => {
    const { scene, payment } = await at.paidScene()
    await at.pay(payment, 5n * cent)
    const { tip } = await catchUp(scene.watching(at.rpc))
    await at.world.drainAll()
    const earlier = await at.chain.rpc.call(aBlock, [`0x${(tip.number - 1n).toString(16)}`, false])
    at.front.alter = lie(aBlock, (result, { params }) => (params[0] === 'latest' ? earlier : result))
    assert.deepEqual((await catchUp(scene.watching(at.rpc))).tip, tip)
    assert.deepEqual(await scene.balance(), { available: 1_000n, pending: 5n })
  })

  test('a head below a final block is logged, and nothing is reversed', async () => {
    const { scene, payment } = await at.paidScene()
    const { final } = await catchUp(scene.watching(at.rpc))
    at.front.alter = lie(aBlock, (result) =>
      isFields(result) && BigInt(String(result['number'])) > final.number - 2n ? null : result,
    )
    const low = await at.chain.rpc.call(aBlock, [`0x${(final.number - 3n).toString(16)}`, false])
    const cut = at.front.alter
    at.front.alter = (call, result) =>
      call.params[0] === 'latest' && call.method === aBlock ? low : cut(call, result)
    await using watcher = at.run(scene)
    await eventually('it is logged', () =>
      watcher.lines.some(({ error }) => error?.includes('not there now')),
    )
    assert.equal((await at.cursorOf(scene)).halted, null)
    assert.equal(await at.received(scene, payment), 1_000)
  })

  for (const [what, methods] of [
    ['blocks', [aBlock]],
    ['receipts', [receipts]],
  ] as const) {
    test(`a node whose ${what} do not reach back to our cursor is an error, and nothing is skipped`, async () => {
      const { scene, payment } = await at.paidScene()
      const before = await at.cursorOf(scene)
      await at.chain.mine(40)
      at.front.alter = forgetting((await at.chain.head()) - 1n, ...methods)
      {
        await using watcher = at.run(scene)
        await eventually('it is an error', () =>
          watcher.lines.some(({ error, level }) => level === 50 && error?.includes('too short')),
        )
        const now = await at.cursorOf(scene)
        // Blocks without transactions need no receipts.
        assert.ok(now.number < (await at.chain.head()) - 4n && now.final === before.final)
        assert.equal(await at.received(scene, payment), 0)
      }
      at.front.alter = undefined
      await catchUp(scene.watching(at.rpc))
      assert.equal(await at.received(scene, payment), 1_000)
    })
  }

  test('a block near the head that the node does not have yet is a warning, and is read when it is there', async () => {
    const { scene, payment } = await at.paidScene()
    await at.chain.mine(5)
    at.front.alter = forgetting((await at.chain.head()) - 1n, aBlock)
    await using watcher = at.run(scene)
    await eventually('it is a warning', () => watcher.lines.some(({ error }) => error?.includes(' yet')))
    at.front.alter = undefined
    await eventually('the payment is credited', async () => (await at.received(scene, payment)) === 1_000)
    assert.deepEqual(
      watcher.lines.filter(({ level }) => level === 50),
      [],
    )
  })

  test('the watcher waits for a node that is not reachable', async () => {
    const { scene, payment } = await at.paidScene()
    const { behind } = at.front
    at.front.behind = undefined
    await using watcher = at.run(scene)
    await eventually('it is logged', () =>
      watcher.lines.some(({ msg }) => msg === 'the watcher makes no progress'),
    )
    at.front.behind = behind
    await eventually('the payment is credited', async () => (await at.received(scene, payment)) === 1_000)
  })
})
