// What settlement decides upon: the payments that a batch's receipts belong to, and everything that depends on them. Read
// set-based under the lane's lock; the decisions change it as they go.
import type { Heard, Placed, ReceiptAccounts } from './placed.ts'
import type { PieceRef, Receipt } from '#/rails/words.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { AttemptId, ConnectionId, Id, MerchantId, PaymentId, RefundId, WalletId } from '#/kernel/id.ts'
import { must } from '#/kernel/check.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Dispute } from '#/disputes/dispute.ts'
import { selectByPieces as selectDisputesByPieces, selectByRefs } from '#/disputes/queries.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { FeeRule, FeeRuleNow } from '#/merchants/fee.ts'
import { selectConnectionModes, selectFeeRules, selectPastFeeRules } from '#/merchants/queries.ts'
import { selectAttemptsById, type KeptAttempt } from '#/payments/attempt-queries.ts'
import { selectOrders, type AuthorisationOrder } from '#/payments/capture-queries.ts'
import { moneyIn, moneyOr } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import type { Rail, Rails, UnitView } from '#/rails/rail.ts'
import type { Refund } from '#/refunds/refund.ts'
import { lockUnsent, selectByPieces as selectRefundsByPieces, selectRefundsById } from '#/refunds/queries.ts'
import { walletForMoney, type WalletForMoney } from '#/wallets/create.ts'
import { selectDefaultWallets, selectWalletIds } from '#/wallets/queries.ts'
import { isRefund, loadRelated, type Related } from './related.ts'
import * as queries from './queries.ts'
import { selectWithheld } from './release-queries.ts'

export type View = {
  readonly payments: Map<PaymentId, Payment>
  readonly rails: Rails
  /** What this batch heard of payments that their records show. */
  readonly heard: Heard[]
  /** The receipts that fit an attempt of ours. */
  readonly placed: ReadonlyMap<Receipt, Placed>
  /** Why the others fit none. */
  readonly misfits: ReadonlyMap<Receipt, Misfit>
  readonly related: Related
  /** Default wallets, and all wallets from the oldest on, by merchant and currency. */
  readonly wallets: ReadonlyMap<string, WalletId>
  readonly allWallets: ReadonlyMap<string, readonly WalletId[]>
  /** Wallets that a batch opens when it needs them, by merchant and currency; `wallets` has them already. */
  readonly unopened: Map<string, WalletForMoney>
  readonly fees: ReadonlyMap<string, FeeRuleNow>
  /** Rules that were in force when payments of this batch were made, and are not any more. */
  readonly pastFees: ReadonlyMap<string, FeeRule>
  readonly units: ReadonlyMap<Rail, UnitView>
  readonly refunds: Map<RefundId, Refund>
  /** The takes of refunds, of those that refuse, after which nobody has taken them again. */
  readonly heldTakes: ReadonlySet<string>
  /** By connection and the provider's name. */
  readonly disputes: Map<string, Dispute>
  /** Receipts about money in suspense that was credited to a merchant, and whose it is. */
  readonly credited: ReadonlyMap<Receipt, CreditedMoney>
  /** What came with each arrival of money that is disputed, and the refunds of it that nobody has been asked for. */
  readonly pieces: Map<string, bigint>
  readonly unsent: ReadonlySet<RefundId>
  /** Whose money a connection moves: for receipts that fit nothing else. */
  readonly modes: ReadonlyMap<ConnectionId, Mode>
  /** What payments had in a currency that is still to be released, whatever was taken of it since: for refunds that fail. */
  readonly withheld: Map<string, bigint>
  /** What is to be done to authorisations that end. */
  readonly orders: ReadonlyMap<AttemptId, AuthorisationOrder>
  /** The accounts of each wallet and connection that the batch meets. */
  readonly accounts: Map<string, ReceiptAccounts>
}

