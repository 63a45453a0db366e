// The SQL of payouts: what is queued, how it ended, which units payouts deduct from our places, and what these hold.
import type { Hex } from 'viem'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { bytesOf, hexOf, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { mayBeCanceled } from './lost-signatures-queries.ts'
import type { ChainTxId, Payload, TxPurpose, TxState } from './outgoing.ts'

export type NewTx = Payload & {
  readonly id: ChainTxId
  readonly chain: string
  readonly purpose: TxPurpose
  readonly subject: string
  /** The merchant whose payout it is. Absent: our own movement. */
  readonly merchantId?: MerchantId
  readonly reference: string
  readonly gas: bigint
  /** The token's movement that it makes, in base units. */
  readonly movement?: { readonly recipient: Address; readonly units: bigint }
}

/** Queues a transaction. Changes nothing when the reference, or a payout of the same subject, exists. */
export async function insertQueued(sql: Sql | Tx, tx: NewTx, at: Date): Promise<void> {
  const { id, chain, purpose, subject, merchantId = null, reference, to, value, data, gas, movement } = tx
  await sql`
    insert into chain_tx (id, chain, purpose, subject, merchant_id, reference, target, value, data, gas, recipient, units, state, created_at)
    values (${id}, ${chain}, ${purpose}, ${subject}, ${merchantId}, ${reference}, ${bytesOf(to)}, ${value.toString()},
            ${bytesOf(data)}, ${gas}, ${movement === undefined ? null : bytesOf(movement.recipient)}, ${movement?.units.toString() ?? null},
            'QUEUED', ${at})
    on conflict do nothing`
}

export type PayoutRow = {
  readonly chain: string
  readonly reference: string
  readonly state: TxState
  readonly recipient: Address
  readonly units: bigint
  readonly txHash: Hex | undefined
  readonly failure: string | null
  readonly evidence: Buffer | null
}

/** The payout of a withdrawal or refund. */
export async function selectPayout(sql: Sql, subject: string): Promise<PayoutRow | undefined> {
  type Row = Omit<PayoutRow, 'recipient' | 'units' | 'txHash'>
  const [row] = await sql<(Row & { recipient: Buffer; units: string; txHash: Buffer | null })[]>`
    select chain, reference, state, recipient, units::text, tx_hash as "txHash", failure, evidence
      from chain_tx
     where subject = ${subject} and purpose = 'PAYOUT'`
  if (row === undefined) return undefined
  const txHash = row.txHash === null ? undefined : hexOf(row.txHash)
  return { ...row, recipient: hexOf(row.recipient), units: BigInt(row.units), txHash }
}

/** How far the payout of a withdrawal or refund is, and why the wallet that pays it is stopped or waits. */
export type PayoutStanding = {
  readonly subject: string
  readonly state: TxState
  /** A foreign transaction used its nonce. */
  readonly isTaken: boolean
  readonly isStopping: boolean
  readonly walletStopped: string | null
  readonly walletWaits: string | null
}

/**
 * The standings of those withdrawals and refunds that have a payout. For a payout without a nonce, the state of a paying wallet of
 * its chain is shown as that of its own wallet.
 */
export function selectStandings(sql: Sql, subjects: readonly string[]): Promise<readonly PayoutStanding[]> {
  return sql<PayoutStanding[]>`
    select chain_tx.subject, chain_tx.state, chain_tx.taken as "isTaken", chain_tx.cancel is not null as "isStopping",
           payer.stopped as "walletStopped", payer.waiting as "walletWaits"
      from chain_tx
      left join lateral (
        select stopped, waiting
          from hot_wallet
         where hot_wallet.chain = chain_tx.chain and hot_wallet.purpose = 'hot'
           and (chain_tx.wallet is null or hot_wallet.address = chain_tx.wallet)
         order by stopped is not null, address
         limit 1) as payer on true
     where chain_tx.subject = any (${list(subjects)}::uuid[]) and chain_tx.purpose = 'PAYOUT'`
}

/** Whether the address is one of our deposit addresses on this chain. */
export async function isOwnDeposit(sql: Sql | Tx, chain: string, address: Address): Promise<boolean> {
  const rows = await sql`
    select 1 from deposit_address where chain = ${chain} and address = ${bytesOf(address)}`
  return rows.length > 0
}

/**
 * Requests the cancellation of a payout. A payout without a nonce fails at once. For any other, an empty transaction has to be
 * mined with its nonce. Returns false when no payout of the subject can be canceled any more.
 */
export async function requestCancel(sql: Tx, subject: string, reason: string, at: Date): Promise<boolean> {
  const result = await sql`
    update chain_tx
       set cancel = ${reason},
           state = case state when 'QUEUED' then 'FAILED' else state end,
           failure = case state when 'QUEUED' then ${reason} end,
           final_at = case state when 'QUEUED' then ${at}::timestamptz end
     where subject = ${subject} and purpose = 'PAYOUT' and state not in ('FINAL', 'FAILED') and cancel is null
       and ${mayBeCanceled(sql)}`
  return result.count === 1
}

/**
 * Returns those of the payouts that have no nonce, locked. Waits for a sender that is assigning a nonce to one of them, and then
 * leaves that payout out.
 */
export async function lockWaiting<Subject extends string>(
  tx: Tx,
  subjects: readonly Subject[],
): Promise<readonly Subject[]> {
  const rows = await tx<{ subject: Subject }[]>`
    select subject
      from chain_tx
     where subject = any (${list(subjects)}::uuid[]) and purpose = 'PAYOUT' and state = 'QUEUED' and ${mayBeCanceled(tx)}
     order by id
       for update`
  return rows.map(({ subject }) => subject)
}

/** Fails these payouts, which have no nonce, for this reason. */
export async function dropWaiting(tx: Tx, subjects: readonly string[], reason: string): Promise<void> {
  await tx`
    update chain_tx
       set state = 'FAILED', failure = ${reason}, final_at = clock_timestamp()
     where subject = any (${list(subjects)}::uuid[]) and purpose = 'PAYOUT' and state = 'QUEUED'`
}

/**
 * Records how a payout ended whose nonce a foreign transaction used, as a person reports it. Returns false for any other payout:
 * its signed transaction may still be mined, and the chain gives the result.
 */
export async function resolvePayout(
  sql: Tx,
  subject: string,
  end: 'FINAL' | 'FAILED',
  at: Date,
): Promise<boolean> {
  const result = await sql`
    update chain_tx
       set state = ${end}, failure = ${end === 'FAILED' ? 'resolved' : null}, final_at = ${at}
     where subject = ${subject} and purpose = 'PAYOUT' and taken
       and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')`
  return result.count === 1
}

/** References, without their prefix, of payouts that ended in the last minute and are not settled yet. */
export async function selectEndedPayouts(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ reference: string }[]>`
    select substr(reference, ${payoutPrefix.length + 1}::integer) as reference
      from chain_tx
     where purpose = 'PAYOUT' and state in ('FINAL', 'FAILED') and not units_booked
       and final_at > statement_timestamp() - interval '1 minute'`
  return rows.map(({ reference }) => reference)
}

