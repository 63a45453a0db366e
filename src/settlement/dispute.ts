// What a provider reports of a dispute: that it was opened, that the money was taken from us, the provider's fee, and the end,
// which the provider may revoke. The money belongs to a payment, or it fitted no payment and was credited to a merchant.
// Inspected by audit/settlement/dispute.ts.
import { disputeEvent, type Dispute } from '#/disputes/dispute.ts'
import { given } from '#/kernel/given.ts'
import { newId, type Id, type PaymentId } from '#/kernel/id.ts'
import { minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { moneyIn, withAllMoney } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { debitSources, parentRepaid, type DebitAccounts } from './accounts.ts'
import { holdBack, resume } from './held-back.ts'
import type { Placed } from './placed.ts'
import { postAll } from './posting.ts'
import { recorded, type ReceiptRuling, type ReceiptVerdict } from './recorded.ts'
import { disputeKey } from './related.ts'
import { noSharesBack, takeSharesBack, type SharesBack } from './shares.ts'
import { walletOf } from './view-wallets.ts'
import type { View } from './view.ts'

/** The money that a dispute is about. */
type Ground = Pick<Payment, 'merchantId' | 'mode' | 'money' | 'currency'> & {
  readonly paymentId?: PaymentId
  readonly unmatchedId?: Id<'unmatched'>
  readonly webhookUrl?: string
}

type Moved = {
  readonly dispute: Dispute
  readonly ground: Ground
  readonly events: readonly EventDraft[]
  /** The change of the disputed amount, negative when less is disputed. */
  readonly disputedMinor: bigint
}

/** The result of a receipt; without `moved` it reports nothing new. */
type Result = { readonly verdict: ReceiptVerdict; readonly moved?: Moved }

/** A provider's report of a dispute, and what it is booked with. */
type Report = {
  readonly view: View
  readonly receipt: Receipt
  readonly accounts: DebitAccounts
  readonly batch: Pick<Batch, 'books' | 'at'>
  /** Absent: the money belongs to no payment. */
  readonly payment?: Payment
}

/** A dispute of a payment's money. While it is OPEN, refunds of that money that were not sent yet are held back. */
export function bookDispute(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: DebitAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const existing = view.back.disputes.get(disputeKey(receipt))
  if (receipt.dispute === undefined || (existing !== undefined && existing.paymentId !== payment.id))
    return recorded(view, receipt, 0n, payment, 'noted')
  const isOpening = existing === undefined || (existing.status !== 'OPEN' && isNewRound(receipt, existing))
  const held = isOpening ? holdBack(view, receipt, payment, accounts, batch) : { payment, refunds: [] }
  const report = { view, receipt, accounts, batch, payment: held.payment }
  const { verdict, moved } = follow(report, groundOf(held.payment), existing)
  if (moved === undefined) return recorded(view, receipt, 0n, payment, verdict)
  const { dispute, ground, events } = moved
  const disputed: Payment = {
    ...withAllMoney(held.payment, ground.money),
    disputedMinor: held.payment.disputedMinor + moved.disputedMinor,
  }
  const freed =
    dispute.status === 'OPEN'
      ? { payment: disputed, refunds: [], events: [] }
      : resume(view, receipt, disputed, accounts, batch)
  const ruling = recorded(view, receipt, dispute.amountMinor, freed.payment, verdict)
  const change = { ...ruling.change, dispute, refunds: [...held.refunds, ...freed.refunds] }
  return { ...ruling, change, events: [...events, ...freed.events] }
}

/** A dispute of money that lay in suspense and was credited to a merchant, who is debited as for a payment. */
export function bookCreditedDispute(
  view: View,
  receipt: Receipt,
  ground: Ground,
  accounts: DebitAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): Result {
  const existing = view.back.disputes.get(disputeKey(receipt))
  if (existing !== undefined && existing.unmatchedId !== ground.unmatchedId) return { verdict: 'noted' }
  const result = follow({ view, receipt, accounts, batch }, ground, existing)
  if (result.moved !== undefined) {
    const occasion = occasionOf(receipt, result.moved.dispute)
    postAll(batch, parentRepaid(view, receipt, ground, occasion, batch))
  }
  return result
}

function groundOf({ id, request: { webhookUrl }, ...payment }: Payment): Ground {
  return { ...payment, paymentId: id, ...given({ webhookUrl }) }
}

function follow(report: Report, ground: Ground, existing: Dispute | undefined): Result {
  const { view, receipt } = report
  // The first report opens the dispute, whatever its outcome: the money is held before anything else happens to it.
  const opened: Moved =
    existing === undefined
      ? open(report, ground)
      : { dispute: existing, ground, events: [], disputedMinor: 0n }
  const moved = move(report, opened)
  // The amount of the first report was held: a person has to check another one.
  const differs = existing !== undefined && existing.amountMinor !== receipt.amount.minor
  if (moved.dispute === existing) {
    const isNoNews = receipt.outcome === 'dispute_opened' && !differs
    return { verdict: isNoNews ? 'booked' : 'noted' }
  }
  view.back.disputes.set(disputeKey(receipt), moved.dispute)
  return { verdict: differs ? 'differs' : 'booked', moved }
}

function open(report: Report, ground: Ground): Moved {
  const { view, receipt, batch } = report
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
    walletId: walletOf(view.wallets, receipt, ground),
    kind,
    status: 'OPEN',
    isTaken: false,
    round: receipt.occurrence,
    amountMinor: receipt.amount.minor,
    feeMinor: 0n,
    currency: ground.currency,
    version: 1,
    createdAt: batch.at,
    ...given({ reason, evidenceDueAt }),
  }
  const uncharged = hold(report, { dispute: unheld, ground, events: [], disputedMinor: 0n })
  const held = charge(report, uncharged)
  return { ...held, events: [disputeEvent('dispute.opened', held.dispute, ground.webhookUrl)] }
}

