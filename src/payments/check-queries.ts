// All SQL of checks: attempts whose provider is queried for their state.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { attemptColumns, toAttempt, type KeptAttempt } from './attempt-queries.ts'

type AttemptKey = { readonly merchantId: MerchantId; readonly attemptId: AttemptId }

/** Records that these attempts were opened now. Those of the methods are checked after `waitMs`. */
export async function insertChecks(
  tx: Tx,
  opened: readonly AttemptKey[],
  methods: readonly Method[],
  waitMs: number,
): Promise<void> {
  await tx`
    insert into attempt_check (merchant_id, attempt_id, connection, opened_at, due_at)
    select attempt.merchant_id, attempt.id, attempt.connection, ${dueNow(tx)}, ${dueIn(tx, waitMs)}
      from ${rowsOf(tx, 'opened', opened, { merchant_id: 'uuid', id: ['uuid', (each) => each.attemptId] })}
      join attempt using (merchant_id, id)
     where attempt.method = any (${list(methods)}::text[])
        on conflict do nothing`
}

/** Attempts that were opened and may still bring money, each with the time of its next check. */
const checkDue: DueTable = { name: 'attempt_check' }

export const isCheckDue = someDue(checkDue)

export type DueCheck = {
  readonly attempt: OpenedAttempt
  readonly openedAt: Date
  /** When its payment expires. */
  readonly expiresAt: Date | null
  readonly silent: number
  readonly claim: Claim
  /** Just before the provider is queried, by the database's clock. */
  readonly claimedAt: Date
}

type CheckRow = KeptAttempt &
  Omit<DueCheck, 'attempt' | 'claim'> & {
    readonly lane: string
    readonly takes: number
    readonly trace: string | null
  }

/** Claims due attempts for `leaseMs`. */
export async function claimChecks(
  sql: Sql | Tx,
  slots: Slots,
  leaseMs: number,
): Promise<readonly DueCheck[]> {
  const rows = await sql<CheckRow[]>`
    with recursive ${chosen(sql, checkDue, slots)}, claimed as (
      update attempt_check
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, takes = takes + 1
       where ctid = any (array(select ctid from chosen))
      returning *
    )
    select ${columns(sql)}
      from claimed
      join attempt on attempt.merchant_id = claimed.merchant_id and attempt.id = claimed.attempt_id
      join payment on payment.merchant_id = attempt.merchant_id and payment.id = attempt.payment_id`
  return rows.map(toDue)
}

/** The check of one attempt, if it is still checked. It is not claimed: a worker that holds it keeps it. */
export async function selectCheck(
  sql: Sql | Tx,
  { merchantId, attemptId }: AttemptKey,
): Promise<DueCheck | undefined> {
  const [row] = await sql<CheckRow[]>`
    select ${columns(sql)}
      from attempt_check as claimed
      join attempt on attempt.merchant_id = claimed.merchant_id and attempt.id = claimed.attempt_id
      join payment on payment.merchant_id = attempt.merchant_id and payment.id = attempt.payment_id
     where claimed.merchant_id = ${merchantId} and claimed.attempt_id = ${attemptId}`
  return row === undefined ? undefined : toDue(row)
}

function columns(sql: Sql | Tx) {
  return sql`${attemptColumns(sql)}, claimed.opened_at as "openedAt", claimed.silent, payment.expires_at as "expiresAt",
             claimed.connection as lane, claimed.takes, payment.trace, ${dueNow(sql)} as "claimedAt"`
}

function toDue({ openedAt, expiresAt, silent, lane, takes, trace, claimedAt, ...kept }: CheckRow): DueCheck {
  const attempt = { ...toAttempt(kept), artifacts: kept.artifacts ?? {} }
  const claim = { id: kept.id, connection: lane, number: takes, trace }
  return { attempt, openedAt, expiresAt, silent, claim, claimedAt }
}

/** The provider answered. The attempt is checked again after `waitMs`, unless another worker has claimed it since. */
export async function writeChecked(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim, claimedAt }: DueCheck,
  waitMs: number,
): Promise<void> {
  await sql`
    update attempt_check
       set checked_at = greatest(checked_at, ${claimedAt}::timestamptz), silent = 0,
           due_at = case when takes = ${claim.number} then ${dueIn(sql, waitMs)} else due_at end
     where merchant_id = ${merchantId} and attempt_id = ${id}`
}

/** The provider did not answer. False when another worker has claimed the attempt since. */
export async function writeSilence(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueCheck,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update attempt_check set due_at = ${dueIn(sql, waitMs)}, silent = silent + 1
     where merchant_id = ${merchantId} and attempt_id = ${id} and takes = ${claim.number}`
  return result.count === 1
}

/** The provider reports that the attempt cannot be paid any more. That counts even if another worker has claimed it since. */
export async function endCheck(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claimedAt }: DueCheck,
): Promise<void> {
  await sql`
    with ended as (
      delete from attempt_check where merchant_id = ${merchantId} and attempt_id = ${id}
    )
    update attempt set over_at = ${claimedAt} where merchant_id = ${merchantId} and id = ${id} and over_at is null`
}

/** The attempt is not checked any more. The row stays when another worker has claimed it since. */
export async function deleteCheck(
  sql: Sql | Tx,
  { attempt: { merchantId, id }, claim }: DueCheck,
): Promise<void> {
  await sql`
    delete from attempt_check where merchant_id = ${merchantId} and attempt_id = ${id} and takes = ${claim.number}`
}

/** Those of these payments that have an attempt which was not checked since the payment's `expires_at`. */
export async function selectUnchecked(tx: Tx, refs: readonly PaymentRef[]): Promise<ReadonlySet<PaymentId>> {
  const rows = await tx<{ paymentId: PaymentId }[]>`
    select distinct payment.id as "paymentId"
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', id: ['uuid', (each) => each.paymentId] })}
      join payment using (merchant_id, id)
      join attempt on attempt.merchant_id = payment.merchant_id and attempt.payment_id = payment.id
      join attempt_check on attempt_check.merchant_id = attempt.merchant_id and attempt_check.attempt_id = attempt.id
     where attempt_check.checked_at is null or attempt_check.checked_at < payment.expires_at`
  return new Set(rows.map(({ paymentId }) => paymentId))
}
