// The SQL of a wallet that sends, as a whole: what it is short of, why it is stopped, how much is under way. Then
// its lease, and what waits for a nonce. What has a nonce is in outgoing-queries.ts.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { isNotLost } from './lost-signatures-queries.ts'
import { isOpen } from './outgoing-queries.ts'
import type { TxPurpose, WalletKey, WalletPurpose, ChainTxId, OpenTx } from './outgoing.ts'

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
           ${isQueued(sql, purpose)} as "isQueued", ${hasLost(sql)} as "hasLost"
      from hot_wallet
     where chain = ${chain} and address = ${bytesOf(address)}`
  return row
}

/** Whether the wallet has something to send or to follow, or a reason to wait that may be over. */
export function isWalletDue({ chain, address }: WalletKey, purpose: TxPurpose): IsDue {
  return (sql) => sql`exists (
    select from hot_wallet
     where chain = ${chain} and address = ${bytesOf(address)}
       and (waiting is not null or ${isQueued(sql, purpose)} or ${hasLost(sql)}
            or exists (select from chain_tx where chain_tx.chain = hot_wallet.chain
                                              and chain_tx.wallet = hot_wallet.address and ${isOpen(sql)})))`
}

function isQueued(sql: Sql, purpose: TxPurpose) {
  return sql`exists (
    select from chain_tx where chain_tx.chain = hot_wallet.chain and purpose = ${purpose} and state = 'QUEUED'
                           and (purpose <> 'PAYOUT' or not is_frozen(merchant_id, 'CRYPTO'))
                           and ${isNotLost(sql)})`
}

function hasLost(sql: Sql) {
  return sql`exists (
    select from lost_signature as lost
     where lost.chain = hot_wallet.chain and lost.wallet = hot_wallet.address and not lost.is_recorded)`
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

// The SQL of the lease of the one process that may send from a wallet. Every write of a sender names its fence.

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

/** Renews the lease, and locks the wallet's row until a transaction ends. Returns how many rows: zero when another process has it. */
export async function holdLease(
  tx: Sql | Tx,
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

// The SQL of transactions that wait for a nonce. A sender, which assigns nonces, and the ledger, which cancels, may need the same
// row at once. A sender changes the queue in single statements, so the ledger waits only for the database, never for a process.
// Every process locks the rows of the queue in the order of their ids, and a wallet before its queue.

/** What one kind of wallet on one chain still has to send. */
export type Queue = { readonly chain: string; readonly purpose: TxPurpose }

/** The writer: the wallet, and the fence of its sender. */
export type Sender = WalletKey & { readonly fence: bigint }

export type QueuedTx = Pick<OpenTx, 'id' | 'value' | 'gas' | 'units'> & {
  /** The withdrawal, refund, sweep or refill that it is for. */
  readonly subject: string
}

/** Money that is frozen gets no nonce, nor does what was signed in a span that a restore lost. */
const mayLeave = (sql: Sql) =>
  sql`(purpose <> 'PAYOUT' or not is_frozen(merchant_id, 'CRYPTO')) and ${isNotLost(sql)}`

/**
 * The oldest transactions of the queue that each move at most `unitsMax` base units. Locks nothing: `reserveNonces` checks again. `after`: the
 * last one of the page before.
 */
export async function selectQueued(
  sql: Sql,
  { chain, purpose }: Queue,
  {
    unitsMax,
    after,
    limit,
  }: { readonly unitsMax: bigint; readonly after?: ChainTxId | undefined; readonly limit: number },
): Promise<readonly QueuedTx[]> {
  const rows = await sql<
    { id: ChainTxId; subject: string; value: string; gas: bigint; units: string | null }[]
  >`
    select id, subject, value::text, gas, units::text
      from chain_tx
     where chain = ${chain} and purpose = ${purpose} and state = 'QUEUED'
       and coalesce(units, 0) <= ${unitsMax.toString()}::numeric
       ${after === undefined ? sql`` : sql`and id > ${after}`}
       and ${mayLeave(sql)}
     order by id
     limit ${limit}`
  return rows.map((row) => ({ ...row, value: BigInt(row.value), units: BigInt(row.units ?? 0) }))
}

/**
 * Binds these transactions for ever to the next free nonces, in the order of their ids. Skips those that have left the queue, or
 * were frozen since. Binds none when the wallet is stopped or the fence is outdated. Returns how many were bound.
 */
export async function reserveNonces(
  sql: Sql,
  { chain, address, fence }: Sender,
  ids: readonly ChainTxId[],
): Promise<number> {
  const result = await sql`
    with held as materialized (
      select next_nonce from hot_wallet
       where chain = ${chain} and address = ${bytesOf(address)} and fence = ${fence} and stopped is null
         for update
    ), waiting as materialized (
      select id from chain_tx
       where id = any (${list(ids)}::uuid[]) and state = 'QUEUED' and ${mayLeave(sql)}
         and exists (select from held)
       order by id
         for update
    ), placed as (
      select id, row_number() over (order by id) as place from waiting
    ), advanced as (
      update hot_wallet set next_nonce = next_nonce + (select count(*) from waiting)
       where chain = ${chain} and address = ${bytesOf(address)} and exists (select from held)
    )
    update chain_tx
       set state = 'RESERVED', wallet = ${bytesOf(address)}, nonce = held.next_nonce + placed.place - 1
      from held, placed
     where chain_tx.id = placed.id and chain_tx.state = 'QUEUED'`
  return result.count
}

/**
 * Fails queued payouts above the signer's limit for one transfer: the signer would never sign them. Fails none when the fence is
 * outdated. Returns how many failed.
 */
export async function failAbove(
  sql: Sql,
  { chain, address, fence }: Sender,
  unitsMax: bigint,
): Promise<number> {
  const result = await sql`
    with held as materialized (
      select from hot_wallet where chain = ${chain} and address = ${bytesOf(address)} and fence = ${fence} for update
    ), above as materialized (
      select id from chain_tx
       where chain = ${chain} and purpose = 'PAYOUT' and state = 'QUEUED' and units > ${unitsMax.toString()}::numeric
         and exists (select from held) and ${isNotLost(sql)}
       order by id
         for update
    )
    update chain_tx
       set state = 'FAILED', failure = 'amount_not_allowed', final_at = clock_timestamp()
     where id in (select id from above)`
  return result.count
}

export type OldestQueued = Pick<OpenTx, 'units' | 'value' | 'gas'> & {
  readonly subject: string
  readonly createdAt: Date
  /** It has waited longer than it should. */
  readonly isOld: boolean
}

/** What has waited longest in the queue; `isOld` after `oldMs`. `without`: subjects that wait for something else than the wallet. */
export async function selectOldestQueued(
  sql: Sql,
  { chain, purpose }: Queue,
  { oldMs, without }: { readonly oldMs: number; readonly without: readonly string[] },
): Promise<OldestQueued | undefined> {
  type Row = Omit<OldestQueued, 'units' | 'value'> & { readonly units: string | null; readonly value: string }
  const [row] = await sql<Row[]>`
    select subject, units::text, value::text, gas, created_at as "createdAt",
           created_at < clock_timestamp() - ${oldMs} * interval '1 millisecond' as "isOld"
      from chain_tx
     where chain = ${chain} and purpose = ${purpose} and state = 'QUEUED' and ${mayLeave(sql)}
       and subject <> all (${list(without)}::uuid[])
     order by id
     limit 1`
  return row && { ...row, units: BigInt(row.units ?? 0), value: BigInt(row.value) }
}
