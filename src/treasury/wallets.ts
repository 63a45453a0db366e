// The wallets of a chain that pays out and collects. Their keys are the signer's; only their addresses are known here.
import type { Sql, Tx } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import type { Chain } from '#/coins/chain.ts'
import { ensurePlaces } from '#/coins/queries.ts'
import * as queries from './hot-wallet-queries.ts'
import type { WalletKey } from './outgoing.ts'

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

/** A wallet that sends, with what waits in it and why it stands still. */
export type SendingWallet = queries.WalletState

/** All wallets that send, by chain and purpose. */
export function sendingWallets(sql: Sql): Promise<readonly SendingWallet[]> {
  return queries.selectWalletStates(sql)
}

/**
 * Lets a stopped wallet send again, if it is stopped for this reason: a person has looked. It goes on at `nextNonce`, the
 * account's own on the chain, if strangers have taken nonces that were never given out here. Answers whether it was so.
 */
export function startAgain(
  tx: Tx,
  wallet: WalletKey,
  from: { readonly reason: string; readonly nextNonce: bigint },
): Promise<boolean> {
  return queries.liftStop(tx, wallet, from)
}
