// The shapes that callers send for payments and refunds: they check requests and are published in openapi.json.
import { Type as T } from 'typebox'
import { documented, idempotencyKey, metadata, text, when } from '#/contract/words.ts'
import { amountIn } from '#/kernel/schema.ts'

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
