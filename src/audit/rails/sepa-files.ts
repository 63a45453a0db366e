// Inspects the files of banks: their bytes against their digests, each statement against the one before it, and every movement
// against the files that report it.
// Inspects what rails/sepa/import.ts decides.
import type { Sql } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { sha256 } from '#/kernel/secret.ts'
import { parseCamt } from '#/rails/sepa/camt.ts'
import { identify, isOld, type Verdict } from '#/rails/sepa/identity.ts'
import type { AccountReport, CamtFile, Movement } from '#/rails/sepa/movement.ts'
import { parsePaymentReport } from '#/rails/sepa/pain.ts'
import { soughtFor } from '#/rails/sepa/sought.ts'
import { UnreadableFile } from '#/rails/sepa/unreadable.ts'
import { currencies, faultsOfForeign, inspectForeign } from './sepa-foreign.ts'
import { selectLikely, type KeptEntry } from './sepa-kept-queries.ts'
import { selectPayoutsOfMessage } from './sepa-payout-queries.ts'
import * as queries from './sepa-queries.ts'
import type { AccountRow, FileRow, MovementRow, StatementRow } from './sepa-queries.ts'

export const sepaFileInspections: readonly Inspection[] = [
  { name: 'bank files', inspect: (inspector) => eachAccount(inspector, inspectFiles) },
  {
    name: 'bank entries in other currencies',
    inspect: (inspector) => eachAccount(inspector, inspectForeign),
  },
  { name: 'bank statements', inspect: (inspector) => eachAccount(inspector, inspectStatements) },
]

/** Inspects each account that a connection names. */
export async function eachAccount(
  inspector: Inspector,
  inspect: (inspector: Inspector, account: AccountRow) => Promise<void>,
): Promise<void> {
  for (const account of await queries.selectAccounts(inspector.sql)) await inspect(inspector, account)
}

const pageRows = 500

async function inspectFiles(inspector: Inspector, account: AccountRow): Promise<void> {
  const { sql, inspected, fault } = inspector
  await eachPage<FileRow>(
    (after) => queries.selectFiles(sql, account, after, pageRows),
    async (files) => {
      for (const file of files) {
        inspected('files', 1)
        for (const what of await faultsOfFile(inspector, account, file))
          fault(fileName(account, file.sha256), what)
      }
    },
  )
}

function fileName({ id }: AccountRow, digest: Buffer): string {
  return `bank file ${digest.toString('hex').slice(0, 16)} of ${id}`
}

async function faultsOfFile(
  inspector: Inspector,
  account: AccountRow,
  file: FileRow,
): Promise<readonly string[]> {
  const kept = await queries.selectFileBytes(inspector.sql, account, file.sha256)
  if (kept === undefined) return []
  if (!sha256(kept.bytes).equals(file.sha256)) return ['has other bytes than its digest says']
  if (file.state !== 'IMPORTED') return []
  if (file.message.startsWith('pain.002')) return faultsOfReport(inspector, account, file, kept.bytes)
  const read = readCamt(kept.bytes)
  if (typeof read === 'string') return [read]
  const reports = reportsOf(read, account, file)
  if (read.message !== file.message) return [`is kept as ${file.message}, but it is ${read.message}`]
  if (!read.reports.some(({ iban }) => iban === account.iban))
    return ['was imported, but does not tell of its account']
  const faults: string[] = []
  for (const report of reports)
    faults.push(
      ...(currencies.includes(report.currency)
        ? await faultsOfAccountReport(inspector, account, file, report)
        : await faultsOfForeign(inspector, account, report)),
    )
  return faults
}

/** Returns what is wrong with a file that cannot be read any more. */
function readCamt(bytes: Buffer): CamtFile | string {
  return reading(() => parseCamt(bytes))
}

function reading<Value>(read: () => Value): Value | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableFile) return `was imported, but cannot be read: ${error.message}`
    throw error
  }
}

