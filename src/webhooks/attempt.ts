// One attempt at a delivery: signs, sends, and turns the answer into what is recorded.
import { randomInt } from 'node:crypto'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type EndpointId, type MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Clock } from '#/kernel/time.ts'
import type { AttemptResult, ClaimedDelivery } from './due/queries.ts'
import { isSuccess, waitBeforeNext } from './due/schedule.ts'
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

export type Attempts = {
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