export async function loadView(batch: Batch, rails: Rails, receipts: readonly Receipt[]): Promise<View> {
  const { tx } = batch
  const { placed, misfits, credited } = await place(batch, rails, receipts)
  const own = [...placed.values()]
  const strays = receipts.filter((receipt) => !placed.has(receipt))
  const merchantIds = [...new Set(own.map(({ attempt }) => attempt.merchantId))]
  const currencies = [...new Map(own.map((receipt) => [currencyKey(receipt), currencyOf(receipt)])).values()]
  const taken = [...own.filter(mayTakeBack).map(currencyOf), ...credited.values()]
  const ended = own.filter(({ outcome }) => outcome === 'voided').map(({ attempt }) => attempt)
  const failed = own
    .filter(({ outcome, dispute }) => outcome === 'refund_failed' || dispute !== undefined)
    .map(({ attempt }) => attempt)
  const [
    payments,
    related,
    wallets,
    allWallets,
    fees,
    units,
    refunds,
    disputes,
    modes,
    withheld,
    orders,
    disputed,
  ] = await Promise.all([
    loadPayments(batch, own),
    loadRelated(batch, receipts),
    selectDefaultWallets(tx, currencies),
    taken.length === 0 ? [] : selectWalletIds(tx, taken),
    selectFeeRules(tx, merchantIds),
    loadUnits(batch, rails, receipts),
    selectRefunds(batch, own),
    selectDisputes(batch, [...own, ...credited.keys()]),
    loadModes(batch, strays),
    failed.length === 0 ? [] : selectWithheld(tx, failed),
    ended.length === 0 ? [] : selectOrders(tx, ended),
    loadDisputed(batch, own),
  ])
  const defaults = new Map(wallets.map((each) => [walletKey(each.merchantId, each.currency), each.id]))
  const inForce = new Map(fees.map((each) => [feeKey(each.merchantId, each.method, each.currency), each]))
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  const unopened = missingWallets(batch, own, byId, defaults)
  for (const [key, { wallet }] of unopened) defaults.set(key, wallet.id)
  return {
    payments: byId,
    rails,
    heard: [],
    placed,
    misfits,
    units,
    accounts: new Map(),
    related,
    heldTakes: new Set(),
    wallets: defaults,
    unopened,
    allWallets: byOwner(allWallets),
    fees: inForce,
    pastFees: await loadPastFees(batch, own, byId, inForce),
    refunds: new Map([...refunds, ...disputed.refunds].map((refund) => [refund.id, refund])),
    disputes: new Map([...disputes, ...disputed.disputes].map((dispute) => [disputeKey(dispute), dispute])),
    credited,
    pieces: new Map(disputed.amounts.map((each) => [pieceKey(each), each.minor])),
    unsent: disputed.unsent,
    modes: new Map(modes.map((each) => [each.id, each.mode])),
    withheld: new Map(withheld.map((each) => [withheldKey(each.paymentId, each.currency), each.minor])),
    orders: new Map(orders.map((order) => [order.attemptId, order])),
  }
}

/** Wallets for currencies in which a merchant has no default one, and money may come. */
function missingWallets(
  { at }: Pick<Batch, 'at'>,
  receipts: readonly Placed[],
  payments: ReadonlyMap<PaymentId, Payment>,
  defaults: ReadonlyMap<string, WalletId>,
): Map<string, WalletForMoney> {
  const missing = new Map<string, WalletForMoney>()
  for (const receipt of receipts) {
    const key = currencyKey(receipt)
    if (defaults.has(key) || missing.has(key)) continue
    const { currency } = receipt.amount
    const payment = payments.get(receipt.attempt.paymentId)
    if (payment === undefined || moneyIn(payment, currency) !== undefined) continue
    missing.set(key, walletForMoney({ ...currencyOf(receipt), mode: payment.mode, at }))
  }
  return missing
}

/** Asked for only when a payment is older than the rule of now. */
async function loadPastFees(
  { tx }: Pick<Batch, 'tx'>,
  receipts: readonly Placed[],
  payments: ReadonlyMap<PaymentId, Payment>,
  inForce: ReadonlyMap<string, FeeRuleNow>,
): Promise<ReadonlyMap<string, FeeRule>> {
  const wanted = receipts.flatMap(({ outcome, method, amount, attempt: { merchantId, paymentId } }) => {
    const at = payments.get(paymentId)?.createdAt
    const rule = outcome === 'paid' ? inForce.get(feeKey(merchantId, method, amount.currency)) : undefined
    if (at === undefined || rule === undefined || rule.validFrom <= at) return []
    return [{ merchantId, method, currency: amount.currency, at }]
  })
  if (wanted.length === 0) return new Map()
  const past = await selectPastFeeRules(tx, wanted)
  return new Map(past.map(({ at, ...rule }) => [pastFeeKey(rule, at), rule]))
}

/** The fee rule that was in force when the payment was made. */
export function feeRuleOf(
  { fees, pastFees }: View,
  { amount, method }: Receipt,
  payment: Payment,
): FeeRule | undefined {
  const { merchantId, createdAt } = payment
  const rule = fees.get(feeKey(merchantId, method, amount.currency))
  return rule === undefined || rule.validFrom <= createdAt ? rule : pastFees.get(pastFeeKey(rule, createdAt))
}

