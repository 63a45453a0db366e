// The shapes of the API, once: they check what comes in, write what goes out, and are the schemas of openapi.json.
import { Type as T } from 'typebox'
import { problems } from '#/kernel/error.ts'
import { paymentExceptions, paymentStatuses } from '#/payments/payment.ts'
import { disputeKinds, disputeStatuses } from '#/disputes/dispute.ts'
import { captureModes, methods, modes } from '#/rails/rail.ts'
import { shownMax } from '#/rails/shown.ts'
import { refundStatuses } from '#/refunds/refund.ts'
import { deliveryStatuses, eventTypes } from '#/webhooks/event.ts'

export function oneOf<const Values extends string>(values: readonly Values[], description?: string) {
  return T.Enum([...values], { type: 'string', ...(description === undefined ? {} : { description }) })
}

export const uuid = (description?: string) =>
  T.String({ format: 'uuid', ...(description === undefined ? {} : { description }) })

export const instant = (description?: string) =>
  T.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })

/** An amount that a caller names: minor units, in what a JSON number carries exactly. */
export const amountIn = T.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Minor units (cents): 1234 is 12.34.',
  examples: [1234],
})

export const minor = (description: string) => T.Integer({ description })

export const metadata = T.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description:
    'Your own fields, echoed as they are, numbers in the digits that you wrote. At most 8 KiB as JSON. No card numbers: what is grouped as cards print it, or stands under a name that says card, is refused.',
  examples: [{ orderId: 'A-1' }],
})

export const currencyOut = T.String({ description: 'BRL, EUR, USD or USDT.', examples: ['USDT'] })
export const mode = oneOf(modes, 'Whose money it is: real, or the sandbox’s.')

export const deposit = T.Object(
  {
    txHash: T.String(),
    amount: T.String({ description: 'Base units with 18 decimals.' }),
    confirmations: T.Integer(),
    final: T.Boolean({ description: 'Whether it counts as money.' }),
    at: instant(),
  },
  { description: 'One transfer to the payment’s address.' },
)

const pixCopyPaste = T.String({ description: 'The BR Code that the payer pastes into the bank’s app.' })
const pixQrCode = T.String({
  description: 'The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks.',
})
const lastError = T.Object(
  { code: T.String(), message: T.String() },
  { description: 'What the provider last refused.' },
)

const customerAddress = T.Object(
  {
    line1: T.String(),
    line2: T.Optional(T.String()),
    district: T.Optional(T.String({ description: 'In Brazil: bairro.' })),
    city: T.String(),
    region: T.Optional(T.String()),
    postcode: T.Optional(T.String()),
    country: T.String({ description: 'ISO 3166-1 alpha-2.' }),
  },
  { description: 'What the payer of a checkout told, where its template asks for an address.' },
)

/** What the creation of a payment answers: never with artifacts that arrive later. */
export const createdPayment = T.Object(
  {
    id: uuid(),
    mode,
    status: oneOf(paymentStatuses),
    amount: minor('As it was sent.'),
    currency: currencyOut,
    paymentMethods: T.Array(oneOf(methods)),
    cardRedirectUrl: T.Optional(
      T.String({ description: 'Where to send the payer (CREDIT_CARD, PARTNER_PAY).' }),
    ),
    checkoutUrl: T.Optional(
      T.String({ description: 'The hosted page, when the payment was created with a checkout.' }),
    ),
    pixCopyPaste: T.Optional(pixCopyPaste),
    pixQrCode: T.Optional(pixQrCode),
    lastError: T.Optional(lastError),
    metadata: T.Optional(metadata),
    createdAt: instant(),
    expiresAt: T.Optional(instant()),
  },
  { description: 'A payment as its creation answers it.' },
)

