// A merchant requests a refund: it is accepted or refused under the lane's lock, and its amount is held in the wallet in the
// same transaction. Only then it is sent to the provider.
// Inspected by audit/refunds.ts.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { type ApiKeyId, type MerchantId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, roomIn } from '#/kernel/money.ts'
import { isSameCall, type Spell } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Refusal } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import { refundHeld } from '#/ledger/recipes.ts'
import { noteSpent } from '#/money-out/facts.ts'
import { refusalOf } from '#/money-out/gate.ts'
import type { LimitRefusal } from '#/money-out/limits.ts'
import { addSpent } from '#/money-out/queries.ts'
import {
  bookShares,
  changedSplit,
  loadSplits,
  splitAccounts,
  type BookedShares,
  type SplitView,
} from '#/payments/book-shares.ts'
import { moneyIn, withMoney } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { distinctRefs, loadPayments, writePayments } from '#/payments/queries.ts'
import { writeSplits } from '#/payments/split-queries.ts'
import type { Rails, RefundDestination } from '#/rails/rail.ts'
import { pureKind, type DecidedOrElse, type Reading } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { choosePiece, type Remaining } from './choose-piece.ts'
import * as queries from './queries.ts'
import { refundEvent, type Refund, type RefundRequest } from './refund.ts'
import {
  allowedOf,
  frozenBack,
  leavingOf,
  loadRules,
  mayLeaveOf,
  outgoingOf,
  spentByRefund,
  type Rules,
  senderOf,
} from './rules.ts'

export type RefundItem = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly paymentId: PaymentId
  readonly id: RefundId
  readonly request: RefundRequest
  readonly idempotencyKey?: string
  /** The API key that requests it. It cannot approve the refund. */
  readonly requestedBy?: ApiKeyId
  /** Of the call. */
  readonly trace?: string | undefined
}

export type RefundVerdict =
  | { readonly kind: 'created'; readonly refund: Refund }
  | { readonly kind: 'replayed'; readonly refund: Refund }
  /** The key made this refund before, of another payment or with another body. */
  | { readonly kind: 'conflict'; readonly refund: Refund; readonly request: RefundRequest }
  | { readonly kind: 'not_found' }
  /** The payment's method has no refunds, or the books have no wallet with the money. */
  | { readonly kind: 'not_refundable'; readonly payment: Payment }
  /** More than can be refunded of the money that the request allows, or more than came in one piece. */
  | {
      readonly kind: 'exceeds'
      readonly payment: Payment
      readonly refundableMinor: bigint
      readonly atOnceMinor: bigint
      /** All that can be refunded, by any method. */
      readonly remaining: readonly Remaining[]
    }
  /** Money out is frozen. */
  | { readonly kind: 'frozen' }
  | { readonly kind: 'insufficient_funds'; readonly missingMinor: bigint }
  /** A sub-account lacks its share of what goes back. */
  | { readonly kind: 'shortfall'; readonly subAccountId: MerchantId; readonly missingMinor: bigint }
  /** More would be held than the API can show. */
  | { readonly kind: 'too_much'; readonly roomMinor: bigint }
  /** The payment has the maximal number of refunds. */
  | { readonly kind: 'too_many' }
  /** The operator's limits do not allow it. */
  | { readonly kind: 'limited'; readonly limit: LimitRefusal }
  /** It cannot be sent to the requested destination. */
  | { readonly kind: 'misdirected'; readonly refusal: RefundDestination & { readonly ok: false } }

export type RefundKind = RunnableKind<RefundItem, RefundVerdict, EventDraft>

type View = {
  readonly rails: Rails
  readonly rules: Rules
  /** The sums of days, with what was accepted before. */
  readonly spent: Map<string, bigint>
  readonly payments: Map<PaymentId, Payment>
  readonly splits: Map<PaymentId, SplitView>
  readonly byKey: Map<string, Omit<queries.StoredRefundKey, 'key'>>
  /** The pieces of each payment, with what is left of each. */
  readonly pieces: Map<PaymentId, readonly queries.Piece[]>
  /** How many refunds each payment has. */
  readonly counts: Map<PaymentId, number>
}

