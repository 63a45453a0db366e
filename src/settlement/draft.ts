// What changes while a batch of receipts is decided. It begins as it was loaded. Decisions only read it, and `applyChange` alone puts into it
// what they return.
import type { Dispute } from '#/disputes/dispute.ts'
import type { PaymentId, RefundId } from '#/kernel/id.ts'
import type { SplitView } from '#/payments/book-shares.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { WalletForMoney } from '#/wallets/create.ts'
import type { ReceiptChange } from './decision.ts'
import type { RecordAddition } from './placed.ts'
import type { UndecidedMoney } from './placement.ts'
import type { Closed } from './posting.ts'
import type { NewReceipt, NewUnmatched, RefundReport, Resolved } from './queries.ts'
import { addRecorded, isRefund, receiptKey, refKey } from './related.ts'
import { pieceKey, withheldKey } from './view-refunds.ts'
import { walletKey } from './view-wallets.ts'

/** As decisions see it. */
export type Draft = Closed<OpenDraft>

/** As `applyChange` writes it. */
export type OpenDraft = {
  readonly payments: Map<PaymentId, Payment>
  /** The splits of those payments that have one. */
  readonly splits: Map<PaymentId, SplitView>
  /** The refunds that receipts name, and the refunds of disputed money. */
  readonly refunds: Map<RefundId, Refund>
  /** By connection and the provider's name. */
  readonly disputes: Map<string, Dispute>
  /** The amount of each piece that is disputed, and of those that came in this batch. */
  readonly pieces: Map<string, bigint>
  /**
   * The money of payments in a currency that is still to be released, including the part that was debited since: needed for
   * refunds that fail.
   */
  readonly withheld: Map<string, bigint>
  /** Money in suspense that receipts are about and nobody has decided, by its name. */
  readonly undecided: Map<string, UndecidedMoney>
  /** Receipts that were recorded: a second copy changes nothing. */
  readonly recorded: Set<string>
  /** Announced money, by its name: the minor units booked to pending. */
  readonly announced: Map<string, bigint>
  /** The names of money that is no longer on its way, or was final before its announcement came. */
  readonly ended: Set<string>
  /** The latest reports of each outcome of a refund, by the provider's name of the refund. */
  readonly reports: Map<string, readonly RefundReport[]>
  /** The wallets that the batch creates if it needs them, by merchant and currency. */
  readonly missing: Map<string, WalletForMoney>
  /** What the receipts of this batch add to the records of payments. */
  readonly additions: RecordAddition[]
}

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
