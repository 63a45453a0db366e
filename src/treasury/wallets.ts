// The wallets of a chain that pays out and collects. The signer holds their keys; only their addresses are known here.
import type { Chain } from '#/coins/chain.ts'
import { ensurePlaces } from '#/coins/queries.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { Address } from '#/evm/address.ts'
import * as queries from './hot-wallet-queries.ts'
import * as outgoing from './outgoing-queries.ts'
import type { WalletKey } from './outgoing.ts'

export type ChainWallets = {
  /** Pays out. */
  readonly hot: Address
  /** Pays for collecting, and has no coins of the token. */
  readonly gas: Address
  /** Whether the signer holds the treasury's key too. Live it is the operator's own wallet. */
  readonly holdsTreasury: boolean
}

/** Records the places of our coins, before anything can move there. */
export function ensureTreasury(sql: Sql, chain: Chain, wallets: ChainWallets | undefined): Promise<void> {
  const hot = wallets === undefined ? [] : [{ address: wallets.hot, place: 'hot' as const }]
  return ensurePlaces(sql, chain.key, [{ address: chain.treasury, place: 'treasury' }, ...hot])
}

/** A wallet that sends, with its queue and why it waits or is stopped. */
export type SendingWallet = queries.WalletState

/** All wallets that send, by chain and purpose. */
export function sendingWallets(sql: Sql): Promise<readonly SendingWallet[]> {
  return queries.selectWalletStates(sql)
}

/** A transaction that has a nonce and, for a long time, no end. */
export type HangingTx = outgoing.HangingTx

/** Transactions of a wallet that have had a nonce for longer than `olderMs` and no end, in the order of nonces. */
export function hangingTransactions(
  sql: Sql,
  wallet: WalletKey,
  page: { readonly olderMs: number; readonly limit: number },
): Promise<readonly HangingTx[]> {
  return outgoing.selectHanging(sql, wallet, page)
}

/**
 * Lets a wallet that is stopped for this reason send again, because an operator has checked it. If foreign transactions used nonces
 * that we never assigned, the wallet continues at `nextNonce`, the account's own nonce on the chain. Returns whether it was stopped
 * for this reason.
 */
export function startAgain(
  tx: Tx,
  wallet: WalletKey,
  from: { readonly reason: string; readonly nextNonce: bigint },
): Promise<boolean> {
  return queries.liftStop(tx, wallet, from)
}

/** Those of the addresses at which a payment is paid: none of them can be a wallet or the treasury. */
export function depositsAmong(sql: Sql, addresses: readonly Address[]): Promise<readonly Address[]> {
  return queries.selectDepositsAmong(sql, addresses)
}
