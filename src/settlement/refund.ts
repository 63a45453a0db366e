// How a refund ended, as reported by its provider. The provider may revoke a report: its answer to the last query counts (`occurrenceOf`).
// Inspected by audit/settlement/refund.ts.
import { claimKey, type Inquiry } from '#/jobs/claim.ts'
import { given } from '#/kernel/given.ts'
import { minOf } from '#/kernel/money.ts'
import { next } from '#/kernel/state.ts'
import * as recipes from '#/ledger/recipes.ts'
import { moneyOr, receivedOf, withMoney } from '#/payments/money.ts'
import type { PaymentMoney } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundEvent, refundStates, type Refund } from '#/refunds/refund.ts'
import { spentByRefund } from '#/refunds/rules.ts'
import { debitSources, type HeldAccounts, type DebitAccounts } from './accounts.ts'
import { recorded, type CaseOf, type Decision, type PlacedCase } from './decision.ts'
import type { Draft } from './draft.ts'
import { releasing } from './held-back.ts'
import { occasionOf, occasionOfVersion } from './placed.ts'
import { isRefund, refKey } from './related.ts'
import { takeSharesBack } from './shares.ts'
import type { Facts } from './view.ts'

/** The payer has the money. */
export function bookRefundDone(input: CaseOf<DebitAccounts>): Decision {
  const { receipt, payment, accounts, at } = input
  const found = findEnding(input, 'done')
  if (found === undefined) return recorded(receipt, 0n, payment, { verdict: 'noted' })
  const { refund, money } = found
  const { amountMinor: minor, paidRef } = refund
  const done: Refund = { ...found.ended, completedAt: at }
  const occasion = occasionOfVersion(receipt, done)
  const isAgain = refund.status === 'FAILED'
  const again = isAgain ? minor : 0n
  const refunded = { ...money, refundedMinor: money.refundedMinor + again }
  const shares = takeSharesBack(input, withMoney(payment, refunded), accounts, { paidRef, minor: again })
  const unreleasedMinor = money.unreleasedMinor + shares.unreleasedMinor
  // Its money was the merchant's again, because it had failed or was held back: it is debited as for a dispute.
  const debit = isSetAside(refund)
    ? []
    : recipes.disputeHeld(
        occasion,
        { ...debitSources(accounts, unreleasedMinor), held: accounts.held },
        minor,
        'REFUND',
      )
  const after: PaymentMoney = {
    ...refunded,
    unreleasedMinor: unreleasedMinor - (isSetAside(refund) ? 0n : minOf(unreleasedMinor, minor)),
  }
  return recorded(receipt, minor, withMoney(payment, after), {
    // It had failed, another refund returned its money, and now the money is gone twice: the merchant owes it.
    verdict: after.refundedMinor > receivedOf(money) ? 'differs' : 'booked',
    postings: [...shares.around(debit), ...recipes.heldLeft(occasion, accounts, minor)],
    events: [refundEvent('refund.completed', done, payment)],
    refund: done,
    ...(isAgain ? { spent: spentByRefund(done) } : {}),
    ...shares.changed,
  })
}

/** The provider refunded nothing, or the refund came back to it. */
export function bookRefundFailed(input: CaseOf<HeldAccounts>): Decision {
  const { draft, receipt, payment, accounts } = input
  const found = findEnding(input, 'failed')
  if (found === undefined) return recorded(receipt, 0n, payment, { verdict: 'noted' })
  const { refund, money } = found
  const { amountMinor: minor } = refund
  const { failure } = receipt
  const failed: Refund = { ...found.ended, ...given({ failure }) }
  const { postings, unreleasedMinor } = releasedBy(draft, { refund, money }, accounts, {
    refund: occasionOfVersion(receipt, failed),
    payment: occasionOf(receipt, payment),
  })
  const after = { ...money, refundedMinor: money.refundedMinor - minor, unreleasedMinor }
  return recorded(receipt, postings.length === 0 ? 0n : minor, withMoney(payment, after), {
    postings,
    events: [refundEvent('refund.failed', failed, payment)],
    refund: failed,
    freed: spentByRefund(failed),
  })
}

type Ending = {
  /** Before the report. */
  readonly refund: Refund
  /** After the report, without the time of its completion and the reason of its failure. */
  readonly ended: Refund
  readonly money: PaymentMoney
}

