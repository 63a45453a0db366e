// A withdrawal that nobody has sent yet: a second person approves or rejects it, its merchant cancels it, or a worker
// begins to send it. One kind of work, so that of two at once only one happens.
import { must } from '#/kernel/check.ts'
import type { ApiKeyId, MerchantId, WithdrawalId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { next } from '#/kernel/state.ts'
import * as chart from '#/ledger/chart.ts'
import { runnable, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { withdrawalReleased } from '#/ledger/recipes.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { spentOf } from './limits.ts'
import * as limitQueries from './limit-queries.ts'
import * as queries from './queries.ts'
import { withdrawalEvent, withdrawalStates, type Withdrawal } from './withdrawal.ts'

export type DecisionItem = {
  readonly id: WithdrawalId
  /** Absent: a worker, which serves all merchants. */
  readonly merchantId?: MerchantId
} & (
  | { readonly event: 'approved' | 'rejected'; readonly by: ApiKeyId }
  | { readonly event: 'canceled' | 'sending' }
)

export type DecisionVerdict =
  | { readonly kind: 'decided'; readonly withdrawal: Withdrawal }
  /** It was so already: nothing changed. */
  | { readonly kind: 'already'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'refused'; readonly withdrawal: Withdrawal }
  /** Nobody decides about a withdrawal that was asked for with the same key. */
  | { readonly kind: 'own_request' }
  | { readonly kind: 'not_found' }

export type DecisionKind = RunnableKind<DecisionItem, DecisionVerdict, EventDraft>

type View = Map<WithdrawalId, Withdrawal>
type Decided = Ruling<Withdrawal, DecisionVerdict, EventDraft>

export function decisionKind(): DecisionKind {
  return runnable<DecisionItem, View, Withdrawal, DecisionVerdict, EventDraft>({
    name: 'decide about a withdrawal',
    async load({ tx, books }, items) {
      const withdrawals = await queries.selectWithdrawalsById(tx, [...new Set(items.map((item) => item.id))])
      await books.load(withdrawals.flatMap((withdrawal) => Object.values(accountsOf(withdrawal))))
      return new Map(withdrawals.map((withdrawal) => [withdrawal.id, withdrawal]))
    },
    decide,
    write,
  })
}

function decide(view: View, item: DecisionItem, batch: Pick<Batch, 'books' | 'at'>): Decided {
  const withdrawal = view.get(item.id)
  const isOthers = item.merchantId !== undefined && withdrawal?.merchantId !== item.merchantId
  if (withdrawal === undefined || isOthers) return { verdict: { kind: 'not_found' } }
  const by = item.event === 'approved' || item.event === 'rejected' ? item.by : undefined
  if (by === withdrawal.requestedBy) return { verdict: { kind: 'own_request' } }
  const event = item.event === 'rejected' ? 'canceled' : item.event
  const isRejectable = item.event !== 'rejected' || withdrawal.status === 'PENDING_APPROVAL'
  const status = isRejectable ? next(withdrawalStates, withdrawal.status, event) : undefined
  if (status === undefined) {
    const isAlready = isSo(withdrawal, item.event)
    return { verdict: { kind: isAlready ? 'already' : 'refused', withdrawal } }
  }
  const decided: Withdrawal = {
    ...withdrawal,
    status,
    version: withdrawal.version + 1,
    ...(by === undefined ? {} : { decidedBy: by }),
  }
  if (status === 'CANCELED') release(batch, decided)
  view.set(decided.id, decided)
  return { verdict: { kind: 'decided', withdrawal: decided }, change: decided, events: eventsOf(decided) }
}

function isSo({ status, decidedBy }: Withdrawal, event: DecisionItem['event']): boolean {
  if (event === 'canceled' || event === 'rejected') return status === 'CANCELED'
  return event === 'approved' ? decidedBy !== undefined && status !== 'CANCELED' : status === 'PROCESSING'
}

function eventsOf(withdrawal: Withdrawal): readonly EventDraft[] {
  if (withdrawal.status === 'CANCELED') return [withdrawalEvent('withdrawal.canceled', withdrawal)]
  if (withdrawal.status === 'PROCESSING') return [withdrawalEvent('withdrawal.processing', withdrawal)]
  // Approved: it waits to be sent, as one that needs no approval does. There is no event for that.
  return []
}

function release({ books }: Pick<Batch, 'books'>, withdrawal: Withdrawal): void {
  const { id, version, amountMinor, feeMinor } = withdrawal
  const occasion = { subject: id, ordinal: version, cause: sha256(`canceled ${id}`) }
  const amounts = { amount: amountMinor, fee: feeMinor }
  const released = books.post(withdrawalReleased(occasion, accountsOf(withdrawal), amounts))
  must(released.ok || undefined, 'what was held can be released')
}

async function write({ tx, at }: Batch, changes: readonly Withdrawal[]): Promise<void> {
  // One that is approved and canceled in the same batch must not be left due.
  const latest = [...new Map(changes.map((each) => [each.id, each])).values()]
  const canceled = latest.filter((each) => each.status === 'CANCELED')
  const ready = latest.filter((each) => each.status === 'PENDING')
  await queries.writeWithdrawals(tx, latest)
  if (canceled.length > 0) {
    await queries.deleteDue(tx, canceled)
    await limitQueries.takeSpent(tx, canceled.map(spentOf))
  }
  if (ready.length > 0) await queries.insertDue(tx, ready, at)
}

function accountsOf({ mode, walletId, currency }: Withdrawal) {
  return {
    available: chart.walletAvailable(mode, walletId, currency),
    held: chart.walletHeld(mode, walletId, currency),
  }
}