export const payment = T.Object(
  {
    id: uuid(),
    mode,
    status: oneOf(paymentStatuses, 'PAID is for ever: refunds, disputes and exceptions say the rest.'),
    amount: minor('What was asked for.'),
    currency: currencyOut,
    paymentMethods: T.Array(oneOf(methods)),
    paymentMethod: T.Optional(oneOf(methods, 'The one that is or was used.')),
    amountReceived: minor('What arrived for good, in all.'),
    amountRefunded: minor('What of it was given back, or is on its way back.'),
    amountRefundPending: minor('What of amountRefunded is on its way back: its refunds are PENDING.'),
    refundStatus: oneOf(['NONE', 'PARTIAL', 'FULL']),
    exceptions: T.Array(oneOf(paymentExceptions)),
    fee: minor('What the operator keeps of it.'),
    netAmount: minor('Received less the fee.'),
    walletId: T.Optional(uuid('The wallet that was credited.')),
    customerName: T.Optional(T.String()),
    customerEmail: T.Optional(T.String()),
    customerTaxId: T.Optional(T.String()),
    customerPhone: T.Optional(T.String({ description: 'What the payer of a checkout told, as E.164.' })),
    customerAddress: T.Optional(customerAddress),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(T.String()),
    captureMode: T.Optional(oneOf(captureModes)),
    returnUrl: T.Optional(T.String()),
    cancelUrl: T.Optional(T.String()),
    cardRedirectUrl: T.Optional(T.String()),
    checkoutUrl: T.Optional(T.String()),
    pixCopyPaste: T.Optional(pixCopyPaste),
    pixQrCode: T.Optional(pixQrCode),
    endToEndIds: T.Optional(
      T.Array(T.String(), {
        maxItems: shownMax,
        description:
          'The names that the PIX system gave to what was paid: at most ten, the newest and the one that completed the sum.',
      }),
    ),
    card: T.Optional(
      T.Object({
        brand: T.Optional(T.String()),
        last4: T.Optional(T.String()),
        threeDSecure: T.Optional(T.String()),
      }),
    ),
    cryptoAddress: T.Optional(T.String({ description: 'The address to pay to; this payment’s alone.' })),
    cryptoAmount: T.Optional(
      T.String({ description: 'What to send there, in base units with 18 decimals.' }),
    ),
    cryptoNetwork: T.Optional(T.String({ description: 'The only network to send on.', examples: ['BSC'] })),
    cryptoCurrency: T.Optional(T.String({ examples: ['USDT'] })),
    depositCount: T.Optional(T.Integer({ description: 'How many transfers reached the address, in all.' })),
    deposits: T.Optional(
      T.Array(deposit, {
        maxItems: shownMax,
        description:
          'At most ten, oldest first: the newest, and always the one that completed the sum. All of them: `GET /v1/payments/{id}/deposits`.',
      }),
    ),
    onchainTxHash: T.Optional(
      T.String({ description: 'In webhooks: the transaction whose transfer completed the sum.' }),
    ),
    lastError: T.Optional(lastError),
    createdAt: instant(),
    expiresAt: T.Optional(instant()),
    approvedAt: T.Optional(instant()),
    paidAt: T.Optional(instant()),
    version: T.Integer({ description: 'Grows with each change.' }),
  },
  { description: 'A payment. What does not apply is absent.' },
)

export const refund = T.Object(
  {
    id: uuid(),
    mode,
    paymentId: uuid(),
    status: oneOf(refundStatuses, 'PENDING: held, the provider has not said its end.'),
    amount: minor('What goes back.'),
    currency: currencyOut,
    cryptoAddress: T.Optional(T.String({ description: 'CRYPTO: where the money goes.' })),
    cryptoNetwork: T.Optional(T.String()),
    cryptoCurrency: T.Optional(T.String()),
    txHash: T.Optional(T.String({ description: 'CRYPTO: the transaction that took it there.' })),
    reason: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    approvalRequired: T.Optional(
      T.Boolean({ description: 'Held, and sent by nobody until a second person approves.' }),
    ),
    failureCode: T.Optional(T.String()),
    failureMessage: T.Optional(T.String()),
    createdAt: instant(),
    completedAt: T.Optional(instant()),
    version: T.Integer({ description: 'Grows with each change.' }),
  },
  { description: 'Money of a payment that goes back to its payer.' },
)

export const dispute = T.Object(
  {
    id: uuid(),
    mode,
    paymentId: T.Optional(uuid()),
    status: oneOf(
      disputeStatuses,
      'OPEN: the money is held. LOST may become WON, when the funds are reinstated, and WON may become OPEN or LOST once more.',
    ),
    kind: oneOf(disputeKinds, 'MED is the return of PIX after fraud or a bank’s error.'),
    amount: minor('What the payer wants back.'),
    currency: currencyOut,
    fee: minor('What the provider asks for it.'),
    reason: T.Optional(T.String()),
    evidenceDueAt: T.Optional(instant()),
    createdAt: instant(),
    closedAt: T.Optional(instant()),
    version: T.Integer({ description: 'Grows with each change.' }),
  },
  { description: 'A payer who wants money back.' },
)

export const event = T.Object(
  {
    id: uuid(),
    type: oneOf(eventTypes),
    timestamp: instant(),
    mode,
    sequence: T.Integer({ description: 'Numbers the merchant’s events without gaps.' }),
    data: T.Object(
      {},
      { additionalProperties: true, description: 'The resource as its own GET showed it then.' },
    ),
  },
  { description: 'Something that changed: the very body that is sent to webhook URLs.' },
)

export const delivery = T.Object(
  {
    id: uuid(),
    eventId: uuid(),
    url: T.String(),
    status: oneOf(deliveryStatuses),
    nextAttemptAt: T.Optional(instant()),
    attempts: T.Array(
      T.Object({
        at: instant(),
        durationMs: T.Integer(),
        responseStatus: T.Optional(T.Integer()),
        responseBody: T.Optional(T.String({ description: 'The first 4 KiB.' })),
        error: T.Optional(T.String({ description: 'Why there was no answer.' })),
      }),
    ),
  },
  { description: 'One event sent to one URL, with every attempt.' },
)

