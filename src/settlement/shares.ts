// The shares of a split payment, as settlement books them: with the money that arrives, before the platform is debited for a dispute or
// a refund, and after every other report that changes what the payment holds. Nothing here changes a payment without a split.
// Inspected by audit/settlement/split.ts.
import { maxOf, minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from '#/ledger/apply.ts'
import { bookShares, changedSplit, type Booking, type SplitView } from '#/payments/book-shares.ts'
import { moneyIn, withMoney } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import { feesOfShare, pieceName, type Split } from '#/payments/shares.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { accountsOf, type DebitAccounts, type IncomingAccounts } from './accounts.ts'
import {
  nothing,
  type Addition,
  type Ahead,
  type Case,
  type CaseOf,
  type Decision,
  type PlacedCase,
  type ReceiptChange,
} from './decision.ts'

type Arrival = {
  /** Our fee on this piece: as much of what is due as the shares leave of it, with what the fee payer can bear. */
  readonly fee: bigint
  /** The payment's own postings, with those of the shares in their places. */
  among(paymentPostings: readonly Posting[]): readonly Posting[]
  readonly split?: SplitView
  readonly events: readonly EventDraft[]
  /** The change of the platform's own part of the payment's unreleased money. */
  readonly unreleasedMinor: bigint
  /** What the recipients got into their pending balances. */
  readonly shareMinors: readonly bigint[]
}

/** The shares of money that arrives. With a settlement delay they go into the recipients' pending balances. */
export function sharesOfArrival(
  { draft, books, receipt, minor: arrived, payment, accounts }: CaseOf<IncomingAccounts>,
  { due, waits }: { readonly due: bigint; readonly waits: boolean },
): Arrival {
  const found = draft.splits.get(payment.id)
  if (found === undefined)
    return {
      fee: minOf(due, arrived),
      among: (postings) => postings,
      events: [],
      unreleasedMinor: 0n,
      shareMinors: [],
    }
  const isDuplicate = payment.status === 'PAID'
  const piece = { connection: receipt.connection, paidRef: receipt.providerRef }
  const name = pieceName(piece.connection, piece.paidRef)
  const duplicates = isDuplicate ? new Set([...found.duplicates, name]) : found.duplicates
  const arriving = changedSplit({ ...found, duplicates }, { piece, keptMinor: arrived })
  const after = { ...payment, receivedMinor: payment.receivedMinor + arrived }
  const booking: Booking = {
    platform: accounts,
    cause: sha256(receipt.evidence),
    taking: 'from_all_wallets',
    ...(waits ? { waits: { minor: arrived, returns: false } } : {}),
  }
  const { given, payer } = bookShares({ books }, after, arriving, booking)
  const [shared, ofPayer] = waits ? [given.pending, payer.pending] : [given.available, payer.available]
  // Cents that earlier pieces left can make the shares more than this piece.
  const fee = minOf(due, maxOf(arrived - shared + ofPayer, 0n))
  const fees = feesOfShare(payment, found.split, { isDuplicate, feeMinor: fee })
  const booked = bookShares({ books }, after, arriving, { ...booking, feeMinor: fees })
  return { ...booked, fee, split: booked.view, among: (own) => inPlace(own, booked) }
}

/**
 * The postings of the platform with those of the shares, in this order: what the platform gets, the shares, our fee (from its payer to
 * the platform, then to us), and then what repays each debt.
 */
export function inPlace(
  platform: readonly Posting[],
  { moved, fees, repaid, repay }: Pick<ReturnType<typeof bookShares>, 'moved' | 'fees' | 'repaid' | 'repay'>,
): readonly Posting[] {
  const isFee = ({ kind }: Posting) => kind === 'FEE'
  const isRepayment = ({ kind }: Posting) => kind === 'RECEIVABLE_REPAID'
  return [
    ...platform.filter((posting) => !isFee(posting) && !isRepayment(posting)),
    ...moved,
    ...fees,
    ...platform.filter(isFee),
    ...repaid,
    ...platform.filter(isRepayment),
    ...repay,
  ]
}

/** What goes back of the shares of a payment because it is about to be debited. */
export type SharesBack = {
  /** The change of the payment's unreleased money: what came back from the recipients' pending balances. */
  readonly unreleasedMinor: bigint
  /** The postings of the debit with those of the shares around them. */
  around(debit: readonly Posting[]): readonly Posting[]
  readonly changed: { readonly split?: SplitView; readonly ahead?: Ahead }
}

export const noSharesBack: SharesBack = { unreleasedMinor: 0n, around: (debit) => debit, changed: {} }

/**
 * Takes the shares back before the platform is debited, so that the debit finds what came from the recipients, unreleased money first.
 * `payment`: after the debit, by which it holds `minor` less.
 */
export function takeSharesBack(
  { draft, books, receipt: { evidence, connection } }: Case,
  payment: Payment,
  platform: DebitAccounts,
  { paidRef, minor }: { readonly paidRef: string; readonly minor: bigint },
): SharesBack {
  const found = draft.splits.get(payment.id)
  if (found === undefined || minor === 0n) return noSharesBack
  const piece = { connection, paidRef }
  const changed = changedSplit(found, { piece, keptMinor: -minor, waitingMinor: -minor })
  const terms = { platform, cause: sha256(evidence), taking: 'from_all_wallets' as const }
  const booked = bookShares({ books }, payment, changed, terms)
  return {
    unreleasedMinor: booked.unreleasedMinor,
    around: (debit) => [...booked.moved, ...debit, ...booked.repay],
    changed: { split: booked.view, ahead: { keptMinor: -minor, events: booked.events } },
  }
}

/** The second pass over a decision: the shares are adjusted to what the report changed of what the payment holds. */
export function adjustShares(input: PlacedCase, { change = {}, ahead }: Decision): Addition {
  const { facts, draft, books, receipt, payment: before } = input
  const [found, payment] = [draft.splits.get(before.id), change.payment]
  if (found === undefined || payment === undefined || receipt.outcome === 'paid') return nothing
  const paidRef = receipt.dispute?.paidRef ?? change.refund?.paidRef
  const { back, unsharedMinor } = returnedOf(found, before, change)
  const changed = changedSplit(found, {
    ...(paidRef === undefined ? {} : { piece: { connection: receipt.connection, paidRef } }),
    keptMinor: keptOf(payment) - keptOf(before) - (ahead?.keptMinor ?? 0n),
    waitingMinor: unsharedMinor,
  })
  const booked = bookShares({ books }, payment, changed, {
    platform: accountsOf(receipt.outcome, facts, receipt, payment),
    cause: sha256(receipt.evidence),
    taking: 'from_all_wallets',
    waits: { minor: back, returns: true },
  })
  // What the platform keeps of a share changes it without a posting.
  const isBooked = booked.view.split.shares.some((share, index) => share !== changed.split.shares[index])
  if (!isBooked && ahead === undefined && !isChanged(found, changed)) return nothing
  return {
    postings: [...booked.moved, ...booked.fees, ...booked.repaid, ...booked.repay],
    change: { payment: withUnreleased(payment, found.split, booked.unreleasedMinor), split: booked.view },
    events: [...(ahead?.events ?? []), ...booked.events],
  }
}

/** Of the money that a report returns: what waits again, and what of it is shared only at its release. */
function returnedOf(
  { split, withheld }: SplitView,
  before: Payment,
  { payment, refund, refunds = [] }: ReceiptChange,
): { readonly back: bigint; readonly unsharedMinor: bigint } {
  const ownMinor = (payment && moneyIn(payment, split.currency)?.unreleasedMinor) ?? 0n
  if (refund?.status === 'FAILED') {
    const minor = maxOf(ownMinor - (moneyIn(before, split.currency)?.unreleasedMinor ?? 0n), 0n)
    const unsharedMinor = minOf(minor, maxOf(withheld.unsharedMinor - split.waitingMinor, 0n))
    return { back: minor - unsharedMinor, unsharedMinor }
  }
  // A dispute has ended, and refunds that waited for it fail: what they had released for it stayed in the platform's pending balance.
  const failed = refunds.filter(({ status }) => status === 'FAILED')
  const minor = failed.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return { back: minOf(minor, ownMinor), unsharedMinor: 0n }
}

function withUnreleased(payment: Payment, { currency }: Split, minor: bigint): Payment {
  const money = moneyIn(payment, currency)
  if (money === undefined || minor === 0n) return payment
  return withMoney(payment, { ...money, unreleasedMinor: money.unreleasedMinor + minor })
}

function keptOf({ receivedMinor, refundedMinor, disputedMinor }: Payment): bigint {
  return receivedMinor - refundedMinor - disputedMinor
}

function isChanged({ split: a }: SplitView, { split: b }: SplitView): boolean {
  return a.duplicateMinor !== b.duplicateMinor || a.waitingMinor !== b.waitingMinor
}
