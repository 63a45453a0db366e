import { addMs, hourMs, systemClock } from '#/kernel/time.ts'

/** A whole minute a few hours from now: what the database dates by its own clock is over by a test's clock that begins here. */
export function soon(): Date {
  const at = addMs(systemClock.now(), 4 * hourMs)
  at.setUTCSeconds(0, 0)
  return at
}