/** The refund that the receipt ends. Undefined: it is of another payment or amount, or has ended so already. */
function findEnding({ draft, receipt, payment }: PlacedCase, event: 'done' | 'failed'): Ending | undefined {
  const refund = receipt.refund === undefined ? undefined : draft.refunds.get(receipt.refund)
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
    ...given({ txHash: receipt.txHash }),
  }
  return { refund, ended, money: moneyOr(payment, receipt.amount.currency, refund.walletId) }
}

/** Whether its amount is set aside, and was not released for a dispute. */
function isSetAside({ status, isHeldBack }: Refund): boolean {
  return status === 'PENDING' && !isHeldBack
}

/** What a failed refund releases to the merchant, and the payment's unreleased money in this currency after that. */
function releasedBy(
  draft: Draft,
  { refund, money }: Pick<Ending, 'refund' | 'money'>,
  accounts: HeldAccounts,
  occasions: { readonly refund: recipes.Occasion; readonly payment: recipes.Occasion },
) {
  if (isSetAside(refund)) return releasing(draft, accounts, money, { refund, occasion: occasions.refund })
  const { unreleasedMinor } = money
  // A refund that is held back has set nothing aside.
  if (refund.status === 'PENDING') return { postings: [], unreleasedMinor }
  return { postings: recipes.refundReturned(occasions, accounts, refund.amountMinor), unreleasedMinor }
}

// Whether a provider's report of a refund counts, before it is booked.
// - A refusal counts only while the worker that received it holds the refund.
// - A report that contradicts another one counts only if the provider was queried after the other one was booked. Otherwise
//   nobody knows which of the two is true, and the provider is queried again.

/**
 * Whether it is a refusal that does not count any more: the refund has ended, or another worker has claimed it since, and the
 * provider may have accepted that worker's request. If a provider revokes its answer, later queries show it.
 */
export function isSuperseded(
  { heldClaims }: Pick<Facts, 'heldClaims'>,
  { refunds }: Pick<Draft, 'refunds'>,
  receipt: Receipt,
  inquiry: Inquiry | undefined,
): boolean {
  if (receipt.outcome !== 'refund_failed' || inquiry?.claim === undefined) return false
  const refund = receipt.refund && refunds.get(receipt.refund)
  return !heldClaims.has(claimKey(inquiry.claim)) || (refund !== undefined && refund.status !== 'PENDING')
}

/**
 * Which occurrence of its outcome the receipt is.
 * - `repeated`: it reports nothing new.
 * - `undecided`: its provider reported the opposite too, and nobody knows which report was later. Reports are ordered by the
 *   time of the query: a report is the latest if the provider was queried for it after all others were booked.
 */
export function occurrenceOf(
  draft: Pick<Draft, 'refunds' | 'reports'>,
  receipt: Receipt,
  inquiry: Inquiry | undefined,
): number | 'repeated' | 'undecided' {
  if (!isRefund(receipt)) return receipt.occurrence
  const reports = draft.reports.get(refKey(receipt)) ?? []
  const same = reports.filter(({ outcome }) => outcome === receipt.outcome)
  if (reports.length === 0) return receipt.occurrence
  const isNews = changes(draft, receipt)
  // It contradicts nothing: it is booked, or noted.
  if (same.length === 0 && (!isNews || isOpen(draft, receipt))) return receipt.occurrence
  if (!isNews) return 'repeated'
  const isLater = inquiry !== undefined && reports.every(({ recordedAt }) => recordedAt < inquiry.at)
  if (!isLater) return same.length === 0 ? 'undecided' : 'repeated'
  return Math.max(0, ...same.map((each) => each.occurrence)) + 1
}

/** Whether it would change the status of its refund, and is about the whole amount. */
function changes({ refunds }: Pick<Draft, 'refunds'>, { refund: id, outcome, amount }: Receipt): boolean {
  const refund = id && refunds.get(id)
  const event = outcome === 'refunded' ? 'done' : 'failed'
  return (
    refund !== undefined &&
    refund.amountMinor === amount.minor &&
    next(refundStates, refund.status, event) !== undefined
  )
}

function isOpen({ refunds }: Pick<Draft, 'refunds'>, { refund }: Receipt): boolean {
  return refund !== undefined && refunds.get(refund)?.status === 'PENDING'
}
