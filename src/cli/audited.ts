// What a command changes, it changes together with an entry in the audit log that says who did it, and why.
import type { Actor, AuditEntry } from '#/people/audit-entry.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { UsageError, type Call } from './command.ts'
import { whoDecides } from './decision.ts'

/** So long may a text be that the log keeps. */
const textMax = 500

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

/**
 * What a person wrote behind `--name`, without the space around it. Undefined when the option is absent or blank.
 * @throws UsageError for more than `max` characters, and for text that the database cannot keep.
 */
export function textOf({ option }: Pick<Call, 'option'>, name: string, max = textMax): string | undefined {
  const text = option(name)?.trim() ?? ''
  if (text.length > max) throw new UsageError(`--${name} has at most ${max} characters.`, 'Say it shorter.')
  if (text.includes('\0') || !text.isWellFormed())
    throw new UsageError(`--${name} has characters that cannot be kept.`, 'Write it as plain text.')
  return text === '' ? undefined : text
}

/**
 * `--reason` of a command that needs one. `hint` says what to write.
 * @throws UsageError when it is absent or blank, and as `textOf` does.
 */
export function requiredReason(call: Pick<Call, 'option'>, hint: string): string {
  const reason = textOf(call, 'reason')
  if (reason === undefined) throw new UsageError('--reason is missing.', hint)
  return reason
}

/** The part of an entry that says why: nothing when nothing was said. */
export function reasonPart(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}