type Change = {
  readonly refund: queries.NewRefund
  readonly piece: queries.Piece
  readonly payment: Payment
  readonly split?: SplitView
}

/** The most refunds of one payment, failed ones included, because each request reads all of them. */
export const refundsMax = 1_000

/** Accepts refunds, as a kind of work for the ledger lane. */
export function refundKind(rails: Rails): RefundKind {
  return pureKind<RefundItem, View, Change, RefundVerdict>({
    name: 'accept a refund',
    load: (batch, items) => load(batch, rails, items),
    decide,
    keep,
    async write({ tx }, changes) {
      const refunds = changes.map((change) => change.refund)
      const ready = refunds.filter(({ approvalRequired }) => !approvalRequired)
      const spent = refunds.flatMap(spentByRefund)
      const splits = changes.flatMap((change) => change.split?.split ?? [])
      await Promise.all([
        queries.insertRefunds(tx, refunds),
        ready.length > 0 && queries.insertDue(tx, ready),
        spent.length > 0 && addSpent(tx, spent),
        splits.length > 0 && writeSplits(tx, splits),
        writePayments(
          tx,
          changes.map((change) => change.payment),
        ),
      ])
    },
  })
}

async function load({ tx, books, at }: Batch, rails: Rails, items: readonly RefundItem[]): Promise<View> {
  const refs = distinctRefs(items)
  const keys = items.flatMap(({ merchantId, idempotencyKey }) =>
    idempotencyKey === undefined ? [] : [{ merchantId, key: idempotencyKey }],
  )
  const [payments, pieces, counts, stored] = await Promise.all([
    loadPayments(tx, refs),
    queries.selectPieces(tx, refs),
    queries.countRefunds(tx, refs),
    keys.length === 0 ? [] : queries.selectByKeys(tx, keys),
  ])
  const splits = await loadSplits(tx, payments.values(), pieces)
  const merchantIds = [...new Set(refs.map(({ merchantId }) => merchantId))]
  const [rules] = await Promise.all([
    loadRules(tx, rails, mayLeaveOf(rails, items, pieces, at), merchantIds),
    books.load(
      [...payments.values()].flatMap((payment) => [
        ...payment.money.flatMap((money) => Object.values(accountsOf(payment, money))),
        ...splitAccounts(splits.get(payment.id), payment.mode),
      ]),
    ),
  ])
  return {
    rails,
    rules,
    spent: new Map(rules.facts.spent),
    payments,
    splits,
    byKey: new Map(stored.map((each) => [`${each.refund.merchantId}/${each.key}`, each])),
    pieces: Map.groupBy(pieces, (piece) => piece.paymentId),
    counts: new Map(counts.map(({ paymentId, count }) => [paymentId, count])),
  }
}

/** Decides about one refund: what goes back and where to, whether it may, and what is held for it. It changes nothing. */
function decide(
  view: Closed<View>,
  item: RefundItem,
  { books, at }: Reading,
): DecidedOrElse<Change, RefundVerdict> {
  const { merchantId, paymentId, request, idempotencyKey, trace } = item
  const fingerprintOf = (spell: Spell) => sha256(canonicalJson({ paymentId, ...spell(request) }))
  const earlier = idempotencyKey === undefined ? undefined : view.byKey.get(`${merchantId}/${idempotencyKey}`)
  if (earlier !== undefined) {
    const { refund, request: before } = earlier
    return isSameCall(earlier.fingerprint, fingerprintOf)
      ? { verdict: { kind: 'replayed', refund } }
      : { verdict: { kind: 'conflict', refund, request: before } }
  }
  const chosen = choose(view, item, at)
  if ('kind' in chosen) return { verdict: chosen }

  const { payment, piece, minor } = chosen
  const fingerprint = fingerprintOf((same) => same)
  const hold = holdOf(view, item, chosen, { cause: fingerprint, books })
  const requested = newRefund(view, item, chosen, { unreleasedMinor: hold.unreleasedMinor, createdAt: at })
  const leaving = leavingOf(requested)
  const allowed = leaving && allowedOf(view.rules, leaving, view)
  if (allowed?.ok === false) return { verdict: refusalOf(allowed) }
  const roomMinor = roomIn(books.balance(hold.accounts.held))
  if (minor > roomMinor) return { verdict: { kind: 'too_much', roomMinor } }

  const refund: Refund = { ...requested, approvalRequired: allowed?.needsApproval ?? false }
  const { shares, postings } = hold
  return {
    verdict: { kind: 'created', refund },
    change: {
      refund: { ...refund, idempotencyKey, fingerprint, request, trace },
      piece,
      payment: hold.payment,
      ...given({ split: shares?.view }),
    },
    postings,
    events: [refundEvent('refund.created', refund, payment), ...(shares?.events ?? [])],
    orElse: (refusal) => ({ verdict: uncovered(refusal, chosen, shares) }),
  }
}

