// Money that comes in for a payment: on its way, gone again, or final.
import { must } from '#/kernel/check.ts'
import { minOf } from '#/kernel/money.ts'
import { next } from '#/kernel/state.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { feeOn } from '#/merchants/fee.ts'
import { methodIn, moneyOr, withArrived, withMoney } from '#/payments/money.ts'
import { missingMinor, paymentStates, type Payment, type PaymentMoney } from '#/payments/payment.ts'
import type { EventType } from '#/webhooks/event.ts'
import type { IncomingAccounts } from './accounts.ts'
import { judged } from './credit.ts'
import type { Placed } from './placed.ts'
import { railOf } from './placement.ts'
import { occasionOf, postAll } from './posting.ts'
import { recorded, type ReceiptChange, type ReceiptRuling } from './recorded.ts'
import { pendingKey } from './related.ts'
import type { NewRelease } from './release-queries.ts'
import { sharesOfArrival } from './shares.ts'
import { feeRuleOf } from './view-fees.ts'
import { pieceKey, withheldKey } from './view-refunds.ts'
import { walletOf } from './view-wallets.ts'
import type { View } from './view.ts'

/**
 * Books money on its way; zero if its end was recorded before. An authorisation that covers the payment approves it. An
 * authorisation that the payment does not wait for is booked like any other, and then voided.
 */
export function bookAnnouncement(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: IncomingAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const minor = view.related.ended.has(pendingKey(receipt)) ? 0n : receipt.amount.minor
  postAll(batch, recipes.moneyAnnounced(occasionOf(receipt, payment), accounts, minor))
  view.related.announced.set(pendingKey(receipt), minor)
  const money = moneyOf(view, receipt, payment)
  const after = paidBy(receipt, money, { ...payment, seenMinor: payment.seenMinor + minor })
  if (receipt.outcome === 'seen' || minor === 0n) return recorded(view, receipt, minor, after)
  view.additions.push(receipt)
  const status = next(paymentStates, payment.status, 'authorised')
  if (status === undefined) return withUnwanted(view, receipt, recorded(view, receipt, minor, after))
  if (after.seenMinor < missingMinor(after)) return recorded(view, receipt, minor, after)
  const approved: Payment = { ...after, status, approvedAt: batch.at }
  return notifying(recorded(view, receipt, minor, approved), 'payment.approved')
}

/** Money that was on its way is gone. An APPROVED payment that is not covered without it ends. */
export function bookAnnouncementEnd(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: IncomingAccounts,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const announced = endAnnounced(view, receipt)
  postAll(batch, recipes.announcementEnded(occasionOf(receipt, payment), accounts, announced))
  const after: Payment = { ...payment, seenMinor: payment.seenMinor - announced }
  const isOver = payment.status === 'APPROVED' && after.seenMinor < missingMinor(after)
  if (!isOver) return recorded(view, receipt, announced, after)
  const order = view.orders.get(receipt.attempt.id)
  const isCanceled = order?.kind === 'VOID' && order.isRequested
  const status = next(paymentStates, payment.status, isCanceled ? 'canceled' : 'lapsed')
  const ended: Payment = { ...after, status: must(status, 'what was approved can end') }
  const ruling = recorded(view, receipt, announced, ended)
  return notifying(ruling, isCanceled ? 'payment.canceled' : 'payment.expired')
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
  const announced = endAnnounced(view, receipt)
  const arrived = view.units.get(rail)?.credit(receipt) ?? receipt.amount.minor
  const money = moneyOf(view, receipt, payment)
  const { receivedMinor: received, feeMinor: charged } = methodIn(money, receipt.method)
  const delayMs = rail.settlementDelayMs?.(receipt.connection) ?? 0
  const due = feeOn(feeRuleOf(view.fees, receipt, payment), { received, charged, arrived })
  // A piece that our fee uses up does not wait: there would be nothing to release.
  const isWaiting = delayMs > 0 && due < arrived
  const shares = sharesOfArrival(view, receipt, payment, accounts, {
    arrived,
    waits: isWaiting,
    books: batch.books,
  })
  // What the shares leave of this piece pays our fee; the rest of the fee is charged with the next piece.
  const fee = minOf(due, shares.feeRoomMinor)
  const waits = isWaiting ? arrived - fee : 0n
  const recipe = waits > 0n ? recipes.paidUnreleased : recipes.paid
  const amounts = { announced, arrived, fee }
  const group = shares.among(recipe(occasionOf(receipt, payment), accounts, amounts), fee)
  postAll(batch, group.postings)
  const come = withArrived(money, receipt.method, { arrived, fee })
  const unannounced = paidBy(
    receipt,
    { ...come, unreleasedMinor: money.unreleasedMinor + waits + group.unreleasedMinor },
    { ...payment, seenMinor: payment.seenMinor - announced },
  )
  const { payment: after, event } = judged(unannounced, { arrived, fee, receipt, at: batch.at })
  view.back.pieces.set(
    pieceKey({ paymentId: payment.id, connection: receipt.connection, paidRef: receipt.providerRef }),
    arrived,
  )
  view.additions.push(receipt)
  const noted = asDuplicate(recorded(view, receipt, arrived, after), payment.status === 'PAID')
  const booked =
    group.split === undefined ? noted : { ...changing(noted, { split: group.split }), events: group.events }
  const ruling = withRelease(view, receipt, booked, { minor: waits, shareMinors: group.shareMinors, delayMs })
  // The payer must not pay twice: all other authorisations of the payment are voided.
  const isTwice = after.status === 'PAID' && after.seenMinor > 0n
  return notifying(isTwice ? withUnwanted(view, receipt, ruling, 'all') : ruling, event)
}

