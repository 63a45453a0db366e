// The SQL of a wallet that sends, as a whole: what it is short of, why it is stopped, how much is under way. Its lease is in
// hot-wallet-lease-queries.ts, what waits for a nonce in hot-wallet-queue-queries.ts, what has one in outgoing-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { isNotLost } from './lost-signatures-queries.ts'
import type { TxPurpose, WalletKey, WalletPurpose } from './outgoing.ts'

export type WalletRow = {
  readonly fence: bigint
  readonly nextNonce: bigint
  readonly stopped: string | null
  readonly waiting: string | null
  /** Why the chain itself is halted. */
  readonly halted: string | null
  readonly isQueued: boolean
  /** The signer signed in a lost span what the books have in an earlier state. */
  readonly hasLost: boolean
}

export async function selectWallet(
  sql: Sql,
  { chain, address }: WalletKey,
  purpose: TxPurpose,
): Promise<WalletRow | undefined> {
  const [row] = await sql<WalletRow[]>`
    select fence, next_nonce as "nextNonce", stopped, waiting,
           (select halted from chain where chain.key = hot_wallet.chain) as halted,
           exists (select from chain_tx where chain_tx.chain = hot_wallet.chain and purpose = ${purpose}
                                          and state = 'QUEUED'
                                          and (purpose <> 'PAYOUT' or not is_frozen(merchant_id, 'CRYPTO'))
                                          and ${isNotLost(sql)}) as "isQueued",
           exists (select from lost_signature as lost
                    where lost.chain = hot_wallet.chain and lost.wallet = hot_wallet.address and not lost.is_recorded) as "hasLost"
      from hot_wallet
     where chain = ${chain} and address = ${bytesOf(address)}`
  return row
}

export async function writeWaiting(
  tx: Tx,
  { chain, address }: WalletKey,
  waiting: string | null,
): Promise<void> {
  await tx`update hot_wallet set waiting = ${waiting} where chain = ${chain} and address = ${bytesOf(address)}`
}

/** Null ends the stop. */
export async function writeStopped(
  tx: Tx,
  { chain, address }: WalletKey,
  reason: string | null,
): Promise<void> {
  await tx`update hot_wallet set stopped = ${reason} where chain = ${chain} and address = ${bytesOf(address)}`
}

export type WalletState = {
  readonly chain: string
  readonly address: Address
  readonly purpose: WalletPurpose
  readonly nextNonce: bigint
  /** Why nothing is sent from it until an operator lifts the stop; null while it may send. */
  readonly stopped: string | null
  /** Why the queue waits: TOKENS or GAS, of which the wallet is short, or the signer's answer. */
  readonly waiting: string | null
  readonly queued: number
  readonly open: number
}

/** All wallets that send, for an operator. */
export async function selectWalletStates(sql: Sql): Promise<readonly WalletState[]> {
  const rows = await sql<(Omit<WalletState, 'address'> & { readonly address: Buffer })[]>`
    select chain, address, purpose, next_nonce as "nextNonce", stopped, waiting,
           (select count(*) from chain_tx
             where chain_tx.chain = hot_wallet.chain and state = 'QUEUED'
               and chain_tx.purpose = case hot_wallet.purpose when 'hot' then 'PAYOUT' when 'gas' then 'SWEEP' else 'REFILL' end
           )::integer as queued,
           (select count(*) from chain_tx
             where chain_tx.chain = hot_wallet.chain and wallet = hot_wallet.address
               and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED'))::integer as open
      from hot_wallet
     order by chain, purpose, address`
  return rows.map((row) => ({ ...row, address: hexOf(row.address) }))
}

/**
 * Lets a wallet that is stopped for this reason send again, because an operator has checked it. If foreign transactions used nonces
 * that we never assigned, the wallet continues at `nextNonce`, the account's own nonce on the chain. Returns whether it was stopped
 * for this reason.
 */
export async function liftStop(
  sql: Tx,
  { chain, address }: WalletKey,
  { reason, nextNonce }: { readonly reason: string; readonly nextNonce: bigint },
): Promise<boolean> {
  const result = await sql`
    update hot_wallet set stopped = null, next_nonce = greatest(next_nonce, ${nextNonce})
     where chain = ${chain} and address = ${bytesOf(address)} and stopped = ${reason}`
  return result.count === 1
}

/** Those of the addresses at which a payment is paid, on any chain. */
export async function selectDepositsAmong(
  sql: Sql,
  addresses: readonly Address[],
): Promise<readonly Address[]> {
  const rows = await sql<{ address: Buffer }[]>`
    select distinct asked.address
      from unnest(${list(addresses.map(bytesOf))}::text[]::bytea[]) as asked (address)
     where exists (select from chain
                          join deposit_address as deposit
                            on deposit.chain = chain.key and deposit.address = asked.address)`
  return rows.map(({ address }) => hexOf(address))
}
