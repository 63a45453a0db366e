// Books the shares of a split payment: after each change of the base, the difference to what each recipient already has. Used where
// settlement books receipts and releases, and where a refund is accepted. A payment without a split makes no query and no posting
// here.
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { ConnectionId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { maxOf, minOf } from '#/kernel/money.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import {
  platformRepaid,
  shareCharged,
  shareGiven,
  shareReleased,
  shareRepays,
  shareTaken,
  type Parts,
  type RecipientAccounts,
  type SharePlace,
  type SharingAccounts,
  type Taking,
} from '#/ledger/share-recipes.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { Payment } from './payment.ts'
import {
  shareEvent,
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
  /** What came and is still to be released. Known where money may go back. */
  readonly withheld: Withheld
}

type Withheld = {
  /** Money whose shares are given at its release, before our fee. */
  readonly unsharedMinor: bigint
  /** What went into the recipients' pending balances, in their order. */
  readonly shareMinors: readonly bigint[]
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
  const [splits, duplicates, withheld] = await Promise.all([
    queries.selectSplits(tx, refs),
    pieces.length === 0 ? [] : queries.selectDuplicates(tx, pieces),
    pieces.length === 0 ? [] : queries.selectWithheldShares(tx, refs),
  ])
  const recipients = splits.flatMap(({ shares, currency }) =>
    shares.map(({ subAccountId }) => ({ merchantId: subAccountId, currency })),
  )
  const wallets = recipients.length === 0 ? [] : await queries.selectRecipientWallets(tx, recipients)
  const walletsOf = Map.groupBy(wallets, ({ merchantId, currency }) => `${merchantId}/${currency}`)
  const duplicatesOf = Map.groupBy(duplicates, ({ paymentId }) => paymentId)
  const withheldOf = Map.groupBy(withheld, ({ paymentId }) => paymentId)
  const viewOf = (split: Split): SplitView => {
    const { paymentId, currency, shares } = split
    const own = ({ subAccountId }: Share) => walletsOf.get(`${subAccountId}/${currency}`) ?? []
    const pieces = duplicatesOf.get(paymentId) ?? []
    return {
      split,
      wallets: new Map(shares.map((share) => [share.subAccountId, own(share).map(({ id }) => id)])),
      duplicates: new Set(pieces.map(({ connection, providerRef }) => pieceName(connection, providerRef))),
      withheld: withheldIn(split, withheldOf.get(paymentId) ?? []),
    }
  }
  return new Map(splits.map((split) => [split.paymentId, viewOf(split)]))
}

function withheldIn({ shares }: Split, rows: readonly queries.WithheldShare[]): Withheld {
  const of = (ordinal: number) => rows.find((row) => row.ordinal === ordinal)?.minor ?? 0n
  return { unsharedMinor: of(0), shareMinors: shares.map(({ ordinal }) => of(ordinal)) }
}

/** What of the payment's unreleased money stands in its recipients' pending balances. */
export function unreleasedShares(view: SplitView | undefined): bigint {
  return sumOf((view?.split.shares ?? []).map(({ unreleasedMinor }) => unreleasedMinor))
}

/** The sub-accounts of these splits. Only they can come to owe their parent something while shares of them are booked. */
export function recipientsOf(splits: ReadonlyMap<PaymentId, SplitView>): ReadonlySet<string> {
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
    pending: chart.walletPending(mode, walletId, currency),
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
  /** The change of the money whose shares are given at its release. */
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
  /** What goes to recipients, comes from them, and is released to them. */
  readonly moved: readonly Posting[]
  /** What the fee payer pays the platform. */
  readonly fees: readonly Posting[]
  /** What repays the debts of recipients. */
  readonly repaid: readonly Posting[]
  /** What the platform repays of its debt, to be posted after all others. */
  readonly repay: readonly Posting[]
  /** The change of the platform's own part of the payment's unreleased money. */
  readonly unreleasedMinor: bigint
  /** What of the recipients' pending balances was released. */
  readonly releasedMinor: bigint
  /** What went into the recipients' pending balances, less what of it paid our fee; in their order. */
  readonly shareMinors: readonly bigint[]
  readonly given: Parts
  /** The events for recipients. */
  readonly events: readonly EventDraft[]
  /** What the fee payer gets by these postings, before our fee: the share from which the fee can be taken. */
  readonly payer: Parts
}

