// The SQL of refunds that are due to be sent or looked up, and of those that have not ended, for people.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { claimKey, type Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, hasten, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { RefundId } from '#/kernel/id.ts'
import { traceOf } from '#/payments/attempt-queries.ts'
import { columns, toRefund, type RefundRow } from './queries.ts'
import type { Refund } from './refund.ts'

/** Refunds whose end is not known, each with the time of the next query to its provider. */
const refundDue: DueTable = {
  name: 'refund_due',
  // A refund that a worker claimed and released unsent was not held back by a dispute that opened in between.
  isClaimable: (sql) => sql`(due.sends > 0 or not exists (
    select from refund
     where refund.merchant_id = due.merchant_id and refund.id = due.refund_id
       and (is_frozen(refund.merchant_id, refund.method)
            or exists (select from dispute
                        where dispute.merchant_id = refund.merchant_id and dispute.payment_id = refund.payment_id
                          and dispute.connection = refund.connection and dispute.paid_ref = refund.paid_ref
                          and dispute.status = 'OPEN'))))`,
}

export const isRefundDue = someDue(refundDue)

export type DueRefund = {
  readonly refund: Refund
  readonly claim: Claim
  /** By the database's clock. */
  readonly claimedAt: Date
}

/** Claims due refunds for `leaseMs`, in the order of their requests. While money is frozen, only those that may have been sent. */
export async function claimDue(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly DueRefund[]> {
  const rows = await sql<
    (RefundRow & { sends: number; lane: string; trace: string | null; claimed_at: Date })[]
  >`
    with recursive ${chosen(sql, refundDue, slots)}, claimed as (
      update refund_due
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, sends = sends + 1
       where ctid = any (array(select ctid from chosen))
      returning merchant_id, refund_id, connection as lane, sends
    )
    select ${columns(sql)}, claimed.lane, claimed.sends, coalesce(refund.trace, ${traceOf('refund', sql)}) as trace, ${dueNow(sql)} as claimed_at
      from claimed
      join refund on refund.merchant_id = claimed.merchant_id and refund.id = claimed.refund_id
      join merchant on merchant.id = refund.merchant_id
     order by refund.id`
  return rows.map(({ sends, lane, trace, claimed_at: claimedAt, ...row }) => {
    const refund = toRefund(row)
    return { refund, claim: { id: refund.id, connection: lane, number: sends, trace }, claimedAt }
  })
}

/** Whether no other worker has claimed it since. */
export async function isClaimed(
  sql: Sql,
  { refund: { merchantId, id }, claim }: DueRefund,
): Promise<boolean> {
  const rows = await sql`
    select from refund_due
     where merchant_id = ${merchantId} and refund_id = ${id} and sends = ${claim.number}`
  return rows.length === 1
}

/** Releases a refund that was claimed for the first time and not sent: it is due as before. */
export async function releaseDue(sql: Sql, { refund: { merchantId, id } }: DueRefund): Promise<void> {
  await sql`
    update refund_due set due_at = ${dueNow(sql)}, sends = 0
     where merchant_id = ${merchantId} and refund_id = ${id} and sends = 1`
}

/**
 * Makes the refund due in `waitMs`, unless it was hastened meanwhile. `wasNotSent`: nothing was sent under this claim; that is
 * counted even if another worker has claimed the refund since. False when another worker has claimed it, or its end is known.
 */
export async function postponeDue(
  sql: Sql,
  { refund: { merchantId, id }, claim }: DueRefund,
  { waitMs, wasNotSent }: { readonly waitMs: number; readonly wasNotSent: boolean },
): Promise<boolean> {
  const [row] = await sql<{ isOurs: boolean }[]>`
    update refund_due
       set due_at = case when sends = ${claim.number} and due_at > ${dueNow(sql)} then ${dueIn(sql, waitMs)} else due_at end,
           unsent = unsent + ${wasNotSent ? 1 : 0}
     where merchant_id = ${merchantId} and refund_id = ${id} and (sends = ${claim.number} or (${wasNotSent} and sends > ${claim.number}))
    returning sends = ${claim.number} as "isOurs"`
  return row?.isOurs ?? false
}

/** Locks those of these claims after which no other worker has claimed the refund, until the transaction ends. */
export async function lockClaims(
  tx: Tx,
  claims: readonly Pick<Claim, 'id' | 'number'>[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: RefundId; sends: number }[]>`
    with claimed as (
      select unnest(${list(claims.map(({ id }) => id))}::uuid[]) as id,
             unnest(${list(claims.map((each) => each.number))}::integer[]) as sends
    )
    select due.refund_id as id, due.sends
      from claimed
      join refund on refund.id = claimed.id
      join refund_due as due on due.merchant_id = refund.merchant_id and due.refund_id = refund.id
     where due.sends = claimed.sends
     order by due.merchant_id, due.refund_id
       for update of due`
  return new Set(rows.map(({ id, sends }) => claimKey({ id, number: sends })))
}

/** Makes these refunds due now, except those whose money is disputed. Returns how many were waiting. */
export function hastenDue(sql: Sql | Tx, ids: readonly string[]): Promise<number> {
  return hasten(
    sql,
    refundDue,
    sql`select due.ctid
          from refund
          join refund_due as due on due.merchant_id = refund.merchant_id and due.refund_id = refund.id
         where refund.id = any (${list(ids)}::uuid[]) and due.due_at > ${dueNow(sql)} and due.due_at < 'infinity'`,
  )
}

export type OpenRefund = Refund & {
  /** How often it was claimed for sending, and how often it is known that nothing was sent. */
  readonly sends: number
  readonly unsent: number
}

/** Refunds that have not ended, for the operator: those that wait for a person, then the others in the order in which they are due. */
export async function selectOpen(sql: Sql, limit: number): Promise<readonly OpenRefund[]> {
  const rows = await sql<(RefundRow & { sends: number; unsent: number })[]>`
    with open as (
      (select merchant_id, id, 0 as sends, 0 as unsent, null::timestamptz as due_at
         from refund where approval_required order by merchant_id, id limit ${limit})
       union all
      (select merchant_id, refund_id, sends, unsent, due_at from refund_due order by due_at limit ${limit})
    )
    select ${columns(sql)}, open.sends, open.unsent
      from open
      join refund on refund.merchant_id = open.merchant_id and refund.id = open.id
      join merchant on merchant.id = refund.merchant_id
     order by open.due_at nulls first, refund.id
     limit ${limit}`
  return rows.map(({ sends, unsent, ...row }) => ({ ...toRefund(row), sends, unsent }))
}

/**
 * How often each of these refunds was claimed for sending without proof that nothing was sent. Locks them, so that no worker
 * claims one before the transaction ends. Refunds without a row in `refund_due` are left out.
 */
export async function lockSends(tx: Tx, ids: readonly RefundId[]): Promise<ReadonlyMap<RefundId, number>> {
  const rows = await tx<{ id: RefundId; sends: number }[]>`
    select due.refund_id as id, due.sends - due.unsent as sends
      from refund
      join refund_due as due on due.merchant_id = refund.merchant_id and due.refund_id = refund.id
     where refund.id = any (${list(ids)}::uuid[])
     order by due.merchant_id, due.refund_id
       for update of due`
  return new Map(rows.map(({ id, sends }) => [id, sends]))
}
