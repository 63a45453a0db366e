// What a provider says of a dispute: opened, the money taken from us, what it charges, and its end.
import { newId } from '#/kernel/id.ts'
import { minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { disputeEvent, type Dispute } from '#/disputes/dispute.ts'
import type { Batch, Ruling } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { moneyIn, withMoney } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { accountsOf, takenFrom, walletOf } from './accounts.ts'
import { book, postAll, type ReceiptRuling } from './book.ts'
import { disputeKey, type Placed, type View } from './view.ts'

type Told = Ruling<never, unknown, EventDraft>['events']

export function bookDispute(
  view: View,
  receipt: Placed,
  payment: Payment,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const known = view.disputes.get(disputeKey(receipt))
  if (receipt.dispute === undefined || (known !== undefined && known.paymentId !== payment.id))
    return book(view, receipt, 0n, payment, 'noted')
  // Whatever is heard of it first opens it: the money is held before anything else happens to it.
  const opened =
    known === undefined ? open(view, receipt, payment, batch) : { dispute: known, payment, events: [] }
  const moved = move(view, receipt, opened, batch)
  // What was held is the amount that was told first: another one is for a person to look at.
  const differs = known !== undefined && known.amountMinor !== receipt.amount.minor
  if (known !== undefined && moved.dispute === known) {
    const isNoNews = receipt.outcome === 'dispute_opened' && !differs
    return book(view, receipt, 0n, payment, isNoNews ? 'booked' : 'noted')
  }
  const { dispute, payment: after, events } = moved
  view.disputes.set(disputeKey(receipt), dispute)
  const ruling = book(view, receipt, dispute.amountMinor, after, differs ? 'differs' : 'booked')
  return { ...ruling, change: { ...ruling.change, dispute }, events }
}

type Moved = {
  readonly dispute: Dispute
  readonly payment: Payment
  readonly events: NonNullable<Told>
}

function open(view: View, receipt: Placed, payment: Payment, batch: Pick<Batch, 'books' | 'at'>): Moved {
  const { minor } = receipt.amount
  const { paidRef = receipt.providerRef, kind = 'CHARGEBACK', reason, evidenceDueAt } = receipt.dispute ?? {}
  const unheld: Dispute = {
    merchantId: payment.merchantId,
    id: newId<'dispute'>(),
    mode: payment.mode,
    paymentId: payment.id,
    connection: receipt.connection,
    providerRef: receipt.providerRef,
    paidRef,
    walletId: walletOf(view, receipt, payment),
    kind,
    status: 'OPEN',
    isTaken: false,
    amountMinor: minor,
    feeMinor: 0n,
    currency: payment.currency,
    version: 1,
    createdAt: batch.at,
    ...(reason === undefined ? {} : { reason }),
    ...(evidenceDueAt === undefined ? {} : { evidenceDueAt }),
  }
  const { held } = accountsOf(view, receipt, payment)
  const accounts = { ...takenFrom(view, receipt, payment), held }
  postAll(batch, recipes.disputeHeld(occasionOf(receipt, unheld), accounts, minor))
  const disputed: Payment = { ...payment, disputedMinor: payment.disputedMinor + minor }
  const wanted = { dispute: unheld, payment: withoutUnreleased(disputed, receipt, minor) }
  const { dispute, payment: after } = charge(view, receipt, wanted, batch)
  return { dispute, payment: after, events: [disputeEvent('dispute.opened', dispute, payment)] }
}

/** What the provider asks for it, once, with whatever of it says so first. It is gone however the dispute ends. */
function charge(
  view: View,
  receipt: Placed,
  { dispute, payment }: Pick<Moved, 'dispute' | 'payment'>,
  batch: Pick<Batch, 'books'>,
): Pick<Moved, 'dispute' | 'payment'> {
  const fee = receipt.dispute?.fee ?? 0n
  if (dispute.feeMinor > 0n || fee === 0n) return { dispute, payment }
  const { arrival } = accountsOf(view, receipt, payment)
  const accounts = { ...takenFrom(view, receipt, payment), arrival }
  postAll(batch, recipes.disputeCharged(occasionOf(receipt, dispute), accounts, fee))
  return { dispute: { ...dispute, feeMinor: fee }, payment: withoutUnreleased(payment, receipt, fee) }
}

/** What was not released yet in the dispute's currency is taken first. */
function withoutUnreleased(payment: Payment, { amount: { currency } }: Placed, taken: bigint): Payment {
  const money = moneyIn(payment, currency)
  if (money === undefined) return payment
  return withMoney(payment, {
    ...money,
    unreleasedMinor: money.unreleasedMinor - minOf(money.unreleasedMinor, taken),
  })
}

/** The dispute after the receipt; the same one when the receipt says nothing new of it. */
function move(view: View, receipt: Placed, before: Moved, batch: Pick<Batch, 'books' | 'at'>): Moved {
  if (!isNews(receipt, before.dispute)) return before
  const version = before.dispute.version + 1
  const moving = { dispute: { ...before.dispute, version }, payment: before.payment }
  const { dispute, payment } = charge(view, receipt, moving, batch)
  const accounts = accountsOf(view, receipt, payment)
  const occasion = occasionOf(receipt, dispute)
  const minor = dispute.amountMinor
  if (receipt.outcome === 'dispute_taken') {
    postAll(batch, recipes.heldLeft(occasion, accounts, minor))
    return { ...before, dispute: { ...dispute, isTaken: true }, payment }
  }
  if (receipt.outcome === 'dispute_won') {
    postAll(batch, recipes.disputeWon(occasion, accounts, minor, dispute))
    const won: Dispute = { ...dispute, status: 'WON', isTaken: false, closedAt: batch.at }
    const events = [...before.events, disputeEvent('dispute.won', won, payment)]
    return { dispute: won, payment: { ...payment, disputedMinor: payment.disputedMinor - minor }, events }
  }
  postAll(batch, recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor))
  const lost: Dispute = { ...dispute, status: 'LOST', isTaken: true, closedAt: batch.at }
  return { dispute: lost, payment, events: [...before.events, disputeEvent('dispute.lost', lost, payment)] }
}

function isNews({ outcome }: Placed, { status, isTaken }: Dispute): boolean {
  if (status !== 'OPEN' || outcome === 'dispute_opened') return false
  return outcome !== 'dispute_taken' || !isTaken
}

function occasionOf(receipt: Placed, { id, version }: Dispute): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(receipt.evidence) }
}
