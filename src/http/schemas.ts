// The shapes of payments, refunds, disputes, events and problems in answers: they write answers and are published in openapi.json.
// request-schemas.ts has those of requests.
import { Type as T } from 'typebox'
import { mode } from '#/contract/words.ts'
import { dashboardProblems, problems, type ProblemCode } from '#/kernel/error.ts'
import { count, instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { deliveryStatuses, eventTypes } from '#/webhooks/event.ts'

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
    attempts: T.Array(
      T.Object(
        {
          at: instant(),
          durationMs: count('Milliseconds.'),
          responseStatus: T.Optional(whole(100, 999, 'The HTTP status that was answered.')),
          responseBody: T.Optional(T.String({ description: 'The first 4 KiB.' })),
          error: T.Optional(T.String({ description: 'Why there was no answer.' })),
        },
        { title: 'DeliveryAttempt', description: 'One attempt.' },
      ),
    ),
  },
  { title: 'Delivery', description: 'One event sent to one URL, with every attempt.' },
)

/** Those that a caller with a key can get: the others are the dashboard's. */
export const problemCodes = (Object.keys(problems) as readonly ProblemCode[]).filter(
  (code) => !dashboardProblems.includes(code),
)

export const problemCode = oneOf('ProblemCode', problemCodes, 'The only field to decide by.')

export const problem = T.Object(
  {
    type: T.String({ format: 'uri' }),
    title: T.String(),
    status: whole(400, 599, 'The HTTP status.'),
    code: problemCode,
    detail: T.String(),
    requestId: T.String(),
    errors: T.Optional(
      T.Array(
        T.Object(
          {
            pointer: T.String({ description: 'A JSON pointer into the body, or to a field of the query.' }),
            code: T.String(),
            message: T.String(),
          },
          { title: 'FieldError', description: 'One thing that is wrong.' },
        ),
      ),
    ),
  },
  { title: 'Problem', additionalProperties: true, description: 'What went wrong (RFC 9457).' },
)
