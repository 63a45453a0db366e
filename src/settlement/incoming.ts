// Money that comes in for a payment: on its way, gone again, or final.
import type { Placed } from './placed.ts'
import { must } from '#/kernel/check.ts'
import { next } from '#/kernel/state.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { feeOn } from '#/merchants/fee.ts'
import { methodIn, moneyOr, withArrived, withMoney } from '#/payments/money.ts'
import { missingMinor, paymentStates, type Payment, type PaymentMoney } from '#/payments/payment.ts'
import type { EventType } from '#/webhooks/event.ts'
import type { IncomingAccounts } from './accounts.ts'
import { occasionOf, postAll } from './posting.ts'
import { recorded, type ReceiptChange, type ReceiptRuling } from './recorded.ts'
import { judged } from './credit.ts'
import { pendingKey } from './related.ts'
import { railOf } from './placement.ts'
import type { View } from './view.ts'
import { feeRuleOf } from './view-fees.ts'
import { pieceKey, withheldKey } from './view-refunds.ts'
import { walletOf } from './view-wallets.ts'

/**
 * Money on its way. Money whose end was recorded before it came is booked as zero. An authorisation that covers the payment approves it;
 * one that comes when nobody waits for it is booked like any other, and then voided.
 */
export function bookSighting(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: IncomingAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const minor = view.related.ended.has(pendingKey(receipt)) ? 0n : receipt.amount.minor
  postAll(batch, recipes.sighted(occasionOf(receipt, payment), accounts, minor))
  view.related.open.set(pendingKey(receipt), minor)
  const money = moneyOf(view, receipt, payment)
  const sighted = paidBy(receipt, money, { ...payment, seenMinor: payment.seenMinor + minor })
  if (receipt.outcome === 'seen' || minor === 0n) return recorded(view, receipt, minor, sighted)
  view.heard.push(receipt)
  const status = next(paymentStates, payment.status, 'authorised')
  if (status === undefined) return withUnwanted(view, receipt, recorded(view, receipt, minor, sighted))
  if (sighted.seenMinor < missingMinor(sighted)) return recorded(view, receipt, minor, sighted)
  const approved: Payment = { ...sighted, status, approvedAt: batch.at }
  return telling(recorded(view, receipt, minor, approved), 'payment.approved')
}

/** What was on its way is gone. A payment that had nothing but this authorisation is over. */
export function bookDisappearance(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: IncomingAccounts,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const announced = takeAnnounced(view, receipt)
  postAll(batch, recipes.unsighted(occasionOf(receipt, payment), accounts, announced))
  const after: Payment = { ...payment, seenMinor: payment.seenMinor - announced }
  const isOver = payment.status === 'APPROVED' && after.seenMinor < missingMinor(after)
  if (!isOver) return recorded(view, receipt, announced, after)
  const order = view.orders.get(receipt.attempt.id)
  const isCanceled = order?.kind === 'VOID' && order.isAsked
  const status = next(paymentStates, payment.status, isCanceled ? 'canceled' : 'lapsed')
  const ended: Payment = { ...after, status: must(status, 'what was approved can end') }
  const ruling = recorded(view, receipt, announced, ended)
  return telling(ruling, isCanceled ? 'payment.canceled' : 'payment.expired')
}

/** Final money: credited in full whatever the payment's state, and the state follows from the sum. */
export function bookFinal(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: IncomingAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const rail = railOf(view, receipt)
  const announced = takeAnnounced(view, receipt)
  const arrived = view.units.get(rail)?.credit(receipt) ?? receipt.amount.minor
  const money = moneyOf(view, receipt, payment)
  const { receivedMinor: received, feeMinor: charged } = methodIn(money, receipt.method)
  const fee = feeOn(feeRuleOf(view.fees, receipt, payment), { received, charged, arrived })
  const delayMs = rail.settlementDelayMs?.(receipt.connection) ?? 0
  const waits = delayMs > 0 ? arrived - fee : 0n
  // Nothing waits of a piece that our fee takes whole: there would be nothing to release.
  const recipe = waits > 0n ? recipes.paidUnreleased : recipes.paid
  const amounts = { announced, arrived, fee }
  postAll(batch, recipe(occasionOf(receipt, payment), accounts, amounts))
  const come = withArrived(money, receipt.method, { arrived, fee })
  const unannounced = paidBy(
    receipt,
    { ...come, unreleasedMinor: money.unreleasedMinor + waits },
    { ...payment, seenMinor: payment.seenMinor - announced },
  )
  const { payment: after, event } = judged(unannounced, { arrived, fee, receipt, at: batch.at })
  view.back.pieces.set(
    pieceKey({ paymentId: payment.id, connection: receipt.connection, paidRef: receipt.providerRef }),
    arrived,
  )
  view.heard.push(receipt)
  const booked = asDuplicate(recorded(view, receipt, arrived, after), payment.status === 'PAID')
  const ruling = withRelease(view, receipt, booked, waits, delayMs)
  // Nobody pays twice: whatever else was authorised for it is let go.
  const isTwice = after.status === 'PAID' && after.seenMinor > 0n
  return telling(isTwice ? withUnwanted(view, receipt, ruling, 'all') : ruling, event)
}

