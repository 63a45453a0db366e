// Inspects money that leaves by bank transfer: the stored files of payments against the payouts in them, each payout against
// the withdrawal or refund that ordered it, and its end against the bank's reports.
// Inspects what rails/sepa/batch.ts and payout.ts decide.
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import { parsePaymentReport, type PaymentReport } from '#/rails/sepa/pain.ts'
import { UnreadableFile } from '#/rails/sepa/unreadable.ts'
import { all, find, parseXml, textAt, type Element } from '#/rails/sepa/xml.ts'
import * as queries from './sepa-payout-queries.ts'
import type { BatchRow, OrderedRow, PayoutRow, UnqueuedRow } from './sepa-payout-queries.ts'

export const sepaPayoutInspections: readonly Inspection[] = [
  { name: 'payment files', inspect: inspectBatches },
  { name: 'payouts by bank transfer', inspect: inspectPayouts },
]

/** A file has up to half a megabyte. */
const batchesMax = 20
const pageRows = 500

/** The bytes of each file pay exactly the payouts that are in it. */
async function inspectBatches({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<BatchRow>(
    (after) => queries.selectBatches(sql, after, batchesMax),
    async (batches) => {
      inspected('files', batches.length)
      for (const batch of batches) {
        const orders = readPayments(batch.bytes)
        const row = `payment file ${batch.id}`
        if (orders === undefined) fault(row, 'cannot be read')
        else {
          const payouts = await queries.selectPayoutsOf(
            sql,
            batch.id,
            orders.payments.map(({ reference }) => reference),
          )
          for (const what of [...faultsOfHead(batch, orders), ...faultsOfPayments(batch, orders, payouts)])
            fault(row, what)
        }
      }
    },
  )
}

type Ordered = { readonly reference: string; readonly amount: string; readonly iban: string }

type Orders = {
  readonly messageId: string | undefined
  readonly debited: readonly string[]
  /** What the file says of itself: how many payments, and their sum. */
  readonly counts: readonly string[]
  readonly sums: readonly string[]
  readonly payments: readonly Ordered[]
}

/** Reads a pain.001 as a bank would. Undefined: it is none. */
function readPayments(bytes: Buffer): Orders | undefined {
  const body = openFile(bytes)
  if (body === undefined) return undefined
  const parts = all(body, 'PmtInf')
  const heads = [find(body, 'GrpHdr'), ...parts]
  const texts = (elements: readonly (Element | undefined)[], path: string) =>
    elements.map((each) => textAt(each, path) ?? '')
  return {
    messageId: textAt(body, 'GrpHdr/MsgId'),
    debited: texts(parts, 'DbtrAcct/Id/IBAN'),
    counts: texts(heads, 'NbOfTxs'),
    sums: texts(heads, 'CtrlSum'),
    payments: parts
      .flatMap((part) => all(part, 'CdtTrfTxInf'))
      .map((each) => ({
        reference: textAt(each, 'PmtId/EndToEndId') ?? '',
        amount: textAt(each, 'Amt/InstdAmt') ?? '',
        iban: textAt(each, 'CdtrAcct/Id/IBAN') ?? '',
      })),
  }
}

function openFile(bytes: Buffer): Element | undefined {
  try {
    const { name, root } = parseXml(bytes)
    return name === 'Document' ? find(root, 'CstmrCdtTrfInitn') : undefined
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined
    throw error
  }
}

function faultsOfHead(batch: BatchRow, { messageId, debited, counts, sums }: Orders): readonly string[] {
  const faults: string[] = []
  if (messageId !== batch.messageId || batch.messageId !== batch.id.replaceAll('-', ''))
    faults.push(`is called ${batch.messageId}, but its bytes say ${messageId}`)
  if (debited.length === 0 || debited.some((iban) => iban !== batch.iban))
    faults.push(`debits ${debited.join(', ')}, but its account is ${batch.iban}`)
  if (
    counts.some((count) => count !== String(batch.payouts)) ||
    sums.some((sum) => sum !== euro(batch.sumMinor))
  )
    faults.push('says another number or sum of payments than its row')
  return faults
}

function euro(minor: bigint): string {
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function faultsOfPayments(
  batch: BatchRow,
  { payments }: Orders,
  payouts: readonly PayoutRow[],
): readonly string[] {
  const faults: string[] = []
  const rows = new Map(payouts.map((payout) => [payout.reference, payout]))
  const paid = new Set<string>()
  for (const { reference, amount, iban } of payments) {
    const payout = rows.get(reference)
    if (paid.has(reference)) faults.push(`pays ${reference} twice`)
    paid.add(reference)
    if (payout === undefined) faults.push(`pays ${reference}, which is no payout`)
    else if (payout.batchId !== batch.id)
      faults.push(`pays ${reference}, which is in the file ${payout.batchId ?? 'of none'}`)
    else if (amount !== euro(payout.minor) || iban !== payout.iban)
      faults.push(
        `pays ${amount} EUR to ${iban} for ${reference}, which is of ${euro(payout.minor)} EUR to ${payout.iban}`,
      )
  }
  for (const { reference, batchId } of payouts)
    if (batchId === batch.id && !paid.has(reference))
      faults.push(`does not pay ${reference}, which is said to be in it`)
  const sum = payouts
    .filter(({ batchId }) => batchId === batch.id)
    .reduce((total, { minor }) => total + minor, 0n)
  if (payments.length !== batch.payouts || sum !== batch.sumMinor)
    faults.push(
      `is said to pay ${batch.sumMinor} by ${batch.payouts} payments, but has ${sum} by ${payments.length}`,
    )
  return faults
}

async function inspectPayouts(inspector: Inspector): Promise<void> {
  const { inspected, fault } = inspector
  await eachOrdered(inspector, async (rows) => {
    inspected('payouts', rows.length)
    for (const row of rows)
      for (const what of await faultsOfOrdered(inspector, row)) fault(`payout ${row.reference}`, what)
  })
  await eachUnqueued(inspector, (rows) => {
    for (const { id, isEndedByHand } of rows)
      if (!isEndedByHand) fault(`withdrawal ${id}`, 'is COMPLETED, but was never queued for the bank')
  })
}

/** What the books have because of payouts, by connection, up to the cut. */
export async function paidOut(inspector: Inspector): Promise<ReadonlyMap<string, bigint>> {
  const sums = new Map<string, bigint>()
  const add = (rows: readonly { readonly connection: string; readonly heldMinor: bigint }[]) => {
    for (const { connection, heldMinor } of rows)
      sums.set(connection, (sums.get(connection) ?? 0n) + heldMinor)
  }
  await eachOrdered(inspector, add)
  await eachUnqueued(inspector, add)
  return sums
}

async function eachOrdered(
  { sql, upTo }: Inspector,
  visit: (rows: readonly OrderedRow[]) => Promise<void> | void,
): Promise<void> {
  const range = { upTo: upTo.transfer, limit: pageRows }
  await eachPage<OrderedRow>(
    (last) => inSnapshot(sql, (tx) => queries.selectOrdered(tx, last?.reference, range)),
    visit,
  )
}

async function eachUnqueued(
  { sql, upTo }: Inspector,
  visit: (rows: readonly UnqueuedRow[]) => void,
): Promise<void> {
  const range = { upTo: upTo.transfer, limit: pageRows }
  await eachPage<UnqueuedRow>(
    (last) => inSnapshot(sql, (tx) => queries.selectUnqueued(tx, last, range)),
    visit,
  )
}

async function faultsOfOrdered(inspector: Inspector, row: OrderedRow): Promise<readonly string[]> {
  return [...faultsOfOrder(row), ...(await faultsOfEnd(inspector, row))]
}

/** It pays what was ordered, to where it was ordered. */
function faultsOfOrder(row: OrderedRow): readonly string[] {
  const { of, reference, minor, iban, orderedMinor, orderedIban, orderedReference, isOnAccount } = row
  if (of === null) return ['pays neither a withdrawal nor a refund']
  const faults: string[] = []
  if (orderedMinor !== minor) faults.push(`pays ${minor}, but its ${of} is of ${orderedMinor}`)
  if (!isOnAccount) faults.push(`is of another account than its ${of}`)
  if (of === 'withdrawal' && orderedIban !== iban)
    faults.push(`goes to ${iban}, but its withdrawal to ${orderedIban}`)
  if (of === 'withdrawal' && orderedReference !== reference)
    faults.push(`pays a withdrawal of the reference ${orderedReference}`)
  return faults
}

/** Only a statement, a notification or a report of the bank ends it. */
async function faultsOfEnd({ sql }: Inspector, row: OrderedRow): Promise<readonly string[]> {
  const {
    reference,
    minor,
    state,
    of,
    status,
    isEndedByHand,
    leftMinor,
    backMinor,
    returnedMinor,
    messageId,
  } = row
  const faults: string[] = []
  const isReported = leftMinor > 0n || backMinor > 0n
  if (state === 'DONE' && !isReported) faults.push('is DONE, but the bank reported no such debit')
  if (state !== 'DONE' && isReported) faults.push(`is ${state}, but the bank reported that it left`)
  const back = backMinor < minor ? backMinor : minor
  if (returnedMinor !== back) faults.push(`says returned ${returnedMinor}, but ${back} came back`)
  // One that was in no file was stopped by a person.
  if (state === 'REFUSED' && messageId !== null && !(await isRefused(sql, reference, messageId)))
    faults.push('is REFUSED, but no report of the bank says so')
  if (status === 'COMPLETED' && state !== 'DONE' && !isEndedByHand)
    faults.push(`is ${state}, but its ${of} is COMPLETED`)
  return faults
}

async function isRefused(sql: Inspector['sql'], reference: string, messageId: string): Promise<boolean> {
  const reports = await queries.selectReports(sql, messageId)
  return reports
    .map(readReport)
    .some((report) => report !== undefined && (report.isWhole || report.refused.includes(reference)))
}

function readReport(bytes: Buffer): PaymentReport | undefined {
  try {
    return parsePaymentReport(bytes)
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined
    throw error
  }
}
