// When to try again. Pure: the answer decides, and chance spreads what failed together.
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Answer } from '../send.ts'

/** Before each attempt of a round, the first at once: the example of Standard Webhooks 1.0.0, 75.6 hours in all. */
export const delaysMs: readonly number[] = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** Each delay is up to this part shorter or longer. */
const spread = 0.2

/** A receiver that did not answer in time is busy: it gets this long at least. */
const afterTimeoutMs = minuteMs

/** The longest wait that a receiver may ask for by `Retry-After`. */
const retryAfterMaxMs = 10 * hourMs

export function isSuccess(answer: Answer): boolean {
  return 'responseStatus' in answer && answer.responseStatus >= 200 && answer.responseStatus < 300
}

/**
 * How many milliseconds to wait after a failure at `at`, or undefined when the round is over. `failures`: of this round,
 * this one included. `at` only reads a date that the receiver gave. `random`: from 0 up to 1.
 */
export function waitBeforeNext(
  answer: Answer,
  failures: number,
  at: Date,
  random: number,
): number | undefined {
  const delay = delaysMs[failures]
  if (delay === undefined) return undefined
  const spreadDelay = Math.round(delay * (1 - spread + 2 * spread * random))
  return Math.max(spreadDelay, askedFor(answer, at))
}

/** What the answer asks for beyond the schedule, in milliseconds. */
function askedFor(answer: Answer, at: Date): number {
  if ('error' in answer) return answer.error === 'timeout' ? afterTimeoutMs : 0
  if (answer.responseStatus !== 429 && answer.responseStatus !== 503) return 0
  return Math.min(retryAfterMs(answer.retryAfter, at), retryAfterMaxMs)
}

/** `Retry-After` is a number of seconds or a date (RFC 9110 §10.2.3). Zero when it is neither. */
function retryAfterMs(header: string | undefined, at: Date): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * secondMs
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - at.getTime())
}