/** The wallets of each merchant and currency, in their order. */
function byOwner(
  wallets: Awaited<ReturnType<typeof selectWalletIds>>,
): ReadonlyMap<string, readonly WalletId[]> {
  const groups = Map.groupBy(wallets, (each) => walletKey(each.merchantId, each.currency))
  return new Map([...groups].map(([key, each]) => [key, each.map((wallet) => wallet.id)]))
}

function loadPayments({ tx }: Batch, receipts: readonly Placed[]): Promise<readonly Payment[]> {
  const refs = new Map(receipts.map(({ attempt }) => [`${attempt.merchantId}/${attempt.paymentId}`, attempt]))
  return selectPayments(tx, [...refs.values()])
}

function loadModes({ tx }: Batch, receipts: readonly Receipt[]) {
  return receipts.length === 0
    ? []
    : selectConnectionModes(
        tx,
        receipts.map((receipt) => receipt.connection),
      )
}

/** Why a receipt fits no attempt. */
export type Misfit = queries.NewUnmatched['reason']

type Fit = Pick<View, 'placed' | 'misfits' | 'credited'>

/** Money in suspense that a person credited to a merchant, as the ground of a dispute. */
export type CreditedMoney = {
  readonly unmatchedId: Id<'unmatched'>
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly currency: Currency
  /** In the one wallet, and available at once. */
  readonly money: readonly [PaymentMoney]
}

/** Finds the attempts that providers name by our reference alone. Another connection's attempt is none. */
async function place({ tx }: Pick<Batch, 'tx'>, rails: Rails, receipts: readonly Receipt[]): Promise<Fit> {
  const wanted = receipts.flatMap((receipt) => {
    const { attempt, connection } = receipt
    const isKnown = attempt?.paymentId !== undefined && !isExact(rails, receipt)
    return attempt === undefined || isKnown ? [] : [{ id: attempt.id, connection }]
  })
  const disputed = receipts.flatMap(({ connection, dispute }) =>
    dispute === undefined ? [] : [{ connection, providerRef: dispute.paidRef }],
  )
  const [found, suspended] = await Promise.all([
    wanted.length === 0 ? [] : selectAttemptsById(tx, wanted),
    disputed.length === 0 ? [] : queries.selectSuspendedRefs(tx, disputed),
  ])
  const attempts = new Map(found.map((each) => [`${each.connection}/${each.id}`, each]))
  const inSuspense = new Set(suspended.map(disputeKey))
  const placed = new Map<Receipt, Placed>()
  const misfits = new Map<Receipt, Misfit>()
  const credited = new Map<Receipt, CreditedMoney>()
  for (const receipt of receipts) {
    const { connection, outcome, dispute } = receipt
    const kept = receipt.attempt && attempts.get(`${connection}/${receipt.attempt.id}`)
    const attempt = placeOf(rails, receipt, kept)
    const isOfSuspense =
      dispute !== undefined && inSuspense.has(disputeKey({ connection, providerRef: dispute.paidRef }))
    const money = creditedOf(receipt, suspended)
    if (money !== undefined) credited.set(receipt, money)
    if (isOfSuspense) misfits.set(receipt, 'suspended_money')
    else if (typeof attempt === 'string') misfits.set(receipt, attempt)
    else placed.set(receipt, { ...receipt, attempt })
    // What the same batch says of it besides goes the same way.
    if (typeof attempt === 'string' && outcome === 'paid') inSuspense.add(disputeKey(receipt))
  }
  return { placed, misfits, credited }
}

/** The money that a receipt is about, if it lay in suspense and was credited to a merchant. */
function creditedOf(
  { connection, dispute, amount: { currency } }: Receipt,
  suspended: readonly queries.SuspendedRef[],
): CreditedMoney | undefined {
  for (const { unmatchedId, mode, walletId, merchantId, ...money } of suspended) {
    const isOf = money.connection === connection && money.providerRef === dispute?.paidRef
    if (isOf && money.currency === currency && walletId !== null && merchantId !== null)
      return { unmatchedId, mode, merchantId, currency, money: [moneyOr({ money: [] }, currency, walletId)] }
  }
  return undefined
}

function placeOf(rails: Rails, receipt: Receipt, kept: KeptAttempt | undefined): Placed['attempt'] | Misfit {
  const { attempt, amount } = receipt
  if (attempt === undefined) return 'no_attempt'
  const { id, merchantId, paymentId } = attempt
  if (merchantId !== undefined && paymentId !== undefined && !isExact(rails, receipt))
    return { id, merchantId, paymentId }
  if (kept === undefined) return 'unknown_attempt'
  if (kept.currency !== amount.currency) return 'wrong_currency'
  if (isExact(rails, receipt) && !isAsked(receipt, kept)) return 'wrong_amount'
  return { id, merchantId: kept.merchantId, paymentId: kept.paymentId }
}

