// Events and deliveries as the API shows them.
import type { delivery as shown, deliveryAttempt, event } from '#/contract/events.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import { parseJson } from '#/kernel/json.ts'
import type { AttemptRow, DeliveryRow } from './delivery-queries.ts'
import type { EventRow } from './queries.ts'

/** The event: the same object that is delivered. */
export function eventRecord({ body }: Pick<EventRow, 'body'>): Of<typeof event> {
  return parseJson(body) as Of<typeof event>
}

export function deliveryRecord(delivery: DeliveryRow): Of<typeof shown> {
  return recordOf<typeof shown>({
    id: delivery.id,
    eventId: delivery.eventId,
    endpointId: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString(),
    attempts: delivery.attempts.map(attemptRecord),
  })
}

function attemptRecord(attempt: AttemptRow) {
  return recordOf<typeof deliveryAttempt>({
    at: attempt.at.toISOString(),
    durationMs: attempt.durationMs,
    responseStatus: attempt.responseStatus,
    responseBody: attempt.responseBody,
    error: attempt.error,
  })
}
