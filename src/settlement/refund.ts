// How a refund ended, by the provider's word. It may take its word back: the money did what it says last.
import { sha256 } from '#/kernel/secret.ts'
import { next } from '#/kernel/state.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import { refundEvent, refundStates, type Refund } from '#/refunds/refund.ts'
import { accountsOf, sourcesOf } from './accounts.ts'
import { book, occasionOf, postAll, type ReceiptRuling } from './book.ts'
import type { Placed, View } from './view.ts'

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
  // More than came cannot have gone back: a bank that says so has to be asked by a person.
  const refunded = refund === undefined ? 0n : refundedAfter(payment, refund, event)
  if (refund === undefined || status === undefined || !isOurs || refunded > payment.receivedMinor)
    return book(view, receipt, 0n, payment, 'noted')

  const { failure: _earlier, completedAt: _before, ...rest } = refund
  const ended: Refund = {
    ...rest,
    status,
    version: refund.version + 1,
    ...(event === 'done' ? { completedAt: batch.at } : {}),
    ...(receipt.txHash === undefined ? {} : { txHash: receipt.txHash }),
    ...(event === 'failed' && receipt.failure !== undefined ? { failure: receipt.failure } : {}),
  }
  view.refunds.set(ended.id, ended)
  const minor = refund.amountMinor
  postAll(batch, postingsOf(view, receipt, payment, refund, ended))
  const ruling = book(view, receipt, minor, { ...payment, refundedMinor: refunded })
  return {
    ...ruling,
    change: { ...ruling.change, refund: ended },
    events: [refundEvent(event === 'done' ? 'refund.completed' : 'refund.failed', ended, payment)],
  }
}

/** A refund counts as given back from its acceptance on, and no more once it failed. */
function refundedAfter(payment: Payment, { status, amountMinor }: Refund, event: 'done' | 'failed'): bigint {
  if (event === 'failed') return payment.refundedMinor - amountMinor
  return status === 'FAILED' ? payment.refundedMinor + amountMinor : payment.refundedMinor
}

function postingsOf(view: View, receipt: Placed, payment: Payment, before: Refund, after: Refund) {
  const accounts = accountsOf(view, receipt, payment)
  const minor = before.amountMinor
  const occasion: recipes.Occasion = {
    subject: before.id,
    ordinal: after.version,
    cause: sha256(receipt.evidence),
  }
  if (after.status === 'COMPLETED' && before.status === 'PENDING')
    return recipes.heldLeft(occasion, accounts, minor)
  if (after.status === 'COMPLETED') {
    // It had failed, and its money was the merchant's again: it is taken as a dispute takes.
    const sources = sourcesOf(view, receipt, payment)
    return [
      ...recipes.disputeHeld(occasion, { ...accounts, sources }, minor, 'REFUND'),
      ...recipes.heldLeft(occasion, accounts, minor),
    ]
  }
  if (before.status === 'PENDING') return recipes.refundReleased(occasion, accounts, minor)
  return recipes.refundReturned({ refund: occasion, payment: occasionOf(receipt, payment) }, accounts, minor)
}
