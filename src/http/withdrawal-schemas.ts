// The shapes of withdrawals.
import { Type as T } from 'typebox'
import { pixKeyTypes, pixKeyTypeWords } from '#/rails/pix/pix-key.ts'
import { payoutTypes } from '#/rails/payout-rail.ts'
import { withdrawalStatuses } from '#/withdrawals/withdrawal.ts'
import {
  amountIn,
  currencyOut,
  idempotencyKey,
  instant,
  metadata,
  minor,
  mode,
  oneOf,
  text,
  uuid,
} from './schemas.ts'

const destination = {
  pixKey: T.Optional(text(77, 'PIX: the recipient’s key.')),
  cryptoAddress: T.Optional(
    text(64, 'CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one.'),
  ),
  cryptoNetwork: T.Optional(text(20, 'CRYPTO: default BSC.')),
  cryptoCurrency: T.Optional(text(20, 'CRYPTO: default USDT.')),
}

export const withdrawal = T.Object(
  {
    id: uuid(),
    mode,
    type: oneOf(payoutTypes),
    status: oneOf(
      withdrawalStatuses,
      'PROCESSING: the provider was asked and its end is not known. COMPLETED: the recipient has it.',
    ),
    amount: minor('What the recipient gets.'),
    fee: minor('On top of the amount.'),
    totalDebited: minor('Amount and fee.'),
    currency: currencyOut,
    walletId: uuid('The wallet it leaves from.'),
    ...destination,
    pixKeyType: T.Optional(oneOf(pixKeyTypes, 'PIX: what the key is.')),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(T.String()),
    providerRef: T.Optional(T.String({ description: 'The provider’s own name of it.' })),
    endToEndId: T.Optional(T.String({ description: 'PIX: its name in the PIX system.' })),
    txHash: T.Optional(T.String({ description: 'CRYPTO: the transaction.' })),
    failureCode: T.Optional(T.String()),
    failureMessage: T.Optional(T.String()),
    amountReturned: T.Optional(minor('What came back after it was completed.')),
    reviewRequired: T.Optional(
      T.Boolean({
        description:
          'Its end is unknown for so long that the operator looks, or it is not sent because limits do not allow it any more.',
      }),
    ),
    createdAt: instant(),
    completedAt: T.Optional(instant()),
    version: T.Integer({ description: 'Grows with each change.' }),
  },
  { description: 'Money that leaves.' },
)

export const withdrawalRequest = T.Object(
  {
    type: oneOf(payoutTypes, undefined),
    amount: amountIn,
    currency: T.String({ minLength: 1, maxLength: 12, examples: ['BRL'] }),
    walletId: T.Optional(uuid('The wallet to debit.')),
    ...destination,
    pixKeyType: T.Optional(
      oneOf(
        pixKeyTypeWords,
        'PIX: what the key is; never guessed. RANDOM is EVP. A PHONE without +55 is taken as Brazilian.',
      ),
    ),
    description: T.Optional(text(140, 'The recipient may read it.')),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(
      T.String({ minLength: 1, maxLength: 2_048, description: 'Receives withdrawal.* of it.' }),
    ),
    idempotencyKey: T.Optional(idempotencyKey),
  },
  { additionalProperties: false },
)

/** Those that openapi.json gives a name to. */
export const namedWithdrawalSchemas: ReadonlyMap<T.TSchema, string> = new Map<T.TSchema, string>([
  [withdrawal, 'Withdrawal'],
])
