// Books the shares of a split payment: after each change of the base, the difference to what each recipient already has. Used where
// settlement books receipts and releases, and where a refund is accepted. A payment without a split makes no query and no posting
// here.
import type { PaymentRef } from '#/rails/words.ts'
import type { Tx } from '#/db/client.ts'
import type { ConnectionId, PaymentId, WalletId } from '#/kernel/id.ts'
import { maxOf, minOf } from '#/kernel/money.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import {
  platformRepaid,
  shareGiven,
  shareTaken,
  type PlatformAccounts,
  type RecipientAccounts,
  type Taking,
} from '#/ledger/share-recipes.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Payment } from './payment.ts'
import { shareEvent } from './share-record.ts'
import {
  baseOf,
  pieceName,
  shareOf,
  type Duplicates,
  type NamedPiece,
  type Share,
  type Split,
} from './shares.ts'
import * as queries from './split-queries.ts'

/** A split as a batch sees it: with all wallets of its recipients. */
export type SplitView = {
  readonly split: Split
  /** By recipient: its wallets in the currency, oldest first. */
  readonly wallets: ReadonlyMap<string, readonly WalletId[]>
  /** Of the pieces that may go back, those that came when the payment was PAID already. */
  readonly duplicates: Duplicates
}

export type Splits = Map<PaymentId, SplitView>

/** The splits of those of these payments that have one. `pieces`: the money that may go back in this batch. */
export async function loadSplits(
  tx: Tx,
  payments: Iterable<Payment>,
  pieces: readonly NamedPiece[],
): Promise<Splits> {
  const refs: PaymentRef[] = []
  for (const { request, merchantId, id } of payments)
    if (request.splits !== undefined) refs.push({ merchantId, paymentId: id })
  if (refs.length === 0) return new Map()
  const [splits, duplicates] = await Promise.all([
    queries.selectSplits(tx, refs),
    pieces.length === 0 ? [] : queries.selectDuplicates(tx, pieces),
  ])
  const recipients = splits.flatMap(({ shares, currency }) =>
    shares.map(({ subAccountId }) => ({ merchantId: subAccountId, currency })),
  )
  const wallets = recipients.length === 0 ? [] : await queries.selectRecipientWallets(tx, recipients)
  const walletsOf = Map.groupBy(wallets, ({ merchantId, currency }) => `${merchantId}/${currency}`)
  const duplicatesOf = Map.groupBy(duplicates, ({ paymentId }) => paymentId)
  return new Map(
    splits.map((split) => [
      split.paymentId,
      {
        split,
        wallets: new Map(
          split.shares.map(({ subAccountId }) => [
            subAccountId,
            (walletsOf.get(`${subAccountId}/${split.currency}`) ?? []).map(({ id }) => id),
          ]),
        ),
        duplicates: new Set(
          (duplicatesOf.get(split.paymentId) ?? []).map((each) =>
            pieceName(each.connection, each.providerRef),
          ),
        ),
      },
    ]),
  )
}

/** The sub-accounts of these splits. Only they can come to owe their parent something while shares of them are booked. */
export function recipientsOf(splits: Splits): ReadonlySet<string> {
  return new Set([...splits.values()].flatMap(({ wallets }) => [...wallets.keys()]))
}

/** All accounts of recipients that a booking of this split may post to. The platform's own are the caller's. */
export function splitAccounts(view: SplitView | undefined, mode: Mode): readonly chart.AccountSpec[] {
  if (view === undefined) return []
  return view.split.shares.flatMap((share) => Object.values(recipientOf(view, share, mode)).flat())
}

function recipientOf({ split, wallets }: SplitView, share: Share, mode: Mode): RecipientAccounts {
  const { currency, merchantId } = split
  const { subAccountId, walletId } = share
  const others = (wallets.get(subAccountId) ?? []).filter((id) => id !== walletId)
  const available = chart.walletAvailable(mode, walletId, currency)
  return {
    available,
    receivable: chart.receivable(mode, subAccountId, currency),
    owes: chart.owes(mode, subAccountId, currency),
    owed: chart.owed(mode, merchantId, currency),
    sources: [available, ...others.map((id) => chart.walletAvailable(mode, id, currency))],
  }
}

/** What an event changed besides the payment's own sums. */
export type SplitChange = {
  /** Money came, or went back, of this piece: whether it is a duplicate decides whose it is. */
  readonly piece?: { readonly connection: ConnectionId; readonly paidRef: string }
  /** The change of received − refunded − disputed. */
  readonly keptMinor?: bigint
  readonly waitingMinor?: bigint
}

