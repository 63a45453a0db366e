// The shapes of the API, once: they check what comes in, write what goes out, and are the schemas of openapi.json.
import { Type as T } from 'typebox'
import { problems } from '#/kernel/error.ts'
import { walletCurrencies, walletTypes } from '#/wallets/wallet.ts'
import { statementKinds } from '#/wallets/statement.ts'
import { paymentExceptions, paymentStatuses } from '#/payments/payment.ts'
import { methods, modes } from '#/rails/rail.ts'
import { deliveryStatuses, eventTypes } from '#/webhooks/event.ts'

export function oneOf<const Values extends string>(values: readonly Values[], description?: string) {
  return T.Enum([...values], { type: 'string', ...(description === undefined ? {} : { description }) })
}

export const uuid = (description?: string) =>
  T.String({ format: 'uuid', ...(description === undefined ? {} : { description }) })

const instant = (description?: string) =>
  T.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })

/** An amount that a caller names: minor units, in what a JSON number carries exactly. */
export const amountIn = T.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Minor units (cents): 1234 is 12.34.',
  examples: [1234],
})

const minor = (description: string) => T.Integer({ description })

const metadata = T.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'Your own fields, echoed as they are. At most 8 KiB as JSON.',
  examples: [{ orderId: 'A-1' }],
})

const currencyOut = T.String({ description: 'BRL, EUR, USD or USDT.', examples: ['USDT'] })
const mode = oneOf(modes, 'Whose money it is: real, or the sandbox’s.')

const deposit = T.Object(
  {
    txHash: T.String(),
    amount: T.String({ description: 'Base units with 18 decimals.' }),
    confirmations: T.Integer(),
    final: T.Boolean({ description: 'Whether it counts as money.' }),
    at: instant(),
  },
  { description: 'One transfer to the payment’s address.' },
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
    pixCopyPaste: T.Optional(T.String()),
    pixQrCode: T.Optional(T.String()),
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
    amountRefunded: minor('What of it was given back.'),
    refundStatus: oneOf(['NONE', 'PARTIAL', 'FULL']),
    exceptions: T.Array(oneOf(paymentExceptions)),
    fee: minor('What the operator keeps of it.'),
    netAmount: minor('Received less the fee.'),
    walletId: T.Optional(uuid('The wallet that was credited.')),
    customerName: T.Optional(T.String()),
    customerEmail: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(T.String()),
    cardRedirectUrl: T.Optional(T.String()),
    checkoutUrl: T.Optional(T.String()),
    pixCopyPaste: T.Optional(T.String()),
    pixQrCode: T.Optional(T.String()),
    endToEndIds: T.Optional(T.Array(T.String())),
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
    deposits: T.Optional(T.Array(deposit)),
    onchainTxHash: T.Optional(
      T.String({ description: 'In webhooks: the transaction whose transfer completed the sum.' }),
    ),
    lastError: T.Optional(T.Object({ code: T.String(), message: T.String() })),
    createdAt: instant(),
    expiresAt: T.Optional(instant()),
    approvedAt: T.Optional(instant()),
    paidAt: T.Optional(instant()),
    version: T.Integer({ description: 'Grows with each change.' }),
  },
  { description: 'A payment. What does not apply is absent.' },
)

const balances = {
  balance: minor('What can be withdrawn now.'),
  pendingBalance: minor('Incoming: not final, or not released.'),
  heldBalance: minor('Set aside for withdrawals, refunds and disputes.'),
}

export const wallet = T.Object(
  {
    id: uuid(),
    currency: currencyOut,
    label: T.String(),
    walletType: oneOf(walletTypes),
    isDefault: T.Boolean({ description: 'Money received in the currency is credited here.' }),
    isActive: T.Boolean(),
    createdAt: instant(),
    ...balances,
  },
  { description: 'A wallet with its balances, in minor units.' },
)

export const consolidated = T.Object(
  {
    data: T.Array(
      T.Object({
        currency: currencyOut,
        ...balances,
        owed: minor('What the merchant owes; later credits repay it first.'),
        byWalletType: T.Array(T.Object({ walletType: oneOf(walletTypes), ...balances })),
      }),
    ),
    asOf: instant(),
  },
  { description: 'The sums of each currency over all wallets.' },
)

export const statementEntry = T.Object(
  {
    id: uuid(),
    walletId: uuid(),
    currency: currencyOut,
    kind: oneOf(statementKinds),
    amount: minor('Signed: positive came in, negative went out.'),
    balance: minor('The wallet’s balance after this movement.'),
    postedAt: instant(),
    description: T.String(),
    paymentId: T.Optional(uuid()),
    refundId: T.Optional(uuid()),
    withdrawalId: T.Optional(uuid()),
    transferId: T.Optional(uuid()),
    disputeId: T.Optional(uuid()),
  },
  { description: 'One posted movement of a wallet’s available balance.' },
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
  [wallet, 'Wallet'],
  [consolidated, 'ConsolidatedBalance'],
  [statementEntry, 'StatementEntry'],
  [event, 'Event'],
  [delivery, 'Delivery'],
  [problem, 'Problem'],
])

// ---- What callers send

const text = (maxLength: number, description: string) => T.String({ minLength: 1, maxLength, description })

const idempotencyKey = text(255, 'The same key with the same body answers the first result again.')

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
    idempotencyKey,
    customerName: T.Optional(T.String({ maxLength: 200 })),
    customerEmail: T.Optional(
      T.String({ maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['ana@example.com'] }),
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

export const walletRequest = T.Object(
  {
    currency: T.String({
      minLength: 1,
      maxLength: 12,
      description: walletCurrencies.join(', '),
      examples: ['BRL'],
    }),
    walletType: oneOf(walletTypes, 'RESERVE takes no withdrawals.'),
    label: text(100, 'A name for people.'),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { additionalProperties: false },
)
