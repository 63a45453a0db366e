// The SQL of the disputes' inspections.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { Dispute, DisputeStatus } from '#/disputes/dispute.ts'
import type { DisputeId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { minId, selectStatesOf, type Key, type State } from './records-queries.ts'

type DisputeKey = { readonly merchantId: MerchantId; readonly id: DisputeId }

/** A dispute with what its replay needs. */
export type ReplayedDispute = DisputeKey & {
  /** One of the two is absent. */
  readonly paymentId: PaymentId | null
  readonly unmatchedId: string | null
  readonly connection: string
  readonly providerRef: string
  readonly paidRef: string
  readonly walletId: string
  readonly status: DisputeStatus
  readonly isTaken: boolean
  readonly round: number
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly version: number
  readonly createdAt: Date
  readonly closedAt: Date | null
}

function replayedColumns(tx: Tx) {
  return tx`
    dispute.merchant_id as "merchantId", dispute.id, dispute.payment_id as "paymentId",
    dispute.unmatched_id as "unmatchedId", dispute.connection, dispute.provider_ref as "providerRef",
    dispute.paid_ref as "paidRef", dispute.wallet_id as "walletId", dispute.status, dispute.is_taken as "isTaken",
    dispute.round, dispute.amount_minor as "amountMinor", dispute.fee_minor as "feeMinor", dispute.version,
    dispute.created_at as "createdAt", dispute.closed_at as "closedAt"`
}

/** The disputes of these payments, oldest first. */
export function selectDisputesOf(tx: Tx, refs: readonly PaymentRef[]): Promise<readonly ReplayedDispute[]> {
  return tx<ReplayedDispute[]>`
    select ${replayedColumns(tx)}
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join dispute using (merchant_id, payment_id)
     order by dispute.id`
}

/** The disputes about this money, which was credited out of suspense; oldest first. */
export function selectDisputesOfCredited(
  tx: Tx,
  ids: readonly string[],
): Promise<readonly ReplayedDispute[]> {
  return tx<ReplayedDispute[]>`
    select ${replayedColumns(tx)}
      from dispute
     where dispute.unmatched_id = any (${list(ids)}::uuid[])
     order by dispute.id`
}

/** Returns which of these ids are ids of disputes. Reads the whole table, so it is used only when a sum is wrong. */
export async function selectDisputesAmong(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`select id from dispute where id = any (${list(ids)}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export type OpenedDispute = DisputeKey & {
  /** Whether its payment exists, or the money that was credited out of suspense. */
  readonly hasGround: boolean
  /** Whether wallet and currency are those of the payment, or of the credit. */
  readonly isOfWallet: boolean
  readonly isOfCurrency: boolean
  /** Whether the disputed money was received for the payment, or is the money that was credited. */
  readonly hasMoney: boolean
}

/** The next page of disputes, by key, each with its payment and the disputed money. */
export function selectOpened(
  sql: Sql,
  after: DisputeKey | undefined,
  limit: number,
): Promise<readonly OpenedDispute[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<OpenedDispute[]>`
    select dispute.merchant_id as "merchantId", dispute.id,
           payment.id is not null or credited.id is not null as "hasGround",
           coalesce(dispute.wallet_id = coalesce((select (each.value ->> 'walletId')::uuid
                                                    from json_array_elements(payment.money) as each
                                                   where each.value ->> 'currency' = dispute.currency),
                                                 payment.wallet_id, credited.wallet_id), false) as "isOfWallet",
           coalesce(dispute.currency = coalesce(payment.currency, credited.currency), false) as "isOfCurrency",
           coalesce(credited.connection = dispute.connection and credited.provider_ref = dispute.paid_ref
                    and credited.resolution = 'CREDITED', false)
           or exists (select from receipt
                       where receipt.connection = dispute.connection and receipt.provider_ref = dispute.paid_ref
                         and receipt.outcome = 'paid' and receipt.merchant_id = dispute.merchant_id
                         and receipt.payment_id = dispute.payment_id) as "hasMoney"
      from (select * from dispute
             where (merchant_id, id) > (${merchantId}, ${id})
             order by merchant_id, id limit ${limit}) as dispute
      left join payment on payment.merchant_id = dispute.merchant_id and payment.id = dispute.payment_id
      left join unmatched as credited on credited.id = dispute.unmatched_id
     order by dispute.merchant_id, dispute.id`
}

export type NotifiedDispute = DisputeKey & {
  readonly paymentId: PaymentId | null
  readonly round: number
  readonly mode: string
  readonly status: DisputeStatus
  readonly kind: Dispute['kind']
  readonly amountMinor: bigint
  readonly feeMinor: bigint
  readonly currency: Currency
  readonly reason: string | null
  readonly evidenceDueAt: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly closedAt: Date | null
  /** The URL to which the payment's events are delivered. */
  readonly webhookUrl: string | null
  /** Whether a sandbox's clock was moved since it was made, and with it its dates. */
  readonly isMoved: boolean
}

/** These disputes, with the fields that their events contain. */
export function selectNotified(tx: Tx, keys: readonly Key[]): Promise<readonly NotifiedDispute[]> {
  return tx<NotifiedDispute[]>`
    select dispute.merchant_id as "merchantId", dispute.id, dispute.payment_id as "paymentId", merchant.mode,
           dispute.status, dispute.kind, dispute.round, dispute.amount_minor as "amountMinor", dispute.fee_minor as "feeMinor",
           dispute.currency, dispute.reason, dispute.evidence_due_at as "evidenceDueAt", dispute.version,
           dispute.created_at as "createdAt", dispute.closed_at as "closedAt", payment.webhook_url as "webhookUrl",
           moved_ms_since(dispute.merchant_id, dispute.created_at) > 0 as "isMoved"
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join dispute on dispute.merchant_id = wanted.merchant_id and dispute.id = wanted.id
      left join merchant on merchant.id = dispute.merchant_id
      left join payment on payment.merchant_id = dispute.merchant_id and payment.id = dispute.payment_id`
}

/** The next page of disputes, by key, with their states. */
export function selectStates(
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<readonly State<DisputeKey, DisputeStatus>[]> {
  return selectStatesOf(sql, 'dispute', after, limit)
}
