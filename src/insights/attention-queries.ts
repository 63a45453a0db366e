// What of a merchant waits for a person, from the tables that hold it. Every list ends after `limit` rows and is found by an index.
import { payoutTypes } from '#/contract/withdrawals.ts'
import { list, type Sql } from '#/db/client.ts'
import type {
  ConnectionId,
  DisputeId,
  EndpointId,
  MerchantId,
  PaymentId,
  RefundId,
  WithdrawalId,
} from '#/kernel/id.ts'
import { currencies, type Currency } from '#/kernel/money.ts'

export type BadEndpoint = {
  readonly id: EndpointId
  readonly url: string
  /** DISABLED: by us, because its attempts failed or it answered 410. FAILING: it is still tried. */
  readonly state: 'FAILING' | 'DISABLED'
  readonly since: Date
}

/** Endpoints that no delivery reaches: those that we disabled, and those that only fail. */
export function selectBadEndpoints(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly BadEndpoint[]> {
  return sql<BadEndpoint[]>`
    select endpoint.id, endpoint.url,
           case when endpoint.status = 'DISABLED' then 'DISABLED' else 'FAILING' end as state,
           coalesce(endpoint.disabled_at, failing.since) as since
      from webhook_endpoint as endpoint
      left join webhook_endpoint_failing as failing
             on failing.merchant_id = endpoint.merchant_id and failing.endpoint_id = endpoint.id
     where endpoint.merchant_id = ${merchantId} and endpoint.status <> 'DELETED'
       and (endpoint.status = 'DISABLED' and endpoint.disabled_reason <> 'REQUESTED'
            or endpoint.status <> 'DISABLED' and failing.since is not null)
     order by since
     limit ${limit}`
}

export type WaitingWithdrawal = {
  readonly id: WithdrawalId
  readonly type: string
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly createdAt: Date
}

/** Withdrawals that wait for a second person, oldest first. */
export function selectWaitingWithdrawals(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly WaitingWithdrawal[]> {
  return sql<WaitingWithdrawal[]>`
    select found.id, found.type, found.currency, found.amount_minor as "amountMinor", found.created_at as "createdAt"
      from unnest(${list(payoutTypes)}::text[]) as of_type (type)
     cross join unnest(${list(Object.keys(currencies))}::text[]) as of_currency (currency)
     cross join lateral (
       select id, type, currency, amount_minor, created_at
         from withdrawal
        where merchant_id = ${merchantId} and type = of_type.type and currency = of_currency.currency
          and status = 'PENDING_APPROVAL'
        order by id
        limit ${limit}
     ) as found
     order by found.id
     limit ${limit}`
}

export type WaitingRefund = {
  readonly id: RefundId
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly createdAt: Date
}

/** Refunds that wait for a second person, oldest first. */
export function selectWaitingRefunds(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly WaitingRefund[]> {
  return sql<WaitingRefund[]>`
    select id, currency, amount_minor as "amountMinor", created_at as "createdAt"
      from refund
     where merchant_id = ${merchantId} and approval_required
     order by merchant_id, id
     limit ${limit}`
}

export type DueDispute = {
  readonly id: DisputeId
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly evidenceDueAt: Date
}

/** Open disputes whose evidence is due within a time, the first due first; among the oldest `readMost` open ones of each currency. */
export function selectDueDisputes(
  sql: Sql,
  merchantId: MerchantId,
  withinMs: number,
  { limit, readMost }: { readonly limit: number; readonly readMost: number },
): Promise<readonly DueDispute[]> {
  return sql<DueDispute[]>`
    select found.id, found.currency, found.amount_minor as "amountMinor", found.evidence_due_at as "evidenceDueAt"
      from unnest(${list(Object.keys(currencies))}::text[]) as of_currency (currency)
     cross join lateral (
       select id, currency, amount_minor, evidence_due_at
         from dispute
        where merchant_id = ${merchantId} and currency = of_currency.currency and status = 'OPEN'
        order by id
        limit ${readMost}
     ) as found
     where found.evidence_due_at between clock_timestamp() and clock_timestamp() + ${withinMs} * interval '1 millisecond'
     order by found.evidence_due_at, found.id
     limit ${limit}`
}

export type UnderpaidPayment = {
  readonly id: PaymentId
  readonly status: string
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly receivedMinor: bigint
}

/**
 * Payments that are not PAID and hold a part of their amount, newest first: among the newest `limit` of each set of exceptions with
 * UNDERPAID. Payments whose money was given back need no attention.
 */
export function selectUnderpaid(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly UnderpaidPayment[]> {
  return sql<UnderpaidPayment[]>`
    select found.id, found.status, found.currency, found.amount_minor as "amountMinor", found.received_minor as "receivedMinor"
      from unnest(array[1, 3, 5, 7, 9, 11, 13, 15]) as of_set (number)
     cross join lateral (
       select payment.id, payment.status, payment.currency, payment.amount_minor, payment.received_minor, payment.refunded_minor
         from payment
        where payment.merchant_id = ${merchantId} and payment.exceptions <> '{}'
          and (('UNDERPAID' = any (payment.exceptions))::integer + 2 * ('OVERPAID' = any (payment.exceptions))::integer
               + 4 * ('LATE' = any (payment.exceptions))::integer + 8 * ('DUPLICATE' = any (payment.exceptions))::integer)
              = of_set.number
        order by payment.id desc
        limit ${limit}
     ) as found
     where found.status <> 'PAID' and found.received_minor > found.refunded_minor
     order by found.id desc
     limit ${limit}`
}

export type SuspendedMoney = {
  readonly id: string
  readonly connection: ConnectionId
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly recordedAt: Date
}

/**
 * Money in suspense that came over the merchant's own connections, oldest first. Money over shared connections belongs to no merchant yet.
 */
export function selectSuspended(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly SuspendedMoney[]> {
  return sql<SuspendedMoney[]>`
    select found.id, found.connection, found.currency, found.amount_minor as "amountMinor", found.recorded_at as "recordedAt"
      from connection
     cross join lateral (
       select id, connection, currency, amount_minor, recorded_at
         from unmatched
        where unmatched.connection = connection.id and unmatched.resolved_at is null and unmatched.outcome = 'paid'
          and unmatched.amount_minor > 0
        order by unmatched.recorded_at
        limit ${limit}
     ) as found
     where connection.merchant_id = ${merchantId}
     order by found.recorded_at
     limit ${limit}`
}
