// Which nonces of an account its chain has used.
import type { Hex } from 'viem'
import type { Address } from './address.ts'
import type { Rpc } from './client.ts'
import { toBigint, toData, toQuantity } from './wire.ts'

/** All functions reject with ProviderError, as those of `Rpc`. */
export type NonceReader = {
  /** How many nonces of the account blocks up to this one have used. */
  readonly used: (account: Address, block: bigint | 'latest') => Promise<bigint>
  /** Whose transaction this is, and its nonce; undefined where the node does not have it. */
  readonly sentBy: (hash: Hex) => Promise<{ readonly account: Address; readonly nonce: bigint } | undefined>
}

/** Reads nonces from a node. */
export function nonceReader(rpc: Rpc): NonceReader {
  return {
    used: async (account, block) => {
      const at = block === 'latest' ? block : toQuantity(block)
      return toBigint(await rpc.call('eth_getTransactionCount', [account, at]), 'eth_getTransactionCount')
    },
    async sentBy(hash) {
      const method = 'eth_getTransactionByHash'
      const sent = await rpc.call(method, [hash])
      if (typeof sent !== 'object' || sent === null) return undefined
      const { from, nonce } = { from: undefined, nonce: undefined, ...sent }
      return { account: toData(from, `${method}.from`, 20), nonce: toBigint(nonce, `${method}.nonce`) }
    },
  }
}
