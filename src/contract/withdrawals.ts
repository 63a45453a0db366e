// Withdrawals, alone and in batches.
import { Type as T } from 'typebox'
import { amount, amountIn, instant, oneOf, sum, uuid, version, whole } from '#/kernel/schema.ts'
import * as patterns from './patterns.ts'
import { currency, currencyIn, documented, idempotencyKey, metadata, mode, text, url, when } from './words.ts'

/** The ways in which money leaves. */
export const payoutTypes = ['PIX', 'CRYPTO', 'SEPA'] as const

export const withdrawalStatuses = [
  'PENDING',
  'PENDING_APPROVAL',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
] as const

export const pixKeyTypes = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const

/** The words that a caller may use: RANDOM is another word for EVP. */
const pixKeyTypeWords = [...pixKeyTypes, 'RANDOM'] as const

/** The most withdrawals in one batch. */
export const batchCountMax = 1_000

export const batchStatuses = ['PENDING_APPROVAL', 'IN_PROGRESS', 'ENDED'] as const

export const withdrawalType = oneOf('WithdrawalType', payoutTypes, 'How the money leaves.')
export const withdrawalStatus = oneOf(
  'WithdrawalStatus',
  withdrawalStatuses,
  'PROCESSING: sent to the provider, its end is not known. COMPLETED: the recipient has it.',
)

export const destination = {
  pixKey: T.Optional(text(77, 'PIX: the recipient’s key.')),
  cryptoAddress: T.Optional(
    text(64, 'CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one.'),
  ),
  cryptoNetwork: T.Optional(
    text(20, 'CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name.'),
  ),
  cryptoCurrency: T.Optional(text(20, 'CRYPTO: default USDT. In any capitals.')),
  iban: T.Optional(text(42, 'SEPA: the recipient’s account; spaces do not count.')),
  beneficiary: T.Optional(text(70, 'SEPA: the holder of the account, as the recipient’s bank has it.')),
}

export const withdrawal = T.Object(
  {
    id: uuid(),
    mode,
    type: withdrawalType,
    status: withdrawalStatus,
    amount: amount('The amount that the recipient gets.'),
    fee: sum('On top of the amount.'),
    totalDebited: sum('Amount and fee.'),
    currency,
    walletId: uuid('The wallet it leaves from.'),
    batchId: T.Optional(uuid('The batch that it was requested in.')),
    payoutScheduleId: T.Optional(uuid('The schedule that requested it.')),
    ...destination,
    pixKeyType: T.Optional(oneOf('PixKeyType', pixKeyTypes, 'PIX: what the key is.')),
    description: T.Optional(T.String()),
    metadata: T.Optional(metadata),
    webhookUrl: T.Optional(T.String()),
    providerRef: T.Optional(T.String({ description: 'The provider’s own id of it.' })),
    endToEndId: T.Optional(T.String({ description: 'PIX: its end-to-end id.' })),
    txHash: T.Optional(T.String({ description: 'CRYPTO: the transaction.' })),
    failureCode: T.Optional(T.String()),
    failureMessage: T.Optional(T.String()),
    amountReturned: T.Optional(sum('The amount that came back after it was completed.')),
    reviewRequired: T.Optional(
      T.Boolean({
        description:
          'Its end is unknown for so long that the operator has to check it, or it is not sent because limits do not allow it any more.',
      }),
    ),
    createdAt: instant(),
    completedAt: T.Optional(instant()),
    version,
  },
  { title: 'Withdrawal', description: 'Money that leaves.' },
)

/** The fields that only some types need: checked by withdrawals.ts and the payout rails (decision 4). */
export const byType = when(
  { properties: { type: { const: 'PIX' } } },
  {
    required: ['pixKey', 'pixKeyType'],
    ...pixKeyAs(Object.entries({ ...patterns.pixKeys, RANDOM: patterns.pixKeys.EVP })),
  },
  when(
    { properties: { type: { const: 'SEPA' } } },
    { required: ['iban', 'beneficiary'] },
    { required: ['cryptoAddress'], properties: { cryptoAddress: { pattern: patterns.evmAddress } } },
  ),
)

/** The pattern of a key of each type, one `if` in the `else` of another. */
function pixKeyAs([first, ...others]: readonly (readonly [string, string])[]): object {
  if (first === undefined) return {}
  const [type, pattern] = first
  const isOfType = { properties: { pixKeyType: { const: type } } }
  const rest = others.length === 0 ? undefined : pixKeyAs(others)
  return when(isOfType, { properties: { pixKey: { pattern } } }, rest)
}

/** The fields of a withdrawal that a merchant decides, but for its amount. */
export const orderFields = {
  type: withdrawalType,
  currency: currencyIn('BRL for PIX, USDT for CRYPTO, EUR for SEPA.'),
  walletId: T.Optional(uuid('The wallet to debit.')),
  ...destination,
  pixKeyType: T.Optional(
    oneOf(
      'PixKeyTypeInput',
      pixKeyTypeWords,
      'PIX: the type of the key; never guessed. RANDOM is EVP. A PHONE without +55 counts as Brazilian.',
    ),
  ),
  description: T.Optional(text(140, 'The recipient may read it.')),
  metadata: T.Optional(metadata),
  webhookUrl: T.Optional(
    url('Receives withdrawal.* of it. A public https address.', 'https://shop.example.com/webhooks'),
  ),
}

/** The fields of a withdrawal that is requested, alone or in a batch. */
const requested = { ...orderFields, amount: amountIn }

export const withdrawalRequest = documented(
  T.Object(
    { ...requested, idempotencyKey: T.Optional(idempotencyKey) },
    { title: 'CreateWithdrawalRequest', additionalProperties: false },
  ),
  byType,
)

const batchStatus = oneOf(
  'WithdrawalBatchStatus',
  batchStatuses,
  'PENDING_APPROVAL: it waits for a second key. IN_PROGRESS: the end of a withdrawal of it is not known yet. ENDED: each has its end.',
)

const batched = {
  id: uuid(),
  status: batchStatus,
  count: whole(1, batchCountMax, 'How many withdrawals it has.'),
  idempotencyKey: T.String(),
  createdAt: instant(),
}

export const listedBatch = T.Object(batched, {
  title: 'ListedWithdrawalBatch',
  description: 'Withdrawals that were accepted together.',
})

export const withdrawalBatch = T.Object(
  {
    ...batched,
    progress: T.Array(
      T.Object(
        {
          status: withdrawalStatus,
          currency,
          count: whole(1, batchCountMax, 'Withdrawals of this status and currency.'),
          amount: sum('Their amounts together.'),
          fee: sum('Their fees together.'),
        },
        { title: 'WithdrawalBatchProgress', description: 'The withdrawals of one status and currency.' },
      ),
    ),
  },
  {
    title: 'WithdrawalBatch',
    description: 'Withdrawals that were accepted together. Each has its own end.',
  },
)

export const batchRequest = documented(
  T.Object(
    {
      idempotencyKey: T.Optional(idempotencyKey),
      withdrawals: T.Array(
        documented(
          T.Object(requested, { title: 'BatchedWithdrawalRequest', additionalProperties: false }),
          byType,
        ),
        { minItems: 1, maxItems: batchCountMax },
      ),
    },
    {
      title: 'CreateWithdrawalBatchRequest',
      description: 'The key may come as the header Idempotency-Key instead.',
      additionalProperties: false,
    },
  ),
  { required: ['idempotencyKey', 'withdrawals'] },
)
