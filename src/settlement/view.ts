// The view on which settlement decides: the payments of a batch's receipts, and everything that depends on them. It is read
// set-based under the lane's lock, and each decision updates it.
import type { Claim } from '#/jobs/claim.ts'
import type { AttemptId, PaymentId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import { loadSplits } from '#/payments/book-shares.ts'
import { selectOrders, type AuthorisationOrder } from '#/payments/capture-queries.ts'
import { loadPayments } from '#/payments/load.ts'
import type { Payment } from '#/payments/payment.ts'
import type { NamedPiece } from '#/payments/shares.ts'
import type { Rail, Rails, UnitView } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { lockClaims } from '#/refunds/due-queries.ts'
import type { Parents } from '#/wallets/parent-debt.ts'
import { loadAccounts, mayDebit, type AccountsGround } from './accounts.ts'
import type { RecordAddition, Placed } from './placed.ts'
import { loadModes, loadPlacement } from './placement.ts'
import { loadRelated, type Related } from './related.ts'
import { loadFeeRules, type FeeRules } from './view-fees.ts'
import { loadBack, type Back } from './view-refunds.ts'
import { loadWallets, ownerOf } from './view-wallets.ts'

export type View = AccountsGround & {
  /** The parents of those sub-accounts that may repay theirs. */
  readonly parents: Parents
  readonly payments: Map<PaymentId, Payment>
  readonly related: Related
  readonly fees: FeeRules
  readonly back: Back
  /** The orders (captures and voids) of authorisations that end. */
  readonly orders: ReadonlyMap<AttemptId, AuthorisationOrder>
  /** Exact amounts, for rails that keep finer units than the books. */
  readonly units: ReadonlyMap<Rail, UnitView>
  /** The refused claims after which no other worker has claimed the refund. */
  readonly heldClaims: ReadonlySet<string>
  /** What the receipts of this batch add to the records of payments. */
  readonly additions: RecordAddition[]
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
  const placement = await loadPlacement(batch, rails, receipts)
  const placed = [...placement.placed.values()]
  const unplaced = receipts.filter((receipt) => !placement.placed.has(receipt))
  const debited = [...placed.filter(mayDebit).map(ownerOf), ...placement.credited.values()]
  const loadingPayments = loadPayments(
    batch.tx,
    placed.map(({ attempt }) => attempt),
  )
  const [payments, related, wallets, fees, units, back, modes, orders] = await Promise.all([
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
  const loaded = {
    placement,
    modes,
    payments,
    related,
    wallets,
    fees,
    back,
    orders,
    units,
    heldClaims,
    splits,
  }
  const view = { rails, ...loaded, additions: [], accounts: new Map() }
  return { ...view, parents: await loadAccounts(batch, view, receipts) }
}

/** The money that these receipts may send back. */
function piecesBack(receipts: readonly Receipt[], { refunds }: Back): readonly NamedPiece[] {
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
