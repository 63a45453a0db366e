import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import {
  finalizedBehind,
  newPayer,
  startTestChain,
  transferEventOf,
} from '../../../test/laws/watcher-chain.ts'
import { openLookout } from '../../../test/laws/watcher-lookout.ts'
import { cent } from '../../../test/laws/watcher-till.ts'
import { catchUp } from '../../../test/laws/watcher-world.ts'
import { openForTests } from '../../../test/open-for-tests.ts'

const at = openForTests(openLookout)
beforeEach(() => {
  at.front.alter = undefined
})

describe('the place to go on from', () => {
  test('after a pause every block is read in order and credited', async (t) => {
    const { scene, payment } = await at.paidScene()
    const blocks = 128
    const later = await scene.newPayment(100n)
    for (let part = 0; part < 4; part++) {
      await at.chain.mine(blocks / 4 - 2)
      await at.pay(later, 25n * cent)
    }
    await at.chain.mine(2)
    const startedAt = performance.now()
    await catchUp(scene.watching(at.rpc))
    const spanMs = performance.now() - startedAt
    t.diagnostic(`${blocks} blocks in ${spanMs.toFixed(0)} ms: ${(spanMs / blocks).toFixed(1)} ms for each`)
    assert.equal(await at.received(scene, payment), 1_000)
    assert.equal(await at.received(scene, later), 100)
    const [kept] = await at.world.sql<
      { blocks: bigint }[]
    >`select count(*) as blocks from chain_block where chain = ${scene.chain.key}`
    assert.equal(kept?.blocks, 3n, 'blocks that are final are not kept, but the last one')
  })

  test('when addresses were assigned before the first watcher started, it lies before them', async () => {
    const scene = await at.world.newScene()
    const payment = await scene.newPayment(1_000n)
    await at.pay(payment, 1_000n * cent)
    await at.chain.mine(20)
    await catchUp(scene.watching(at.rpc))
    assert.equal(await at.received(scene, payment), 1_000)
  })

  test('an address that the first reading could not know is found by the second', async () => {
    const { scene, payment } = await at.paidScene()
    const late = await scene.newPayment(300n)
    const rows = await at.world.sql`delete from deposit_address where payment_id = ${late.id} returning *`
    await at.pay(late, 300n * cent)
    await catchUp(scene.watching(at.rpc))
    await at.world.sql`insert into deposit_address ${at.world.sql(rows)}`
    await at.chain.mine(2)
    await catchUp(scene.watching(at.rpc))
    assert.equal(await at.received(scene, late), 300)
    assert.equal(await at.received(scene, payment), 1_000)
    assert.deepEqual(await scene.balance(), { available: 1_300n, pending: 0n })
  })

  test('stray tokens are counted once they are final, and not before', async () => {
    const scene = await at.world.newScene()
    await catchUp(scene.watching(at.rpc))
    const payment = await scene.newPayment(1_000n)
    const strays = () => at.world.sql`select 1 from stray where chain = ${scene.chain.key}`
    const tx = await newPayer().contractMade([transferEventOf(newPayer().address, payment.address, 5n)])
    await at.chain.send(tx)
    await at.chain.mine(2)
    await catchUp(scene.watching(at.rpc))
    assert.equal((await strays()).length, 0)
    await at.chain.reorg(2)
    await at.chain.mine(4)
    await catchUp(scene.watching(at.rpc))
    assert.equal((await strays()).length, 0)
    await at.chain.send(tx)
    await at.chain.mine(3)
    await catchUp(scene.watching(at.rpc))
    assert.equal((await strays()).length, 1)
  })
})

