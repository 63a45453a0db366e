// A merchant requests a refund: it is accepted or refused under the lane's lock, and its amount is held in the wallet in the
// same transaction. Only then it is sent to the provider.
// Inspected by audit/refunds.ts.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { type ApiKeyId, type MerchantId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, roomIn } from '#/kernel/money.ts'
import { isSameCall } from '#/kernel/same-call.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Refusal } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { refundHeld } from '#/ledger/recipes.ts'
import {
  bookShares,
  changedSplit,
  loadSplits,
  splitAccounts,
  type BookedShares,
  type Splits,
} from '#/payments/book-shares.ts'
import { distinctRefs, loadPayments } from '#/payments/load.ts'
import { moneyIn, withMoney } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { writePayments } from '#/payments/queries.ts'
import type { Split } from '#/payments/shares.ts'
import { writeSplits } from '#/payments/split-queries.ts'
import type { Rails, RefundDestination, Refunder } from '#/rails/rail.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { addSpent } from '#/withdrawals/limit-queries.ts'
import type { LimitVerdict } from '#/withdrawals/limits.ts'
import { choosePiece, isAllowed, type Remaining } from './choose-piece.ts'
import * as queries from './queries.ts'
import { refundEvent, type Refund, type RefundRequest } from './refund.ts'
import {
  allowedOf,
  frozenBack,
  keptIn,
  leavingOf,
  loadRules,
  noteSpent,
  senderOf,
  spentByRefund,
  type MayLeave,
  type Rules,
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
  | { readonly kind: 'limited'; readonly limit: LimitVerdict & { readonly ok: false } }
  /** It cannot be sent to the requested destination. */
  | { readonly kind: 'misdirected'; readonly refusal: RefundDestination & { readonly ok: false } }

export type RefundKind = RunnableKind<RefundItem, RefundVerdict, EventDraft>

type View = {
  readonly rails: Rails
  readonly payments: Map<PaymentId, Payment>
  readonly splits: Splits
  readonly byKey: Map<string, queries.StoredRefundKey>
  /** The pieces of each payment, with what is left of each. */
  readonly pieces: Map<PaymentId, readonly queries.Piece[]>
  /** How many refunds each payment has. */
  readonly counts: Map<PaymentId, number>
  readonly rules: Rules
}

/** The most refunds of one payment, failed ones included, because each request reads all of them. */
export const refundsMax = 1_000

type Change = { readonly refund: queries.NewRefund; readonly payment: Payment; readonly split?: Split }

/** Accepts refunds, as a kind of work for the ledger lane. */
export function refundKind(rails: Rails): RefundKind {
  return runnable<RefundItem, View, Change, RefundVerdict, EventDraft>({
    name: 'accept a refund',
    load: (batch, items) => load(batch, rails, items),
    decide,
    async write({ tx }, changes) {
      const refunds = changes.map((change) => change.refund)
      const ready = refunds.filter(({ approvalRequired }) => !approvalRequired)
      const spent = refunds.flatMap(spentByRefund)
      const splits = changes.flatMap((change) => change.split ?? [])
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
    loadRules(tx, rails, mayLeave(rails, items, pieces, at), merchantIds),
    books.load(
      [...payments.values()].flatMap((payment) => [
        ...payment.money.flatMap((money) => Object.values(accountsOf(payment, money))),
        ...splitAccounts(splits.get(payment.id), payment.mode),
      ]),
    ),
  ])
  return {
    rails,
    payments,
    splits,
    byKey: new Map(stored.map((each) => [`${each.refund.merchantId}/${each.key}`, each])),
    pieces: Map.groupBy(pieces, (piece) => piece.paymentId),
    counts: new Map(counts.map(({ paymentId, count }) => [paymentId, count])),
    rules,
  }
}

/** The pieces whose refund we may send ourselves, to an address or account. */
function mayLeave(
  rails: Rails,
  items: readonly RefundItem[],
  pieces: readonly queries.Piece[],
  at: Date,
): readonly MayLeave[] {
  const requests = Map.groupBy(items, ({ paymentId }) => paymentId)
  return pieces.flatMap(({ paymentId, method, connection, paidRef, currency }) => {
    const payoutType = rails.get(method)?.refunds?.paysOutBy
    if (payoutType === undefined) return []
    const fitting = requests.get(paymentId)?.filter(({ request }) => isAllowed(method, request)) ?? []
    // Another merchant may name the same payment in this batch: the rules of its owner must be there all the same.
    const askers = new Map(
      fitting.map(({ merchantId, requestedBy, request: { cryptoAddress, iban } }) => {
        const place = cryptoAddress ?? iban
        return [`${merchantId}/${requestedBy}/${place}`, { merchantId, requestedBy, place }]
      }),
    )
    const piece = { method, connection, paidRef, payoutType, currency, createdAt: at }
    return [...askers.values()].map(({ merchantId, requestedBy, place }) => ({
      merchantId,
      ...piece,
      ...given({ requestedBy, place }),
    }))
  })
}

type Decided = Ruling<Change, RefundVerdict, EventDraft>

function decide(view: View, item: RefundItem, batch: Pick<Batch, 'books' | 'at'>): Decided {
  const fingerprint = sha256(canonicalJson({ paymentId: item.paymentId, ...item.request }))
  const key = item.idempotencyKey
  const earlier = key === undefined ? undefined : view.byKey.get(`${item.merchantId}/${key}`)
  if (earlier !== undefined) {
    const { refund, request } = earlier
    const isSame = isSameCall(earlier.fingerprint, (spell) =>
      sha256(canonicalJson({ paymentId: item.paymentId, ...spell(item.request) })),
    )
    return isSame
      ? { verdict: { kind: 'replayed', refund } }
      : { verdict: { kind: 'conflict', refund, request } }
  }
  const payment = view.payments.get(item.paymentId)
  // The payment may be another merchant's, and loaded for that one's item in the batch.
  if (payment?.merchantId !== item.merchantId) return { verdict: { kind: 'not_found' } }
  const pieces = view.pieces.get(payment.id) ?? []
  if (!isRefundable(view, payment, pieces)) return { verdict: { kind: 'not_refundable', payment } }
  if ((view.counts.get(payment.id) ?? 0) >= refundsMax) return { verdict: { kind: 'too_many' } }
  const choice = choosePiece(pieces, view.rails, item.request, batch.at)
  if (!choice.ok) return { verdict: { ...choice, kind: 'exceeds', payment } }
  const { piece, minor } = choice
  if (frozenBack(view.rules, item.merchantId, piece.method) !== undefined)
    return { verdict: { kind: 'frozen' } }
  const rail = must(view.rails.get(piece.method), 'a piece that can go back has a rail')
  const destination = destinationOf(view, must(rail.refunds, 'and the rail has refunds'), item, piece)
  if (destination?.ok === false) return { verdict: { kind: 'misdirected', refusal: destination } }
  return accept(view, item, { fingerprint, payment, piece, minor, destination: destination?.fields }, batch)
}

/** Whether any money of the payment came by a rail with refunds; for a payment without money its own method decides. */
function isRefundable({ rails }: View, { method }: Payment, pieces: readonly queries.Piece[]): boolean {
  const methods =
    pieces.length > 0 ? pieces.map((piece) => piece.method) : method === undefined ? [] : [method]
  return methods.some((each) => rails.get(each)?.refunds !== undefined)
}

/** Undefined when the provider returns the money to where it came from. Otherwise the rail sends it to a destination. */
function destinationOf(
  { rules }: View,
  { destination }: Refunder,
  { mode, merchantId, request: { cryptoAddress, iban, beneficiary } }: RefundItem,
  piece: queries.Piece,
): RefundDestination | undefined {
  const { connection } = piece
  const sender = senderOf(rules, piece)
  return destination?.({
    mode,
    merchantId,
    connection,
    ...given({ cryptoAddress, iban, beneficiary, sender }),
  })
}

type Chosen = { readonly piece: queries.Piece; readonly minor: bigint }

type Accepted = Chosen & {
  readonly fingerprint: Buffer
  readonly payment: Payment
  readonly destination: Refund['destination']
}

function accept(
  view: View,
  item: RefundItem,
  { fingerprint, payment, piece, minor, destination }: Accepted,
  { books, at }: Pick<Batch, 'books' | 'at'>,
): Decided {
  const { merchantId, mode, paymentId, id, request, idempotencyKey, requestedBy } = item
  const payoutType = view.rails.get(piece.method)?.refunds?.paysOutBy
  const money = moneyIn(payment, piece.currency)
  if (money === undefined) return { verdict: { kind: 'not_refundable', payment } }
  const accounts = accountsOf(payment, money)
  const refunded = { ...money, refundedMinor: money.refundedMinor + minor }
  const counted = withMoney({ ...payment, version: payment.version + 1 }, refunded)
  const shares = sharesBack(view, { piece, minor }, counted, { cause: fingerprint, request, accounts, books })
  // With what came back from the recipients' pending balances.
  const waiting = money.unreleasedMinor + (shares?.unreleasedMinor ?? 0n)
  const requested: Refund = {
    merchantId,
    id,
    mode,
    paymentId,
    attemptId: piece.attemptId,
    method: piece.method,
    connection: piece.connection,
    paidRef: piece.paidRef,
    walletId: money.walletId,
    amountMinor: minor,
    isHeldBack: false,
    unreleasedMinor: minOf(minor, waiting),
    currency: payment.currency,
    status: 'PENDING',
    approvalRequired: false,
    version: 1,
    createdAt: at,
    ...given({ destination, payoutType, requestedBy, reason: request.reason, metadata: request.metadata }),
  }
  const leaving = leavingOf(requested)
  const allowed = leaving && allowedOf(view.rules, leaving, false)
  if (allowed?.ok === false) return { verdict: keptIn(allowed) }
  const refund: Refund = { ...requested, approvalRequired: allowed?.needsApproval ?? false }
  const roomMinor = roomIn(books.balance(accounts.held))
  if (minor > roomMinor) return { verdict: { kind: 'too_much', roomMinor } }
  const unreleased = { pending: accounts.pending, minor: refund.unreleasedMinor }
  const from = { ...accounts, ...(unreleased.minor === 0n ? {} : { unreleased }) }
  const after = withMoney(counted, { ...refunded, unreleasedMinor: waiting - refund.unreleasedMinor })
  const holding = refundHeld({ subject: id, ordinal: 1, cause: fingerprint }, from, minor)
  const held = books.post([...(shares?.moved ?? []), ...holding, ...(shares?.repay ?? [])])
  if (!held.ok) return { verdict: uncovered(held.refusal, payment, shares, minor) }
  if (shares !== undefined) view.splits.set(payment.id, shares.view)
  note(view, after, piece, minor)
  if (leaving !== undefined) noteSpent(view.rules, leaving)
  if (idempotencyKey !== undefined)
    view.byKey.set(`${merchantId}/${idempotencyKey}`, { key: idempotencyKey, fingerprint, refund, request })
  return {
    verdict: { kind: 'created', refund },
    change: {
      refund: { ...refund, idempotencyKey, fingerprint, request, trace: item.trace },
      payment: after,
      ...(shares === undefined ? {} : { split: shares.view.split }),
    },
    events: [refundEvent('refund.created', refund, payment), ...(shares?.events ?? [])],
  }
}

/** What goes back of the shares, by the same function that gave them. Undefined for a payment without a split. */
function sharesBack(
  view: View,
  { piece: { connection, paidRef }, minor }: Chosen,
  after: Payment,
  {
    cause,
    request,
    accounts,
    books,
  }: {
    readonly cause: Buffer
    readonly request: RefundRequest
    readonly accounts: ReturnType<typeof accountsOf>
    readonly books: Batch['books']
  },
): BookedShares | undefined {
  const found = view.splits.get(after.id)
  if (found === undefined) return undefined
  const change = { piece: { connection, paidRef }, keptMinor: -minor, waitingMinor: -minor }
  const taking = request.coverShortfall === true ? 'from_all_wallets' : 'whole'
  return bookShares({ books }, after, changedSplit(found, change), { platform: accounts, cause, taking })
}

/** Why the books do not hold the amount. */
function uncovered(
  refusal: Refusal,
  payment: Payment,
  shares: BookedShares | undefined,
  minor: bigint,
): RefundVerdict {
  if (refusal.reason === 'other_currency') return { kind: 'not_refundable', payment }
  if (refusal.reason === 'conflict') return { kind: 'insufficient_funds', missingMinor: minor }
  const { missing: missingMinor, account } = refusal
  const lacking = lackingIn(shares, account)
  if (lacking !== undefined) return { kind: 'shortfall', subAccountId: lacking, missingMinor }
  return { kind: 'insufficient_funds', missingMinor }
}

/** The sub-account whose wallet lacks its share, if the account is one of its. */
function lackingIn(shares: BookedShares | undefined, { name }: chart.AccountSpec): MerchantId | undefined {
  return shares?.view.split.shares.find(({ walletId }) => name === `wallet:${walletId}:available`)
    ?.subAccountId
}

/** Updates the view for later items of the batch. */
function note(view: View, payment: Payment, refunded: queries.Piece, minor: bigint): void {
  view.payments.set(payment.id, payment)
  view.counts.set(payment.id, (view.counts.get(payment.id) ?? 0) + 1)
  const pieces = view.pieces.get(payment.id) ?? []
  view.pieces.set(
    payment.id,
    pieces.map((piece) => (piece === refunded ? { ...piece, leftMinor: piece.leftMinor - minor } : piece)),
  )
}

function accountsOf({ mode, merchantId }: Payment, { walletId, currency }: PaymentMoney) {
  return {
    available: chart.walletAvailable(mode, walletId, currency),
    pending: chart.walletPending(mode, walletId, currency),
    held: chart.walletHeld(mode, walletId, currency),
    receivable: chart.receivable(mode, merchantId, currency),
  }
}
