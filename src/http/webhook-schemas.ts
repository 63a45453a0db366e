// The shapes of webhook endpoints and recoveries, in requests and answers.
import { Type as T } from 'typebox'
import { documented, idempotencyKey, mode, text, url, when } from '#/contract/words.ts'
import { disabledReasons, shownStatuses } from '#/endpoints/endpoint.ts'
import { instant, oneOf, uuid, version, whole } from '#/kernel/schema.ts'
import { eventTypes } from '#/webhooks/event.ts'
import { confirmFirst, repeatable } from '#/webhooks/restore-record.ts'
import { eventType } from './schemas.ts'

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

const aSequence = (meaning: string) => whole(0, Number.MAX_SAFE_INTEGER, meaning, [4711])

/** What `service.restored` tells. */
export const serviceRestore = T.Object(
  {
    id: uuid('The restore: the same for every merchant.'),
    mode,
    lostFrom: instant('The newest change that was restored.'),
    lostTo: instant('When the repair began: what is answered from here on stays.'),
    lastSequence: aSequence('The number of your last event that was restored; zero: there was none.'),
    firstSequence: aSequence(
      'The number of your first event after the restore. Those in between may have been used, and are not used again.',
    ),
    sendAgain: T.Array(oneOf('RestoreSendAgain', repeatable, 'What you made in that span: make it again.'), {
      description:
        'What to send again if it was answered in that span. It is a new one: idempotency keys are lost too.',
    }),
    askFirst: T.Array(oneOf('RestoreAskFirst', confirmFirst, 'May have moved money.'), {
      description:
        'What may have been carried out although its record is lost: ask the operator before you send it again.',
    }),
  },
  { title: 'ServiceRestore', description: 'A restore of the service to an earlier moment.' },
)

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
