// The SQL of the payments' inspections: requests, and what the events of payments contain.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Payer, PaymentRequest, PaymentStatus } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'

/** What the provider returned when the attempt was opened, as its rail keeps it. */
type Artifacts = Readonly<Record<string, unknown>>

/** The key of a record, as in its events. */
export type Key = { readonly merchantId: MerchantId; readonly id: string }

type PaymentKey = { readonly merchantId: MerchantId; readonly id: PaymentId }

const minId = '00000000-0000-0000-0000-000000000000'
const firstKey: PaymentKey = { merchantId: minId as MerchantId, id: minId as PaymentId }

export type RequestedPayment = PaymentKey & {
  readonly request: PaymentRequest
  readonly fingerprint: Buffer
  readonly status: PaymentStatus
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly methods: readonly Method[]
  readonly method: Method | null
  readonly webhookUrl: string | null
  /** Its payer's data was erased: the fingerprint is that of the whole request. */
  readonly isErased: boolean
  /** Its attempts; empty when there are none. */
  readonly attempts: readonly {
    readonly id: string
    readonly method: Method
    readonly amount: string
    readonly currency: string
    /** Null until the provider answered. */
    readonly artifacts: Artifacts | null
    /** Whether its provider can still get money for it: it neither refused nor ended it. */
    readonly isOpen: boolean
    /** For an attempt for the rest: what its amount was computed from, and the final money of the receipts booked before it. */
    readonly rest: { readonly received: string; readonly refunded: string; readonly booked: string } | null
    /** Whether its connection exists for its method and mode, and is its merchant's own or shared. */
    readonly isConnected: boolean
  }[]
}

export function selectRequested(
  sql: Sql,
  after: PaymentKey | undefined,
  {
    limit,
    connected,
  }: {
    readonly limit: number
    /** Methods whose connections are of another method. */
    readonly connected: readonly { readonly method: Method; readonly connectedAs: string }[]
  },
): Promise<readonly RequestedPayment[]> {
  const { merchantId, id } = after ?? firstKey
  return sql<RequestedPayment[]>`
    select payment.merchant_id as "merchantId", payment.id, payment.request, payment.fingerprint, payment.status,
           payment.amount_minor as "amountMinor", payment.currency, payment.methods, payment.method,
           payment.webhook_url as "webhookUrl",
           exists (select from erased
                    where erased.merchant_id = payment.merchant_id and erased.place = 'payment.request'
                      and erased.key = payment.id::text) as "isErased",
           (select coalesce(json_agg(json_build_object(
                     'id', attempt.id, 'method', attempt.method, 'currency', attempt.currency,
                     'amount', attempt.amount_minor::text, 'artifacts', attempt.artifacts,
                     'isOpen', attempt.over_at is null and attempt.refusal is null,
                     'rest', case when attempt.asked -> 'rest' is not null then jsonb_build_object(
                       'booked', (select coalesce(sum(booked_minor), 0)::text
                                    from receipt
                                   where receipt.merchant_id = attempt.merchant_id and receipt.payment_id = attempt.payment_id
                                     and receipt.outcome = 'paid'
                                     and receipt.ordinal <= (attempt.asked -> 'rest' ->> 'receipts')::integer))
                       || (attempt.asked -> 'rest')::jsonb end,
                     'isConnected', coalesce(connection.method = coalesce(other.connected, attempt.method)
                                             and connection.mode = merchant.mode
                                             and coalesce(connection.merchant_id = attempt.merchant_id, true), false))), '[]')
              from attempt
              left join connection on connection.id = attempt.connection
              left join merchant on merchant.id = attempt.merchant_id
              left join unnest(${list(connected.map(({ method }) => method))}::text[],
                               ${list(connected.map(({ connectedAs }) => connectedAs))}::text[])
                   as other (method, connected) on other.method = attempt.method
             where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id) as attempts
      from payment
     where (payment.merchant_id, payment.id) > (${merchantId}, ${id})
     order by payment.merchant_id, payment.id
     limit ${limit}`
}

