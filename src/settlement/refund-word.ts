// What a word about a refund counts for, before it is booked: a refusal only while the worker that heard it holds the refund, and
// a word that was heard before only when the provider has said the opposite since and was asked again after that.
import type { Receipt } from '#/rails/words.ts'
import { claimKey, type Inquiry } from '#/jobs/claim.ts'
import { next } from '#/kernel/state.ts'
import { refundStates } from '#/refunds/refund.ts'
import type { RefundWord } from './queries.ts'
import { isRefund } from './related.ts'
import type { View } from './view.ts'

type Known = Pick<View, 'back' | 'related' | 'heldClaims'>

/**
 * Whether it is a refusal by which nothing can be said any more: another worker has taken the refund since, and may have been
 * accepted, or its end is known already. A provider that takes its word back says so to whoever asks later.
 */
export function isSuperseded(view: Known, receipt: Receipt, asked: Inquiry | undefined): boolean {
  if (receipt.outcome !== 'refund_failed' || asked?.claim === undefined) return false
  const refund = receipt.refund && view.back.refunds.get(receipt.refund)
  return !view.heldClaims.has(claimKey(asked.claim)) || (refund !== undefined && refund.status !== 'PENDING')
}

/**
 * Which occurrence of its outcome the receipt is; undefined for one that says nothing new. A provider is believed each time
 * that it takes its word back, but only when it was asked after the word before was booked: an answer that was on its way
 * for long is old.
 */
export function occurrenceOf(view: Known, receipt: Receipt, asked: Inquiry | undefined): number | undefined {
  if (!isRefund(receipt)) return receipt.occurrence
  const words = view.related.words.get(wordKey(receipt)) ?? []
  const same = words.filter(({ outcome }) => outcome === receipt.outcome)
  if (same.length === 0) return receipt.occurrence
  const isLater = asked !== undefined && words.every(({ recordedAt }) => recordedAt < asked.at)
  return isLater && changes(view, receipt) ? Math.max(...same.map((each) => each.occurrence)) + 1 : undefined
}

/** Whether it would change what we know of its refund, and is of all of it. */
function changes({ back }: Known, { refund: id, outcome, amount }: Receipt): boolean {
  const refund = id && back.refunds.get(id)
  const event = outcome === 'refunded' ? 'done' : 'failed'
  return (
    refund !== undefined &&
    refund.amountMinor === amount.minor &&
    next(refundStates, refund.status, event) !== undefined
  )
}

/** What a provider calls a refund. */
export function wordKey({ connection, providerRef }: Pick<RefundWord, 'connection' | 'providerRef'>): string {
  return `${connection}|${providerRef}`
}
