// Settles a refund again on paper: from its request and the receipts of its payment, what its transfers and its own row
// must be. Pure.
import { next } from '#/kernel/state.ts'
import { refundStates, type RefundStatus } from '#/refunds/refund.ts'
import type { RetoldRefund } from '#/refunds/verify-queries.ts'
import { receiptName, takingSteps, type Change, type Family } from './verify-family.ts'
import type { ReceiptRow, TransferRow } from './verify-queries.ts'
import {
  ordinalsOf,
  takePot,
  takeStep,
  unexplainedOf,
  type Finding,
  type Grounds,
} from './verify-transfer.ts'

export type RetoldRefunds = {
  readonly findings: readonly Finding[]
  /** What counts as given back, from each transfer on. */
  readonly changes: readonly Change[]
  /** Receipts by which money that had left came back, with how much: it repaid what was owed. */
  readonly returned: ReadonlyMap<ReceiptRow, bigint>
  /** The receipts that ended refunds. */
  readonly claimed: ReadonlySet<ReceiptRow>
}

/** All refunds of a payment. A receipt does not name its refund: it is the one that moved on its bytes, at its time. */
export function retellRefunds(family: Family): RetoldRefunds {
  const told = {
    findings: new Array<Finding>(),
    changes: new Array<Change>(),
    returned: new Map<ReceiptRow, bigint>(),
    claimed: new Set<ReceiptRow>(),
  }
  for (const refund of family.refunds) retell(family, refund, told)
  return told
}

type Told = {
  readonly findings: Finding[]
  readonly changes: Change[]
  readonly returned: Map<ReceiptRow, bigint>
  readonly claimed: Set<ReceiptRow>
}

/** A refund as far as it was told. */
type Standing = { readonly status: RefundStatus; readonly version: number; readonly completedAt?: Date }

function retell(family: Family, refund: RetoldRefund, told: Told): void {
  const row = `refund ${refund.id}`
  const fault = (what: string) => told.findings.push({ row, what })
  const minor = refund.amountMinor
  const own = family.transfersOf(refund.id)
  const unexplained = unexplainedOf(own)
  const { mode } = family.payment
  const asked = { mode, cause: refund.fingerprint, at: refund.createdAt, of: 'a refund' }
  const hold = {
    name: 'hold',
    kind: 'REFUND',
    debit: `wallet:${refund.walletId}:available`,
    credit: `wallet:${refund.walletId}:held`,
  }
  const held = takeStep(unexplained, 1, hold, { minor, grounds: asked })
  if (held.what !== undefined) fault(held.what)
  if (held.found !== undefined) told.changes.push({ number: held.found.number, minor })

  let now: Standing = { status: 'PENDING', version: 1 }
  for (const ordinal of ordinalsOf(unexplained)) {
    const lead = own.find(({ step }) => step.startsWith(`${ordinal}.`))
    const receipt = lead && findReceipt(family, refund, { lead, told, status: now.status })
    if (lead === undefined || receipt === undefined) break
    told.claimed.add(receipt)
    if (receipt.bookedMinor !== minor) {
      const what = `was booked as ${receipt.bookedMinor}, but ended a refund of ${minor}`
      told.findings.push({ row: receiptName(receipt), what })
    }
    if (ordinal !== now.version + 1) fault(`has step ${ordinal} after ${now.version}`)
    const end = { ordinal, receipt, before: now.status }
    for (const what of takeEnd(family, refund, unexplained, end)) fault(what)
    note(told, refund, lead, end)
    const isDone = receipt.outcome === 'refunded'
    now = {
      status: isDone ? 'COMPLETED' : 'FAILED',
      version: now.version + 1,
      ...(isDone ? { completedAt: receipt.recordedAt } : {}),
    }
  }
  for (const { number } of unexplained.values()) fault(`moved transfer ${number}, but no receipt says why`)
  for (const what of compare(refund, now)) fault(what)
}

/** The receipt that a step was made on: of these bytes, at this time, and one that the refund's state allows. */
function findReceipt(
  { receipts }: Family,
  { connection }: RetoldRefund,
  { lead, told, status }: { readonly lead: TransferRow; readonly told: Told; readonly status: RefundStatus },
): ReceiptRow | undefined {
  return receipts.find((receipt) => {
    const event = eventOf(receipt)
    return (
      event !== undefined &&
      next(refundStates, status, event) !== undefined &&
      receipt.bookedMinor > 0n &&
      receipt.connection === connection &&
      receipt.recordedAt.getTime() === lead.at?.getTime() &&
      receipt.cause.equals(lead.cause) &&
      !told.claimed.has(receipt)
    )
  })
}

function eventOf({ outcome }: ReceiptRow): 'done' | 'failed' | undefined {
  if (outcome === 'refunded') return 'done'
  return outcome === 'refund_failed' ? 'failed' : undefined
}

type End = { readonly ordinal: number; readonly receipt: ReceiptRow; readonly before: RefundStatus }

/** What the end of a refund moves. It may come back from where it went, or go there after all. */
function takeEnd(
  family: Family,
  { walletId, amountMinor }: RetoldRefund,
  unexplained: ReturnType<typeof unexplainedOf>,
  { ordinal, receipt, before }: End,
): readonly string[] {
  const { connection, currency, cause, recordedAt } = receipt
  const grounds: Grounds = { mode: family.payment.mode, cause, at: recordedAt, of: 'a refund' }
  const amount = { minor: amountMinor, grounds }
  const available = `wallet:${walletId}:available`
  const held = `wallet:${walletId}:held`
  // On a chain money comes in at deposit addresses, and leaves by the hot wallet.
  const arrival = family.arrivalOf(connection, currency).replace(/:deposit$/, ':hot')
  const one = (name: string, kind: string, debit: string, credit: string) =>
    takeStep(unexplained, ordinal, { name, kind, debit, credit }, amount).what ?? []
  if (receipt.outcome === 'refunded') {
    const taking = { ordinal, walletId, currency, kind: 'REFUND' }
    const taken =
      before === 'FAILED'
        ? takePot(unexplained, ordinal, takingSteps(family, unexplained, taking), amount)
        : []
    return [...taken, one('leave', 'LEFT', held, arrival)].flat()
  }
  return before === 'PENDING'
    ? [one('release', 'REFUND_RETURNED', held, available)].flat()
    : [one('return', 'REFUND_RETURNED', arrival, available)].flat()
}

function note(told: Told, { amountMinor: minor }: RetoldRefund, { number }: TransferRow, end: End): void {
  const { receipt, before } = end
  if (receipt.outcome === 'refund_failed') told.changes.push({ number, minor: -minor })
  else if (before === 'FAILED') told.changes.push({ number, minor })
  if (receipt.outcome === 'refund_failed' && before === 'COMPLETED') told.returned.set(receipt, minor)
}

function compare(refund: RetoldRefund, now: Standing): readonly string[] {
  const faults: string[] = []
  if (refund.status !== now.status) faults.push(`is ${refund.status}, but its receipts make it ${now.status}`)
  if (refund.version !== now.version)
    faults.push(`has version ${refund.version}, but its receipts make ${now.version}`)
  if (refund.completedAt?.getTime() !== now.completedAt?.getTime())
    faults.push('was completed at another time than its receipts say')
  if (refund.hasFailure && now.status !== 'FAILED') faults.push('has a failure, but did not fail')
  return faults
}
