// What a provider reports of a dispute: that it was opened, that the money was taken from us, the provider's fee, and the end,
// which the provider may revoke. The money belongs to a payment, or it fitted no payment and was credited to a merchant.
// Inspected by audit/settlement/dispute.ts.
import { disputeEvent, type Dispute } from '#/disputes/dispute.ts'
import { given } from '#/kernel/given.ts'
import { newId, type Id, type PaymentId } from '#/kernel/id.ts'
import { maxOf } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as recipes from '#/ledger/recipes.ts'
import { moneyIn, withAllMoney } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { debitSources, type DebitAccounts } from './accounts.ts'
import { recorded, type Case, type CaseOf, type Decision, type ReceiptVerdict } from './decision.ts'
import { holdBack } from './held-back.ts'
import { occasionOfVersion } from './placed.ts'
import { refKey } from './related.ts'
import { noSharesBack, takeSharesBack, type SharesBack } from './shares.ts'
import { walletOf } from './view-wallets.ts'

/** The money that a dispute is about. */
type Ground = Pick<Payment, 'merchantId' | 'mode' | 'money' | 'currency'> & {
  readonly paymentId?: PaymentId
  readonly unmatchedId?: Id<'unmatched'>
  readonly webhookUrl?: string
}

type Moved = {
  readonly dispute: Dispute
  readonly ground: Ground
  readonly postings: readonly Posting[]
  readonly events: readonly EventDraft[]
  /** The change of the disputed amount, negative when less is disputed. */
  readonly disputedMinor: bigint
  /** What went back of the shares of a split payment. */
  readonly shares: SharesBack['changed']
}

/** The result of a receipt; without `moved` it reports nothing new. */
type Result = { readonly verdict: ReceiptVerdict; readonly moved?: Moved }

/** A provider's report of a dispute. Without `payment` the money belongs to none. */
type Report = Case & { readonly accounts: DebitAccounts; readonly payment?: Payment }

/**
 * A dispute of a payment's money. While it is OPEN, refunds of that money that were not sent yet are held back; a pass of their own
 * resumes them (held-back.ts).
 */
export function bookDispute(input: CaseOf<DebitAccounts>): Decision {
  const { draft, receipt, payment } = input
  const existing = draft.disputes.get(refKey(receipt))
  if (receipt.dispute === undefined || (existing !== undefined && existing.paymentId !== payment.id))
    return recorded(receipt, 0n, payment, { verdict: 'noted' })
  const isOpening = existing === undefined || (existing.status !== 'OPEN' && isNewRound(receipt, existing))
  const held = isOpening ? holdBack(input) : { payment, refunds: [], postings: [] }
  const { verdict, moved } = follow({ ...input, payment: held.payment }, groundOf(held.payment), existing)
  if (moved === undefined) return recorded(receipt, 0n, payment, { verdict })
  const { dispute, ground, events, shares, postings, disputedMinor } = moved
  const disputed: Payment = {
    ...withAllMoney(held.payment, ground.money),
    disputedMinor: held.payment.disputedMinor + disputedMinor,
  }
  return recorded(receipt, dispute.amountMinor, disputed, {
    verdict,
    postings: [...held.postings, ...postings],
    events,
    dispute,
    refunds: held.refunds,
    ...shares,
  })
}

/** A dispute of money that lay in suspense and was credited to a merchant, who is debited as for a payment. */
export function bookCreditedDispute(input: Case, ground: Ground, accounts: DebitAccounts): Result {
  const existing = input.draft.disputes.get(refKey(input.receipt))
  if (existing !== undefined && existing.unmatchedId !== ground.unmatchedId) return { verdict: 'noted' }
  return follow({ ...input, accounts }, ground, existing)
}

function groundOf({ id, request: { webhookUrl }, ...payment }: Payment): Ground {
  return { ...payment, paymentId: id, ...given({ webhookUrl }) }
}

function follow(report: Report, ground: Ground, existing: Dispute | undefined): Result {
  const { receipt } = report
  // The first report opens the dispute, whatever its outcome: the money is held before anything else happens to it.
  const opened = existing === undefined ? open(report, ground) : unmoved(existing, ground)
  const moved = move(report, opened)
  // The amount of the first report was held: a person has to check another one.
  const differs = existing !== undefined && existing.amountMinor !== receipt.amount.minor
  if (moved.dispute === existing) {
    const isNoNews = receipt.outcome === 'dispute_opened' && !differs
    return { verdict: isNoNews ? 'booked' : 'noted' }
  }
  return { verdict: differs ? 'differs' : 'booked', moved }
}

function unmoved(dispute: Dispute, ground: Ground): Moved {
  return { dispute, ground, postings: [], events: [], disputedMinor: 0n, shares: {} }
}

function open(report: Report, ground: Ground): Moved {
  const { facts, receipt, at } = report
  const { paidRef = receipt.providerRef, kind = 'CHARGEBACK', reason, evidenceDueAt } = receipt.dispute ?? {}
  const { paymentId, unmatchedId } = ground
  const unheld: Dispute = {
    merchantId: ground.merchantId,
    id: newId<'dispute'>(),
    mode: ground.mode,
    ...given({ paymentId, unmatchedId }),
    connection: receipt.connection,
    providerRef: receipt.providerRef,
    paidRef,
    walletId: walletOf(facts.wallets, receipt, ground),
    kind,
    status: 'OPEN',
    isTaken: false,
    round: receipt.occurrence,
    amountMinor: receipt.amount.minor,
    feeMinor: 0n,
    currency: ground.currency,
    version: 1,
    createdAt: at,
    ...given({ reason, evidenceDueAt }),
  }
  const held = charge(report, hold(report, unmoved(unheld, ground)))
  return { ...held, events: [disputeEvent('dispute.opened', held.dispute, ground.webhookUrl)] }
}