/** Sets its amount aside, from all accounts of the merchant that may be debited, after the shares of it came back. */
function hold(report: Report, before: Moved): Moved {
  const { receipt, accounts, batch } = report
  const { dispute } = before
  const minor = dispute.amountMinor
  const { held } = accounts
  const disputedMinor = before.disputedMinor + minor
  const shares = sharesBack(report, dispute, disputedMinor)
  const ground = withUnreleased(before.ground, receipt, shares.unreleasedMinor)
  const from = debitSources(accounts, unreleasedOf(ground, receipt))
  const debit = recipes.disputeHeld(occasionOf(receipt, dispute), { ...from, held }, minor)
  postAll(batch, shares.around(debit))
  return { ...before, ground: withoutUnreleased(ground, receipt, minor), disputedMinor }
}

/** What the recipients of a split payment give back of the disputed amount. */
function sharesBack(
  { view, receipt, accounts, batch: { books }, payment }: Report,
  { paidRef, amountMinor: minor }: Dispute,
  disputedMinor: bigint,
): SharesBack {
  if (payment === undefined) return noSharesBack
  const after = { ...payment, disputedMinor: payment.disputedMinor + disputedMinor }
  return takeSharesBack(view, receipt, after, accounts, { paidRef, minor, books })
}

/** Debits the provider's fee as far as no earlier report did. It is not returned, however the dispute ends. */
function charge({ receipt, accounts, batch }: Report, before: Moved): Moved {
  const { dispute, ground } = before
  const feeMinor = receipt.dispute?.fee ?? 0n
  const fee = feeMinor - dispute.feeMinor
  if (fee <= 0n) return before
  const { arrival } = accounts
  const from = debitSources(accounts, unreleasedOf(ground, receipt))
  postAll(batch, recipes.disputeCharged(occasionOf(receipt, dispute), { ...from, arrival }, fee))
  const charged = withoutUnreleased(ground, receipt, fee)
  return { ...before, dispute: { ...dispute, feeMinor }, ground: charged }
}

function unreleasedOf(ground: Ground, { amount: { currency } }: Receipt): bigint {
  return moneyIn(ground, currency)?.unreleasedMinor ?? 0n
}

function withUnreleased(ground: Ground, { amount: { currency } }: Receipt, minor: bigint): Ground {
  if (minor === 0n) return ground
  const money = ground.money.map((each) =>
    each.currency === currency ? { ...each, unreleasedMinor: each.unreleasedMinor + minor } : each,
  )
  return { ...ground, money }
}

/** Unreleased money in the receipt's currency is debited first. */
function withoutUnreleased(ground: Ground, { amount: { currency } }: Receipt, debited: bigint): Ground {
  const money = ground.money.map((each) =>
    each.currency === currency
      ? { ...each, unreleasedMinor: each.unreleasedMinor - minOf(each.unreleasedMinor, debited) }
      : each,
  )
  return { ...ground, money }
}

/** The dispute after the receipt; the same object when the receipt reports nothing new of it. */
function move(report: Report, before: Moved): Moved {
  const { receipt, accounts, batch } = report
  if (!changes(receipt, before.dispute)) return before
  const { status } = before.dispute
  const isAgain = isNewRound(receipt, before.dispute)
  const next = { ...before, dispute: { ...before.dispute, version: before.dispute.version + 1 } }
  const again = isAgain ? reopened(next, receipt) : next
  // After WON the amount is with the merchant and is held again. Otherwise it is still held or gone: no report said that it came back.
  const standing = isAgain && status === 'WON' ? hold(report, again) : again
  const { dispute, ground, events, disputedMinor } = charge(report, standing)
  const occasion = occasionOf(receipt, dispute)
  const minor = dispute.amountMinor
  const ended = (status: 'WON' | 'LOST'): Dispute => {
    return { ...dispute, status, isTaken: status === 'LOST', closedAt: batch.at }
  }
  if (receipt.outcome === 'dispute_taken') {
    postAll(batch, recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor))
    const taken: Dispute = { ...dispute, isTaken: true }
    const reopening = status === 'OPEN' ? [] : [disputeEvent('dispute.opened', taken, ground.webhookUrl)]
    return { dispute: taken, ground, events: [...events, ...reopening], disputedMinor }
  }
  if (receipt.outcome === 'dispute_won') {
    postAll(batch, recipes.disputeWon(occasion, accounts, minor, dispute))
    const won = ended('WON')
    const notified = [...events, disputeEvent('dispute.won', won, ground.webhookUrl)]
    return { dispute: won, ground, events: notified, disputedMinor: disputedMinor - minor }
  }
  postAll(batch, recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor))
  const lost = ended('LOST')
  const notified = [...events, disputeEvent('dispute.lost', lost, ground.webhookUrl)]
  return { dispute: lost, ground, events: notified, disputedMinor }
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

function occasionOf(receipt: Receipt, { id, version }: Dispute): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(receipt.evidence) }
}
