// Which statement a report is, and which of its movements are new: a statement follows on the one before it, and one that is known has
// the entries that it had. Inspected by audit/rails/sepa-files.ts.
import type { Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'
import type { Credit } from './entry.ts'
import {
  selectCandidates,
  selectOfStatement,
  selectTaken,
  stateEntries,
  type KeptEntry,
} from './identity-queries.ts'
import { identify, type Verdict } from './identity.ts'
import type { AccountReport, Movement } from './movement.ts'
import { soughtFor } from './sought.ts'
import * as queries from './statement-queries.ts'
import { UnreadableFile } from './unreadable.ts'

/** `isKnown`: it was imported before. */
export type Followed = {
  readonly number: number
  readonly isKnown: boolean
  /** Of a known one: the balances that it had. */
  readonly before?: Pick<queries.StatementRow, 'openingMinor' | 'closingMinor'>
  /** Two people accept that it has other entries than it had. */
  readonly isCorrection?: true
}

/** Returns which statement it is; undefined for a notification. Refuses a statement that does not follow the last one. */
export async function followOn(
  tx: Tx,
  connection: ConnectionId,
  { id, balances, currency }: AccountReport,
  file: Buffer,
): Promise<Followed | undefined> {
  if (balances === undefined) return undefined
  const { opening, closing } = balances
  const same = await queries.selectStatement(tx, { connection, currency }, id)
  if (same !== undefined) {
    // Another closing balance comes of other entries, which are named where the entries are held against each other.
    if (same.openingMinor === opening.minor && same.closedOn === closing.on)
      return { number: same.number, isKnown: true, before: same }
    throw new UnreadableFile(`the statement ${id} was imported before, with other balances`)
  }
  const last = await queries.selectLastStatement(tx, { connection, currency })
  if (last !== undefined && last.closingMinor !== opening.minor)
    throw new UnreadableFile(
      `the statement ${id} opens with ${sumText(opening.minor, currency)}, but ${last.bankId} before it closed with ${sumText(last.closingMinor, currency)} on ${last.closedOn}`,
    )
  if (last !== undefined && closing.on < last.closedOn)
    throw new UnreadableFile(
      `the statement ${id} closes on ${closing.on}, before ${last.bankId}, which it follows`,
    )
  // Numbered over all currencies, because a movement names its statement by the number alone.
  const number = (await queries.selectLastNumber(tx, connection)) + 1
  const row = {
    number,
    currency,
    bankId: id,
    openingMinor: opening.minor,
    closingMinor: closing.minor,
    closedOn: closing.on,
    file,
  }
  await queries.insertStatement(tx, connection, row)
  return { number, isKnown: false }
}

type Key = Pick<Credit, 'reference' | 'part'>

/** A movement that waits for a person, and the one whose name it has. */
export type HeldMovement = { readonly movement: Movement; readonly like: Key | undefined }

/** `twin`: what it is like is in the same report, and gets its name with it. */
type Waiting = HeldMovement & { readonly twin?: Pick<Movement, 'entry' | 'part' | 'reference'> }

export type NewMovements = {
  readonly fresh: readonly Movement[]
  readonly held: readonly HeldMovement[]
  /** Of a correction: the entries that only the statement before it has. */
  readonly lacking: readonly KeptEntry[]
  /** What was known only from notifications, and is in this statement. */
  readonly stated: readonly Pick<KeptEntry, 'credit' | 'minor'>[]
}

/** Returns the movements that are not stored yet, under names that no other entry of the account has. */
export async function newMovements(
  tx: Tx,
  connection: ConnectionId,
  report: AccountReport,
  statement: Followed | undefined,
): Promise<NewMovements> {
  const { movements, currency } = report
  const account = { connection, currency }
  const kept = await selectCandidates(tx, account, movements.map(soughtFor))
  const first = identify(movements, kept, statement?.number)
  const lacking =
    statement?.isKnown === true ? await requireSame(tx, { account, report, statement }, first) : []
  // What is taken back is nobody's likeness.
  const gone = new Set(lacking.map(keyOf))
  const remaining = kept.filter((row) => !gone.has(keyOf(row)))
  const verdicts = lacking.length === 0 ? first : identify(movements, remaining, statement?.number)
  const known = verdicts.flatMap((each) => (each.kind === 'known' ? each.rows : []))
  const stated =
    statement !== undefined && known.length > 0
      ? await stateEntries(tx, connection, [...known, ...known.flatMap(likeOf)], statement.number)
      : []
  const isNew = (each: Verdict<KeptEntry>, movement: Movement) =>
    each.kind === 'new' && movement.contradicts === undefined
  const fresh = movements.filter((each, at) => isNew(verdicts[at] ?? { kind: 'new' }, each))
  const held = movements.flatMap((movement, at): readonly Waiting[] => {
    const verdict = verdicts[at] ?? { kind: 'new' }
    if (verdict.kind === 'known' || isNew(verdict, movement)) return []
    const { like, twin } = verdict.kind === 'held' ? verdict : {}
    return [{ movement, like, ...given({ twin }) }]
  })
  if (statement === undefined)
    await refuseLate(tx, account, [...fresh, ...held.map(({ movement }) => movement)])
  return { ...(await named(tx, connection, { fresh, held })), lacking, stated }
}

/** What a person decided to be a movement counts as that movement. */
function likeOf({
  kind,
  likeReference,
  likePart,
}: KeptEntry): readonly Pick<KeptEntry, 'reference' | 'part'>[] {
  return kind === 'SAME' && likeReference !== null && likePart !== null
    ? [{ reference: likeReference, part: likePart }]
    : []
}

type Known = {
  readonly account: queries.CurrencyOfAccount
  readonly report: AccountReport
  readonly statement: Followed
}

/**
 * Refuses a statement that was imported before with other entries: the bank has changed it, or somebody else has. Of a correction that two
 * people accept it returns the entries that only the statement before it has.
 */
async function requireSame(
  tx: Tx,
  { account, report, statement }: Known,
  verdicts: readonly Verdict<KeptEntry>[],
): Promise<readonly KeptEntry[]> {
  const kept = await selectOfStatement(tx, account, statement.number)
  const claimed = verdicts.flatMap((each) => (each.kind === 'known' ? each.rows : []))
  const keys = new Set([...claimed, ...claimed.flatMap(likeOf)].map(keyOf))
  const opened = report.balances?.opening.on ?? ''
  // What was booked before the first statement is in its opening balance, and not among its entries.
  const lacking = kept.filter((row) => !keys.has(keyOf(row)) && row.bookedOn >= opened)
  const added = report.movements.filter((_, at) => verdicts[at]?.kind !== 'known')
  const changed = changeOf(report, statement)
  if (lacking.length === 0 && added.length === 0 && changed === undefined) return []
  if (statement.isCorrection === true) return lacking
  const entries = sideBySide(lacking.map(keptText), added.map(reportedText))
  const balances = changed === undefined ? '' : `; in this file it ${changed}`
  throw new UnreadableFile(`the statement ${report.id} ${otherEntries}: ${entries}${balances}`)
}

/** For a person: the balances of a statement that was imported before with other ones. */
export function changeOf(
  { balances, currency }: Pick<AccountReport, 'balances' | 'currency'>,
  { before }: Pick<Followed, 'before'>,
): string | undefined {
  if (balances === undefined || before === undefined) return undefined
  const change = (verb: string, is: bigint, was: bigint) =>
    is === was ? [] : [`${verb} with ${sumText(is, currency)} instead of ${sumText(was, currency)}`]
  const changes = [
    ...change('opens', balances.opening.minor, before.openingMinor),
    ...change('closes', balances.closing.minor, before.closingMinor),
  ]
  return changes.length === 0 ? undefined : changes.join(' and ')
}

const otherEntries = 'was imported before with other entries'

/** Whether a file was refused because its statement has other entries than it had: two people may accept it as a correction. */
export function mayBeCorrection(reason: string | null): boolean {
  return reason?.includes(` ${otherEntries}: `) === true
}

function keyOf({ reference, part }: Pick<KeptEntry, 'reference' | 'part'>): string {
  return `${part} ${reference}`
}

/** At most this many entries are named; the files have all of them. */
const namedMax = 5

function sideBySide(before: readonly string[], now: readonly string[]): string {
  const some = (texts: readonly string[]) =>
    [
      ...texts.slice(0, namedMax),
      ...(texts.length > namedMax ? [`${texts.length - namedMax} more`] : []),
    ].join(', ') || 'none'
  return `only before: ${some(before)}; only in this file: ${some(now)}`
}

/** A kept entry, for a person. */
export function keptText({ reference, credit, minor, currency, bookedOn }: KeptEntry): string {
  return `${reference} of ${sumText(credit ? minor : -minor, currency)} on ${bookedOn}`
}

/** A reported movement, for a person. */
export function reportedText({
  reference,
  isCredit,
  minor,
  currency,
  bookedOn,
}: Pick<Movement, 'reference' | 'isCredit' | 'minor' | 'currency' | 'bookedOn'>): string {
  return `${reference} of ${sumText(isCredit ? minor : -minor, currency)} on ${bookedOn}`
}

/** A notification cannot add to a day whose statement was imported. */
async function refuseLate(
  tx: Tx,
  account: queries.CurrencyOfAccount,
  fresh: readonly Movement[],
): Promise<void> {
  const last = await queries.selectLastStatement(tx, account)
  const late = fresh.find(({ bookedOn }) => last !== undefined && bookedOn <= last.closedOn)
  if (late !== undefined)
    throw new UnreadableFile(
      `the entry ${late.reference} of ${late.bookedOn} is not in ${last?.bankId}, which closed on ${last?.closedOn}`,
    )
}

/**
 * Gives each entry a name of its own: the bank's where it is free, else with the day, and with a number. Receipts, refunds and people name
 * a movement by it, so it never changes.
 */
async function named(
  tx: Tx,
  connection: ConnectionId,
  { fresh, held }: { readonly fresh: readonly Movement[]; readonly held: readonly Waiting[] },
): Promise<Pick<NewMovements, 'fresh' | 'held'>> {
  const all = [...fresh, ...held.map(({ movement }) => movement)].toSorted((a, b) => a.entry - b.entry)
  const entries = [...Map.groupBy(all, ({ entry }) => entry)].flatMap(([entry, [first]]) =>
    first === undefined ? [] : [{ entry, reference: first.reference, bookedOn: first.bookedOn }],
  )
  const taken = new Set(
    await selectTaken(
      tx,
      connection,
      entries.map(({ reference }) => reference),
    ),
  )
  const seen = new Set<string>()
  const again = entries.filter(({ reference }) => {
    const isFirst = !seen.has(reference)
    seen.add(reference)
    return taken.has(reference) || !isFirst
  })
  const more = await selectTaken(tx, connection, again.flatMap(laterNames))
  const used = new Set([...taken, ...more])
  const names = new Map<number, string>()
  for (const each of entries) {
    const free = [each.reference, ...laterNames(each)].find((name) => !used.has(name))
    const name = free ?? `${each.reference}~${newId()}`
    used.add(name)
    names.set(each.entry, name)
  }
  const nameIt = (movement: Movement): Movement => ({
    ...movement,
    reference: names.get(movement.entry) ?? movement.reference,
  })
  return {
    fresh: fresh.map(nameIt),
    held: held.map(({ movement, like, twin }) => ({
      movement: nameIt(movement),
      like: like ?? (twin && { reference: names.get(twin.entry) ?? twin.reference, part: twin.part }),
    })),
  }
}

/** Entries of one name on one day are numbered up to this; further ones get a random mark. */
const numberedMax = 50

function laterNames({ reference, bookedOn }: Pick<Movement, 'reference' | 'bookedOn'>): readonly string[] {
  const ofDay = `${reference}~${bookedOn}`
  return [ofDay, ...Array.from({ length: numberedMax - 1 }, (_, at) => `${ofDay}~${at + 2}`)]
}

/** Checks that this statement has everything that notifications reported up to its closing day. */
export async function holdNotifications(
  tx: Tx,
  connection: ConnectionId,
  { id, balances, currency }: AccountReport,
  statement: number,
): Promise<void> {
  if (balances === undefined) return
  const account = { connection, currency }
  if (await queries.isFirstStatement(tx, account, statement))
    await queries.stateEarlier(tx, account, { before: balances.opening.on, statement })
  const missing = await queries.selectUnstated(tx, account, balances.closing.on)
  if (missing !== undefined)
    throw new UnreadableFile(
      `the statement ${id} lacks the entry ${missing.reference} of ${missing.bookedOn}, which a notification reported`,
    )
}

/** An amount, for a person. */
export function sumText(minor: bigint, currency: string): string {
  return `${toDecimal({ minor, currency: currency as Currency })} ${currency}`
}
