// Replays a dispute from the receipts that name it, in any order. The result says which transfers and which row it must have.
// Pure.
// Inspects what settlement/dispute.ts decides.
import type { ReplayedDispute } from '#/audit/disputes-queries.ts'
import type { RowFault } from '#/db/inspection.ts'
import type { DisputeStatus } from '#/disputes/dispute.ts'
import { explainParentRepaid, leftFree } from './parent-debt.ts'
import type { PaymentRow, ReceiptRow } from './queries.ts'
import {
  type Family,
  type Unexplained,
  explainPot,
  explainStep,
  receiptName,
  unexplainedOf,
  type ParentOf,
} from './replay.ts'
import { hasDebit, explainDebit } from './taking.ts'

export type ReplayedDisputes = {
  readonly faults: readonly RowFault[]
  /** The sum of disputes that are open or lost. */
  readonly disputedMinor: bigint
}

/** Replays all disputes of a payment from their receipts. */
export function replayDisputes(family: Family): ReplayedDisputes {
  const faults: RowFault[] = []
  let disputedMinor = 0n
  const reports = Map.groupBy(
    family.receipts.filter(({ outcome }) => outcome.startsWith('dispute_')),
    ({ connection, providerRef }) => `${connection}|${providerRef}`,
  )
  for (const dispute of family.disputes) {
    const key = `${dispute.connection}|${dispute.providerRef}`
    disputedMinor += replayDispute(family, dispute, reports.get(key) ?? [], faults)
    reports.delete(key)
  }
  for (const receipt of [...reports.values()].flat()) {
    if (receipt.bookedMinor === 0n) continue
    faults.push({ row: receiptName(receipt), what: 'was booked, but there is no such dispute' })
  }
  return { faults, disputedMinor }
}

/** The owner of the disputed money: a payment, or a merchant to whom money was credited out of suspense. */
export type DisputeGround = Pick<
  Family,
  'refunds' | 'disputes' | 'transfersOf' | 'shareMoves' | 'arrivalOf' | 'ownsWallet'
> & {
  readonly payment: Pick<PaymentRow, 'id' | 'merchantId' | 'mode' | 'walletId'>
}

/** The fields of a receipt that the replay reads. */
export type DisputeReceipt = Pick<
  ReceiptRow,
  | 'connection'
  | 'providerRef'
  | 'outcome'
  | 'occurrence'
  | 'currency'
  | 'cause'
  | 'recordedAt'
  | 'bookedMinor'
>

type Standing = {
  readonly status: DisputeStatus
  readonly isTaken: boolean
  readonly round: number
  readonly version: number
  readonly feeMinor: bigint
  readonly closedAt?: Date
}

/**
 * Adds the faults of one dispute to `faults`, and returns its amount unless it was won. `parentOf`: given where the dispute is of no
 * payment, so that it is itself the subject of what repays the parent of a sub-account.
 */
export function replayDispute(
  family: DisputeGround,
  dispute: ReplayedDispute,
  receipts: readonly DisputeReceipt[],
  faults: RowFault[],
  parentOf?: ParentOf,
): bigint {
  const row = `dispute ${dispute.id}`
  const unexplained = unexplainedOf(family.transfersOf(dispute.id))
  let now: Standing | undefined
  for (const receipt of receipts) {
    // It contradicted earlier receipts, and changed nothing.
    if (receipt.bookedMinor === 0n) continue
    if (receipt.bookedMinor !== dispute.amountMinor) {
      const what = `was booked as ${receipt.bookedMinor} for a dispute of ${dispute.amountMinor}`
      faults.push({ row: receiptName(receipt), what })
    }
    const turn = { family, dispute, unexplained, receipt }
    const before = now ?? charge(turn, start(turn, faults), faults)
    const next = move(turn, before, faults)
    const moved = next === before ? next : charge(turn, next, faults)
    if (moved === now) faults.push({ row: receiptName(receipt), what: 'was booked, but changes nothing' })
    if (parentOf !== undefined) explainRepaid(turn, moved.version, parentOf, faults)
    now = moved
  }
  for (const { number } of unexplained.values())
    faults.push({ row, what: `moved transfer ${number}, but no receipt says why` })
  for (const what of compare(dispute, receipts, now)) faults.push({ row, what })
  return now === undefined || now.status === 'WON' ? 0n : dispute.amountMinor
}

type Turn = {
  readonly family: DisputeGround
  readonly dispute: ReplayedDispute
  readonly unexplained: Unexplained
  readonly receipt: DisputeReceipt
}

/** The first receipt starts the dispute, with any outcome. */
function start(turn: Turn, faults: RowFault[]): Standing {
  hold(turn, 1, faults)
  return { status: 'OPEN', isTaken: false, round: turn.receipt.occurrence, version: 1, feeMinor: 0n }
}

function hold(turn: Turn, ordinal: number, faults: RowFault[]): void {
  const { family, dispute, unexplained, receipt } = turn
  const { walletId } = dispute
  const to = `wallet:${walletId}:held`
  const { currency } = receipt
  const debit = { ordinal, walletId, currency, kind: 'DISPUTE', step: 'hold', to } as const
  for (const what of explainDebit(family, unexplained, debit, amountOf(turn)))
    faults.push({ row: receiptName(receipt), what })
}

