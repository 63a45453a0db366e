// The last part of every decision of settlement: the receipt is recorded, and the payment counts it. posting.ts has posted the
// money before.
import type { Dispute } from '#/disputes/dispute.ts'
import type { AttemptId } from '#/kernel/id.ts'
import type { Ruling } from '#/ledger/kind.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Split } from '#/payments/shares.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { NewWallet } from '#/wallets/queries.ts'
import type { Spent } from '#/withdrawals/limits.ts'
import type { News } from './notify.ts'
import type { Placed } from './placed.ts'
import type { NewReceipt, NewUnmatched, Resolved } from './queries.ts'
import { receiptKey } from './related.ts'
import type { NewRelease } from './release-queries.ts'
import type { View } from './view.ts'

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
  readonly split?: Split
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

export type ReceiptRuling = Ruling<ReceiptChange, ReceiptVerdict, News>

/** The ruling that records the receipt and the amount that was booked for it. Moves no money. */
export function recorded(
  view: View,
  receipt: Placed,
  bookedMinor: bigint,
  payment: Payment,
  verdict: ReceiptVerdict = 'booked',
): ReceiptRuling {
  const next: Payment = { ...payment, version: payment.version + 1 }
  view.payments.set(next.id, next)
  view.related.recorded.add(receiptKey(receipt))
  return {
    verdict,
    change: { receipt: { receipt, ordinal: next.receipts, bookedMinor }, payment: next },
  }
}
