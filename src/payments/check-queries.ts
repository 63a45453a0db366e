// All SQL of attempts whose provider is asked what became of them.
import type { Method, PaymentRef } from '#/rails/words.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { chosen, type DueTable } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { Claim } from '#/jobs/claim.ts'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
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
    insert into attempt_check (merchant_id, attempt_id, connection, opened_at, due_at)
    select attempt.merchant_id, attempt.id, attempt.connection, ${dueNow(tx)}, ${dueIn(tx, waitMs)}
      from unnest(${list(opened.map((each) => each.merchantId))}::uuid[], ${list(opened.map((each) => each.attemptId))}::uuid[])
           as opened (merchant_id, id)
      join attempt using (merchant_id, id)
     where attempt.method = any (${list(methods)}::text[])
        on conflict do nothing`
}

/** Attempts that were opened and may still bring money, each with when its provider is asked. */
const checkDue: DueTable = { name: 'attempt_check' }

export type DueCheck = {
  readonly attempt: OpenedAttempt
  readonly openedAt: Date
  /** When its payment ends by itself. */
  readonly expiresAt: Date | null
  readonly silent: number
  readonly claim: Claim
  /** Just before the provider is asked, by the database's clock. */
  readonly claimedAt: Date
}

type CheckRow = KeptAttempt &
  Omit<DueCheck, 'attempt' | 'claim'> & { readonly lane: string; readonly takes: number }

/** Takes attempts that are due, for so long. */
export async function claimChecks(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly DueCheck[]> {
  const rows = await sql<CheckRow[]>`
    with recursive ${chosen(sql, checkDue, slots)}, taken as (
      update attempt_check
         set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1
       where ctid = any (array(select ctid from chosen))
      returning *
    )
    select ${columns(sql)}
      from taken
      join attempt on attempt.merchant_id = taken.merchant_id and attempt.id = taken.attempt_id
      join payment on payment.merchant_id = attempt.merchant_id and payment.id = attempt.payment_id`
  return rows.map(toDue)
}

/** One that is asked about, if it still is. It is nobody's: whoever has taken it keeps it. */
export async function selectCheck(
  sql: Sql,
  { merchantId, attemptId }: AttemptKey,
): Promise<DueCheck | undefined> {
  const [row] = await sql<CheckRow[]>`
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
             taken.connection as lane, taken.takes, ${dueNow(sql)} as "claimedAt"`
}

function toDue({ openedAt, expiresAt, silent, lane, takes, claimedAt, ...kept }: CheckRow): DueCheck {
  const attempt = { ...toAttempt(kept), artifacts: kept.artifacts ?? {} }
  const claim = { id: kept.id, connection: lane, number: takes }
  return { attempt, openedAt, expiresAt, silent, claim, claimedAt }
}

/** The provider answered; it is asked again after `waitMs`, but that is for whoever has taken the attempt last. */
export async function writeChecked(
  sql: Sql,
  { attempt: { merchantId, id }, claim, claimedAt }: DueCheck,
  waitMs: number,
): Promise<void> {
  await sql`
    update attempt_check
       set checked_at = greatest(checked_at, ${claimedAt}::timestamptz), silent = 0,
           due_at = case when takes = ${claim.number} then ${dueIn(sql, waitMs)} else due_at end
     where merchant_id = ${merchantId} and attempt_id = ${id}`
}

/** Nobody answered. False when another worker has taken it since. */
export async function writeSilence(
  sql: Sql,
  { attempt: { merchantId, id }, claim }: DueCheck,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update attempt_check set due_at = ${dueIn(sql, waitMs)}, silent = silent + 1
     where merchant_id = ${merchantId} and attempt_id = ${id} and takes = ${claim.number}`
  return result.count === 1
}

/** Nothing can come of the attempt any more, as its provider says: that is so whoever asked. */
export async function endCheck(
  sql: Sql,
  { attempt: { merchantId, id }, claimedAt }: DueCheck,
): Promise<void> {
  await sql`
    with ended as (
      delete from attempt_check where merchant_id = ${merchantId} and attempt_id = ${id}
    )
    update attempt set over_at = ${claimedAt} where merchant_id = ${merchantId} and id = ${id} and over_at is null`
}

/** Nobody is asked about it any more. Stays when another worker has taken it since. */
export async function deleteCheck(sql: Sql, { attempt: { merchantId, id }, claim }: DueCheck): Promise<void> {
  await sql`
    delete from attempt_check where merchant_id = ${merchantId} and attempt_id = ${id} and takes = ${claim.number}`
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
