// A card's holder demands the money back, through the bank. A dispute withdraws the money at once; an inquiry withdraws nothing.
import { seconds } from '../kit/clock.ts'
import { present } from '../kit/event-store.ts'
import { newId, type Acquirer, type Kept, type KeptCharge } from './acquirer.ts'
import { badState } from './api-error.ts'
import { disputeFee, move } from './balance.ts'
import { change, emit } from './events.ts'
import { evidenceAfter, hasEvidence, noEvidence } from './evidence.ts'
import { choiceOf, flagOf, mergedMetadata, only, type Params } from './params.ts'
import type { Dispute, DisputeStatus } from './wire.ts'

const dueSeconds = 9 * 86_400

export const disputeReasons = [
  'bank_cannot_process',
  'credit_not_processed',
  'customer_initiated',
  'debit_not_authorized',
  'duplicate',
  'fraudulent',
  'general',
  'incorrect_account_details',
  'insufficient_funds',
  'product_not_received',
  'product_unacceptable',
  'subscription_canceled',
  'unrecognized',
] as const

export type DisputeRequest = {
  readonly reason: string
  readonly amount?: number
  readonly isInquiry: boolean
}

export function openDispute(acquirer: Acquirer, charge: KeptCharge, terms: DisputeRequest): Dispute {
  const { account, wire: charged } = charge
  const at = seconds()
  const made: Dispute = {
    ...nothing,
    id: newId(acquirer, 'dp'),
    object: 'dispute',
    amount: terms.amount ?? charged.amount - charged.amount_refunded,
    balance_transactions: [],
    charge: charged.id,
    created: at,
    currency: charged.currency,
    evidence: noEvidence,
    evidence_details: {
      due_by: at + dueSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: terms.isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charged.payment_intent,
    reason: terms.reason,
    status: terms.isInquiry ? 'warning_needs_response' : 'needs_response',
  }
  acquirer.charges.put(charged.id, { ...charge, wire: { ...charged, disputed: true } })
  const wire = terms.isInquiry ? made : withdraw(acquirer, account, made)
  const kept = acquirer.disputes.put(wire.id, { account, wire })
  emit(acquirer, account, 'charge.dispute.created', wire)
  if (!terms.isInquiry) emit(acquirer, account, 'charge.dispute.funds_withdrawn', wire)
  return kept.wire
}

/** The fields that are always the same or empty in this acquirer's disputes. */
const nothing = {
  enhanced_eligibility_types: [],
  intended_submission_method: null,
  network_reason_code: '10.4',
} as const

function withdraw(acquirer: Acquirer, account: string, dispute: Dispute): Dispute {
  const withdrawn = move(acquirer, account, {
    amount: -dispute.amount,
    currency: dispute.currency,
    fee: disputeFee,
    feeWords: 'Dispute fee',
    reporting_category: 'dispute',
    source: dispute.id,
    type: 'adjustment',
  })
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, withdrawn] }
}

/** POST /v1/disputes/{id}: evidence, and whether it goes to the bank now. */
export function submitEvidence(acquirer: Acquirer, dispute: Kept<Dispute>, params: Params): Dispute {
  only(params, ['evidence', 'expand', 'intended_submission_method', 'metadata', 'submit'])
  const { wire } = dispute
  const isInquiry = wire.status === 'warning_needs_response'
  if (!isInquiry && wire.status !== 'needs_response')
    throw badState(undefined, `This dispute is ${wire.status}; evidence can no longer be updated.`)
  // Only manual submission exists here.
  choiceOf(params, 'intended_submission_method', ['manual', 'prefer_manual'])
  const evidence = evidenceAfter(params, { ...noEvidence, ...wire.evidence }, (id) => {
    const file = acquirer.files.get(id)
    return file?.account === dispute.account ? file.wire : undefined
  })
  const isSent = flagOf(params, 'submit') ?? true
  const details = wire.evidence_details
  const next = changed(acquirer, dispute, 'charge.dispute.updated', {
    evidence,
    metadata: mergedMetadata(params, wire.metadata),
    evidence_details: {
      ...details,
      has_evidence: hasEvidence(evidence),
      past_due: isSent ? seconds() > details.due_by : details.past_due,
      submission_count: details.submission_count + (isSent ? 1 : 0),
      submission_method: isSent ? 'manual' : details.submission_method,
    },
    ...(isSent ? { status: isInquiry ? 'warning_under_review' : 'under_review' } : {}),
  })
  // The bank's decision follows from these two texts, as in the real test mode.
  const text = evidence.uncategorized_text
  const kept = { ...dispute, wire: next }
  if (isSent && text === 'winning_evidence') return endDispute(acquirer, kept, isInquiry ? 'warning' : 'won')
  if (isSent && text === 'losing_evidence' && !isInquiry) return endDispute(acquirer, kept, 'lost')
  return next
}

