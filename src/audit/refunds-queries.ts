// The SQL of the refunds' inspections.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { RefundRequest, RefundStatus } from '#/refunds/refund.ts'
import {
  type BothPersons,
  type Key,
  type State,
  bothColumns,
  bothJoined,
  minId,
  selectStatesOf,
} from './records-queries.ts'

type RefundKey = { readonly merchantId: MerchantId; readonly id: RefundId }

/** A refund with what its replay needs. */
export type ReplayedRefund = RefundKey & {
  readonly paymentId: PaymentId
  readonly connection: string
  readonly paidRef: string
  readonly isHeldBack: boolean
  readonly walletId: string
  readonly amountMinor: bigint
  readonly unreleasedMinor: bigint
  readonly status: RefundStatus
  readonly hasFailure: boolean
  readonly fingerprint: Buffer
  readonly version: number
  readonly createdAt: Date
  readonly completedAt: Date | null
  /** How often it was approved or held back, by the audit log: each is a version without a receipt. */
  readonly decisions: number
}

/** The refunds of these payments, oldest first. */
export function selectRefundsOf(tx: Tx, refs: readonly PaymentRef[]): Promise<readonly ReplayedRefund[]> {
  return tx<ReplayedRefund[]>`
    select refund.merchant_id as "merchantId", refund.id, refund.payment_id as "paymentId", refund.connection,
           refund.paid_ref as "paidRef", refund.is_held_back as "isHeldBack",
           refund.wallet_id as "walletId", refund.amount_minor as "amountMinor",
           refund.unreleased_minor as "unreleasedMinor", refund.status, refund.failure is not null as "hasFailure", refund.fingerprint, refund.version,
           refund.created_at as "createdAt", refund.completed_at as "completedAt",
           (select count(*) from audit_log
             where subject = 'refund:' || refund.id and action in ('refund.approve', 'refund.hold'))::integer as decisions
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join refund using (merchant_id, payment_id)
     order by refund.id`
}

/** Returns which of these ids are ids of refunds. */
export async function selectRefundsAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from refund where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export type RequestedRefund = RefundKey &
  BothPersons & {
    readonly paymentId: PaymentId
    readonly request: RefundRequest
    readonly fingerprint: Buffer
    readonly amountMinor: bigint
    readonly reason: string | null
    readonly metadata: Readonly<Record<string, unknown>> | null
    readonly destination: Readonly<Record<string, string>> | null
    readonly status: RefundStatus
    readonly isDue: boolean
    readonly approvalRequired: boolean
    /** The type of withdrawal whose limits it counts towards; null when its provider returns the money. */
    readonly payoutType: string | null
    readonly isDayCounted: boolean
    readonly hasPayment: boolean
    /** Whether its wallet is the one that its money was credited to. */
    readonly isOfWallet: boolean
    readonly isOfCurrency: boolean
    /** The amount of the receipt that it refunds, by the same attempt and method; null when there is none. */
    readonly cameMinor: bigint | null
    /** Its request was erased in part: the fingerprint is that of the whole request. */
    readonly isErased: boolean
  }

/** The next page of refunds, by key, each with its payment, the receipt that it refunds, and whether it is due. */
export function selectRequested(
  sql: Sql,
  after: RefundKey | undefined,
  limit: number,
): Promise<readonly RequestedRefund[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<RequestedRefund[]>`
    select refund.merchant_id as "merchantId", refund.id, refund.payment_id as "paymentId", refund.request,
           refund.fingerprint, refund.amount_minor as "amountMinor", refund.reason, refund.metadata, refund.destination, refund.status,
           refund.approval_required as "approvalRequired", ${bothColumns('refund', sql)},
           refund.payout_type as "payoutType",
           (select true from withdrawal_spent as spent
             where spent.merchant_id = refund.merchant_id and spent.type = refund.payout_type
               and spent.day = (refund.created_at at time zone 'UTC')::date limit 1) is not null as "isDayCounted",
           due.refund_id is not null as "isDue", payment.id is not null as "hasPayment",
           coalesce(refund.wallet_id = coalesce((select (each.value ->> 'walletId')::uuid
                                                   from json_array_elements(payment.money) as each
                                                  where each.value ->> 'currency' = paid.currency), payment.wallet_id), false) as "isOfWallet",
           coalesce(refund.currency = payment.currency, false) as "isOfCurrency",
           paid.booked_minor as "cameMinor",
           exists (select from erased
                    where erased.merchant_id = refund.merchant_id and erased.place = 'refund.request'
                      and erased.key = refund.id::text) as "isErased"
      from refund
      ${bothJoined('refund', sql)}
      left join refund_due as due on due.merchant_id = refund.merchant_id and due.refund_id = refund.id
      left join payment on payment.merchant_id = refund.merchant_id and payment.id = refund.payment_id
      left join lateral (
        select receipt.booked_minor, receipt.currency
          from receipt
          join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
         where receipt.connection = refund.connection and receipt.provider_ref = refund.paid_ref
           and receipt.outcome = 'paid' and receipt.merchant_id = refund.merchant_id
           and receipt.payment_id = refund.payment_id and receipt.attempt_id = refund.attempt_id
           and attempt.method = refund.method
         order by receipt.booked_minor desc
         limit 1) as paid on true
     where (refund.merchant_id, refund.id) > (${merchantId}, ${id})
     order by refund.merchant_id, refund.id
     limit ${limit}`
}

/** The next page of due rows, with whether a pending refund belongs to each. */
export function selectDue(
  sql: Sql,
  after: RefundKey | undefined,
  limit: number,
): Promise<readonly (RefundKey & { readonly isWaiting: boolean })[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<(RefundKey & { isWaiting: boolean })[]>`
    select due.merchant_id as "merchantId", due.refund_id as id, coalesce(refund.status = 'PENDING', false) as "isWaiting"
      from refund_due as due
      left join refund on refund.merchant_id = due.merchant_id and refund.id = due.refund_id
     where (due.merchant_id, due.refund_id) > (${merchantId}, ${id})
     order by due.merchant_id, due.refund_id
     limit ${limit}`
}

export type NotifiedRefund = RefundKey & {
  readonly paymentId: PaymentId
  readonly mode: string
  readonly status: RefundStatus
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly failure: { readonly code: string; readonly message: string } | null
  readonly destination: Readonly<Record<string, string>> | null
  readonly txHash: string | null
  readonly version: number
  readonly createdAt: Date
  readonly completedAt: Date | null
  /** The URL to which the payment's events are delivered. */
  readonly webhookUrl: string | null
}

/** These refunds, with the fields that their events contain. */
export function selectNotified(tx: Tx, keys: readonly Key[]): Promise<readonly NotifiedRefund[]> {
  return tx<NotifiedRefund[]>`
    select refund.merchant_id as "merchantId", refund.id, refund.payment_id as "paymentId", merchant.mode, refund.status,
           refund.amount_minor as "amountMinor", refund.currency, refund.reason, refund.metadata, refund.failure, refund.destination,
           refund.tx_hash as "txHash", refund.version, refund.created_at as "createdAt", refund.completed_at as "completedAt",
           payment.webhook_url as "webhookUrl"
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join refund on refund.merchant_id = wanted.merchant_id and refund.id = wanted.id
      left join merchant on merchant.id = refund.merchant_id
      left join payment on payment.merchant_id = refund.merchant_id and payment.id = refund.payment_id`
}

/** The next page of refunds, by key, with their states. */
export function selectStates(
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<readonly State<RefundKey, RefundStatus>[]> {
  return selectStatesOf(sql, 'refund', after, limit)
}