/** The provider's fee with this receipt, if one was debited. `compare` checks the sum of all fees. */
function charge(turn: Turn, now: Standing, faults: RowFault[]): Standing {
  const { family, dispute, unexplained, receipt } = turn
  const { walletId } = dispute
  const { currency } = receipt
  const to = family.arrivalOf(receipt.connection, currency)
  const ordinal = now.version
  const debit = { ordinal, walletId, currency, kind: 'DISPUTE_FEE', to, step: 'charge' } as const
  if (!hasDebit(unexplained, debit)) return now
  const charged = new RegExp(String.raw`^${ordinal}\.charge(?:-|$)`)
  const minor = [...unexplained.values()]
    .filter(({ step }) => charged.test(step))
    .reduce((sum, transfer) => sum + transfer.minor, 0n)
  const { grounds } = amountOf(turn)
  for (const what of explainDebit(family, unexplained, debit, { minor, grounds }))
    faults.push({ row: receiptName(receipt), what })
  return { ...now, feeMinor: now.feeMinor + minor }
}

/** The order of outcomes within one round. A receipt counts only when its outcome comes after the present one. */
const order = ['dispute_opened', 'dispute_taken', 'dispute_lost', 'dispute_won']

function placeOf({ status, isTaken: taken }: Standing): number {
  if (status !== 'OPEN') return order.indexOf(`dispute_${status.toLowerCase()}`)
  return taken ? order.indexOf('dispute_taken') : order.indexOf('dispute_opened')
}

/** Whether the receipt changes the dispute: by a later outcome of this round, or by a later round. */
function changes({ outcome, occurrence }: DisputeReceipt, now: Standing): boolean {
  if (occurrence === now.round) return order.indexOf(outcome) > placeOf(now)
  return occurrence > now.round && outcome !== 'dispute_opened'
}

/** The dispute after the receipt; the same object when the receipt changes nothing. */
function move(turn: Turn, before: Standing, faults: RowFault[]): Standing {
  const { family, dispute, unexplained, receipt } = turn
  if (!changes(receipt, before)) return before
  const { feeMinor } = before
  const { outcome, occurrence: round, recordedAt } = receipt
  const version = before.version + 1
  const amount = amountOf(turn)
  const available = `wallet:${dispute.walletId}:available`
  const held = `wallet:${dispute.walletId}:held`
  const arrival = family.arrivalOf(receipt.connection, receipt.currency)
  const receivable = `receivable:${dispute.merchantId}:${receipt.currency}`
  const note = (wrong: readonly (string | undefined)[]) => {
    for (const what of wrong) if (what !== undefined) faults.push({ row: receiptName(receipt), what })
  }
  const leave = () =>
    explainStep(unexplained, version, { name: 'leave', kind: 'LEFT', debit: held, credit: arrival }, amount)
      .what
  // Money of a won dispute is held once more.
  if (before.status === 'WON') hold(turn, version, faults)
  const isGone = before.isTaken
  if (outcome === 'dispute_taken') {
    if (!isGone) note([leave()])
    return { status: 'OPEN', isTaken: true, round, version, feeMinor }
  }
  if (outcome === 'dispute_lost') {
    if (!isGone) note([leave()])
    return { status: 'LOST', isTaken: true, round, version, feeMinor, closedAt: recordedAt }
  }
  const back = { name: 'back', kind: 'BACK', debit: arrival, credit: held }
  if (isGone) note([explainStep(unexplained, version, back, amount).what])
  const steps = [
    { name: 'repay', kind: 'REPAID', debit: held, credit: receivable },
    { name: 'release', kind: 'DISPUTE_WON', debit: held, credit: available },
  ]
  note(explainPot(unexplained, version, steps, amount))
  return { status: 'WON', isTaken: false, round, version, feeMinor, closedAt: recordedAt }
}

/** Money of a won dispute that was left available repaid the parent of a sub-account. */
function explainRepaid(turn: Turn, ordinal: number, parentOf: ParentOf, faults: RowFault[]): void {
  const { family, dispute, unexplained, receipt } = turn
  const { merchantId, walletId } = dispute
  const moved = family.transfersOf(dispute.id).filter(({ step }) => step.startsWith(`${ordinal}.`))
  const repaying = { merchantId, walletId, currency: receipt.currency }
  const amount = { ...amountOf(turn), minor: leftFree(moved, walletId) }
  for (const what of explainParentRepaid(unexplained, ordinal, repaying, parentOf, amount))
    faults.push({ row: receiptName(receipt), what })
}

function amountOf({ family, dispute, receipt }: Turn) {
  const { cause, recordedAt: at } = receipt
  return { minor: dispute.amountMinor, grounds: { mode: family.payment.mode, cause, at, of: 'a dispute' } }
}

function compare(
  dispute: ReplayedDispute,
  receipts: readonly DisputeReceipt[],
  now: Standing | undefined,
): readonly string[] {
  if (now === undefined) return ['was never heard of from its provider']
  const faults: string[] = []
  const differs = (what: string, is: unknown, expected: unknown) => {
    if (is !== expected) faults.push(`says ${what} ${String(is)}, but its receipts make ${String(expected)}`)
  }
  const opening = receipts.find(({ bookedMinor }) => bookedMinor > 0n)
  differs('status', dispute.status, now.status)
  differs('taken', dispute.isTaken, now.isTaken)
  differs('round', dispute.round, now.round)
  differs('version', dispute.version, now.version)
  differs('fee', dispute.feeMinor, now.feeMinor)
  if (dispute.createdAt.getTime() !== opening?.recordedAt.getTime())
    faults.push('was opened at another time than its first receipt')
  if (dispute.closedAt?.getTime() !== now.closedAt?.getTime())
    faults.push('was closed at another time than its receipts say')
  return faults
}
