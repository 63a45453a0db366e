// Puts what was decided into the draft. Nothing else changes it.
import type { ReceiptChange } from './decision.ts'
import type { OpenDraft } from './draft.ts'
import type { NewReceipt, NewUnmatched, Resolved } from './queries.ts'
import { addRecorded, isRefund, receiptKey, refKey } from './related.ts'
import { pieceKey, withheldKey } from './view-refunds.ts'
import { walletKey } from './view-wallets.ts'

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
