// A chain and its node, as the commands about coins name them.
import type { Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { ProviderError } from '#/kernel/error.ts'
import { knownChains, type KnownChain } from '#/treasury/compare.ts'
import { UsageError, type Call, type Option } from './command.ts'
import { withDatabase } from './database.ts'

/** Options that name a chain and its node. */
export const chainOptions: Readonly<Record<'chain' | 'rpc', Option>> = {
  chain: { value: 'key', meaning: 'Which chain, where there are several' },
  rpc: { value: 'url', meaning: 'JSON-RPC of a node of it, instead of the one of the settings' },
}

/** Finds the chain that the call names. */
export function withChain(call: Call, work: (sql: Sql, chain: KnownChain) => Promise<void>): Promise<void> {
  return withDatabase(call.deps.config(), async (sql) => {
    const chains = await knownChains(sql)
    const key = call.option('chain') ?? (chains.length === 1 ? chains[0]?.key : undefined)
    const chain = chains.find((each) => each.key === key)
    if (chain !== undefined) return work(sql, chain)
    const names = chains.map((each) => each.key).join(', ') || 'none yet'
    throw new UsageError(
      key === undefined ? 'Which chain?' : `There is no chain ${key}.`,
      `Use --chain. There are: ${names}.`,
    )
  })
}

/** The same with a node of the chain. */
export function withNode(
  call: Call,
  work: (sql: Sql, chain: KnownChain, rpc: Rpc) => Promise<void>,
): Promise<void> {
  return withChain(call, async (sql, chain) => {
    const url = call.option('rpc') ?? nodeOf(call.deps.config(), chain)
    const rpc = createRpc(url, { timeoutMs: 10_000 })
    try {
      const id = await rpc.chainId()
      if (id !== chain.chainId)
        throw new UsageError(`The node is on chain ${id}.`, `${chain.key} is chain ${chain.chainId}.`)
      await work(sql, chain, rpc)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      throw new UsageError(
        `The node does not answer as it should: ${error.message}.`,
        'Is it running? See --rpc.',
      )
    } finally {
      rpc.close()
    }
  })
}

/** The URL of a chain's node by the settings. Throws UsageError where they name none. */
export function nodeOf({ PORT, VINTEM_BSC_RPC_URL: url }: Config, { key }: Pick<KnownChain, 'key'>): string {
  if (key === 'sandbox') return `http://127.0.0.1:${PORT + 21}`
  if (key === 'bsc' && url !== '') return url
  throw new UsageError(`The settings name no node of ${key}.`, 'Use --rpc.')
}
