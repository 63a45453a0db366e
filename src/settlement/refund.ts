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
import { takenFrom, type HeldAccounts, type TakenAccounts } from './accounts.ts'
import { occasionOf, postAll } from './posting.ts'
import { recorded, type ReceiptRuling } from './recorded.ts'
import { releasing } from './held-back.ts'
import type { View } from './view.ts'

/** The payer has the money. */
export function bookRefundDone(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: TakenAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const found = findEnding(view, receipt, payment, 'done')
  if (found === undefined) return recorded(view, receipt, 0n, payment, 'noted')
  const { refund, money } = found
  const { amountMinor: minor } = refund
  const done: Refund = { ...found.ended, completedAt: batch.at }
  const occasion = occasionOfRefund(receipt, done)
  // Its money was the merchant's again, because it had failed or was held back: it is taken as a dispute takes.
  const taken = isSetAside(refund)
    ? []
    : recipes.disputeHeld(
        occasion,
        { ...takenFrom(accounts, money.unreleasedMinor), held: accounts.held },
        minor,
        'REFUND',
      )
  const after: PaymentMoney = {
    ...money,
    refundedMinor: money.refundedMinor + (refund.status === 'FAILED' ? minor : 0n),
    unreleasedMinor: money.unreleasedMinor - (isSetAside(refund) ? 0n : minOf(money.unreleasedMinor, minor)),
  }
  postAll(batch, [...taken, ...recipes.heldLeft(occasion, accounts, minor)])
  view.back.refunds.set(done.id, done)
  // It had failed, its money was given back by another one, and now it is gone twice: that is the merchant's debt.
  const isTooMuch = after.refundedMinor > receivedOf(money)
  const ruling = recorded(view, receipt, minor, withMoney(payment, after), isTooMuch ? 'differs' : 'booked')
  const spent = refund.status === 'FAILED' ? { spent: spentByRefund(done) } : {}
  return {
    ...ruling,
    change: { ...ruling.change, refund: done, ...spent },
    events: [refundEvent('refund.completed', done, payment)],
  }
}

/** The provider gave nothing back, or what it gave came back. */
export function bookRefundFailed(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: HeldAccounts,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const found = findEnding(view, receipt, payment, 'failed')
  if (found === undefined) return recorded(view, receipt, 0n, payment, 'noted')
  const { refund, money } = found
  const { amountMinor: minor } = refund
  const { failure } = receipt
  const failed: Refund = { ...found.ended, ...(failure === undefined ? {} : { failure }) }
  const occasion = occasionOfRefund(receipt, failed)
  const { postings, unreleasedMinor } = givenBack(view, { refund, money }, accounts, {
    refund: occasion,
    payment: occasionOf(receipt, payment),
  })
  postAll(batch, postings)
  view.back.refunds.set(failed.id, failed)
  const after = { ...money, refundedMinor: money.refundedMinor - minor, unreleasedMinor }
  const ruling = recorded(view, receipt, postings.length === 0 ? 0n : minor, withMoney(payment, after))
  return {
    ...ruling,
    change: { ...ruling.change, refund: failed, freed: spentByRefund(failed) },
    events: [refundEvent('refund.failed', failed, payment)],
  }
}

type Ending = {
  /** Before the word. */
  readonly refund: Refund
  /** After it, but for when it was completed and why it failed. */
  readonly ended: Refund
  readonly money: PaymentMoney
}

/** The refund that ends by this word; undefined for one that is none of the payment, of another amount, or ended so. */
function findEnding(
  view: View,
  receipt: Placed,
  payment: Payment,
  event: 'done' | 'failed',
): Ending | undefined {
  const refund = receipt.refund === undefined ? undefined : view.back.refunds.get(receipt.refund)
  const status = refund && next(refundStates, refund.status, event)
  const isOurs = refund?.paymentId === payment.id && refund.amountMinor === receipt.amount.minor
  if (refund === undefined || status === undefined || !isOurs) return undefined
  const { failure: _earlier, completedAt: _before, ...rest } = refund
  const ended: Refund = {
    ...rest,
    status,
    isHeldBack: false,
    approvalRequired: false,
    version: refund.version + 1,
    ...(receipt.txHash === undefined ? {} : { txHash: receipt.txHash }),
  }
  return { refund, ended, money: moneyOr(payment, receipt.amount.currency, refund.walletId) }
}

/** Whether its amount is set aside, and was not given to a dispute. */
function isSetAside({ status, isHeldBack }: Refund): boolean {
  return status === 'PENDING' && !isHeldBack
}

/** What a refund that failed gives the merchant, and what of the payment's money in this currency is not released after it. */
function givenBack(
  view: View,
  { refund, money }: Pick<Ending, 'refund' | 'money'>,
  accounts: HeldAccounts,
  occasions: { readonly refund: recipes.Occasion; readonly payment: recipes.Occasion },
) {
  if (isSetAside(refund)) return releasing(view, accounts, money, { refund, occasion: occasions.refund })
  const { unreleasedMinor } = money
  // Held back, it has set nothing aside.
  if (refund.status === 'PENDING') return { postings: [], unreleasedMinor }
  return { postings: recipes.refundReturned(occasions, accounts, refund.amountMinor), unreleasedMinor }
}

function occasionOfRefund(receipt: Placed, { id, version }: Refund): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(receipt.evidence) }
}
