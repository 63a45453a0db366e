// Payments: what answers and webhooks show. payment-requests.ts has what callers send.
import { Type as T, type TSchema } from 'typebox'
import { amount, instant, oneOf, sum, uuid, version, whole } from '#/kernel/schema.ts'
import * as patterns from './patterns.ts'
import { recordFields, recordFieldsAtCreation } from './payment-rail-fields.ts'
import { about, captureMode, currency, metadata, mode, paymentMethod } from './words.ts'

export const paymentStatuses = [
  'PENDING',
  'WAITING_PAYMENT',
  'APPROVED',
  'PAID',
  'EXPIRED',
  'FAILED',
  'CANCELED',
] as const

export const paymentExceptions = ['UNDERPAID', 'OVERPAID', 'LATE', 'DUPLICATE'] as const

export const paymentStatus = oneOf(
  'PaymentStatus',
  paymentStatuses,
  'PAID is for ever: refunds, disputes and exceptions say the rest.',
)
const paymentRefundStatus = oneOf(
  'PaymentRefundStatus',
  ['NONE', 'PARTIAL', 'FULL'],
  'How much of what was received went back.',
)
const paymentException = oneOf(
  'PaymentException',
  paymentExceptions,
  'What is remarkable about the money of a payment.',
)
/** What a caller says of a payment, and its record shows as it was sent. */
export const echoedFields = {
  metadata: T.Optional(metadata),
  captureMode: T.Optional(captureMode),
}

/** 12 digits: more than any price, and fewer than a card number has. */
const unitPriceMax = 999_999_999_999

/** What a payment is for. Shapes of requests refuse other fields, those of answers may get more. */
export const itemFields = {
  name: T.String({
    minLength: 1,
    maxLength: 120,
    pattern: patterns.oneLine,
    description: 'What the payer reads. One line.',
    examples: ['Coffee beans, 1 kg'],
  }),
  quantity: whole(1, 1_000_000, 'How many units.', [2]),
  amount: whole(
    -unitPriceMax,
    unitPriceMax,
    'The price of one unit, in minor units. Negative for a discount, 0 for a gift.',
    [500],
  ),
}

/** A list of items. */
export function itemsOf<Item extends TSchema>(item: Item) {
  const description =
    'What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON.'
  return T.Array<Item>(item, { minItems: 1, maxItems: 100, description })
}

/** A share of a payment. Shapes of requests refuse other fields, those of answers may get more. */
export const splitFields = {
  subAccountId: uuid('A sub-account of yours.'),
  walletId: T.Optional(uuid('A wallet of it. Default: its default wallet of the currency.')),
  amount: T.Optional(amount('A fixed part, when all is paid; pro rata before.', [1500])),
  percent: T.Optional(
    T.String({
      minLength: 1,
      maxLength: 8,
      pattern: '^[0-9]{1,3}(\\.[0-9]{1,4})?$',
      description: 'A part of all that is received: up to 100, as a text with at most four decimals.',
      examples: ['33.33'],
    }),
  ),
  label: T.Optional(T.String({ minLength: 1, maxLength: 100, description: 'What the sub-account reads.' })),
}

/** A list of shares. */
export function splitsOf<Split extends TSchema>(split: Split) {
  const description = 'Sub-accounts that get shares of what is received. You keep the rest.'
  return T.Array<Split>(split, { minItems: 1, maxItems: 20, description })
}

const lastError = T.Object(
  { code: T.String(), message: T.String() },
  { title: 'PaymentError', description: 'What the provider last refused.' },
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
  {
    title: 'CustomerAddress',
    description: 'The payer’s address: yours, or what the payer of a checkout entered.',
  },
)

const items = itemsOf(
  T.Object(itemFields, { title: 'PaymentItem', description: 'One line of what a payment is for.' }),
)

/** What the caller sent beside amount, currency and methods, as every record of the payment shows it. `expiresIn` is in `expiresAt`. */
export const sentFields = {
  idempotencyKey: T.Optional(
    T.String({ description: 'The key of the call that made it. A payment of a payment link has none.' }),
  ),
  checkout: T.Optional(T.String({ description: 'The slug of its checkout template.' })),
  customerName: T.Optional(T.String()),
  customerEmail: T.Optional(T.String()),
  customerTaxId: T.Optional(T.String()),
  customerPhone: T.Optional(
    T.String({ description: 'The payer’s phone as E.164: yours, or what the payer of a checkout entered.' }),
  ),
  customerAddress: T.Optional(customerAddress),
  customerCountry: T.Optional(T.String({ description: 'ISO 3166-1 alpha-2, as you sent it.' })),
  description: T.Optional(T.String()),
  ...echoedFields,
  items: T.Optional(items),
  webhookUrl: T.Optional(T.String()),
  returnUrl: T.Optional(T.String()),
  cancelUrl: T.Optional(T.String()),
  splits: T.Optional(
    splitsOf(T.Object(splitFields, { title: 'PaymentSplit', description: 'What a sub-account gets.' })),
  ),
  feePayer: T.Optional(uuid('The sub-account that pays our fee from its share.')),
}

/** The answer to the creation of a payment: never with artifacts that arrive later. */
export const createdPayment = T.Object(
  {
    id: uuid(),
    mode,
    status: paymentStatus,
    amount: amount('As it was sent.'),
    currency,
    paymentMethods: T.Array(paymentMethod),
    cardRedirectUrl: T.Optional(
      T.String({ description: 'Where to send the payer (CREDIT_CARD, PARTNER_PAY, local methods).' }),
    ),
    checkoutUrl: T.Optional(
      T.String({ description: 'The hosted page, when the payment was created with a checkout.' }),
    ),
    ...recordFieldsAtCreation,
    lastError: T.Optional(lastError),
    ...sentFields,
    createdAt: instant(),
    expiresAt: T.Optional(instant()),
  },
  { title: 'CreatedPayment', description: 'A payment as its creation returns it.' },
)

export const payment = T.Object(
  {
    id: uuid(),
    mode,
    status: paymentStatus,
    amount: amount('The amount that was requested.'),
    currency,
    paymentMethods: T.Array(paymentMethod),
    paymentMethod: T.Optional(about(paymentMethod, 'The one that is or was used.')),
    amountReceived: sum('All that arrived and is final.'),
    amountRefunded: sum('The part of it that was refunded, or is on its way back.'),
    amountRefundPending: sum('The part of amountRefunded that is on its way back: its refunds are PENDING.'),
    refundStatus: paymentRefundStatus,
    exceptions: T.Array(paymentException),
    fee: sum('The operator’s fee.'),
    netAmount: sum('Received less the fee.'),
    paymentLinkId: T.Optional(uuid('The payment link that made it.')),
    walletId: T.Optional(uuid('The wallet that was credited.')),
    ...sentFields,
    payerErasedAt: T.Optional(
      instant(
        'What was known of its payer was erased then, with `description`, `metadata`, `items`, `returnUrl` and `cancelUrl`.',
      ),
    ),
    cardRedirectUrl: T.Optional(T.String()),
    checkoutUrl: T.Optional(T.String()),
    ...recordFields,
    onchainTxHash: T.Optional(
      T.String({
        description:
          'Only in webhooks and `GET /v1/events`: the transaction on the chain whose transfer completed the sum. Elsewhere: `deposits[].txHash`.',
      }),
    ),
    lastError: T.Optional(lastError),
    createdAt: instant(),
    expiresAt: T.Optional(instant()),
    approvedAt: T.Optional(instant()),
    paidAt: T.Optional(instant()),
    version,
  },
  { title: 'Payment', description: 'A payment. What does not apply is absent.' },
)