/** How the shares of an event are booked. */
export type Booking = {
  readonly platform: SharingAccounts
  /** SHA-256 of the bytes that caused it. */
  readonly cause: Buffer
  readonly taking: Taking
  /** How much of what is given waits. `returns`: it waited before, so no share gets more than is still to be released. */
  readonly waits?: { readonly minor: bigint; readonly returns: boolean }
  /** What one receipt brought into the recipients' pending balances, which is released now; and the receipt's number. */
  readonly released?: { readonly receipt: number; readonly minors: readonly bigint[] }
  /** Our fees that the fee payer's share bears, with those that it has paid. Absent: no money came, and what is given pays no fee. */
  readonly feeMinor?: bigint
}

/** What changes of one share. `kept`: the change of the part that the platform keeps. */
type Change = {
  readonly given: Parts
  readonly taken: Parts
  readonly released: bigint
  readonly kept: bigint
}

/**
 * How much each share changes. A closed sub-account gets nothing. Money that goes back is taken first from what the platform kept, then
 * from what waits, then from what is available.
 */
function changesOf(payment: Payment, view: SplitView, { waits, released }: Booking): readonly Change[] {
  const { shares } = view.split
  const base = baseOf(payment, view.split)
  const differences = shares.map((share) => {
    const minor = shareOf(share, payment, base) - share.bookedMinor - share.keptMinor
    const kept = minor > 0n ? (share.isClosed ? minor : 0n) : maxOf(minor, -share.keptMinor)
    return { minor: minor - kept, kept }
  })
  const rooms = differences.map(({ minor }, index) => {
    const given = maxOf(minor, 0n)
    if (waits?.returns !== true) return given
    const remaining = (view.withheld.shareMinors[index] ?? 0n) - (shares[index]?.unreleasedMinor ?? 0n)
    return minOf(given, maxOf(remaining, 0n))
  })
  const waiting = apportion(rooms, waits?.minor ?? 0n)
  return shares.map(({ unreleasedMinor }, index) => {
    const { minor, kept } = differences[index] ?? { minor: 0n, kept: 0n }
    const pending = waiting[index] ?? 0n
    const back = maxOf(-minor, 0n)
    const unreleasedBack = minOf(back, unreleasedMinor)
    return {
      given: { pending, available: maxOf(minor, 0n) - pending },
      taken: { pending: unreleasedBack, available: back - unreleasedBack },
      released: minOf(released?.minors[index] ?? 0n, unreleasedMinor),
      kept,
    }
  })
}

/** Parts of these amounts that are `minor` together, in proportion; all of them if `minor` is enough. */
function apportion(amounts: readonly bigint[], minor: bigint): readonly bigint[] {
  const sum = sumOf(amounts)
  if (sum <= minor) return amounts
  const parts = amounts.map((each) => (each * minor) / sum)
  let remaining = minor - sumOf(parts)
  return parts.map((part, index) => {
    const more = minOf(remaining, (amounts[index] ?? 0n) - part)
    remaining -= more
    return part + more
  })
}

/**
 * The postings with which each share becomes what the payment's base requires. `payment`: after the event. Only reads the books.
 */
