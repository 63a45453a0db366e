// What a decision about a receipt reads, and what it returns. It changes nothing itself: settle.ts posts its postings, and puts its change
// into the draft that the next decision reads (`applyChange`).
import type { Dispute } from '#/disputes/dispute.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, PaymentId } from '#/kernel/id.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { Ruling } from '#/ledger/kind.ts'
import type { Spent } from '#/money-out/limits.ts'
import type { SplitView } from '#/payments/book-shares.ts'
import type { Payment } from '#/payments/payment.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { PassedOn } from '#/wallets/passed-on.ts'
import type { Reading } from '#/wallets/pure-kind.ts'
import type { NewWallet } from '#/wallets/queries.ts'
import type { EventDraft, EventType } from '#/webhooks/event.ts'
import type { Draft, OpenDraft } from './draft.ts'
import type { Placed } from './placed.ts'
import type { NewReceipt, NewUnmatched, Resolved } from './queries.ts'
import { addRecorded, isRefund, receiptKey, refKey } from './related.ts'
import type { NewRelease } from './release-queries.ts'
import { walletKey } from './view-wallets.ts'
import { type Facts, pieceKey, withheldKey } from './view.ts'

/** A receipt, and what the decision about it reads. */
export type Case<Reported extends Receipt = Receipt> = Reading & {
  readonly facts: Facts
  readonly draft: Draft
  readonly receipt: Reported
  /** Its amount in the units of the ledger. Fractions of them at one address add up exactly. */
  readonly minor: bigint
}

/** The same for a receipt that fits an attempt of ours. */
export type PlacedCase = Case<Placed> & {
  /** The payment before the receipt, with the receipt in its number of receipts. */
  readonly payment: Payment
}

/** The same with the accounts of the receipt's outcome: the decision posts to no other. */
export type CaseOf<Accounts> = PlacedCase & { readonly accounts: Accounts }

/**
 * - `booked`: it was booked as it says.
 * - `repeated`: it was recorded before.
 * - `suspended`: its money fits no attempt of ours and waits for a person.
 * - `noted`: it contradicts the books; it is recorded and changes nothing.
 * - `differs`: it was booked, but with another amount than it says, or although it contradicts the books.
 * - `superseded`: a refusal from a worker whose claim another worker has taken over; it is not recorded.
 * - `undecided`: it contradicts an earlier report of the same refund, and nobody knows which of the two is true now. It is not
 *   recorded, and the provider has to be queried again.
 * - `unknown_payment`: it is not recorded, and its signal stays in the inbox.
 * - `unbookable`: it is not recorded, because an account that it moves is in another currency or its amount is not valid.
 */
export type ReceiptVerdict =
  | 'booked'
  | 'repeated'
  | 'suspended'
  | 'noted'
  | 'differs'
  | 'superseded'
  | 'undecided'
  | 'unknown_payment'
  | 'unbookable'

export type ReceiptChange = {
  readonly receipt?: NewReceipt
  readonly payment?: Payment
  /** The payment's split, whose shares were booked anew. */
  readonly split?: SplitView
  readonly refund?: Refund
  /** Refunds that a dispute holds back or resumes. */
  readonly refunds?: readonly Refund[]
  readonly dispute?: Dispute
  readonly unmatched?: NewUnmatched
  /** Money that left suspense, because its provider took it back. */
  readonly resolved?: Resolved
  readonly release?: NewRelease
  /** The merchant's first wallet in a currency in which money came. */
  readonly wallet?: NewWallet
  /** `freed` does not count to its day's limit any more; `spent` counts to it after all. */
  readonly freed?: readonly Spent[]
  readonly spent?: readonly Spent[]
  /** Authorisations to void: that of one attempt, or all that are open for the payment. */
  readonly unwanted?: PaymentRef & { readonly attemptId?: AttemptId }
}

export type ReceiptRuling = Ruling<ReceiptChange, ReceiptVerdict, News> & Pick<Addition, 'passed'>

/** That an event of a payment is to be written. */
export type PaymentNews = { readonly paymentId: PaymentId; readonly type: EventType }

/** What one receipt adds to the events of the batch. */
export type News = EventDraft | PaymentNews

