// All SQL of attempts: the attempts of each payment, how they were opened at their providers, and those to cancel there.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Attempt, PaymentRef } from '#/rails/attempt.ts'
import type { Mandate, Method } from '#/rails/method.ts'
import type { Brand, OpenedAttempt, PayerAddress } from '#/rails/rail.ts'
import type { Refused } from '#/rails/refusal.ts'

export async function insertAttempts(
  tx: Tx,
  rows: readonly { readonly attempt: Attempt; readonly createdAt: Date }[],
): Promise<void> {
  const attempts = rows.map(({ attempt }) => attempt)
  await tx`
    insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at)
    select unnest(${list(attempts.map((each) => each.merchantId))}::uuid[]), unnest(${list(attempts.map((each) => each.id))}::uuid[]),
           unnest(${list(attempts.map((each) => each.paymentId))}::uuid[]), unnest(${list(attempts.map((each) => each.method))}::text[]),
           unnest(${list(attempts.map((each) => each.connection))}::text[]),
           unnest(${list(attempts.map((each) => each.amount.minor))}::bigint[]),
           unnest(${list(attempts.map((each) => each.amount.currency))}::text[]),
           unnest(${list(rows.map((each) => each.createdAt))}::timestamptz[])`
}

/** `artifacts`: null until the provider answered. */
export type KeptAttempt = {
  readonly id: AttemptId
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly method: Method
  readonly connection: ConnectionId
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly artifacts: Readonly<Record<string, unknown>> | null
}

/** The terms of an opening that are not in the payment itself. They never change, so a repeated call is the same one. */
export type OpeningTerms = {
  readonly presentation?: 'HOSTED'
  readonly locale?: string
  /** ISO 8601. This attempt can be paid until then. */
  readonly expiresAt: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
  readonly customerPhone?: string
  readonly customerAddress?: PayerAddress
  readonly customerIban?: string
  readonly mandate?: Mandate
  readonly brand?: Brand
  /** The attempt is for the rest of a payment. */
  readonly rest?: RestTerms
}

/**
 * The basis of the amount of an attempt for the rest, in minor units as text: the payment's amount less what was received and not
 * refunded. `receipts`: how many receipts of the payment were booked then.
 */
export type RestTerms = {
  readonly receipts: number
  readonly received: string
  readonly refunded: string
}

/**
 * Why a provider will never accept an attempt, and when it answered so (ISO 8601).
 * - `said`: the provider's own text, for the operator.
 * - `isOfPayer`: the provider may accept other data of the payer.
 */
export type Refusal = Omit<Refused, 'ok'> & { readonly at: string }

export type TriedAttempt = KeptAttempt & {
  /** The terms of its opening. Null until they are stored; always null if the attempt was opened by the creation. */
  readonly terms: OpeningTerms | null
  readonly refusal: Refusal | null
  /** Since when it cannot be paid any more, as reported by its provider. */
  readonly overAt: Date | null
  /** How far a sandbox's clock was moved since the attempt was made: the attempt's stored instants count as that much earlier. */
  readonly movedMs: number
}

