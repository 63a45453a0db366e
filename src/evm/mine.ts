// Mines blocks on demand, on the sandbox's node.
import type { Hex } from 'viem'
import { ProviderError } from '#/kernel/error.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { Rpc } from './client.ts'
import type { TxReceipt } from './wire.ts'

const minedWithinMs = 10 * secondMs

/**
 * Mines a transaction at once; the chain's periodic mining may be faster. Rejects with ProviderError when it is in no block within
 * 10 seconds.
 */
export async function mineNow(rpc: Rpc, hash: Hex): Promise<TxReceipt> {
  const giveUpAt = monotonicMs() + minedWithinMs
  for (;;) {
    await rpc.call('anvil_mine', ['0x1'])
    const receipt = await rpc.getTransactionReceipt(hash)
    if (receipt !== undefined) return receipt
    if (monotonicMs() > giveUpAt)
      throw new ProviderError('unknown', `the sandbox chain does not mine ${hash}`)
    await sleep(5)
  }
}

/**
 * Makes all that the latest block has final: wallets count only gas and coins that are. A node of the sandbox calls the block final that is
 * two behind the latest, and a balance that was set belongs to the next block.
 */
export async function makeFinal(rpc: Rpc): Promise<void> {
  await rpc.call('anvil_mine', ['0x3'])
}
