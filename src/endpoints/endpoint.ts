// A webhook endpoint: a URL that a merchant registers once. Events of the types that it takes are delivered to it, signed with its own
// secret.
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

/** The statuses that the API shows. DELETED is the answer of the call that deletes it, and of nothing else. */
export const shownStatuses = ['ENABLED', 'DISABLED', 'DELETED'] as const

/**
 * - REQUESTED: its merchant disabled it.
 * - FAILING: it did nothing but fail for days.
 * - GONE: it answered 410.
 */
export const disabledReasons = ['REQUESTED', 'FAILING', 'GONE'] as const
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

/** The endpoint as the API shows it. A field that does not apply is absent. */
export function endpointRecord(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  const { id, mode, url, eventTypes, description, status, disabledReason, disabledAt } = endpoint
  const { failingSince, previousSecretUntil, createdAt, version } = endpoint
  return {
    id,
    mode,
    url,
    ...(eventTypes === null ? {} : { eventTypes }),
    ...(description === null ? {} : { description }),
    status: status === 'STARTING' ? 'ENABLED' : status,
    ...(disabledReason === null ? {} : { disabledReason }),
    ...(disabledAt === null ? {} : { disabledAt: disabledAt.toISOString() }),
    ...(failingSince === null ? {} : { failingSince: failingSince.toISOString() }),
    ...(previousSecretUntil === null ? {} : { previousSecretUntil: previousSecretUntil.toISOString() }),
    createdAt: createdAt.toISOString(),
    version,
  }
}