/** Of the account. A file that was imported before other currencies were kept counts in EUR alone. */
function reportsOf(
  { reports }: CamtFile,
  { iban }: AccountRow,
  { allCurrencies }: Pick<FileRow, 'allCurrencies'>,
): readonly AccountReport[] {
  return reports.filter((report) => report.iban === iban && (allCurrencies || report.currency === 'EUR'))
}

/** Each entry that the file reports is kept, with its amount and in its statement. */
async function faultsOfAccountReport(
  { sql }: Inspector,
  account: AccountRow,
  { sha256: digest }: FileRow,
  report: AccountReport,
): Promise<readonly string[]> {
  const statement =
    report.balances === undefined ? undefined : await queries.selectStatementOf(sql, account, report)
  if (report.balances !== undefined && statement === undefined)
    return [`was imported, but its statement ${report.id} is not kept`]
  // A file whose statement was corrected since has entries that were taken back.
  const isCurrent = statement?.file.equals(digest) === true
  const { verdicts } = await identified(sql, account, report, { statement: statement?.number, isCurrent })
  return report.movements.flatMap((movement, at) =>
    faultsOfMovement(movement, verdicts[at] ?? { kind: 'new' }, { statement, file: digest }),
  )
}

/** What is kept of each movement of a report, as an import would find it. */
async function identified(
  sql: Sql,
  account: AccountRow,
  { movements, currency }: AccountReport,
  { statement, isCurrent }: { readonly statement: number | undefined; readonly isCurrent: boolean },
) {
  const kept: KeptEntry[] = []
  for (let from = 0; from < movements.length; from += pageRows) {
    const page = movements.slice(from, from + pageRows).map(soughtFor)
    kept.push(...(await selectLikely(sql, account, currency, page)))
  }
  const rows = kept.filter(({ corrected }) => !isCurrent || !corrected)
  const once = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
  const verdicts = identify(movements, once, statement)
  const claimed = verdicts.flatMap((each) => (each.kind === 'known' ? each.rows : []))
  // What a person decided to be another movement counts as that one.
  const keys = new Set([...claimed, ...claimed.flatMap(sameAs)].map(keyOf))
  return { verdicts, keys }
}

function keyOf({ reference, part }: Pick<MovementRow, 'reference' | 'part'>): string {
  return `${part} ${reference}`
}

/**
 * A statement may collect what notifications reported one by one, and say less or more of it. So only what this file itself brought has
 * to be as it says.
 */
function faultsOfMovement(
  movement: Movement,
  verdict: Verdict<KeptEntry>,
  { statement, file }: { readonly statement: StatementRow | undefined; readonly file: Buffer },
): readonly string[] {
  const name = movement.reference
  const isElsewhere = `has entry ${name} in statement ${statement?.number}, but it is kept in another or in none`
  if (verdict.kind === 'known') {
    const { rows } = verdict
    const isStated = (row: KeptEntry) => row.statement === statement?.number || row.kind === 'SAME'
    if (statement !== undefined && !rows.every(isStated)) return [isElsewhere]
    const own = rows.filter((row) => row.file.equals(file) && !isOld(row))
    return own.every((row) => isAsSaid(movement, row))
      ? []
      : [`says something else of entry ${name} than what is kept`]
  }
  const like = verdict.kind === 'held' ? verdict.like : undefined
  if (like === undefined || like.bookedOn !== movement.bookedOn)
    return [`reports entry ${name}, which is not kept`]
  if (like.minor !== movement.minor)
    return [`says that entry ${name} moves ${movement.minor}, but ${like.minor} is kept`]
  return statement !== undefined && like.statement !== statement.number
    ? [isElsewhere]
    : [`says something else of entry ${name} than what is kept`]
}

