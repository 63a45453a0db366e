// Whether a provider's report of a refund counts, before it is booked.
// - A refusal counts only while the worker that received it holds the refund.
// - A report that contradicts another one counts only if the provider was queried after the other one was booked. Otherwise
//   nobody knows which of the two is true, and the provider is queried again.
import { claimKey, type Inquiry } from '#/jobs/claim.ts'
import { next } from '#/kernel/state.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundStates } from '#/refunds/refund.ts'
import type { Draft } from './draft.ts'
import { isRefund, refKey } from './related.ts'
import type { Facts } from './view.ts'

/**
 * Whether it is a refusal that does not count any more: the refund has ended, or another worker has claimed it since, and the
 * provider may have accepted that worker's request. If a provider revokes its answer, later queries show it.
 */
export function isSuperseded(
  { heldClaims }: Pick<Facts, 'heldClaims'>,
  { refunds }: Pick<Draft, 'refunds'>,
  receipt: Receipt,
  inquiry: Inquiry | undefined,
): boolean {
  if (receipt.outcome !== 'refund_failed' || inquiry?.claim === undefined) return false
  const refund = receipt.refund && refunds.get(receipt.refund)
  return !heldClaims.has(claimKey(inquiry.claim)) || (refund !== undefined && refund.status !== 'PENDING')
}

/**
 * Which occurrence of its outcome the receipt is.
 * - `repeated`: it reports nothing new.
 * - `undecided`: its provider reported the opposite too, and nobody knows which report was later. Reports are ordered by the
 *   time of the query: a report is the latest if the provider was queried for it after all others were booked.
 */
export function occurrenceOf(
  draft: Pick<Draft, 'refunds' | 'reports'>,
  receipt: Receipt,
  inquiry: Inquiry | undefined,
): number | 'repeated' | 'undecided' {
  if (!isRefund(receipt)) return receipt.occurrence
  const reports = draft.reports.get(refKey(receipt)) ?? []
  const same = reports.filter(({ outcome }) => outcome === receipt.outcome)
  if (reports.length === 0) return receipt.occurrence
  const isNews = changes(draft, receipt)
  // It contradicts nothing: it is booked, or noted.
  if (same.length === 0 && (!isNews || isOpen(draft, receipt))) return receipt.occurrence
  if (!isNews) return 'repeated'
  const isLater = inquiry !== undefined && reports.every(({ recordedAt }) => recordedAt < inquiry.at)
  if (!isLater) return same.length === 0 ? 'undecided' : 'repeated'
  return Math.max(0, ...same.map((each) => each.occurrence)) + 1
}

/** Whether it would change the status of its refund, and is about the whole amount. */
function changes({ refunds }: Pick<Draft, 'refunds'>, { refund: id, outcome, amount }: Receipt): boolean {
  const refund = id && refunds.get(id)
  const event = outcome === 'refunded' ? 'done' : 'failed'
  return (
    refund !== undefined &&
    refund.amountMinor === amount.minor &&
    next(refundStates, refund.status, event) !== undefined
  )
}

function isOpen({ refunds }: Pick<Draft, 'refunds'>, { refund }: Receipt): boolean {
  return refund !== undefined && refunds.get(refund)?.status === 'PENDING'
}
