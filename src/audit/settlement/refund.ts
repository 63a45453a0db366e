// Replays a refund from its request and the receipts of its payment. The result says which transfers and which row it must
// have. Pure.
// Inspects what settlement/refund.ts decides.
import type { ReplayedRefund } from '#/audit/refunds-queries.ts'
import type { RowFault } from '#/db/inspection.ts'
import { minOf } from '#/kernel/money.ts'
import { next } from '#/kernel/state.ts'
import { refundStates, type RefundStatus } from '#/refunds/refund.ts'
import type { ReceiptRow, TransferRow } from './queries.ts'
import {
  type Change,
  type Family,
  type Grounds,
  type Step,
  explainPot,
  explainStep,
  ordinalsOf,
  receiptName,
  unexplainedOf,
} from './replay.ts'
import { explainDebit, unreleasedOf } from './taking.ts'

export type ReplayedRefunds = {
  readonly faults: readonly RowFault[]
  /** The changes of the refunded sum, each from its transfer on. */
  readonly changes: readonly RefundChange[]
  /** Receipts of the failure of a refund that was COMPLETED, each with the amount that came back. It repaid the debt first. */
  readonly returned: ReadonlyMap<ReceiptRow, bigint>
  /** The receipts that ended refunds. */
  readonly claimed: ReadonlySet<ReceiptRow>
}

/** A change of the refunded sum in one currency. */
export type RefundChange = Change & { readonly currency: string | undefined }

/**
 * Replays all refunds of a payment. A receipt does not name its refund: it belongs to the refund whose transfers have its
 * evidence and its time. If the end of a dispute and the end of a refund have the same evidence and time, both orders are
 * tried, and one of them must fit.
 */
export function replayRefunds(family: Family): ReplayedRefunds {
  const replayed = emptyReplay([])
  for (const refund of family.refunds) {
    const [first, second] = [true, false].map((isEndFirst) => {
      const trial = emptyReplay(replayed.claimed)
      replay(family, refund, trial, isEndFirst)
      return trial
    })
    const fits = first?.faults.length !== 0 && second?.faults.length === 0 ? second : first
    replayed.faults.push(...(fits?.faults ?? []))
    replayed.changes.push(...(fits?.changes ?? []))
    for (const [receipt, minor] of fits?.returned ?? []) replayed.returned.set(receipt, minor)
    for (const receipt of fits?.claimed ?? []) replayed.claimed.add(receipt)
  }
  return replayed
}

type Replay = {
  readonly faults: RowFault[]
  readonly changes: RefundChange[]
  readonly returned: Map<ReceiptRow, bigint>
  readonly claimed: Set<ReceiptRow>
}

function emptyReplay(claimed: Iterable<ReceiptRow>): Replay {
  return { faults: [], changes: [], returned: new Map(), claimed: new Set(claimed) }
}

/** A refund as far as it was replayed. */
type Standing = {
  readonly status: RefundStatus
  readonly version: number
  /** Whether a dispute over its money released the held amount. */
  readonly isHeldBack: boolean
  /** The ordinal of the receipt that held it back last. */
  readonly heldBackBy?: number
  /** The part of the held amount that was not released to the merchant before. */
  readonly unreleasedMinor: bigint
  readonly completedAt?: Date
}

