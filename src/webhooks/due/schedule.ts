// When to try again. Pure: the answer decides, and a random spread keeps failures of one moment from being retried at once.
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Answer } from '../send.ts'

/** Delays before each attempt of a round, the first at once: the example of Standard Webhooks 1.0.0, 75.6 hours in all. */
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

/** Each delay is shorter or longer by up to this part. */
const spread = 0.2

/** A receiver that did not answer in time is busy: the next attempt waits at least this long. */
const afterTimeoutMs = minuteMs

/** The longest wait that a receiver may request with `Retry-After`. */
const retryAfterMaxMs = 10 * hourMs

export function isSuccess(answer: Answer): boolean {
  return 'responseStatus' in answer && answer.responseStatus >= 200 && answer.responseStatus < 300
}

/**
 * How many milliseconds to wait after a failure, or undefined when the round is over.
 * - `failures`: those of this round, this one included.
 * - `at`: when it failed; needed only when the receiver gave a date.
 * - `random`: from 0 up to 1, without 1.
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
  return Math.max(spreadDelay, requestedWait(answer, at))
}

/** The shortest wait that the answer demands whatever the schedule, in milliseconds. */
function requestedWait(answer: Answer, at: Date): number {
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
