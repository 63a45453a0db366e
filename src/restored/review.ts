// What a person reviews after a restore, and the step that lets money out again, which needs all reviews.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { deleteFreeze } from '#/merchants/queries.ts'
import type { By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { personNamed, objectionTo } from '#/people/person.ts'
import { countUndecided, selectBeginner, selectLastComparison } from './money-out-queries.ts'
import * as queries from './queries.ts'
import type { InForce, Place, Restore } from './queries.ts'
import {
  nextStep,
  revivedSubjects,
  stepsOf,
  type RevivedSubject,
  type Step,
  type Subject,
} from './restore.ts'

const pageMax = 1_000

const lists: Readonly<
  Record<RevivedSubject, (sql: Sql, after: Place | undefined, limit: number) => Promise<readonly InForce[]>>
> = {
  KEYS: queries.selectKeysInForce,
  ROLES: queries.selectRolesInForce,
  LIMITS: queries.selectLimitsInForce,
  DESTINATIONS: queries.selectDestinationsInForce,
}

export function isRevived(subject: Subject): subject is RevivedSubject {
  return revivedSubjects.some((each) => each === subject)
}

/** Visits, page by page, all that is in force of a kind in the restored state. Returns how many there are. */
export async function eachInForce(
  sql: Sql,
  subject: RevivedSubject,
  visit: (rows: readonly InForce[]) => void = () => {},
): Promise<number> {
  let after: Place | undefined
  for (let total = 0; ;) {
    const rows = await lists[subject](sql, after, pageMax)
    if (rows.length > 0) visit(rows)
    total += rows.length
    after = rows.at(-1)
    if (rows.length < pageMax) return total
  }
}

/** The last restore and its steps; undefined: there was none. */
export async function standingOf(
  sql: Sql,
): Promise<{ readonly restore: Restore; readonly steps: readonly Step[] } | undefined> {
  const restore = await queries.selectRestore(sql)
  if (restore === undefined) return undefined
  return { restore, steps: stepsOf(restore, await queries.selectReviews(sql, restore.number)) }
}

export type Person = { readonly by: By; readonly name: string }

export type Confirmation = {
  readonly subject: Subject
  readonly note: string
  /** How many rows the list showed to the person. */
  readonly reviewedCount?: number
  /** For money out: the connections whose lists the person compared by hand. */
  readonly without?: readonly ConnectionId[]
}

/**
 * Notes that a person has reviewed the subject. Returns false when it was noted before. Refuses:
 * - a number of rows that differs from the present one, because the list has changed;
 * - money out, by the person who began the repair;
 * - money out, before every list was compared, or before two people have decided about what was found.
 */
export async function confirm(
  sql: Sql,
  { by, name }: Person,
  { subject, note, reviewedCount, without = [] }: Confirmation,
): Promise<boolean> {
  const restore = await unopened(sql)
  if (restore.notifiedAt === null) throw refused('The first steps are not done: ./vintem restored begin.')
  if (isRevived(subject)) {
    const count = await eachInForce(sql, subject)
    if (count !== reviewedCount)
      throw refused(`There are ${count} of these, not ${reviewedCount ?? 0}: read the list again.`)
  }
  if (subject === 'MONEY_OUT') {
    await requireSecondPerson(sql, name)
    await requireCompared(sql, restore.number, without)
    await requireDecided(sql)
  }
  return sql.begin(async (tx): Promise<boolean> => {
    if (!(await queries.insertReview(tx, restore.number, { subject, reviewedBy: name, note }))) return false
    const after = {
      subject,
      ...given({ seen: reviewedCount }),
      ...(without.length === 0 ? {} : { without }),
    }
    const entry = { ...by, action: 'restore.confirm', subject: `epoch:${restore.number}`, after }
    await writeAudit(tx, [{ ...entry, reason: note }])
    return true
  })
}

/**
 * Lets money out again. Throws while another step is not done, while money that left unrecorded is not decided about, and for
 * the person who began the repair.
 */
export async function open(sql: Sql, { by, name }: Person, reason: string): Promise<void> {
  const restore = await unopened(sql)
  const next = nextStep(stepsOf(restore, await queries.selectReviews(sql, restore.number)))
  if (next !== 'open') throw refused(`The step before is not done: ${next}.`)
  await requireSecondPerson(sql, name)
  await requireDecided(sql)
  await sql.begin(async (tx) => {
    if (!(await queries.markOpened(tx, restore.number))) return
    await deleteFreeze(tx, { kind: 'RESTORE', merchantId: null, rail: null })
    const subject = `epoch:${restore.number}`
    await writeAudit(tx, [{ ...by, action: 'restore.open', subject, reason }])
  })
}

/** The restore whose repair is under way. Throws AppError `invalid_state` when there is none. */
export async function unopened(sql: Sql): Promise<Restore> {
  const restore = await queries.selectRestore(sql)
  if (restore === undefined || restore.openedAt !== null)
    throw refused('No repair is under way: after a restore, run ./vintem restored begin.')
  return restore
}

function refused(detail: string): AppError {
  return new AppError('invalid_state', detail)
}

// What only a second person may do after a restore: confirm that money out was compared, and let money out again.

/**
 * Throws AppError `forbidden` for the person who began the repair, by whichever of their accounts they come. `name`: the account at the command
 * line.
 */
async function requireSecondPerson(sql: Sql, name: string): Promise<void> {
  const beginner = await selectBeginner(sql)
  if (beginner === undefined) return
  const [decider, began] = await Promise.all([personNamed(sql, name), personNamed(sql, beginner)])
  if (objectionTo(decider, [began]) !== undefined)
    throw new AppError('forbidden', 'You began this repair: another person does this step.', {
      extra: { reason: 'own_request' },
    })
}

/**
 * Throws AppError `invalid_state` while nobody has decided about money that left unrecorded: the books still hold it for
 * somebody, so it could leave a second time.
 */
async function requireDecided(sql: Sql): Promise<void> {
  const count = await countUndecided(sql)
  if (count > 0)
    throw new AppError(
      'invalid_state',
      `Of what left unrecorded, ${count} still wait for two people who decide whose it was: ./vintem suspense sent.`,
    )
}

/**
 * Throws AppError `invalid_state` without a comparison, and while the last comparison missed a list that `without` does not
 * name. `without`: the connections whose lists a person compared by hand. A connection whose list was not missed is refused
 * there.
 */
async function requireCompared(sql: Sql, epoch: number, without: readonly ConnectionId[]): Promise<void> {
  const last = await selectLastComparison(sql, epoch)
  if (last === undefined)
    throw new AppError(
      'invalid_state',
      'Nothing was compared with the providers: ./vintem restored money-out.',
    )
  const missed = new Map(last.incomplete.map(({ connection, why }) => [connection, why]))
  const needless = without.filter((id) => !missed.has(id))
  if (needless.length > 0)
    throw new AppError('invalid_state', `The last comparison missed nothing of ${needless.join(', ')}.`)
  const open = [...missed].filter(([id]) => !without.includes(id))
  if (open.length > 0)
    throw new AppError(
      'invalid_state',
      `The last comparison missed ${open.map(([id, why]) => `${id} (${why})`).join(', ')}: compare again, or compare by hand and name it with --without.`,
    )
}
