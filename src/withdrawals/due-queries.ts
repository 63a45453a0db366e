// The SQL of withdrawals that are due to be sent or looked up.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { claimKey, type Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, hasten, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { WithdrawalId } from '#/kernel/id.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { columns, toWithdrawal, type WithdrawalRow } from './queries.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Withdrawals that are due at a provider, each with when. */
const withdrawalDue: DueTable = {
  name: 'withdrawal_due',
  isClaimable: (sql) => sql`(due.asked_at is not null or not is_frozen(due.merchant_id, (
    select type from withdrawal
     where withdrawal.merchant_id = due.merchant_id and withdrawal.id = due.withdrawal_id)))`,
  carry: ['asked_at'],
}

export const isWithdrawalDue = someDue(withdrawalDue)

/** Instants are the database's. */
export type DueWithdrawal = {
  readonly withdrawal: Withdrawal
  readonly claim: Claim
  /** When it was first claimed. */
  readonly firstClaimedAt: Date
  /** When it was last sent, or may have been, without an answer that confirms or denies it. */
  readonly lastSentAt: Date | null
  /** From when on this worker holds the claim. */
  readonly claimedAt: Date
}

type DueRow = WithdrawalRow & {
  sends: number
  lane: string
  trace: string | null
  begun_at: Date
  asked_before: Date | null
  asked_at: Date
}

/**
 * Claims due withdrawals for the time of the lease; frozen ones only if they may have been sent. From the claim on a withdrawal
 * may have been sent, because a worker that dies reports nothing. Returns them in the order of their creation.
 */
export async function claimDue(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly DueWithdrawal[]> {
  const rows = await sql<DueRow[]>`
    with recursive ${chosen(sql, withdrawalDue, slots)}, taken as (
      update withdrawal_due as due
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, sends = due.sends + 1,
             begun_at = coalesce(due.begun_at, ${dueNow(sql)}), asked_at = ${dueNow(sql)}
        from chosen
       where due.ctid = chosen.ctid
      returning due.merchant_id, due.withdrawal_id, due.connection as lane, due.sends, due.begun_at,
                chosen.asked_at as asked_before, due.asked_at
    )
    select ${columns(sql)}, withdrawal.trace, taken.lane, taken.sends, taken.begun_at, taken.asked_at,
           case when left_before_restore then coalesce(taken.asked_before, withdrawal.created_at) else taken.asked_before end as asked_before
      from taken
      join withdrawal on withdrawal.merchant_id = taken.merchant_id and withdrawal.id = taken.withdrawal_id
      join merchant on merchant.id = withdrawal.merchant_id
     order by withdrawal.id`
  return rows.map(({ sends, lane, trace, begun_at, asked_before, asked_at, ...row }) => ({
    withdrawal: toWithdrawal(row),
    claim: { id: row.id, connection: lane, number: sends, trace },
    firstClaimedAt: begun_at,
    lastSentAt: asked_before,
    claimedAt: asked_at,
  }))
}

/**
 * Makes the withdrawal due again in `waitMs`, unless it was hastened meanwhile. `wasNotSent`: nothing was sent this time, so
 * the earlier `asked_at` is restored. Returns false when another worker has claimed it since, or its end is known.
 */
export async function postponeDue(
  sql: Sql,
  { withdrawal: { merchantId, id }, claim, lastSentAt }: DueWithdrawal,
  { waitMs, wasNotSent }: { readonly waitMs: number; readonly wasNotSent: boolean },
): Promise<boolean> {
  const result = await sql`
    update withdrawal_due
       set due_at = case when due_at > ${dueNow(sql)} then ${dueIn(sql, waitMs)} else due_at end,
           asked_at = case when ${wasNotSent} then ${lastSentAt}::timestamptz else asked_at end
     where merchant_id = ${merchantId} and withdrawal_id = ${id} and sends = ${claim.number}`
  return result.count === 1
}

/**
 * Releases a withdrawal that was claimed and certainly never sent: it waits for `waitMs`, and all traces of a sending are
 * removed.
 */
export async function releaseDue(
  sql: Sql,
  { withdrawal: { merchantId, id }, claim }: DueWithdrawal,
  waitMs: number,
): Promise<void> {
  await sql`
    update withdrawal_due
       set due_at = case when due_at > ${dueNow(sql)} then ${dueIn(sql, waitMs)} else due_at end, asked_at = null,
           begun_at = null
     where merchant_id = ${merchantId} and withdrawal_id = ${id} and sends = ${claim.number}`
}

/** Those of these claims that no later claim superseded; they stay so until the transaction ends. */
export async function lockClaims(
  tx: Tx,
  claims: readonly Pick<Claim, 'id' | 'number'>[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ id: WithdrawalId; number: number }[]>`
    with claimed as (
      select unnest(${list(claims.map(({ id }) => id))}::uuid[]) as id,
             unnest(${list(claims.map((each) => each.number))}::integer[]) as sends
    )
    select due.withdrawal_id as id, due.sends as number
      from claimed
      join withdrawal on withdrawal.id = claimed.id
      join withdrawal_due as due on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
     where due.sends = claimed.sends
     order by due.merchant_id, due.withdrawal_id
       for update of due`
  return new Set(rows.map(claimKey))
}

/** The end is known: the withdrawal is not due any more, unless it was hastened meanwhile. */
export async function dropDue(
  sql: Sql,
  { withdrawal: { merchantId, id }, claim }: DueWithdrawal,
): Promise<void> {
  await sql`
    delete from withdrawal_due
     where merchant_id = ${merchantId} and withdrawal_id = ${id} and sends = ${claim.number}
       and due_at > ${dueNow(sql)}`
}

/**
 * Makes withdrawals of a type due now, by their references. These include completed withdrawals, which may have been returned,
 * and failed ones, which may have been paid after all. Returns how many are due now.
 */
export async function hastenDue(
  sql: Sql | Tx,
  type: PayoutType,
  references: readonly string[],
): Promise<number> {
  const hastened = await hasten(
    sql,
    withdrawalDue,
    sql`select due.ctid
          from withdrawal
          join withdrawal_due as due on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
         where withdrawal.reference = any (${list(references)}::text[]) and withdrawal.type = ${type}
           and withdrawal.status in ('PROCESSING', 'COMPLETED', 'FAILED')`,
  )
  const added = await sql`
    insert into withdrawal_due (merchant_id, withdrawal_id, connection, due_at, asked_at)
    select merchant_id, id, connection, ${dueNow(sql)}, ${dueNow(sql)}
      from withdrawal
     where reference = any (${list(references)}::text[]) and type = ${type} and status in ('COMPLETED', 'FAILED')
     order by merchant_id, id
        on conflict do nothing`
  return hastened + added.count
}

/** Makes the withdrawal due now, whatever its state. False when a worker holds its claim at this moment, or nothing is due. */
export async function retryNow(sql: Sql | Tx, id: WithdrawalId): Promise<boolean> {
  const hastened = await hasten(
    sql,
    withdrawalDue,
    sql`select due.ctid
          from withdrawal
          join withdrawal_due as due on due.merchant_id = withdrawal.merchant_id and due.withdrawal_id = withdrawal.id
         where withdrawal.id = ${id}`,
  )
  return hastened > 0
}
