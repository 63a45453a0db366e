// Whether payments by CRYPTO work in the sandbox right now. An answer of the node is not enough: payments are found only when the
// watcher follows the chain, and after a crash the dead process holds the watcher's lease for a while.
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import { selectFollowedChain } from '#/rails/crypto/queries.ts'
import { isLost } from '#/rails/crypto/rebuild.ts'

/** A sentence that says why payments by CRYPTO do not work; undefined when they do. */
export type ChainStanding = () => Promise<string | undefined>

/** The standing of the chain `key` from this moment on: the watcher has to follow a block that the node makes after it. */
export async function standingOf(sql: Sql, rpc: Rpc, key: string): Promise<ChainStanding> {
  const [head, before] = await Promise.all([rpc.blockNumber(), selectFollowedChain(sql, key)])
  return async () => {
    try {
      if (await isLost({ sql }, key, rpc)) return 'The sandbox chain is a new one and is being built again.'
      await rpc.blockNumber()
      const followed = await selectFollowedChain(sql, key)
      const isSame = before === undefined || followed?.generation === before.generation
      const isFollowed = followed !== undefined && (!isSame || followed.tip > head)
      return isFollowed ? undefined : 'The sandbox chain is not followed yet: payments would not be found.'
    } catch {
      return 'The sandbox chain does not answer. It is started again by itself.'
    }
  }
}
