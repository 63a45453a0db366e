// Webhook endpoints and recoveries.
import { Type as T } from 'typebox'
import { instant, oneOf, uuid, version, whole } from '#/kernel/schema.ts'
import { eventType, eventTypes } from './events.ts'
import { documented, idempotencyKey, instantIn, mode, text, url, when } from './words.ts'

/** The statuses that the API shows. DELETED is the answer of the call that deletes it, and of nothing else. */
const shownStatuses = ['ENABLED', 'DISABLED', 'DELETED'] as const

export const disabledReasons = ['REQUESTED', 'FAILING', 'GONE'] as const

export const recoveryStatuses = ['RUNNING', 'DONE', 'CANCELED'] as const

const endpointStatus = oneOf(
  'WebhookEndpointStatus',
  shownStatuses,
  'DISABLED: what is announced is held. DELETED is only in the answer of its deletion.',
)
const disabledReason = oneOf(
  'WebhookEndpointDisabledReason',
  disabledReasons,
  'REQUESTED: by you. FAILING: it only failed for five days. GONE: it answered 410.',
)

const fields = {
  id: uuid(),
  mode,
  url: T.String(),
  eventTypes: T.Optional(T.Array(eventType, { description: 'The types that it gets. Absent: all.' })),
  description: T.Optional(T.String()),
  status: endpointStatus,
  disabledReason: T.Optional(disabledReason),
  disabledAt: T.Optional(instant()),
  failingSince: T.Optional(instant('Since when attempts do nothing but fail.')),
  previousSecretUntil: T.Optional(instant('Until when the secret before the present one signs too.')),
  createdAt: instant(),
  version,
}

export const webhookEndpoint = T.Object(fields, {
  title: 'WebhookEndpoint',
  description: 'A URL that gets your events.',
})

const secret = T.String({ description: '`whsec_` and base64. It is never shown again.' })

export const createdEndpoint = T.Object(
  { ...fields, secret: T.Optional(secret) },
  {
    title: 'CreatedWebhookEndpoint',
    description: 'A new endpoint with its secret. When a key is sent again, the secret is absent.',
  },
)

export const rolledEndpoint = T.Object(
  { ...fields, secret },
  { title: 'RolledWebhookEndpoint', description: 'An endpoint with its new secret.' },
)

/** In a request: the types by name, or all of them. A ping goes to the endpoint that is pinged, whatever it takes. */
const wantedTypes = documented(
  T.Array(
    oneOf(
      'WebhookEndpointEventType',
      [...eventTypes.filter((type) => type !== 'webhook_endpoint.ping'), '*'],
      '`*`, by itself: all types, also those to come.',
    ),
    { minItems: 1, maxItems: eventTypes.length, uniqueItems: true, examples: [['payment.completed']] },
  ),
  when({ contains: { const: '*' } }, { maxItems: 1 }),
)

const urlIn = url('A public https address.', 'https://shop.example.com/webhooks')
const descriptionIn = text(200, 'For people.', 0)

export const endpointRequest = T.Object(
  {
    url: urlIn,
    eventTypes: T.Optional(wantedTypes),
    description: T.Optional(descriptionIn),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { title: 'CreateWebhookEndpointRequest', additionalProperties: false },
)

export const endpointChange = T.Object(
  {
    url: T.Optional(urlIn),
    eventTypes: T.Optional(wantedTypes),
    description: T.Optional(descriptionIn),
    status: T.Optional(
      oneOf('WebhookEndpointStatusInput', ['ENABLED', 'DISABLED'], 'ENABLED sends what was held, in order.'),
    ),
  },
  { title: 'ChangeWebhookEndpointRequest', additionalProperties: false, minProperties: 1 },
)

export const rollRequest = T.Object(
  {
    overlapHours: T.Optional(
      whole(0, 168, 'Hours that the present secret signs beside the new one. Default: 24.', [24]),
    ),
  },
  { title: 'RollWebhookSecretRequest', additionalProperties: false, description: 'May be left out.' },
)

export const ping = T.Object(
  { eventId: uuid('The event that is sent.') },
  { title: 'WebhookPing', description: 'A ping on its way.' },
)

// ---- Recoveries

const sequence = (description: string) => whole(0, Number.MAX_SAFE_INTEGER, description)

export const webhookRecovery = T.Object(
  {
    id: uuid(),
    endpointId: T.Optional(uuid('Absent: to the URLs of payments and withdrawals.')),
    status: oneOf(
      'WebhookRecoveryStatus',
      recoveryStatuses,
      'DONE: all of the span was looked at. What is to be sent again is on its way.',
    ),
    afterSequence: sequence('It begins with the event after this one.'),
    throughSequence: sequence('It ends with this event.'),
    reachedSequence: sequence('It has come up to this event.'),
    types: T.Optional(T.Array(eventType, { description: 'Absent: all that the endpoint takes.' })),
    includeDelivered: T.Boolean(),
    deliveries: whole(0, Number.MAX_SAFE_INTEGER, 'How many deliveries it has made due.'),
    createdAt: instant(),
    endedAt: T.Optional(instant()),
  },
  { title: 'WebhookRecovery', description: 'Events of a span that are sent again.' },
)

const both = (one: string, other: string) => ({ required: [one, other] })

export const webhookRecoveryRequest = documented(
  T.Object(
    {
      endpointId: T.Optional(uuid('Absent: to the URLs of payments and withdrawals.')),
      since: instantIn('From this instant on. Either this or `afterSequence`.'),
      afterSequence: T.Optional(sequence('From the event after this sequence on.')),
      until: instantIn('Until before this instant. Without an end: up to the newest event.'),
      throughSequence: T.Optional(sequence('Up to the event of this sequence, included.')),
      types: T.Optional(
        T.Array(eventType, {
          minItems: 1,
          maxItems: eventTypes.length,
          uniqueItems: true,
          description: 'Only these types, of those that the endpoint takes.',
        }),
      ),
      includeDelivered: T.Optional(
        T.Boolean({ description: 'Also what was delivered already. Default: false.' }),
      ),
    },
    { title: 'CreateWebhookRecoveryRequest', additionalProperties: false },
  ),
  {
    oneOf: [{ required: ['since'] }, { required: ['afterSequence'] }],
    not: both('until', 'throughSequence'),
  },
)
