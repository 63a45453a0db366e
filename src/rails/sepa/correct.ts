// A bank corrects a statement: the same name, opening balance and closing day, other entries, and often another closing balance. Two people
// accept it together with what it takes back: a credit that only the statement before it has goes back like one that the bank recalled, and
// what only the correction has is imported. The next statement follows on the corrected one.
// Inspected by audit/rails/sepa-files.ts.
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, MerchantId } from '#/kernel/id.ts'
import { parseCamt } from './camt.ts'
import * as corrections from './correct-queries.ts'
import type { Matched } from './entry.ts'
import { changeOf, holdNotifications, keptText, newMovements, reportedText, sumText } from './follow.ts'
import type { KeptEntry } from './identity-queries.ts'
import { entryOf, storeHeld, storeMovements, tellOf, type EntryPlace, type ImportDeps } from './import.ts'
import type { AccountReport, Movement } from './movement.ts'
import { selectCredit } from './recall-queries.ts'
import { providerRefOf } from './receipts.ts'
import {
  insertEntries,
  lockAccount,
  selectNeighbours,
  selectStatement,
  writeFile,
  type StatementRow,
} from './statement-queries.ts'
import { UnreadableFile } from './unreadable.ts'

/** What a correction does, for the people who accept it. */
export type Correction = {
  readonly statement: string
  readonly takenBack: readonly string[]
  readonly added: readonly string[]
  /** The balances that it changes. */
  readonly balances: readonly string[]
  /** The names of the credits that it takes back, and the merchants whose payments it changes. */
  readonly credits: readonly string[]
  readonly merchants: readonly MerchantId[]
}

export type Corrected =
  | { readonly kind: 'corrected'; readonly correction: Correction }
  | { readonly kind: 'not_found' }
  /** Why it cannot be accepted, for a person. */
  | { readonly kind: 'refused'; readonly reason: string }

type Order = {
  readonly connection: ConnectionId
  /** Of the file that was refused. */
  readonly sha256: Buffer
  /** Runs in the transaction of the correction; what it throws undoes all of it. */
  readonly note: (tx: Tx, correction: Correction) => Promise<void>
}

/** Accepts a refused file as the correction of its statements. */
export async function correctStatement(deps: ImportDeps, order: Order): Promise<Corrected> {
  try {
    return await deps.sql.begin((tx) => correct(tx, deps, order))
  } catch (error) {
    if (error instanceof UnreadableFile) return { kind: 'refused', reason: error.message }
    throw error
  }
}

async function correct(
  tx: Tx,
  { connections, keep }: ImportDeps,
  { connection, sha256, note }: Order,
): Promise<Corrected> {
  await lockAccount(tx, connection)
  const refused = await corrections.selectRefused(tx, connection, sha256)
  const iban = connections.all('SEPA_TRANSFER').find(({ id }) => id === connection)?.settings['iban']
  if (refused === undefined || iban === undefined) return { kind: 'not_found' }
  const reports = parseCamt(refused.bytes).reports.filter((each) => each.iban === iban)
  const known: Known[] = []
  for (const report of reports) known.push(await knownOf(tx, connection, report))
  const done: Done[] = []
  // In the order of the account, so that each follows on what the one before it was corrected to.
  for (const each of known.toSorted((a, b) => a.row.number - b.row.number))
    done.push(await correctOne(tx, keep, { connection, file: sha256 }, each))
  for (const each of known) await requireFollowed(tx, connection, each)
  const { bytes, name, message, handedInBy } = refused
  const entries = done.reduce((sum, each) => sum + each.entries, 0)
  const file = { connection, sha256, message, name, bytes, handedInBy, entries }
  await writeFile(tx, { ...file, state: 'IMPORTED', reason: null })
  const correction = {
    statement: done.map(({ statement }) => statement).join(', '),
    takenBack: done.flatMap(({ takenBack }) => takenBack),
    added: done.flatMap(({ added }) => added),
    balances: done.flatMap(({ balances }) => balances),
    credits: done.flatMap(({ credits }) => credits),
    merchants: [...new Set(done.flatMap(({ merchants }) => merchants))],
  }
  await note(tx, correction)
  return { kind: 'corrected', correction }
}

type Balances = NonNullable<AccountReport['balances']>

/** A statement that was imported before, and its correction. */
type Known = {
  readonly report: AccountReport
  readonly balances: Balances
  readonly row: StatementRow
}

/** The statement that a report corrects: of its name and closing day. */
async function knownOf(tx: Tx, connection: ConnectionId, report: AccountReport): Promise<Known> {
  const { id, currency, balances } = report
  const row = await selectStatement(tx, { connection, currency }, id)
  if (balances === undefined || row === undefined)
    throw new UnreadableFile(
      `${id} was not imported before in ${currency}: hand it in like any file, apart from what it follows on`,
    )
  if (balances.closing.on !== row.closedOn)
    throw new UnreadableFile(
      `${id} closes on ${balances.closing.on}, and the one before it on ${row.closedOn}`,
    )
  return { report, balances, row }
}

type Done = Correction & { readonly entries: number }