/** What one pass over a receipt adds. */
export type Addition = {
  readonly postings: readonly Posting[]
  readonly change?: ReceiptChange
  readonly events?: readonly News[]
  /** What goes on to the parent of a closed sub-account. */
  readonly passed?: PassedOn
}

export const nothing: Addition = { postings: [] }

/** What a report took back of the shares before the payment's own money was debited: the payment holds so much less by it. */
export type Ahead = { readonly keptMinor: bigint; readonly events: readonly EventDraft[] }

export type Decision = Addition & {
  readonly verdict: ReceiptVerdict
  /** The shares that it took back already, before the payment's own money was debited. */
  readonly ahead?: Ahead
}

/** The decision that records the receipt and the amount that was booked for it. */
export function recorded(
  receipt: Placed,
  bookedMinor: bigint,
  payment: Payment,
  {
    verdict = 'booked',
    postings = [],
    events = [],
    ahead,
    isDuplicate,
    ...change
  }: Partial<Omit<Decision, 'change'>> & ReceiptChange & Pick<NewReceipt, 'isDuplicate'> = {},
): Decision {
  const counted: Payment = { ...payment, version: payment.version + 1 }
  const record = { receipt, ordinal: counted.receipts, bookedMinor, ...given({ isDuplicate }) }
  return {
    verdict,
    postings,
    change: { receipt: record, payment: counted, ...change },
    events,
    ...given({ ahead }),
  }
}

/** The decision with what a later pass added. Its postings were posted before. */
export function joined(decided: Decision, more: Addition): Decision {
  if (more === nothing) return decided
  const { change, events = [] } = decided
  const refunds = [...(change?.refunds ?? []), ...(more.change?.refunds ?? [])]
  return {
    ...decided,
    change: { ...change, ...more.change, refunds },
    events: [...events, ...(more.events ?? [])],
    ...given({ passed: more.passed }),
  }
}

// Puts what was decided into the draft. Nothing else changes it.

/** Puts the change of a decision into the draft. */
export function applyChange(draft: OpenDraft, change: ReceiptChange, at: Date): void {
  const { receipt, payment, split, refund, refunds = [], dispute } = change
  const { unmatched, resolved, release, wallet } = change
  if (payment !== undefined) draft.payments.set(payment.id, payment)
  if (split !== undefined) draft.splits.set(split.split.paymentId, split)
  for (const each of refund === undefined ? refunds : [...refunds, refund]) draft.refunds.set(each.id, each)
  if (dispute !== undefined) draft.disputes.set(refKey(dispute), dispute)
  if (receipt !== undefined) addReceipt(draft, receipt, at)
  if (unmatched !== undefined) addUnmatched(draft, unmatched, resolved)
  if (wallet !== undefined) draft.missing.delete(walletKey(wallet))
  if (release === undefined) return
  const key = withheldKey(release.paymentId, release.currency)
  draft.withheld.set(key, (draft.withheld.get(key) ?? 0n) + release.minor)
}

function addReceipt(draft: OpenDraft, { receipt, bookedMinor }: NewReceipt, recordedAt: Date): void {
  const { outcome, connection, providerRef: paidRef, attempt } = receipt
  addRecorded(draft, receipt, bookedMinor)
  // Later receipts of the same batch do not count as newer.
  if (isRefund(receipt)) {
    const key = refKey(receipt)
    draft.reports.set(key, [...(draft.reports.get(key) ?? []), { ...receipt, recordedAt }])
  }
  if (outcome === 'paid')
    draft.pieces.set(pieceKey({ paymentId: attempt.paymentId, connection, paidRef }), bookedMinor)
  if (outcome === 'paid' || (outcome === 'authorised' && bookedMinor > 0n)) draft.additions.push(receipt)
}

function addUnmatched(
  { recorded, undecided }: OpenDraft,
  { id, receipt }: NewUnmatched,
  resolved: Resolved | undefined,
): void {
  const { connection, outcome, dispute, amount } = receipt
  recorded.add(receiptKey(receipt))
  if (outcome === 'paid' && amount.minor > 0n)
    undecided.set(refKey(receipt), { unmatchedId: id, minor: amount.minor })
  if (resolved !== undefined && dispute !== undefined)
    undecided.delete(refKey({ connection, providerRef: dispute.paidRef }))
}
