// The audit log: who changed what, and why. One row for each change that a person made, never changed again. The row is written
// in the transaction of the change, so there is no change without its row and no row without its change.
import type { Sql, Tx } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import type { AuditEntry } from './audit-entry.ts'
import * as queries from './queries.ts'

/** Writes these entries. `tx` is the transaction of the change. */
export async function writeAudit(tx: Sql | Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await queries.insertAuditEntries(
    tx,
    entries.map((entry) => ({ ...entry, id: newId<'audit-entry'>() })),
  )
}
