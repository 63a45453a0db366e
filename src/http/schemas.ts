// The shapes of payments, refunds, disputes, events and problems in answers: they write answers and are published in openapi.json.
// request-schemas.ts has those of requests.
import { Type as T } from 'typebox'
import { payment } from '#/contract/payments.ts'
import { about, currency, metadata, mode } from '#/contract/words.ts'
import { disputeKinds, disputeStatuses } from '#/disputes/dispute.ts'
import { dashboardProblems, problems, type ProblemCode } from '#/kernel/error.ts'
import { count, instant, oneOf, sum, uuid, version, whole } from '#/kernel/schema.ts'
import { refundStatuses } from '#/refunds/refund.ts'
import { deliveryStatuses, eventTypes } from '#/webhooks/event.ts'

export const refundStatus = oneOf(
  'RefundStatus',
  refundStatuses,
  'PENDING: held, the provider has not reported its end.',
)
export const disputeStatus = oneOf(
  'DisputeStatus',
  disputeStatuses,
  'OPEN: the money is held. LOST may become WON, when the funds are reinstated, and WON may become OPEN or LOST once more.',
)
const disputeKind = oneOf(
  'DisputeKind',
  disputeKinds,
  'MED is the return of PIX after fraud or a bank’s error.',
)
export const deliveryStatus = oneOf(
  'DeliveryStatus',
  deliveryStatuses,
  'PENDING: will be sent, or held while its endpoint is disabled. EXHAUSTED: every attempt failed. CANCELED: its endpoint was deleted. DELIVERED and EXHAUSTED can be sent again.',
)

export const refund = T.Object(
  {
    id: uuid(),
    mode,
    paymentId: uuid(),
    status: refundStatus,
    amount: sum('The amount that goes back.'),
    currency,
    cryptoAddress: T.Optional(T.String({ description: 'CRYPTO: where the money goes.' })),
    cryptoNetwork: T.Optional(T.String()),
    cryptoCurrency: T.Optional(T.String()),
    iban: T.Optional(T.String({ description: 'SEPA_TRANSFER: the account that the money goes to.' })),
    beneficiary: T.Optional(T.String({ description: 'SEPA_TRANSFER: the holder of that account.' })),
    txHash: T.Optional(T.String({ description: 'CRYPTO: the transaction that took it there.' })),
    reason: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    approvalRequired: T.Optional(
      T.Boolean({ description: 'Held, and not sent until a second person approves.' }),
    ),
    failureCode: T.Optional(T.String()),
    failureMessage: T.Optional(T.String()),
    createdAt: instant(),
    completedAt: T.Optional(instant()),
    version,
    payment: T.Optional(about(payment, 'In lists with `expand=payment`: the payment whose money goes back.')),
  },
  { title: 'Refund', description: 'Money of a payment that goes back to its payer.' },
)

export const dispute = T.Object(
  {
    id: uuid(),
    mode,
    paymentId: T.Optional(uuid()),
    status: disputeStatus,
    kind: disputeKind,
    amount: sum('The amount that the payer wants back.'),
    currency,
    fee: sum('What the provider charges for it.'),
    reason: T.Optional(T.String()),
    evidenceDueAt: T.Optional(instant()),
    createdAt: instant(),
    closedAt: T.Optional(instant()),
    version,
    payment: T.Optional(about(payment, 'In lists with `expand=payment`: the disputed payment.')),
  },
  { title: 'Dispute', description: 'A payer who wants money back.' },
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
