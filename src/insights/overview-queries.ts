// What the overview reads of a merchant's figures. It reads no payment: the cost depends on days, methods and currencies alone.
import { payoutTypes } from '#/contract/withdrawals.ts'
import { type Sql, list, type Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type {
  MerchantId,
  ConnectionId,
  DisputeId,
  EndpointId,
  PaymentId,
  RefundId,
  WithdrawalId,
} from '#/kernel/id.ts'
import { currencies, type Currency } from '#/kernel/money.ts'

export type Figure =
  | 'CREATED'
  | 'PAID'
  | 'ENDED'
  | 'SUCCEEDED'
  | 'REFUNDED'
  | 'DISPUTED'
  | 'DISPUTE_WON'
  | 'DISPUTE_LOST'
  | 'WITHDRAWN'

export type Total = {
  readonly figure: Figure
  /** Empty: the figure has none. */
  readonly method: string
  readonly currency: string
  readonly count: bigint
  readonly minor: bigint
}

/** Sums over days: `from` inclusive, `to` exclusive, both midnights in UTC. `isBefore`: of the days before `middle`. */
export async function selectTotals(
  sql: Sql,
  merchantId: MerchantId,
  { from, middle, to }: { readonly from: Date; readonly middle: Date; readonly to: Date },
): Promise<readonly (Total & { readonly isBefore: boolean })[]> {
  const rows = await sql<(Omit<Total, 'minor'> & { isBefore: boolean; minor: string })[]>`
    select day < (${middle}::timestamptz at time zone 'UTC')::date as "isBefore", figure, method, currency,
           sum(count)::bigint as count, sum(minor)::text as minor
      from insight_day
     where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
       and day < (${to}::timestamptz at time zone 'UTC')::date and figure <> 'TIME'
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4`
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }))
}

/** The figures of each day for charts, without times. */
export async function selectDays(
  sql: Sql,
  merchantId: MerchantId,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly (Total & { readonly day: string })[]> {
  const rows = await sql<(Omit<Total, 'minor'> & { day: string; minor: string })[]>`
    select day::text as day, figure, method, currency, count, minor::text as minor
      from insight_day
     where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
       and day < (${to}::timestamptz at time zone 'UTC')::date and figure <> 'TIME' and (count <> 0 or minor <> 0)
     order by day, figure, method, currency`
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }))
}

/** How many payments took how long, for each bucket, of one method and day. */
export type Times = {
  readonly isBefore: boolean
  readonly method: string
  readonly counts: readonly number[]
}

export async function selectTimes(
  sql: Sql,
  merchantId: MerchantId,
  { from, middle, to }: { readonly from: Date; readonly middle: Date; readonly to: Date },
): Promise<readonly Times[]> {
  // As text: a parser of arrays takes several times as long.
  const rows = await sql<{ isBefore: boolean; method: string; times: string }[]>`
    select day < (${middle}::timestamptz at time zone 'UTC')::date as "isBefore", method, array_to_string(times, ',') as times
      from insight_day
     where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
       and day < (${to}::timestamptz at time zone 'UTC')::date and figure = 'TIME'`
  return rows.map(({ times, ...row }) => ({ ...row, counts: times.split(',').map(Number) }))
}

/** How far a merchant's figures are. */
export type Progress = {
  readonly now: Date
  /** Everything that was committed before this instant is counted. */
  readonly asOf: Date
  /** Created payments are counted from this day on. Null: from the first. */
  readonly createdFrom: string | null
}

/**
 * Events are counted in their order, and each is committed after its instant. So everything that was committed before the instant of the
 * first event that is not counted yet has been counted. The same holds for creations.
 */
export async function selectProgress(sql: Sql, merchantId: MerchantId): Promise<Progress> {
  const [row] = await sql<Progress[]>`
    select clock.now,
           least(
             clock.now,
             (select event.at from event where event.merchant_id = wanted.id and event.sequence = coalesce(watermark.sequence, 0) + 1),
             (select noted.at from insight_created as noted
               where noted.merchant_id = wanted.id order by noted.merchant_id, noted.id limit 1)
           ) as "asOf",
           case when watermark.is_whole then null
                else coalesce(watermark.created_from, (clock.now at time zone 'UTC')::date + 2)::text end as "createdFrom"
      from (select ${merchantId}::uuid as id) as wanted
     cross join (select clock_timestamp() as now) as clock
      left join insight_watermark as watermark on watermark.merchant_id = wanted.id`
  return must(row, 'a merchant has a progress')
}

// What of a merchant waits for a person, from the tables that hold it. Every list ends after `limit` rows and is found by an index.

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

export type OpenDispute = {
  readonly id: DisputeId
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly createdAt: Date
  /** Absent: no evidence is due any more, or never was. */
  readonly evidenceDueAt?: Date
}