function moneyOf(view: View, receipt: Placed, payment: Payment): PaymentMoney {
  return moneyOr(payment, receipt.amount.currency, walletOf(view.wallets, receipt, payment))
}

/** Of the methods that a checkout's payer tried, the one that pays is the payment's, and so is its wallet. */
function paidBy({ method }: Placed, money: PaymentMoney, payment: Payment): Payment {
  const after = withMoney(payment, money)
  return payment.status === 'PAID' ? after : { ...after, method, walletId: money.walletId }
}

/** The payer tried and failed: kept for whoever looks, told to nobody, because the payer can try again. */
export function bookDecline(view: View, receipt: Placed, payment: Payment): ReceiptRuling {
  const { failure } = receipt
  const isOpen = payment.status === 'PENDING' || payment.status === 'WAITING_PAYMENT'
  if (!isOpen || failure === undefined) return recorded(view, receipt, 0n, payment)
  return recorded(view, receipt, 0n, { ...payment, lastError: { ...failure, method: receipt.method } })
}

function telling(ruling: ReceiptRuling, event: EventType | undefined): ReceiptRuling {
  if (event === undefined) return ruling
  const told = must(ruling.change?.payment, 'a booked receipt changes the payment')
  return { ...ruling, events: [{ paymentId: told.id, type: event }] }
}

function withRelease(
  view: View,
  { amount, attempt }: Placed,
  ruling: ReceiptRuling,
  minor: bigint,
  delayMs: number,
): ReceiptRuling {
  if (minor === 0n) return ruling
  const { merchantId, paymentId } = attempt
  const key = withheldKey(paymentId, amount.currency)
  view.back.withheld.set(key, (view.back.withheld.get(key) ?? 0n) + minor)
  const ordinal = must(ruling.change?.receipt, 'a booked receipt is recorded').ordinal
  const release = { merchantId, paymentId, ordinal, currency: amount.currency, minor, delayMs }
  return changing(ruling, { release })
}

/** Marks money that came when the payment was PAID already: a refund gives that money back first. */
function asDuplicate(ruling: ReceiptRuling, isDuplicate: boolean): ReceiptRuling {
  const receipt = must(ruling.change?.receipt, 'a booked receipt is recorded')
  return changing(ruling, { receipt: { ...receipt, isDuplicate } })
}

/** Only money on a chain cannot be voided: it is left as it is. */
function withUnwanted(view: View, receipt: Placed, ruling: ReceiptRuling, which?: 'all'): ReceiptRuling {
  if (railOf(view, receipt).authorisations === undefined) return ruling
  const { id: attemptId, merchantId, paymentId } = receipt.attempt
  return changing(ruling, {
    unwanted: { merchantId, paymentId, ...(which === 'all' ? {} : { attemptId }) },
  })
}

function changing(ruling: ReceiptRuling, more: ReceiptChange): ReceiptRuling {
  return { ...ruling, change: { ...ruling.change, ...more } }
}

/** What was announced of this money and is still booked as on its way; from now on it is not. */
function takeAnnounced(view: View, receipt: Placed): bigint {
  const key = pendingKey(receipt)
  const minor = view.related.ended.has(key) ? 0n : (view.related.open.get(key) ?? 0n)
  view.related.ended.add(key)
  return minor
}