/** Puts a refund that was accepted into the view that the next decision reads. */
function keep(view: View, { change }: { readonly change: Change }): void {
  const { refund, piece, payment, split } = change
  const { merchantId, idempotencyKey, amountMinor } = refund
  const leaving = leavingOf(refund)
  view.payments.set(payment.id, payment)
  if (split !== undefined) view.splits.set(payment.id, split)
  view.counts.set(payment.id, (view.counts.get(payment.id) ?? 0) + 1)
  const pieces = (view.pieces.get(payment.id) ?? []).map((each) =>
    each === piece ? { ...each, leftMinor: each.leftMinor - amountMinor } : each,
  )
  view.pieces.set(payment.id, pieces)
  if (leaving !== undefined) noteSpent(view.spent, view.rules.facts, outgoingOf(view.rules, leaving))
  if (idempotencyKey !== undefined) view.byKey.set(`${merchantId}/${idempotencyKey}`, { ...refund, refund })
}

type Chosen = {
  readonly payment: Payment
  readonly piece: queries.Piece
  readonly minor: bigint
  /** The payment's money in the piece's currency. */
  readonly money: PaymentMoney
  readonly destination: Refund['destination']
}

/** One piece of the payment's money, and where it goes; or why nothing can go back. */
function choose(view: Closed<View>, item: RefundItem, at: Date): Chosen | RefundVerdict {
  const payment = view.payments.get(item.paymentId)
  // The payment may be another merchant's, and loaded for that one's item in the batch.
  if (payment?.merchantId !== item.merchantId) return { kind: 'not_found' }
  const pieces = view.pieces.get(payment.id) ?? []
  if (!isRefundable(view, payment, pieces)) return { kind: 'not_refundable', payment }
  if ((view.counts.get(payment.id) ?? 0) >= refundsMax) return { kind: 'too_many' }
  const choice = choosePiece(pieces, view.rails, item.request, at)
  if (!choice.ok) return { ...choice, kind: 'exceeds', payment }
  const { piece, minor } = choice
  if (frozenBack(view.rules, item.merchantId, piece.method) !== undefined) return { kind: 'frozen' }
  const destination = destinationOf(view, item, piece)
  if (destination?.ok === false) return { kind: 'misdirected', refusal: destination }
  const money = moneyIn(payment, piece.currency)
  if (money === undefined) return { kind: 'not_refundable', payment }
  return { payment, piece, minor, money, destination: destination?.fields }
}

/** Whether any money of the payment came by a rail with refunds; for a payment without money its own method decides. */
function isRefundable(
  { rails }: Closed<View>,
  { method }: Payment,
  pieces: readonly queries.Piece[],
): boolean {
  const methods =
    pieces.length > 0 ? pieces.map((piece) => piece.method) : method === undefined ? [] : [method]
  return methods.some((each) => rails.get(each)?.refunds !== undefined)
}

