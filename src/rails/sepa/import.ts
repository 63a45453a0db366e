// What a bank reports. A file is imported whole or refused whole:
// - each statement must open with the balance that the one before it closed with;
// - every movement counts once;
// - what a notification reported must be in the statement of its day.
// Inspected by audit/rails/sepa-files.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { KeepSignals } from '#/rails/rail.ts'
import { isBooked, parseCamt } from './camt.ts'
import type { Matched } from './entry.ts'
import { textFactsOf, type EntryFact } from './fact.ts'
import { followOn, holdNotifications, newMovements, type HeldMovement } from './follow.ts'
import { storeForeign } from './foreign.ts'
import { matchMovements } from './match.ts'
import type { AccountReport, CamtFile, Movement } from './movement.ts'
import { isPaymentReport, parsePaymentReport } from './pain.ts'
import {
  countUnended,
  selectBatchConnection,
  writeEnds,
  writeRefusals,
  type Ended,
  type OurPayout,
} from './payout-queries.ts'
import { endProposals } from './recall-queries.ts'
import { bodyOf, type EntrySignal, type RefundSignal } from './receipts.ts'
import { refused, refusing } from './refusing.ts'
import { recallSignal, signalOf } from './signals.ts'
import * as queries from './statement-queries.ts'
import { namesOf, remittanceText } from './texts.ts'
import { UnreadableFile } from './unreadable.ts'

export type ImportDeps = {
  readonly sql: Sql
  readonly connections: ConnectionBook
  readonly keep: KeepSignals
}

export type HandedIn = {
  readonly bytes: Buffer
  /** The name that a person knows the file by. */
  readonly name: string
  /** Who handed it in. */
  readonly by: string
  /** Runs in the transaction of the import, or of its refusal. */
  readonly note?: (tx: Tx, state: Imported['state']) => Promise<void>
  /** Only this connection's account may be in it. Absent: that of any. */
  readonly connection?: ConnectionId
}

export type Imported =
  | {
      readonly state: 'IMPORTED'
      readonly message: string
      readonly movements: number
      readonly paid: number
      readonly proposed: number
      /** New movements that have the name of another one, or contradict themselves. A person decides. */
      readonly held: number
      /** New movements in a currency that the books do not have. A person decides. */
      readonly foreign: number
      readonly skipped: number
      /** What a report about a file of payments does not say clearly. Nothing was ended by it; a person asks the bank. */
      readonly raised?: string
      /** Movements of a report of the day (camt.052), which count only when a statement has them. Absent: none. */
      readonly seen?: number
    }
  /** The same bytes were imported before. Nothing changed. */
  | { readonly state: 'KNOWN'; readonly message: string }
  /** `isOthers`: it is only of accounts that are not connected. */
  | { readonly state: 'REFUSED'; readonly reason: string; readonly isOthers?: true }

/** Imports one file; whoever is handed one calls hand-in.ts. The same file twice changes nothing; a file that contradicts is refused whole, with the reason. */
export async function importFile(deps: ImportDeps, handedIn: HandedIn): Promise<Imported> {
  if (isPaymentReport(handedIn.bytes)) return importPaymentReport(deps, handedIn)
  const parsed = refusing(() => parseCamt(handedIn.bytes))
  if (!parsed.ok) return refused(parsed)
  const accounts = refusing(() => accountsIn(deps.connections, parsed.value, handedIn.connection))
  if (!accounts.ok) return refused(accounts)
  const file = { ...parsed.value, sha256: sha256(handedIn.bytes), handedIn }
  try {
    return await deps.sql.begin((tx) => importAll(tx, deps.keep, file, accounts.value))
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    const reason = error.message
    await deps.sql.begin(async (tx) => {
      for (const connection of accounts.value.keys())
        await writeFile(tx, file, { connection, reason, entries: 0 })
      await handedIn.note?.(tx, 'REFUSED')
    })
    return { state: 'REFUSED', reason }
  }
}

/**
 * Imports the bank's report about a file of payments. Only a refusal ends a payout here: what the bank accepted is reported by the
 * statement.
 */
async function importPaymentReport({ sql }: ImportDeps, handedIn: HandedIn): Promise<Imported> {
  const parsed = refusing(() => parsePaymentReport(handedIn.bytes))
  if (!parsed.ok) return { state: 'REFUSED', reason: parsed.reason }
  const { message, messageId, isWhole, refused, reason, doubt } = parsed.value
  return sql.begin(async (tx): Promise<Imported> => {
    const connection = await selectBatchConnection(tx, messageId)
    const only = handedIn.connection ?? connection
    if (connection === undefined || connection !== only)
      return {
        state: 'REFUSED',
        reason: `it is about the file ${messageId.slice(0, 35)}, which is none of ours`,
      }
    const digest = sha256(handedIn.bytes)
    if (await queries.isImported(tx, connection, digest)) return { state: 'KNOWN', message }
    const movements = await writeRefusals(tx, messageId, { references: refused, isWhole, reason })
    const file = { kind: 'NOTIFICATION' as const, reports: [], message, sha256: digest, handedIn }
    // If every payout of the file has ended, nothing is left to doubt.
    const raised = (await countUnended(tx, messageId)) === 0 ? undefined : doubt
    await writeFile(tx, file, { connection, reason: null, entries: movements, about: messageId, raised })
    await handedIn.note?.(tx, 'IMPORTED')
    const none = { paid: 0, proposed: 0, held: 0, foreign: 0, skipped: 0 }
    return { state: 'IMPORTED', message, movements, ...none, ...given({ raised }) }
  })
}

