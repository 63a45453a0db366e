// The SQL of advances: requests to bring closer what is ahead of a sandbox's merchant, and what simulated providers know of them.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { ClockAdvanceId, MerchantId } from '#/kernel/id.ts'
import { sandboxMerchant } from './dates-queries.ts'
import type { Waiting } from './step-queries.ts'

export type AdvanceKey = { readonly merchantId: MerchantId; readonly id: ClockAdvanceId }

export type ClockAdvance = AdvanceKey & {
  /** As it was sent. */
  readonly advance: string
  readonly status: 'ADVANCING' | 'DONE'
  readonly spanMs: number
  readonly movedMs: number
  readonly steps: number
  /** What was still due when the wait for it was over. */
  readonly stuck: readonly Waiting[] | null
  /** Simulated providers that did not answer yet. */
  readonly behind: readonly string[]
  readonly fingerprint: Buffer
  readonly createdAt: Date
  readonly endedAt: Date | null
}

function columns(sql: Sql | Tx) {
  return sql`advance.merchant_id as "merchantId", advance.id, advance.advance, advance.status,
             advance.span_ms::float8 as "spanMs", advance.moved_ms::float8 as "movedMs", advance.steps, advance.stuck,
             advance.fingerprint, advance.created_at as "createdAt", advance.ended_at as "endedAt",
             array(select distinct unnest(step.behind) from clock_step as step
                    where step.merchant_id = advance.merchant_id and step.advance_id = advance.id and not step.is_told
                    order by 1) as behind`
}

/** Locks the merchant's requests until the transaction ends, so that two at a time cannot pass a limit together. */
export async function lockClock(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`select from merchant where id = ${merchantId} for no key update`
}

export async function selectAdvanceByKey(
  tx: Tx,
  merchantId: MerchantId,
  idempotencyKey: string,
): Promise<ClockAdvance | undefined> {
  const [found] = await tx<ClockAdvance[]>`
    select ${columns(tx)} from clock_advance as advance
     where advance.merchant_id = ${merchantId} and advance.idempotency_key = ${idempotencyKey}`
  return found
}

/** How many advances of the merchant are under way or wait, and how many milliseconds they have still to move. */
export async function selectOpen(
  sql: Sql | Tx,
  merchantId: MerchantId,
): Promise<{ readonly count: number; readonly leftMs: number }> {
  const [row] = await sql<{ count: number; leftMs: number }[]>`
    select count(*)::integer as count, coalesce(sum(span_ms - moved_ms), 0)::float8 as "leftMs"
      from clock_advance where merchant_id = ${merchantId} and status = 'ADVANCING'`
  return row ?? { count: 0, leftMs: 0 }
}

export async function insertAdvance(
  tx: Tx,
  advance: ClockAdvance & { readonly idempotencyKey: string | undefined },
): Promise<void> {
  await tx`
    insert into clock_advance (merchant_id, id, idempotency_key, fingerprint, advance, span_ms, status, connection, due_at,
                               created_at)
    select merchant.id, ${advance.id}, ${advance.idempotencyKey ?? null}, ${advance.fingerprint}, ${advance.advance},
           ${advance.spanMs}::bigint, 'ADVANCING', ${advance.merchantId}, ${dueNow(tx)}, ${advance.createdAt}
      from ${sandboxMerchant(tx, advance.merchantId)} as merchant`
}

