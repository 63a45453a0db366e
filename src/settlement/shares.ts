// The shares of a split payment, as settlement books them: with the money that arrives, before the platform is debited for a dispute or
// a refund, and after every other report that changes what the payment holds. Nothing here changes a payment without a split.
// Inspected by audit/settlement/split.ts.
import { maxOf, minOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { Batch } from '#/ledger/kind.ts'
import { bookShares, changedSplit, type Booking, type SplitView } from '#/payments/book-shares.ts'
import { moneyIn, withMoney } from '#/payments/money.ts'
import type { Payment } from '#/payments/payment.ts'
import { feesOfShare, pieceName, type Split } from '#/payments/shares.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { accountsOf, type DebitAccounts, type IncomingAccounts } from './accounts.ts'
import type { Placed } from './placed.ts'
import { postAll } from './posting.ts'
import type { ReceiptRuling } from './recorded.ts'
import type { View } from './view.ts'

/** The postings of an event of a payment, with those of its shares in their places. */
type Among = {
  readonly postings: readonly Posting[]
  readonly events: readonly EventDraft[]
  readonly split?: Split
  /** The change of the platform's own part of the payment's unreleased money. */
  readonly unreleasedMinor: bigint
  /** What the recipients got into their pending balances. */
  readonly shareMinors: readonly bigint[]
}

type Arrival = {
  /** How much of our fee this piece can pay, after the shares of it. */
  readonly feeRoomMinor: bigint
  /** The payment's own postings, with those of shares in their places. `feeMinor`: our fee on this piece. */
  among(paymentPostings: readonly Posting[], feeMinor: bigint): Among
}

/** The shares of money that arrives. With a settlement delay they go into the recipients' pending balances. */
export function sharesOfArrival(
  view: View,
  receipt: Placed,
  payment: Payment,
  accounts: IncomingAccounts,
  {
    arrived,
    waits,
    books,
  }: { readonly arrived: bigint; readonly waits: boolean; readonly books: Batch['books'] },
): Arrival {
  const found = view.splits.get(payment.id)
  if (found === undefined)
    return {
      feeRoomMinor: arrived,
      among: (postings) => ({ postings, events: [], unreleasedMinor: 0n, shareMinors: [] }),
    }
  const isDuplicate = payment.status === 'PAID'
  const piece = { connection: receipt.connection, paidRef: receipt.providerRef }
  if (isDuplicate) found.duplicates.add(pieceName(piece.connection, piece.paidRef))
  const arriving = changedSplit(found, { piece, keptMinor: arrived })
  const after = { ...payment, receivedMinor: payment.receivedMinor + arrived }
  const booking: Booking = {
    platform: accounts,
    cause: sha256(receipt.evidence),
    taking: 'from_all_wallets',
    ...(waits ? { waits: { minor: arrived, returns: false } } : {}),
  }
  const { given, payer } = bookShares({ books }, after, arriving, booking)
  const [shared, ofPayer] = waits ? [given.pending, payer.pending] : [given.available, payer.available]
  return {
    // Cents that earlier pieces left can make the shares more than this piece.
    feeRoomMinor: maxOf(arrived - shared + ofPayer, 0n),
    among(paymentPostings, feeMinor) {
      const fees = feesOfShare(payment, found.split, { isDuplicate, feeMinor })
      const booked = bookShares({ books }, after, arriving, { ...booking, feeMinor: fees })
      view.splits.set(payment.id, booked.view)
      const { events, unreleasedMinor, shareMinors } = booked
      return {
        postings: inPlace(paymentPostings, booked),
        events,
        split: booked.view.split,
        unreleasedMinor,
        shareMinors,
      }
    },
  }
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
}

export const noSharesBack: SharesBack = { unreleasedMinor: 0n, around: (debit) => debit }

/**
 * Takes the shares back before the platform is debited, so that the debit finds what came from the recipients, unreleased money first.
 * `payment`: after the debit, by which it holds `minor` less.
 */
export function takeSharesBack(
  view: View,
  { evidence, connection }: Receipt,
  payment: Payment,
  accounts: DebitAccounts,
  {
    paidRef,
    minor,
    books,
  }: { readonly paidRef: string; readonly minor: bigint; readonly books: Batch['books'] },
): SharesBack {
  const found = view.splits.get(payment.id)
  if (found === undefined || minor === 0n) return noSharesBack
  const changed = changedSplit(found, {
    piece: { connection, paidRef },
    keptMinor: -minor,
    waitingMinor: -minor,
  })
  const terms = { platform: accounts, cause: sha256(evidence), taking: 'from_all_wallets' as const }
  const booked = bookShares({ books }, payment, changed, terms)
  const { keptMinor, events } = found.ahead
  const ahead = { keptMinor: keptMinor - minor, events: [...events, ...booked.events] }
  view.splits.set(payment.id, { ...booked.view, ahead })
  return {
    unreleasedMinor: booked.unreleasedMinor,
    around: (debit) => [...booked.moved, ...debit, ...booked.repay],
  }
}

/**
 * The ruling on a report that changed what a payment holds, with the shares adjusted to it. `before`: the payment and its split before
 * the report.
 */
export function withShares(
  view: View,
  receipt: Placed,
  before: { readonly payment: Payment; readonly split: SplitView | undefined },
  ruling: ReceiptRuling,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const [found, payment] = [view.splits.get(before.payment.id), ruling.change?.payment]
  if (found === undefined || payment === undefined || receipt.outcome === 'paid') return ruling
  const paidRef = receipt.dispute?.paidRef ?? ruling.change?.refund?.paidRef
  const { back, unsharedMinor } = returnedOf(found, before.payment, ruling)
  const changed = changedSplit(found, {
    ...(paidRef === undefined ? {} : { piece: { connection: receipt.connection, paidRef } }),
    keptMinor: keptOf(payment) - keptOf(before.payment) - found.ahead.keptMinor,
    waitingMinor: unsharedMinor,
  })
  const booked = bookShares(batch, payment, changed, {
    platform: accountsOf(receipt.outcome, view, receipt, payment),
    cause: sha256(receipt.evidence),
    taking: 'from_all_wallets',
    waits: { minor: back, returns: true },
  })
  // What the platform keeps of a share changes it without a posting.
  const isBooked = booked.view.split.shares.some((share, index) => share !== changed.split.shares[index])
  if (!isBooked && found === before.split && !isChanged(found, changed)) return ruling
  postAll(batch, [...booked.moved, ...booked.fees, ...booked.repaid, ...booked.repay])
  view.splits.set(payment.id, booked.view)
  const events = [...(ruling.events ?? []), ...found.ahead.events, ...booked.events]
  const after = withUnreleased(payment, found.split, booked.unreleasedMinor)
  view.payments.set(after.id, after)
  return { ...ruling, change: { ...ruling.change, payment: after, split: booked.view.split }, events }
}

/** Of the money that a report returns: what waits again, and what of it is shared only at its release. */
function returnedOf(
  { split, withheld }: SplitView,
  before: Payment,
  { change }: ReceiptRuling,
): { readonly back: bigint; readonly unsharedMinor: bigint } {
  const { payment, refund, refunds = [] } = change ?? {}
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
