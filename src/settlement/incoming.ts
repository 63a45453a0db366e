// Money that comes in for a payment: on its way, gone again, or final.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { next } from '#/kernel/state.ts'
import * as recipes from '#/ledger/recipes.ts'
import { feeOn } from '#/merchants/fee.ts'
import { methodIn, moneyOr, withArrived, withMoney } from '#/payments/money.ts'
import {
  methodOverCode,
  missingMinor,
  paymentStates,
  type Payment,
  type PaymentMoney,
} from '#/payments/payment.ts'
import type { EventType } from '#/webhooks/event.ts'
import type { IncomingAccounts } from './accounts.ts'
import { judged } from './credit.ts'
import {
  recorded,
  type CaseOf,
  type Decision,
  type PaymentNews,
  type PlacedCase,
  type ReceiptChange,
} from './decision.ts'
import { type Placed, occasionOf } from './placed.ts'
import { railOf } from './placement.ts'
import { pendingKey } from './related.ts'
import { sharesOfArrival } from './shares.ts'
import { walletOf } from './view-wallets.ts'
import { feeRuleOf } from './view.ts'

/**
 * Books money on its way; zero if its end was recorded before. An authorisation that covers the payment approves it. An
 * authorisation that the payment does not wait for is booked like any other, and then voided.
 */
export function bookAnnouncement(input: CaseOf<IncomingAccounts>): Decision {
  const { draft, receipt, payment, accounts, at } = input
  const minor = draft.ended.has(pendingKey(receipt)) ? 0n : receipt.amount.minor
  const postings = recipes.moneyAnnounced(occasionOf(receipt, payment), accounts, minor)
  const after = paidBy(receipt, moneyOf(input), { ...payment, seenMinor: payment.seenMinor + minor })
  if (receipt.outcome === 'seen' || minor === 0n) return recorded(receipt, minor, after, { postings })
  const status = next(paymentStates, payment.status, 'authorised')
  if (status === undefined)
    return recorded(receipt, minor, after, { postings, ...unwantedOf(input, 'this one') })
  if (after.seenMinor < missingMinor(after)) return recorded(receipt, minor, after, { postings })
  const approved: Payment = { ...after, status, approvedAt: at }
  return recorded(receipt, minor, approved, { postings, events: newsOf(payment, 'payment.approved') })
}

/** Money that was on its way is gone. An APPROVED payment that is not covered without it ends. */
export function bookAnnouncementEnd(input: CaseOf<IncomingAccounts>): Decision {
  const { facts, receipt, payment, accounts } = input
  const announced = announcedOf(input)
  const postings = recipes.announcementEnded(occasionOf(receipt, payment), accounts, announced)
  const after: Payment = { ...payment, seenMinor: payment.seenMinor - announced }
  const isOver = payment.status === 'APPROVED' && after.seenMinor < missingMinor(after)
  if (!isOver) return recorded(receipt, announced, after, { postings })
  const order = facts.orders.get(receipt.attempt.id)
  const isCanceled = order?.kind === 'VOID' && order.isRequested
  const status = next(paymentStates, payment.status, isCanceled ? 'canceled' : 'lapsed')
  const ended: Payment = { ...after, status: must(status, 'what was approved can end') }
  const events = newsOf(payment, isCanceled ? 'payment.canceled' : 'payment.expired')
  return recorded(receipt, announced, ended, { postings, events })
}