function moneyOf(view: View, receipt: Placed, payment: Payment): PaymentMoney {
  return moneyOr(payment, receipt.amount.currency, walletOf(view.wallets, receipt, payment))
}

/** The method that pays becomes the payment's method, and its wallet the payment's wallet; a checkout's payer may have tried others. */
function paidBy({ method }: Placed, money: PaymentMoney, payment: Payment): Payment {
  const after = withMoney(payment, money)
  return payment.status === 'PAID' ? after : { ...after, method, walletId: money.walletId }
}

/** The payer tried and failed. It is kept as the payment's last error and no event is written, because the payer can try again. */
export function bookDecline(view: View, receipt: Placed, payment: Payment): ReceiptRuling {
  const { failure } = receipt
  const isOpen = payment.status === 'PENDING' || payment.status === 'WAITING_PAYMENT'
  if (!isOpen || failure === undefined) return recorded(view, receipt, 0n, payment)
  return recorded(view, receipt, 0n, { ...payment, lastError: { ...failure, method: receipt.method } })
}

function notifying(ruling: ReceiptRuling, event: EventType | undefined): ReceiptRuling {
  if (event === undefined) return ruling
  const payment = must(ruling.change?.payment, 'a booked receipt changes the payment')
  return { ...ruling, events: [{ paymentId: payment.id, type: event }, ...(ruling.events ?? [])] }
}

function withRelease(
  view: View,
  { amount, attempt }: Placed,
  ruling: ReceiptRuling,
  wait: Pick<NewRelease, 'minor' | 'shareMinors' | 'delayMs'>,
): ReceiptRuling {
  const { minor } = wait
  if (minor === 0n) return ruling
  const { merchantId, paymentId } = attempt
  const key = withheldKey(paymentId, amount.currency)
  view.back.withheld.set(key, (view.back.withheld.get(key) ?? 0n) + minor)
  const ordinal = must(ruling.change?.receipt, 'a booked receipt is recorded').ordinal
  const release = { merchantId, paymentId, ordinal, currency: amount.currency, ...wait }
  return changing(ruling, { release })
}

/** Marks money that came when the payment was PAID already, so that a refund returns that money first. */
function asDuplicate(ruling: ReceiptRuling, isDuplicate: boolean): ReceiptRuling {
  const receipt = must(ruling.change?.receipt, 'a booked receipt is recorded')
  return changing(ruling, { receipt: { ...receipt, isDuplicate } })
}

/** Authorisations that have to be voided. Money on a chain is no authorisation, so it stays. */
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

/** Ends what was announced of this money. Returns what is still booked as on its way. */
function endAnnounced(view: View, receipt: Placed): bigint {
  const key = pendingKey(receipt)
  const minor = view.related.ended.has(key) ? 0n : (view.related.announced.get(key) ?? 0n)
  view.related.ended.add(key)
  return minor
}
