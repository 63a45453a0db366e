// The SQL of refunds by bank transfer: who sent the money, and how far the payout of a refund is.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { PayoutState } from './payout-queries.ts'

/** One movement of the account, under the name of its receipt. */
export type NamedEntry = {
  readonly connection: ConnectionId
  readonly reference: string
  readonly part: number
  readonly paidRef: string
}

/** As the bank reported it. */
export type Sender = { readonly paidRef: string; readonly iban: string | null; readonly name: string | null }

/** Returns who sent these transfers. Movements that are no payment’s are left out. */
export async function selectSenders(
  sql: Sql | Tx,
  entries: readonly NamedEntry[],
): Promise<readonly Sender[]> {
  if (entries.length === 0) return []
  return sql<Sender[]>`
    select wanted.paid_ref as "paidRef", entry.fact -> 'party' ->> 'iban' as iban, entry.fact -> 'party' ->> 'name' as name
      from unnest(${list(entries.map((each) => each.connection))}::text[],
                  ${list(entries.map((each) => each.reference))}::text[],
                  ${list(entries.map((each) => each.part))}::integer[],
                  ${list(entries.map((each) => each.paidRef))}::text[]) as wanted (connection, reference, part, paid_ref)
      join sepa_entry as entry using (connection, reference, part)
     where entry.kind = 'PAID' and entry.credit`
}

/** Returns those of these refunds that wait for a file, or that the bank carried out. */
export async function selectStillPaying(tx: Tx, refunds: readonly RefundId[]): Promise<readonly RefundId[]> {
  const rows = await tx<{ id: RefundId }[]>`
    select payout_id as id from sepa_payout
     where payout_id = any (${list(refunds)}::uuid[]) and kind = 'REFUND' and state in ('WAITING', 'DONE')`
  return rows.map(({ id }) => id)
}

/** The payout of a refund, and what its receipts name. */
export type RefundPayout = {
  readonly id: RefundId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly connection: ConnectionId
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED'
  readonly reference: string
  readonly minor: bigint
  readonly state: PayoutState
  readonly reason: string | null
  readonly returnedMinor: bigint
  readonly changedAt: Date
}

export async function selectRefundPayout(sql: Sql, reference: string): Promise<RefundPayout | undefined> {
  const [row] = await sql<RefundPayout[]>`
    select refund.id, refund.merchant_id as "merchantId", refund.payment_id as "paymentId", refund.attempt_id as "attemptId",
           payout.connection, refund.status, payout.reference, payout.amount_minor as minor, payout.state, payout.reason,
           payout.returned_minor as "returnedMinor", payout.changed_at as "changedAt"
      from sepa_payout as payout
      join refund on refund.merchant_id = payout.merchant_id and refund.id = payout.payout_id
     where payout.reference = ${reference} and payout.kind = 'REFUND'`
  return row
}
