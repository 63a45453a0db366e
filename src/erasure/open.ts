// Whether a payment has ended so far that nobody needs its payer's data any more.
import type { Subject } from './queries.ts'

const ended: readonly string[] = ['PAID', 'EXPIRED', 'FAILED', 'CANCELED']

/** Why nothing of it may be erased yet, as a sentence without its subject. Undefined: it may. */
export function whyOpen(subject: Subject): string | undefined {
  const { status, isMoneyOnItsWay, pendingRefunds, openDisputes, isQueryDue, isEvidenceSent } = subject
  if (!ended.includes(status)) return `is ${status}: it can still be paid or canceled`
  if (isMoneyOnItsWay) return 'has money that is not final or not released'
  if (pendingRefunds > 0) return 'has a refund without an end'
  if (openDisputes > 0) return 'has an open dispute'
  if (isEvidenceSent) return 'has evidence that is being sent to a provider'
  if (isQueryDue) return 'has a provider that still has to be queried, for up to seven days'
  return undefined
}
