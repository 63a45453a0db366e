import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RpcError, type Rpc } from '#/evm/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import { bscFees, raisedFees, suggestFees } from './fees.ts'

const gwei = 10n ** 9n

/** A node with this history of fees. */
function nodeWith(history: () => unknown): Rpc {
  const call = async () => history()
  return { call } as Partial<Rpc> as Rpc
}

function feesIn(history: unknown) {
  return suggestFees(
    nodeWith(() => history),
    bscFees,
  )
}

describe('the usual fees', () => {
  test('they are the median of what was paid, without empty blocks', async () => {
    const reward = [['0x0'], ['0x5f5e100'], ['0xbebc200'], ['0x11e1a300']]
    assert.deepEqual(await feesIn({ baseFeePerGas: ['0x0', '0x0'], reward }), {
      maxFeePerGas: 200_000_000n,
      maxPriorityFeePerGas: 200_000_000n,
    })
  })

  test('they are never below the floor nor above the cap', async () => {
    const floor = { maxFeePerGas: gwei / 20n, maxPriorityFeePerGas: gwei / 20n }
    assert.deepEqual(await feesIn({ baseFeePerGas: ['0x0'], reward: [['0x1']] }), floor)
    assert.deepEqual(await feesIn({}), floor)
    const cap = { maxFeePerGas: 5n * gwei, maxPriorityFeePerGas: 5n * gwei }
    assert.deepEqual(await feesIn({ baseFeePerGas: ['0x0'], reward: [['0x174876e800']] }), cap)
  })

  test('twice the base fee is offered, so that a few full blocks do not outrun it', async () => {
    const found = await feesIn({ baseFeePerGas: ['0x1', '0x3b9aca00'], reward: [['0x3b9aca00']] })
    assert.deepEqual(found, { maxFeePerGas: 3n * gwei, maxPriorityFeePerGas: gwei })
  })

  test('a node without such a history gives the floor; an unreachable node gives nothing', async () => {
    const fail = (outcome: 'refused' | 'unknown') =>
      suggestFees(
        nodeWith(() => {
          throw new RpcError(outcome, -32601, 'no such method')
        }),
        bscFees,
      )
    assert.equal((await fail('refused')).maxFeePerGas, gwei / 20n)
    await assert.rejects(fail('unknown'))
    const refused = nodeWith(() => {
      throw new ProviderError('refused', 'no answer of a node')
    })
    await assert.rejects(suggestFees(refused, bscFees))
  })

  const free = { floor: 0n, cap: gwei }

  test('the node is asked for the medians of its last twenty blocks', async () => {
    const asked: unknown[] = []
    const call = async (...params: unknown[]) => {
      asked.push(...params)
      return {}
    }
    await suggestFees({ call } as Partial<Rpc> as Rpc, free)
    assert.deepEqual(asked, ['eth_feeHistory', ['0x14', 'latest', [50]]])
  })

  for (const [tips, median] of [
    [[0, 0, 5, 1, 4, 0, 2, 3], 3n],
    [[0, 1], 1n],
    [[0], 0n],
  ] as const)
    test(`of ${tips.join(', ')} wei the median is ${median}, where a block without a tip is none`, async () => {
      const history = { reward: tips.map((tip) => [`0x${tip}`]) }
      const found = await suggestFees(
        nodeWith(() => history),
        free,
      )
      assert.deepEqual(found, { maxFeePerGas: median, maxPriorityFeePerGas: median })
    })

  test('without a history and without a floor nothing is offered', async () => {
    const node = nodeWith(() => {
      throw new RpcError('refused', -32601, 'no such method')
    })
    assert.deepEqual(await suggestFees(node, free), { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n })
  })
})

describe('a replacement', () => {
  const usual = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }

  test('it offers an eighth more, rounded up, of both', () => {
    const raised = raisedFees({ maxFeePerGas: 1_001n, maxPriorityFeePerGas: 8n }, usual, bscFees)
    assert.deepEqual(raised, { maxFeePerGas: 1_127n, maxPriorityFeePerGas: 9n })
  })

  test('it offers what is usual where that is more', () => {
    const raised = raisedFees(usual, { maxFeePerGas: 90n, maxPriorityFeePerGas: 2n }, bscFees)
    assert.deepEqual(raised, { maxFeePerGas: 90n, maxPriorityFeePerGas: 2n })
  })

  test('there is one at the cap, and none beyond it', () => {
    const tip = { maxPriorityFeePerGas: 1n }
    const at = raisedFees({ maxFeePerGas: 8n, ...tip }, usual, { floor: 0n, cap: 9n })
    assert.equal(at?.maxFeePerGas, 9n)
    const before = { maxFeePerGas: 5n * gwei - 1n, maxPriorityFeePerGas: 1n }
    assert.equal(raisedFees(before, usual, bscFees), undefined)
  })
})
