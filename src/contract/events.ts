// Events and their deliveries. webhook-events.ts has the body of each type.
import { Type as T } from 'typebox'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { listOf, mode } from './words.ts'

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
  'transfer_grant.created',
  'transfer_grant.revoked',
  'share.credited',
  'share.returned',
  'webhook_endpoint.disabled',
  'webhook_endpoint.ping',
  'service.restored',
] as const

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELED'] as const

export const deliveryStatus = oneOf(
  'DeliveryStatus',
  deliveryStatuses,
  'PENDING: will be sent, or held while its endpoint is disabled. EXHAUSTED: every attempt failed. CANCELED: its endpoint was deleted. DELIVERED and EXHAUSTED can be sent again.',
)

/** The fields of every event besides its id, its type and its resource. */
export const eventFrame = {
  timestamp: instant('When it happened.'),
  mode,
  sequence: whole(
    1,
    Number.MAX_SAFE_INTEGER,
    'Numbers the merchant’s events without gaps; `service.restored` alone follows one.',
  ),
}

/** Of the events of payments, refunds and disputes. */
export const erasedAt = T.Optional(
  instant('What it told of a payer was erased then: `data` has the other fields, and is delivered so.'),
)

export const eventType = oneOf(
  'EventType',
  eventTypes,
  'New ones may be added: ignore those that you do not know.',
)

export const event = T.Object(
  {
    id: uuid(),
    type: eventType,
    ...eventFrame,
    erasedAt,
    data: T.Object(
      {},
      { additionalProperties: true, description: 'The resource as its own GET showed it then.' },
    ),
  },
  { title: 'Event', description: 'Something that changed: the same body that is sent to webhook URLs.' },
)

export const deliveryAttempt = T.Object(
  {
    at: instant(),
    durationMs: count('Milliseconds.'),
    responseStatus: T.Optional(whole(100, 999, 'The HTTP status that was answered.')),
    responseBody: T.Optional(T.String({ description: 'The first 4 KiB.' })),
    error: T.Optional(T.String({ description: 'Why there was no answer.' })),
  },
  { title: 'DeliveryAttempt', description: 'One attempt.' },
)

export const delivery = T.Object(
  {
    id: uuid(),
    eventId: uuid(),
    endpointId: T.Optional(
      uuid('The webhook endpoint that it goes to. Absent: the webhookUrl of a payment or a withdrawal.'),
    ),
    url: T.String(),
    status: deliveryStatus,
    nextAttemptAt: T.Optional(instant()),
    attempts: T.Array(deliveryAttempt),
  },
  { title: 'Delivery', description: 'One event sent to one URL, with every attempt.' },
)

export const eventList = T.Object(
  {
    ...listOf(event).properties,
    readTo: whole(
      0,
      Number.MAX_SAFE_INTEGER,
      'There is nothing more for you up to this sequence: send it as `after` to go on.',
    ),
  },
  { title: 'EventList', description: 'One page.' },
)
