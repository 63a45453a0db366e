// A webhook endpoint: a URL that a merchant registers once. Events of the types that it takes are delivered to it, signed with its own
// secret.
import { recordOf, type Of } from '#/contract/record.ts'
import type { disabledReasons, webhookEndpoint } from '#/contract/webhook-endpoints.ts'
import type { EndpointId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { EventType } from '#/webhooks/event.ts'

/**
 * - ENABLED: what is announced is sent.
 * - STARTING: enabled again; a worker puts what was held into the order of its sequence, then it is ENABLED. Shown as ENABLED.
 * - DISABLED: what is announced is held.
 * - DELETED: nothing is announced to it any more.
 */
export type EndpointStatus = 'ENABLED' | 'STARTING' | 'DISABLED' | 'DELETED'

/**
 * - REQUESTED: its merchant disabled it.
 * - FAILING: it did nothing but fail for days.
 * - GONE: it answered 410.
 */
export type DisabledReason = (typeof disabledReasons)[number]

export type Endpoint = {
  readonly merchantId: MerchantId
  readonly id: EndpointId
  /** The merchant's. */
  readonly mode: Mode
  readonly url: string
  /** Null: all. */
  readonly eventTypes: readonly EventType[] | null
  readonly description: string | null
  readonly status: EndpointStatus
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: Date | null
  /** Since when attempts do nothing but fail. */
  readonly failingSince: Date | null
  /** Until when the secret before the present one signs too; null when it does not. */
  readonly previousSecretUntil: Date | null
  readonly createdAt: Date
  /** Grows by one with each change that its merchant can see. */
  readonly version: number
}

/** The endpoint as the API shows it. */
export function endpointRecord(endpoint: Endpoint): Of<typeof webhookEndpoint> {
  const { status } = endpoint
  return recordOf<typeof webhookEndpoint>({
    id: endpoint.id,
    mode: endpoint.mode,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes,
    description: endpoint.description,
    status: status === 'STARTING' ? 'ENABLED' : status,
    disabledReason: endpoint.disabledReason,
    disabledAt: endpoint.disabledAt?.toISOString(),
    failingSince: endpoint.failingSince?.toISOString(),
    previousSecretUntil: endpoint.previousSecretUntil?.toISOString(),
    createdAt: endpoint.createdAt.toISOString(),
    version: endpoint.version,
  })
}