type Accounts = ReadonlyMap<ConnectionId, readonly AccountReport[]>

/** Returns the reports by the connection whose account they are about. Skips accounts that no connection has. */
function accountsIn(book: ConnectionBook, { reports }: CamtFile, only: ConnectionId | undefined): Accounts {
  const connected = book.all('SEPA_TRANSFER')
  const accounts = new Map<ConnectionId, readonly AccountReport[]>()
  for (const report of reports) {
    const [found, ...more] = connected.filter(
      ({ id, settings }) => settings['iban'] === report.iban && (only === undefined || id === only),
    )
    if (more.length > 0)
      throw new UnreadableFile(`several connections have the account ${report.iban}: name one`)
    if (found === undefined) continue
    accounts.set(found.id, [...(accounts.get(found.id) ?? []), report])
  }
  // In one order, so that two imports of two accounts do not wait for each other.
  if (accounts.size > 0) return new Map([...accounts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const named = [...new Set(reports.map(({ iban }) => iban))].slice(0, 5).join(', ')
  throw new UnreadableFile(`it is of ${named}: that account is not connected`, { isOthers: true })
}

type File = CamtFile & { readonly sha256: Buffer; readonly handedIn: HandedIn }

async function importAll(tx: Tx, keep: KeepSignals, file: File, accounts: Accounts): Promise<Imported> {
  const matched: Matched[] = []
  let foreign = 0
  let importedBefore = 0
  for (const [connection, reports] of accounts) {
    await queries.lockAccount(tx, connection)
    if (await queries.isImported(tx, connection, file.sha256)) {
      importedBefore += 1
      continue
    }
    const fresh: Matched[] = []
    let others = 0
    for (const report of reports)
      if (isBooked(report.currency))
        fresh.push(...(await importReport(tx, keep, { connection, file, report })))
      else others += await storeForeign(tx, { connection, file: file.sha256 }, report.foreign)
    await writeFile(tx, file, { connection, reason: null, entries: fresh.length + others })
    matched.push(...fresh)
    foreign += others
  }
  const { message, reports } = file
  await file.handedIn.note?.(tx, importedBefore === accounts.size ? 'KNOWN' : 'IMPORTED')
  if (importedBefore === accounts.size) return { state: 'KNOWN', message }
  const countOf = (kind: Matched['kind']) => matched.filter((each) => each.kind === kind).length
  const taken = [...accounts.values()].flat()
  const skipped = reports.length - taken.length + taken.reduce((sum, each) => sum + each.passedOver, 0)
  const sums = {
    movements: matched.length,
    paid: countOf('PAID'),
    proposed: countOf('PROPOSED'),
    held: countOf('HELD'),
  }
  const seen = taken.reduce((sum, each) => sum + (each.seen ?? 0), 0)
  return { state: 'IMPORTED', message, ...sums, foreign, skipped, ...(seen === 0 ? {} : { seen }) }
}

async function writeFile(
  sql: Sql | Tx,
  { message, sha256: digest, handedIn }: File,
  row: Pick<queries.NewFile, 'connection' | 'reason' | 'entries' | 'about' | 'raised'>,
): Promise<void> {
  const { name, bytes, by: handedInBy } = handedIn
  const state = row.reason === null ? 'IMPORTED' : 'REFUSED'
  await queries.writeFile(sql, { ...row, sha256: digest, message, name, bytes, state, handedInBy })
}

type Import = { readonly connection: ConnectionId; readonly file: File; readonly report: AccountReport }

/** Returns how each new movement was matched. Credits first: a debit may take back one of the same file. */
async function importReport(
  tx: Tx,
  keep: KeepSignals,
  { connection, file, report }: Import,
): Promise<readonly Matched[]> {
  const statement = await followOn(tx, connection, report, file.sha256)
  const { fresh, held } = await newMovements(tx, connection, report, statement)
  const place = { connection, statement: statement?.number, file: file.sha256 }
  const matched: Matched[] = []
  for (const side of [true, false]) {
    const movements = fresh.filter(({ isCredit }) => isCredit === side)
    matched.push(...(await storeMovements(tx, keep, place, movements)))
  }
  matched.push(...(await storeHeld(tx, place, held)))
  if (statement !== undefined) await holdNotifications(tx, connection, report, statement.number)
  return matched
}

export type EntryPlace = {
  readonly connection: ConnectionId
  readonly statement: number | undefined
  readonly file: Buffer
}

/** Matches and stores movements, and puts what is money into the inbox. */
export async function storeMovements(
  tx: Tx,
  keep: KeepSignals,
  { connection, statement, file }: EntryPlace,
  movements: readonly Movement[],
): Promise<readonly Matched[]> {
  if (movements.length === 0) return []
  const matched = await matchMovements(tx, connection, movements)
  const rows = movements.map((movement, at) =>
    entryOf(movement, matched[at] ?? { kind: 'UNATTRIBUTED' }, statement, file),
  )
  await queries.insertEntries(tx, connection, rows)
  await tellOf(tx, keep, connection, { movements, matched, rows })
  return matched
}

/** What follows from movements: ends of payouts, ended proposals, and what is money in the inbox. */
export async function tellOf(
  tx: Tx,
  keep: KeepSignals,
  connection: ConnectionId,
  {
    movements,
    matched,
    rows,
  }: {
    readonly movements: readonly Movement[]
    readonly matched: readonly Matched[]
    readonly rows: readonly queries.NewEntry[]
  },
): Promise<void> {
  const ends = movements.flatMap((movement, at) => endsOf(movement, matched[at]))
  if (ends.length > 0) await writeEnds(tx, connection, ends)
  const recalled = matched.flatMap((each) => (each.kind === 'RECALL' ? [each.credit] : []))
  if (recalled.length > 0) await endProposals(tx, connection, recalled)
  const signals = [...rows.flatMap((row) => signalsOf(row)), ...matched.flatMap(refundSignals)]
  if (signals.length > 0) await keepMovements(keep, tx, connection, signals)
}

/** Stores movements that wait for a person. They are in no book until then. */
export async function storeHeld(
  tx: Tx,
  { connection, statement, file }: EntryPlace,
  held: readonly HeldMovement[],
): Promise<readonly Matched[]> {
  if (held.length === 0) return []
  const matched = held.map(({ like }): Matched => ({ kind: 'HELD', like }))
  const rows = held.map(({ movement }, at) =>
    entryOf(movement, matched[at] ?? { kind: 'HELD', like: undefined }, statement, file),
  )
  await queries.insertEntries(tx, connection, rows)
  return matched
}

/** What a movement says of payouts of ours. */
function endsOf({ minor }: Movement, matched: Matched | undefined): readonly Ended[] {
  if (matched?.kind !== 'SENT' && matched?.kind !== 'RETURNED') return []
  if ('payouts' in matched)
    return matched.payouts.map((each) => ({ reference: each.reference, minor: each.minor, part: 'left' }))
  return [{ reference: matched.payout.reference, minor, part: matched.kind === 'SENT' ? 'left' : 'returned' }]
}

/** The row of a movement. */
export function entryOf(
  movement: Movement,
  matched: Matched,
  statement: number | undefined,
  file: Buffer,
): queries.NewEntry {
  const { reference, part, isCredit, minor, currency, bookedOn, endToEndId, returned, party, ids } = movement
  const quoted = 'quoted' in matched ? matched.quoted : undefined
  const fact: EntryFact = {
    ...textFactsOf(movement),
    ...given({ quoted, endToEndId, returned, party }),
    ids,
    ...(movement.contradicts === undefined ? {} : { contradicts: true }),
    ...given({ ofFile: movement.ofFile }),
  }
  return {
    reference,
    part,
    credit: isCredit,
    minor,
    currency,
    bookedOn,
    fact: JSON.stringify(fact),
    matched,
    statement: statement ?? null,
    file,
    names: [...new Set([...namesOf(movement, quoted), ...Object.values(ids), ...payoutsOf(matched)])],
  }
}

/** Proposals get no signal until a person has decided. Money that left is not received money, unless the debit takes back a credit. */
function signalsOf({ matched, fact, ...entry }: queries.NewEntry): readonly EntrySignal[] {
  const kept = JSON.parse(fact) as EntryFact
  const money = { ...entry, remittance: remittanceText(kept) }
  if (matched.kind === 'RECALL') return [recallSignal(money, matched.credit, kept.returned?.reason)]
  if (matched.kind !== 'PAID' && matched.kind !== 'UNATTRIBUTED') return []
  const owner = matched.kind === 'PAID' ? matched : undefined
  return [signalOf(money, owner && { ...owner.owner, quoted: owner.quoted })]
}

/** The references of the payouts that it is about, as we write them. */
function payoutsOf(matched: Matched): readonly string[] {
  return ourPayouts(matched).map(({ reference }) => reference)
}

function ourPayouts(matched: Matched): readonly OurPayout[] {
  if ('payouts' in matched) return matched.payouts
  return 'payout' in matched ? [matched.payout] : []
}

/** For a refund whose payout left or came back: the signal makes the rail read the state of the payout. */
function refundSignals(matched: Matched): readonly RefundSignal[] {
  return ourPayouts(matched).flatMap(({ kind, reference }) =>
    kind === 'REFUND' ? [{ refund: reference }] : [],
  )
}

/** Puts movements into the inbox, in the transaction that stores them. */
export function keepMovements(
  keep: KeepSignals,
  tx: Tx,
  connection: ConnectionId,
  signals: readonly (EntrySignal | RefundSignal)[],
): Promise<void> {
  return keep(tx, 'SEPA_TRANSFER', connection, signals.map(bodyOf))
}
