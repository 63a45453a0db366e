// Inspects the files of banks: their bytes against their digests, each statement against the one before it, and every movement
// against the files that report it.
// Inspects what rails/sepa/import.ts decides.
import type { Sql } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { sha256 } from '#/kernel/secret.ts'
import { parseCamt, type AccountReport, type CamtFile, type Movement } from '#/rails/sepa/camt.ts'
import { parsePaymentReport } from '#/rails/sepa/pain.ts'
import { UnreadableFile } from '#/rails/sepa/unreadable.ts'
import { currencies, faultsOfForeign, inspectForeign } from './sepa-foreign.ts'
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
  const faults: string[] = []
  const reported = Map.groupBy(report.movements, ({ reference }) => reference)
  const names = [...reported.keys()]
  for (let from = 0; from < names.length; from += pageRows) {
    const page = names.slice(from, from + pageRows)
    const kept = Map.groupBy(await queries.selectMovements(sql, account, page), ({ reference }) => reference)
    for (const name of page)
      faults.push(
        ...faultsOfEntry(name, reported.get(name) ?? [], kept.get(name) ?? [], { statement, file: digest }),
      )
  }
  return faults
}

/**
 * A statement may collect what notifications reported one by one. So only the sum is compared, and each part with the file that
 * brought it.
 */
function faultsOfEntry(
  name: string,
  reported: readonly Movement[],
  kept: readonly MovementRow[],
  { statement, file }: { readonly statement: StatementRow | undefined; readonly file: Buffer },
): readonly string[] {
  if (kept.length === 0) return [`reports entry ${name}, which is not kept`]
  const [isSum, sum] = [sumOf(kept), sumReported(reported)]
  const faults = isSum === sum ? [] : [`says that entry ${name} moves ${sum}, but ${isSum} is kept`]
  if (statement !== undefined && kept.some((row) => row.statement !== statement.number))
    faults.push(`has entry ${name} in statement ${statement.number}, but it is kept in another or in none`)
  for (const row of kept.filter((each) => each.file.equals(file))) {
    const movement = reported.find(({ part }) => part === row.part)
    const isSame =
      movement !== undefined &&
      movement.isCredit === row.credit &&
      movement.minor === row.minor &&
      movement.bookedOn === row.bookedOn &&
      movement.remittance.join(' ') === row.remittance &&
      (movement.endToEndId ?? null) === row.endToEndId
    if (!isSame) faults.push(`says something else of entry ${name} than what is kept`)
  }
  return faults
}

function sumOf(rows: readonly Pick<MovementRow, 'credit' | 'minor'>[]): bigint {
  return rows.reduce((sum, { credit, minor }) => sum + (credit ? minor : -minor), 0n)
}

function sumReported(movements: readonly Movement[]): bigint {
  return sumOf(movements.map(({ isCredit, minor }) => ({ credit: isCredit, minor })))
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
    report: { movements, balances },
    isFirst,
  }: { readonly statement: StatementRow; readonly report: AccountReport; readonly isFirst: boolean },
): Promise<readonly string[]> {
  const faults: string[] = []
  const reported = new Set(movements.map(({ reference }) => reference))
  let sum = 0n
  await eachPage<MovementRow>(
    (after) => queries.selectStated(sql, account, statement, after, pageRows),
    (rows) => {
      for (const { reference, bookedOn, ...row } of rows) {
        if (reported.has(reference)) sum += sumOf([row])
        // What was booked before the first statement is in its opening balance.
        else if (!isFirst || bookedOn >= (balances?.opening.on ?? ''))
          faults.push(`has entry ${reference}, which its file does not report`)
      }
    },
  )
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
      for (const { reference, bookedOn, currency } of rows) {
        const last = closed.get(currency)
        if (last !== undefined && bookedOn <= last.closedOn)
          fault(
            `entry ${reference} of ${account.id}`,
            `is of ${bookedOn}, but no statement up to ${last.closedOn} has it`,
          )
      }
      // Each file of the page is read once.
      for (const [, ofFile] of Map.groupBy(rows, ({ file }) => file.toString('hex'))) {
        const opened = await open(ofFile[0]?.file ?? Buffer.alloc(0))
        const reported = namesIn(opened, account)
        for (const { reference } of ofFile)
          if (!reported.has(reference))
            fault(
              `entry ${reference} of ${account.id}`,
              typeof opened === 'string' ? opened : 'is not in the file that it names',
            )
      }
    },
  )
}

function namesIn(opened: OpenedFile, account: AccountRow): ReadonlySet<string> {
  if (typeof opened === 'string') return new Set()
  return new Set(
    reportsOf(opened, account, opened).flatMap(({ movements }) =>
      movements.map(({ reference }) => reference),
    ),
  )
}