async function correctOne(
  tx: Tx,
  keep: ImportDeps['keep'],
  { connection, file }: Pick<EntryPlace, 'connection' | 'file'>,
  known: Known,
): Promise<Done> {
  const { report, balances, row } = known
  const account = { connection, currency: report.currency }
  const { before } = await selectNeighbours(tx, account, row.number)
  requireOpening(known, before)
  const statement = { number: row.number, isKnown: true, before: row, isCorrection: true } as const
  const { fresh, held, lacking, stated } = await newMovements(tx, connection, report, statement)
  const added = [...fresh, ...held.map(({ movement }) => movement)]
  requireMoved(known, lacking, [...added.map(asEntry), ...stated])
  const place = { connection, statement: row.number, file }
  const merchants = await takeBack(tx, keep, place, lacking)
  const matched: Matched[] = []
  for (const side of [true, false]) {
    const movements = fresh.filter(({ isCredit }) => isCredit === side)
    matched.push(...(await storeMovements(tx, keep, place, movements)))
  }
  matched.push(...(await storeHeld(tx, place, held)))
  const [openingMinor, closingMinor] = [balances.opening.minor, balances.closing.minor]
  await corrections.correctStatementRow(tx, account, { number: row.number, openingMinor, closingMinor, file })
  await holdNotifications(tx, connection, report, row.number)
  const changed = changeOf(report, statement)
  return {
    statement: report.id,
    takenBack: lacking.map(keptText),
    added: added.map(reportedText),
    balances: changed === undefined ? [] : [`${report.id} ${changed}`],
    credits: lacking.filter(({ credit }) => credit).map(providerRefOf),
    merchants: [...merchants, ...matched.flatMap(merchantsOf)],
    entries: matched.length,
  }
}

/** Whose payment a movement is of, or takes back. */
function merchantsOf(matched: Matched): readonly MerchantId[] {
  if ('owner' in matched) return [matched.owner.merchantId]
  const merchant = matched.kind === 'RECALL' ? matched.credit.merchantId : null
  return merchant === null ? [] : [merchant]
}

/** It opens with the balance that the statement before it has closed with, which this file may have corrected too. */
function requireOpening(
  { report: { id, currency }, balances, row }: Known,
  before: StatementRow | undefined,
): void {
  const expected = before?.closingMinor ?? row.openingMinor
  if (balances.opening.minor !== expected)
    throw new UnreadableFile(
      `${id} opens with ${sumText(balances.opening.minor, currency)} instead of ${sumText(expected, currency)}: a correction changes what moved, not what was there before`,
    )
}

type Moved = Pick<KeptEntry, 'credit' | 'minor'>

function asEntry({ isCredit, minor }: Movement): Moved {
  return { credit: isCredit, minor }
}

/** What is taken back and what is new make the difference of the balances: otherwise the books would leave the account. */
function requireMoved(
  { report: { id, currency }, balances, row }: Known,
  gone: readonly Moved[],
  come: readonly Moved[],
): void {
  const sumOf = (rows: readonly Moved[]) =>
    rows.reduce((sum, { credit, minor }) => sum + (credit ? minor : -minor), 0n)
  const moved = balances.closing.minor - balances.opening.minor - (row.closingMinor - row.openingMinor)
  const changed = sumOf(come) - sumOf(gone)
  if (changed !== moved)
    throw new UnreadableFile(
      `the balances of ${id} change by ${sumText(moved, currency)}, but its entries by ${sumText(changed, currency)}: its period may be another one`,
    )
}

/** A statement that was imported after it follows on still. */
async function requireFollowed(tx: Tx, connection: ConnectionId, known: Known): Promise<void> {
  const { report, balances, row } = known
  const { currency } = report
  const { next } = await selectNeighbours(tx, { connection, currency }, row.number)
  if (next !== undefined && next.openingMinor !== balances.closing.minor)
    throw new UnreadableFile(
      `${report.id} closes with ${sumText(balances.closing.minor, currency)}, but ${next.bankId} was imported after it and opens with ${sumText(next.openingMinor, currency)}: ask the bank for one file with the corrected statements from ${report.id} up to the newest`,
    )
}

/** Takes entries back that the correction has not, and returns the merchants whose payments they were. */
async function takeBack(
  tx: Tx,
  keep: ImportDeps['keep'],
  { connection, statement, file }: EntryPlace,
  lacking: readonly KeptEntry[],
): Promise<readonly MerchantId[]> {
  if (lacking.length === 0) return []
  const movements: Movement[] = []
  const matched: Matched[] = []
  const merchants: MerchantId[] = []
  for (const row of lacking) {
    movements.push(undoing(row, file))
    const found = await undoneBy(tx, connection, row)
    matched.push(found)
    if (found.kind === 'RECALL' && found.credit.merchantId !== null) merchants.push(found.credit.merchantId)
  }
  const rows = movements.map((movement, at) =>
    entryOf(movement, matched[at] ?? { kind: 'UNDONE', like: undefined }, statement, file),
  )
  await insertEntries(tx, connection, rows)
  await corrections.markCorrected(tx, connection, [...lacking, ...rows])
  await tellOf(tx, keep, connection, { movements, matched, rows })
  return merchants
}

async function undoneBy(tx: Tx, connection: ConnectionId, row: KeptEntry): Promise<Matched> {
  const { kind, reference, part, minor } = row
  const name = keptText(row)
  if (kind === 'OTHER') return { kind: 'UNDONE', like: { reference, part } }
  if (kind === 'HELD') throw new UnreadableFile(`${name} is held: decide it first`)
  const credit = await selectCredit(tx, connection, row)
  if (credit === undefined)
    throw new UnreadableFile(
      `${name} is about a payout or a recall (${kind}), which a correction cannot undo`,
    )
  if (credit.leftMinor !== minor)
    throw new UnreadableFile(`${name} was taken back already, or a part of it was`)
  return { kind: 'RECALL', credit }
}

/** What takes an entry back, as if the bank had reported it: one for each correction. */
function undoing({ reference, part, credit, minor, currency, bookedOn }: KeptEntry, file: Buffer): Movement {
  return {
    entry: 0,
    reference: `${reference}~${file.toString('hex').slice(0, 12)}`,
    part,
    isCredit: !credit,
    minor,
    currency,
    bookedOn,
    remittance: [],
    ids: {},
    names: [],
    returned: { reason: 'CORRECTED' },
  }
}
