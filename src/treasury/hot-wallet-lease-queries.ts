// The SQL of the lease of the one process that may send from a wallet. Every write of a sender names its fence.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { bytesOf } from '#/evm/address.ts'
import type { WalletKey, WalletPurpose } from './outgoing.ts'

/** Registers the wallet, once. `nextNonce` is the first that was never used. */
export async function insertWallet(
  sql: Sql,
  { chain, address }: WalletKey,
  more: { readonly purpose: WalletPurpose; readonly nextNonce: bigint; readonly at: Date },
): Promise<void> {
  await sql`
    insert into hot_wallet (chain, address, purpose, next_nonce, created_at)
    values (${chain}, ${bytesOf(address)}, ${more.purpose}, ${more.nextNonce}, ${more.at})
    on conflict do nothing`
}

export async function isKnownWallet(sql: Sql, { chain, address }: WalletKey): Promise<boolean> {
  const rows = await sql`select 1 from hot_wallet where chain = ${chain} and address = ${bytesOf(address)}`
  return rows.length > 0
}

/** Acquires the lease if it is free. Returns the fence. In a transaction, for its limits. */
export async function acquireLease(
  sql: Sql,
  { chain, address }: WalletKey,
  leaseMs: number,
): Promise<bigint | undefined> {
  return sql.begin(async (tx): Promise<bigint | undefined> => {
    const [row] = await tx<{ fence: bigint }[]>`
      update hot_wallet
         set fence = fence + 1, lease_until = ${dueIn(tx, leaseMs)}
       where chain = ${chain} and address = ${bytesOf(address)} and (lease_until is null or lease_until < ${dueNow(tx)})
      returning fence`
    return row?.fence
  })
}

/** Renews the lease, and locks the wallet's row until the transaction ends. Returns how many rows: zero when another process has it. */
export async function holdLease(
  tx: Tx,
  { chain, address }: WalletKey,
  fence: bigint,
  leaseMs: number,
): Promise<number> {
  const result = await tx`
    update hot_wallet set lease_until = ${dueIn(tx, leaseMs)}
     where chain = ${chain} and address = ${bytesOf(address)} and fence = ${fence}`
  return result.count
}

export async function releaseLease(sql: Sql, { chain, address }: WalletKey, fence: bigint): Promise<void> {
  await sql`
    update hot_wallet set lease_until = null
     where chain = ${chain} and address = ${bytesOf(address)} and fence = ${fence}`
}
