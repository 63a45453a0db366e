// How a refund ended, by the provider's word. It may take its word back: the money did what it says last.
// Inspected by audit/settlement/refund.ts.
import type { Placed } from './placed.ts'
import { minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { next } from '#/kernel/state.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { moneyOr, receivedOf, withMoney } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { refundEvent, refundStates, type Refund } from '#/refunds/refund.ts'
import { spentByRefund } from '#/refunds/rules.ts'
import type { Spent } from '#/withdrawals/limits.ts'
import { accountsOf, takenFrom } from './accounts.ts'
import { book, occasionOf, postAll, type ReceiptRuling } from './book.ts'
import { releasing } from './held-back.ts'
import type { View } from './view.ts'

export function bookRefundEnd(
  view: View,
  receipt: Placed,
  payment: Payment,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const refund = receipt.refund === undefined ? undefined : view.refunds.get(receipt.refund)
  const event = receipt.outcome === 'refunded' ? 'done' : 'failed'
  const status = refund && next(refundStates, refund.status, event)
  const isOurs = refund?.paymentId === payment.id && refund.amountMinor === receipt.amount.minor
  if (refund === undefined || status === undefined || !isOurs)
    return book(view, receipt, 0n, payment, 'noted')
  const money = moneyOr(payment, receipt.amount.currency, refund.walletId)
  const refundedMinor = refundedAfter(money, refund, event)
  // It had failed, its money was given back by another one, and now it is gone twice: that is the merchant's debt.
  const isTooMuch = event === 'done' && refundedMinor > receivedOf(money)

  const { failure: _earlier, completedAt: _before, ...rest } = refund
  const ended: Refund = {
    ...rest,
    status,
    isHeldBack: false,
    approvalRequired: false,
    version: refund.version + 1,
    ...(event === 'done' ? { completedAt: batch.at } : {}),
    ...(receipt.txHash === undefined ? {} : { txHash: receipt.txHash }),
    ...(event === 'failed' && receipt.failure !== undefined ? { failure: receipt.failure } : {}),
  }
  view.refunds.set(ended.id, ended)
  const minor = refund.amountMinor
  const { postings, unreleasedMinor } = bookingOf(view, receipt, { payment, money }, refund, ended)
  postAll(batch, postings)
  const after = withMoney(payment, { ...money, refundedMinor, unreleasedMinor })
  const booked = postings.length === 0 ? 0n : minor
  const ruling = book(view, receipt, booked, after, isTooMuch ? 'differs' : 'booked')
  return {
    ...ruling,
    change: { ...ruling.change, refund: ended, ...countedBy(refund, ended) },
    events: [refundEvent(event === 'done' ? 'refund.completed' : 'refund.failed', ended, payment)],
  }
}

/** What leaves by our own hand counts to its day's limit, unless it failed. */
function countedBy(before: Refund, after: Refund): { freed?: readonly Spent[]; spent?: readonly Spent[] } {
  if (after.status === 'FAILED') return { freed: spentByRefund(after) }
  return before.status === 'FAILED' ? { spent: spentByRefund(after) } : {}
}

/** A refund counts as given back from its acceptance on, and no more once it failed. */
function refundedAfter(
  { refundedMinor }: PaymentMoney,
  { status, amountMinor }: Refund,
  event: 'done' | 'failed',
): bigint {
  if (event === 'failed') return refundedMinor - amountMinor
  return status === 'FAILED' ? refundedMinor + amountMinor : refundedMinor
}

/** What it moves, and what of the payment's money in this currency is not released after it. */
function bookingOf(
  view: View,
  receipt: Placed,
  { payment, money }: { readonly payment: Payment; readonly money: PaymentMoney },
  before: Refund,
  after: Refund,
) {
  const accounts = accountsOf(view, receipt, payment)
  const { unreleasedMinor } = money
  const minor = before.amountMinor
  const occasion: recipes.Occasion = {
    subject: before.id,
    ordinal: after.version,
    cause: sha256(receipt.evidence),
  }
  const isHeld = before.status === 'PENDING' && !before.isHeldBack
  if (after.status === 'COMPLETED' && isHeld)
    return { postings: recipes.heldLeft(occasion, accounts, minor), unreleasedMinor }
  if (after.status === 'COMPLETED') {
    // Its money was the merchant's again, because it had failed or was held back: it is taken as a dispute takes.
    const from = { ...takenFrom(view, receipt, payment), held: accounts.held }
    const postings = [
      ...recipes.disputeHeld(occasion, from, minor, 'REFUND'),
      ...recipes.heldLeft(occasion, accounts, minor),
    ]
    return { postings, unreleasedMinor: unreleasedMinor - minOf(unreleasedMinor, minor) }
  }
  if (isHeld) return releasing(view, accounts, money, { refund: before, occasion })
  if (before.status === 'PENDING') return { postings: [], unreleasedMinor }
  const occasions = { refund: occasion, payment: occasionOf(receipt, payment) }
  return { postings: recipes.refundReturned(occasions, accounts, minor), unreleasedMinor }
}
