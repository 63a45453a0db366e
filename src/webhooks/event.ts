// The types of this folder. An event: something of a merchant's changed. A delivery: one event sent to one URL. An attempt: one try
// at a delivery.
import type { Mode } from '#/kernel/mode.ts'
import type { EventId, MerchantId } from '#/kernel/id.ts'

/** Every type of event. The database's check holds the same list. */
export const eventTypes = [
  'payment.waiting',
  'payment.approved',
  'payment.completed',
  'payment.expired',
  'payment.failed',
  'payment.canceled',
  'payment.underpaid',
  'payment.received_after_close',
  'refund.created',
  'refund.completed',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'withdrawal.created',
  'withdrawal.approval_required',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.canceled',
  'withdrawal.returned',
  'wallet.created',
  'transfer.completed',
] as const
export type EventType = (typeof eventTypes)[number]

/** An event before it has a number. `data` is the resource as its own GET shows it. */
export type EventDraft = {
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly type: EventType
  readonly resourceId: string
  readonly data: Readonly<Record<string, unknown>>
  /** The URL to deliver it to. Absent: it is only listed. */
  readonly webhookUrl?: string
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
 *
 * A delivery in either final status can be sent again.
 */
export const deliveryStatuses = ['PENDING', 'DELIVERED', 'EXHAUSTED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** What is throttled together: one merchant's URLs of one origin. */
export type Receiver = { readonly merchantId: MerchantId; readonly origin: string }
