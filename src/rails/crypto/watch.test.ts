import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { must } from '#/kernel/check.ts'
import { newPayer, startTestChain, transferEventOf, type SignedTx, type TestChain } from '../../../test/laws/watcher-chain.ts'
import { startInFront, type Call, type NodeInFront } from '../../../test/laws/watcher-node.ts'
import { catchUp, openWorld, type Payment, type Scene, type World } from '../../../test/laws/watcher-world.ts'
import { createRpc, type Rpc } from './client.ts'
import { createWatcher, type WatcherDeps } from './watch.ts'

const cent = 10n ** 16n

let chain: TestChain
let world: World
let front: NodeInFront
let rpc: Rpc
before(async () => {
  chain = await startTestChain()
  world = await openWorld(() => chain)
  front = await startInFront(chain.url)
  rpc = createRpc(front.url, { timeoutMs: 5_000 })
})
after(async () => {
  rpc.close()
  await front[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})
beforeEach(() => {
  front.alter = undefined
})

type Line = { readonly msg: string; readonly error?: string; readonly level: number }

/** A watcher in its own loop, and what it wrote into its log. */
function run(scene: Scene, more: Partial<WatcherDeps> = {}) {
  const lines: Line[] = []
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
  const stop = new AbortController()
  const running = createWatcher(scene.watching(rpc, { log, ...more })).run(stop.signal)
  return {
    lines,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}

/** Asks again until it is so. The limit only ends a hanging test. */
async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limitAt = performance.now() + 20_000
  while (!(await isSo())) {
    assert.ok(performance.now() < limitAt, `${what}: never`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function sign(to: Payment, cents: bigint): Promise<SignedTx> {
  const payer = newPayer()
  await chain.fund([payer.address])
  return payer.transfer(chain.contracts.token, { to: to.address, value: cents * cent })
}

async function pay(to: Payment, cents: bigint): Promise<SignedTx> {
  const tx = await sign(to, cents)
  await chain.send(tx)
  await chain.mine()
  return tx
}

async function received(scene: Scene, payment: Payment): Promise<number> {
  await world.drainAll()
  return Number((await scene.show(payment))['amountReceived'])
}

async function cursorOf(scene: Scene) {
  const [row] = await world.sql<{ number: bigint; final: bigint; halted: string | null; fence: bigint }[]>`
    select number, final_number as final, halted, fence from chain where key = ${scene.chain.key}`
  return must(row, 'a chain')
}

async function paidScene(): Promise<{ scene: Scene; payment: Payment }> {
  const scene = await world.newScene()
  await catchUp(scene.watching(chain.rpc))
  const payment = await scene.newPayment(1_000n)
  await pay(payment, 1_000n)
  await chain.mine(3)
  return { scene, payment }
}

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const changed = (result: unknown, fields: Fields) => (isFields(result) ? { ...result, ...fields } : result)
const listed = (result: unknown) => (Array.isArray(result) ? (result as Fields[]) : [])

/** Changes the answers to one method alone. */
function lie(method: string, change: (result: unknown, call: Call) => unknown) {
  return (call: Call, result: unknown) => (call.method === method ? change(result, call) : result)
}

const otherHash = `0x${'ab'.repeat(32)}`
const aBlock = 'eth_getBlockByNumber'
const receipts = 'eth_getBlockReceipts'
const logs = 'eth_getLogs'

/** Receipts whose logs are changed, everything else as it was. */
function withLogs(result: unknown, change: (logs: Fields[]) => Fields[]) {
  return listed(result).map((receipt) => ({ ...receipt, logs: change(listed(receipt['logs'])) }))
}

describe('a node that does not tell the truth', () => {
  const more = `0x${(10n ** 24n).toString(16).padStart(64, '0')}`
  const lies: readonly (readonly [string, (call: Call, result: unknown) => unknown])[] = [
    ['says another time of a block', lie(aBlock, (block) => changed(block, { timestamp: '0x1' }))],
    ['says another parent of a block', lie(aBlock, (block) => changed(block, { parentHash: otherHash }))],
    ['says another hash of a block', lie(aBlock, (block) => changed(block, { hash: otherHash }))],
    ['says another root of the receipts', lie(aBlock, (block) => changed(block, { receiptsRoot: otherHash }))],
    ['leaves out a transaction of a block', lie(aBlock, (block) => changed(block, { transactions: [] }))],
    ['gives one block for all', lie(aBlock, () => genesis)],
    ['leaves out a receipt', lie(receipts, (result) => listed(result).slice(1))],
    ['leaves out a log of a receipt', lie(receipts, (result) => withLogs(result, () => []))],
    ['changes an amount', lie(receipts, (result) => withLogs(result, (all) => all.map((log) => ({ ...log, data: more }))))],
    ['doubles a log', lie(receipts, (result) => withLogs(result, (all) => [...all, ...all]))],
    ['says that a transaction failed', lie(receipts, (result) => listed(result).map((each) => ({ ...each, status: '0x0' })))],
    ['calls a log removed', lie(receipts, (result) => withLogs(result, (all) => all.map((log) => ({ ...log, removed: true }))))],
    ['labels receipts as another block\'s', lie(receipts, (result) => listed(result).map((each) => ({ ...each, blockHash: otherHash })))],
    ['has no logs at the second reading', lie(logs, () => [])],
    ['changes an amount at the second reading', lie(logs, (result) => listed(result).map((log) => ({ ...log, data: more })))],
    ['invents a transfer at the second reading', lie(logs, (result) => [...listed(result), ...listed(result).map((log) => ({ ...log, logIndex: '0x63' }))])],
    ['gives logs of another block at the second reading', lie(logs, (result) => listed(result).map((log) => ({ ...log, blockHash: otherHash })))],
    ['answers nonsense', lie(aBlock, () => 'soon')],
  ]
  let genesis: unknown

  for (const [what, altered] of lies) {
    test(`that ${what} is not followed, and nothing is credited`, async () => {
      genesis = await chain.rpc.call(aBlock, ['0x0', false])
      const { scene, payment } = await paidScene()
      const before = await cursorOf(scene)
      front.alter = altered
      {
        await using watcher = run(scene)
        await eventually('the watcher says so', () => watcher.lines.some(({ msg }) => msg === 'the watcher makes no progress'))
        assert.equal(await received(scene, payment), 0)
        const { final, halted } = await cursorOf(scene)
        assert.deepEqual({ final, halted }, { final: before.final, halted: null })
      }
      front.alter = undefined
      await catchUp(scene.watching(rpc))
      assert.equal(await received(scene, payment), 1_000)
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
    const { scene, payment } = await paidScene()
    await pay(payment, 5n)
    const { tip } = await catchUp(scene.watching(rpc))
    await world.drainAll()
    const earlier = await chain.rpc.call(aBlock, [`0x${(tip.number - 1n).toString(16)}`, false])
    front.alter = lie(aBlock, (result, { params }) => (params[0] === 'latest' ? earlier : result))
    assert.deepEqual((await catchUp(scene.watching(rpc))).tip, tip)
    assert.deepEqual(await scene.balance(), { available: 1_000n, pending: 5n })
  })

  test('a head below what was final is said, and nothing is taken back', async () => {
    const { scene, payment } = await paidScene()
    const { final } = await catchUp(scene.watching(rpc))
    front.alter = lie(aBlock, (result) => (isFields(result) && BigInt(String(result['number'])) > final.number - 2n ? null : result))
    const low = await chain.rpc.call(aBlock, [`0x${(final.number - 3n).toString(16)}`, false])
    const cut = front.alter
    front.alter = (call, result) => (call.params[0] === 'latest' && call.method === aBlock ? low : cut(call, result))
    await using watcher = run(scene)
    await eventually('it is said', () => watcher.lines.some(({ error }) => error?.includes('not there now')))
    assert.equal((await cursorOf(scene)).halted, null)
    assert.equal(await received(scene, payment), 1_000)
  })

  for (const [what, methods] of [
    ['blocks', [aBlock]],
    ['receipts', [receipts]],
  ] as const) {
    test(`one whose ${what} do not reach back to where we stand is an error, and nothing is skipped`, async () => {
      const { scene, payment } = await paidScene()
      const before = await cursorOf(scene)
      await chain.mine(5)
      front.alter = forgetting((await chain.head()) - 1n, ...methods)
      {
        await using watcher = run(scene)
        await eventually('it is an error', () => watcher.lines.some(({ error, level }) => level === 50 && error?.includes('too short')))
        const now = await cursorOf(scene)
        // Blocks without transactions need no receipts.
        assert.ok(now.number < (await chain.head()) - 4n && now.final === before.final)
        assert.equal(await received(scene, payment), 0)
      }
      front.alter = undefined
      await catchUp(scene.watching(rpc))
      assert.equal(await received(scene, payment), 1_000)
    })
  }

  test('one that is away is waited for', async () => {
    const { scene, payment } = await paidScene()
    const { behind } = front
    front.behind = undefined
    await using watcher = run(scene)
    await eventually('it is said', () => watcher.lines.some(({ msg }) => msg === 'the watcher makes no progress'))
    front.behind = behind
    await eventually('the payment is credited', async () => (await received(scene, payment)) === 1_000)
  })
})

describe('the place to go on from', () => {
  test('after a time off everything is read, block by block, and credited', async (t) => {
    const { scene, payment } = await paidScene()
    const blocks = 400
    const later = await scene.newPayment(100n)
    for (let part = 0; part < 4; part++) {
      await chain.mine(blocks / 4 - 2)
      await pay(later, 25n)
    }
    await chain.mine(2)
    const startedAt = performance.now()
    await catchUp(scene.watching(rpc))
    const spanMs = performance.now() - startedAt
    t.diagnostic(`${blocks} blocks in ${spanMs.toFixed(0)} ms: ${(spanMs / blocks).toFixed(1)} ms for each`)
    assert.equal(await received(scene, payment), 1_000)
    assert.equal(await received(scene, later), 100)
    const [kept] = await world.sql<{ blocks: bigint }[]>`select count(*) as blocks from chain_block where chain = ${scene.chain.key}`
    assert.equal(kept?.blocks, 3n, 'blocks that are final are not kept, but the last one')
  })

  test('when addresses were given out before anybody watched, it lies before them', async () => {
    const scene = await world.newScene()
    const payment = await scene.newPayment(1_000n)
    await pay(payment, 1_000n)
    await chain.mine(20)
    await catchUp(scene.watching(rpc))
    assert.equal(await received(scene, payment), 1_000)
  })

  test('an address that the first reading could not know is found by the second', async () => {
    const { scene, payment } = await paidScene()
    const late = await scene.newPayment(300n)
    const rows = await world.sql`delete from deposit_address where payment_id = ${late.id} returning *`
    await pay(late, 300n)
    await catchUp(scene.watching(rpc))
    await world.sql`insert into deposit_address ${world.sql(rows)}`
    await chain.mine(2)
    await catchUp(scene.watching(rpc))
    assert.equal(await received(scene, late), 300)
    assert.equal(await received(scene, payment), 1_000)
    assert.deepEqual(await scene.balance(), { available: 1_300n, pending: 0n })
  })

  test('stray tokens are counted once they are final, and not before', async () => {
    const scene = await world.newScene()
    await catchUp(scene.watching(rpc))
    const payment = await scene.newPayment(1_000n)
    const strays = () => world.sql`select 1 from stray where chain = ${scene.chain.key}`
    const tx = await newPayer().contractMade([transferEventOf(newPayer().address, payment.address, 5n)])
    await chain.send(tx)
    await chain.mine(2)
    await catchUp(scene.watching(rpc))
    assert.equal((await strays()).length, 0)
    await chain.reorg(2)
    await chain.mine(4)
    await catchUp(scene.watching(rpc))
    assert.equal((await strays()).length, 0)
    await chain.send(tx)
    await chain.mine(3)
    await catchUp(scene.watching(rpc))
    assert.equal((await strays()).length, 1)
  })
})

describe('several watchers', () => {
  test('one works and the other stands by, and takes over when the first ends', async () => {
    const { scene, payment } = await paidScene()
    {
      await using _first = run(scene)
      await eventually('the first works', async () => (await received(scene, payment)) === 1_000)
      const { fence } = await cursorOf(scene)
      await using _second = run(scene)
      await pay(payment, 7n)
      await chain.mine(2)
      await eventually('it is credited', async () => (await received(scene, payment)) === 1_007)
      assert.equal((await cursorOf(scene)).fence, fence)
    }
    await using _third = run(scene)
    await pay(payment, 8n)
    await chain.mine(2)
    await eventually('it is credited', async () => (await received(scene, payment)) === 1_015)
  })

  test('one whose lease ran out finds that it is no longer the one, and stands by', async () => {
    const { scene, payment } = await paidScene()
    await using first = run(scene)
    await eventually('the first works', async () => (await received(scene, payment)) === 1_000)
    // The first seems dead for a moment; two seconds later at most it notices.
    await world.sql`update chain set lease_until = null where key = ${scene.chain.key}`
    await using _second = run(scene)
    await eventually('another has the lease', async () => (await cursorOf(scene)).fence > 1n)
    for (let paid = 1_000; paid < 1_005; paid++) {
      await pay(payment, 1n)
      await chain.mine(2)
      await eventually('it is credited once', async () => (await received(scene, payment)) === paid + 1)
    }
    assert.deepEqual(first.lines.filter(({ level }) => level >= 40), [])
  })
})

describe('when final history changed', () => {
  test('a live chain is halted with the reason, stays so after a start, and others go on', async () => {
    const { scene, payment } = await paidScene()
    const other = await world.newScene()
    {
      await using watcher = run(scene)
      await eventually('it is credited', async () => (await received(scene, payment)) === 1_000)
      await chain.reorg(4)
      await eventually('it is halted', async () => (await cursorOf(scene)).halted !== null)
      assert.ok(watcher.lines.some(({ msg, level }) => level === 50 && msg === 'final history changed: crypto is halted'))
    }
    assert.match((await cursorOf(scene)).halted ?? '', /^block \d+ was final as 0x[0-9a-f]{64} and is 0x[0-9a-f]{64} now$/)
    await pay(payment, 9n)
    await chain.mine(3)
    {
      await using again = run(scene)
      await eventually('it is said', () => again.lines.some(({ error }) => error?.startsWith('halted: block')))
      assert.equal(await received(scene, payment), 1_000)
    }
    await catchUp(other.watching(rpc))
  })

  test('the node was wrong and is right again: with the halt taken away everything goes on', async () => {
    const { scene, payment } = await paidScene()
    await catchUp(scene.watching(rpc))
    const { final } = await cursorOf(scene)
    // Another chain that is consistent in itself, as a node on a wrong branch has it.
    await using wrong = await startTestChain()
    await wrong.mine(Number(final) + 5)
    const { behind } = front
    front.behind = wrong.url
    {
      await using _watcher = run(scene)
      await eventually('it is halted', async () => (await cursorOf(scene)).halted !== null)
    }
    front.behind = behind
    await world.sql`update chain set halted = null where key = ${scene.chain.key}`
    await pay(payment, 9n)
    await chain.mine(3)
    await catchUp(scene.watching(rpc))
    assert.equal(await received(scene, payment), 1_009)
  })
})
