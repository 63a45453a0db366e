// Transfers between wallets, and the grants by which a parent takes money.
import { Type as T } from 'typebox'
import { amount, amountIn, instant, oneOf, sum, uuid, version } from '#/kernel/schema.ts'
import * as patterns from './patterns.ts'
import { about, currency, currencyIn, documented, idempotencyKey, metadata, mode, text } from './words.ts'

export const grantStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'REVOKED'] as const

export const transferRequest = documented(
  T.Object(
    {
      fromWalletId: T.Optional(uuid('The wallet that pays. Needed unless `fromSubAccountId` is there.')),
      fromSubAccountId: T.Optional(
        uuid(
          'A sub-account of yours pays, by a transfer grant of its that stands: from `fromWalletId`, by default its default wallet.',
        ),
      ),
      toWalletId: T.Optional(
        uuid('The wallet that gets it, in the same currency. Needed unless `toSubAccountId` is there.'),
      ),
      toSubAccountId: T.Optional(
        uuid('A sub-account of yours gets it: in `toWalletId`, by default its default wallet.'),
      ),
      amount: amountIn,
      description: T.Optional(text(200, 'For people: shown in the statement, a sub-account’s too.')),
      metadata: T.Optional(metadata),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreateTransferRequest', additionalProperties: false },
  ),
  {
    allOf: [
      { anyOf: [{ required: ['fromWalletId'] }, { required: ['fromSubAccountId'] }] },
      { anyOf: [{ required: ['toWalletId'] }, { required: ['toSubAccountId'] }] },
    ],
    not: { required: ['fromSubAccountId', 'toSubAccountId'] },
  },
)

export const transfer = T.Object(
  {
    id: uuid(),
    mode,
    amount: amount('The amount that moved.'),
    currency,
    fromWalletId: T.Optional(uuid('Absent where it is one of your parent’s.')),
    toWalletId: T.Optional(uuid('Absent where it is one of your parent’s.')),
    fromSubAccountId: T.Optional(uuid('The sub-account of yours that paid.')),
    toSubAccountId: T.Optional(uuid('The sub-account of yours that got it.')),
    fromParent: T.Optional(T.Boolean({ description: 'Your parent paid: `true`, or absent.' })),
    toParent: T.Optional(
      T.Boolean({
        description: 'Your parent took it, or it came for you after you were closed: `true`, or absent.',
      }),
    ),
    grantId: T.Optional(uuid('The transfer grant by which it was taken from a sub-account.')),
    sourceId: T.Optional(
      uuid(
        'Money that came for a closed sub-account and went on to its parent: the payment, withdrawal or other record whose money it was, or the sub-account itself when the operator moved what it still had.',
      ),
    ),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    version: about(version, 'Always 1: a transfer never changes.'),
    createdAt: instant(),
  },
  {
    title: 'Transfer',
    description:
      'Money that moved between two wallets of one currency, at once and for good: both yours, or one of a sub-account of yours.',
  },
)

export const transferGrant = T.Object(
  {
    id: uuid(),
    mode,
    subAccountId: T.Optional(uuid('Who gave it. Absent where it is you.')),
    status: oneOf(
      'TransferGrantStatus',
      grantStatuses,
      'ACTIVE: it stands. USED_UP: `maxAmount` was taken. EXPIRED: `expiresAt` has come. REVOKED: the sub-account ended it, or the operator did, when closing the sub-account.',
    ),
    currency,
    maxAmount: T.Optional(amount('What may be taken, all transfers together.')),
    amountTaken: sum('What was taken by it.'),
    expiresAt: T.Optional(instant()),
    description: T.Optional(T.String()),
    createdAt: instant(),
    revokedAt: T.Optional(instant()),
    version,
  },
  {
    title: 'TransferGrant',
    description: 'A sub-account lets its parent take money from its wallets of one currency.',
  },
)

export const transferGrantRequest = documented(
  T.Object(
    {
      currency: currencyIn('Of the wallets that the parent may take from.'),
      maxAmount: T.Optional(about(amountIn, 'What may be taken in minor units, all transfers together.')),
      expiresAt: T.Optional(
        documented(T.String({ maxLength: 40, description: 'From then on nothing is taken by it.' }), {
          pattern: patterns.instant,
        }),
      ),
      description: T.Optional(text(200, 'For people: why.')),
      idempotencyKey: T.Optional(idempotencyKey),
    },
    { title: 'CreateTransferGrantRequest', additionalProperties: false },
  ),
  { anyOf: [{ required: ['maxAmount'] }, { required: ['expiresAt'] }] },
)
