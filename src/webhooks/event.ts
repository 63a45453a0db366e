// The types of this folder. An event: something of a merchant's changed. A delivery: one event sent to one URL. An attempt: one try
// at a delivery.
import type { deliveryStatuses, eventTypes } from '#/contract/events.ts'
import type { Of } from '#/contract/record.ts'
import { confirmFirst, repeatable, type serviceRestore } from '#/contract/service-restore.ts'
import type { EndpointId, EventId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'

export type EventType = (typeof eventTypes)[number]

/** An event before it has a number. `data` is the resource as its own GET shows it. */
export type EventDraft = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly type: EventType
  readonly resourceId: string
  readonly data: Readonly<Record<string, unknown>>
  /** The URL of its payment or withdrawal to deliver it to, beside the merchant's endpoints. */
  readonly webhookUrl?: string
  /** The endpoints that it is about: delivered to this one alone, or to all others. Absent: to each that takes its type. */
  readonly endpoints?: { readonly only: EndpointId } | { readonly except: EndpointId }
  /** Absent: it gets one. */
  readonly id?: EventId
}

/** An endpoint as far as a new event is concerned: what it takes, and where that goes. */
export type Subscriber = {
  readonly id: EndpointId
  readonly url: string
  /** Null: all types. */
  readonly types: readonly EventType[] | null
}

/** Whether an event goes to this endpoint of its merchant. */
export function isTaken(
  { type, endpoints }: Pick<EventDraft, 'type' | 'endpoints'>,
  to: Subscriber,
): boolean {
  if (endpoints !== undefined && 'only' in endpoints) return endpoints.only === to.id
  if (endpoints?.except === to.id) return false
  return to.types === null || to.types.includes(type)
}

/** An event as it was written, for the hash chain. */
export type WrittenEvent = {
  readonly merchantId: MerchantId
  readonly sequence: bigint
  readonly id: EventId
  readonly type: EventType
  /** SHA-256 of the exact bytes of the body. */
  readonly bodyHash: Buffer
}

/**
 * - PENDING: will be sent, now or at its next attempt.
 * - DELIVERED: the receiver answered 2xx.
 * - EXHAUSTED: every attempt of the round failed.
 * - CANCELED: its endpoint was deleted before it arrived.
 *
 * A delivery that is DELIVERED or EXHAUSTED can be sent again.
 */
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/**
 * What is throttled together. `origin` is one of:
 * - scheme, host and port: the URLs there of the merchant's payments and withdrawals;
 * - `endpoint:` and an id: a registered endpoint, so that two endpoints at one host do not slow each other;
 * - `recovery:` and one of the two: what a recovery sends there again, one after another, beside what is new.
 */
export type Receiver = { readonly merchantId: MerchantId; readonly origin: string }

/** The `origin` of a registered endpoint's receiver. */
export function originOfEndpoint(id: EndpointId): string {
  return `endpoint:${id}`
}

export const recoveryPrefix = 'recovery:'

/** The `origin` under which a delivery to an endpoint waits in a recovery; without one, that of a URL's origin. */
export function originOfRecovery(
  to: { readonly endpointId: EndpointId } | { readonly origin: string },
): string {
  return recoveryPrefix + ('endpointId' in to ? to.endpointId : to.origin)
}

// What the event of a restore tells a merchant.

type RestoreFacts = {
  readonly id: string
  readonly mode: Mode
  /** From the newest change that was restored until the beginning of the repair: what was answered in between may be lost. */
  readonly lostFrom: string
  readonly lostTo: string
  /** The merchant's last event number that was restored, and the first number after it. The numbers in between are never used again. */
  readonly lastSequence: number
  readonly firstSequence: number
}

export function restoreRecord(facts: RestoreFacts): Of<typeof serviceRestore> {
  return { ...facts, sendAgain: repeatable, askFirst: confirmFirst }
}
