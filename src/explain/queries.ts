// All SQL of explanations. Each query reads one page of one thing by an index, from a position on.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Method } from '#/rails/method.ts'
import type { Outcome } from '#/rails/receipt.ts'
import type { DeliveryStatus, EventType } from '#/webhooks/event.ts'

export type PaymentRow = {
  readonly status: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly receivedMinor: bigint
  readonly refundedMinor: bigint
  readonly disputedMinor: bigint
  readonly seenMinor: bigint
  readonly createdAt: Date
}

export async function selectPayment(
  tx: Sql | Tx,
  merchantId: MerchantId,
  id: string,
): Promise<PaymentRow | undefined> {
  const [row] = await tx<PaymentRow[]>`
    select status, amount_minor as "amountMinor", currency, received_minor as "receivedMinor",
           refunded_minor as "refundedMinor", disputed_minor as "disputedMinor", seen_minor as "seenMinor",
           created_at as "createdAt"
      from payment
     where merchant_id = ${merchantId} and id = ${id}`
  return row
}

export type RefundRow = {
  readonly paymentId: string
  readonly status: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly isHeldBack: boolean
  readonly approvalRequired: boolean
}

export async function selectRefund(
  tx: Sql | Tx,
  merchantId: MerchantId,
  id: string,
): Promise<RefundRow | undefined> {
  const [row] = await tx<RefundRow[]>`
    select payment_id as "paymentId", status, amount_minor as "amountMinor", currency, is_held_back as "isHeldBack",
           approval_required as "approvalRequired"
      from refund
     where merchant_id = ${merchantId} and id = ${id}`
  return row
}

export type WithdrawalRow = {
  readonly status: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly returnedMinor: bigint
  readonly reviewRequired: boolean
  /** Whether a person recorded how it ended. */
  readonly isEndedByHand: boolean
}

export async function selectWithdrawal(
  tx: Sql | Tx,
  merchantId: MerchantId,
  id: string,
): Promise<WithdrawalRow | undefined> {
  const [row] = await tx<WithdrawalRow[]>`
    select status, amount_minor as "amountMinor", currency, returned_minor as "returnedMinor",
           review_required as "reviewRequired", note is not null as "isEndedByHand"
      from withdrawal
     where merchant_id = ${merchantId} and id = ${id}`
  return row
}

export type RefundOfPayment = { readonly id: string; readonly amountMinor: bigint }

/** The refunds of a payment, oldest first. */
export function selectRefundsOf(
  tx: Sql | Tx,
  merchantId: MerchantId,
  paymentId: string,
  limit: number,
): Promise<readonly RefundOfPayment[]> {
  return tx<RefundOfPayment[]>`
    select id, amount_minor as "amountMinor"
      from refund
     where merchant_id = ${merchantId} and payment_id = ${paymentId}
     order by id
     limit ${limit}`
}

export type DisputeOfPayment = {
  readonly id: string
  readonly providerRef: string
  readonly amountMinor: bigint
}

/** The disputes of a payment, oldest first, with the provider's name of each. */
export function selectDisputesOf(
  tx: Sql | Tx,
  merchantId: MerchantId,
  paymentId: string,
  limit: number,
): Promise<readonly DisputeOfPayment[]> {
  return tx<DisputeOfPayment[]>`
    select id, provider_ref as "providerRef", amount_minor as "amountMinor"
      from dispute
     where merchant_id = ${merchantId} and payment_id = ${paymentId}
     order by id
     limit ${limit}`
}

export type AttemptRow = {
  readonly id: string
  readonly method: Method
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly at: Date
}