/** Final money: credited in full whatever the payment's state, and the state follows from the sum. */
export function bookFinal(input: CaseOf<IncomingAccounts>): Decision {
  const { facts, receipt, minor: arrived, payment, accounts, at } = input
  const announced = announcedOf(input)
  const money = moneyOf(input)
  const { receivedMinor: received, feeMinor: charged } = methodIn(money, receipt.method)
  const delayMs = railOf(facts, receipt).settlementDelayMs?.(receipt.connection) ?? 0
  const due = feeOn(feeRuleOf(facts.fees, receipt, payment), { received, charged, arrived })
  // A piece that our fee uses up does not wait: there would be nothing to release.
  const isWaiting = delayMs > 0 && due < arrived
  // What the shares leave of this piece pays our fee; the rest of the fee is charged with the next piece.
  const { fee, ...shares } = sharesOfArrival(input, { due, waits: isWaiting })
  const waits = isWaiting ? arrived - fee : 0n
  const recipe = waits > 0n ? recipes.paidUnreleased : recipes.paid
  const postings = shares.among(recipe(occasionOf(receipt, payment), accounts, { announced, arrived, fee }))
  const come = withArrived(money, receipt.method, { arrived, fee })
  const unannounced = paidBy(
    receipt,
    { ...come, unreleasedMinor: money.unreleasedMinor + waits + shares.unreleasedMinor },
    { ...payment, seenMinor: payment.seenMinor - announced },
  )
  const { payment: after, event } = judged(unannounced, { arrived, fee, receipt, at })
  const { merchantId, id: paymentId, receipts: ordinal } = payment
  const wait = { minor: waits, shareMinors: shares.shareMinors, delayMs }
  const release = { merchantId, paymentId, ordinal, currency: receipt.amount.currency, ...wait }
  // The payer must not pay twice: all other authorisations of the payment are voided.
  const isTwice = after.status === 'PAID' && after.seenMinor > 0n
  return recorded(receipt, arrived, after, {
    postings,
    isDuplicate: payment.status === 'PAID',
    events: [...newsOf(payment, event), ...shares.events],
    ...given({ split: shares.split }),
    ...(waits === 0n ? {} : { release }),
    ...(isTwice ? unwantedOf(input, 'all') : {}),
  })
}

function moneyOf({ facts, receipt, payment }: PlacedCase): PaymentMoney {
  return moneyOr(payment, receipt.amount.currency, walletOf(facts.wallets, receipt, payment))
}

/** The method that pays becomes the payment's method, and its wallet the payment's wallet; a checkout's payer may have tried others. */
function paidBy({ method }: Placed, money: PaymentMoney, payment: Payment): Payment {
  const after = withMoney(payment, money)
  return payment.status === 'PAID' ? after : { ...after, method, walletId: money.walletId }
}

/** The payer tried and failed. It is kept as the payment's last error and no event is written, because the payer can try again. */
export function bookDecline({ receipt, payment }: PlacedCase): Decision {
  const { failure } = receipt
  const isOpen = payment.status === 'PENDING' || payment.status === 'WAITING_PAYMENT'
  // What is over is canceled at its provider, which then declines it: the payer is still told that its time is over.
  const { lastError } = payment
  const isOver = lastError?.code === methodOverCode && lastError.method === receipt.method
  if (!isOpen || isOver || failure === undefined) return recorded(receipt, 0n, payment)
  return recorded(receipt, 0n, { ...payment, lastError: { ...failure, method: receipt.method } })
}

function newsOf({ id: paymentId }: Payment, type: EventType | undefined): readonly PaymentNews[] {
  return type === undefined ? [] : [{ paymentId, type }]
}

/** The authorisations that have to be voided. Money on a chain is no authorisation, so it stays. */
function unwantedOf(
  { facts, receipt }: PlacedCase,
  which: 'this one' | 'all',
): Pick<ReceiptChange, 'unwanted'> {
  if (railOf(facts, receipt).authorisations === undefined) return {}
  const { id: attemptId, merchantId, paymentId } = receipt.attempt
  return { unwanted: { merchantId, paymentId, ...(which === 'all' ? {} : { attemptId }) } }
}

/** What of this money is still booked as on its way. */
function announcedOf({ draft, receipt }: PlacedCase): bigint {
  const key = pendingKey(receipt)
  return draft.ended.has(key) ? 0n : (draft.announced.get(key) ?? 0n)
}
