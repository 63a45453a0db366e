// The audit log: who changed what, and why. One row for each change that a person made, never changed again. The row is written
// in the transaction of the change, so there is no change without its row and no row without its change.
import type { Sql, Tx } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import type { AuditEntry } from './audit-entry.ts'
import * as queries from './queries.ts'
import type { AuditFilter, AuditRow } from './queries.ts'

/** Writes these entries. `tx` is the transaction of the change. */
export async function writeAudit(tx: Sql | Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await queries.insertAuditEntries(
    tx,
    entries.map((entry) => ({ ...entry, id: newId<'audit-entry'>() })),
  )
}

/** The most entries that one page scans, matching or not. */
const windowMax = 1_000

export type AuditPage = {
  readonly entries: readonly AuditRow[]
  /** Where the next page begins: its `before`. Absent: there are no further entries. */
  readonly next?: string
}

/**
 * The entries that match, newest first. A page scans at most a thousand entries, so where few match it may be short, or empty, and still
 * have a `next`. Without `merchantId` it lists the entries of all merchants and of the operator: only the operator may read these.
 */
export async function listAudit(
  sql: Sql,
  filter: AuditFilter,
  page: { readonly limit: number; readonly before?: string },
): Promise<AuditPage> {
  const before = page.before === undefined ? {} : { before: page.before }
  const scanned = await queries.selectAuditEntries(sql, filter, { ...before, window: windowMax })
  const matching = scanned.filter(({ matches }) => matches)
  const entries = matching.slice(0, page.limit).map((row) => {
    const { matches: _, ...entry } = row
    return entry
  })
  const hasMore = matching.length > page.limit || scanned.length === windowMax
  const last = matching.length >= page.limit ? entries.at(-1) : scanned.at(-1)
  return { entries, ...(hasMore && last !== undefined && { next: last.id }) }
}
