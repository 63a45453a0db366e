// Records, after a restore, what payers hold and the books have lost: every line of the issuance logs whose attempt is not in
// the restored database. From then on its money is named in suspense, its addresses are watched, and its charges are ended
// (close.ts).
// Inspected by audit/restores.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { Rail, Rails } from '#/rails/rail.ts'
import { digestOf, type Issued } from './line.ts'
import * as queries from './queries.ts'
import { readLogs, type Counts } from './read.ts'

export type RecordLostDeps = {
  readonly sql: Sql
  readonly rails: Rails
  /** Watches the addresses where coins of these lost attempts may come, in the transaction that records the attempts. */
  readonly watch: (tx: Tx, attempts: readonly Attempt[]) => Promise<void>
}

/** `outside`: lines that were written before the lost span, or after it. `known`: the books have their attempts. */
export type Result = Counts & {
  readonly epoch: number
  outside: number
  known: number
  /** Attempts that this call recorded. */
  added: number
}

/** The clocks of processes and of the database may differ, and a line is written a moment before what it names is committed. */
const marginMs = 10 * minuteMs

/**
 * Reads all logs in these folders, page by page, each page in a transaction of its own. A run that was killed can be run again;
 * the same log twice changes nothing. Throws AppError `invalid_state` when there was no restore, and UnreadableLog.
 */
export async function recordLost(
  deps: RecordLostDeps,
  by: By,
  folders: readonly string[],
  onProgress: (lines: number) => void = () => {},
): Promise<Result> {
  const { sql } = deps
  const restore = await queries.selectLastRestore(sql)
  if (restore === undefined)
    throw new AppError(
      'invalid_state',
      'No repair was begun: after a restore, run ./vintem restored begin first.',
    )
  const books = must(await queries.selectBooks(sql), 'books that were restored have a merchant')
  const result: Result = {
    epoch: restore.epoch,
    files: 0,
    lines: 0,
    torn: 0,
    damaged: 0,
    outside: 0,
    known: 0,
    added: 0,
  }
  const [from, to] = [addMs(restore.lastAt, -marginMs), addMs(restore.at, marginMs)]
  for await (const page of readLogs(folders, books, result)) {
    const issued = page.filter(({ at }) => at >= from && at <= to)
    result.outside += page.length - issued.length
    await addPage(deps, by, { issued, restore }, result)
    onProgress(result.lines)
  }
  return result
}

type Page = { readonly issued: readonly Issued[]; readonly restore: queries.LastRestore }

async function addPage(
  { sql, rails, watch }: RecordLostDeps,
  by: By,
  { issued, restore: { epoch } }: Page,
  result: Result,
): Promise<void> {
  const attempts = issued.map(({ attempt }) => attempt)
  const inBooks = await queries.selectInBooks(sql, attempts, localMethods(rails))
  const lost = issued.filter(({ attempt }) => !inBooks.has(attempt.id))
  result.known += issued.length - lost.length
  if (lost.length === 0) return
  const pageId = newId<'lost-page'>()
  const firsts = new Map(lost.toReversed().map((each) => [each.attempt.id, { ...each, epoch, pageId }]))
  await sql.begin(async (tx) => {
    const inserted = await queries.insertLost(tx, [...firsts.values()])
    await queries.nameLost(tx, lost)
    if (inserted.size === 0) return
    const added = [...firsts.values()].filter(({ attempt }) => inserted.has(attempt.id))
    const addedAttempts = added.map(({ attempt }) => attempt)
    await watch(tx, addedAttempts)
    await queries.insertClosings(
      tx,
      addedAttempts.filter((attempt) => isClosable(rails.get(attempt.method))),
    )
    const after = { epoch, attempts: added.length, digest: digestOf(added.map(digestedRow)) }
    await writeAudit(tx, [{ ...by, action: 'restore.find-issued', subject: `lost-page:${pageId}`, after }])
    result.added += added.length
  })
}

function digestedRow({ attempt, epoch, at }: queries.Lost) {
  const { id: attemptId, merchantId, paymentId, method, connection, amount } = attempt
  const { minor: amountMinor, currency } = amount
  return { merchantId, paymentId, attemptId, epoch, method, connection, amountMinor, currency, issuedAt: at }
}

/** The methods whose attempts are made with the payment, one for each. */
function localMethods(rails: Rails): readonly Method[] {
  return [...rails.values()].flatMap(({ method, opens }) => (opens.at === 'CREATION' ? [method] : []))
}

/**
 * Whether a provider can end it. What can be paid more than once, such as a reference of a bank transfer, cannot be canceled.
 */
function isClosable(rail: Rail | undefined): boolean {
  if (rail === undefined || rail.opens.at === 'CREATION') return false
  return rail.opens.at === 'PAGE' || rail.opens.takesMore !== true
}
