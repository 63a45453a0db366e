// Receipts that fit no attempt of ours. Their money waits in suspense until a person decides whose it is (resolve.ts), or its
// provider takes it back.
// Inspected by audit/settlement/suspense.ts.
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { suspended, suspenseReturned } from '#/ledger/recipes.ts'
import { debitAccounts, suspenseOf } from './accounts.ts'
import type { Case, Decision } from './decision.ts'
import { bookCreditedDispute } from './dispute.ts'
import type { CreditedMoney } from './placement.ts'
import type { Resolved } from './queries.ts'
import { refKey } from './related.ts'

/**
 * A receipt that matches none of our attempts, or contradicts the attempt that it names. Final money goes to suspense. It
 * leaves suspense when its provider reports that all of it was lost in a dispute. Other receipts are only recorded.
 */
export function suspend(input: Case): Decision {
  const { facts, receipt, minor, at: recordedAt } = input
  const { mode, ...accounts } = must(
    suspenseOf(facts, receipt),
    'a receipt without a payment has a connection',
  )
  const id = newId<'unmatched'>()
  const isMoney = receipt.outcome === 'paid' && minor > 0n
  const reason = facts.placement.misfits.get(receipt) ?? 'unknown_attempt'
  const booked = { ...receipt, amount: { ...receipt.amount, minor } }
  const unmatched = { id, mode, reason, receipt: booked, recordedAt }
  if (isMoney) {
    const occasion = { subject: id, ordinal: 1, cause: sha256(receipt.evidence) }
    const postings = suspended(occasion, accounts, minor)
    return { verdict: 'suspended', postings, change: { unmatched } }
  }
  const resolved = takenBack(input)
  if (resolved === undefined) return { verdict: 'noted', postings: [], change: { unmatched } }
  // As a person's decision: the bytes behind the transfer are the decision as its row keeps it.
  const occasion = { subject: resolved.id, ordinal: 2, cause: sha256(canonicalJson(resolved)) }
  const postings = suspenseReturned(occasion, accounts, minor)
  return { verdict: 'booked', postings, change: { unmatched, resolved } }
}

/**
 * The provider has taken back for good money that is in suspense, so it belongs to nobody any more. If the amount is another
 * one, or a person has decided about the money, the report waits for a person.
 */
function takenBack({ draft, receipt }: Case): Resolved | undefined {
  const { connection, outcome, dispute, amount } = receipt
  if (dispute === undefined || outcome !== 'dispute_lost') return undefined
  const money = draft.undecided.get(refKey({ connection, providerRef: dispute.paidRef }))
  if (money === undefined || money.minor !== amount.minor) return undefined
  const note = `The provider took it back: ${receipt.providerRef}`
  return { id: money.unmatchedId, resolution: 'RETURNED', note }
}

/** A dispute over money that was credited to a merchant out of suspense: that merchant is debited. */
export function followCredit(input: Case, credited: CreditedMoney): Decision {
  const { facts, receipt, at: recordedAt } = input
  const { verdict, moved } = bookCreditedDispute(input, credited, debitAccounts(facts, receipt, credited))
  const id = newId<'unmatched'>()
  const unmatched = { id, mode: credited.mode, reason: 'suspended_money' as const, receipt, recordedAt }
  if (moved === undefined) return { verdict, postings: [], change: { unmatched } }
  const { dispute, events, postings } = moved
  return {
    verdict,
    postings,
    change: { unmatched: { ...unmatched, disputeId: dispute.id }, dispute },
    events,
  }
}