describe('several watchers', () => {
  test('one works and the other stands by, and takes over when the first ends', async () => {
    const { scene, payment } = await at.paidScene()
    {
      await using _first = at.run(scene)
      await eventually('the first works', async () => (await at.received(scene, payment)) === 1_000)
      const { fence } = await at.cursorOf(scene)
      await using _second = at.run(scene)
      await at.pay(payment, 7n * cent)
      await at.chain.mine(2)
      await eventually('it is credited', async () => (await at.received(scene, payment)) === 1_007)
      assert.equal((await at.cursorOf(scene)).fence, fence)
    }
    await using _third = at.run(scene)
    await at.pay(payment, 8n * cent)
    await at.chain.mine(2)
    await eventually('it is credited', async () => (await at.received(scene, payment)) === 1_015)
  })

  test('a watcher whose lease ran out notices it and stands by', async () => {
    const { scene, payment } = await at.paidScene()
    await using first = at.run(scene)
    await eventually('the first works', async () => (await at.received(scene, payment)) === 1_000)
    // The first watcher loses its lease for a moment; it notices after at most two seconds.
    await at.world.sql`update chain set lease_until = null where key = ${scene.chain.key}`
    await using _second = at.run(scene)
    await eventually('another has the lease', async () => (await at.cursorOf(scene)).fence > 1n)
    for (let paid = 1_000; paid < 1_005; paid++) {
      await at.pay(payment, 1n * cent)
      await at.chain.mine(2)
      await eventually('it is credited once', async () => (await at.received(scene, payment)) === paid + 1)
    }
    assert.deepEqual(
      first.lines.filter(({ level }) => level >= 40),
      [],
    )
  })
})

test('a final block has our own depth and is final by the node', async () => {
  const finalOf = async (confirmationsMin: number) => {
    const scene = await at.world.newScene({ confirmationsMin })
    await scene.newPayment(1_000n)
    await at.chain.mine(20)
    await catchUp(scene.watching(at.rpc))
    return Number(await at.chain.head()) - Number((await at.cursorOf(scene)).final)
  }
  // The node calls a block final when two blocks follow it: a depth of one does not make it final earlier.
  assert.equal(await finalOf(1), finalizedBehind)
  // Six confirmations are the block's own and five more.
  assert.equal(await finalOf(6), 5)
})

describe('when final history changed', () => {
  test('a live chain is halted with the reason, stays so after a start, and other chains continue', async () => {
    const { scene, payment } = await at.paidScene()
    const other = await at.world.newScene()
    {
      await using watcher = at.run(scene)
      await eventually('it is credited', async () => (await at.received(scene, payment)) === 1_000)
      await at.chain.reorg(4)
      await eventually('it is halted', async () => (await at.cursorOf(scene)).halted !== null)
      assert.ok(
        watcher.lines.some(
          ({ msg, level }) => level === 50 && msg === 'final history changed: crypto is halted',
        ),
      )
    }
    assert.match(
      (await at.cursorOf(scene)).halted ?? '',
      /^block \d+ was final as 0x[0-9a-f]{64} and is 0x[0-9a-f]{64} now$/,
    )
    await at.pay(payment, 9n * cent)
    await at.chain.mine(3)
    {
      await using again = at.run(scene)
      await eventually('the log says so', () =>
        again.lines.some(({ error }) => error?.startsWith('halted: block')),
      )
      assert.equal(await at.received(scene, payment), 1_000)
    }
    await catchUp(other.watching(at.rpc))
  })

  test('the node was wrong and is right again: when the halt is lifted, the watcher continues', async () => {
    const { scene, payment } = await at.paidScene()
    await catchUp(scene.watching(at.rpc))
    const { final } = await at.cursorOf(scene)
    // Another chain that is consistent in itself, like that of a node on a wrong branch.
    await using wrong = await startTestChain()
    await wrong.mine(Number(final) + 5)
    const { behind } = at.front
    at.front.behind = wrong.url
    {
      await using _watcher = at.run(scene)
      await eventually('it is halted', async () => (await at.cursorOf(scene)).halted !== null)
    }
    at.front.behind = behind
    await at.world.sql`update chain set halted = null where key = ${scene.chain.key}`
    await at.pay(payment, 9n * cent)
    await at.chain.mine(3)
    await catchUp(scene.watching(at.rpc))
    assert.equal(await at.received(scene, payment), 1_009)
  })
})
