// Whose key it is, and what it may do: what a client calls first, with any key.
import { Type as T } from 'typebox'
import { withdrawalType } from '#/contract/withdrawals.ts'
import { currency, mode } from '#/contract/words.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { amountToJson } from '#/kernel/money.ts'
import { instant, sum, uuid, whole } from '#/kernel/schema.ts'
import { selectKey } from '#/merchants/key-queries.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import { selectLimitsToday, type LimitToday } from '#/withdrawals/limit-queries.ts'
import { apiKey, keyRecord } from './key-schemas.ts'
import { route, type Route } from './route.ts'

export const withdrawalLimit = T.Object(
  {
    type: withdrawalType,
    currency,
    each: T.Optional(sum('The most that one withdrawal may be.')),
    day: T.Optional(sum('The most that may leave on one day in UTC.')),
    spentToday: sum('What was accepted today, in UTC.'),
    approvalAbove: T.Optional(sum('Above this amount a withdrawal waits for a second key. 0: always.')),
    listedOnly: T.Boolean({ description: 'Only to destinations on the merchant’s list.' }),
  },
  {
    title: 'WithdrawalLimit',
    description: 'What the operator allows in one currency. Fees do not count.',
  },
)

const caller = T.Object(
  {
    merchant: T.Object(
      { id: uuid(), name: T.String(), mode, createdAt: instant() },
      { title: 'Merchant', description: 'Whose key it is.' },
    ),
    key: apiKey,
    limits: T.Object(
      {
        requests: T.Optional(
          T.Object(
            {
              perSecond: whole(1, 1_000_000_000, 'Requests a second that the key may make without end.'),
              burst: whole(1, 1_000_000_000, 'Requests that the key may make at once.'),
            },
            {
              title: 'RequestLimit',
              description: 'Of each process of the API. Absent: there is no limit.',
            },
          ),
        ),
        withdrawals: T.Array(withdrawalLimit),
      },
      {
        title: 'CallerLimits',
        description: 'A type and currency of withdrawals that is not listed has no limit.',
      },
    ),
  },
  { title: 'Caller', description: 'Whose key it is, and what it may do.' },
)

const getMe = route({
  method: 'GET',
  path: '/v1/me',
  operationId: 'getMe',
  summary: 'Get the merchant, the scopes and the limits of the key',
  description: 'Every key may call it, whatever its scopes.',
  status: 200,
  answer: caller,
  async handle({ sql, rateLimit }, { merchant: { id }, keyId }) {
    const [merchant, key, withdrawals] = await Promise.all([
      selectMerchant(sql, id),
      selectKey(sql, id, keyId),
      selectLimitsToday(sql, id),
    ])
    return {
      record: {
        merchant: must(merchant, 'a key has a merchant'),
        key: keyRecord(must(key, 'it has just been accepted')),
        limits: {
          ...given({ requests: rateLimit }),
          withdrawals: withdrawals.map(limitRecord),
        },
      },
    }
  },
})

/** A limit as the API shows it. */
export function limitRecord({ type, currency, listedOnly, spentMinor, ...limit }: LimitToday) {
  const { eachMinor, dayMinor, approvalAboveMinor } = limit
  return {
    type,
    currency,
    ...(eachMinor === null ? {} : { each: amountToJson(eachMinor) }),
    ...(dayMinor === null ? {} : { day: amountToJson(dayMinor) }),
    spentToday: amountToJson(spentMinor),
    ...(approvalAboveMinor === null ? {} : { approvalAbove: amountToJson(approvalAboveMinor) }),
    listedOnly,
  }
}

export const meRoutes: readonly Route[] = [getMe]
