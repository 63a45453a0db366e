// What the operator ends by hand: a withdrawal whose provider reports no end, a payout on a chain, a refund that cannot be sent.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import type { Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import { isMoneyOutUnknown } from '#/merchants/queries.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import { stopWaiting } from '#/rails/sepa/payout.ts'
import { hastenDue } from '#/refunds/due-queries.ts'
import { selectRefundsById } from '#/refunds/queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import { payoutKind } from '#/settlement/payout.ts'
import type { RefundDecisionKind, RefundDecisionVerdict } from '#/settlement/refund-decide.ts'
import { endPayoutByHand, stopPayout } from '#/treasury/payout.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { retryNow } from '#/withdrawals/due-queries.ts'
import { selectWithdrawalsById } from '#/withdrawals/queries.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { requireOwnKeys, type Operator, type OwnKeys } from './deps.ts'
import { mayActAlone } from './interest.ts'
import type { Proposal } from './proposal-queries.ts'
import { propose } from './proposals.ts'

export type PayoutDeps = OwnKeys & {
  readonly sql: Sql
  readonly clock: Clock
  readonly lane: LedgerLane<EventDraft>
  readonly payoutRails: PayoutRails
}

export type EndDeps = Pick<PayoutDeps, 'sql' | 'clock' | 'lane' | 'hasOwnKeys'> & {
  readonly refundDecisionKind: RefundDecisionKind
}

/** Above this many minor units two people decide. */
type Alone = { readonly aloneMax: bigint }

/** `sent`: the recipient has it; `refused`: it was not paid. */
export type WithdrawalDecision = { readonly end: 'sent' | 'refused'; readonly reason: string }

/** What is written in the transaction that carries a decision out, such as who approved it. */
type Beside = (tx: Tx) => Promise<void>

/** `isLater`: a worker settles it in a moment, as for those on a chain. */
type Resolved = { readonly withdrawal: Withdrawal; readonly isLater: boolean }

type Proposed = { readonly kind: 'proposed'; readonly proposal: Proposal }

/** Records how a withdrawal ended; above the limit it is requested, and another person approves it. */
export async function decideWithdrawal(
  deps: PayoutDeps & Alone,
  operator: Operator,
  id: WithdrawalId,
  decision: WithdrawalDecision,
): Promise<Proposed | (Resolved & { readonly kind: 'ended' })> {
  const before = await requireWithdrawal(deps.sql, id)
  const { amountMinor, merchantId } = before
  if (amountMinor <= deps.aloneMax && (await mayActAlone(deps.sql, operator, [merchantId])))
    return { kind: 'ended', ...(await resolveWithdrawal(deps, operator, id, decision)) }
  requireOwnKeys(deps, before.mode)
  if (!isOnChain(deps, before)) requireUnknownEnd(before, decision)
  const { end, reason } = decision
  const subject = `withdrawal:${id}`
  const request = { kind: 'end.withdrawal', subject, arguments: { id, end }, reason, merchantId } as const
  const concerned = [merchantId]
  return { kind: 'proposed', proposal: await propose(deps.sql, operator, { ...request, concerned }) }
}

function isOnChain({ payoutRails }: Pick<PayoutDeps, 'payoutRails'>, { type }: Withdrawal): boolean {
  return payoutRails.get(type)?.units !== undefined
}

function requireUnknownEnd({ status }: Withdrawal, { end }: WithdrawalDecision): void {
  const isAfterAll = end === 'sent' && status === 'FAILED'
  if (status === 'PROCESSING' || isAfterAll) return
  throw new AppError(
    'invalid_state',
    `The withdrawal is ${status}. One that is PROCESSING has an unknown end, and one that FAILED may have been sent after all.`,
  )
}

