// A command writes each change together with an entry in the audit log that says who made it, and why.
import type { Config } from '#/config.ts'
import type { Sql, Tx } from '#/db/client.ts'
import type { Operator } from '#/operator/deps.ts'
import type { Actor, AuditEntry } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { UsageError, type Call } from './command.ts'
import { whoDecides } from './decision.ts'

/** The most characters of a text for the log. */
const textMax = 500

/** An entry without its actor, who is the person at the command line. */
export type Entry = Omit<AuditEntry, 'actor'>

/** The person at the command line. */
export function operator(): Actor {
  return { kind: 'OPERATOR', id: whoDecides() }
}

/** The same for the acts that the console shares. `config`: where members of a merchant must not decide about it alone. */
export function operatorHere(config?: Pick<Config, 'VINTEM_SANDBOX'>): Operator {
  return { by: { actor: operator() }, name: whoDecides(), isSandboxHere: config?.VINTEM_SANDBOX === 'on' }
}

/** The entry of this person's action, for code that writes it in its own transaction. */
export function byOperator(entry: Entry): AuditEntry {
  return { ...entry, actor: operator() }
}

/** Runs a change and writes the entries that it notes, in one transaction. When it throws, nothing is changed. */
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
 * The text of `--name`, without surrounding space. Undefined when the option is absent or blank.
 * @throws UsageError for more than `max` characters, and for text that the database cannot store.
 */
export function textOf({ option }: Pick<Call, 'option'>, name: string, max = textMax): string | undefined {
  const text = option(name)?.trim() ?? ''
  if (text.length > max) throw new UsageError(`--${name} has at most ${max} characters.`, 'Shorten it.')
  if (text.includes('\0') || !text.isWellFormed())
    throw new UsageError(`--${name} has characters that cannot be kept.`, 'Write it as plain text.')
  return text === '' ? undefined : text
}

/**
 * The required `--reason` of a command. `hint` says what to write.
 * @throws UsageError when it is absent or blank, and as `textOf` does.
 */
export function requiredReason(call: Pick<Call, 'option'>, hint: string): string {
  const reason = textOf(call, 'reason')
  if (reason === undefined) throw new UsageError('--reason is missing.', hint)
  return reason
}

/** The reason of an entry: an empty object when none was given. */
export function reasonPart(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}
