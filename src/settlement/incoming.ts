// Money that comes in for a payment: on its way, gone again, or final.
import { must } from '#/kernel/check.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { feeOn } from '#/merchants/fee.ts'
import { paymentEvent } from '#/payments/close.ts'
import type { Payment } from '#/payments/payment.ts'
import { accountsOf, walletOf } from './accounts.ts'
import { book, occasionOf, postAll, type ReceiptRuling } from './book.ts'
import { credited } from './credit.ts'
import { pendingKey } from './related.ts'
import { feeKey, railOf, type Placed, type View } from './view.ts'

/** Money on its way. One whose end was recorded before it came is booked as nothing. */
export function bookSighting(
  view: View,
  receipt: Placed,
  payment: Payment,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const minor = view.related.ended.has(pendingKey(receipt)) ? 0n : receipt.amount.minor
  postAll(batch, recipes.sighted(occasionOf(receipt, payment), accountsOf(view, receipt, payment), minor))
  view.related.open.set(pendingKey(receipt), minor)
  return book(view, receipt, minor, {
    ...payment,
    seenMinor: payment.seenMinor + minor,
    walletId: walletOf(view, receipt, payment),
  })
}

/** What was on its way is gone. */
export function bookDisappearance(
  view: View,
  receipt: Placed,
  payment: Payment,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const announced = takeAnnounced(view, receipt)
  postAll(
    batch,
    recipes.unsighted(occasionOf(receipt, payment), accountsOf(view, receipt, payment), announced),
  )
  return book(view, receipt, announced, { ...payment, seenMinor: payment.seenMinor - announced })
}

/** Final money: credited in full whatever the payment's state, and the state follows from the sum. */
export function bookFinal(
  view: View,
  receipt: Placed,
  payment: Payment,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const rail = railOf(view, receipt)
  const announced = takeAnnounced(view, receipt)
  const arrived = view.units.get(rail)?.credit(receipt) ?? receipt.amount.minor
  const rule = view.fees.get(feeKey(payment.merchantId, rail.method, receipt.amount.currency))
  const fee = feeOn(rule, { before: payment.receivedMinor, arrived })
  const amounts = { announced, arrived, fee }
  postAll(batch, recipes.paid(occasionOf(receipt, payment), accountsOf(view, receipt, payment), amounts))
  const unannounced: Payment = {
    ...payment,
    seenMinor: payment.seenMinor - announced,
    walletId: walletOf(view, receipt, payment),
  }
  const { payment: after, event } = credited(unannounced, { arrived, fee, receipt, at: batch.at })
  view.described.addPaid(payment.id, receipt.attempt, receipt.providerRef)
  const ruling = book(view, receipt, arrived, after)
  const told = must(ruling.change?.payment, 'a booked receipt changes the payment')
  return event === undefined ? ruling : { ...ruling, events: [paymentEvent(event, told, view)] }
}

/** The payer tried and failed: kept for whoever looks, told to nobody, because the payer can try again. */
export function bookDecline(view: View, receipt: Placed, payment: Payment): ReceiptRuling {
  const { failure } = receipt
  const isOpen = payment.status === 'PENDING' || payment.status === 'WAITING_PAYMENT'
  return book(view, receipt, 0n, isOpen && failure ? { ...payment, lastError: failure } : payment)
}

/** What was announced of this money and is still booked as on its way; from now on it is not. */
function takeAnnounced(view: View, receipt: Placed): bigint {
  const key = pendingKey(receipt)
  const minor = view.related.ended.has(key) ? 0n : (view.related.open.get(key) ?? 0n)
  view.related.ended.add(key)
  return minor
}
