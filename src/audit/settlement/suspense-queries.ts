// The SQL of the inspection of money in suspense.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { Id } from '#/kernel/id.ts'
import type { DisputeReceipt } from './dispute.ts'

export type UnmatchedRow = {
  readonly id: Id<'unmatched'>
  readonly mode: string
  readonly connection: string
  /** Null when there is no such connection. */
  readonly connectionMode: string | null
  readonly providerRef: string
  readonly outcome: string
  readonly occurrence: number
  readonly amountMinor: bigint
  readonly currency: string
  /** SHA-256 of its evidence. */
  readonly cause: Buffer
  readonly recordedAt: Date
  readonly resolvedAt: Date | null
  readonly resolution: 'CREDITED' | 'RETURNED' | null
  readonly walletId: string | null
  readonly note: string | null
  /** The wallet's merchant; null when there is no such wallet in this currency. */
  readonly merchantId: string | null
  readonly merchantMode: string | null
  /** Whether a payment counts the same receipt. */
  readonly isCounted: boolean
}

/** The next page of receipts that fit no attempt, by id. */
export function selectUnmatchedRows(
  tx: Tx,
  after: UnmatchedRow | undefined,
  limit: number,
): Promise<readonly UnmatchedRow[]> {
  const id = after?.id ?? '00000000-0000-0000-0000-000000000000'
  return tx<UnmatchedRow[]>`
    select unmatched.id, unmatched.mode, unmatched.connection, connection.mode as "connectionMode",
           unmatched.provider_ref as "providerRef", unmatched.outcome, unmatched.occurrence,
           unmatched.amount_minor as "amountMinor", unmatched.currency, sha256(unmatched.evidence) as cause,
           unmatched.recorded_at as "recordedAt", unmatched.resolved_at as "resolvedAt", unmatched.resolution,
           unmatched.wallet_id as "walletId", unmatched.note, merchant.id as "merchantId",
           merchant.mode as "merchantMode", receipt.connection is not null as "isCounted"
      from (select * from unmatched where id > ${id} order by id limit ${limit}) as unmatched
      left join connection on connection.id = unmatched.connection
      left join wallet on wallet.id = unmatched.wallet_id and wallet.currency = unmatched.currency
      left join merchant on merchant.id = wallet.merchant_id
      left join receipt
        on receipt.connection = unmatched.connection and receipt.provider_ref = unmatched.provider_ref
       and receipt.outcome = unmatched.outcome and receipt.occurrence = unmatched.occurrence
     order by unmatched.id`
}

/** Returns which of these ids are ids of money in suspense. */
export async function selectUnmatchedAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from unmatched where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** A receipt of a dispute, with the dispute that it moved. */
export type DisputeReport = DisputeReceipt & { readonly disputeId: string }

/** The receipts of these disputes, in the order in which a provider reports them. Nothing else moves such a dispute. */
export function selectDisputeReports(tx: Tx, disputes: readonly string[]): Promise<readonly DisputeReport[]> {
  return tx<DisputeReport[]>`
    select unmatched.dispute_id as "disputeId", unmatched.connection, unmatched.provider_ref as "providerRef",
           unmatched.outcome, unmatched.occurrence, unmatched.currency, sha256(unmatched.evidence) as cause,
           unmatched.recorded_at as "recordedAt", 0::bigint as "bookedMinor"
      from unmatched
     where unmatched.dispute_id = any (${list(disputes)}::uuid[])
     order by unmatched.occurrence,
              array_position(array['dispute_opened', 'dispute_taken', 'dispute_lost', 'dispute_won'], unmatched.outcome)`
}
