// What a provider says of a dispute: opened, the money taken from us, and its end.
import { newId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { disputeEvent, type Dispute } from '#/disputes/dispute.ts'
import type { Batch, Ruling } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { Payment } from '#/payments/payment.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { accountsOf, sourcesOf, walletOf } from './accounts.ts'
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
  if (known !== undefined && moved.dispute === known) {
    return book(view, receipt, 0n, payment, receipt.outcome === 'dispute_opened' ? 'booked' : 'noted')
  }
  view.disputes.set(disputeKey(receipt), moved.dispute)
  const ruling = book(view, receipt, receipt.amount.minor, moved.payment)
  return { ...ruling, change: { ...ruling.change, dispute: moved.dispute }, events: moved.events }
}

type Moved = {
  readonly dispute: Dispute
  readonly payment: Payment
  readonly events: NonNullable<Told>
}

function open(view: View, receipt: Placed, payment: Payment, batch: Pick<Batch, 'books' | 'at'>): Moved {
  const { minor } = receipt.amount
  const { paidRef = receipt.providerRef, kind = 'CHARGEBACK', reason } = receipt.dispute ?? {}
  const dispute: Dispute = {
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
  }
  const accounts = { ...accountsOf(view, receipt, payment), sources: sourcesOf(view, receipt, payment) }
  postAll(batch, recipes.disputeHeld(occasionOf(receipt, dispute), accounts, minor))
  const disputed = { ...payment, disputedMinor: payment.disputedMinor + minor }
  return { dispute, payment: disputed, events: [disputeEvent('dispute.opened', dispute, payment)] }
}

/** The dispute after the receipt; the same one when the receipt says nothing new of it. */
function move(view: View, receipt: Placed, before: Moved, batch: Pick<Batch, 'books' | 'at'>): Moved {
  const { dispute, payment } = before
  const accounts = accountsOf(view, receipt, payment)
  const next = { ...dispute, version: dispute.version + 1 }
  const occasion = occasionOf(receipt, next)
  const minor = dispute.amountMinor
  if (receipt.outcome === 'dispute_taken' && !dispute.isTaken && dispute.status === 'OPEN') {
    postAll(batch, recipes.heldLeft(occasion, accounts, minor))
    return { ...before, dispute: { ...next, isTaken: true } }
  }
  if (receipt.outcome === 'dispute_won' && dispute.status === 'OPEN') {
    postAll(batch, recipes.disputeWon(occasion, accounts, minor, dispute))
    const won: Dispute = { ...next, status: 'WON', isTaken: false, closedAt: batch.at }
    const events = [...before.events, disputeEvent('dispute.won', won, payment)]
    return { dispute: won, payment: { ...payment, disputedMinor: payment.disputedMinor - minor }, events }
  }
  if (receipt.outcome === 'dispute_lost' && dispute.status === 'OPEN') {
    postAll(batch, recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor))
    const lost: Dispute = { ...next, status: 'LOST', isTaken: true, closedAt: batch.at }
    return { dispute: lost, payment, events: [...before.events, disputeEvent('dispute.lost', lost, payment)] }
  }
  return before
}

function occasionOf(receipt: Placed, { id, version }: Dispute): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(receipt.evidence) }
}
