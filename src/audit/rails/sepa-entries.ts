// Inspects the movements on an account against the books: a matched movement was booked once, a movement that waits for a
// person was not booked, and the account of the books holds what the bank reported.
// Inspects what rails/sepa/match.ts and propose.ts decide.
import { selectBalanceAt } from '#/audit/ledger-queries.ts'
import { eachPage, inSnapshot, type Inspection, type Inspector } from '#/db/inspection.ts'
import { eachAccount } from './sepa-files.ts'
import { currencies } from './sepa-foreign.ts'
import { paidOut } from './sepa-payouts.ts'
import * as queries from './sepa-queries.ts'
import type { AccountRow, BookedRow, ReceiptRow } from './sepa-queries.ts'

export const sepaEntryInspections: readonly Inspection[] = [
  { name: 'bank entries', inspect: inspectAllEntries },
  { name: 'receipts of bank entries', inspect: (inspector) => eachAccount(inspector, inspectReceipts) },
]

const pageRows = 500

async function inspectAllEntries(inspector: Inspector): Promise<void> {
  const payouts = await paidOut(inspector)
  await eachAccount(inspector, (_, account) =>
    inspectEntries(inspector, account, payouts.get(account.id) ?? 0n),
  )
}

/** Also adds up what the books have because of each movement: together it is what the account holds. */
async function inspectEntries(
  { sql, upTo, inspected, fault }: Inspector,
  account: AccountRow,
  paidOutMinor: bigint,
): Promise<void> {
  const sums = new Map(currencies.map((currency) => [currency, currency === 'EUR' ? paidOutMinor : 0n]))
  let last: BookedRow | undefined
  for (;;) {
    const { rows, waiting } = await inSnapshot(sql, async (tx) => {
      const range = { after: last, upTo: upTo.transfer, limit: pageRows }
      const page = await queries.selectBooked(tx, account, range)
      const unbooked = page.filter((row) => (isBooked(row) && !hasReceipt(row)) || isUnsettled(row))
      const signals =
        unbooked.length === 0 ? new Set<string>() : await queries.selectWaiting(tx, account, unbooked)
      return { rows: page, waiting: signals }
    })
    last = rows.at(-1)
    if (last === undefined) break
    inspected('entries', rows.length)
    for (const row of rows) {
      sums.set(row.currency, (sums.get(row.currency) ?? 0n) + row.heldMinor)
      for (const what of faultsOf(row, waiting.has(`${row.reference}|${row.part}`)))
        fault(`entry ${row.reference}/${row.part} of ${account.id}`, what)
    }
  }
  for (const [currency, sum] of sums) {
    const held = `provider:${account.id}:${currency}`
    const isHeld = await selectBalanceAt(sql, account.mode, held, upTo.transfer)
    inspected('accounts', 1)
    if (isHeld !== sum)
      fault(
        `account ${held}`,
        `holds ${isHeld}, but what the bank reported and what was paid out make ${sum}`,
      )
  }
}

/** The kinds whose money is in the books. */
function isBooked({ kind }: BookedRow): boolean {
  return kind === 'PAID' || kind === 'UNATTRIBUTED'
}

function hasReceipt({ countedFor, suspendedMinor }: BookedRow): boolean {
  return countedFor !== null || suspendedMinor !== null
}

/** By kind, the side of the account on which it is. */
const isCreditOf: Readonly<Record<string, boolean>> = {
  PAID: true,
  UNATTRIBUTED: true,
  PROPOSED: true,
  RETURNED: true,
  SENT: false,
  RECALL: false,
  UNCLEAR: false,
  OTHER: false,
}

function faultsOf(row: BookedRow, isWaiting: boolean): readonly string[] {
  const { kind, credit, isImported } = row
  const faults = [...faultsOfCurrency(row)]
  // Either side may be held.
  if (kind !== 'HELD' && kind !== 'SAME' && kind !== 'UNDONE' && isCreditOf[kind] !== credit)
    faults.push(`is ${kind}, but a ${credit ? 'credit' : 'debit'}`)
  if (!isImported) faults.push('is of a file that was never imported')
  if (isBooked(row)) faults.push(...faultsOfBooked(row, isWaiting))
  else if (hasReceipt(row)) faults.push(`is ${kind}, but was booked as money that came`)
  if (kind === 'SAME' && row.likeMinor !== (credit ? row.minor : -row.minor))
    faults.push('is said to be another movement, which is not there or moved another amount')
  if (kind === 'UNDONE' && row.likeMinor !== (credit ? -row.minor : row.minor))
    faults.push('takes back a movement that is not there or moved another amount')
  return [...faults, ...faultsOfOwner(row), ...faultsOfPayout(row), ...faultsOfRecall(row, isWaiting)]
}

