// What every decision of settlement ends in: the receipt is recorded, and the payment counts it. Money is posted before, by
// posting.ts.
import type { Placed } from './placed.ts'
import type { PaymentRef } from '#/rails/words.ts'
import type { Dispute } from '#/disputes/dispute.ts'
import type { Ruling } from '#/ledger/kind.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { Spent } from '#/withdrawals/limits.ts'
import type { AttemptId } from '#/kernel/id.ts'
import type { NewWallet } from '#/wallets/queries.ts'
import type { NewReceipt, NewUnmatched } from './queries.ts'
import type { NewRelease } from './release-queries.ts'
import { receiptKey } from './related.ts'
import type { News } from './notify.ts'
import type { View } from './view.ts'

/**
 * - `booked`: it did what it says. - `repeated`: it was there already. - `suspended`: its money fits nothing of ours and
 *   waits for a person. - `noted`: it contradicts what we know; it is recorded and changes nothing. - `differs`: it did what
 *   it says, but not with the amount that it says or by what we knew. - `superseded`: a refusal that somebody heard who has not
 *   the work in hand any more: it is not even recorded.
 * - `unknown_payment`: not even recorded. - `unbookable`: neither, because an account that it moves is in
 *   another currency, or because its amount is none.
 */
export type ReceiptVerdict =
  | 'booked'
  | 'repeated'
  | 'suspended'
  | 'noted'
  | 'differs'
  | 'superseded'
  | 'unknown_payment'
  | 'unbookable'

export type ReceiptChange = {
  readonly receipt?: NewReceipt
  readonly payment?: Payment
  readonly refund?: Refund
  /** Refunds of money that is disputed, or not any more. */
  readonly refunds?: readonly Refund[]
  readonly dispute?: Dispute
  readonly unmatched?: NewUnmatched
  readonly release?: NewRelease
  /** The first of its currency: money came and the merchant had none. */
  readonly wallet?: NewWallet
  /** What counts no more to its day's limit, and what counts to it after all. */
  readonly freed?: readonly Spent[]
  readonly spent?: readonly Spent[]
  /** What was authorised and nobody wants any more: of one attempt, or all that is open of the payment. */
  readonly unwanted?: PaymentRef & { readonly attemptId?: AttemptId }
}

export type ReceiptRuling = Ruling<ReceiptChange, ReceiptVerdict, News>

/** The ruling that records the receipt, with what was booked for it. Moves no money. */
export function recorded(
  view: View,
  receipt: Placed,
  bookedMinor: bigint,
  payment: Payment,
  verdict: ReceiptVerdict = 'booked',
): ReceiptRuling {
  const next: Payment = { ...payment, version: payment.version + 1 }
  view.payments.set(next.id, next)
  view.related.seen.add(receiptKey(receipt))
  return {
    verdict,
    change: { receipt: { receipt, ordinal: next.receipts, bookedMinor }, payment: next },
  }
}