export function bookShares(
  { books }: { readonly books: Pick<Batch['books'], 'balance'> },
  payment: Payment,
  view: SplitView,
  booking: Booking,
): BookedShares {
  const { split } = view
  const { platform, cause } = booking
  const occasion = { subject: split.id, ordinal: split.version, cause }
  const changes = changesOf(payment, view, booking)
  const booked = split.shares.map((share, index) =>
    bookShare({ books }, share, {
      ...booking,
      place: { occasion, ordinal: share.ordinal },
      recipient: recipientOf(view, share, payment.mode),
      change: must(changes[index], 'each share has its change'),
      isPayer: share.subAccountId === split.feePayer,
    }),
  )
  const after = {
    ...split,
    shares: booked.map(({ share }) => share),
    version: split.version + 1,
  }
  const toPlatform = sumOf(booked.map((each) => each.toPlatform))
  const payer = changes.filter((_, index) => split.shares[index]?.subAccountId === split.feePayer)
  const shareMinors = booked.map((each) => each.waitsMinor)
  const released = booking.released?.minors ?? []
  return {
    view: {
      ...view,
      split: after,
      withheld: {
        ...view.withheld,
        shareMinors: view.withheld.shareMinors.map((each, index) => {
          const came = booking.waits?.returns === false ? (shareMinors[index] ?? 0n) : 0n
          return each + came - (released[index] ?? 0n)
        }),
      },
    },
    moved: booked.flatMap((each) => each.moved),
    fees: booked.flatMap((each) => each.fees),
    repaid: booked.flatMap((each) => each.repaid),
    repay: toPlatform === 0n ? [] : platformRepaid(occasion, platform, toPlatform),
    unreleasedMinor: sumOf(changes.map(({ taken }) => taken.pending)) - sumOf(shareMinors),
    releasedMinor: sumOf(changes.map((each) => each.released)),
    shareMinors,
    given: partsOf(changes),
    events: booked.flatMap(({ news, share }) =>
      news === undefined ? [] : [shareEvent(news, payment.mode, share, after)],
    ),
    payer: partsOf(payer),
  }
}

/** One share: its postings, and the share after them. */
function bookShare(
  { books }: { readonly books: Pick<Batch['books'], 'balance'> },
  before: Share,
  terms: Pick<Booking, 'platform' | 'taking' | 'released' | 'feeMinor'> & {
    readonly place: SharePlace
    readonly recipient: RecipientAccounts
    readonly change: Change
    readonly isPayer: boolean
  },
) {
  const { platform, taking, place, recipient, change, isPayer } = terms
  const { given, taken, released, kept } = change
  const receipt = terms.released?.receipt ?? 0
  const owed = isPayer ? maxOf((terms.feeMinor ?? 0n) - before.feeMinor, 0n) : 0n
  const unreleasedFee = minOf(owed, given.pending)
  const fee = { pending: unreleasedFee, available: minOf(owed - unreleasedFee, given.available) }
  // Only what becomes available repays.
  const free = released + given.available - fee.available
  const toOperator = minOf(books.balance(recipient.receivable), free)
  const toPlatform = minOf(books.balance(recipient.owes), free - toOperator)
  const [more, less] = [given.pending + given.available, taken.pending + taken.available]
  const waitsMinor = given.pending - fee.pending
  const isMoved = more > 0n || less > 0n || released > 0n
  const share: Share = {
    ...before,
    bookedMinor: before.bookedMinor + more - less,
    unreleasedMinor: before.unreleasedMinor + waitsMinor - taken.pending - released,
    keptMinor: before.keptMinor + kept,
    feeMinor: before.feeMinor + fee.pending + fee.available,
  }
  return {
    share: isMoved || kept !== 0n ? share : before,
    moved: [
      ...(less > 0n ? shareTaken(place, platform, recipient, taken, taking) : []),
      ...(more > 0n ? shareGiven(place, platform, recipient, given) : []),
      ...(released > 0n ? shareReleased(place, recipient, { receipt, minor: released }) : []),
    ],
    fees: shareCharged(place, platform, recipient, fee),
    repaid: shareRepays(place, platform, recipient, { toOperator, toPlatform }),
    /** What comes into the platform's available balance. */
    toPlatform: taken.available + fee.available + toPlatform,
    waitsMinor,
    news: isMoved ? (less > 0n ? ('share.returned' as const) : ('share.credited' as const)) : undefined,
  }
}

function partsOf(changes: readonly Change[]): Parts {
  return {
    pending: sumOf(changes.map(({ given }) => given.pending)),
    available: sumOf(changes.map(({ given }) => given.available)),
  }
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, each) => sum + each, 0n)
}
