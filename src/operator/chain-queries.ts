// The SQL of the chains that are followed, for the console.
import type { Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { Mode } from '#/kernel/mode.ts'

export type WatcherState = {
  readonly key: string
  readonly chainId: bigint
  readonly mode: Mode
  /** The last processed block, and the last final one; null before a watcher first moved. */
  readonly head: bigint | null
  readonly final: bigint | null
  readonly halted: string | null
  /** A watcher holds the lease now. */
  readonly isWatched: boolean
}

/** All chains: there are a few. */
export function selectWatchers(sql: Sql | Tx): Promise<readonly WatcherState[]> {
  return sql<WatcherState[]>`
    select chain.key, chain.chain_id as "chainId", connection.mode, chain.number as head, chain.final_number as final, chain.halted,
           coalesce(chain.lease_until > ${dueNow(sql)}, false) as "isWatched"
      from chain
      join connection on connection.method = 'CRYPTO' and connection.settings ->> 'chain' = chain.key
                     and connection.merchant_id is null
     order by chain.key`
}