/** The attempts of a payment in the order of their ids, which is that of time. */
export function selectAttempts(
  tx: Sql | Tx,
  merchantId: MerchantId,
  paymentId: string,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly AttemptRow[]> {
  const after = page.after ?? '00000000-0000-0000-0000-000000000000'
  return tx<AttemptRow[]>`
    select id, method, amount_minor as "amountMinor", currency, created_at as at
      from attempt
     where merchant_id = ${merchantId} and payment_id = ${paymentId} and id > ${after}
     order by id
     limit ${page.limit}`
}

export type ReceiptRow = {
  readonly connection: string
  readonly providerRef: string
  readonly outcome: Outcome
  readonly ordinal: number
  readonly bookedMinor: bigint
  readonly authorisedMinor: bigint | null
  readonly currency: Currency
  /** SHA-256 of its evidence: transfers that it caused name it. */
  readonly cause: Buffer
  readonly happenedAt: Date
  readonly at: Date
  readonly method: Method
}

/** The receipts of a payment in their order. `goingBack`: only those of refunds and disputes. */
export function selectReceipts(
  tx: Sql | Tx,
  merchantId: MerchantId,
  paymentId: string,
  page: { readonly after: number; readonly limit: number; readonly goingBack?: boolean },
): Promise<readonly ReceiptRow[]> {
  const only =
    page.goingBack === true
      ? tx`and receipt.outcome in ('refunded', 'refund_failed', 'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost')`
      : tx``
  return tx<ReceiptRow[]>`
    select page.connection, page.provider_ref as "providerRef", page.outcome, page.ordinal,
           page.booked_minor as "bookedMinor", page.authorised_minor as "authorisedMinor", page.currency,
           coalesce((select before_digest from erased
                      where erased.merchant_id = page.merchant_id and erased.place = 'receipt.evidence'
                        and erased.key = page.payment_id || '/' || page.ordinal), sha256(page.evidence)) as cause,
           page.happened_at as "happenedAt", page.recorded_at as at, attempt.method
      from (select *
              from receipt
             where merchant_id = ${merchantId} and payment_id = ${paymentId} and ordinal > ${page.after} ${only}
             order by ordinal
             limit ${page.limit}) as page
      join attempt on attempt.merchant_id = page.merchant_id and attempt.id = page.attempt_id
     order by page.ordinal`
}

export type TransferRow = {
  readonly number: bigint
  readonly subject: string
  readonly step: string
  readonly kind: string
  readonly minor: bigint
  readonly currency: Currency
  readonly cause: Buffer
  readonly debit: string
  readonly debitSide: 'DEBIT' | 'CREDIT'
  readonly credit: string
  readonly creditSide: 'DEBIT' | 'CREDIT'
  readonly at: Date
}

/** The transfers with one of these steps, in their order. */
export function selectStepsOf(
  tx: Sql | Tx,
  subject: string,
  steps: readonly string[],
): Promise<readonly TransferRow[]> {
  return tx<TransferRow[]>`
    ${transferRows(tx)}
     where transfer.subject = ${subject} and transfer.step = any (${list(steps)}::text[])
     order by transfer.number`
}

/**
 * The transfers of records that have few each: refunds, disputes, a withdrawal. Those of its parent are left out, which a repayment by a
 * sub-account makes beside its own.
 */
export function selectTransfersOf(
  tx: Sql | Tx,
  subjects: readonly string[],
  page: { readonly after: bigint; readonly limit: number },
): Promise<readonly TransferRow[]> {
  return tx<TransferRow[]>`
    ${transferRows(tx)}
     where transfer.subject = any (${list(subjects)}::uuid[]) and transfer.number > ${page.after}
       and transfer.kind <> all (array['SHARE_COVERED', 'PLATFORM_REPAID'])
     order by transfer.number
     limit ${page.limit}`
}

function transferRows(tx: Sql | Tx) {
  return tx`
    select transfer.number, transfer.subject, transfer.step, transfer.kind, transfer.minor, transfer.cause,
           debit_account.currency, debit_account.name as debit, debit_account.side as "debitSide",
           credit_account.name as credit, credit_account.side as "creditSide", batch.at
      from transfer
      join account as debit_account on debit_account.id = transfer.debit
      join account as credit_account on credit_account.id = transfer.credit
      join batch on batch.number = transfer.batch`
}

/** Which of these records have a transfer that one of these receipts caused. */
export function selectCaused(
  tx: Sql | Tx,
  subjects: readonly string[],
  causes: readonly Buffer[],
): Promise<readonly { readonly subject: string; readonly cause: Buffer }[]> {
  return tx<{ subject: string; cause: Buffer }[]>`
    select distinct subject, cause
      from transfer
     where subject = any (${list(subjects)}::uuid[]) and cause = any (${list(causes)}::bytea[])`
}

export type ReleaseRow = { readonly ordinal: number; readonly at: Date }

/** The receipts of a payment whose money was released, with the instant. */
export function selectReleases(
  tx: Sql | Tx,
  merchantId: MerchantId,
  paymentId: string,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly ReleaseRow[]> {
  return tx<ReleaseRow[]>`
    select ordinal, released_at as at
      from release
     where merchant_id = ${merchantId} and payment_id = ${paymentId} and ordinal > ${page.after}
       and released_minor > 0
     order by ordinal
     limit ${page.limit}`
}

export type EventRow = {
  readonly sequence: bigint
  readonly id: string
  readonly type: EventType
  readonly resourceId: string
  readonly body: string
  readonly at: Date
  /** The type of the event of the same record before it. */
  readonly before: EventType | null
}

/** Attempts of a delivery are counted up to this number. */
export const attemptsCounted = 100

/** The events of these records in their order. */
export function selectEvents(
  tx: Sql | Tx,
  merchantId: MerchantId,
  resourceIds: readonly string[],
  page: { readonly after: bigint; readonly limit: number },
): Promise<readonly EventRow[]> {
  return tx<EventRow[]>`
    select page.sequence, page.id, page.type, page.resource_id as "resourceId", page.body, page.at, earlier.type as before
      from (
        select found.*
          from unnest(${list(resourceIds)}::uuid[]) as wanted (id)
         cross join lateral (
           select sequence, id, type, resource_id, body, at
             from event
            where resource_id = wanted.id and merchant_id = ${merchantId} and sequence > ${page.after}
            order by sequence
            limit ${page.limit}
         ) as found
         order by found.sequence
         limit ${page.limit}
      ) as page
      left join lateral (
        select type from event
         where resource_id = page.resource_id and merchant_id = ${merchantId} and sequence < page.sequence
         order by sequence desc
         limit 1
      ) as earlier on true
     order by page.sequence`
}

export type DeliveryRow = {
  readonly sequence: bigint
  readonly id: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly endpointId: string | null
  readonly attempts: number
  readonly attemptAt: Date | null
  readonly responseStatus: number | null
  readonly error: string | null
}

/** The deliveries of each of these events with the last attempt at it: at most `limit`, those that have not arrived first. */
export function selectDeliveries(
  tx: Sql | Tx,
  merchantId: MerchantId,
  sequences: readonly bigint[],
  limit: number,
): Promise<readonly DeliveryRow[]> {
  return tx<DeliveryRow[]>`
    select wanted.sequence, sent.id, sent.url, sent.status, sent.endpoint_id as "endpointId",
           coalesce(tries.count, 0)::integer as attempts, last.at as "attemptAt",
           last.response_status as "responseStatus", last.error
      from unnest(${list(sequences)}::bigint[]) as wanted (sequence)
     cross join lateral (
       select id, url, status, endpoint_id from delivery
        where merchant_id = ${merchantId} and event_sequence = wanted.sequence
        order by status = 'DELIVERED', id
        limit ${limit}
     ) as sent
      left join lateral (
        select count(*) from (
          select from delivery_attempt
           where merchant_id = ${merchantId} and delivery_id = sent.id
           limit ${attemptsCounted}) as counted
      ) as tries on true
      left join lateral (
        select at, response_status, error from delivery_attempt
         where merchant_id = ${merchantId} and delivery_id = sent.id
         order by id desc
         limit 1
      ) as last on true
     order by wanted.sequence, sent.id`
}

export type DecisionRow = {
  readonly id: string
  readonly at: Date
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly subject: string
}

/** Decisions about these records, by people and by the rules that people set, oldest first. `subjects`: as `kind:id`. */
export function selectDecisions(
  tx: Sql | Tx,
  subjects: readonly string[],
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly DecisionRow[]> {
  const after = page.after ?? '00000000-0000-0000-0000-000000000000'
  return tx<DecisionRow[]>`
    select id, at, actor_kind as "actorKind", actor_id as "actorId", action, subject
      from audit_log
     where subject = any (${list(subjects)}::text[]) and id > ${after}
     order by id
     limit ${page.limit}`
}

/** The key that rejected a record, if one did. `subject`: as `kind:id`. */
export async function selectRejection(tx: Sql | Tx, subject: string): Promise<string | undefined> {
  const [row] = await tx<{ actorId: string }[]>`
    select actor_id as "actorId" from audit_log
     where subject = ${subject} and action like '%.reject'
     order by id desc
     limit 1`
  return row?.actorId
}
