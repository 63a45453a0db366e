// What a transaction offers for its gas. Block producers of BSC get a tip and burn nothing; other chains also require a base
// fee (EIP-1559). We always set the fees: a node's own suggestion can be twenty times what is needed.
import { RpcError, type Rpc } from '#/evm/client.ts'
import { toBigint, toList } from '#/evm/wire.ts'
import { maxOf, minOf } from '#/kernel/money.ts'

/** Wei for one unit of gas (EIP-1559). */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** Bounds of a chain, in wei for one unit of gas. */
export type FeePolicy = { readonly floor: bigint; readonly cap: bigint }

const gwei = 10n ** 9n

/** BSC's validators accept 0.05 gwei and more; 5 gwei are never needed there. */
export const bscFees: FeePolicy = { floor: gwei / 20n, cap: 5n * gwei }

/**
 * Fees with which a transaction gets into one of the next blocks: the median tip of the last blocks, and twice the base fee, which
 * a few full blocks can reach. Returns the floor when the node keeps no history of fees. Rejects with ProviderError when the node
 * cannot be reached.
 */
export async function suggestFees(rpc: Rpc, { floor, cap }: FeePolicy): Promise<Fees> {
  const { baseFee, tip } = await readHistory(rpc)
  const maxPriorityFeePerGas = minOf(maxOf(tip, floor), cap)
  return { maxPriorityFeePerGas, maxFeePerGas: minOf(2n * baseFee + maxPriorityFeePerGas, cap) }
}

/**
 * The fees of a replacement: an eighth more than `before`, which every node accepts (BSC's nodes require a tenth), or the usual
 * fees if they are higher. Undefined when that exceeds the cap: then the transaction keeps `before`.
 */
export function raisedFees(before: Fees, usual: Fees, { cap }: FeePolicy): Fees | undefined {
  const raised = {
    maxFeePerGas: eighthMore(before.maxFeePerGas),
    maxPriorityFeePerGas: eighthMore(before.maxPriorityFeePerGas),
  }
  if (raised.maxFeePerGas > cap) return undefined
  return {
    maxFeePerGas: maxOf(raised.maxFeePerGas, usual.maxFeePerGas),
    maxPriorityFeePerGas: maxOf(raised.maxPriorityFeePerGas, usual.maxPriorityFeePerGas),
  }
}

/** Rounded up, so that the smallest fee rises too. */
function eighthMore(fee: bigint): bigint {
  return (9n * fee + 7n) / 8n
}

const historyBlocks = 20

async function readHistory(rpc: Rpc): Promise<{ readonly baseFee: bigint; readonly tip: bigint }> {
  let sent: unknown
  try {
    sent = await rpc.call('eth_feeHistory', [`0x${historyBlocks.toString(16)}`, 'latest', [50]])
  } catch (error) {
    if (error instanceof RpcError && error.outcome === 'refused') return { baseFee: 0n, tip: 0n }
    throw error
  }
  const { baseFeePerGas, reward } = (sent ?? {}) as { baseFeePerGas?: unknown; reward?: unknown }
  // The last one belongs to the next block.
  const baseFee = toList(baseFeePerGas ?? [], 'baseFeePerGas').at(-1)
  const tips = toList(reward ?? [], 'reward')
    .map((block, index) => toBigint(toList(block, `reward[${index}]`)[0], `reward[${index}]`))
    .filter((tip) => tip > 0n)
    .toSorted((a, b) => (a < b ? -1 : 1))
  return {
    baseFee: baseFee === undefined ? 0n : toBigint(baseFee, 'baseFeePerGas'),
    tip: tips[Math.floor(tips.length / 2)] ?? 0n,
  }
}
