// Receipts that fit no attempt of ours. Their money waits in suspense until a person decides whose it is (resolve.ts), or its
// provider takes it back.
// Inspected by audit/settlement/suspense.ts.
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Batch } from '#/ledger/kind.ts'
import { suspended, suspenseReturned } from '#/ledger/recipes.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { debitAccounts, suspenseOf } from './accounts.ts'
import { bookCreditedDispute } from './dispute.ts'
import { railOf, type CreditedMoney } from './placement.ts'
import { postAll } from './posting.ts'
import type { Resolved } from './queries.ts'
import type { ReceiptRuling } from './recorded.ts'
import { disputeKey, receiptKey } from './related.ts'
import type { View } from './view.ts'

/**
 * A receipt that matches none of our attempts, or contradicts the attempt that it names. Final money goes to suspense. It
 * leaves suspense when its provider reports that all of it was lost in a dispute. Other receipts are only recorded.
 */
export function suspend(view: View, receipt: Receipt, batch: Pick<Batch, 'books' | 'at'>): ReceiptRuling {
  const { mode, ...accounts } = must(
    suspenseOf(view, receipt),
    'a receipt without a payment has a connection',
  )
  const id = newId<'unmatched'>()
  const minor = arrivedMinor(view, receipt)
  const isMoney = receipt.outcome === 'paid' && minor > 0n
  const reason = view.placement.misfits.get(receipt) ?? 'unknown_attempt'
  if (isMoney) {
    const occasion = { subject: id, ordinal: 1, cause: sha256(receipt.evidence) }
    postAll(batch, suspended(occasion, accounts, minor))
    view.placement.undecided.set(disputeKey(receipt), { unmatchedId: id, minor })
  }
  const booked = { ...receipt, amount: { ...receipt.amount, minor } }
  view.related.recorded.add(receiptKey(receipt))
  const unmatched = { id, mode, reason, receipt: booked, recordedAt: batch.at }
  const resolved = takenBack(view, receipt, accounts, batch)
  return {
    verdict: isMoney ? 'suspended' : resolved === undefined ? 'noted' : 'booked',
    change: { unmatched, ...given({ resolved }) },
  }
}

/** What came, in the ledger's units: fractions of them at one address add up exactly. */
function arrivedMinor(view: View, receipt: Receipt): bigint {
  const units = receipt.outcome === 'paid' ? view.units.get(railOf(view, receipt)) : undefined
  return units?.credit(receipt) ?? receipt.amount.minor
}

/**
 * The provider has taken back for good money that is in suspense, so it belongs to nobody any more. If the amount is another
 * one, or a person has decided about the money, the report waits for a person.
 */
function takenBack(
  view: View,
  receipt: Receipt,
  accounts: Parameters<typeof suspenseReturned>[1],
  batch: Pick<Batch, 'books'>,
): Resolved | undefined {
  const { connection, outcome, dispute, amount } = receipt
  if (dispute === undefined || outcome !== 'dispute_lost') return undefined
  const key = disputeKey({ connection, providerRef: dispute.paidRef })
  const money = view.placement.undecided.get(key)
  if (money === undefined || money.minor !== amount.minor) return undefined
  view.placement.undecided.delete(key)
  const note = `The provider took it back: ${receipt.providerRef}`
  const resolved = { id: money.unmatchedId, resolution: 'RETURNED' as const, note }
  // As a person's decision: the bytes behind the transfer are the decision as its row keeps it.
  const occasion = { subject: resolved.id, ordinal: 2, cause: sha256(canonicalJson(resolved)) }
  postAll(batch, suspenseReturned(occasion, accounts, money.minor))
  return resolved
}

/** A dispute over money that was credited to a merchant out of suspense: that merchant is debited. */
export function followCredit(
  view: View,
  receipt: Receipt,
  credited: CreditedMoney,
  batch: Pick<Batch, 'books' | 'at'>,
): ReceiptRuling {
  const { verdict, moved } = bookCreditedDispute(
    view,
    receipt,
    credited,
    debitAccounts(view, receipt, credited),
    batch,
  )
  const { mode } = credited
  const id = newId<'unmatched'>()
  const unmatched = { id, mode, reason: 'suspended_money' as const, receipt, recordedAt: batch.at }
  view.related.recorded.add(receiptKey(receipt))
  if (moved === undefined) return { verdict, change: { unmatched } }
  const { dispute, events } = moved
  return { verdict, change: { unmatched: { ...unmatched, disputeId: dispute.id }, dispute }, events }
}
