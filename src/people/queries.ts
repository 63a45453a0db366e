// All SQL of the audit log.
import type { AuditEntry } from './audit-entry.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { Id } from '#/kernel/id.ts'

export async function insertAuditEntries(
  tx: Sql | Tx,
  entries: readonly (AuditEntry & { readonly id: Id<'audit-entry'> })[],
): Promise<void> {
  await tx`
    insert into audit_log (id, actor_kind, actor_id, action, subject, merchant_id, before, after, reason)
    select unnest(${list(entries.map((each) => each.id))}::uuid[]),
           unnest(${list(entries.map((each) => each.actor.kind))}::text[]),
           unnest(${list(entries.map((each) => each.actor.id))}::text[]),
           unnest(${list(entries.map((each) => each.action))}::text[]),
           unnest(${list(entries.map((each) => each.subject))}::text[]),
           unnest(${list(entries.map((each) => each.merchantId))}::uuid[]),
           unnest(${list(entries.map((each) => each.before && JSON.stringify(each.before)))}::text[]::json[]),
           unnest(${list(entries.map((each) => each.after && JSON.stringify(each.after)))}::text[]::json[]),
           unnest(${list(entries.map((each) => each.reason))}::text[])`
}
