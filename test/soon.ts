import { addMs, hourMs, systemClock } from '#/kernel/time.ts'

/** A whole minute a few hours from now: the database's own dates are in the past for a test's clock that begins here. */
export function soon(): Date {
  const at = addMs(systemClock.now(), 4 * hourMs)
  at.setUTCSeconds(0, 0)
  return at
}
