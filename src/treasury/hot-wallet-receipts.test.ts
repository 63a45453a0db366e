// A node that has our transaction and for a while not its receipt, or answers "underpriced": the wallet neither stops nor bids in vain.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { insertMoves } from '#/coins/queries.ts'
import { createRpc, RpcError } from '#/evm/client.ts'
import { must } from '#/kernel/check.ts'
import {
  begin,
  cent,
  destinationOf,
  openPayoutWorld,
  type PayoutWorld,
  type Till,
} from '../../test/laws/payout-world.ts'
import { startTestChain, type TestChain } from '../../test/laws/watcher-chain.ts'
import { startInFront, type NodeInFront } from '../../test/laws/watcher-node.ts'
import type { HotWalletDeps } from './hot-wallet-lease.ts'
import { step } from './hot-wallet.ts'

let node: TestChain
let front: NodeInFront
let world: PayoutWorld
before(async () => {
  node = await startTestChain()
  front = await startInFront(node.url)
  world = await openPayoutWorld(node)
})
after(async () => {
  await using _world = world
  await using _front = front
  await using _node = node
})

const one = 'eth_getTransactionReceipt'
const all = 'eth_getBlockReceipts'

/** The node in front answers these methods as if it had no such receipts. */
function hide(...methods: readonly string[]): void {
  front.alter = ({ method }, result) => (methods.includes(method) ? null : result)
}

function sending(till: Till, more: Partial<HotWalletDeps> = {}): HotWalletDeps {
  return till.sending({ rpc: createRpc(front.url, { timeoutMs: 60_000 }), ...more })
}

/** A payout that is in a final block of the chain, and whose receipt the node hides by these methods. */
async function hidden(...methods: readonly string[]) {
  front.alter = undefined
  const till = await world.newTill()
  const deps = sending(till)
  const held = await begin(deps)
  const order = till.order(123n)
  await till.rail.send(order, false)
  await step(deps, held)
  hide(...methods)
  await node.mine(5)
  const passes = async (times: number) => {
    for (let pass = 0; pass < times; pass++) {
      await step(deps, held)
      await node.mine()
    }
  }
  return { till, deps, held, order, passes }
}

describe('a node without a receipt', () => {
  test('when its index lacks it, the proven block shows it', async () => {
    const { till, order, passes } = await hidden(one)
    await passes(3)
    const done = await till.rail.send(order, true)
    assert.equal(done.state, 'done')
    assert.match(done.evidence.toString(), /effectiveGasPrice/)
    assert.equal((await world.stateOf(till)).stopped, null)
    assert.equal(await world.balanceOf(destinationOf(order)), 123n * cent)
  })

  test('when it shows none at all, nothing is sent and nothing stops, until it does', async () => {
    const { till, deps, held, order, passes } = await hidden(one, all)
    await passes(6)
    assert.equal((await world.stateOf(till)).stopped, null)
    const later = till.order(7n)
    await till.rail.send(later, false)
    await passes(3)
    assert.equal((await world.stateOf(till)).nextNonce, 1n, 'nothing more is sent meanwhile')
    front.alter = undefined
    const results = await world.settle(till, deps, held, [order, later])
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done'],
    )
    assert.equal(await world.balanceOf(destinationOf(order)), 123n * cent)
  })

  test('what the watcher has seen is ours: the wallet goes on without the receipt', async () => {
    const { till, deps, held, order, passes } = await hidden(one, all)
    const [attempt] = await world.sql<{ hash: Buffer }[]>`
      select hash from chain_tx_attempt join chain_tx on id = tx where chain = ${till.chain.key}`
    const txHash = `0x${must(attempt, 'an attempt').hash.toString('hex')}` as const
    const receipt = must(await node.rpc.getTransactionReceipt(txHash), 'a receipt')
    await world.sql.begin((tx) =>
      insertMoves(tx, till.chain.key, [
        {
          blockHash: receipt.blockHash,
          blockNumber: receipt.blockNumber,
          blockAt: world.clock.now(),
          logIndex: 0,
          txHash,
          sender: till.address,
          recipient: destinationOf(order),
          value: 123n * cent,
          log: '{}',
        },
      ]),
    )
    const later = till.order(7n)
    await till.rail.send(later, false)
    await passes(3)
    assert.deepEqual([(await world.stateOf(till)).stopped, (await world.stateOf(till)).nextNonce], [null, 2n])
    front.alter = undefined
    const results = await world.settle(till, deps, held, [order, later])
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done'],
    )
  })

  test('a wallet that stopped because of it goes on by itself when the receipt appears', async () => {
    const { till, deps, held, order } = await hidden(one, all)
    await world.sql`
      update hot_wallet set stopped = 'nonce 0 was taken by a transaction that is not ours' where chain = ${till.chain.key}`
    await world.sql`update chain_tx set taken = true where chain = ${till.chain.key}`
    await step(deps, held)
    assert.notEqual((await world.stateOf(till)).stopped, null)
    front.alter = undefined
    const later = till.order(7n)
    await till.rail.send(later, false)
    const results = await world.settle(till, deps, held, [order, later])
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done'],
    )
    assert.equal((await world.stateOf(till)).stopped, null)
  })
})

test('a node that answers "underpriced" is offered more once in each block, up to the cap', async () => {
  front.alter = undefined
  const till = await world.newTill()
  const refusing = {
    ...node.rpc,
    sendRawTransaction: async () => {
      throw new RpcError('refused', -32_000, 'transaction underpriced')
    },
  }
  const floor = 10n ** 9n
  const deps = till.sending({ rpc: refusing, fees: { floor, cap: 2n * floor }, resendBlocks: 1 })
  const held = await begin(deps)
  await till.rail.send(till.order(5n), false)
  const attempts = async () => {
    const rows =
      await world.sql`select from chain_tx_attempt join chain_tx on id = tx where chain = ${till.chain.key}`
    return rows.length
  }
  for (let blocks = 1; blocks <= 3; blocks++) {
    for (let passes = 0; passes < 4; passes++) await step(deps, held)
    assert.equal(await attempts(), blocks, `after ${blocks} blocks`)
    await node.mine()
  }
  for (let blocks = 0; blocks < 8; blocks++) {
    await step(deps, held)
    await node.mine()
  }
  const [highest] = await world.sql<{ fee: string }[]>`
    select max(max_fee)::text as fee from chain_tx_attempt join chain_tx on id = tx where chain = ${till.chain.key}`
  assert.ok(BigInt(must(highest, 'an attempt').fee) <= 2n * floor)
  assert.equal((await world.stateOf(till)).waiting, 'FEES')
})
