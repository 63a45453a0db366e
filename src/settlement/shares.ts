// The shares of a split payment, as settlement books them: with the money that arrives, and after every other report that
// changes what the payment holds. Nothing here changes a payment without a split.
// Inspected by audit/settlement/split.ts.
import type { Placed } from './placed.ts'
import { maxOf } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Posting } from '#/ledger/apply.ts'
import type { Batch } from '#/ledger/kind.ts'
import { bookShares, changedSplit, type SplitView } from '#/payments/book-shares.ts'
import { pieceName, type Split } from '#/payments/shares.ts'
import type { Payment } from '#/payments/payment.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { accountsOf, type IncomingAccounts } from './accounts.ts'
import { postAll } from './posting.ts'
import type { ReceiptRuling } from './recorded.ts'
import type { View } from './view.ts'

type Arrival = {
  /** How much of our fee this piece can pay, after the shares of it. */
  readonly feeRoomMinor: bigint
  /** The payment's own postings, with those of shares in their places. `feeMinor`: all fees on the payment, with this piece's. */
  among(
    paymentPostings: readonly Posting[],
    feeMinor: bigint,
  ): { readonly postings: readonly Posting[]; readonly events: readonly EventDraft[]; readonly split?: Split }
}

/**
 * The shares of money that arrives. They are posted after the full amount was credited, and before our fee and the repayment of
 * the platform's debt. Money that waits for a settlement delay is shared at its release.
 */
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
    return { feeRoomMinor: arrived, among: (paymentPostings) => ({ postings: paymentPostings, events: [] }) }
  const isDuplicate = payment.status === 'PAID'
  const piece = { connection: receipt.connection, paidRef: receipt.providerRef }
  if (isDuplicate) found.duplicates.add(pieceName(piece.connection, piece.paidRef))
  const arriving = changedSplit(found, { piece, keptMinor: arrived, waitingMinor: waits ? arrived : 0n })
  const after = { ...payment, receivedMinor: payment.receivedMinor + arrived }
  const terms = { platform: accounts, cause: sha256(receipt.evidence), taking: 'from_all_wallets' as const }
  const { givenMinor, payerMinor } = bookShares({ books }, after, arriving, terms)
  return {
    // Cents that earlier pieces left can make the shares more than this piece.
    feeRoomMinor: waits ? arrived : maxOf(arrived - givenMinor + payerMinor, 0n),
    among(paymentPostings, feeMinor) {
      const booked = bookShares({ books }, { ...after, feeMinor }, arriving, terms)
      view.splits.set(payment.id, booked.view)
      const credit = paymentPostings.findIndex(({ kind }) => kind === 'PAYMENT')
      const postings = [
        ...paymentPostings.slice(0, credit + 1),
        ...booked.postings,
        ...paymentPostings.slice(credit + 1),
        ...booked.repay,
      ]
      return { postings, events: booked.events, split: booked.view.split }
    },
  }
}

/** The ruling on a report that changed what a payment holds, with the shares adjusted to it. */
export function withShares(
  view: View,
  receipt: Placed,
  before: Payment,
  ruling: ReceiptRuling,
  batch: Pick<Batch, 'books'>,
): ReceiptRuling {
  const [found, payment] = [view.splits.get(before.id), ruling.change?.payment]
  if (found === undefined || payment === undefined || receipt.outcome === 'paid') return ruling
  const paidRef = receipt.dispute?.paidRef ?? ruling.change?.refund?.paidRef
  const changed = changedSplit(found, {
    ...(paidRef === undefined ? {} : { piece: { connection: receipt.connection, paidRef } }),
    keptMinor: keptOf(payment) - keptOf(before),
    waitingMinor: payment.unreleasedMinor - before.unreleasedMinor,
  })
  const {
    postings,
    repay,
    events,
    view: booked,
  } = bookShares(batch, payment, changed, {
    platform: accountsOf(receipt.outcome, view, receipt, payment),
    cause: sha256(receipt.evidence),
    taking: 'from_all_wallets',
  })
  // What the platform keeps of a share changes it without a posting.
  const isBooked = booked.split.shares.some((share, index) => share !== changed.split.shares[index])
  if (!isBooked && !isChanged(found, changed)) return ruling
  postAll(batch, [...postings, ...repay])
  view.splits.set(payment.id, booked)
  const news = [...(ruling.events ?? []), ...events]
  return { ...ruling, change: { ...ruling.change, split: booked.split }, events: news }
}

function keptOf({ receivedMinor, refundedMinor, disputedMinor }: Payment): bigint {
  return receivedMinor - refundedMinor - disputedMinor
}

function isChanged({ split: a }: SplitView, { split: b }: SplitView): boolean {
  return a.duplicateMinor !== b.duplicateMinor || a.waitingMinor !== b.waitingMinor
}