/** Records how a withdrawal ended, whatever its amount: one person may decide it, or another has approved it. */
export async function resolveWithdrawal(
  deps: PayoutDeps,
  operator: Operator,
  id: WithdrawalId,
  decision: WithdrawalDecision,
  beside?: Beside,
): Promise<Resolved> {
  const { sql, lane, payoutRails } = deps
  const { by, name } = operator
  const { end, reason } = decision
  const before = await requireWithdrawal(sql, id)
  requireOwnKeys(deps, before.mode)
  if (isOnChain(deps, before)) {
    await resolveOnChain(deps, operator, before, decision, beside)
    return { withdrawal: before, isLater: true }
  }
  requireUnknownEnd(before, decision)
  // The evidence of the transfers is the decision itself.
  const evidence = Buffer.from(canonicalJson({ withdrawal: id, end, reason, by: name }))
  const news =
    end === 'sent'
      ? ({ state: 'done', evidence } as const)
      : ({ state: 'refused', code: 'resolved_by_operator', message: reason, evidence } as const)
  const item = {
    id,
    news,
    note: `${reason} (${name})`,
    audit: {
      ...by,
      action: 'withdrawal.resolve',
      subject: `withdrawal:${id}`,
      merchantId: before.merchantId,
      before: { status: before.status },
      after: { end },
      reason,
    },
  }
  const verdict = await lane.submit(payoutKind(payoutRails), item, beside === undefined ? {} : { beside })
  const withdrawal = await requireWithdrawal(sql, id)
  if (verdict !== 'settled' && verdict !== 'reversed')
    throw new AppError(
      'invalid_state',
      `The withdrawal has just become ${withdrawal.status}. Nothing was changed.`,
    )
  return { withdrawal, isLater: false }
}

/** On a chain a person can record the end only if a foreign transaction used the nonce: else what was signed may still be mined. */
async function resolveOnChain(
  { sql, clock }: PayoutDeps,
  { by }: Operator,
  { id, merchantId }: Withdrawal,
  { end, reason }: WithdrawalDecision,
  beside: Beside = () => Promise.resolve(),
): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await endPayoutByHand(tx, id, end, clock.now())))
      throw new AppError(
        'invalid_state',
        'How this withdrawal ended is recorded on its chain. docs/withdrawals.md says what to check.',
      )
    const subject = `withdrawal:${id}`
    await writeAudit(tx, [
      { ...by, action: 'withdrawal.resolve', subject, merchantId, after: { end }, reason },
    ])
    await beside(tx)
  })
}

/**
 * Requests that the payout of a withdrawal or refund, on a chain or by a file, is not made while that is possible. False when it is not.
 */
export function stopPayoutAs(
  { sql, clock }: Pick<PayoutDeps, 'sql' | 'clock'>,
  { by }: Operator,
  id: string,
  reason: string,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const isInFiles = await stopWaiting(tx, id)
    // Of files, the operator has the statements and copies. Of a chain, only the journal says what left.
    if (!isInFiles && (await isMoneyOutUnknown(tx)))
      throw new AppError(
        'frozen',
        'A restore is being repaired, and it may have left: ./vintem restored show.',
      )
    if (!isInFiles && !(await stopPayout(tx, id, clock.now()))) return false
    // A payout by a file has no event that wakes the worker which books its end, so the worker is woken here.
    if (isInFiles) await Promise.all([hastenDue(tx, [id]), retryNow(tx, id as WithdrawalId)])
    await writeAudit(tx, [{ ...by, action: 'withdrawal.stop', subject: `payout:${id}`, reason }])
    return true
  }) as Promise<boolean>
}

/** The withdrawal. 404 when there is none. */
export async function requireWithdrawal(sql: Sql, id: WithdrawalId): Promise<Withdrawal> {
  const [found] = await selectWithdrawalsById(sql, [id])
  return existing(found, 'withdrawal')
}

/** The refund. 404 when there is none. */
export async function requireRefund(sql: Sql, id: RefundId): Promise<Refund> {
  const [found] = await selectRefundsById(sql, [id])
  return existing(found, 'refund')
}

/** `proof`: the provider's statement that nothing was sent. */
export type RefundDecision = {
  readonly reason: string
  readonly proof?: string
  /** Only for one on a chain whose nonce a foreign transaction used: whether the recipient has the money. */
  readonly found?: 'sent' | 'refused'
}

/** A worker books it in a moment. */
type Later = { readonly kind: 'later'; readonly refund: Refund }

/** Ends a refund that cannot be sent; above the limit it is requested, and another person approves it. */
export async function decideRefund(
  deps: EndDeps & Alone,
  operator: Operator,
  id: RefundId,
  decision: RefundDecision,
): Promise<Proposed | Later | RefundDecisionVerdict> {
  const before = await requireRefund(deps.sql, id)
  const { amountMinor, merchantId } = before
  const isSmall = amountMinor <= deps.aloneMax
  if (before.status !== 'PENDING' || (isSmall && (await mayActAlone(deps.sql, operator, [merchantId]))))
    return endRefund(deps, operator, id, decision)
  requireOwnKeys(deps, before.mode)
  const { reason, proof, found } = decision
  const order = {
    id,
    ...given({ proof, found }),
  }
  const subject = `refund:${id}`
  const request = { kind: 'end.refund', subject, arguments: order, reason, merchantId } as const
  const concerned = [merchantId]
  return { kind: 'proposed', proposal: await propose(deps.sql, operator, { ...request, concerned }) }
}

