// Refunds of disputed money. The payer already claims the whole money by the dispute. So a refund that was not sent yet
// releases the amount that it holds, for the dispute, and waits. When no dispute over its money is OPEN any more, the refund
// holds its amount again and is sent, or it fails if not enough of the money is left.
import { minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Batch } from '#/ledger/kind.ts'
import * as recipes from '#/ledger/recipes.ts'
import { unreleasedShares } from '#/payments/book-shares.ts'
import { moneyOr, withMoney } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { refundEvent, type Refund } from '#/refunds/refund.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { HeldAccounts } from './accounts.ts'
import type { Placed } from './placed.ts'
import { postAll } from './posting.ts'
import { pieceKey, withheldKey } from './view-refunds.ts'
import type { View } from './view.ts'

type Changed = { readonly payment: Payment; readonly refunds: readonly Refund[] }

/** A dispute is about to open: refunds that were not sent yet wait, and release what they hold. */
export function holdBack(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: HeldAccounts,
  batch: Pick<Batch, 'books'>,
): Changed {
  return waitingOf(view, receipt, payment)
    .filter(({ isHeldBack }) => !isHeldBack)
    .reduce<Changed>(
      (before, refund) => {
        const held: Refund = { ...refund, isHeldBack: true, version: refund.version + 1 }
        const money = moneyOr(before.payment, receipt.amount.currency, refund.walletId)
        const { postings, unreleasedMinor } = releasing(view, accounts, money, {
          refund,
          occasion: occasionOf(receipt, held),
        })
        postAll(batch, postings)
        view.back.refunds.set(held.id, held)
        const after = withMoney(before.payment, { ...money, unreleasedMinor })
        return { payment: after, refunds: [...before.refunds, held] }
      },
      { payment, refunds: [] },
    )
}

/**
 * Releases the amount that a refund holds, back to where it came from. What came from unreleased money, and was released
 * meanwhile, becomes available.
 */
export function releasing(
  view: Pick<View, 'back' | 'splits'>,
  accounts: recipes.FreedAccounts & Pick<recipes.IncomingAccounts, 'pending'>,
  { currency, unreleasedMinor }: PaymentMoney,
  { refund, occasion }: { readonly refund: Refund; readonly occasion: recipes.Occasion },
) {
  const waiting = unreleasedMinor + unreleasedShares(view.splits.get(refund.paymentId))
  const room = (view.back.withheld.get(withheldKey(refund.paymentId, currency)) ?? 0n) - waiting
  const back = minOf(refund.unreleasedMinor, room)
  const unreleased = back === 0n ? {} : { unreleased: { pending: accounts.pending, minor: back } }
  const postings = recipes.refundReleased(occasion, { ...accounts, ...unreleased }, refund.amountMinor)
  return { postings, unreleasedMinor: unreleasedMinor + back }
}

type Resumed = Changed & { readonly events: readonly EventDraft[] }

/**
 * A dispute has ended. If no other dispute over the same money is OPEN, the refunds that waited for it continue, the oldest
 * first.
 */
export function resume(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: HeldAccounts,
  batch: Pick<Batch, 'books'>,
): Resumed {
  const nothing: Resumed = { payment, refunds: [], events: [] }
  const piece = pieceOf(receipt, payment)
  const disputes = [...view.back.disputes.values()].filter(
    (dispute) => dispute.paymentId === payment.id && pieceOf(dispute, payment) === piece,
  )
  if (disputes.some(({ status }) => status === 'OPEN')) return nothing
  const gone = disputes.filter(({ status }) => status !== 'WON')
  const kept = refundsOf(view, receipt, payment).filter(
    ({ status, isHeldBack }) => status !== 'FAILED' && !isHeldBack,
  )
  const sum = (all: readonly { readonly amountMinor: bigint }[]) =>
    all.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  let left = (view.back.pieces.get(piece) ?? 0n) - sum(gone) - sum(kept)
  return waitingOf(view, receipt, payment).reduce<Resumed>((before, refund) => {
    // It was requested while the dispute was OPEN, of money that is not disputed.
    if (!refund.isHeldBack) return { ...before, refunds: [...before.refunds, refund] }
    const next = goOn(receipt, before.payment, { refund, left }, accounts, batch)
    if (next.refund.status === 'PENDING') left -= refund.amountMinor
    view.back.refunds.set(refund.id, next.refund)
    return {
      payment: next.payment,
      refunds: [...before.refunds, next.refund],
      events: [...before.events, ...next.events],
    }
  }, nothing)
}

function goOn(
  receipt: Placed,
  payment: Payment,
  { refund, left }: { readonly refund: Refund; readonly left: bigint },
  { available, held, pending }: HeldAccounts,
  { books }: Pick<Batch, 'books'>,
) {
  const minor = refund.amountMinor
  const money = moneyOr(payment, receipt.amount.currency, refund.walletId)
  const unreleasedMinor = minOf(minor, money.unreleasedMinor)
  const free: Refund = { ...refund, isHeldBack: false, version: refund.version + 1 }
  const fail = (failure: NonNullable<Refund['failure']>) => {
    const failed: Refund = { ...free, status: 'FAILED', failure }
    const after = withMoney(payment, { ...money, refundedMinor: money.refundedMinor - minor })
    return { refund: failed, payment: after, events: [refundEvent('refund.failed', failed, payment)] }
  }
  if (minor > left) return fail(disputed)
  const unreleased = unreleasedMinor === 0n ? {} : { unreleased: { pending, minor: unreleasedMinor } }
  const posted = books.post(
    recipes.refundHeld(occasionOf(receipt, free), { available, held, ...unreleased }, minor),
  )
  if (!posted.ok) return fail(uncovered)
  const after = withMoney(payment, { ...money, unreleasedMinor: money.unreleasedMinor - unreleasedMinor })
  return { refund: { ...free, unreleasedMinor }, payment: after, events: [] }
}

const disputed = {
  code: 'disputed',
  message: 'The payer has this money back already, by a dispute that was lost.',
}
const uncovered = {
  code: 'insufficient_funds',
  message: 'The dispute has ended, and the wallet does not hold the amount any more.',
}

/** Refunds of the same money, oldest first. */
function refundsOf(view: View, receipt: Placed, payment: Payment): readonly Refund[] {
  const piece = pieceOf(receipt, payment)
  return [...view.back.refunds.values()]
    .filter((refund) => pieceKey(refund) === piece)
    .toSorted((a, b) => (a.createdAt < b.createdAt || (a.createdAt <= b.createdAt && a.id < b.id) ? -1 : 1))
}

/** Those of them that were not sent. */
function waitingOf(view: View, receipt: Placed, payment: Payment): readonly Refund[] {
  return refundsOf(view, receipt, payment).filter(
    ({ id, status }) => status === 'PENDING' && view.back.unsent.has(id),
  )
}

type Disputed = Pick<Placed, 'connection'> & {
  readonly paidRef?: string
  readonly dispute?: Placed['dispute']
}

function pieceOf({ connection, paidRef, dispute }: Disputed, { id }: Pick<Payment, 'id'>): string {
  return pieceKey({ paymentId: id, connection, paidRef: paidRef ?? dispute?.paidRef ?? '' })
}

function occasionOf(receipt: Placed, { id, version }: Refund): recipes.Occasion {
  return { subject: id, ordinal: version, cause: sha256(receipt.evidence) }
}
