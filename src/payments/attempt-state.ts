// Whether an attempt that a payer tried can be shown, can be opened, or would be refused again.
import { canonicalJson } from '#/kernel/json.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import type { OpeningTerms, TriedAttempt } from './attempt-queries.ts'
import { missingMinor, type Payment } from './payment.ts'

/** How long the same request is not repeated after a refusal. */
const refusalMs = minuteMs

/** Whether the artifacts of this attempt can be shown in this presentation. */
export function fits(attempt: TriedAttempt, presentation: 'HOSTED' | undefined, now: Date): boolean {
  const { artifacts, terms, overAt, movedMs } = attempt
  if (overAt !== null || artifacts === null) return false
  if (isPast(artifacts['expiresAt'], now, movedMs) || isPast(terms?.expiresAt, now, movedMs)) return false
  return artifacts['presentation'] === presentation || terms?.presentation === presentation
}

/** Whether this attempt fits the presentation, and its provider may still open it. */
export function isUnopened(attempt: TriedAttempt, presentation: 'HOSTED' | undefined, now: Date): boolean {
  const { artifacts, terms, refusal, movedMs } = attempt
  if (artifacts !== null || refusal !== null || isPast(terms?.expiresAt, now, movedMs)) return false
  return terms === null ? true : terms.presentation === presentation
}

/** Whether this attempt is for exactly what the payment lacks now: since it was made no receipt was booked, and no refund accepted. */
export function isForRest({ terms, amountMinor }: TriedAttempt, payment: Payment): boolean {
  return terms?.rest?.receipts === payment.receipts && amountMinor === missingMinor(payment)
}

/** Whether its provider may still accept money for it, or be asked to: it was neither refused nor ended. */
export function isOpen({ refusal, overAt }: TriedAttempt): boolean {
  return refusal === null && overAt === null
}

/** Whether its provider has just refused the same terms. */
export function stillRefuses({ refusal, terms }: TriedAttempt, next: OpeningTerms, now: Date): boolean {
  if (refusal === null || addMs(new Date(refusal.at), refusalMs) <= now) return false
  return canonicalJson({ ...terms, expiresAt: '' }) === canonicalJson({ ...next, expiresAt: '' })
}

/** Until when an attempt with these terms can be paid. `movedMs`: how far its sandbox's clock was moved since. */
export function endAfter({ expiresAt }: Pick<OpeningTerms, 'expiresAt'>, movedMs: number): Date {
  return addMs(new Date(expiresAt), -movedMs)
}

function isPast(instant: unknown, now: Date, movedMs: number): boolean {
  return typeof instant === 'string' && endAfter({ expiresAt: instant }, movedMs) <= now
}
