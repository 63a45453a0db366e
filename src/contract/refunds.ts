// Refunds.
import { Type as T } from 'typebox'
import { amountIn, instant, oneOf, sum, uuid, version } from '#/kernel/schema.ts'
import { payment } from './payments.ts'
import { about, currency, documented, idempotencyKey, metadata, mode, text, when } from './words.ts'

export const refundStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const
export const refundStatus = oneOf(
  'RefundStatus',
  refundStatuses,
  'PENDING: held, the provider has not reported its end.',
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

/** One refund is of one method: checked by refunds.ts. */
const toOnePlace = when(
  { required: ['cryptoAddress'] },
  { not: { anyOf: [{ required: ['iban'] }, { required: ['beneficiary'] }] } },
)

export const refundRequest = documented(
  T.Object(
    {
      amount: T.Optional(amountIn),
      cryptoAddress: T.Optional(
        text(64, 'Where the money is to go. With it what came by CRYPTO is meant, without it the rest.'),
      ),
      iban: T.Optional(
        text(
          42,
          'Where the money is to go; spaces do not count. With it what came by SEPA_TRANSFER is meant. Default: the account that it came from.',
        ),
      ),
      beneficiary: T.Optional(
        text(
          70,
          'The holder of the account. Default: the sender. Needed with another iban than the sender’s.',
        ),
      ),
      reason: T.Optional(text(140, 'The payer may read it.')),
      coverShortfall: T.Optional(
        T.Boolean({
          description:
            'Of a split payment: your wallet pays what sub-accounts lack of their shares, and they owe it to you. Without it such a refund is refused.',
        }),
      ),
      metadata: T.Optional(metadata),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreateRefundRequest', additionalProperties: false },
  ),
  toOnePlace,
)
