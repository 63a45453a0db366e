// The wallets of a chain that pays out and collects. Their keys are the signer's; only their addresses are known here.
import type { Sql } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Chain } from '#/coins/chain.ts'
import { ensurePlaces } from '#/coins/queries.ts'

export type ChainWallets = {
  /** Pays out. */
  readonly hot: Address
  /** Pays for collecting, and has no coins of the token. */
  readonly gas: Address
  /** Whether the signer holds the treasury's key too. Live it is the operator's own wallet. */
  readonly holdsTreasury: boolean
}

/** Makes the places of our coins known, before anything can move there. */
export function ensureTreasury(sql: Sql, chain: Chain, wallets: ChainWallets | undefined): Promise<void> {
  const hot = wallets === undefined ? [] : [{ address: wallets.hot, place: 'hot' as const }]
  return ensurePlaces(sql, chain.key, [{ address: chain.treasury, place: 'treasury' }, ...hot])
}
