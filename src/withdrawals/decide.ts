// A withdrawal before it is sent: a second person approves or rejects it, its merchant cancels it, or a worker starts to send
// it. All are one kind of work, so that of two at the same time only one takes effect. A batch is decided as one (decide-batch.ts).
import type { Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, WithdrawalId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import { next } from '#/kernel/state.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch, Closed, RunnableKind } from '#/ledger/kind.ts'
import { withdrawalReleased } from '#/ledger/recipes.ts'
import { objectionToKey, type Holders, type KeyObjection } from '#/merchants/lineage.ts'
import { isMoneyOutUnknown, selectHolders } from '#/merchants/queries.ts'
import { spentOf, type LimitRefusal } from '#/money-out/limits.ts'
import * as limitQueries from '#/money-out/queries.ts'
import { originOf, type AuditEntry, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { loadParents, parentDebt, type Parents } from '#/wallets/parent-debt.ts'
import { pureKind, type DecidedOrElse } from '#/wallets/pure-kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { loadAllowedNow, type AllowedNow } from './accept.ts'
import * as queries from './queries.ts'
import { selectChangers } from './schedule-queries.ts'
import { isEnded, withdrawalEvent, withdrawalStates, type Withdrawal } from './withdrawal.ts'

export type DecisionItem = {
  readonly id: WithdrawalId
  /** Absent: the decision of a worker, which serves all merchants. */
  readonly merchantId?: MerchantId
} & (
  | { readonly event: 'approved' | 'rejected'; readonly by: ApiKeyId; readonly origin?: By }
  | { readonly event: 'canceled' }
  /** `inDoubt`: its provider may have it already, so it may have left although it is not allowed any more. */
  | { readonly event: 'sending'; readonly inDoubt?: boolean }
)

export type DecisionVerdict =
  | { readonly kind: 'decided'; readonly withdrawal: Withdrawal }
  /** Decided before: nothing changed. */
  | { readonly kind: 'already'; readonly withdrawal: Withdrawal }
  | { readonly kind: 'refused'; readonly withdrawal: Withdrawal }
  /** This key is no second person for it. */
  | { readonly kind: 'objected'; readonly objection: KeyObjection }
  /** Money out is frozen: it is neither approved nor sent, nor canceled before money out is confirmed after a restore. */
  | {
      readonly kind: 'frozen'
      readonly withdrawal: Withdrawal
      /** It is no freeze: its merchant is a sub-account that may pay out nothing now. */
      readonly isAccount?: boolean
    }
  /** The operator's rules do not allow it any more. Nothing was approved or sent; a worker has set `reviewRequired`. */
  | { readonly kind: 'limited'; readonly withdrawal: Withdrawal; readonly limit: LimitRefusal }
  | { readonly kind: 'not_found' }

export type DecisionKind = RunnableKind<DecisionItem, DecisionVerdict, EventDraft>

export type View = {
  readonly withdrawals: Map<WithdrawalId, Withdrawal>
  /** Those that wait in a queue of our own, locked: none of them was sent. */
  readonly waiting: ReadonlySet<string>
  /** The keys that requested each: its own, and those that changed the amounts of its schedule. Only where a key decides. */
  readonly requesters: ReadonlyMap<WithdrawalId, readonly ApiKeyId[]>
  /** Of the keys that requested and of those that decide. */
  readonly holders: Holders
  readonly allowed: AllowedNow
  readonly parents: Parents
  /** A restore is being repaired, and nobody knows yet which of them left. */
  readonly isMoneyOutUnknown: boolean
  /** Those to be ended that had left before a restore took them back. */
  readonly departed: ReadonlySet<WithdrawalId>
}
/** `audit`: for decisions of a person. */
export type Decision = { readonly withdrawal: Withdrawal; readonly audit?: AuditEntry }
export type Decided = DecidedOrElse<Decision, DecisionVerdict>

/** Decides about withdrawals, as a kind of work for the ledger lane. */
export function decisionKind(rails: PayoutRails): DecisionKind {
  return pureKind<DecisionItem, View, Decision, DecisionVerdict>({
    name: 'decide about a withdrawal',
    load: (batch, items) => load(batch, rails, items),
    decide,
    keep,
    write: (batch, changes) => write(batch, rails, changes),
  })
}

/** What the decisions about these withdrawals need. */
export async function load(
  { tx, books, at }: Batch,
  rails: PayoutRails,
  items: readonly DecisionItem[],
): Promise<View> {
  const withdrawals = await queries.selectWithdrawalsById(tx, [...new Set(items.map((item) => item.id))])
  const idsFor = (...events: readonly DecisionItem['event'][]) =>
    new Set(items.flatMap(({ id, event }) => (events.includes(event) ? [id] : [])))
  const [leaving, canceled] = [idsFor('approved', 'sending'), idsFor('canceled')]
  const ending = [...idsFor('canceled', 'rejected')]
  const [persons, allowed] = await Promise.all([
    loadPersons(tx, items, withdrawals),
    loadAllowedNow(
      tx,
      withdrawals.filter(({ id }) => leaving.has(id)),
    ),
    books.load(withdrawals.flatMap((withdrawal) => Object.values(accountsOf(withdrawal)))),
  ])
  const parents = await loadParents({ tx, books, at }, withdrawals)
  const sending = withdrawals.filter(({ id, status }) => status === 'PROCESSING' && canceled.has(id))
  const waiting = await lockWaiting(tx, rails, sending)
  const [isUnknown, departed] =
    ending.length === 0
      ? [false, new Set<WithdrawalId>()]
      : await Promise.all([isMoneyOutUnknown(tx), queries.selectDeparted(tx, ending)])
  return {
    withdrawals: new Map(withdrawals.map((withdrawal) => [withdrawal.id, withdrawal])),
    parents,
    waiting,
    isMoneyOutUnknown: isUnknown,
    departed,
    ...persons,
    allowed,
  }
}

/** Locks those that wait in their rail's own queue. */
async function lockWaiting(
  tx: Tx,
  rails: PayoutRails,
  sending: readonly Withdrawal[],
): Promise<ReadonlySet<string>> {
  const waiting = new Set<string>()
  for (const [type, group] of Map.groupBy(sending, (each) => each.type)) {
    const ids = group.map(({ id }) => id)
    for (const id of (await rails.get(type)?.queue?.lockWaiting(tx, ids)) ?? []) waiting.add(id)
  }
  return waiting
}

async function loadPersons(
  tx: Tx,
  items: readonly DecisionItem[],
  withdrawals: readonly Withdrawal[],
): Promise<Pick<View, 'requesters' | 'holders'>> {
  const deciders = Map.groupBy(
    items.flatMap((item) => ('by' in item ? [item] : [])),
    ({ id }) => id,
  )
  const decided = withdrawals.filter(({ id }) => deciders.has(id))
  if (decided.length === 0) return { requesters: new Map(), holders: new Map() }
  const schedules = decided.flatMap(({ merchantId, scheduleId }) =>
    scheduleId === undefined ? [] : [{ merchantId, id: scheduleId }],
  )
  const found = schedules.length === 0 ? [] : await selectChangers(tx, schedules)
  const changers = new Map(found.map(({ id, changedBy }) => [id, changedBy]))
  const requesters = new Map(
    decided.map(({ id, requestedBy, scheduleId }) => [
      id,
      [requestedBy, ...((scheduleId === undefined ? undefined : changers.get(scheduleId)) ?? [])],
    ]),
  )
  const keys = decided.flatMap(({ id }) => [
    ...(requesters.get(id) ?? []),
    ...(deciders.get(id) ?? []).map(({ by }) => by),
  ])
  return { requesters, holders: await selectHolders(tx, keys) }
}

/** Decides about one withdrawal. It changes nothing. */
export function decide(view: Closed<View>, item: DecisionItem): Decided {
  const withdrawal = view.withdrawals.get(item.id)
  const isOthers = item.merchantId !== undefined && withdrawal?.merchantId !== item.merchantId
  if (withdrawal === undefined || isOthers) return { verdict: { kind: 'not_found' } }
  const by = item.event === 'approved' || item.event === 'rejected' ? item.by : undefined
  const requestedBy = view.requesters.get(item.id) ?? [withdrawal.requestedBy]
  const requested = { merchantId: withdrawal.merchantId, requestedBy }
  const objection = by === undefined ? undefined : objectionToKey(view.holders, requested, by)
  if (objection !== undefined) return { verdict: { kind: 'objected', objection } }
  if (isEnding(item.event) && view.isMoneyOutUnknown && !isEnded(withdrawal))
    return { verdict: { kind: 'frozen', withdrawal } }
  const obstacle = obstacleTo(view, item, withdrawal)
  if (obstacle !== undefined) return obstacle
  const event = item.event === 'rejected' ? 'canceled' : item.event
  const status = isPossible(view, item, withdrawal)
    ? next(withdrawalStates, withdrawal.status, event)
    : undefined
  if (status === undefined) {
    const isAlready = isSo(withdrawal, item.event)
    return { verdict: { kind: isAlready ? 'already' : 'refused', withdrawal } }
  }
  const after = changed(withdrawal, { status, reviewRequired: false, ...given({ decidedBy: by }) })
  const decided: Decided = {
    verdict: { kind: 'decided', withdrawal: after },
    change: { withdrawal: after, ...given({ audit: auditOf(item, withdrawal, after) }) },
    events: eventsOf(after),
  }
  if (status !== 'CANCELED') return decided
  // The held money is there, so the books refuse only an account in another currency.
  return {
    ...decided,
    ...released(view, after),
    orElse: () => ({ verdict: { kind: 'refused', withdrawal } }),
  }
}

/** Puts a decision into the view that the next one reads. */
export function keep({ withdrawals }: View, { change: { withdrawal } }: { readonly change: Decision }): void {
  withdrawals.set(withdrawal.id, withdrawal)
}

function isEnding(event: DecisionItem['event']): boolean {
  return event === 'canceled' || event === 'rejected'
}

function changed(withdrawal: Withdrawal, change: Partial<Withdrawal>): Withdrawal {
  return { ...withdrawal, ...change, version: withdrawal.version + 1 }
}

function auditOf(item: DecisionItem, before: Withdrawal, after: Withdrawal): AuditEntry | undefined {
  if (item.event !== 'approved' && item.event !== 'rejected') return undefined
  const { id, merchantId } = before
  return {
    ...originOf(item.by, item.origin),
    action: item.event === 'approved' ? 'withdrawal.approve' : 'withdrawal.reject',
    subject: `withdrawal:${id}`,
    merchantId,
    before: { status: before.status },
    after: { status: after.status },
  }
}

/** Conditions beyond the table of states. */
function isPossible(view: Closed<View>, { event }: DecisionItem, { id, status }: Withdrawal): boolean {
  if (isEnding(event) && view.departed.has(id)) return false
  if (event === 'rejected') return status === 'PENDING_APPROVAL'
  return event !== 'canceled' || status !== 'PROCESSING' || view.waiting.has(id)
}

/**
 * The reason why the withdrawal must not be approved or sent now, if there is one. The rules of its acceptance are checked
 * again.
 * - A withdrawal that waits for approval keeps waiting.
 * - One that is due and can never leave is ended by its worker as refused (send.ts), so that its money is back.
 * - A withdrawal that is to be sent is not sent. A person must review it, or approve it if a limit that was set since requires
 *   a second person for its amount.
 */
function obstacleTo(view: Closed<View>, item: DecisionItem, withdrawal: Withdrawal): Decided | undefined {
  const { event } = item
  const { status, decidedBy, reviewRequired } = withdrawal
  const isApproving = event === 'approved' && status === 'PENDING_APPROVAL'
  const isSending = event === 'sending' && (status === 'PENDING' || status === 'PROCESSING')
  if (!isApproving && !isSending) return undefined
  const limit = view.allowed(withdrawal)
  // It can never leave, so its worker ends it as refused.
  if (isSending && !limit.ok && (limit.reason === 'own' || limit.reason === 'rail')) return undefined
  if (!limit.ok) {
    if (limit.reason === 'frozen' || limit.reason === 'account')
      return { verdict: { kind: 'frozen', withdrawal, isAccount: limit.reason === 'account' } }
    const isInDoubt = item.event === 'sending' && item.inDoubt === true && status === 'PROCESSING'
    if (isApproving || isInDoubt || reviewRequired) return { verdict: { kind: 'limited', withdrawal, limit } }
    const after = changed(withdrawal, { reviewRequired: true })
    return { verdict: { kind: 'limited', withdrawal: after, limit }, change: { withdrawal: after } }
  }
  if (!isSending || !limit.needsApproval || decidedBy !== undefined) return undefined
  const waiting = next(withdrawalStates, status, 'approval_required')
  if (waiting === undefined) return undefined
  const after = changed(withdrawal, { status: waiting, reviewRequired: false })
  return {
    verdict: { kind: 'refused', withdrawal: after },
    change: { withdrawal: after },
    events: [withdrawalEvent('withdrawal.approval_required', after)],
  }
}

function isSo({ status, decidedBy }: Withdrawal, event: DecisionItem['event']): boolean {
  if (isEnding(event)) return status === 'CANCELED'
  return event === 'approved' ? decidedBy !== undefined && status !== 'CANCELED' : status === 'PROCESSING'
}

function eventsOf(withdrawal: Withdrawal): readonly EventDraft[] {
  if (withdrawal.status === 'CANCELED') return [withdrawalEvent('withdrawal.canceled', withdrawal)]
  if (withdrawal.status === 'PROCESSING') return [withdrawalEvent('withdrawal.processing', withdrawal)]
  // Approved: it waits to be sent, like one that needs no approval. There is no event for that.
  return []
}

/** Releases the hold; what becomes available repays the parent. */
function released({ parents }: Closed<View>, withdrawal: Withdrawal): Pick<Decided, 'postings' | 'repays'> {
  const { id, version, merchantId, currency, amountMinor, feeMinor } = withdrawal
  const occasion = { subject: id, ordinal: version, cause: sha256(`canceled ${id}`) }
  const accounts = accountsOf(withdrawal)
  const { available } = accounts
  return {
    postings: withdrawalReleased(occasion, accounts, { amount: amountMinor, fee: feeMinor }),
    repays: { parents, occasion, merchantId, currency, available },
  }
}

export async function write(
  { tx }: Batch,
  rails: PayoutRails,
  decisions: readonly Decision[],
): Promise<void> {
  const changes = decisions.map(({ withdrawal }) => withdrawal)
  await writeAudit(
    tx,
    decisions.flatMap(({ audit }) => audit ?? []),
  )
  // A withdrawal that is approved and canceled in the same batch must not stay due.
  const latest = [...new Map(changes.map((each) => [each.id, each])).values()]
  const canceled = latest.filter((each) => each.status === 'CANCELED')
  const ready = latest.filter((each) => each.status === 'PENDING')
  const waiting = latest.filter((each) => each.status === 'PENDING_APPROVAL')
  await queries.writeWithdrawals(tx, latest)
  if (canceled.length > 0) {
    await queries.deleteDue(tx, canceled)
    await limitQueries.releaseSpent(tx, canceled.map(spentOf))
    // A withdrawal that was never sent is in no queue: for it this does nothing.
    for (const [type, group] of Map.groupBy(canceled, (each) => each.type))
      await rails.get(type)?.queue?.drop(
        tx,
        group.map(({ id }) => id),
      )
  }
  if (waiting.length > 0) await queries.deleteDue(tx, waiting)
  if (ready.length > 0) await queries.insertDue(tx, ready)
}

function accountsOf({ mode, merchantId, walletId, currency }: Withdrawal) {
  return {
    owes: parentDebt({ mode, merchantId, currency }),
    available: chart.walletAvailable(mode, walletId, currency),
    receivable: chart.receivable(mode, merchantId, currency),
    held: chart.walletHeld(mode, walletId, currency),
  }
}