/** The split after an event, before its shares are booked. */
export function changedSplit(
  view: SplitView,
  { piece, keptMinor = 0n, waitingMinor = 0n }: SplitChange,
): SplitView {
  const { split, duplicates } = view
  const isDuplicate = piece !== undefined && duplicates.has(pieceName(piece.connection, piece.paidRef))
  return {
    ...view,
    split: {
      ...split,
      duplicateMinor: split.duplicateMinor + (isDuplicate ? keptMinor : 0n),
      waitingMinor: maxOf(split.waitingMinor + waitingMinor, 0n),
    },
  }
}

export type BookedShares = {
  readonly view: SplitView
  /** What goes to recipients and comes from them. */
  readonly postings: readonly Posting[]
  /** What the platform repays of its debt, to be posted after all others. */
  readonly repay: readonly Posting[]
  readonly givenMinor: bigint
  /** The events for recipients. */
  readonly events: readonly EventDraft[]
  /** What the fee payer gets by these postings, before our fee: the share from which the fee can be taken. */
  readonly payerMinor: bigint
}

/**
 * How much each share changes. `minor`: what its recipient gets (positive) or gives back (negative). `kept`: the change of the part
 * that the platform keeps. A closed sub-account gets nothing. Money that goes back is taken first from what the platform kept.
 */
function differences(
  payment: Payment,
  { split }: SplitView,
): readonly { readonly minor: bigint; readonly kept: bigint }[] {
  const base = baseOf(payment, split)
  return split.shares.map((share) => {
    const change = shareOf(share, payment, base) - share.bookedMinor - share.keptMinor
    if (change > 0n) return share.isClosed ? { minor: 0n, kept: change } : { minor: change, kept: 0n }
    const kept = maxOf(change, -share.keptMinor)
    return { minor: change - kept, kept }
  })
}

/**
 * The postings with which each share becomes what the payment's base requires. `payment`: after the event. `cause`: SHA-256 of the
 * bytes that caused it. Only reads the books.
 */
export function bookShares(
  { books }: { readonly books: Pick<Batch['books'], 'balance'> },
  payment: Payment,
  view: SplitView,
  {
    platform,
    cause,
    taking,
  }: { readonly platform: PlatformAccounts; readonly cause: Buffer; readonly taking: Taking },
): BookedShares {
  const { split } = view
  const changes = differences(payment, view)
  const occasion = { subject: split.id, ordinal: split.version, cause }
  const postings: Posting[] = []
  const changed: (readonly ['share.credited' | 'share.returned', Share])[] = []
  let [toPlatform, givenMinor, payerMinor] = [0n, 0n, 0n]
  const shares = split.shares.map((before, index): Share => {
    const { minor: change, kept } = changes[index] ?? { minor: 0n, kept: 0n }
    const share = kept === 0n ? before : { ...before, keptMinor: before.keptMinor + kept }
    if (change === 0n) return share
    const place = { occasion, ordinal: share.ordinal }
    const recipient = recipientOf(view, share, payment.mode)
    const bookedMinor = share.bookedMinor + change
    if (change < 0n) {
      postings.push(...shareTaken(place, platform, recipient, -change, taking))
      toPlatform -= change
      const less = { ...share, bookedMinor }
      changed.push(['share.returned', less])
      return less
    }
    const isPayer = share.subAccountId === split.feePayer
    const fee = isPayer ? minOf(maxOf(payment.feeMinor - share.feeMinor, 0n), change) : 0n
    const toOperator = minOf(books.balance(recipient.receivable), change - fee)
    const debt = minOf(books.balance(recipient.owes), change - fee - toOperator)
    postings.push(
      ...shareGiven(place, platform, recipient, { minor: change, fee, toOperator, toPlatform: debt }),
    )
    toPlatform += fee + debt
    givenMinor += change
    if (isPayer) payerMinor += change
    const more = { ...share, bookedMinor, feeMinor: share.feeMinor + fee }
    changed.push(['share.credited', more])
    return more
  })
  const after = { ...split, shares, version: split.version + 1 }
  return {
    view: { ...view, split: after },
    postings,
    events: changed.map(([type, share]) => shareEvent(type, payment.mode, share, after)),
    repay: toPlatform === 0n ? [] : platformRepaid(occasion, platform, toPlatform),
    givenMinor,
    payerMinor,
  }
}
