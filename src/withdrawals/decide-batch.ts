// A batch of withdrawals is approved, rejected or canceled as one.
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import { runnable, type Batch, type RunnableKind } from '#/ledger/kind.ts'
import type { By } from '#/people/audit-entry.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { passingOn } from '#/wallets/passed-on.ts'
import { carryOut } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import {
  decide,
  keep,
  load,
  write,
  type Decision,
  type DecisionItem,
  type DecisionVerdict,
  type View,
} from './decide.ts'
import { selectBatchWithdrawals } from './queries.ts'
import type { Withdrawal } from './withdrawal.ts'

export type BatchDecisionItem = {
  readonly id: WithdrawalBatchId
  readonly merchantId: MerchantId
} & (
  | { readonly event: 'approved' | 'rejected'; readonly by: ApiKeyId; readonly origin?: By }
  | { readonly event: 'canceled' }
)

export type BatchDecisionVerdict =
  /** At least one withdrawal of it was decided, or all were before. */
  | { readonly kind: 'decided' }
  /** No withdrawal of it is in a state for this. */
  | { readonly kind: 'refused' }
  /** One of its withdrawals cannot be approved now, so none was. */
  | {
      readonly kind: 'obstructed'
      readonly verdict: Obstacle
    }
  | { readonly kind: 'not_found' }

export type BatchDecisionKind = RunnableKind<BatchDecisionItem, BatchDecisionVerdict, EventDraft>

type Obstacle = Extract<DecisionVerdict, { kind: 'objected' | 'frozen' | 'limited' }>

type BatchView = View & { readonly idsOf: ReadonlyMap<WithdrawalBatchId, readonly WithdrawalId[]> }

/** Decides about batches of withdrawals, as a kind of work for the ledger lane. */
export function batchDecisionKind(rails: PayoutRails): BatchDecisionKind {
  return runnable(
    passingOn<BatchDecisionItem, BatchView, readonly Decision[], BatchDecisionVerdict, EventDraft>({
      name: 'decide about a batch of withdrawals',
      async load(batch, items) {
        const members = await selectBatchWithdrawals(batch.tx, items)
        // Two items about one batch find its members twice.
        const idsOf = new Map(
          [...Map.groupBy(members, ({ batchId }) => batchId)].map(([id, all]) => [
            id,
            [...new Set(all.map((each) => each.id))],
          ]),
        )
        const decisions = items.flatMap((item) => decisionsOf(item, idsOf.get(item.id) ?? []))
        return { ...(await load(batch, rails, decisions)), idsOf }
      },
      decide: decideBatch,
      write: (batch, changes) => write(batch, rails, changes.flat()),
    }),
  )
}

function decisionsOf(item: BatchDecisionItem, ids: readonly WithdrawalId[]): readonly DecisionItem[] {
  return ids.map((id) => ({ ...item, id }))
}

/**
 * Approves all waiting withdrawals, or none: an obstacle to one of them stops all. A rejection or cancellation ends those that
 * can still be ended; the others keep their own end. All are decided before the first decision takes effect.
 */
function decideBatch(view: BatchView, item: BatchDecisionItem, batch: Pick<Batch, 'books'>) {
  const ids = view.idsOf.get(item.id) ?? []
  if (ids.length === 0) return { verdict: { kind: 'not_found' } as const }
  const members = ids.map((id) => must(view.withdrawals.get(id), 'a member of the batch is loaded'))
  const open = members.filter((member) => isOpenTo(item.event, member)).map(({ id }) => id)
  if (open.length === 0)
    return { verdict: { kind: members.some((each) => isDone(item, each)) ? 'decided' : 'refused' } as const }
  const decisions = decisionsOf(item, open).map((each) => decide(view, each))
  const obstacle = decisions.map(({ verdict }) => verdict).find(isObstacle)
  if (obstacle !== undefined) return { verdict: { kind: 'obstructed', verdict: obstacle } as const }
  const rulings = decisions.map((each) => carryOut(batch, each, (ruling) => keep(view, ruling)))
  const changes = rulings.flatMap(({ change }) => change ?? [])
  return {
    verdict: { kind: changes.length > 0 ? 'decided' : 'refused' } as const,
    ...(changes.length === 0 ? {} : { change: changes }),
    events: rulings.flatMap(({ events }) => events ?? []),
    passed: rulings.flatMap(({ passed }) => passed ?? []),
  }
}

function isOpenTo(event: BatchDecisionItem['event'], { status }: Withdrawal): boolean {
  if (status === 'PENDING_APPROVAL') return true
  return event === 'canceled' && (status === 'PENDING' || status === 'PROCESSING')
}

/** Whether the same was decided before. */
function isDone({ event }: BatchDecisionItem, { status, decidedBy }: Withdrawal): boolean {
  return event === 'approved' ? decidedBy !== undefined && status !== 'CANCELED' : status === 'CANCELED'
}

function isObstacle(verdict: DecisionVerdict): verdict is Obstacle {
  return verdict.kind === 'objected' || verdict.kind === 'frozen' || verdict.kind === 'limited'
}
