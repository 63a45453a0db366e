// The SQL of notices about times that come: evidence is due, an endpoint will be disabled, a key will expire. All by the database's clock.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { leastId } from '#/db/lists.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { dayMs, hourMs, minuteMs } from '#/kernel/time.ts'
import type { Notice } from './notices.ts'

/** How long before a key expires its members are notified. */
const keyMs = 7 * dayMs
/**
 * Members are notified of an endpoint when it has only failed for an hour. It is disabled after five days of this
 * (webhooks/due/queries.ts).
 */
const failingLeftMs = 5 * dayMs - hourMs
/** A note that members were notified is deleted after this time: longer than anything stays due. */
const keptMs = 60 * dayMs

/** Something with a date to come. `step`: which of the notices about this date it is; each step is notified once. */
export type Coming = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly step: string
  readonly dueAt: Date
  /** What the notice names. */
  readonly name: string | null
  readonly amountMinor: bigint | null
  readonly currency: string | null
}

export type Page = { readonly after: string | undefined; readonly limit: number }

/**
 * A condition: members were not notified of this yet. `due`: the alias, in the surrounding statement, of the record that the notice is
 * about.
 */
function notNotified(sql: Sql, kind: Notice, step = sql`''`) {
  return sql`not exists (
    select from mail_told as notified
     where notified.merchant_id = due.merchant_id and notified.kind = ${kind} and notified.subject_id = due.id
       and notified.step = ${step})`
}

/**
 * Open disputes whose evidence is due within three days, or within one, in the order of their ids. Not among them:
 * - disputes that were opened later than that many days before the date, because the notice of the opening has the date;
 * - disputes whose evidence was submitted.
 */
export function selectEvidenceDue(sql: Sql, { after, limit }: Page): Promise<readonly Coming[]> {
  const days = sql`case when evidence_due_at <= ${dueIn(sql, dayMs)} then 1 else 3 end`
  return sql<Coming[]>`
    select due.merchant_id as "merchantId", due.id, next.step, evidence_due_at as "dueAt", null as name,
           amount_minor as "amountMinor", currency
      from dispute as due
     cross join lateral (select ${days} as days, due.round || '/' || ${days} as step) as next
     where status = 'OPEN' and evidence_due_at > ${dueNow(sql)} and evidence_due_at <= ${dueIn(sql, 3 * dayMs)}
       and due.created_at <= evidence_due_at - next.days * interval '1 day'
       and due.id > ${after ?? leastId}
       and ${notNotified(sql, 'DISPUTE_DUE', sql`next.step`)}
       and not exists (select from dispute_evidence as evidence
                        where evidence.merchant_id = due.merchant_id and evidence.dispute_id = due.id
                          and evidence.status in ('SENDING', 'SENT'))
     order by due.id
     limit ${limit}`
}

/** Endpoints that have only failed for an hour or more and will be disabled, in the order of their ids. */
export function selectFailing(sql: Sql, { after, limit }: Page): Promise<readonly Coming[]> {
  return sql<Coming[]>`
    select due.merchant_id as "merchantId", due.id, '' as step, failing.disable_at as "dueAt", due.url as name,
           null as "amountMinor", null as currency
      from webhook_endpoint_failing as failing
      join webhook_endpoint as due on due.merchant_id = failing.merchant_id and due.id = failing.endpoint_id
     where failing.disable_at > ${dueNow(sql)} and failing.disable_at <= ${dueIn(sql, failingLeftMs)}
       and not failing.is_gone and due.status in ('ENABLED', 'STARTING')
       and due.id > ${after ?? leastId}
       and ${notNotified(sql, 'ENDPOINT_FAILING')}
     order by due.id
     limit ${limit}`
}

/**
 * API keys that expire within seven days, in the order of their ids. Not among them:
 * - keys that were made for less than seven days;
 * - keys that another key replaces, because whoever rolled them chose their end.
 */
export function selectExpiring(sql: Sql, { after, limit }: Page): Promise<readonly Coming[]> {
  return sql<Coming[]>`
    select due.merchant_id as "merchantId", due.id, '' as step, due.expires_at as "dueAt", due.name,
           null as "amountMinor", null as currency
      from api_key as due
     where due.expires_at > ${dueNow(sql)} and due.expires_at <= ${dueIn(sql, keyMs)} and due.revoked_at is null
       and due.member is null and due.created_at <= due.expires_at - ${keyMs}::double precision * interval '1 millisecond'
       and due.id > ${after ?? leastId}
       and ${notNotified(sql, 'KEY_EXPIRING')}
       and not exists (select from api_key as newer
                        where newer.merchant_id = due.merchant_id and newer.rolled_from = due.id)
     order by due.id
     limit ${limit}`
}

/** Notes that members were notified. False when this was noted before. */
export async function insertNotified(
  tx: Tx,
  kind: Notice,
  { merchantId, id, step }: Coming,
): Promise<boolean> {
  const rows = await tx`
    insert into mail_told (merchant_id, kind, subject_id, step, told_at)
    values (${merchantId}, ${kind}, ${id}, ${step}, ${dueNow(tx)})
        on conflict do nothing
    returning subject_id`
  return rows.length > 0
}

/**
 * Deletes the notes of endpoints that have succeeded since, so that members are notified when such an endpoint fails again, and all notes
 * that are older than `keptMs`. At most `limit` rows of each.
 */
export async function forgetNotified(sql: Sql, limit: number): Promise<void> {
  await sql`
    delete from mail_told where ctid = any (array(
      select notified.ctid from mail_told as notified
       where kind = 'ENDPOINT_FAILING'
         and not exists (select from webhook_endpoint_failing as failing
                          where failing.merchant_id = notified.merchant_id and failing.endpoint_id = notified.subject_id)
       limit ${limit}))`
  await sql`
    delete from mail_told where ctid = any (array(
      select ctid from mail_told where told_at <= ${dueIn(sql, -keptMs)} limit ${limit}))`
}

/** How often the dates to come are scanned. */
export const scanEveryMs = minuteMs
