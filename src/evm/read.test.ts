import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { openLookout, type Lookout } from '../../test/laws/watcher-lookout.ts'
import { isFields, lie, listed, type Call } from '../../test/laws/watcher-node.ts'
import { cent } from '../../test/laws/watcher-till.ts'
import { catchUp } from '../../test/laws/watcher-world.ts'

let at: Lookout
before(async () => {
  at = await openLookout()
})
after(() => at[Symbol.asyncDispose]())
beforeEach(() => {
  at.front.alter = undefined
})

type Fields = Readonly<Record<string, unknown>>

const changed = (result: unknown, fields: Fields) => (isFields(result) ? { ...result, ...fields } : result)
const otherHash = `0x${'ab'.repeat(32)}`
const aBlock = 'eth_getBlockByNumber'
const receipts = 'eth_getBlockReceipts'
const logs = 'eth_getLogs'

/** Receipts whose logs are changed, everything else as it was. */
function withLogs(result: unknown, change: (logs: readonly Fields[]) => readonly Fields[]) {
  return listed(result).map((receipt) => ({ ...receipt, logs: change(listed(receipt['logs'])) }))
}

describe('a node that does not tell the truth', () => {
  const more = `0x${(10n ** 24n).toString(16).padStart(64, '0')}`
  const lies: readonly (readonly [string, (call: Call, result: unknown) => unknown])[] = [
    ['says another time of a block', lie(aBlock, (block) => changed(block, { timestamp: '0x1' }))],
    ['says another parent of a block', lie(aBlock, (block) => changed(block, { parentHash: otherHash }))],
    ['says another hash of a block', lie(aBlock, (block) => changed(block, { hash: otherHash }))],
    [
      'says another root of the receipts',
      lie(aBlock, (block) => changed(block, { receiptsRoot: otherHash })),
    ],
    ['leaves out a transaction of a block', lie(aBlock, (block) => changed(block, { transactions: [] }))],
    ['gives one block for all', lie(aBlock, () => genesis)],
    ['leaves out a receipt', lie(receipts, (result) => listed(result).slice(1))],
    ['leaves out a log of a receipt', lie(receipts, (result) => withLogs(result, () => []))],
    [
      'changes an amount',
      lie(receipts, (result) => withLogs(result, (all) => all.map((log) => ({ ...log, data: more })))),
    ],
    ['doubles a log', lie(receipts, (result) => withLogs(result, (all) => [...all, ...all]))],
    [
      'says that a transaction failed',
      lie(receipts, (result) => listed(result).map((each) => ({ ...each, status: '0x0' }))),
    ],
    [
      'calls a log removed',
      lie(receipts, (result) => withLogs(result, (all) => all.map((log) => ({ ...log, removed: true })))),
    ],
    [
      "labels receipts as another block's",
      lie(receipts, (result) => listed(result).map((each) => ({ ...each, blockHash: otherHash }))),
    ],
    ['has no logs at the second reading', lie(logs, () => [])],
    [
      'changes an amount at the second reading',
      lie(logs, (result) => listed(result).map((log) => ({ ...log, data: more }))),
    ],
    [
      'invents a transfer at the second reading',
      lie(logs, (result) => [
        ...listed(result),
        ...listed(result).map((log) => ({ ...log, logIndex: '0x63' })),
      ]),
    ],
    [
      'gives logs of another block at the second reading',
      lie(logs, (result) => listed(result).map((log) => ({ ...log, blockHash: otherHash }))),
    ],
    ['answers nonsense', lie(aBlock, () => 'soon')],
  ]
  let genesis: unknown

  for (const [what, altered] of lies) {
    test(`that ${what} is not followed, and nothing is credited`, async () => {
      genesis = await at.chain.rpc.call(aBlock, ['0x0', false])
      const { scene, payment } = await at.paidScene()
      const before = await at.cursorOf(scene)
      at.front.alter = altered
      {
        await using watcher = at.run(scene)
        await eventually('the watcher says so', () =>
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

/** The node has only blocks from here on; of what is older it lacks what these methods give. */
function forgetting(from: bigint, ...methods: readonly string[]) {
  return ({ method, params }: Call, result: unknown) => {
    const isOld = isFields(result) && typeof result['number'] === 'string' && BigInt(result['number']) < from
    const [first] = listed(result)
    const isOldList = first !== undefined && BigInt(String(first['blockNumber'])) < from
    return methods.includes(method) && params[0] !== 'finalized' && (isOld || isOldList) ? null : result
  }
}

describe('a node that lags, forgets or is away', () => {
  test('a head below ours is waited for, and nothing is taken back', async () => {
    const { scene, payment } = await at.paidScene()
    await at.pay(payment, 5n * cent)
    const { tip } = await catchUp(scene.watching(at.rpc))
    await at.world.drainAll()
    const earlier = await at.chain.rpc.call(aBlock, [`0x${(tip.number - 1n).toString(16)}`, false])
    at.front.alter = lie(aBlock, (result, { params }) => (params[0] === 'latest' ? earlier : result))
    assert.deepEqual((await catchUp(scene.watching(at.rpc))).tip, tip)
    assert.deepEqual(await scene.balance(), { available: 1_000n, pending: 5n })
  })

  test('a head below what was final is said, and nothing is taken back', async () => {
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
    await eventually('it is said', () => watcher.lines.some(({ error }) => error?.includes('not there now')))
    assert.equal((await at.cursorOf(scene)).halted, null)
    assert.equal(await at.received(scene, payment), 1_000)
  })

  for (const [what, methods] of [
    ['blocks', [aBlock]],
    ['receipts', [receipts]],
  ] as const) {
    test(`one whose ${what} do not reach back to where we stand is an error, and nothing is skipped`, async () => {
      const { scene, payment } = await at.paidScene()
      const before = await at.cursorOf(scene)
      await at.chain.mine(5)
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

  test('one that is away is waited for', async () => {
    const { scene, payment } = await at.paidScene()
    const { behind } = at.front
    at.front.behind = undefined
    await using watcher = at.run(scene)
    await eventually('it is said', () =>
      watcher.lines.some(({ msg }) => msg === 'the watcher makes no progress'),
    )
    at.front.behind = behind
    await eventually('the payment is credited', async () => (await at.received(scene, payment)) === 1_000)
  })
})
