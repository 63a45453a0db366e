// The SQL of the payments' inspections: what was asked for, and what merchants were told of it.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Method } from '#/rails/rail.ts'
import type { EventType } from '#/webhooks/event.ts'
import type { PaymentRequest } from './payment.ts'

type PaymentKey = { readonly merchantId: MerchantId; readonly id: PaymentId }

const none = '00000000-0000-0000-0000-000000000000'
const firstKey: PaymentKey = { merchantId: none as MerchantId, id: none as PaymentId }

export type AskedRow = PaymentKey & {
  readonly request: PaymentRequest
  readonly fingerprint: Buffer
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly methods: readonly Method[]
  readonly method: Method | null
  readonly webhookUrl: string | null
  /** Its attempts; empty when there are none. */
  readonly attempts: readonly {
    readonly id: string
    readonly method: Method
    readonly amount: string
    readonly currency: string
  }[]
}

export function selectAsked(
  sql: Sql,
  after: PaymentKey | undefined,
  limit: number,
): Promise<readonly AskedRow[]> {
  const { merchantId, id } = after ?? firstKey
  return sql<AskedRow[]>`
    select payment.merchant_id as "merchantId", payment.id, payment.request, payment.fingerprint,
           payment.amount_minor as "amountMinor", payment.currency, payment.methods, payment.method,
           payment.webhook_url as "webhookUrl",
           (select coalesce(json_agg(json_build_object('id', attempt.id, 'method', attempt.method, 'currency', attempt.currency,
                                                       'amount', attempt.amount_minor::text)), '[]')
              from attempt
             where attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id) as attempts
      from payment
     where (payment.merchant_id, payment.id) > (${merchantId}, ${id})
     order by payment.merchant_id, payment.id
     limit ${limit}`
}

type EventKey = { readonly merchantId: MerchantId; readonly sequence: bigint }

export type ToldRow = EventKey & {
  readonly type: EventType
  readonly resourceId: PaymentId
  readonly body: string
  readonly at: Date
  /** The payment as it is now; absent when there is none. */
  readonly status: string | null
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
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly paidAt: Date | null
}

/** Events of payments, each with the payment as it is now, of one instant. */
export function selectTold(
  sql: Sql,
  after: EventKey | undefined,
  limit: number,
): Promise<readonly ToldRow[]> {
  const { merchantId = none, sequence = 0n } = after ?? {}
  return sql<ToldRow[]>`
    select event.merchant_id as "merchantId", event.sequence, event.type, event.resource_id as "resourceId", event.body,
           event.at, payment.status, payment.version, payment.amount_minor as "amountMinor", payment.currency,
           payment.received_minor as "receivedMinor", payment.refunded_minor as "refundedMinor",
           payment.fee_minor as "feeMinor", payment.exceptions, payment.wallet_id as "walletId",
           payment.webhook_url as "webhookUrl", payment.completing_tx as "completingTx", payment.request,
           payment.created_at as "createdAt", payment.expires_at as "expiresAt", payment.paid_at as "paidAt"
      from (select * from event
             where (merchant_id, sequence) > (${merchantId}, ${sequence}) and type like 'payment.%'
             order by merchant_id, sequence limit ${limit}) as event
      left join payment on payment.merchant_id = event.merchant_id and payment.id = event.resource_id
     order by event.merchant_id, event.sequence`
}

export type EndedRow = PaymentKey & { readonly status: string; readonly createdAt: Date }

/** Payments in one of these states. */
export function selectEnded(
  sql: Sql,
  statuses: readonly string[],
  after: PaymentKey | undefined,
  limit: number,
): Promise<readonly EndedRow[]> {
  const { merchantId, id } = after ?? firstKey
  return sql<EndedRow[]>`
    select merchant_id as "merchantId", id, status, created_at as "createdAt"
      from payment
     where (merchant_id, id) > (${merchantId}, ${id}) and status = any (${list(statuses)}::text[])
     order by merchant_id, id
     limit ${limit}`
}

/** The first event of the merchant with at least this number. */
export async function selectEventAt(
  sql: Sql | Tx,
  merchantId: MerchantId,
  sequence: bigint,
): Promise<{ sequence: bigint; at: Date } | undefined> {
  const [row] = await sql<{ sequence: bigint; at: Date }[]>`
    select sequence, at from event where merchant_id = ${merchantId} and sequence >= ${sequence} order by sequence limit 1`
  return row
}

export async function selectLastSequence(sql: Sql, merchantId: MerchantId): Promise<bigint> {
  const [row] = await sql<{ last: bigint }[]>`
    select coalesce(max(sequence), 0) as last from event where merchant_id = ${merchantId}`
  return row?.last ?? 0n
}

/** The merchant's events after a number, without their bodies. */
export function selectEventTypes(
  sql: Sql,
  merchantId: MerchantId,
  after: bigint,
  limit: number,
): Promise<readonly { sequence: bigint; type: EventType; resourceId: PaymentId }[]> {
  return sql<{ sequence: bigint; type: EventType; resourceId: PaymentId }[]>`
    select sequence, type, resource_id as "resourceId" from event
     where merchant_id = ${merchantId} and sequence > ${after} order by sequence limit ${limit}`
}