function replay(family: Family, refund: ReplayedRefund, replayed: Replay, isEndFirst: boolean): void {
  const row = `refund ${refund.id}`
  const fault = (what: string) => replayed.faults.push({ row, what })
  const minor = refund.amountMinor
  const transfers = family.transfersOf(refund.id)
  const unexplained = unexplainedOf(transfers)
  const { mode } = family.payment
  const requested: Grounds = { mode, cause: refund.fingerprint, at: refund.createdAt, of: 'a refund' }
  const held = explainHold(family, refund, unexplained, 1, requested)
  for (const what of held.faults) fault(what)
  const currency = currencyOf(family, refund)
  if (held.number !== undefined) replayed.changes.push({ number: held.number, minor, currency })

  // Decisions of people come before its end, and move nothing.
  let now: Standing = {
    status: 'PENDING',
    version: 1 + refund.decisions,
    isHeldBack: false,
    unreleasedMinor: held.unreleasedMinor,
  }
  for (const ordinal of ordinalsOf(unexplained)) {
    const lead = transfers.find(({ step }) => step.startsWith(`${ordinal}.`))
    if (lead === undefined) break
    if (now.isHeldBack && ordinal > now.version + 1) now = failSilently(family, refund, replayed, now)
    const end = findReceipt(family, refund, { lead, replayed, status: now.status })
    const dispute = now.status === 'PENDING' ? findDispute(family, refund, lead) : undefined
    if (ordinal !== now.version + 1) fault(`has step ${ordinal} after ${now.version}`)
    if (dispute !== undefined && (end === undefined || !isEndFirst)) {
      now = applyDispute(family, refund, unexplained, { ordinal, receipt: dispute, now }, fault)
      continue
    }
    if (end === undefined) break
    replayed.claimed.add(end)
    replayed.faults.push(...misnumbered(family, end))
    if (end.bookedMinor !== minor) {
      const what = `was booked as ${end.bookedMinor}, but ended a refund of ${minor}`
      replayed.faults.push({ row: receiptName(end), what })
    }
    const turn = { ordinal, receipt: end, now }
    for (const what of explainEnd(family, refund, unexplained, turn)) fault(what)
    note(replayed, refund, { ...lead, currency }, turn)
    const isDone = end.outcome === 'refunded'
    now = {
      ...now,
      status: isDone ? 'COMPLETED' : 'FAILED',
      version: now.version + 1,
      isHeldBack: false,
      ...(isDone ? { completedAt: end.recordedAt } : {}),
    }
    if (!isDone) now = withoutEnd(now)
  }
  if (now.isHeldBack && refund.version > now.version) now = failSilently(family, refund, replayed, now)
  for (const { number } of unexplained.values()) fault(`moved transfer ${number}, but no receipt says why`)
  for (const what of compare(refund, now)) fault(what)
}

/** The currency of the money that it refunds. */
function currencyOf({ receipts }: Family, { connection, paidRef }: ReplayedRefund): string | undefined {
  const paid = receipts.find(
    (receipt) =>
      receipt.outcome === 'paid' && receipt.connection === connection && receipt.providerRef === paidRef,
  )
  return paid?.currency
}

/** Checks the occurrence of a receipt, which counts how often the provider reported this outcome of the refund. */
function misnumbered({ receipts }: Family, receipt: ReceiptRow): readonly RowFault[] {
  const earlier = receipts.filter(
    ({ connection, providerRef, outcome, ordinal }) =>
      connection === receipt.connection &&
      providerRef === receipt.providerRef &&
      outcome === receipt.outcome &&
      ordinal < receipt.ordinal,
  )
  const nth = earlier.length + 1
  const what = `has occurrence ${receipt.occurrence}, but it is number ${nth}`
  return receipt.occurrence === nth ? [] : [{ row: receiptName(receipt), what }]
}

function withoutEnd({ completedAt: _end, ...now }: Standing): Standing {
  return now
}

/** A dispute over its money started, so the held amount was released for it; or it ended, and the amount is held again. */
function applyDispute(
  family: Family,
  refund: ReplayedRefund,
  unexplained: ReturnType<typeof unexplainedOf>,
  { ordinal, receipt, now }: Turn,
  fault: (what: string) => void,
): Standing {
  const { cause, recordedAt } = receipt
  const grounds: Grounds = { mode: family.payment.mode, cause, at: recordedAt, of: 'a refund' }
  const version = now.version + 1
  if (!now.isHeldBack) {
    for (const what of explainRelease(family, refund, unexplained, { ordinal, receipt, now })) fault(what)
    return { ...now, version, isHeldBack: true, heldBackBy: receipt.ordinal }
  }
  const held = explainHold(family, refund, unexplained, ordinal, grounds)
  for (const what of held.faults) fault(what)
  return { ...now, version, isHeldBack: false, unreleasedMinor: held.unreleasedMinor }
}

/** A refund that was held back failed without transfers: by a receipt of its own, or by the end of the last dispute over its money. */
function failSilently(family: Family, refund: ReplayedRefund, replayed: Replay, now: Standing): Standing {
  const ending = family.receipts.find(
    (receipt) =>
      // The receipt that held it back may be the end of its dispute too.
      receipt.ordinal >= (now.heldBackBy ?? 0) &&
      (isLastEnd(family, refund, receipt) ||
        (receipt.outcome === 'refund_failed' && receipt.bookedMinor === 0n)),
  )
  if (ending === undefined)
    replayed.faults.push({ row: `refund ${refund.id}`, what: 'ended, but no receipt says why' })
  const number = numberBefore(family, ending)
  replayed.changes.push({ number, minor: -refund.amountMinor, currency: currencyOf(family, refund) })
  return { ...now, status: 'FAILED', version: now.version + 1, isHeldBack: false }
}