/** POST /v1/disputes/{id}/close: the account accepts the dispute. */
export function closeDispute(acquirer: Acquirer, dispute: Kept<Dispute>): Dispute {
  if (!isOpen(dispute.wire.status))
    throw badState(undefined, `This dispute is already closed: its status is ${dispute.wire.status}.`)
  return endDispute(acquirer, dispute, isInquiry(dispute.wire.status) ? 'warning' : 'lost')
}

export type DisputeOutcome = 'won' | 'lost' | 'warning'

/** The bank's decision. `warning`: an inquiry that came to nothing. An inquiry that is lost first withdraws the money. */
export function endDispute(acquirer: Acquirer, dispute: Kept<Dispute>, outcome: DisputeOutcome): Dispute {
  const { account, wire } = dispute
  // The bank may change its mind: what was lost is reinstated, and what was won is withdrawn once more.
  if (wire.status === 'won' && outcome === 'lost') {
    const withdrawn = withdraw(acquirer, account, wire)
    const lost = changed(acquirer, { account, wire: withdrawn }, 'charge.dispute.updated', { status: 'lost' })
    emit(acquirer, account, 'charge.dispute.funds_withdrawn', lost)
    return lost
  }
  if (outcome === 'warning' || (outcome === 'won' && isInquiry(wire.status)))
    return changed(acquirer, dispute, 'charge.dispute.closed', { status: 'warning_closed' })
  if (outcome === 'lost') {
    const withdrawn = isInquiry(wire.status) ? escalate(acquirer, dispute) : wire
    return changed(acquirer, { account, wire: withdrawn }, 'charge.dispute.closed', { status: 'lost' })
  }
  const back = move(acquirer, account, {
    amount: wire.amount,
    currency: wire.currency,
    reporting_category: 'dispute_reversal',
    source: wire.id,
    type: 'adjustment',
  })
  const happened = wire.status === 'lost' ? 'charge.dispute.updated' : 'charge.dispute.closed'
  const won = changed(acquirer, dispute, happened, {
    balance_transactions: [...wire.balance_transactions, back],
    status: 'won',
  })
  emit(acquirer, account, 'charge.dispute.funds_reinstated', won)
  return won
}

/** An inquiry becomes a dispute. */
export function escalate(acquirer: Acquirer, dispute: Kept<Dispute>): Dispute {
  const { account } = dispute
  const withdrawn = withdraw(acquirer, account, dispute.wire)
  const wire = changed(acquirer, { account, wire: withdrawn }, 'charge.dispute.updated', {
    is_charge_refundable: false,
    status: 'needs_response',
  })
  emit(acquirer, account, 'charge.dispute.funds_withdrawn', wire)
  return wire
}

/** Closes a charge's open inquiries, once it is fully refunded. */
export function closeInquiries(acquirer: Acquirer, charge: string): void {
  for (const dispute of acquirer.disputes.all())
    if (dispute.wire.charge === charge && isOpen(dispute.wire.status) && isInquiry(dispute.wire.status))
      endDispute(acquirer, dispute, 'warning')
}

export function isOpen(status: DisputeStatus): boolean {
  return !['won', 'lost', 'warning_closed'].includes(status)
}

/** Whether the bank can still decide this about a dispute that has ended. */
export function canChange(status: DisputeStatus, outcome: unknown): boolean {
  return (status === 'lost' && outcome === 'won') || (status === 'won' && outcome === 'lost')
}

export function isInquiry(status: DisputeStatus): boolean {
  return status.startsWith('warning_')
}

function changed(
  acquirer: Acquirer,
  dispute: Kept<Dispute>,
  happened: string,
  to: Partial<Dispute>,
): Dispute {
  const { status } = dispute.wire
  const previous = (to.status ?? status) === status ? {} : { status }
  return change(acquirer, acquirer.disputes, dispute, to, happened, previous)
}

/** The charge of a PaymentIntent that can be disputed; undefined when no money was collected. */
export function disputable(acquirer: Acquirer, intentId: string): KeptCharge | undefined {
  const intent = acquirer.intents.get(intentId)
  if (intent?.wire.status !== 'succeeded') return undefined
  return present(acquirer.charges.get(intent.wire.latest_charge ?? ''))
}