/** Whether such a receipt counts only with the amount that its attempt asked for. */
function isExact(rails: Rails, { method, outcome }: Receipt): boolean {
  return (outcome === 'paid' || outcome === 'authorised') && rails.get(method)?.amounts === 'EXACT'
}

/** Of what was captured it is the authorisation that was asked for; no more can be captured than that. */
function isAsked({ amount, authorised = amount }: Receipt, { amountMinor, currency }: KeptAttempt): boolean {
  return (
    authorised.minor === amountMinor && authorised.currency === currency && amount.minor <= authorised.minor
  )
}

function selectRefunds({ tx }: Batch, receipts: readonly Placed[]): Promise<readonly Refund[]> | [] {
  const ids = receipts.flatMap((receipt) => receipt.refund ?? [])
  return ids.length === 0 ? [] : selectRefundsById(tx, [...new Set(ids)])
}

function selectDisputes({ tx }: Batch, receipts: readonly Receipt[]): Promise<readonly Dispute[]> | [] {
  const refs = receipts.filter((receipt) => receipt.dispute !== undefined)
  const distinct = [...new Map(refs.map((receipt) => [disputeKey(receipt), receipt])).values()]
  return distinct.length === 0 ? [] : selectByRefs(tx, distinct)
}

/** Of money that is disputed: how much of it came, and all refunds and disputes of it. */
async function loadDisputed({ tx }: Batch, receipts: readonly Placed[]) {
  const pieces = receipts.flatMap(({ attempt, connection, dispute }): readonly PieceRef[] => {
    const { merchantId, paymentId } = attempt
    return dispute === undefined ? [] : [{ merchantId, paymentId, connection, paidRef: dispute.paidRef }]
  })
  if (pieces.length === 0) return { unsent: new Set<RefundId>(), refunds: [], disputes: [], amounts: [] }
  // What is locked does not change any more: it is read after that.
  const unsent = await lockUnsent(tx, pieces)
  const [refunds, disputes, amounts] = await Promise.all([
    selectRefundsByPieces(tx, pieces),
    selectDisputesByPieces(tx, pieces),
    queries.selectPieceAmounts(tx, pieces),
  ])
  return { unsent, refunds, disputes, amounts }
}

async function loadUnits(
  { tx }: Batch,
  rails: Rails,
  receipts: readonly Receipt[],
): Promise<ReadonlyMap<Rail, UnitView>> {
  const views = new Map<Rail, UnitView>()
  for (const rail of rails.values()) {
    if (rail.units === undefined) continue
    const own = receipts.filter(({ method, outcome }) => method === rail.method && outcome === 'paid')
    if (own.length > 0) views.set(rail, await rail.units.load(tx, own))
  }
  return views
}

/** Whether a receipt may take money out of the merchant's wallets: whatever is heard of a dispute first opens it. */
export function mayTakeBack({ outcome }: Receipt): boolean {
  return outcome.startsWith('dispute') || outcome === 'refunded'
}

/** Whether a receipt is of money that is held in a wallet. */
export function isOfHeld({ outcome }: Receipt): boolean {
  return isRefund({ outcome }) || outcome.startsWith('dispute')
}

export function railOf({ rails }: Pick<View, 'rails'>, { method }: Receipt): Rail {
  return must(rails.get(method), `no rail for ${method}`)
}

export function disputeKey(named: {
  readonly connection: ConnectionId
  readonly providerRef: string
}): string {
  return `${named.connection}|${named.providerRef}`
}

/** Names one arrival of money for a payment. */
export function pieceKey(piece: Pick<PieceRef, 'paymentId' | 'connection' | 'paidRef'>): string {
  return `${piece.paymentId}|${piece.connection}|${piece.paidRef}`
}

export function walletKey(merchantId: MerchantId, currency: Currency): string {
  return `${merchantId}/${currency}`
}

function feeKey(merchantId: MerchantId, method: string, currency: Currency): string {
  return `${merchantId}/${method}/${currency}`
}

function pastFeeKey(rule: Pick<FeeRule, 'merchantId' | 'method' | 'currency'>, at: Date): string {
  return `${feeKey(rule.merchantId, rule.method, rule.currency)}/${at.getTime()}`
}

export function withheldKey(paymentId: PaymentId, currency: Currency): string {
  return `${paymentId}/${currency}`
}

function currencyOf({ attempt, amount }: Placed) {
  return { merchantId: attempt.merchantId, currency: amount.currency }
}

function currencyKey({ attempt, amount }: Placed): string {
  return walletKey(attempt.merchantId, amount.currency)
}
