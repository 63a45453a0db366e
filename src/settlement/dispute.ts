// What a provider says of a dispute: opened, the money taken from us, what it charges, and its end, which it may take back.
// It is about money of a payment, or about money that fitted none and was credited to a merchant.
// Inspected by audit/settlement/dispute.ts.
import type { Placed } from './placed.ts'
import type { Receipt } from '#/rails/words.ts'
import { newId, type Id, type PaymentId } from '#/kernel/id.ts'
import { minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import { disputeEvent, type Dispute } from '#/disputes/dispute.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { moneyIn, withAllMoney } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { takenFrom, type TakenAccounts } from './accounts.ts'
import { postAll } from './posting.ts'
import { recorded, type ReceiptRuling, type ReceiptVerdict } from './recorded.ts'
import { holdBack, resume } from './held-back.ts'
import { disputeKey } from './related.ts'
import type { View } from './view.ts'
import { walletOf } from './view-wallets.ts'

/** Whose money a dispute is about. */
type Ground = Pick<Payment, 'merchantId' | 'mode' | 'money' | 'currency'> & {
  readonly paymentId?: PaymentId
  readonly unmatchedId?: Id<'unmatched'>
  readonly webhookUrl?: string
}

type Moved = {
  readonly dispute: Dispute
  readonly ground: Ground
  readonly events: readonly EventDraft[]
  /** By how much more, or less, is disputed. */
  readonly disputedMinor: bigint
}

/** What a receipt comes to; without `moved` it says nothing new. */
type Told = { readonly verdict: ReceiptVerdict; readonly moved?: Moved }

/** A provider's word of a dispute, and what it is booked with. */
type Word = {
  readonly view: View
  readonly receipt: Receipt
  readonly accounts: TakenAccounts
  readonly batch: Pick<Batch, 'books' | 'at'>
}

/** A dispute of a payment's money. While it is open, refunds of that money that were not sent yet are held back. */
export function bookDispute(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: TakenAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const known = view.back.disputes.get(disputeKey(receipt))
  if (receipt.dispute === undefined || (known !== undefined && known.paymentId !== payment.id))
    return recorded(view, receipt, 0n, payment, 'noted')
  const isOpening = known === undefined || (known.status !== 'OPEN' && isNewRound(receipt, known))
  const held = isOpening ? holdBack(view, receipt, payment, accounts, batch) : { payment, refunds: [] }
  const word = { view, receipt, accounts, batch }
  const { verdict, moved } = tell(word, groundOf(held.payment), known)
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
  accounts: TakenAccounts,
  batch: Pick<Batch, 'books' | 'at'>,
): Told {
  const known = view.back.disputes.get(disputeKey(receipt))
  if (known !== undefined && known.unmatchedId !== ground.unmatchedId) return { verdict: 'noted' }
  return tell({ view, receipt, accounts, batch }, ground, known)
}

function groundOf({ id, request: { webhookUrl }, ...payment }: Payment): Ground {
  return { ...payment, paymentId: id, ...(webhookUrl === undefined ? {} : { webhookUrl }) }
}

function tell(word: Word, ground: Ground, known: Dispute | undefined): Told {
  const { view, receipt } = word
  // Whatever is heard of it first opens it: the money is held before anything else happens to it.
  const opened: Moved =
    known === undefined ? open(word, ground) : { dispute: known, ground, events: [], disputedMinor: 0n }
  const moved = move(word, opened)
  // What was held is the amount that was told first: another one is for a person to look at.
  const differs = known !== undefined && known.amountMinor !== receipt.amount.minor
  if (known !== undefined && moved.dispute === known) {
    const isNoNews = receipt.outcome === 'dispute_opened' && !differs
    return { verdict: isNoNews ? 'booked' : 'noted' }
  }
  view.back.disputes.set(disputeKey(receipt), moved.dispute)
  return { verdict: differs ? 'differs' : 'booked', moved }
}

function open(word: Word, ground: Ground): Moved {
  const { view, receipt, batch } = word
  const { paidRef = receipt.providerRef, kind = 'CHARGEBACK', reason, evidenceDueAt } = receipt.dispute ?? {}
  const { paymentId, unmatchedId } = ground
  const unheld: Dispute = {
    merchantId: ground.merchantId,
    id: newId<'dispute'>(),
    mode: ground.mode,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(unmatchedId === undefined ? {} : { unmatchedId }),
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
    ...(reason === undefined ? {} : { reason }),
    ...(evidenceDueAt === undefined ? {} : { evidenceDueAt }),
  }
  const wanted = hold(word, { dispute: unheld, ground, events: [], disputedMinor: 0n })
  const held = charge(word, wanted)
  return { ...held, events: [disputeEvent('dispute.opened', held.dispute, ground.webhookUrl)] }
}

/** Its amount is set aside, from wherever the merchant has it. */
function hold({ receipt, accounts, batch }: Word, wanted: Moved): Moved {
  const { dispute, ground } = wanted
  const minor = dispute.amountMinor
  const { held } = accounts
  const from = takenFrom(accounts, unreleasedOf(ground, receipt))
  postAll(batch, recipes.disputeHeld(occasionOf(receipt, dispute), { ...from, held }, minor))
  const disputedMinor = wanted.disputedMinor + minor
  return { ...wanted, ground: withoutUnreleased(ground, receipt, minor), disputedMinor }
}

/** What the provider asks for it, each part once, with whatever of it says so first. It is gone however the dispute ends. */
function charge({ receipt, accounts, batch }: Word, before: Moved): Moved {
  const { dispute, ground } = before
  const asked = receipt.dispute?.fee ?? 0n
  const fee = asked - dispute.feeMinor
  if (fee <= 0n) return before
  const { arrival } = accounts
  const from = takenFrom(accounts, unreleasedOf(ground, receipt))
  postAll(batch, recipes.disputeCharged(occasionOf(receipt, dispute), { ...from, arrival }, fee))
  const charged = withoutUnreleased(ground, receipt, fee)
  return { ...before, dispute: { ...dispute, feeMinor: asked }, ground: charged }
}

function unreleasedOf(ground: Ground, { amount: { currency } }: Receipt): bigint {
  return moneyIn(ground, currency)?.unreleasedMinor ?? 0n
}

/** What was not released yet in the receipt's currency is taken first. */
function withoutUnreleased(ground: Ground, { amount: { currency } }: Receipt, taken: bigint): Ground {
  const money = ground.money.map((each) =>
    each.currency === currency
      ? { ...each, unreleasedMinor: each.unreleasedMinor - minOf(each.unreleasedMinor, taken) }
      : each,
  )
  return { ...ground, money }
}

/** The dispute after the receipt; the same one when the receipt says nothing new of it. */
function move(word: Word, before: Moved): Moved {
  const { receipt, accounts, batch } = word
  if (!isNews(receipt, before.dispute)) return before
  const { status } = before.dispute
  const isAgain = isNewRound(receipt, before.dispute)
  const next = { ...before, dispute: { ...before.dispute, version: before.dispute.version + 1 } }
  const again = isAgain ? reopened(next, receipt) : next
  // Of what is gone, or held still, we only did not hear that it had come back in between.
  const standing = isAgain && status === 'WON' ? hold(word, again) : again
  const { dispute, ground, events, disputedMinor } = charge(word, standing)
  const occasion = occasionOf(receipt, dispute)
  const minor = dispute.amountMinor
  const ended = (status: 'WON' | 'LOST'): Dispute => {
    return { ...dispute, status, isTaken: status === 'LOST', closedAt: batch.at }
  }
  if (receipt.outcome === 'dispute_taken') {
    postAll(batch, recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor))
    const taken: Dispute = { ...dispute, isTaken: true }
    const told = status === 'OPEN' ? [] : [disputeEvent('dispute.opened', taken, ground.webhookUrl)]
    return { dispute: taken, ground, events: [...events, ...told], disputedMinor }
  }
  if (receipt.outcome === 'dispute_won') {
    postAll(batch, recipes.disputeWon(occasion, accounts, minor, dispute))
    const won = ended('WON')
    const told = [...events, disputeEvent('dispute.won', won, ground.webhookUrl)]
    return { dispute: won, ground, events: told, disputedMinor: disputedMinor - minor }
  }
  postAll(batch, recipes.heldLeft(occasion, accounts, dispute.isTaken ? 0n : minor))
  const lost = ended('LOST')
  const told = [...events, disputeEvent('dispute.lost', lost, ground.webhookUrl)]
  return { dispute: lost, ground, events: told, disputedMinor }
}

/** What had ended is wanted once more. */
function reopened(before: Moved, { occurrence }: Receipt): Moved {
  const { closedAt: _closed, ...dispute } = before.dispute
  return { ...before, dispute: { ...dispute, status: 'OPEN', round: occurrence } }
}

/**
 * Word of one dispute has an order of its own, in which a word counts only after those before it: in each round it is opened,
 * taken, lost, and won; and what was won may be taken again, or lost, in the next. So what was heard late, or was read from
 * the provider before its last change, changes nothing.
 */
function isNews(receipt: Receipt, dispute: Dispute): boolean {
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
