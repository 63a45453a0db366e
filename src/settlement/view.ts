// What settlement decides on: the payments of a batch's receipts, and everything that depends on them: refunds, disputes, and our fees by
// the rule in force when a payment was created. It is read set-based under the lane's lock, into facts and a draft.
import type { Dispute } from '#/disputes/dispute.ts'
import { selectByPieces as selectDisputesByPieces, selectByRefs } from '#/disputes/queries.ts'
import type { Claim } from '#/jobs/claim.ts'
import type { AttemptId, RefundId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { FeeRule, FeeRuleNow } from '#/merchants/fee.ts'
import { selectFeeRules, selectPastFeeRules } from '#/merchants/queries.ts'
import { loadSplits } from '#/payments/book-shares.ts'
import { selectOrders, type AuthorisationOrder } from '#/payments/capture-queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { loadPayments } from '#/payments/queries.ts'
import type { NamedPiece } from '#/payments/shares.ts'
import type { PieceRef } from '#/rails/attempt.ts'
import type { Rail, Rails, UnitView } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { lockClaims } from '#/refunds/due-queries.ts'
import { lockUnsent, selectByPieces as selectRefundsByPieces, selectRefundsById } from '#/refunds/queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { Parents } from '#/wallets/parent-debt.ts'
import { loadAccounts, mayDebit, type AccountFacts } from './accounts.ts'
import type { OpenDraft } from './draft.ts'
import type { Placed } from './placed.ts'
import { loadModes, loadPlacement } from './placement.ts'
import { selectPieceAmounts } from './queries.ts'
import { loadRelated, refKey } from './related.ts'
import { selectWithheld } from './release-queries.ts'
import { loadWallets, ownerOf } from './view-wallets.ts'

/** What was loaded and does not change within the batch. */
export type Facts = AccountFacts & {
  /** The parents of those sub-accounts that may repay theirs. */
  readonly parents: Parents
  readonly fees: FeeRules
  /** The orders (captures and voids) of authorisations that end. */
  readonly orders: ReadonlyMap<AttemptId, AuthorisationOrder>
  /** The refunds of disputed money that were not sent to a provider. */
  readonly unsent: ReadonlySet<RefundId>
  /** The refused claims after which no other worker has claimed the refund. */
  readonly heldClaims: ReadonlySet<string>
}

export type View = {
  readonly facts: Facts
  readonly draft: OpenDraft
  /** Exact amounts, for rails that keep finer units than the books. */
  readonly units: ReadonlyMap<Rail, UnitView>
}

/** A claim under which a refund was refused. */
type RefusedClaim = Pick<Claim, 'id' | 'number'>

/**
 * Locks `refusedClaims` first, then finds where each receipt belongs, then reads everything else in one round trip, and the accounts
 * to which the decisions may post.
 */
export async function loadView(
  batch: Batch,
  rails: Rails,
  receipts: readonly Receipt[],
  refusedClaims: readonly RefusedClaim[] = [],
): Promise<View> {
  const heldClaims: ReadonlySet<string> =
    refusedClaims.length === 0 ? new Set() : await lockClaims(batch.tx, refusedClaims)
  const { undecided, ...placement } = await loadPlacement(batch, rails, receipts)
  const placed = [...placement.placed.values()]
  const unplaced = receipts.filter((receipt) => !placement.placed.has(receipt))
  const debited = [...placed.filter(mayDebit).map(ownerOf), ...placement.credited.values()]
  const loadingPayments = loadPayments(
    batch.tx,
    placed.map(({ attempt }) => attempt),
  )
  const [payments, related, { missing, ...wallets }, fees, units, { unsent, ...back }, modes, orders] =
    await Promise.all([
      loadingPayments,
      loadRelated(batch, receipts),
      loadWallets(batch, placed, debited, loadingPayments),
      loadFeeRules(batch, placed, loadingPayments),
      loadUnits(batch, rails, receipts),
      loadBack(batch, placed, placement.credited.keys()),
      loadModes(batch, unplaced),
      loadOrders(batch, placed),
    ])
  const splits = await loadSplits(batch.tx, payments.values(), piecesBack(receipts, back))
  const draft: OpenDraft = { payments, splits, undecided, missing, additions: [], ...related, ...back }
  const facts = { rails, placement, modes, wallets, fees, orders, unsent, heldClaims }
  return { facts: { ...facts, parents: await loadAccounts(batch, facts, draft, receipts) }, draft, units }
}

/** The money that these receipts may send back. */
function piecesBack(
  receipts: readonly Receipt[],
  { refunds }: Pick<OpenDraft, 'refunds'>,
): readonly NamedPiece[] {
  const disputed = receipts.flatMap(({ connection, dispute }) =>
    dispute === undefined ? [] : [{ connection, paidRef: dispute.paidRef }],
  )
  return [...disputed, ...refunds.values()]
}

async function loadOrders(
  { tx }: Pick<Batch, 'tx'>,
  placed: readonly Placed[],
): Promise<ReadonlyMap<AttemptId, AuthorisationOrder>> {
  const ended = placed.filter(({ outcome }) => outcome === 'voided').map(({ attempt }) => attempt)
  const orders = ended.length === 0 ? [] : await selectOrders(tx, ended)
  return new Map(orders.map((order) => [order.attemptId, order]))
}

async function loadUnits(
  { tx }: Pick<Batch, 'tx'>,
  rails: Rails,
  receipts: readonly Receipt[],
): Promise<ReadonlyMap<Rail, UnitView>> {
  const views = new Map<Rail, UnitView>()
  for (const rail of rails.values()) {
    if (rail.coins === undefined) continue
    const paid = receipts.filter(({ method, outcome }) => method === rail.method && outcome === 'paid')
    if (paid.length > 0) views.set(rail, await rail.coins.units.load(tx, paid))
  }
  return views
}

/** `unsent`: the refunds of disputed money that were not sent to a provider. */
type Back = Pick<OpenDraft, 'refunds' | 'disputes' | 'pieces' | 'withheld'> & {
  readonly unsent: ReadonlySet<RefundId>
}

/** `credited`: receipts about money in suspense that was credited to a merchant. */
async function loadBack(
  { tx }: Pick<Batch, 'tx'>,
  placed: readonly Placed[],
  credited: Iterable<Receipt>,
): Promise<Back> {
  const [refunds, disputes, withheld, disputed] = await Promise.all([
    loadNamedRefunds(tx, placed),
    loadNamedDisputes(tx, [...placed, ...credited]),
    loadWithheld(tx, placed),
    loadDisputed(tx, placed),
  ])
  return {
    refunds: new Map([...refunds, ...disputed.refunds].map((refund) => [refund.id, refund])),
    disputes: new Map([...disputes, ...disputed.disputes].map((dispute) => [refKey(dispute), dispute])),
    pieces: new Map(disputed.amounts.map((piece) => [pieceKey(piece), piece.minor])),
    unsent: disputed.unsent,
    withheld: new Map(
      withheld.map(({ paymentId, currency, minor }) => [withheldKey(paymentId, currency), minor]),
    ),
  }
}

async function loadNamedRefunds(tx: Batch['tx'], placed: readonly Placed[]): Promise<readonly Refund[]> {
  const ids = placed.flatMap(({ refund }) => refund ?? [])
  return ids.length === 0 ? [] : selectRefundsById(tx, [...new Set(ids)])
}

async function loadNamedDisputes(tx: Batch['tx'], receipts: readonly Receipt[]): Promise<readonly Dispute[]> {
  const named = receipts.filter(({ dispute }) => dispute !== undefined)
  const distinct = [...new Map(named.map((receipt) => [refKey(receipt), receipt])).values()]
  return distinct.length === 0 ? [] : selectByRefs(tx, distinct)
}

async function loadWithheld(tx: Batch['tx'], placed: readonly Placed[]) {
  const attempts = placed
    .filter(({ outcome, dispute }) => outcome === 'refund_failed' || dispute !== undefined)
    .map(({ attempt }) => attempt)
  return attempts.length === 0 ? [] : selectWithheld(tx, attempts)
}

/** The amounts of disputed pieces, and all their refunds and disputes. */
async function loadDisputed(tx: Batch['tx'], placed: readonly Placed[]) {
  const pieces = placed.flatMap(({ attempt, connection, dispute }): readonly PieceRef[] => {
    const { merchantId, paymentId } = attempt
    return dispute === undefined ? [] : [{ merchantId, paymentId, connection, paidRef: dispute.paidRef }]
  })
  if (pieces.length === 0) return { unsent: new Set<RefundId>(), refunds: [], disputes: [], amounts: [] }
  // Read after the lock, because locked rows do not change any more.
  const unsent = await lockUnsent(tx, pieces)
  const [refunds, disputes, amounts] = await Promise.all([
    selectRefundsByPieces(tx, pieces),
    selectDisputesByPieces(tx, pieces),
    selectPieceAmounts(tx, pieces),
  ])
  return { unsent, refunds, disputes, amounts }
}

/** Names one piece of a payment. */
export function pieceKey(piece: Pick<PieceRef, 'paymentId' | 'connection' | 'paidRef'>): string {
  return `${piece.paymentId}|${piece.connection}|${piece.paidRef}`
}

export function withheldKey(paymentId: PaymentId, currency: Currency): string {
  return `${paymentId}/${currency}`
}

type FeeRules = {
  /** By merchant, method and currency. */
  readonly inForce: ReadonlyMap<string, FeeRuleNow>
  /** Rules that are not in force any more, by the same and the instant of the payment. */
  readonly past: ReadonlyMap<string, FeeRule>
}

async function loadFeeRules(
  { tx }: Pick<Batch, 'tx'>,
  placed: readonly Placed[],
  loadingPayments: Promise<ReadonlyMap<PaymentId, Payment>>,
): Promise<FeeRules> {
  const merchantIds = [...new Set(placed.map(({ attempt }) => attempt.merchantId))]
  const [rules, payments] = await Promise.all([selectFeeRules(tx, merchantIds), loadingPayments])
  const inForce = new Map(rules.map((rule) => [feeKey(rule), rule]))
  const older = olderPayments(placed, payments, inForce)
  const past = older.length === 0 ? [] : await selectPastFeeRules(tx, older)
  return { inForce, past: new Map(past.map(({ at, ...rule }) => [pastFeeKey(rule, at), rule])) }
}

/** The receipts of payments that are older than the rule in force. */
function olderPayments(
  placed: readonly Placed[],
  payments: ReadonlyMap<PaymentId, Payment>,
  inForce: FeeRules['inForce'],
) {
  return placed.flatMap(({ outcome, method, amount: { currency }, attempt: { merchantId, paymentId } }) => {
    const at = payments.get(paymentId)?.createdAt
    const rule = outcome === 'paid' ? inForce.get(feeKey({ merchantId, method, currency })) : undefined
    if (at === undefined || rule === undefined || rule.validFrom <= at) return []
    return [{ merchantId, method, currency, at }]
  })
}

/** The fee rule that was in force when the payment was created. */
export function feeRuleOf(
  { inForce, past }: FeeRules,
  { amount: { currency }, method }: Receipt,
  { merchantId, createdAt }: Payment,
): FeeRule | undefined {
  const rule = inForce.get(feeKey({ merchantId, method, currency }))
  return rule === undefined || rule.validFrom <= createdAt ? rule : past.get(pastFeeKey(rule, createdAt))
}

type Charged = { readonly merchantId: MerchantId; readonly method: string; readonly currency: Currency }

function feeKey({ merchantId, method, currency }: Charged): string {
  return `${merchantId}/${method}/${currency}`
}

function pastFeeKey(rule: Charged, at: Date): string {
  return `${feeKey(rule)}/${at.getTime()}`
}
