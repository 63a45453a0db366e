// The SQL of transactions that wait for a nonce. A sender, which assigns nonces, and the ledger, which cancels, may need the same
// row at once. A sender changes the queue in single statements, so the ledger waits only for the database, never for a process.
// Every process locks the rows of the queue in the order of their ids, and a wallet before its queue.
import { list, type Sql } from '#/db/client.ts'
import { bytesOf } from '#/evm/address.ts'
import { isNotLost } from './lost-signatures-queries.ts'
import type { ChainTxId, OpenTx, TxPurpose, WalletKey } from './outgoing.ts'

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
