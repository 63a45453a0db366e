// All SQL of attempts whose provider is asked what became of them.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Method, OpenedAttempt, PaymentRef } from '#/rails/rail.ts'
import { toAttempt, type KeptAttempt } from './attempt-queries.ts'

type AttemptKey = { readonly merchantId: MerchantId; readonly attemptId: AttemptId }

/** Notes that these attempts were opened now; those of the methods are asked about after `waitMs`. */
export async function insertChecks(
  tx: Tx,
  opened: readonly AttemptKey[],
  methods: readonly Method[],
  waitMs: number,
): Promise<void> {
  await tx`
    insert into attempt_check (merchant_id, attempt_id, opened_at, due_at)
    select attempt.merchant_id, attempt.id, ${dueNow(tx)}, ${dueIn(tx, waitMs)}
      from unnest(${list(opened.map((each) => each.merchantId))}::uuid[], ${list(opened.map((each) => each.attemptId))}::uuid[])
           as opened (merchant_id, id)
      join attempt using (merchant_id, id)
     where attempt.method = any (${list(methods)}::text[])
        on conflict do nothing`
}

export type DueCheck = {
  readonly attempt: OpenedAttempt
  readonly openedAt: Date
  /** When its payment ends by itself. */
  readonly expiresAt: Date | null
  readonly silent: number
  /** When it was read, by the database's clock. */
  readonly readAt: Date
}

/** Takes the attempts that are due for `leaseMs`. */
export async function claimChecks(sql: Sql, leaseMs: number, limit: number): Promise<readonly DueCheck[]> {
  const rows = await sql<(KeptAttempt & Omit<DueCheck, 'attempt'>)[]>`
    with taken as (
      update attempt_check
         set due_at = ${dueIn(sql, leaseMs)}
       where (merchant_id, attempt_id) in (
               select merchant_id, attempt_id from attempt_check
                where due_at <= ${dueNow(sql)} order by due_at limit ${limit} for update skip locked)
      returning merchant_id, attempt_id, opened_at, silent
    )
    select ${columns(sql)}
      from taken
      join attempt on attempt.merchant_id = taken.merchant_id and attempt.id = taken.attempt_id
      join payment on payment.merchant_id = attempt.merchant_id and payment.id = attempt.payment_id`
  return rows.map(toDue)
}

/** One that is asked about, if it still is. */
export async function selectCheck(
  sql: Sql,
  { merchantId, attemptId }: AttemptKey,
): Promise<DueCheck | undefined> {
  const [row] = await sql<(KeptAttempt & Omit<DueCheck, 'attempt'>)[]>`
    select ${columns(sql)}
      from attempt_check as taken
      join attempt on attempt.merchant_id = taken.merchant_id and attempt.id = taken.attempt_id
      join payment on payment.merchant_id = attempt.merchant_id and payment.id = attempt.payment_id
     where taken.merchant_id = ${merchantId} and taken.attempt_id = ${attemptId}`
  return row === undefined ? undefined : toDue(row)
}

function columns(sql: Sql) {
  return sql`attempt.id, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId", attempt.method,
             attempt.connection, attempt.amount_minor as "amountMinor", attempt.currency, attempt.artifacts,
             taken.opened_at as "openedAt", taken.silent, payment.expires_at as "expiresAt",
             ${dueNow(sql)} as "readAt"`
}

function toDue(row: KeptAttempt & Omit<DueCheck, 'attempt'>): DueCheck {
  const { openedAt, expiresAt, silent, readAt, ...kept } = row
  const attempt = { ...toAttempt(kept), artifacts: kept.artifacts ?? {} }
  return { attempt, openedAt, expiresAt, silent, readAt }
}

/** The provider answered what was asked at `checkedAt`; it is asked again after `waitMs`. */
export async function writeChecked(
  sql: Sql,
  { merchantId, id }: Pick<OpenedAttempt, 'merchantId' | 'id'>,
  { checkedAt, waitMs }: { readonly checkedAt: Date; readonly waitMs: number },
): Promise<void> {
  await sql`
    update attempt_check
       set checked_at = greatest(checked_at, ${checkedAt}::timestamptz), due_at = ${dueIn(sql, waitMs)}, silent = 0
     where merchant_id = ${merchantId} and attempt_id = ${id}`
}

/** Nobody answered. */
export async function writeSilence(
  sql: Sql,
  { merchantId, id }: Pick<OpenedAttempt, 'merchantId' | 'id'>,
  waitMs: number,
): Promise<void> {
  await sql`
    update attempt_check set due_at = ${dueIn(sql, waitMs)}, silent = silent + 1
     where merchant_id = ${merchantId} and attempt_id = ${id}`
}

/** Nothing can come of the attempt any more. */
export async function endCheck(
  sql: Sql,
  { merchantId, id }: Pick<OpenedAttempt, 'merchantId' | 'id'>,
  at: Date,
): Promise<void> {
  await sql`
    with ended as (
      delete from attempt_check where merchant_id = ${merchantId} and attempt_id = ${id}
    )
    update attempt set over_at = ${at} where merchant_id = ${merchantId} and id = ${id} and over_at is null`
}

export async function deleteCheck(
  sql: Sql,
  { merchantId, id }: Pick<OpenedAttempt, 'merchantId' | 'id'>,
): Promise<void> {
  await sql`delete from attempt_check where merchant_id = ${merchantId} and attempt_id = ${id}`
}

/** Those of these payments that have an attempt whose provider was not asked since the payment's time was over. */
export async function selectUnchecked(tx: Tx, refs: readonly PaymentRef[]): Promise<ReadonlySet<PaymentId>> {
  const rows = await tx<{ paymentId: PaymentId }[]>`
    select distinct payment.id as "paymentId"
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, id)
      join payment using (merchant_id, id)
      join attempt on attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
      join attempt_check on attempt_check.merchant_id = attempt.merchant_id and attempt_check.attempt_id = attempt.id
     where attempt_check.checked_at is null or attempt_check.checked_at < payment.expires_at`
  return new Set(rows.map(({ paymentId }) => paymentId))
}