export type NotifiedRow = PaymentKey & {
  /** The payment as it is now. */
  readonly status: PaymentStatus
  readonly version: number
  readonly amountMinor: bigint
  readonly currency: string
  readonly receivedMinor: bigint
  readonly refundedMinor: bigint
  readonly feeMinor: bigint
  readonly exceptions: readonly string[]
  readonly walletId: string | null
  readonly webhookUrl: string | null
  readonly completingTx: string | null
  readonly request: PaymentRequest
  readonly payer: Payer | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly approvedAt: Date | null
  readonly paidAt: Date | null
  readonly method: Method | null
  /** The artifacts of the last attempt with its method that was opened. */
  readonly artifacts: Artifacts | null
}

/** These payments, with the fields that their events contain. */
export function selectNotified(tx: Tx, keys: readonly Key[]): Promise<readonly NotifiedRow[]> {
  return tx<NotifiedRow[]>`
    select payment.merchant_id as "merchantId", payment.id, payment.status, payment.version,
           payment.amount_minor as "amountMinor", payment.currency, payment.received_minor as "receivedMinor",
           payment.refunded_minor as "refundedMinor", payment.fee_minor as "feeMinor", payment.exceptions,
           payment.wallet_id as "walletId", payment.webhook_url as "webhookUrl",
           payment.completing_tx as "completingTx", payment.request, payment.payer, payment.created_at as "createdAt",
           payment.expires_at as "expiresAt", payment.approved_at as "approvedAt", payment.paid_at as "paidAt",
           payment.method,
           (select attempt.artifacts
              from attempt
             where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
               and attempt.method = payment.method and attempt.artifacts is not null
             order by attempt.id desc
             limit 1) as artifacts
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join payment on payment.merchant_id = wanted.merchant_id and payment.id = wanted.id`
}

export type StateRow = PaymentKey & {
  readonly status: PaymentStatus
  readonly createdAt: Date
  /** Whether its provider refused it when the attempt was opened, without a page: the answer to the creation may have reported that. */
  readonly wasRefused: boolean
}

/** The next page of payments, by key, that are in one of these states. */
export function selectStates(
  sql: Sql,
  statuses: readonly string[],
  after: Key | undefined,
  limit: number,
): Promise<readonly StateRow[]> {
  const { merchantId, id } = after ?? firstKey
  return sql<StateRow[]>`
    select merchant_id as "merchantId", id, status, created_at as "createdAt",
           status = 'FAILED' and last_error is not null and page_token is null
             and not exists (select from attempt
                              where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
                                and attempt.artifacts is not null) as "wasRefused"
      from payment
     where (merchant_id, id) > (${merchantId}, ${id}) and status = any (${list(statuses)}::text[])
     order by merchant_id, id
     limit ${limit}`
}

type ClosingKey = { readonly merchantId: MerchantId; readonly attemptId: AttemptId }

/**
 * The attempts that are still to be canceled at their providers, with the state of each payment; null without an attempt. `isOver`: the
 * attempt's own time is over.
 */
export function selectClosings(
  sql: Sql,
  after: ClosingKey | undefined,
  limit: number,
): Promise<readonly (ClosingKey & { readonly status: PaymentStatus | null; readonly isOver: boolean })[]> {
  const { merchantId = minId, attemptId = minId } = after ?? {}
  return sql<(ClosingKey & { status: PaymentStatus | null; isOver: boolean })[]>`
    select closing.merchant_id as "merchantId", closing.attempt_id as "attemptId", payment.status,
           coalesce((attempt.asked->>'expiresAt')::timestamptz <= clock_timestamp(), false) as "isOver"
      from attempt_closing as closing
      left join attempt on attempt.merchant_id = closing.merchant_id and attempt.id = closing.attempt_id
      left join payment on payment.merchant_id = attempt.merchant_id and payment.id = attempt.payment_id
     where (closing.merchant_id, closing.attempt_id) > (${merchantId}, ${attemptId})
     order by closing.merchant_id, closing.attempt_id
     limit ${limit}`
}