function isAsSaid(movement: Movement, { credit, minor, bookedOn, fact }: KeptEntry): boolean {
  return (
    movement.isCredit === credit &&
    movement.minor === minor &&
    movement.bookedOn === bookedOn &&
    movement.remittance.join(' ') === fact.remittance &&
    movement.endToEndId === fact.endToEndId
  )
}

function sameAs({ kind, likeReference, likePart }: KeptEntry) {
  return kind === 'SAME' && likeReference !== null && likePart !== null
    ? [{ reference: likeReference, part: likePart }]
    : []
}

function sumOf(rows: readonly Pick<MovementRow, 'credit' | 'minor'>[]): bigint {
  return rows.reduce((sum, { credit, minor }) => sum + (credit ? minor : -minor), 0n)
}

/** What the bank refused ended, unless a statement said later that it was paid. */
async function faultsOfReport(
  { sql }: Inspector,
  account: AccountRow,
  file: FileRow,
  bytes: Buffer,
): Promise<readonly string[]> {
  const read = reading(() => parsePaymentReport(bytes))
  if (typeof read === 'string') return [read]
  if (read.message !== file.message || read.messageId !== file.about)
    return [
      `is kept as ${file.message} about ${file.about}, but it is ${read.message} about ${read.messageId}`,
    ]
  const payouts = await selectPayoutsOfMessage(sql, account.id, read.messageId)
  if (payouts === undefined) return [`is about the file of payments ${read.messageId}, which is not there`]
  const refused = new Set(read.refused)
  return payouts
    .filter(({ reference, state }) => (read.isWhole || refused.has(reference)) && state === 'BATCHED')
    .map(({ reference }) => `refuses payout ${reference}, which has not ended`)
}

/** Each statement continues the one before it, says what its file says, and has exactly the entries of its file. */
async function inspectStatements(inspector: Inspector, account: AccountRow): Promise<void> {
  const { sql, inspected, fault } = inspector
  const open = fileReader(sql, account)
  /** The last statement of each currency, and of any. */
  const last = new Map<string, StatementRow>()
  let before: StatementRow | undefined
  await eachPage<StatementRow>(
    (after) => queries.selectStatements(sql, account, after, pageRows),
    async (statements) => {
      for (const statement of statements) {
        inspected('statements', 1)
        const row = `statement ${statement.number} of ${account.id}`
        for (const what of chainFaults(before, last.get(statement.currency), statement)) fault(row, what)
        const report = reportIn(await open(statement.file), account, statement)
        if (typeof report === 'string') fault(row, report)
        else {
          const isFirst = !last.has(statement.currency)
          for (const what of await faultsOfContent(inspector, account, { statement, report, isFirst }))
            fault(row, what)
        }
        last.set(statement.currency, statement)
        before = statement
      }
    },
  )
  await inspectUnstated(inspector, account, last)
}

type OpenedFile = (CamtFile & Pick<FileRow, 'allCurrencies'>) | string

/** Reads files that were imported. One file may have several statements, so the last one is kept. */
function fileReader(sql: Sql, account: AccountRow): (file: Buffer) => Promise<OpenedFile> {
  let before: { readonly digest: Buffer; readonly opened: OpenedFile } | undefined
  return async (digest) => {
    if (before?.digest.equals(digest) === true) return before.opened
    const kept = await queries.selectFileBytes(sql, account, digest)
    const read = kept?.state === 'IMPORTED' ? readCamt(kept.bytes) : 'is of a file that was never imported'
    const opened = typeof read === 'string' ? read : { ...read, allCurrencies: kept?.allCurrencies === true }
    before = { digest, opened }
    return opened
  }
}

/** `before`: the statement before it in whatever currency; `last`: in its own. */
function chainFaults(
  before: StatementRow | undefined,
  last: StatementRow | undefined,
  { number, openingMinor, closedOn }: StatementRow,
): readonly string[] {
  const faults: string[] = []
  if (number !== (before?.number ?? 0) + 1) faults.push(`follows on statement ${before?.number ?? 'none'}`)
  if (last !== undefined && last.closingMinor !== openingMinor)
    faults.push(`opens with ${openingMinor}, but the one before it closed with ${last.closingMinor}`)
  if (last !== undefined && closedOn < last.closedOn) faults.push('closed before the one before it')
  return faults
}