/** The kinds that are about what we asked for or sent, which is in EUR. */
const inEuro: ReadonlySet<string> = new Set(['PAID', 'PROPOSED', 'SENT', 'RETURNED'])

function faultsOfCurrency({ kind, currency, bookedCurrency, ofCurrency }: BookedRow): readonly string[] {
  const faults: string[] = []
  if (!currencies.includes(currency)) faults.push(`is in ${currency}`)
  else if (currency !== 'EUR' && inEuro.has(kind)) faults.push(`is ${kind}, but in ${currency}`)
  if (bookedCurrency !== null && bookedCurrency !== currency)
    faults.push(`is in ${currency}, but was booked in ${bookedCurrency}`)
  if (ofCurrency !== null && ofCurrency !== currency)
    faults.push(`is in ${currency}, but takes back a credit in ${ofCurrency}`)
  return faults
}

function faultsOfBooked(row: BookedRow, isWaiting: boolean): readonly string[] {
  const { kind, minor, attemptId, countedFor, countedMinor, suspendedMinor } = row
  if (!hasReceipt(row)) return isWaiting ? [] : [`is ${kind}, but was never booked, and no signal waits`]
  const booked = countedMinor ?? suspendedMinor
  const faults = booked === minor ? [] : [`moves ${minor}, but ${booked} was booked`]
  if (kind === 'UNATTRIBUTED' && countedFor !== null)
    faults.push('is of nobody, but was counted for a payment')
  if (kind === 'PAID' && countedFor === null) faults.push('is of a payment, but lies in suspense')
  if (kind === 'PAID' && countedFor !== null && countedFor !== attemptId)
    faults.push('was counted for another payment than it was matched with')
  return faults
}

/** What is matched or proposed is of the attempt whose reference it quotes, or nearly quotes. */
function faultsOfOwner({ kind, attemptId, quotedAttempt }: BookedRow): readonly string[] {
  const isOwned = kind === 'PAID' || kind === 'PROPOSED'
  if (isOwned && attemptId === null) return [`is ${kind}, but of no payment`]
  return isOwned && attemptId !== quotedAttempt
    ? ['was matched with a payment whose reference it does not quote']
    : []
}

function faultsOfPayout({ kind, endToEndId, payoutState }: BookedRow): readonly string[] {
  if (kind !== 'SENT' && kind !== 'RETURNED') return []
  if (payoutState === 'DONE') return []
  return [
    `is ${kind}, but its payout ${endToEndId} ${payoutState === null ? 'is not there' : `is ${payoutState}`}`,
  ]
}

function isUnsettled({ kind, settledRef }: BookedRow): boolean {
  return kind === 'RECALL' && settledRef === null
}

/** A movement by which the bank took money back names one credit, is at most its amount, and was settled once. */
function faultsOfRecall(row: BookedRow, isWaiting: boolean): readonly string[] {
  const { kind, ofMinor, recalledMinor, ofKind, ofRef, settledRef } = row
  if (kind !== 'RECALL')
    return settledRef === null ? [] : [`is ${kind}, but was settled as money that the bank took back`]
  const faults: string[] = []
  if (ofMinor === null) faults.push('takes back a credit that is not there')
  else if ((recalledMinor ?? 0n) > ofMinor)
    faults.push(`is of a credit of ${ofMinor}, of which ${recalledMinor} was taken back`)
  if (ofKind !== null && ofKind !== 'PAID' && ofKind !== 'UNATTRIBUTED')
    faults.push(`takes back a credit that is ${ofKind}`)
  if (settledRef !== null && ofRef !== null && settledRef !== ofRef)
    faults.push(`takes back ${ofRef}, but was settled as of ${settledRef}`)
  if (isUnsettled(row) && !isWaiting) faults.push('was never settled, and no signal waits')
  return faults
}

/** Every receipt of money is of a movement that was matched so. */
async function inspectReceipts({ sql, inspected, fault }: Inspector, account: AccountRow): Promise<void> {
  await eachPage<ReceiptRow>(
    (after) => queries.selectReceipts(sql, account, after, pageRows),
    (receipts) => {
      inspected('receipts', receipts.length)
      for (const { providerRef, minor, reportedMinor } of receipts) {
        const row = `receipt paid ${providerRef} (1) of ${account.id}`
        if (reportedMinor === null) fault(row, 'is of no movement that the bank reported')
        else if (reportedMinor !== minor)
          fault(row, `counts ${minor}, but the bank reported ${reportedMinor}`)
      }
    },
  )
}
