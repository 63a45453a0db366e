// What can still become of an attempt that a payer tried: whether it can be shown, asked for, or will be refused again.
import { canonicalJson } from '#/kernel/json.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import type { OpeningTerms, TriedAttempt } from './initiate-queries.ts'

/** A refusal is not asked for again so soon. */
const refusalMs = minuteMs

/** Whether what this attempt's opening gave can be shown for such a wish. */
export function fits(attempt: TriedAttempt, presentation: 'HOSTED' | undefined, now: Date): boolean {
  const { artifacts, asked, overAt } = attempt
  if (overAt !== null) return false
  if (artifacts === null || isPast(artifacts['expiresAt'], now) || isPast(asked?.expiresAt, now)) return false
  return artifacts['presentation'] === presentation || asked?.presentation === presentation
}

/** Whether asking for this attempt is what is wanted, and its provider may still say yes. */
export function isUnopened(attempt: TriedAttempt, presentation: 'HOSTED' | undefined, now: Date): boolean {
  const { artifacts, asked, refusal } = attempt
  if (artifacts !== null || refusal !== null || isPast(asked?.expiresAt, now)) return false
  return asked === null ? true : asked.presentation === presentation
}

/** Whether its provider has just refused the same. */
export function stillRefuses({ refusal, asked }: TriedAttempt, wanted: OpeningTerms, now: Date): boolean {
  if (refusal === null || addMs(new Date(refusal.at), refusalMs) <= now) return false
  return canonicalJson({ ...asked, expiresAt: '' }) === canonicalJson({ ...wanted, expiresAt: '' })
}

function isPast(instant: unknown, now: Date): boolean {
  return typeof instant === 'string' && new Date(instant) <= now
}