/** The part of the file that the statement is; or why there is none. */
function reportIn(
  opened: OpenedFile,
  account: AccountRow,
  { bankId, openingMinor, closingMinor, closedOn, currency }: StatementRow,
): AccountReport | string {
  if (typeof opened === 'string') return opened
  const report = reportsOf(opened, account, opened).find(
    (each) => each.id === bankId && each.currency === currency,
  )
  if (report?.balances === undefined) return `is ${bankId}, which is not in its file`
  const { opening, closing } = report.balances
  return opening.minor === openingMinor && closing.minor === closingMinor && closing.on === closedOn
    ? report
    : 'has other balances than its file'
}

async function faultsOfContent(
  { sql }: Inspector,
  account: AccountRow,
  {
    statement,
    report,
    isFirst,
  }: { readonly statement: StatementRow; readonly report: AccountReport; readonly isFirst: boolean },
): Promise<readonly string[]> {
  const faults: string[] = []
  const { keys } = await identified(sql, account, report, { statement: statement.number, isCurrent: true })
  const openedOn = report.balances?.opening.on ?? ''
  let sum = 0n
  let undone = 0n
  await eachPage<MovementRow>(
    (after) => queries.selectStated(sql, account, statement, after, pageRows),
    (rows) => {
      for (const row of rows) {
        if (row.corrected) undone += sumOf([row])
        else if (keys.has(keyOf(row))) sum += sumOf([row])
        // What was booked before the first statement is in its opening balance.
        else if (!isFirst || row.bookedOn >= openedOn)
          faults.push(`has entry ${row.reference}, which its file does not report`)
      }
    },
  )
  if (undone !== 0n) faults.push(`was corrected, but what was taken back leaves ${undone}`)
  const moved = statement.closingMinor - statement.openingMinor
  if (sum !== moved)
    faults.push(`leads from its opening to its closing by ${moved}, but its entries move ${sum}`)
  return faults
}

/** A movement of a notification is in its file, and of a day that is not closed. */
async function inspectUnstated(
  { sql, inspected, fault }: Inspector,
  account: AccountRow,
  closed: ReadonlyMap<string, StatementRow>,
): Promise<void> {
  const open = fileReader(sql, account)
  await eachPage<MovementRow>(
    (after) => queries.selectUnstated(sql, account, after, pageRows),
    async (rows) => {
      inspected('entries without a statement', rows.length)
      for (const { reference, bookedOn, currency, isAnswered } of rows) {
        const last = closed.get(currency)
        if (!isAnswered && last !== undefined && bookedOn <= last.closedOn)
          fault(
            `entry ${reference} of ${account.id}`,
            `is of ${bookedOn}, but no statement up to ${last.closedOn} has it`,
          )
      }
      // Each file of the page is read once.
      for (const [, ofFile] of Map.groupBy(rows, ({ file }) => file.toString('hex'))) {
        const opened = await open(ofFile[0]?.file ?? Buffer.alloc(0))
        const reported = await keysIn(sql, opened, account)
        for (const row of ofFile)
          if (!reported.has(keyOf(row)))
            fault(
              `entry ${row.reference} of ${account.id}`,
              typeof opened === 'string' ? opened : 'is not in the file that it names',
            )
      }
    },
  )
}

async function keysIn(sql: Sql, opened: OpenedFile, account: AccountRow): Promise<ReadonlySet<string>> {
  const all = new Set<string>()
  if (typeof opened === 'string') return all
  for (const report of reportsOf(opened, account, opened))
    for (const key of (await identified(sql, account, report, { statement: undefined, isCurrent: false }))
      .keys)
      all.add(key)
  return all
}