/** The place of a change without transfers: before the transfers of all later receipts of the payment. */
function numberBefore({ payment, transfersOf }: Family, receipt: ReceiptRow | undefined): bigint {
  const later = transfersOf(payment.id).filter(
    ({ step }) => receipt !== undefined && Number.parseInt(step, 10) > receipt.ordinal,
  )
  const [first] = later.map(({ number }) => number).toSorted((a, b) => (a < b ? -1 : 1))
  return first === undefined ? lastNumber : first - 1n
}

/** Higher than the number of any transfer. */
const lastNumber = 2n ** 63n

/** Whether this receipt ended a dispute over the refund's money, and no other one was open then. */
function isLastEnd(family: Family, refund: ReplayedRefund, receipt: ReceiptRow): boolean {
  const isEnd = ({ outcome }: ReceiptRow) => outcome === 'dispute_won' || outcome === 'dispute_lost'
  if (!isEnd(receipt) || !isOfDispute(family, refund, receipt)) return false
  const earlier = family.receipts.filter(
    (each) => each.ordinal <= receipt.ordinal && isOfDispute(family, refund, each),
  )
  const last = new Map(earlier.map((each) => [`${each.connection}|${each.providerRef}`, each]))
  return [...last.values()].every(isEnd)
}

/** Whether a receipt moved a dispute over the refund's money. */
function isOfDispute({ disputes }: Family, { paidRef }: ReplayedRefund, receipt: ReceiptRow): boolean {
  const { connection, providerRef, outcome, bookedMinor } = receipt
  return (
    outcome.startsWith('dispute_') &&
    bookedMinor > 0n &&
    disputes.some(
      (each) =>
        each.connection === connection && each.providerRef === providerRef && each.paidRef === paidRef,
    )
  )
}

function findDispute(family: Family, refund: ReplayedRefund, lead: TransferRow): ReceiptRow | undefined {
  return family.receipts.find(
    (receipt) =>
      isOfDispute(family, refund, receipt) &&
      receipt.recordedAt.getTime() === lead.at?.getTime() &&
      receipt.cause.equals(lead.cause),
  )
}

/** The amount held for it: from unreleased money first, then from the available balance. */
function explainHold(
  family: Family,
  { walletId, amountMinor }: ReplayedRefund,
  unexplained: ReturnType<typeof unexplainedOf>,
  ordinal: number,
  grounds: Grounds,
) {
  const held = `wallet:${walletId}:held`
  const [first, second] = ['hold-unreleased', 'hold'].map((name) => unexplained.get(`${ordinal}.${name}`))
  const number = first?.number ?? second?.number
  const unreleasedMinor =
    number === undefined ? 0n : minOf(unreleasedOf(family, walletId).before(number), amountMinor)
  const explain = (name: string, from: string, minor: bigint) => {
    const step = { name, kind: 'REFUND', debit: `wallet:${walletId}:${from}`, credit: held }
    return explainStep(unexplained, ordinal, step, { minor, grounds }).what ?? []
  }
  const faults = [
    explain('hold-unreleased', 'pending', unreleasedMinor),
    explain('hold', 'available', amountMinor - unreleasedMinor),
  ].flat()
  return { faults, number, unreleasedMinor }
}

/**
 * The receipt that caused a step: it has the evidence and the time of the step, and the refund's state allows it. A provider
 * that refuses two refunds at once may send the same bytes for both: then the receipt with the refund's amount is chosen.
 */
function findReceipt(
  { receipts }: Family,
  { connection, amountMinor }: ReplayedRefund,
  {
    lead,
    replayed,
    status,
  }: { readonly lead: TransferRow; readonly replayed: Replay; readonly status: RefundStatus },
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
      !replayed.claimed.has(receipt)
    )
  })
  return fitting.find(({ bookedMinor }) => bookedMinor === amountMinor) ?? fitting[0]
}

function eventOf({ outcome }: ReceiptRow): 'done' | 'failed' | undefined {
  if (outcome === 'refunded') return 'done'
  return outcome === 'refund_failed' ? 'failed' : undefined
}

type Turn = { readonly ordinal: number; readonly receipt: ReceiptRow; readonly now: Standing }

