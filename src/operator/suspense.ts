// Decisions about money in suspense: it is credited to a merchant, or it went back. Above a limit one person requests it and another one
// approves; nobody approves their own.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { AuditEntry } from '#/people/audit-entry.ts'
import type { Rails } from '#/rails/rail.ts'
import { selectUnmatchedById } from '#/settlement/queries.ts'
import { resolveKind, type ResolveVerdict } from '#/settlement/resolve.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { requireOwnKeys, type Operator, type OwnKeys } from './deps.ts'
import { selectConnectionOwner } from './interest-queries.ts'
import { mayActAlone } from './interest.ts'
import type { Proposal } from './proposal-queries.ts'
import { propose } from './proposals.ts'

export type SuspenseDeps = OwnKeys & {
  readonly sql: Sql
  readonly lane: LedgerLane<EventDraft>
  readonly rails: Rails
  /** Above this many minor units two people decide. */
  readonly aloneMax: bigint
}

export type SuspenseDecision = {
  readonly id: Id<'unmatched'>
  /** Absent: the money went back. */
  readonly merchantId?: MerchantId
  readonly note?: string
}

export type SuspenseVerdict = ResolveVerdict | { readonly kind: 'proposed'; readonly proposal: Proposal }

/** Decides about money in suspense, or requests it where another person has to approve. */
export async function decideSuspense(
  deps: SuspenseDeps,
  operator: Operator,
  decision: SuspenseDecision,
): Promise<SuspenseVerdict> {
  const [found] = await selectUnmatchedById(deps.sql, [decision.id])
  if (found === undefined) return { kind: 'not_found' }
  requireOwnKeys(deps, found.mode)
  const isOpen = found.resolution === null && found.outcome === 'paid'
  const owner = await selectConnectionOwner(deps.sql, found.connection)
  const concerned = [decision.merchantId, found.lostMerchantId, owner]
  if (isOpen && (found.amountMinor > deps.aloneMax || !(await mayActAlone(deps.sql, operator, concerned)))) {
    const proposal = await propose(deps.sql, operator, { ...proposalOf(decision), concerned })
    return { kind: 'proposed', proposal }
  }
  return submitSuspense(deps, operator, decision)
}

function proposalOf({ id, merchantId, note }: SuspenseDecision) {
  const merchant = merchantId === undefined ? {} : { merchantId }
  return {
    kind: kindOf({ merchantId }),
    subject: subjectOf(id),
    arguments: { id, ...merchant },
    reason: note,
    ...merchant,
  }
}

/** Carries a decision out. `beside`: what is written in the same transaction, such as who approved it. */
export function submitSuspense(
  { lane, rails }: SuspenseDeps,
  { by }: Operator,
  { id, merchantId, note }: SuspenseDecision,
  beside?: (tx: Tx) => Promise<void>,
): Promise<ResolveVerdict> {
  const reason = note ?? by.reason
  const audit: AuditEntry = {
    ...by,
    action: kindOf({ merchantId }),
    subject: subjectOf(id),
    ...given({ merchantId, reason }),
  }
  const item = {
    id,
    audit,
    ...given({ merchantId, note }),
  }
  return lane.submit(resolveKind(rails), item, beside === undefined ? {} : { beside })
}

function kindOf({ merchantId }: { readonly merchantId?: MerchantId | undefined }) {
  return merchantId === undefined ? ('suspense.return' as const) : ('suspense.credit' as const)
}

function subjectOf(id: Id<'unmatched'>): string {
  return `unmatched:${id}`
}

/** Why nothing was decided, for people. */
export function refusalOfSuspense(verdict: Exclude<ResolveVerdict, { kind: 'resolved' }>): AppError {
  switch (verdict.kind) {
    case 'not_found':
      return new AppError('not_found', 'No money in suspense is of this id.')
    case 'unknown_merchant':
      return new AppError('invalid_request', 'There is no merchant of this id.')
    case 'already': {
      const { resolution, resolvedAt } = verdict.unmatched
      return new AppError('invalid_state', `It was ${resolution} at ${resolvedAt?.toISOString() ?? '-'}.`)
    }
    case 'no_money':
      return new AppError(
        'invalid_state',
        `It reports "${verdict.unmatched.outcome}": no money came with it.`,
      )
    case 'went_back':
      return new AppError(
        'invalid_state',
        `The provider reports about it: ${verdict.unmatched.reportedSince.join(', ')}. It went back or is about to: record that it did (./vintem suspense return).`,
      )
    case 'other_mode':
      return new AppError(
        'invalid_state',
        `The money is ${verdict.unmatched.mode}, the merchant ${verdict.mode}.`,
      )
    case 'no_wallet':
      return new AppError(
        'invalid_state',
        `The merchant has no default wallet in ${verdict.unmatched.currency}.`,
      )
    case 'unbookable':
      return new AppError(
        'invalid_state',
        'An account that it would move is in another currency, or its method is not set up here. A run of verify says which account.',
      )
  }
}
