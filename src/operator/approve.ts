// Carries out a request of one person of the operator that another person approves, whatever it is about.
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import type { ImportDeps } from '#/rails/sepa/import.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { ResolveVerdict } from '#/settlement/resolve.ts'
import type { Unrecorded } from '#/settlement/unrecorded-queries.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import { approveCorrection } from './corrections.ts'
import type { Operator } from './deps.ts'
import {
  endRefund,
  refusalOfEnd,
  resolveWithdrawal,
  type EndDeps,
  type PayoutDeps,
  type RefundDecision,
} from './payouts.ts'
import type { Proposal, ProposalId } from './proposal-queries.ts'
import { recordApproval, requireOthers } from './proposals.ts'
import { submitSuspense, type SuspenseDecision, type SuspenseDeps } from './suspense.ts'
import { approveTerms } from './terms.ts'
import { submitUnrecorded, type UnrecordedRequest } from './unrecorded.ts'

export type ApproveDeps = SuspenseDeps &
  PayoutDeps &
  EndDeps &
  Pick<ImportDeps, 'connections' | 'keep'> & { readonly cell: string }

export type Approved = { readonly proposal: Proposal } & (
  | { readonly about: 'suspense'; readonly verdict: ResolveVerdict }
  | { readonly about: 'withdrawal'; readonly withdrawal: Withdrawal; readonly isLater: boolean }
  | { readonly about: 'refund'; readonly refund: Refund }
  | { readonly about: 'unrecorded'; readonly unrecorded: Unrecorded }
  | { readonly about: 'terms' }
  | { readonly about: 'statement' }
)

/** Approves what another person has requested, and carries it out in the same transaction. */
export async function approveProposal(
  deps: ApproveDeps,
  operator: Operator,
  id: ProposalId,
): Promise<Approved> {
  const proposal = await requireOthers(deps.sql, operator, id)
  const { kind, reason } = proposal
  const beside = recordApproval(id, operator)
  switch (kind) {
    case 'suspense.credit':
    case 'suspense.return': {
      const decision = {
        ...(proposal.arguments as Pick<SuspenseDecision, 'id' | 'merchantId'>),
        note: reason,
      }
      const verdict = await submitSuspense(deps, operator, decision, beside)
      return { about: 'suspense', proposal, verdict }
    }
    case 'end.withdrawal': {
      const order = proposal.arguments as { readonly id: WithdrawalId; readonly end: 'sent' | 'refused' }
      const decision = { end: order.end, reason }
      const resolved = await resolveWithdrawal(deps, operator, order.id, decision, beside)
      return { about: 'withdrawal', proposal, ...resolved }
    }
    case 'end.refund': {
      const { id: refundId, ...decision } = proposal.arguments as { readonly id: RefundId } & Omit<
        RefundDecision,
        'reason'
      >
      const verdict = await endRefund(deps, operator, refundId, { ...decision, reason }, beside)
      if (verdict.kind !== 'decided' && verdict.kind !== 'later') throw refusalOfEnd(verdict)
      return { about: 'refund', proposal, refund: verdict.refund }
    }
    case 'unrecorded.charge':
    case 'unrecorded.write-off':
    case 'unrecorded.return': {
      const decision = { request: proposal.arguments as UnrecordedRequest, note: reason }
      const unrecorded = await submitUnrecorded(deps, operator, decision, beside)
      return { about: 'unrecorded', proposal, unrecorded }
    }
    case 'statement.correct':
      await approveCorrection(deps, operator, proposal, beside)
      return { about: 'statement', proposal }
    case 'terms.limit':
    case 'terms.destination-add':
    case 'terms.destination-remove':
    case 'terms.fee':
    case 'freeze.end':
      await approveTerms(deps, operator, { ...proposal, kind }, beside)
      return { about: 'terms', proposal }
  }
}
