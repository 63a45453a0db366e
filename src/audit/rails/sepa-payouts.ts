// Inspects money that leaves by bank transfer: the stored files of payments against the payouts in them, each payout against
// the withdrawal or refund that ordered it, and its end against the bank's reports.
// Inspects what rails/sepa/batch.ts, payout.ts and refund.ts decide.
import type { KeptReceipt } from '#/audit/settlement/queries.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import { parsePaymentReport, type PaymentReport } from '#/rails/sepa/pain.ts'
import { UnreadableFile } from '#/rails/sepa/unreadable.ts'
import { all, type Element, find, parseXml, textAt } from '#/rails/sepa/xml.ts'
import * as queries from './sepa-payout-queries.ts'

export const sepaPayoutInspections: readonly Inspection[] = [
  { name: 'payment files', inspect: inspectBatches },
  { name: 'payouts by bank transfer', inspect: inspectPayouts },
]

/** A file has up to half a megabyte. */
const batchesMax = 20
const pageRows = 500

/** The bytes of each file pay exactly the payouts that are in it. */
async function inspectBatches({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.BatchRow>(
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

function faultsOfHead(
  batch: queries.BatchRow,
  { messageId, debited, counts, sums }: Orders,
): readonly string[] {
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
  batch: queries.BatchRow,
  { payments }: Orders,
  payouts: readonly queries.PayoutRow[],
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
  visit: (rows: readonly queries.OrderedRow[]) => Promise<void> | void,
): Promise<void> {
  const range = { upTo: upTo.transfer, limit: pageRows }
  await eachPage<queries.OrderedRow>(
    (last) => inSnapshot(sql, (tx) => queries.selectOrdered(tx, last?.reference, range)),
    visit,
  )
}

async function eachUnqueued(
  { sql, upTo }: Inspector,
  visit: (rows: readonly queries.UnqueuedRow[]) => void,
): Promise<void> {
  const range = { upTo: upTo.transfer, limit: pageRows }
  await eachPage<queries.UnqueuedRow>(
    (last) => inSnapshot(sql, (tx) => queries.selectUnqueued(tx, last, range)),
    visit,
  )
}

async function faultsOfOrdered(inspector: Inspector, row: queries.OrderedRow): Promise<readonly string[]> {
  return [...faultsOfOrder(row), ...(await faultsOfEnd(inspector, row))]
}

/** It pays what was ordered, to where it was ordered. */
function faultsOfOrder(row: queries.OrderedRow): readonly string[] {
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
async function faultsOfEnd({ sql }: Inspector, row: queries.OrderedRow): Promise<readonly string[]> {
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

/**
 * Refunds by bank transfer: each pays the amount of its refund, to the account that the request names or that the money came from, and the
 * state of the refund follows from its payout.
 */
export const refundsInFiles: Inspection = {
  name: 'refunds by bank transfer',
  async inspect({ sql, inspected, fault }) {
    let after = ''
    for (;;) {
      const { payouts, signaled } = await inSnapshot(sql, async (tx) => {
        const rows = await queries.selectRefundPayouts(tx, after, pageRows)
        const behind = rows.filter((each) => standingFault(each) !== undefined)
        const references = behind.map(({ reference }) => reference)
        const connections = [...new Set(behind.map(({ connection }) => connection))]
        const waiting =
          behind.length === 0 ? undefined : await queries.selectSignaled(tx, connections, references)
        return { payouts: rows, signaled: waiting }
      })
      after = payouts.at(-1)?.reference ?? after
      inspected('payouts', payouts.length)
      for (const payout of payouts) {
        const standing = signaled?.has(payout.reference) === true ? undefined : standingFault(payout)
        for (const what of [...faultsOfRefund(payout), ...(standing === undefined ? [] : [standing])])
          fault(`payout ${payout.reference}`, what)
      }
      if (payouts.length < pageRows) return
    }
  },
}

function faultsOfRefund(payout: queries.RefundPayoutRow): readonly string[] {
  const { id, reference, iban, beneficiary, destination, requestedIban, senderIban } = payout
  if (payout.status === null) return ['is of no refund']
  const faults: string[] = []
  if (reference !== id.replaceAll('-', '')) faults.push('is not named after its refund')
  if (!payout.isOfRefund) faults.push('pays another amount, or from another account, than its refund')
  if (destination?.['iban'] !== iban || destination['beneficiary'] !== beneficiary)
    faults.push('goes to another account than its refund')
  if (normal(requestedIban ?? senderIban ?? '') !== iban)
    faults.push('goes to an account that neither the request names nor the money came from')
  return faults
}

/**
 * What is wrong when the refund does not show what the bank reported of its payout. The refund may still be behind while a
 * signal waits in the inbox.
 */
function standingFault({ status, state, returnedMinor }: queries.RefundPayoutRow): string | undefined {
  if (status === null) return undefined
  const isBack = returnedMinor > 0n
  if (status === 'COMPLETED' && state !== 'DONE')
    return 'is of a refund that is COMPLETED, but the bank did not report that it left'
  if (state !== 'DONE') return undefined
  if (isBack) return status === 'FAILED' ? undefined : `came back, but its refund is ${status}`
  return status === 'COMPLETED' ? undefined : `left, but its refund is ${status}`
}

function normal(iban: string): string {
  return iban.replaceAll(/\s/g, '').toUpperCase()
}

const outcomes: Readonly<Record<string, KeptReceipt['outcome']>> = {
  DONE: 'refunded',
  REFUSED: 'refund_failed',
  RETURNED: 'refund_failed',
}

/** What is wrong with the receipt of a refund's end according to its evidence. A person's decision is its own evidence. */
export function faultOfRefundEvidence(
  { outcome, providerRef, minor }: KeptReceipt,
  { reference, amountMinor, told: end }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (/^(?:ended|rejected)\//.test(providerRef)) return undefined
  if (typeof end !== 'string' || outcomes[end] !== outcome) return 'ended otherwise by its evidence'
  const name = `${String(reference)}${end === 'RETURNED' ? '/returned' : ''}`
  if (name !== providerRef) return 'is not what its evidence tells of'
  return minor === 0n || String(amountMinor) === String(minor)
    ? undefined
    : `counts ${minor}, but its evidence says ${String(amountMinor)}`
}
