// One attempt at a delivery: signs, sends, and turns the answer into what is recorded.
import { randomInt } from 'node:crypto'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type EndpointId, type MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { type Clock, hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { AttemptResult, ClaimedDelivery } from './due/queries.ts'
import type { GuardPolicy, Resolve } from './guard.ts'
import { createSender, type Answer, type Sender } from './send.ts'
import { signatureHeaders } from './sign.ts'

export type SecretsOf = (merchantId: MerchantId) => Promise<readonly Buffer[]>

/** Decrypts the secret of an endpoint. Throws when it is not this endpoint's. */
export type OpenSecret = (endpointId: EndpointId, sealed: Buffer) => Buffer

export type AttemptOptions = {
  /** Which addresses webhooks of each mode may go to. */
  readonly policy: Readonly<Record<Mode, GuardPolicy>>
  readonly clock: Clock
  readonly log: Log
  readonly openSecret: OpenSecret
  /** How long one send may take, and how long its connection. */
  readonly totalMs?: number
  readonly connectMs?: number
  readonly resolve?: Resolve
  /** From 0 up to 1, without 1. */
  readonly random?: () => number
}

type Attempts = {
  /** The result to record; undefined when no attempt could be made, by a fault of our own. */
  make(delivery: ClaimedDelivery, secretsOf: SecretsOf): Promise<AttemptResult | undefined>
  /** Breaks off all attempts under way. */
  close(): void
}

export function createAttempts(options: AttemptOptions): Attempts {
  const { clock, log } = options
  const senders = { LIVE: senderOf(options, 'LIVE'), SANDBOX: senderOf(options, 'SANDBOX') }
  const random = options.random ?? chance
  return {
    async make(delivery, secretsOf) {
      try {
        const secrets = await secretsFor(delivery, options.openSecret, secretsOf)
        const at = clock.now()
        const body = Buffer.from(delivery.body)
        const { trace } = delivery
        const headers = {
          ...signatureHeaders({ id: delivery.eventId, attemptAt: at, body, secrets }),
          ...(trace === null ? {} : { traceparent: trace }),
        }
        const answer = await senders[delivery.mode].send({ url: delivery.url, headers, body })
        return resultOf(
          delivery,
          at,
          answer,
          waitBeforeNext(answer, delivery.failures + 1, clock.now(), random()),
        )
      } catch (error) {
        // The receiver got nothing, so no attempt is counted. The delivery is claimed again when this claim ends.
        log.error({ deliveryId: delivery.id, error: messageOf(error) }, 'a webhook could not be signed')
        return undefined
      }
    },
    close() {
      senders.LIVE.close()
      senders.SANDBOX.close()
    },
  }
}

/** The secrets in force, the newest first: an endpoint's own, else the merchant's. */
async function secretsFor(
  { merchantId, endpointId, secret, secretBefore }: ClaimedDelivery,
  openSecret: OpenSecret,
  secretsOf: SecretsOf,
): Promise<readonly Buffer[]> {
  if (endpointId === null) return secretsOf(merchantId)
  return [secret, secretBefore].flatMap((each) => (each === null ? [] : [openSecret(endpointId, each)]))
}

function chance(): number {
  return randomInt(1_000_000) / 1_000_000
}

function senderOf({ policy, totalMs, connectMs, resolve }: AttemptOptions, mode: Mode): Sender {
  return createSender({
    policy: policy[mode],
    ...given({ totalMs, connectMs, resolve }),
  })
}

/** The result to record. `waitMs`: the wait before the next attempt after a failure; undefined when the round is over. */
function resultOf(
  delivery: ClaimedDelivery,
  at: Date,
  answer: Answer,
  waitMs: number | undefined,
): AttemptResult {
  const answered = 'responseStatus' in answer
  const attempt = {
    merchantId: delivery.merchantId,
    deliveryId: delivery.id,
    lease: delivery.lease,
    endpoint: delivery.endpointId === null ? null : { id: delivery.endpointId, url: delivery.url },
    id: newId(),
    at,
    durationMs: answer.durationMs,
    responseStatus: answered ? answer.responseStatus : null,
    responseBody: answered ? answer.responseBody : null,
    error: answered ? null : answer.error,
  }
  if (isSuccess(answer)) return { ...attempt, status: 'DELIVERED', waitMs: null }
  if (waitMs === undefined) return { ...attempt, status: 'EXHAUSTED', waitMs: null }
  return { ...attempt, status: 'PENDING', waitMs }
}

// When to try again. Pure: the answer decides, and a random spread keeps failures of one moment from being retried at once.

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
