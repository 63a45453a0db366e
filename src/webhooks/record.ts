// Events and deliveries as the API shows them. A field that does not apply is absent.
import { parseJson } from '#/kernel/json.ts'
import type { AttemptRow, DeliveryRow } from './delivery-queries.ts'
import type { EventRow } from './queries.ts'

/** The event: the same object that is delivered. */
export function eventRecord({ body }: Pick<EventRow, 'body'>): Readonly<Record<string, unknown>> {
  return parseJson(body) as Readonly<Record<string, unknown>>
}

export function deliveryRecord(delivery: DeliveryRow): Readonly<Record<string, unknown>> {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    ...(delivery.endpointId === null ? {} : { endpointId: delivery.endpointId }),
    url: delivery.url,
    status: delivery.status,
    ...(delivery.nextAttemptAt === null ? {} : { nextAttemptAt: delivery.nextAttemptAt.toISOString() }),
    attempts: delivery.attempts.map(attemptRecord),
  }
}

function attemptRecord(attempt: AttemptRow): Readonly<Record<string, unknown>> {
  return {
    at: attempt.at.toISOString(),
    durationMs: attempt.durationMs,
    ...(attempt.responseStatus === null ? {} : { responseStatus: attempt.responseStatus }),
    ...(attempt.responseBody === null ? {} : { responseBody: attempt.responseBody }),
    ...(attempt.error === null ? {} : { error: attempt.error }),
  }
}