/** Sets its amount aside, from all accounts of the merchant that may be debited, after the shares of it came back. */
function hold(report: Report, before: Moved): Moved {
  const { receipt, accounts, payment } = report
  const { dispute } = before
  const { amountMinor: minor, paidRef } = dispute
  const disputedMinor = before.disputedMinor + minor
  const after = payment && { ...payment, disputedMinor: payment.disputedMinor + disputedMinor }
  const shares =
    after === undefined ? noSharesBack : takeSharesBack(report, after, accounts, { paidRef, minor })
  const ground = withUnreleased(before.ground, receipt, shares.unreleasedMinor)
  const from = { ...debitSources(accounts, unreleasedOf(ground, receipt)), held: accounts.held }
  const debit = recipes.disputeHeld(occasionOfVersion(receipt, dispute), from, minor)
  return {
    ...before,
    ground: withUnreleased(ground, receipt, -minor),
    postings: [...before.postings, ...shares.around(debit)],
    disputedMinor,
    shares: shares.changed,
  }
}

/** Debits the provider's fee as far as no earlier report did. It is not returned, however the dispute ends. */
function charge({ receipt, accounts }: Report, before: Moved): Moved {
  const { dispute, ground } = before
  const feeMinor = receipt.dispute?.fee ?? 0n
  const fee = feeMinor - dispute.feeMinor
  if (fee <= 0n) return before
  const { arrival } = accounts
  const from = debitSources(accounts, unreleasedOf(ground, receipt))
  const debit = recipes.disputeCharged(occasionOfVersion(receipt, dispute), { ...from, arrival }, fee)
  return {
    ...before,
    dispute: { ...dispute, feeMinor },
    ground: withUnreleased(ground, receipt, -fee),
    postings: [...before.postings, ...debit],
  }
}

function unreleasedOf(ground: Ground, { amount: { currency } }: Receipt): bigint {
  return moneyIn(ground, currency)?.unreleasedMinor ?? 0n
}

/** Unreleased money in the receipt's currency is debited first, as far as there is some. */
function withUnreleased(ground: Ground, { amount: { currency } }: Receipt, change: bigint): Ground {
  const money = ground.money.map((each) =>
    each.currency === currency
      ? { ...each, unreleasedMinor: maxOf(each.unreleasedMinor + change, 0n) }
      : each,
  )
  return { ...ground, money }
}

/** The dispute after the receipt; the same object when the receipt reports nothing new of it. */
function move(report: Report, before: Moved): Moved {
  const { receipt, accounts, at } = report
  if (!changes(receipt, before.dispute)) return before
  const { status } = before.dispute
  const isAgain = isNewRound(receipt, before.dispute)
  const next = { ...before, dispute: { ...before.dispute, version: before.dispute.version + 1 } }
  const again = isAgain ? reopened(next, receipt) : next
  // After WON the amount is with the merchant and is held again. Otherwise it is still held or gone: no report said that it came back.
  const standing = charge(report, isAgain && status === 'WON' ? hold(report, again) : again)
  const { dispute } = standing
  const occasion = occasionOfVersion(receipt, dispute)
  const minor = dispute.amountMinor
  if (receipt.outcome === 'dispute_won') {
    const won: Dispute = { ...dispute, status: 'WON', isTaken: false, closedAt: at }
    const back = recipes.disputeWon(occasion, accounts, minor, dispute)
    const disputedMinor = standing.disputedMinor - minor
    return { ...moved(standing, won, back, 'dispute.won'), disputedMinor }
  }
  const left = recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor)
  const taken: Dispute = { ...dispute, isTaken: true }
  if (receipt.outcome === 'dispute_taken')
    return moved(standing, taken, left, status === 'OPEN' ? undefined : 'dispute.opened')
  return moved(standing, { ...taken, status: 'LOST', closedAt: at }, left, 'dispute.lost')
}

function moved(
  before: Moved,
  dispute: Dispute,
  postings: readonly Posting[],
  event: Parameters<typeof disputeEvent>[0] | undefined,
): Moved {
  const { webhookUrl } = before.ground
  const events = event === undefined ? [] : [disputeEvent(event, dispute, webhookUrl)]
  return {
    ...before,
    dispute,
    postings: [...before.postings, ...postings],
    events: [...before.events, ...events],
  }
}

/** A dispute that had ended is OPEN again, in a new round. */
function reopened(before: Moved, { occurrence }: Receipt): Moved {
  const { closedAt: _closed, ...dispute } = before.dispute
  return { ...before, dispute: { ...dispute, status: 'OPEN', round: occurrence } }
}

/**
 * Whether the receipt changes the dispute. The outcomes of one dispute have an order: in each round opened, taken, lost, won.
 * After a won round, the next round may take the money again, or lose the dispute. A receipt counts only if its outcome comes
 * after the present state. So a late receipt changes nothing, nor does one that was read from the provider before its last
 * change.
 */
function changes(receipt: Receipt, dispute: Dispute): boolean {
  const { outcome, occurrence } = receipt
  const { status, isTaken, round } = dispute
  if (outcome === 'dispute_opened' || occurrence < round) return false
  if (isNewRound(receipt, dispute)) return true
  const now = status === 'OPEN' ? (isTaken ? 1 : 0) : places[status]
  return (places[outcome] ?? 0) > now
}

function isNewRound({ outcome, occurrence }: Receipt, { round }: Dispute): boolean {
  return occurrence > round && outcome !== 'dispute_opened'
}

const places: Readonly<Record<string, number>> & { readonly WON: number; readonly LOST: number } = {
  dispute_taken: 1,
  dispute_lost: 2,
  dispute_won: 3,
  LOST: 2,
  WON: 3,
}