/** The attempts of these payments, oldest first. */
export function selectAttempts(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly KeptAttempt[]> {
  return sql<KeptAttempt[]>`
    select ${attemptColumns(sql)}
      from ${rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join attempt using (merchant_id, payment_id)
     order by attempt.id`
}

/** The same with what is known of their openings. */
export function selectTried(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly TriedAttempt[]> {
  return sql<TriedAttempt[]>`
    select ${attemptColumns(sql)}, attempt.asked as terms, attempt.refusal, attempt.over_at as "overAt",
           moved_ms_since(attempt.merchant_id, attempt.created_at)::float8 as "movedMs"
      from ${rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join attempt using (merchant_id, payment_id)
     order by attempt.id`
}

/** The attempts that have these ids at these connections. Providers report only the id. */
export function selectAttemptsById(
  tx: Tx,
  attempts: readonly { readonly id: AttemptId; readonly connection: ConnectionId }[],
): Promise<readonly KeptAttempt[]> {
  return tx<KeptAttempt[]>`
    select ${attemptColumns(tx)}
      from ${rowsOf(tx, 'wanted', attempts, { id: 'uuid', connection: 'text' })}
      join attempt on attempt.id = wanted.id and attempt.connection = wanted.connection
     where attempt.method <> 'CRYPTO'`
}

/** The columns of a kept attempt. */
export function attemptColumns(sql: Sql | Tx) {
  return sql`attempt.id, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId", attempt.method,
             attempt.connection, attempt.amount_minor as "amountMinor", attempt.currency, attempt.artifacts`
}

/** The trace of the payment of a row. */
export function traceOf(row: string, sql: Sql | Tx) {
  return sql`
    (select trace from payment where payment.merchant_id = ${sql(row)}.merchant_id and payment.id = ${sql(row)}.payment_id)`
}

/** The attempt as it is stored before its provider has answered. */
export function toKept({ amount, ...attempt }: Attempt): KeptAttempt {
  return { ...attempt, amountMinor: amount.minor, currency: amount.currency, artifacts: null }
}

/** The attempt as rails know it. */
export function toAttempt({ amountMinor, currency, ...kept }: KeptAttempt): Attempt {
  const { id, merchantId, paymentId, method, connection } = kept
  return { id, merchantId, paymentId, method, connection, amount: { minor: amountMinor, currency } }
}

type Of<Value> = { readonly merchantId: MerchantId; readonly attemptId: AttemptId } & Value

export type AttemptArtifacts = Of<{ readonly artifacts: Readonly<Record<string, unknown>> }>

export function writeArtifacts(tx: Tx, attempts: readonly AttemptArtifacts[]): Promise<void> {
  return writeColumn(tx, 'artifacts', attempts, ({ artifacts }) => artifacts)
}

export function writeTerms(tx: Tx, attempts: readonly Of<{ readonly terms: OpeningTerms }>[]): Promise<void> {
  return writeColumn(tx, 'asked', attempts, ({ terms }) => terms)
}

export function writeRefusals(tx: Tx, attempts: readonly Of<{ readonly refusal: Refusal }>[]): Promise<void> {
  return writeColumn(tx, 'refusal', attempts, ({ refusal }) => refusal)
}

async function writeColumn<Row>(
  tx: Tx,
  column: 'artifacts' | 'asked' | 'refusal',
  attempts: readonly Of<Row>[],
  valueOf: (row: Of<Row>) => object,
): Promise<void> {
  const columns = { merchant_id: 'uuid', attempt_id: 'uuid', value: ['json', valueOf] } as const
  await tx`
    update attempt
       set ${tx(column)} = new.value
      from ${rowsOf(tx, 'new', attempts, columns)}
     where attempt.merchant_id = new.merchant_id and attempt.id = new.attempt_id`
}

/** Records that these attempts cannot be paid any more, as their providers report: nobody is shown them, and they are not checked. */
export async function writeOver(
  sql: Sql | Tx,
  attempts: readonly { readonly merchantId: MerchantId; readonly id: AttemptId }[],
): Promise<void> {
  await sql`
    with ended as (
      select * from ${rowsOf(sql, 'ended', attempts, { merchant_id: 'uuid', id: 'uuid' })}
    ), unchecked as (
      delete from attempt_check
       using ended
       where attempt_check.merchant_id = ended.merchant_id and attempt_check.attempt_id = ended.id
    )
    update attempt
       set over_at = ${dueNow(sql)}
      from ended
     where attempt.merchant_id = ended.merchant_id and attempt.id = ended.id and attempt.over_at is null`
}

export type PaidRef = {
  readonly attemptId: AttemptId
  readonly providerRef: string
  readonly outcome: 'paid' | 'authorised'
  /** What the payer paid with, if the provider reports it. */
  readonly means: Readonly<Record<string, unknown>> | null
}

/** At most this many of a payment's first receipts are read, and as many of its last ones. */
const receiptsMax = 200

/**
 * The provider's names of the final and the authorised money of these payments, in the order in which it was booked. Reads only a
 * payment's first and last receipts, however many it has.
 */
export function selectPaidRefs(sql: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly PaidRef[]> {
  const some = (order: Fragment) => sql`
    (select attempt_id, provider_ref, outcome, means::text, ordinal
       from receipt
      where receipt.merchant_id = wanted.merchant_id and receipt.payment_id = wanted.payment_id
      order by ${order} limit ${receiptsMax})`
  return sql<PaidRef[]>`
    select listed.attempt_id as "attemptId", listed.provider_ref as "providerRef", listed.outcome, listed.means::json
      from ${rowsOf(sql, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
     cross join lateral (${some(sql`ordinal`)} union ${some(sql`ordinal desc`)}) as listed
     where listed.outcome in ('paid', 'authorised')
     order by listed.ordinal`
}

/** Schedules the attempts of these payments to be canceled at their providers. */
export function insertCancellations(
  tx: Tx,
  refs: readonly PaymentRef[],
  methods: readonly Method[],
): Promise<void> {
  return insertClosingsWhere(tx, refs, methods, anyAttempt(tx))
}

/** The same for the attempts of these payments that can still be paid, except the one that was paid or authorised. */
export function insertOtherCancellations(
  tx: Tx,
  refs: readonly PaymentRef[],
  methods: readonly Method[],
): Promise<void> {
  const isOther = tx`
    attempt.artifacts is not null and attempt.over_at is null
    and not exists (
          select from receipt
           where receipt.merchant_id = attempt.merchant_id and receipt.payment_id = attempt.payment_id
             and receipt.attempt_id = attempt.id and receipt.outcome in ('paid', 'authorised'))`
  return insertClosingsWhere(tx, refs, methods, isOther)
}

/**
 * The same for the attempts of payments whose method's time is over: those of that method, as far as their own time is over. Others may
 * still be chosen again.
 */
export function insertOverCancellations(
  tx: Tx,
  refs: readonly PaymentRef[],
  method: Method,
  at: Date,
): Promise<void> {
  const isOver = tx`
    attempt.artifacts is not null and attempt.over_at is null and (attempt.asked->>'expiresAt')::timestamptz <= ${at}`
  return insertClosingsWhere(tx, refs, [method], isOver)
}

const anyAttempt = (tx: Tx) => tx`true`

async function insertClosingsWhere(
  tx: Tx,
  refs: readonly PaymentRef[],
  methods: readonly Method[],
  condition: ReturnType<typeof anyAttempt>,
): Promise<void> {
  await tx`
    insert into attempt_closing (merchant_id, attempt_id, connection, due_at)
    select attempt.merchant_id, attempt.id, attempt.connection, ${dueNow(tx)}
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join attempt using (merchant_id, payment_id)
     where attempt.method = any (${list(methods)}::text[]) and ${condition}
        on conflict do nothing`
}

/** Attempts that are to be canceled at their providers, each with the time of the next try. */
const closingDue: DueTable = { name: 'attempt_closing' }

export const isCancellationDue = someDue(closingDue)

/** An attempt to cancel, with its artifacts: a provider may know it only by a name of its own. */
export type DueCancellation = {
  readonly attempt: Attempt & Partial<Pick<OpenedAttempt, 'artifacts'>>
  readonly claim: Claim
}

/** Claims due cancellations for `leaseMs`. */
export async function claimCancellations(
  sql: Sql | Tx,
  slots: Slots,
  leaseMs: number,
): Promise<readonly DueCancellation[]> {
  const rows = await sql<(KeptAttempt & { lane: string; tries: number; trace: string | null })[]>`
    with recursive ${chosen(sql, closingDue, slots)}, claimed as (
      update attempt_closing
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, tries = tries + 1
       where ctid = any (array(select ctid from chosen))
      returning merchant_id, attempt_id, connection as lane, tries
    )
    select ${attemptColumns(sql)}, claimed.lane, claimed.tries, ${traceOf('attempt', sql)} as trace
      from claimed
      join attempt on attempt.merchant_id = claimed.merchant_id and attempt.id = claimed.attempt_id`
  return rows.map(({ lane, tries, trace, ...kept }) => ({
    attempt: { ...toAttempt(kept), ...(kept.artifacts === null ? {} : { artifacts: kept.artifacts }) },
    claim: { id: kept.id, connection: lane, number: tries, trace },
  }))
}

/** Tries again in `waitMs`. False when another worker has claimed it since, or it is done. */
export async function postponeCancellation(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueCancellation,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update attempt_closing set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number}`
  return result.count === 1
}

/** The attempt is canceled, or given up. The row stays when another worker has claimed it since. */
export async function deleteCancellation(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueCancellation,
): Promise<void> {
  await sql`
    delete from attempt_closing where merchant_id = ${merchantId} and attempt_id = ${id} and tries = ${claim.number}`
}
