// Settles a refund again on paper: from its request and the receipts of its payment, what its transfers and its own row
// must be. Pure.
import { next } from '#/kernel/state.ts'
import { refundStates, type RefundStatus } from '#/refunds/refund.ts'
import type { RetoldRefund } from '#/refunds/verify-queries.ts'
import { receiptName, type Change, type Family } from './verify-family.ts'
import { minOf } from '#/kernel/money.ts'
import type { ReceiptRow, TransferRow } from './verify-queries.ts'
import { takeFrom, unreleasedOf } from './verify-taking.ts'
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
  readonly changes: readonly RefundChange[]
  /** Receipts by which money that had left came back, with how much: it repaid what was owed. */
  readonly returned: ReadonlyMap<ReceiptRow, bigint>
  /** The receipts that ended refunds. */
  readonly claimed: ReadonlySet<ReceiptRow>
}

/** What counts as given back of one currency changes by this. */
export type RefundChange = Change & { readonly currency: string | undefined }

/** All refunds of a payment. A receipt does not name its refund: it is the one that moved on its bytes, at its time. */
export function retellRefunds(family: Family): RetoldRefunds {
  const told = {
    findings: new Array<Finding>(),
    changes: new Array<RefundChange>(),
    returned: new Map<ReceiptRow, bigint>(),
    claimed: new Set<ReceiptRow>(),
  }
  for (const refund of family.refunds) retell(family, refund, told)
  return told
}

type Told = {
  readonly findings: Finding[]
  readonly changes: RefundChange[]
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
  const held = takeHold(family, refund, unexplained, asked)
  for (const what of held.faults) fault(what)
  const currency = currencyOf(family, refund)
  if (held.number !== undefined) told.changes.push({ number: held.number, minor, currency })

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
    note(told, refund, { ...lead, currency }, end)
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

/** The currency of the money that it gives back. */
function currencyOf({ receipts }: Family, { connection, paidRef }: RetoldRefund): string | undefined {
  const paid = receipts.find(
    (receipt) =>
      receipt.outcome === 'paid' && receipt.connection === connection && receipt.providerRef === paidRef,
  )
  return paid?.currency
}

/** What was set aside for it: of what was not released yet first, and what is available. */
function takeHold(
  family: Family,
  { walletId, amountMinor, unreleasedMinor }: RetoldRefund,
  unexplained: ReturnType<typeof unexplainedOf>,
  grounds: Grounds,
): { readonly faults: readonly string[]; readonly number: bigint | undefined } {
  const held = `wallet:${walletId}:held`
  const [first, second] = ['hold-unreleased', 'hold'].map((name) => unexplained.get(`1.${name}`))
  const number = first?.number ?? second?.number
  const own = number === undefined ? 0n : minOf(unreleasedOf(family, walletId).before(number), amountMinor)
  const take = (name: string, from: string, minor: bigint) => {
    const step = { name, kind: 'REFUND', debit: `wallet:${walletId}:${from}`, credit: held }
    return takeStep(unexplained, 1, step, { minor, grounds }).what ?? []
  }
  const faults = [
    take('hold-unreleased', 'pending', own),
    take('hold', 'available', amountMinor - own),
    unreleasedMinor === own ? [] : `says that ${unreleasedMinor} of it was not released, instead of ${own}`,
  ].flat()
  return { faults, number }
}

/**
 * The receipt that a step was made on: of these bytes, at this time, and one that the refund's state allows. A provider that
 * refuses two refunds at once may do it in the same words: then the one of the refund's amount.
 */
function findReceipt(
  { receipts }: Family,
  { connection, amountMinor }: RetoldRefund,
  { lead, told, status }: { readonly lead: TransferRow; readonly told: Told; readonly status: RefundStatus },
): ReceiptRow | undefined {
  const fitting = receipts.filter((receipt) => {
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
  return fitting.find(({ bookedMinor }) => bookedMinor === amountMinor) ?? fitting[0]
}

function eventOf({ outcome }: ReceiptRow): 'done' | 'failed' | undefined {
  if (outcome === 'refunded') return 'done'
  return outcome === 'refund_failed' ? 'failed' : undefined
}

type End = { readonly ordinal: number; readonly receipt: ReceiptRow; readonly before: RefundStatus }

/** What the end of a refund moves. It may come back from where it went, or go there after all. */
function takeEnd(
  family: Family,
  { walletId, amountMinor, unreleasedMinor }: RetoldRefund,
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
    const taking = { ordinal, walletId, currency, kind: 'REFUND', step: 'hold', to: held } as const
    const taken = before === 'FAILED' ? takeFrom(family, unexplained, taking, amount) : []
    return [...taken, one('leave', 'LEFT', held, arrival)].flat()
  }
  if (before !== 'PENDING') return [one('return', 'REFUND_RETURNED', arrival, available)].flat()
  if (unreleasedMinor === 0n) return [one('release', 'REFUND_RETURNED', held, available)].flat()
  // Back where it came from, but for what was released meanwhile.
  const back = unexplained.get(`${ordinal}.release-unreleased`)?.minor ?? 0n
  const pending = `wallet:${walletId}:pending`
  const steps = [
    { name: 'release-unreleased', kind: 'REFUND_RETURNED', debit: held, credit: pending },
    { name: 'release', kind: 'REFUND_RETURNED', debit: held, credit: available },
  ]
  return [
    ...(back > unreleasedMinor ? [`gave back ${back} of ${unreleasedMinor} that was not released`] : []),
    ...takePot(unexplained, ordinal, steps, amount),
  ]
}

function note(
  told: Told,
  { amountMinor: minor }: RetoldRefund,
  { number, currency }: Pick<RefundChange, 'number' | 'currency'>,
  end: End,
): void {
  const { receipt, before } = end
  if (receipt.outcome === 'refund_failed') told.changes.push({ number, minor: -minor, currency })
  else if (before === 'FAILED') told.changes.push({ number, minor, currency })
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