/** Ends a refund, whatever its amount: it FAILED, and its money is in the wallet again; or, on a chain, as a person found. */
export async function endRefund(
  deps: EndDeps,
  operator: Operator,
  id: RefundId,
  { reason, proof, found }: RefundDecision,
  beside?: Beside,
): Promise<Later | RefundDecisionVerdict> {
  const { by, name } = operator
  const refund = await requireRefund(deps.sql, id)
  requireOwnKeys(deps, refund.mode)
  if (found !== undefined) {
    await endRefundOnChain(deps, operator, refund, { reason, found }, beside)
    return { kind: 'later', refund }
  }
  const item = {
    id,
    event: 'ended',
    by: name,
    reason,
    ...given({ proof }),
    ...(by.actor.kind === 'OPERATOR' ? {} : { origin: by }),
  } as const
  return deps.lane.submit(deps.refundDecisionKind, item, beside === undefined ? {} : { beside })
}

/** As for a withdrawal: only where a foreign transaction used the nonce; a worker then books what the payout says. */
async function endRefundOnChain(
  { sql, clock }: EndDeps,
  { by }: Operator,
  { id, merchantId }: Refund,
  { reason, found }: { readonly reason: string; readonly found: 'sent' | 'refused' },
  beside: Beside = () => Promise.resolve(),
): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await endPayoutByHand(tx, id, found, clock.now())))
      throw new AppError(
        'invalid_state',
        'No foreign transaction used the nonce of this refund: how it ends is recorded elsewhere.',
      )
    await hastenDue(tx, [id])
    const subject = `refund:${id}`
    await writeAudit(tx, [{ ...by, action: 'refund.end', subject, merchantId, after: { found }, reason }])
    await beside(tx)
  })
}

/** Has a worker send a withdrawal, or ask about it, now. False when one has it in hand at this moment, or nothing is due about it. */
export function retryWithdrawal(
  sql: Sql,
  { by }: Operator,
  { id, merchantId }: Pick<Withdrawal, 'id' | 'merchantId'>,
  reason?: string,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    if (!(await retryNow(tx, id))) return false
    const entry = { ...by, action: 'payout.retry', subject: `withdrawal:${id}`, merchantId }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
    return true
  }) as Promise<boolean>
}

/** Has a worker send a refund, or ask about it, now. False when it is due already, or nothing is due about it. */
export function retryRefund(
  sql: Sql,
  { by }: Operator,
  { id, merchantId }: Pick<Refund, 'id' | 'merchantId'>,
  reason?: string,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    if ((await hastenDue(tx, [id])) === 0) return false
    const entry = { ...by, action: 'payout.retry', subject: `refund:${id}`, merchantId }
    await writeAudit(tx, [{ ...entry, ...given({ reason }) }])
    return true
  }) as Promise<boolean>
}

/** Why a payout of ours keeps a refund from being ended by hand. */
function whyQueued({ payoutType }: Pick<Refund, 'payoutType'>): string {
  return payoutType === 'SEPA'
    ? 'It waits for a file of payments, or the bank has just said that it was paid: have the payout stopped.'
    : 'A transaction of ours pays it, and the chain says how it ends: have the payout stopped.'
}

/** Why a refund was not ended, for people. */
export function refusalOfEnd(
  verdict: Exclude<RefundDecisionVerdict, { readonly kind: 'decided' }>,
): AppError {
  if (verdict.kind === 'may_be_sent')
    return new AppError(
      'invalid_state',
      verdict.isQueued
        ? whyQueued(verdict.refund)
        : 'It may have been sent: a call to the provider has no known answer. Ask the provider; if it gave nothing back, repeat its statement as proof.',
    )
  if (verdict.kind === 'refused')
    return new AppError(
      'invalid_state',
      `The refund is ${verdict.refund.status}: only one that is PENDING can be ended.`,
    )
  must(verdict.kind === 'not_found' || undefined, `ending a refund gives no ${verdict.kind}`)
  return noSuch('refund')
}
