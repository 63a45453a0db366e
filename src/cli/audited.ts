// What a command changes, it changes together with an entry in the audit log that says who did it, and why.
import type { Sql, Tx } from '#/db/client.ts'
import { writeAudit, type Actor, type AuditEntry } from '#/people/audit-log.ts'
import { whoDecides } from './decision.ts'

/** An entry without its actor: that is the person at the command line. */
export type Entry = Omit<AuditEntry, 'actor'>

/** The person at the command line. */
function operator(): Actor {
  return { kind: 'OPERATOR', id: whoDecides() }
}

/** What this person did, for work that writes its entry in a transaction of its own. */
export function byOperator(entry: Entry): AuditEntry {
  return { ...entry, actor: operator() }
}

/** Makes a change and writes the entries that it notes, in one transaction. What throws changes nothing. */
export function audited<Result>(
  sql: Sql,
  change: (tx: Tx, note: (entry: Entry) => void) => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (tx) => {
    const entries: AuditEntry[] = []
    const result = await change(tx, (entry) => entries.push(byOperator(entry)))
    await writeAudit(tx, entries)
    return result
  }) as Promise<Result>
}

/** `--reason` or `--why` as the log keeps it: absent when nothing was said. */
export function reasonOf(text: string | undefined): { readonly reason?: string } {
  const reason = text?.trim() ?? ''
  return reason === '' ? {} : { reason }
}
