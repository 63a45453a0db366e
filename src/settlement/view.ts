// What settlement decides on: the payments of a batch's receipts, and everything that depends on them. It is read set-based under the
// lane's lock, into facts and a draft.
import type { Claim } from '#/jobs/claim.ts'
import type { AttemptId, RefundId } from '#/kernel/id.ts'
import type { Batch } from '#/ledger/kind.ts'
import { loadSplits } from '#/payments/book-shares.ts'
import { selectOrders, type AuthorisationOrder } from '#/payments/capture-queries.ts'
import { loadPayments } from '#/payments/load.ts'
import type { NamedPiece } from '#/payments/shares.ts'
import type { Rail, Rails, UnitView } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { lockClaims } from '#/refunds/due-queries.ts'
import type { Parents } from '#/wallets/parent-debt.ts'
import { loadAccounts, mayDebit, type AccountFacts } from './accounts.ts'
import type { OpenDraft } from './draft.ts'
import type { Placed } from './placed.ts'
import { loadModes, loadPlacement } from './placement.ts'
import { loadRelated } from './related.ts'
import { loadFeeRules, type FeeRules } from './view-fees.ts'
import { loadBack } from './view-refunds.ts'
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