export const problemCodes = Object.keys(problems) as readonly (keyof typeof problems)[]

export const problem = T.Object(
  {
    type: T.String({ format: 'uri' }),
    title: T.String(),
    status: T.Integer(),
    code: oneOf(problemCodes, 'The only field to decide by.'),
    detail: T.String(),
    requestId: T.String(),
    errors: T.Optional(
      T.Array(
        T.Object({
          pointer: T.String({ description: 'A JSON pointer into the body, or to a field of the query.' }),
          code: T.String(),
          message: T.String(),
        }),
      ),
    ),
  },
  { additionalProperties: true, description: 'What went wrong (RFC 9457).' },
)

/** One page of a list. */
export function listOf<Item extends T.TSchema>(item: Item) {
  return T.Object({
    data: T.Array(item),
    nextCursor: T.Optional(
      T.String({ description: 'Send it as `cursor` for the next page; absent on the last.' }),
    ),
  })
}

/** The schemas that openapi.json gives a name to. */
export const named: ReadonlyMap<T.TSchema, string> = new Map<T.TSchema, string>([
  [createdPayment, 'CreatedPayment'],
  [payment, 'Payment'],
  [refund, 'Refund'],
  [dispute, 'Dispute'],
  [event, 'Event'],
  [delivery, 'Delivery'],
  [problem, 'Problem'],
])

// ---- What callers send

export const text = (maxLength: number, description: string) =>
  T.String({ minLength: 1, maxLength, description })

const keyMeaning =
  'The same key with the same body answers the first result again. The header Idempotency-Key does the same; when both are sent they must agree.'

export const idempotencyKey = text(255, keyMeaning)

const pageUrl = (description: string) =>
  T.String({
    minLength: 1,
    maxLength: 2_048,
    description: `${description} An https address.`,
    examples: ['https://shop.example.com/orders/A-1'],
  })

export const captureRequest = T.Object(
  { amount: T.Optional(amountIn) },
  { additionalProperties: false, description: 'No amount: all that is authorised.' },
)

export const paymentRequest = T.Object(
  {
    amount: amountIn,
    currency: T.Optional(
      T.String({
        minLength: 1,
        maxLength: 12,
        description: 'Required for CRYPTO and PARTNER_PAY.',
        examples: ['USDT'],
      }),
    ),
    paymentMethods: T.Optional(
      T.Array(oneOf(methods), {
        minItems: 1,
        maxItems: methods.length,
        uniqueItems: true,
        description: 'One method; required without a checkout, a filter with one.',
        examples: [['CRYPTO']],
      }),
    ),
    idempotencyKey: T.Optional(idempotencyKey),
    customerName: T.Optional(T.String({ maxLength: 200 })),
    customerEmail: T.Optional(
      T.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['ana@example.com'] }),
    ),
    customerTaxId: T.Optional(
      T.String({
        minLength: 11,
        maxLength: 18,
        description: 'CPF or CNPJ of the payer, with or without its mask; a CNPJ may have letters.',
        examples: ['529.982.247-25'],
      }),
    ),
    description: T.Optional(
      T.String({ minLength: 1, maxLength: 140, description: 'What the payer reads when paying (PIX).' }),
    ),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(
      T.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'Receives payment.*, refund.* and dispute.* of this payment. A public https address.',
        examples: ['https://shop.example.com/webhooks'],
      }),
    ),
    checkout: T.Optional(text(100, 'Slug of a checkout template.')),
    captureMode: T.Optional(
      oneOf(
        captureModes,
        'CREDIT_CARD: MANUAL authorises only, and you capture or cancel. Without it a card is captured at once.',
      ),
    ),
    returnUrl: T.Optional(pageUrl('Where the payer’s page leads when the payer is done. Proves nothing.')),
    cancelUrl: T.Optional(pageUrl('Where the payer’s page leads when the payer gives up.')),
    expiresIn: T.Optional(
      T.Integer({
        minimum: 60,
        maximum: 2_592_000,
        description: 'Seconds that the payer has.',
        examples: [3600],
      }),
    ),
  },
  { additionalProperties: false },
)

export const refundRequest = T.Object(
  {
    amount: T.Optional(amountIn),
    cryptoAddress: T.Optional(
      text(64, 'Where the money is to go. With it what came by CRYPTO is meant, without it the rest.'),
    ),
    reason: T.Optional(T.String({ minLength: 1, maxLength: 140, description: 'The payer may read it.' })),
    metadata: T.Optional(metadata),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { additionalProperties: false },
)