/** The merchant's last advances, newest first. */
export function listAdvances(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly ClockAdvance[]> {
  return sql<ClockAdvance[]>`
    select ${columns(sql)} from clock_advance as advance
     where advance.merchant_id = ${merchantId} order by advance.id desc limit ${limit}`
}

/** Advances that are not done, or that a simulated provider does not know of yet. A merchant's are carried out in their order. */
const advanceDue: DueTable = {
  name: 'clock_advance',
  isListed: (sql) => sql`(due.due_at is not null)`,
  isClaimable: (sql) => sql`not exists (
    select from clock_advance as earlier
     where earlier.merchant_id = due.merchant_id and earlier.id < due.id and earlier.status = 'ADVANCING')`,
}

export const isAdvanceDue = someDue(advanceDue)

export type DueAdvance = { readonly advance: ClockAdvance; readonly claim: Claim }

/** Claims due advances for `leaseMs`. */
export async function claimAdvances(sql: Sql, slots: Slots, leaseMs: number): Promise<readonly DueAdvance[]> {
  const rows = await sql<(ClockAdvance & { readonly takes: number })[]>`
    with recursive ${chosen(sql, advanceDue, slots)}, advance as (
      update clock_advance
         set due_at = ${dueIn(sql, leaseMs)}, takes = takes + 1
       where ctid = any (array(select ctid from chosen))
      returning *
    )
    select ${columns(sql)}, advance.takes from advance`
  return rows.map(({ takes, ...advance }) => ({
    advance,
    claim: { id: advance.id, connection: advance.merchantId, number: takes },
  }))
}

/** Makes it due in `waitMs`. False when another worker has claimed it since. */
export async function postponeAdvance(
  sql: Sql,
  { advance: { merchantId, id }, claim }: DueAdvance,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update clock_advance set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and id = ${id} and takes = ${claim.number}`
  return result.count === 1
}

/**
 * Makes an ended advance due again after a quarter of the time since its end, from a second to five minutes. The number of claims
 * cannot be used instead: it includes those of workers that died during the advance.
 */
export async function postponeNotifying(
  sql: Sql,
  { advance: { merchantId, id }, claim }: DueAdvance,
): Promise<void> {
  await sql`
    update clock_advance
       set due_at = ${dueNow(sql)} + least(greatest((${dueNow(sql)} - ended_at) / 4, interval '1 second'), interval '5 minutes')
     where merchant_id = ${merchantId} and id = ${id} and takes = ${claim.number}`
}

/** Nothing is left to do for it, unless another worker has claimed it since. */
export async function dropAdvance(
  sql: Sql,
  { advance: { merchantId, id }, claim }: DueAdvance,
): Promise<void> {
  await sql`
    update clock_advance set due_at = null
     where merchant_id = ${merchantId} and id = ${id} and takes = ${claim.number}`
}

/** The advance, for a step: only of a merchant of the sandbox, and locked until the transaction ends. */
export async function lockAdvance(tx: Tx, { merchantId, id }: AdvanceKey): Promise<ClockAdvance | undefined> {
  const [found] = await tx<ClockAdvance[]>`
    select ${columns(tx)} from clock_advance as advance
     where advance.merchant_id = ${sandboxMerchant(tx, merchantId)} and advance.id = ${id}
       for no key update of advance`
  return found
}

/** A step of it was made. */
export async function writeMoved(tx: Tx, { merchantId, id }: AdvanceKey, byMs: number): Promise<void> {
  await tx`
    update clock_advance set moved_ms = moved_ms + ${byMs}::bigint, steps = steps + 1
     where merchant_id = ${merchantId} and id = ${id}`
}

/** Everything is moved, and what fell due has been done or is stuck. */
export async function endAdvance(
  sql: Sql,
  { merchantId, id }: AdvanceKey,
  stuck: readonly Waiting[],
): Promise<void> {
  await sql`
    update clock_advance
       set status = 'DONE', ended_at = ${dueNow(sql)}, stuck = ${JSON.stringify(stuck)}::text::json
     where merchant_id = ${merchantId} and id = ${id} and status = 'ADVANCING' and moved_ms = span_ms`
}

export async function writeStuck(
  sql: Sql,
  { merchantId, id }: AdvanceKey,
  stuck: readonly Waiting[],
): Promise<void> {
  await sql`
    update clock_advance set stuck = ${JSON.stringify(stuck)}::text::json
     where merchant_id = ${merchantId} and id = ${id}`
}

export type PendingStep = {
  readonly number: number
  readonly advanceId: ClockAdvanceId
  readonly byMs: number
  readonly notified: readonly string[]
}

/** Steps of the merchant that a simulated provider did not confirm yet, oldest first. */
export function selectPendingSteps(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly PendingStep[]> {
  return sql<PendingStep[]>`
    select number, advance_id as "advanceId", by_ms::float8 as "byMs", told as notified
      from clock_step
     where merchant_id = ${merchantId} and not is_told order by number limit ${limit}`
}

/** Which simulated providers have confirmed a step, and which did not answer. */
export async function writeNotified(
  sql: Sql,
  merchantId: MerchantId,
  {
    number,
    notified,
    behind,
  }: Pick<PendingStep, 'number' | 'notified'> & { readonly behind: readonly string[] },
): Promise<void> {
  await sql`
    update clock_step
       set told = array(select distinct unnest(told || ${list(notified)}::text[]) order by 1), behind = ${list(behind)}::text[],
           is_told = ${behind.length === 0}
     where merchant_id = ${merchantId} and number = ${number} and not is_told`
}

/** Whether no other merchant of the sandbox with a key lacks a connection of its own of this method, and so shares the common one. */
export async function isAloneAt(sql: Sql, merchantId: MerchantId, method: string): Promise<boolean> {
  const rows = await sql`
    select from merchant as other
     where other.mode = 'SANDBOX' and other.id <> ${merchantId}
       and exists (select from api_key where api_key.merchant_id = other.id and api_key.revoked_at is null)
       and not exists (select from connection where connection.merchant_id = other.id and connection.method = ${method})
     limit 1`
  return rows.length === 0
}