/** The prefix of a withdrawal's reference in its transaction's reference. */
export const payoutPrefix = 'payout/'

/** How many of these withdrawals and refunds have a payout that is done. */
export async function countDone(tx: Tx, subjects: readonly string[]): Promise<number> {
  const [row] = await tx<{ done: number }[]>`
    select count(*)::integer as done
      from chain_tx
     where subject = any (${list(subjects)}::uuid[]) and purpose = 'PAYOUT' and state = 'FINAL'`
  return must(row, 'an aggregate has one row').done
}

/** Deducts the units of these payouts from the hot places that they left, each once. */
export async function deductUnits(tx: Tx, subjects: readonly string[]): Promise<void> {
  await tx`
    with gone as (
      update chain_tx set units_booked = true
       where subject = any (${list(subjects)}::uuid[]) and purpose = 'PAYOUT' and state = 'FINAL' and not units_booked
      returning chain, wallet, units
    )
    insert into coin_place (chain, address, place, units)
    select chain, wallet, 'hot', -sum(units) from gone group by chain, wallet order by chain, wallet
    on conflict (chain, address) do update set units = coin_place.units + excluded.units`
}

/**
 * Our own places of a chain with what they hold by our records, in base units: what is booked, less payouts that left for good and are
 * not booked yet, plus movements between our places that are final and not booked. A refill is such a movement: its transaction is
 * never counted, because the movement already is. `nextNonce`: the first nonce that no final transaction has; absent for a place
 * that sends nothing.
 */
export async function selectPlaces(
  sql: Sql,
  chain: string,
): Promise<
  readonly { readonly address: Address; readonly units: bigint; readonly nextNonce: bigint | undefined }[]
> {
  const rows = await sql<{ address: Buffer; units: string; nextNonce: bigint | null }[]>`
    select address,
           (units - (select coalesce(sum(units), 0) from chain_tx
                      where chain = ${chain} and wallet = place.address and purpose = 'PAYOUT' and state = 'FINAL'
                        and units is not null and not units_booked)
                  + (select coalesce(sum(value) filter (where recipient = place.address), 0)
                          - coalesce(sum(value) filter (where sender = place.address), 0)
                       from coin_move as move
                      where chain = ${chain} and state = 'FINAL' and booked_as is null
                        and exists (select from coin_place where chain = ${chain} and address = move.recipient)))::text as units,
           coalesce((select min(nonce) from chain_tx
                      where chain = ${chain} and wallet = place.address
                        and state in ('RESERVED', 'SIGNED', 'BROADCAST', 'MINED')), next_nonce) as "nextNonce"
      from (select address, sum(units) as units, max(next_nonce) as next_nonce
              from (select address, units, null::bigint as next_nonce from coin_place where chain = ${chain}
                     union all
                    select address, 0, next_nonce from hot_wallet where chain = ${chain}) as each
             group by address) as place
     order by address`
  return rows.map((row) => ({
    address: hexOf(row.address),
    units: BigInt(row.units),
    nextNonce: row.nextNonce ?? undefined,
  }))
}