/** Undefined when the provider returns the money to where it came from. Otherwise the rail sends it to a destination. */
function destinationOf(
  { rails, rules }: Closed<View>,
  { mode, merchantId, request: { cryptoAddress, iban, beneficiary } }: RefundItem,
  piece: queries.Piece,
): RefundDestination | undefined {
  const { destination } = must(
    rails.get(piece.method)?.refunds,
    'a piece that can go back has a rail with refunds',
  )
  const sender = senderOf(rules.senders, piece)
  return destination?.({
    mode,
    merchantId,
    connection: piece.connection,
    ...given({ cryptoAddress, iban, beneficiary, sender }),
  })
}

function newRefund(
  { rails }: Closed<View>,
  { merchantId, id, mode, paymentId, request: { reason, metadata }, requestedBy }: RefundItem,
  { payment, piece, minor, money, destination }: Chosen,
  held: Pick<Refund, 'unreleasedMinor' | 'createdAt'>,
): Refund {
  const { attemptId, method, connection, paidRef } = piece
  const payoutType = rails.get(method)?.refunds?.paysOutBy
  return {
    ...held,
    merchantId,
    id,
    mode,
    paymentId,
    attemptId,
    method,
    connection,
    paidRef,
    walletId: money.walletId,
    amountMinor: minor,
    isHeldBack: false,
    currency: payment.currency,
    status: 'PENDING',
    approvalRequired: false,
    version: 1,
    ...given({ destination, payoutType, requestedBy, reason, metadata }),
  }
}

/** What is held for the refund, of which unreleased money is first, and the payment after it. */
function holdOf(
  view: Closed<View>,
  { id, request }: RefundItem,
  { payment, piece, minor, money }: Chosen,
  { cause, books }: { readonly cause: Buffer } & Pick<Reading, 'books'>,
) {
  const accounts = accountsOf(payment, money)
  const refunded = { ...money, refundedMinor: money.refundedMinor + minor }
  const counted = withMoney({ ...payment, version: payment.version + 1 }, refunded)
  const split = view.splits.get(payment.id)
  const back = split && changedSplit(split, { piece, keptMinor: -minor, waitingMinor: -minor })
  const taking = request.coverShortfall === true ? 'from_all_wallets' : 'whole'
  // What goes back of the shares, by the same function that gave them.
  const shares = back && bookShares({ books }, counted, back, { platform: accounts, cause, taking })
  // With what came back from the recipients' pending balances.
  const waiting = money.unreleasedMinor + (shares?.unreleasedMinor ?? 0n)
  const unreleasedMinor = minOf(minor, waiting)
  const unreleased = { pending: accounts.pending, minor: unreleasedMinor }
  const from = { ...accounts, ...(unreleasedMinor === 0n ? {} : { unreleased }) }
  const holding = refundHeld({ subject: id, ordinal: 1, cause }, from, minor)
  return {
    accounts,
    shares,
    unreleasedMinor,
    payment: withMoney(counted, { ...refunded, unreleasedMinor: waiting - unreleasedMinor }),
    postings: [...(shares?.moved ?? []), ...holding, ...(shares?.repay ?? [])],
  }
}

/** Why the books do not hold the amount. */
function uncovered(
  refusal: Refusal,
  { payment, minor }: Chosen,
  shares: BookedShares | undefined,
): RefundVerdict {
  if (refusal.reason === 'other_currency') return { kind: 'not_refundable', payment }
  if (refusal.reason === 'conflict') return { kind: 'insufficient_funds', missingMinor: minor }
  const { missing: missingMinor, account } = refusal
  // The sub-account whose wallet lacks its share, if the account is one of its.
  const lacking = shares?.view.split.shares.find(
    ({ walletId }) => account.name === `wallet:${walletId}:available`,
  )
  if (lacking !== undefined) return { kind: 'shortfall', subAccountId: lacking.subAccountId, missingMinor }
  return { kind: 'insufficient_funds', missingMinor }
}

function accountsOf({ mode, merchantId }: Payment, { walletId, currency }: PaymentMoney) {
  return {
    available: chart.walletAvailable(mode, walletId, currency),
    pending: chart.walletPending(mode, walletId, currency),
    held: chart.walletHeld(mode, walletId, currency),
    receivable: chart.receivable(mode, merchantId, currency),
  }
}
