// Refunds of disputed money. The payer already claims the whole money by the dispute. So a refund that was not sent yet
// releases the amount that it holds, for the dispute, and waits. When no dispute over its money is OPEN any more, the refund
// holds its amount again and is sent, or it fails if not enough of the money is left.
import { minOf } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as recipes from '#/ledger/recipes.ts'
import { unreleasedShares } from '#/payments/book-shares.ts'
import { moneyOr, withMoney } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { refundEvent, type Refund } from '#/refunds/refund.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { heldAccounts, type HeldAccounts } from './accounts.ts'
import { nothing, type Addition, type CaseOf, type Decision, type PlacedCase } from './decision.ts'
import type { Draft } from './draft.ts'
import { type Placed, occasionOfVersion } from './placed.ts'
import { pieceKey, withheldKey } from './view.ts'

/** What is changed by the refunds of disputed money. */
type Changed = {
  readonly payment: Payment
  readonly refunds: readonly Refund[]
  readonly postings: readonly Posting[]
}

/** A dispute is about to open: refunds that were not sent yet wait, and release what they hold. */
export function holdBack(input: CaseOf<HeldAccounts>): Changed {
  const { draft, receipt, accounts } = input
  return waitingOf(input)
    .filter(({ isHeldBack }) => !isHeldBack)
    .reduce<Changed>(
      (before, refund) => {
        const held: Refund = { ...refund, isHeldBack: true, version: refund.version + 1 }
        const money = moneyOr(before.payment, receipt.amount.currency, refund.walletId)
        const { postings, unreleasedMinor } = releasing(draft, accounts, money, {
          refund,
          occasion: occasionOfVersion(receipt, held),
        })
        return {
          payment: withMoney(before.payment, { ...money, unreleasedMinor }),
          refunds: [...before.refunds, held],
          postings: [...before.postings, ...postings],
        }
      },
      { payment: input.payment, refunds: [], postings: [] },
    )
}

/**
 * Releases the amount that a refund holds, back to where it came from. What came from unreleased money, and was released
 * meanwhile, becomes available.
 */
export function releasing(
  { splits, withheld }: Draft,
  accounts: recipes.FreedAccounts & Pick<recipes.IncomingAccounts, 'pending'>,
  { currency, unreleasedMinor }: PaymentMoney,
  { refund, occasion }: { readonly refund: Refund; readonly occasion: recipes.Occasion },
) {
  const waiting = unreleasedMinor + unreleasedShares(splits.get(refund.paymentId))
  const room = (withheld.get(withheldKey(refund.paymentId, currency)) ?? 0n) - waiting
  const back = minOf(refund.unreleasedMinor, room)
  const unreleased = back === 0n ? {} : { unreleased: { pending: accounts.pending, minor: back } }
  const postings = recipes.refundReleased(occasion, { ...accounts, ...unreleased }, refund.amountMinor)
  return { postings, unreleasedMinor: unreleasedMinor + back }
}

type Resumed = Changed & {
  readonly events: readonly EventDraft[]
  /** What of the disputed money is left for refunds, and what the wallet holds. */
  readonly leftMinor: bigint
  readonly freeMinor: bigint
}

/**
 * The pass after a dispute: if it has ended and no other dispute over the same money is OPEN, the refunds that waited for it continue, the
 * oldest first.
 */
export function resumeRefunds(input: PlacedCase, { change }: Decision): Addition {
  const { facts, draft, books, receipt } = input
  const { dispute, payment } = change ?? {}
  if (dispute === undefined || payment === undefined || dispute.status === 'OPEN') return nothing
  const piece = pieceOf(receipt, payment)
  const disputes = [...draft.disputes.values()].filter(
    (each) => each.paymentId === payment.id && pieceOf(each, payment) === piece,
  )
  if (disputes.some(({ status }) => status === 'OPEN')) return nothing
  const gone = disputes.filter(({ status }) => status !== 'WON')
  const kept = refundsOf(input).filter(({ status, isHeldBack }) => status !== 'FAILED' && !isHeldBack)
  const sum = (all: readonly { readonly amountMinor: bigint }[]) =>
    all.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  const accounts = heldAccounts(facts, receipt, payment)
  const { postings, events, ...resumed } = waitingOf(input).reduce<Resumed>(
    (before, refund) => resume(before, refund, receipt, accounts),
    {
      payment,
      refunds: [],
      postings: [],
      events: [],
      leftMinor: (draft.pieces.get(piece) ?? 0n) - sum(gone) - sum(kept),
      freeMinor: books.balance(accounts.available),
    },
  )
  return { postings, events, change: { payment: resumed.payment, refunds: resumed.refunds } }
}

function resume(
  before: Resumed,
  refund: Refund,
  receipt: Placed,
  { available, held, pending }: HeldAccounts,
): Resumed {
  // It was requested while the dispute was OPEN, of money that is not disputed.
  if (!refund.isHeldBack) return { ...before, refunds: [...before.refunds, refund] }
  const { payment, leftMinor, freeMinor } = before
  const minor = refund.amountMinor
  const money = moneyOr(payment, receipt.amount.currency, refund.walletId)
  const unreleasedMinor = minOf(minor, money.unreleasedMinor)
  const free: Refund = { ...refund, isHeldBack: false, version: refund.version + 1 }
  const failure = minor > leftMinor ? disputed : minor - unreleasedMinor > freeMinor ? uncovered : undefined
  if (failure !== undefined) {
    const failed: Refund = { ...free, status: 'FAILED', failure }
    return {
      ...before,
      payment: withMoney(payment, { ...money, refundedMinor: money.refundedMinor - minor }),
      refunds: [...before.refunds, failed],
      events: [...before.events, refundEvent('refund.failed', failed, payment)],
    }
  }
  const unreleased = unreleasedMinor === 0n ? {} : { unreleased: { pending, minor: unreleasedMinor } }
  const from = { available, held, ...unreleased }
  return {
    ...before,
    payment: withMoney(payment, { ...money, unreleasedMinor: money.unreleasedMinor - unreleasedMinor }),
    refunds: [...before.refunds, { ...free, unreleasedMinor }],
    postings: [...before.postings, ...recipes.refundHeld(occasionOfVersion(receipt, free), from, minor)],
    leftMinor: leftMinor - minor,
    freeMinor: freeMinor - (minor - unreleasedMinor),
  }
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
function refundsOf({ draft, receipt, payment }: PlacedCase): readonly Refund[] {
  const piece = pieceOf(receipt, payment)
  return [...draft.refunds.values()]
    .filter((refund) => pieceKey(refund) === piece)
    .toSorted((a, b) => (a.createdAt < b.createdAt || (a.createdAt <= b.createdAt && a.id < b.id) ? -1 : 1))
}

/** Those of them that were not sent. */
function waitingOf(input: PlacedCase): readonly Refund[] {
  const { unsent } = input.facts
  return refundsOf(input).filter(({ id, status }) => status === 'PENDING' && unsent.has(id))
}

type Disputed = Pick<Placed, 'connection'> & {
  readonly paidRef?: string
  readonly dispute?: Placed['dispute']
}

function pieceOf({ connection, paidRef, dispute }: Disputed, { id }: Pick<Payment, 'id'>): string {
  return pieceKey({ paymentId: id, connection, paidRef: paidRef ?? dispute?.paidRef ?? '' })
}
