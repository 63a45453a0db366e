// All SQL of the audit log.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { idsWithin } from '#/db/lists.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import type { Actor, AuditEntry } from './audit-entry.ts'

export async function insertAuditEntries(
  tx: Sql | Tx,
  entries: readonly (AuditEntry & { readonly id: Id<'audit-entry'> })[],
): Promise<void> {
  await tx`
    insert into audit_log
      (id, actor_kind, actor_id, action, subject, merchant_id, before, after, reason, address, request_id)
    select unnest(${list(entries.map((each) => each.id))}::uuid[]),
           unnest(${list(entries.map((each) => each.actor.kind))}::text[]),
           unnest(${list(entries.map((each) => each.actor.id))}::text[]),
           unnest(${list(entries.map((each) => each.action))}::text[]),
           unnest(${list(entries.map((each) => each.subject))}::text[]),
           unnest(${list(entries.map((each) => each.merchantId))}::uuid[]),
           unnest(${list(entries.map((each) => JSON.stringify(each.before)))}::text[]::json[]),
           unnest(${list(entries.map((each) => JSON.stringify(each.after)))}::text[]::json[]),
           unnest(${list(entries.map((each) => each.reason))}::text[]),
           unnest(${list(entries.map((each) => each.address))}::text[]),
           unnest(${list(entries.map((each) => each.requestId))}::text[])`
}

/** One entry as it is read. */
export type AuditRow = {
  readonly id: string
  readonly at: Date
  readonly actorKind: Actor['kind']
  readonly actorId: string
  /** The name of a USER. */
  readonly actorName: string | null
  readonly action: string
  readonly subject: string
  readonly merchantId: MerchantId | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly reason: string | null
  readonly address: string | null
  readonly requestId: string | null
}

export type AuditFilter = {
  /** Absent: of all merchants, and the operator's own. */
  readonly merchantId?: MerchantId
  readonly actorId?: string
  readonly action?: string
  readonly subject?: string
  /** Inclusive, and exclusive. */
  readonly from?: Date
  readonly to?: Date
}

/** A subject has few entries, so its index comes first; then the indexes of the other columns, in this order. */
function narrowest(tx: Sql | Tx, { merchantId, actorId, action, subject }: AuditFilter) {
  if (subject !== undefined) return tx`and subject = ${subject}`
  if (merchantId !== undefined && action !== undefined)
    return tx`and merchant_id = ${merchantId} and action = ${action}`
  if (merchantId !== undefined && actorId === undefined) return tx`and merchant_id = ${merchantId}`
  return actorId === undefined ? tx`` : tx`and actor_id = ${actorId}`
}

/**
 * The newest entries with an id before `before`: at most `window`, by the index that finds the fewest. `matches`: whether the entry fits
 * the whole filter.
 */
export function selectAuditEntries(
  tx: Sql | Tx,
  filter: AuditFilter,
  page: { readonly before?: string; readonly window: number },
): Promise<readonly (AuditRow & { readonly matches: boolean })[]> {
  const { merchantId, actorId, action, from, to } = filter
  const [first, end] = idsWithin({ ...filter, ...page })
  return tx<(AuditRow & { matches: boolean })[]>`
    with scanned as materialized (
      select id from audit_log
       where id >= ${first} and id < ${end}
         ${narrowest(tx, filter)}
       order by id desc
       limit ${page.window})
    select log.id, log.at, actor_kind as "actorKind", actor_id as "actorId", app_user.name as "actorName", action, subject,
           merchant_id as "merchantId", before, after, reason, address, request_id as "requestId",
           true
           ${merchantId === undefined ? tx`` : tx`and merchant_id is not distinct from ${merchantId}`}
           ${actorId === undefined ? tx`` : tx`and actor_id = ${actorId}`}
           ${action === undefined ? tx`` : tx`and action = ${action}`}
           ${from === undefined ? tx`` : tx`and log.at >= ${from}`}
           ${to === undefined ? tx`` : tx`and log.at < ${to}`} as matches
      from scanned
      join audit_log as log using (id)
      left join app_user
        on app_user.id = case when actor_kind = 'USER' and actor_id ~ '^[0-9a-f-]{36}$' then actor_id::uuid end
     order by log.id desc`
}
