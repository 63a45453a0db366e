// A recovery: a merchant's order to send the events of a span again, to an endpoint or to the URLs of its payments.
import { recordOf, type Of } from '#/contract/record.ts'
import type { recoveryStatuses, webhookRecovery } from '#/contract/webhook-endpoints.ts'
import type { EndpointId, MerchantId, RecoveryId } from '#/kernel/id.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import type { EventType } from '#/webhooks/event.ts'

/**
 * - RUNNING: a worker makes deliveries due, event by event.
 * - DONE: all events of the span are due or delivered.
 * - CANCELED: its merchant stopped it, or deleted the endpoint. What was made due before is still sent.
 */
export type RecoveryStatus = (typeof recoveryStatuses)[number]

export type Recovery = {
  readonly merchantId: MerchantId
  readonly id: RecoveryId
  /** Null: to the URLs of payments and withdrawals. */
  readonly endpointId: EndpointId | null
  readonly status: RecoveryStatus
  /** From the event after this one … */
  readonly afterSequence: bigint
  /** … to this one. */
  readonly throughSequence: bigint
  /** The event up to which it is done. */
  readonly reachedSequence: bigint
  /** Null: all that the endpoint takes. */
  readonly types: readonly EventType[] | null
  readonly includeDelivered: boolean
  /** How many it made due. */
  readonly deliveries: bigint
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** A recovery as the API shows it. */
export function recoveryRecord(recovery: Recovery): Of<typeof webhookRecovery> {
  return recordOf<typeof webhookRecovery>({
    id: recovery.id,
    endpointId: recovery.endpointId,
    status: recovery.status,
    afterSequence: toJsonInteger(recovery.afterSequence),
    throughSequence: toJsonInteger(recovery.throughSequence),
    reachedSequence: toJsonInteger(recovery.reachedSequence),
    types: recovery.types,
    includeDelivered: recovery.includeDelivered,
    deliveries: toJsonInteger(recovery.deliveries),
    createdAt: recovery.createdAt.toISOString(),
    endedAt: recovery.endedAt?.toISOString(),
  })
}
