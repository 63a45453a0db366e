// Decisions about a refund whose end is not known. All are one kind of work, so that of two decisions at the same time only one
// takes effect:
// - a second person approves or rejects it;
// - the operator ends a refund that cannot be sent;
// - a worker checks whether it may still send a refund that we send ourselves.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, RefundId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { runnableNotifying, type Batch, type RunnableKind, type Ruling } from '#/ledger/kind.ts'
import { objectionToKey, type Holders, type KeyObjection } from '#/merchants/lineage.ts'
import { isMoneyOutUnknown, selectHolders } from '#/merchants/queries.ts'
import { refusalOf } from '#/money-out/gate.ts'
import type { LimitRefusal } from '#/money-out/limits.ts'
import { ledgerCurrency } from '#/payments/payment.ts'
import { originOf, type AuditEntry, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { lockSends } from '#/refunds/due-queries.ts'
import { insertDue, selectDeparted, selectRefundsById, writeRefunds } from '#/refunds/queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import { allowedOf, frozenBack, leavingOf, loadRules, type Rules } from '#/refunds/rules.ts'
import { passingOn, type PassedOn } from '#/wallets/passed-on.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { applyChange, type News } from './decision.ts'
import { eventsOf } from './notify.ts'
import { settleReceipt, writeSettled, type Settled } from './settle.ts'
import { loadView, type View as SettlementView } from './view.ts'

export type RefundDecisionItem = {
  readonly id: RefundId
} & (
  | {
      readonly event: 'approved' | 'rejected'
      readonly merchantId: MerchantId
      readonly by: ApiKeyId
      readonly origin?: By
    }
  /** By a person of the operator. `proof`: the provider's statement that it refunded nothing, if the refund may have been sent. */
  | {
      readonly event: 'ended'
      readonly by: string
      readonly reason: string
      readonly proof?: string
      /** Absent: `by` names a person at the command line. */
      readonly origin?: By
    }
  /** By a worker that has claimed it to send it. */
  | { readonly event: 'sending' }
)

export type RefundDecisionVerdict =
  /** For `sending`: send it. */
  | { readonly kind: 'decided'; readonly refund: Refund }
  /** It was decided so before: nothing changed. */
  | { readonly kind: 'already'; readonly refund: Refund }
  | { readonly kind: 'refused'; readonly refund: Refund }
  /** This key is no second person for it. */
  | { readonly kind: 'objected'; readonly objection: KeyObjection }
  /** Nothing was approved or, until money out is confirmed after a restore, rejected: money out is frozen. */
  | { readonly kind: 'frozen' }
  /** Nothing was approved: the operator's limits do not allow it. */
  | { readonly kind: 'limited'; readonly limit: LimitRefusal }
  /** For `sending`: it waits for a person from now on. */
  | { readonly kind: 'waits'; readonly refund: Refund }
  /** It may have been sent. `isQueued`: there is a tx of ours for it, and the chain will show its end. */
  | { readonly kind: 'may_be_sent'; readonly refund: Refund; readonly isQueued: boolean }
  | { readonly kind: 'not_found' }

export type RefundDecisionKind = RunnableKind<RefundDecisionItem, RefundDecisionVerdict, EventDraft>

type View = {
  readonly settlement: SettlementView
  readonly rules: Rules
  readonly holders: Holders
  /** A restore is being repaired, and nobody knows yet which of them left. */
  readonly isMoneyOutUnknown: boolean
  /** Those that had left before a restore took them back. */
  readonly departed: ReadonlySet<RefundId>
  /** How often each was claimed for sending without proof that nothing was sent. */
  readonly sends: ReadonlyMap<RefundId, number>
  readonly queued: ReadonlySet<RefundId>
  /** The receipt that would record each decision that ends a refund. */
  readonly ends: ReadonlyMap<RefundDecisionItem, Receipt>
}

type Change = {
  readonly audit: AuditEntry
  /** Approved, or held back. */
  readonly refund?: Refund
  readonly settled?: Settled
}

/** Nothing changes, or the refund becomes this one: approved or held back, or about to fail. */
type Decided =
  | { readonly verdict: RefundDecisionVerdict }
  | { readonly as: 'decided' | 'waits' | 'ended'; readonly refund: Refund; readonly audit: AuditEntry }

/** Decides about refunds, as a kind of work for the ledger lane. */
export function refundDecisionKind(rails: Rails): RefundDecisionKind {
  const kind = passingOn<RefundDecisionItem, View, Change, RefundDecisionVerdict, News>({
    name: 'decide about a refund',
    load: (batch, items) => load(batch, rails, items),
    decide: (view, item, batch) => apply(view, item, decide(view, item), batch),
    write: (batch, changes) => write(batch, rails, changes),
  })
  return runnableNotifying(kind, (batch, { settlement }, news) => eventsOf(batch, settlement, news))
}

async function load(batch: Batch, rails: Rails, items: readonly RefundDecisionItem[]): Promise<View> {
  const { tx, at } = batch
  const ids = [...new Set(items.map(({ id }) => id))]
  // Locked before anything is read: a worker claims one for sending either before or after all of this.
  const sends = await lockSends(tx, ids)
  const refunds = await selectRefundsById(tx, ids)
  const byId = new Map(refunds.map((refund) => [refund.id, refund]))
  const ends = new Map(
    items.flatMap((item) => {
      const receipt = receiptOf(item, byId.get(item.id), at)
      return receipt === undefined ? [] : [[item, receipt] as const]
    }),
  )
  const decided = items.filter((item) => 'merchantId' in item)
  const keys = decided.flatMap(({ id, by }) => [by, ...requestersOf(byId.get(id))])
  const [settlement, rules, holders, queued, isUnknown, departed] = await Promise.all([
    loadView(batch, rails, [...ends.values()]),
    loadRules(
      tx,
      rails,
      refunds.flatMap((refund) => leavingOf(refund) ?? []),
      [...new Set(decided.map(({ merchantId }) => merchantId))],
    ),
    keys.length === 0 ? new Map() : selectHolders(tx, keys),
    loadQueued(batch, rails, refunds),
    isMoneyOutUnknown(tx),
    selectDeparted(tx, ids),
  ])
  applyChange(settlement.draft, { refunds }, at)
  return { settlement, rules, holders, sends, queued, ends, isMoneyOutUnknown: isUnknown, departed }
}

async function loadQueued(
  { tx }: Batch,
  rails: Rails,
  refunds: readonly Refund[],
): Promise<ReadonlySet<RefundId>> {
  const queued = new Set<RefundId>()
  for (const [method, group] of Map.groupBy(refunds, (refund) => refund.method)) {
    const mayStillPay = await rails.get(method)?.refunds?.mayStillPay?.(
      tx,
      group.map(({ id }) => id),
    )
    for (const id of mayStillPay ?? []) queued.add(id)
  }
  return queued
}

/** Empty: it is not known who requested it, so nobody of the merchant decides about it. */
function requestersOf(refund: Refund | undefined): readonly ApiKeyId[] {
  return refund?.requestedBy === undefined ? [] : [refund.requestedBy]
}

function decide(view: View, item: RefundDecisionItem): Decided {
  const refund = view.settlement.draft.refunds.get(item.id)
  const isOthers = 'merchantId' in item && refund?.merchantId !== item.merchantId
  if (refund === undefined || isOthers) return { verdict: { kind: 'not_found' } }
  switch (item.event) {
    case 'approved':
    case 'rejected':
      return decideApproval(view, item, refund)
    case 'ended':
      return decideEnd(view, item, refund)
    case 'sending':
      return decideSending(view, refund)
  }
}

function decideApproval(
  view: View,
  item: Extract<RefundDecisionItem, { readonly merchantId: MerchantId }>,
  refund: Refund,
): Decided {
  const { event, by, merchantId } = item
  const { decidedBy, status, approvalRequired, id } = refund
  const objection = objectionToKey(view.holders, { merchantId, requestedBy: requestersOf(refund) }, by)
  if (objection !== undefined) return { verdict: { kind: 'objected', objection } }
  if (!approvalRequired) {
    const isSo = decidedBy !== undefined && (status === 'FAILED') === (event === 'rejected')
    return { verdict: { kind: isSo ? 'already' : 'refused', refund } }
  }
  const audit: AuditEntry = {
    ...originOf(by, item.origin),
    action: event === 'approved' ? 'refund.approve' : 'refund.reject',
    subject: `refund:${id}`,
    merchantId,
    before: { status, approvalRequired },
    after: { status: event === 'approved' ? status : 'FAILED' },
  }
  if (event === 'rejected') {
    if (view.isMoneyOutUnknown) return { verdict: { kind: 'frozen' } }
    if (view.departed.has(id)) return { verdict: { kind: 'refused', refund } }
    return { as: 'ended', refund: { ...refund, decidedBy: by }, audit }
  }
  if (frozenBack(view.rules, merchantId, refund.method) !== undefined) return { verdict: { kind: 'frozen' } }
  const leaving = leavingOf(refund)
  const allowed = leaving && allowedOf(view.rules, leaving)
  if (allowed?.ok === false) return { verdict: refusalOf(allowed) }
  return { as: 'decided', refund: { ...refund, approvalRequired: false, decidedBy: by }, audit }
}

function decideEnd(
  view: View,
  item: Extract<RefundDecisionItem, { readonly event: 'ended' }>,
  refund: Refund,
): Decided {
  const { id, merchantId, status, approvalRequired } = refund
  if (status !== 'PENDING') return { verdict: { kind: 'refused', refund } }
  const isQueued = view.queued.has(id)
  const mayBeSent = (view.sends.get(id) ?? 0) > 0 || view.isMoneyOutUnknown || view.departed.has(id)
  if (isQueued || (mayBeSent && item.proof === undefined))
    return { verdict: { kind: 'may_be_sent', refund, isQueued } }
  const audit: AuditEntry = {
    ...(item.origin ?? { actor: { kind: 'OPERATOR', id: item.by } }),
    action: 'refund.end',
    subject: `refund:${id}`,
    merchantId,
    before: { status, approvalRequired, maybeSent: view.sends.get(id) ?? 0 },
    after: { status: 'FAILED', ...given({ proof: item.proof }) },
    reason: item.reason,
  }
  return { as: 'ended', refund, audit }
}

/** A refund that may be under way passes without a check of the limits: it is only looked up, and no new money leaves. */
function decideSending(view: View, refund: Refund): Decided {
  const { id, merchantId, status, approvalRequired, decidedBy } = refund
  if (status !== 'PENDING') return { verdict: { kind: 'refused', refund } }
  if (approvalRequired) return { verdict: { kind: 'waits', refund } }
  const leaving = leavingOf(refund)
  // `sends` includes the present claim.
  if (leaving === undefined || (view.sends.get(id) ?? 0) > 1) return { verdict: { kind: 'decided', refund } }
  const allowed = allowedOf(view.rules, leaving)
  if (allowed.ok && (!allowed.needsApproval || decidedBy !== undefined))
    return { verdict: { kind: 'decided', refund } }
  // It stays due, and is not sent: the sender asks for a freeze right before its call.
  if (!allowed.ok && allowed.reason === 'frozen') return { verdict: { kind: 'decided', refund } }
  const audit: AuditEntry = {
    actor: { kind: 'SYSTEM', id: 'refunds' },
    action: 'refund.hold',
    subject: `refund:${id}`,
    merchantId,
    before: { approvalRequired: false },
    after: { approvalRequired: true },
    reason: allowed.ok
      ? 'a second person has to approve the address or the amount'
      : allowed.reason === 'account'
        ? 'the account may pay out nothing now'
        : `limit: ${allowed.reason}`,
  }
  const { decidedBy: _earlier, ...rest } = refund
  return { as: 'waits', refund: { ...rest, approvalRequired: true }, audit }
}

/** Puts what was decided into the draft that the next decision reads. */
function apply(
  { settlement, ends }: View,
  item: RefundDecisionItem,
  decided: Decided,
  batch: Pick<Batch, 'books' | 'at'>,
): Ruling<Change, RefundDecisionVerdict, News> & { readonly passed?: PassedOn } {
  if ('verdict' in decided) return decided
  const { as, audit } = decided
  if (as !== 'ended') {
    const refund: Refund = { ...decided.refund, version: decided.refund.version + 1 }
    applyChange(settlement.draft, { refund }, batch.at)
    return { verdict: { kind: as, refund }, change: { audit, refund } }
  }
  // It failed, and is booked like a provider's refusal, with the decision as the evidence.
  applyChange(settlement.draft, { refund: decided.refund }, batch.at)
  const receipt = must(ends.get(item), 'a decision that ends a refund is recorded')
  const { change = {}, events = [], passed = [] } = settleReceipt(settlement, receipt, batch)
  const refund = must(change.refund, 'a refund that is PENDING can fail')
  const settled: Settled = { signal: undefined, changes: [change], units: settlement.units }
  return { verdict: { kind: 'decided', refund }, change: { audit, settled }, events, passed }
}

function receiptOf(item: RefundDecisionItem, refund: Refund | undefined, at: Date): Receipt | undefined {
  if ('merchantId' in item && item.merchantId !== refund?.merchantId) return undefined
  if (refund === undefined || (item.event !== 'ended' && item.event !== 'rejected')) return undefined
  const { id, attemptId, merchantId, paymentId, connection, method, amountMinor, currency } = refund
  const failure =
    item.event === 'ended'
      ? { code: 'ended_by_operator', message: item.reason }
      : { code: 'rejected', message: 'A second person has rejected it.' }
  return {
    method,
    attempt: { id: attemptId, merchantId, paymentId },
    connection,
    providerRef: `${item.event}/${id}`,
    outcome: 'refund_failed',
    occurrence: 1,
    refund: id,
    amount: { minor: amountMinor, currency: ledgerCurrency(currency, method) },
    happenedAt: at,
    // The bytes behind the transfers are the decision itself.
    evidence: Buffer.from(canonicalJson({ ...item, refund: id })),
    failure,
  }
}

async function write(batch: Batch, rails: Rails, changes: readonly Change[]): Promise<void> {
  const { tx } = batch
  const changed = changes.flatMap(({ refund }) => refund ?? [])
  const latest = [...new Map(changed.map((refund) => [refund.id, refund])).values()]
  const ready = latest.filter(({ approvalRequired }) => !approvalRequired)
  const settled = changes.flatMap((each) => each.settled ?? [])
  if (latest.length > 0) await writeRefunds(tx, latest)
  if (ready.length > 0) await insertDue(tx, ready)
  // After `insertDue`: a refund that was approved and ended in one batch must not stay due.
  if (settled.length > 0) await writeSettled(batch, rails, settled)
  await writeAudit(
    tx,
    changes.map(({ audit }) => audit),
  )
}
