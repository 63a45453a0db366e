// When a provider's settlement delay is over, what is left of the money can be withdrawn.
import type { Sql } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minOf } from '#/kernel/money.ts'
import { hourMs } from '#/kernel/time.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import * as recipes from '#/ledger/recipes.ts'
import type { SharingAccounts } from '#/ledger/share-recipes.ts'
import {
  bookShares,
  changedSplit,
  loadSplits,
  recipientsOf,
  splitAccounts,
  type BookedShares,
  type Splits,
  type SplitView,
} from '#/payments/book-shares.ts'
import { moneyIn, withMoney } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { loadPayments, writePayments } from '#/payments/queries.ts'
import { writeSplits } from '#/payments/split-queries.ts'
import { loadParents, parentDebt, type Debtor, type Parents } from '#/wallets/parent-debt.ts'
import { pureKind, type Decided, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { creditAccounts } from './accounts.ts'
import * as queries from './release-queries.ts'
import type { OpenRelease, Released, ReleaseKey } from './release-queries.ts'
import { inPlace } from './shares.ts'

/**
 * - `released`: `minor` can be withdrawn now; zero if refunds and disputes debited all of it.
 * - `already`: it was released before.
 * - `unbookable`: its payment has no money in its currency, or an account is in another currency. It is tried again later.
 */
export type ReleaseVerdict =
  | { readonly kind: 'released'; readonly minor: bigint }
  | { readonly kind: 'already' | 'unbookable' }

export type ReleaseKind = RunnableKind<ReleaseKey, ReleaseVerdict, EventDraft>

type View = {
  readonly releases: Map<string, OpenRelease>
  readonly payments: Map<PaymentId, Payment>
  readonly splits: Splits
  readonly parents: Parents
}

type Change =
  | { readonly released: Released; readonly payment?: Payment; readonly split?: SplitView }
  /** It cannot be released now, and must not delay what is due after it. */
  | { readonly later: ReleaseKey }

/** How long it is postponed. */
const laterMs = hourMs

/** Releases the money of one receipt, as a kind of work for the ledger lane. */
export function releaseKind(): ReleaseKind {
  return pureKind<ReleaseKey, View, Change, ReleaseVerdict>({
    name: 'release what waited',
    load,
    decide,
    keep,
    async write({ tx, at }, changes) {
      const released = changes.flatMap((change) => ('released' in change ? [change.released] : []))
      const payments = changes.flatMap((change) => ('payment' in change ? [change.payment] : []))
      const splits = changes.flatMap((change) => ('split' in change ? [change.split.split] : []))
      const later = changes.flatMap((change) => ('later' in change ? [change.later] : []))
      await Promise.all([
        released.length > 0 && queries.writeReleased(tx, released, at),
        payments.length > 0 && writePayments(tx, payments),
        splits.length > 0 && writeSplits(tx, splits),
        later.length > 0 && queries.postponeReleases(tx, later, laterMs),
      ])
    },
  })
}

async function load({ tx, books, at }: Batch, keys: readonly ReleaseKey[]): Promise<View> {
  const [releases, payments] = await Promise.all([
    queries.selectOpenReleases(tx, keys),
    loadPayments(tx, keys),
  ])
  const view = {
    releases: new Map(releases.map((release) => [keyOf(release), release])),
    payments,
    splits: await loadSplits(tx, payments.values(), []),
  }
  await books.load([
    ...releases.flatMap((release) => Object.values(placeOf(view, release)?.accounts ?? {})),
    ...[...payments.values()].flatMap(({ id, mode }) => splitAccounts(view.splits.get(id), mode)),
  ])
  return {
    ...view,
    parents: await loadParents({ tx, books, at }, debtorsOf(view), recipientsOf(view.splits)),
  }
}

/** Those whose money is released. */
function debtorsOf(view: Pick<View, 'payments' | 'releases'>): readonly Debtor[] {
  const debtors = [...view.releases.values()].flatMap((release) => {
    const place = placeOf(view, release)
    return place === undefined ? [] : [{ ...place.payment, currency: release.currency }]
  })
  return [...new Map(debtors.map((each) => [parentDebt(each).key, each])).values()]
}

function decide(view: Closed<View>, key: ReleaseKey, { books }: Reading): Decided<Change, ReleaseVerdict> {
  const release = view.releases.get(keyOf(key))
  if (release === undefined) return { verdict: { kind: 'already' } }
  const { merchantId, paymentId, ordinal, cause, currency } = release
  const place = placeOf(view, release)
  if (place === undefined || !Object.values(place.accounts).every((account) => books.accepts(account)))
    return { verdict: { kind: 'unbookable' }, change: { later: key } }
  const { payment, money, accounts } = place
  const counted = { ...payment, version: payment.version + 1 }
  const shares = sharesOf(view, counted, release, accounts, books)
  const sharedMinor = shares?.releasedMinor ?? 0n
  // Refunds and disputes may have debited some of it, or all.
  const ownMinor = minOf(release.minor - sharedMinor, money.unreleasedMinor)
  const minor = ownMinor + sharedMinor
  const occasion: recipes.Occasion = { subject: paymentId, ordinal, cause }
  const own = recipes.released(occasion, accounts, ownMinor)
  const left: PaymentMoney = { ...money, unreleasedMinor: money.unreleasedMinor - ownMinor }
  return {
    verdict: { kind: 'released', minor },
    change: {
      released: { merchantId, paymentId, ordinal, releasedMinor: minor },
      ...(ownMinor === 0n ? {} : { payment: withMoney(counted, left) }),
      ...given({ split: shares?.view }),
    },
    postings: shares === undefined ? own : inPlace(own, shares),
    repays: {
      parents: view.parents,
      occasion,
      merchantId,
      currency,
      available: accounts.available,
      prefix: 'release-',
    },
    events: shares?.events ?? [],
  }
}

function keep({ releases, payments, splits }: View, { change }: { readonly change: Change }): void {
  releases.delete(keyOf('later' in change ? change.later : change.released))
  if ('later' in change) return
  const { payment, split } = change
  if (payment !== undefined) payments.set(payment.id, payment)
  if (split !== undefined) splits.set(split.split.paymentId, split)
}

/**
 * The shares of the money: each goes from its recipient's pending balance into its wallet. What came before shares of unreleased money were
 * booked is shared now.
 */
function sharesOf(
  { splits }: Closed<View>,
  payment: Payment,
  { ordinal, cameMinor, shareMinors, cause }: OpenRelease,
  platform: SharingAccounts,
  books: Reading['books'],
): BookedShares | undefined {
  const found = splits.get(payment.id)
  if (found === undefined) return undefined
  const changed = changedSplit(found, shareMinors === null ? { waitingMinor: -cameMinor } : {})
  // Shares that are given now pay the fee now. That of a duplicate is not theirs, and is not known apart from the other fees.
  const isFeeOwed = shareMinors === null && !payment.exceptions.includes('DUPLICATE')
  return bookShares({ books }, payment, changed, {
    platform,
    cause,
    taking: 'from_all_wallets',
    released: { receipt: ordinal, minors: shareMinors ?? [] },
    ...(isFeeOwed ? { feeMinor: payment.feeMinor } : {}),
  })
}

/** The payment of the money, and the accounts where it lies; undefined if the payment has no money in its currency. */
function placeOf({ payments }: Pick<Closed<View>, 'payments'>, { paymentId, currency }: OpenRelease) {
  const payment = payments.get(paymentId)
  const money = payment && moneyIn(payment, currency)
  if (payment === undefined || money === undefined) return undefined
  const pending = chart.walletPending(payment.mode, money.walletId, currency)
  const accounts = { pending, ...creditAccounts({ ...payment, currency }, money.walletId) }
  return { payment, money, accounts }
}

function keyOf({ merchantId, paymentId, ordinal }: ReleaseKey): string {
  return `${merchantId}/${paymentId}/${ordinal}`
}

const dueMax = 500

/** Releases money whose delay is over, once. Returns the number of receipts that were released. */
export async function releaseDue(deps: {
  readonly sql: Sql
  readonly lane: Pick<LedgerLane<EventDraft>, 'submit'>
  readonly kind: ReleaseKind
  readonly log: Log
}): Promise<number> {
  const due = await queries.selectDueReleases(deps.sql, dueMax)
  const verdicts = await Promise.all(due.map((key) => deps.lane.submit(deps.kind, key)))
  for (const [index, { kind }] of verdicts.entries())
    if (kind === 'unbookable') deps.log.error({ ...due[index] }, 'money that waited cannot be released')
  return verdicts.filter(({ kind }) => kind === 'released').length
}
