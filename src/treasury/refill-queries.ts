// The SQL of refills: what the wallet that pays out has and owes, and what is on its way to it.
import type { Sql, Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import type { ChainTxId } from './outgoing.ts'

export type HotState = {
  /** Base units at the wallet, as booked, less payouts that are final and not booked. */
  readonly units: bigint
  /** The amount of payouts that have no end yet. */
  readonly owed: bigint
  /** The part of that which has waited in the queue for long. */
  readonly aged: bigint
  readonly treasuryUnits: bigint
}

/**
 * What the hot wallet of a chain has and owes, and what its treasury has. Rows that are final and not booked are selected first and
 * divided by purpose afterwards, so that only their small index is read. Otherwise the whole index of ended payouts would be read.
 */
export async function selectHotState(
  sql: Sql,
  chain: string,
  { hot, treasury, agedMs }: { readonly hot: Address; readonly treasury: Address; readonly agedMs: number },
): Promise<HotState> {
  const [row] = await sql<{ units: string; owed: string; aged: string; treasury: string }[]>`
    select (coalesce((select units from coin_place where chain = ${chain} and address = ${bytesOf(hot)}), 0)
            - coalesce((select sum(units) filter (where purpose = 'PAYOUT') from chain_tx
                         where chain = ${chain} and wallet = ${bytesOf(hot)} and state = 'FINAL' and units is not null
                           and not units_booked), 0))::text as units,
           (select coalesce(sum(units), 0) from chain_tx
             where chain = ${chain} and purpose = 'PAYOUT'
               and state in ('QUEUED', 'RESERVED', 'SIGNED', 'BROADCAST', 'MINED'))::text as owed,
           (select coalesce(sum(units), 0) from chain_tx
             where chain = ${chain} and purpose = 'PAYOUT' and state = 'QUEUED'
               and created_at < clock_timestamp() - ${agedMs} * interval '1 millisecond')::text as aged,
           coalesce((select units from coin_place
                      where chain = ${chain} and address = ${bytesOf(treasury)}), 0)::text as treasury`
  const { units, owed, aged, treasury: treasuryUnits } = must(row, 'sums are one row')
  return {
    units: BigInt(units),
    owed: BigInt(owed),
    aged: BigInt(aged),
    treasuryUnits: BigInt(treasuryUnits),
  }
}

export type Refill = {
  readonly id: string
  readonly units: bigint
  /** Absent: the operator signs it. */
  readonly tx: ChainTxId | null
  readonly createdAt: Date
}

/** The refill that is on its way. There is at most one. */
export async function selectOpenRefill(sql: Sql | Tx, chain: string): Promise<Refill | undefined> {
  const [row] = await sql<(Omit<Refill, 'units'> & { readonly units: string })[]>`
    select id, units::text, tx, created_at as "createdAt" from refill where chain = ${chain} and ended_at is null`
  return row && { ...row, units: BigInt(row.units) }
}

/** Records a refill. Returns false while another one is on its way. */
export async function insertRefill(
  tx: Sql | Tx,
  chain: string,
  { id, units, tx: by, createdAt }: Refill,
): Promise<boolean> {
  const result = await tx`
    insert into refill (id, chain, units, tx, created_at)
    values (${id}, ${chain}, ${units.toString()}, ${by}, ${createdAt})
    on conflict (chain) where ended_at is null do nothing`
  return result.count === 1
}

/**
 * Ends refills by the signer whose transaction has ended. A successful refill ends only when its movement is booked, so that the
 * next check includes its money.
 */
export async function endRefills(sql: Sql, chain: string, at: Date): Promise<number> {
  const result = await sql`
    update refill
       set ended_at = ${at}, move = brought.id
      from chain_tx
      left join coin_move as brought
        on brought.chain = chain_tx.chain and brought.tx_hash = chain_tx.tx_hash and brought.booked_as = 'MOVED'
     where refill.chain = ${chain} and refill.ended_at is null and chain_tx.id = refill.tx and chain_tx.purpose = 'REFILL'
       and (chain_tx.state = 'FAILED' or (chain_tx.state = 'FINAL' and brought.id is not null))`
  return result.count
}

/** Cancels a refill that the operator will not sign. Returns false when there is none. */
export async function cancelRefill(sql: Tx, chain: string, at: Date): Promise<boolean> {
  const result = await sql`
    update refill set ended_at = ${at} where chain = ${chain} and ended_at is null and tx is null`
  return result.count === 1
}

/** The wallet that pays out, as it was last recorded. */
export async function selectHotPlace(sql: Sql, chain: string): Promise<Address | undefined> {
  const [row] = await sql<{ address: Buffer }[]>`
    select place.address
      from coin_place as place
      left join hot_wallet as sender on sender.chain = place.chain and sender.address = place.address
     where place.chain = ${chain} and place.place = 'hot'
     order by sender.created_at desc nulls last
     limit 1`
  return row && hexOf(row.address)
}

/** Whether a sender has the treasury's key. */
export async function holdsTreasury(sql: Sql, chain: string, treasury: Address): Promise<boolean> {
  const rows = await sql`
    select 1 from hot_wallet where chain = ${chain} and address = ${bytesOf(treasury)} and purpose = 'treasury'`
  return rows.length > 0
}

export type ListedRefill = Refill & { readonly chain: string; readonly endedAt: Date | null }

/** The last refills of all chains, newest first. */
export async function selectRefills(sql: Sql, limit: number): Promise<readonly ListedRefill[]> {
  const rows = await sql<(Omit<ListedRefill, 'units'> & { readonly units: string })[]>`
    select id, chain, units::text, tx, created_at as "createdAt", ended_at as "endedAt"
      from refill
     order by id desc
     limit ${limit}`
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}