/** Explains the transfers of the end of a refund. Money that left may be returned; a failed refund may be paid after all. */
function explainEnd(
  family: Family,
  refund: ReplayedRefund,
  unexplained: ReturnType<typeof unexplainedOf>,
  turn: Turn,
): readonly string[] {
  const { walletId, amountMinor } = refund
  const { ordinal, receipt, now } = turn
  const { connection, currency, cause, recordedAt } = receipt
  const grounds: Grounds = { mode: family.payment.mode, cause, at: recordedAt, of: 'a refund' }
  const amount = { minor: amountMinor, grounds }
  const available = `wallet:${walletId}:available`
  const held = `wallet:${walletId}:held`
  // On a chain money comes in at deposit addresses, and leaves by the hot wallet.
  const arrival = family.arrivalOf(connection, currency).replace(/:deposit$/, ':hot')
  const one = (name: string, kind: string, debit: string, credit: string) =>
    explainStep(unexplained, ordinal, { name, kind, debit, credit }, amount).what ?? []
  if (receipt.outcome === 'refunded') {
    const debit = { ordinal, walletId, currency, kind: 'REFUND', step: 'hold', to: held } as const
    const isFree = now.status === 'FAILED' || now.isHeldBack
    const faults = isFree ? explainDebit(family, unexplained, debit, amount) : []
    return [...faults, one('leave', 'LEFT', held, arrival)].flat()
  }
  if (now.status !== 'PENDING') return [one('return', 'REFUND_RETURNED', arrival, available)].flat()
  return explainRelease(family, refund, unexplained, turn)
}

/**
 * The held amount goes back to pending and available, where it came from. A part of pending that was released meanwhile goes to
 * available. What reaches available repays the debt first.
 */
function explainRelease(
  family: Family,
  { walletId, amountMinor }: ReplayedRefund,
  unexplained: ReturnType<typeof unexplainedOf>,
  { ordinal, receipt, now: { unreleasedMinor } }: Turn,
): readonly string[] {
  const { currency, cause, recordedAt } = receipt
  const grounds: Grounds = { mode: family.payment.mode, cause, at: recordedAt, of: 'a refund' }
  const available = `wallet:${walletId}:available`
  const held = `wallet:${walletId}:held`
  const back = unexplained.get(`${ordinal}.release-unreleased`)?.minor ?? 0n
  const released = unexplained.get(`${ordinal}.release`)?.minor ?? 0n
  const [kind, debit] = ['REFUND_RETURNED', held]
  const unrelease = { name: 'release-unreleased', kind, debit, credit: `wallet:${walletId}:pending` }
  const release = { name: 'release', kind, debit, credit: available }
  const repay: Step = {
    name: 'repay',
    kind: 'REFUND_REPAID',
    debit: available,
    credit: `receivable:${family.payment.merchantId}:${currency}`,
    upTo: true,
  }
  const amount = { minor: amountMinor, grounds }
  const faults =
    unreleasedMinor === 0n
      ? [explainStep(unexplained, ordinal, release, amount).what ?? []].flat()
      : explainPot(unexplained, ordinal, [unrelease, release], amount)
  return [
    ...(back > unreleasedMinor ? [`returned ${back} of ${unreleasedMinor} that was not released`] : []),
    ...faults,
    ...[explainStep(unexplained, ordinal, repay, { minor: released, grounds }).what ?? []].flat(),
  ]
}

function note(
  replayed: Replay,
  { amountMinor: minor }: ReplayedRefund,
  { number, currency }: Pick<RefundChange, 'number' | 'currency'>,
  turn: Turn,
): void {
  const { receipt } = turn
  const before = turn.now.status
  if (receipt.outcome === 'refund_failed') replayed.changes.push({ number, minor: -minor, currency })
  else if (before === 'FAILED') replayed.changes.push({ number, minor, currency })
  if (receipt.outcome === 'refund_failed' && before === 'COMPLETED') replayed.returned.set(receipt, minor)
}

function compare(refund: ReplayedRefund, now: Standing): readonly string[] {
  const faults: string[] = []
  if (refund.status !== now.status) faults.push(`is ${refund.status}, but its receipts make it ${now.status}`)
  if (refund.isHeldBack !== now.isHeldBack)
    faults.push(`is ${refund.isHeldBack ? '' : 'not '}held back, which its transfers do not say`)
  if (refund.unreleasedMinor !== now.unreleasedMinor)
    faults.push(
      `says that ${refund.unreleasedMinor} of it was not released, instead of ${now.unreleasedMinor}`,
    )
  if (refund.version !== now.version)
    faults.push(`has version ${refund.version}, but its receipts make ${now.version}`)
  if (refund.completedAt?.getTime() !== now.completedAt?.getTime())
    faults.push('was completed at another time than its receipts say')
  if (refund.hasFailure && now.status !== 'FAILED') faults.push('has a failure, but did not fail')
  return faults
}