/**
 * Open disputes against which no evidence was submitted: those with a deadline first, the next deadline first, then the others, the oldest
 * first; among the oldest `readMost` open ones of each currency.
 */
export async function selectOpenDisputes(
  sql: Sql,
  merchantId: MerchantId,
  { limit, readMost }: { readonly limit: number; readonly readMost: number },
): Promise<readonly OpenDispute[]> {
  const rows = await sql<(Omit<OpenDispute, 'evidenceDueAt'> & { evidenceDueAt: Date | null })[]>`
    select found.id, found.currency, found.amount_minor as "amountMinor", found.created_at as "createdAt",
           case when found.evidence_due_at > clock_timestamp() then found.evidence_due_at end as "evidenceDueAt"
      from unnest(${list(Object.keys(currencies))}::text[]) as of_currency (currency)
     cross join lateral (
       select id, currency, amount_minor, created_at, evidence_due_at
         from dispute
        where merchant_id = ${merchantId} and currency = of_currency.currency and status = 'OPEN'
        order by id
        limit ${readMost}
     ) as found
     where not exists (
       select from dispute_evidence as evidence
        where evidence.merchant_id = ${merchantId} and evidence.dispute_id = found.id and evidence.status in ('SENDING', 'SENT'))
     order by "evidenceDueAt", found.id
     limit ${limit}`
  return rows.map(({ evidenceDueAt, ...row }) => ({
    ...row,
    ...given({ evidenceDueAt: evidenceDueAt ?? undefined }),
  }))
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

// The SQL of a month's movements by method.

/** What moved on one account by a kind and a method. `method`: of a payment, or the type of a withdrawal; null for what has none. */
export type MovedBy = {
  readonly account: bigint
  readonly kind: string
  readonly method: string | null
  readonly count: bigint
  readonly inflow: bigint
  readonly outflow: bigint
}

/**
 * The movements of these accounts after one transfer and up to another, added up. A movement has the method of what it is about: the
 * receipt whose number its step carries, the refund, the withdrawal, the disputed money, or the payment that was split.
 */
export async function selectMovedByMethod(
  sql: Sql | Tx,
  merchantId: MerchantId,
  accounts: readonly bigint[],
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<readonly MovedBy[]> {
  const ofAttempt = (receipts: ReturnType<typeof sql>) => sql`
    select attempt.method from ${receipts}
      join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
     where receipt.merchant_id = ${merchantId}`
  const rows = await sql<(Omit<MovedBy, 'inflow' | 'outflow'> & { inflow: string; outflow: string })[]>`
    select moved.account, moved.kind, moved.method, count(*) as count, sum(greatest(moved.minor, 0))::text as inflow,
           sum(greatest(-moved.minor, 0))::text as outflow
      from (
        select entry.account_id as account, transfer.kind, entry.minor,
               case
                 when transfer.kind in ('REFUND', 'REFUND_RETURNED', 'REFUND_REPAID') then (
                   select refund.method from refund where refund.merchant_id = ${merchantId} and refund.id = transfer.subject)
                 when transfer.kind in ('WITHDRAWAL', 'WITHDRAWAL_FEE', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_REPAID') then (
                   select withdrawal.type from withdrawal
                    where withdrawal.merchant_id = ${merchantId} and withdrawal.id = transfer.subject)
                 when transfer.kind in ('DISPUTE', 'DISPUTE_WON', 'DISPUTE_FEE') then (
                   ${ofAttempt(sql`dispute join receipt on receipt.connection = dispute.connection
                      and receipt.provider_ref = dispute.paid_ref and receipt.outcome = 'paid' and receipt.occurrence = 1`)}
                      and dispute.merchant_id = ${merchantId} and dispute.id = transfer.subject)
                 when transfer.kind not in ('TRANSFER', 'ADJUSTMENT') then coalesce(
                   (${ofAttempt(sql`receipt`)} and receipt.payment_id = transfer.subject
                       and receipt.ordinal = substring(transfer.step from '^[0-9]+')::integer),
                   (select payment.method from payment_split as split
                      join payment on payment.merchant_id = split.merchant_id and payment.id = split.payment_id
                     where split.id = transfer.subject),
                   (select payment.method from payment
                     where payment.merchant_id = ${merchantId} and payment.id = transfer.subject))
               end as method
          from unnest(${list(accounts)}::bigint[]) as account (id)
          join entry on entry.account_id = account.id and entry.transfer > ${after} and entry.transfer <= ${upTo}
          join transfer on transfer.number = entry.transfer
      ) as moved
     group by moved.account, moved.kind, moved.method
     order by moved.account, moved.kind, moved.method`
  return rows.map((row) => ({ ...row, inflow: BigInt(row.inflow), outflow: BigInt(row.outflow) }))
}
