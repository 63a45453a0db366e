// Whose key it is, and what it may do.
import { Type as T } from 'typebox'
import { instant, oneOf, sum, uuid, whole } from '#/kernel/schema.ts'
import { apiKey } from './keys.ts'
import { withdrawalType } from './withdrawals.ts'
import { currency, mode } from './words.ts'

/** Who pays out: an amount above which a second person approves, one person alone, or the suggested amount where nobody has chosen. */
export const approvalChoice = oneOf(
  'ApprovalChoice',
  ['AMOUNT', 'ONE_PERSON', 'SUGGESTED'],
  'Who chose `approvalAbove`. AMOUNT: your operator. ONE_PERSON: your operator chose that one person pays out any amount. SUGGESTED: nobody; the suggested amount is in force. Absent: there is none, in a sandbox or a sub-account.',
)

export const withdrawalLimit = T.Object(
  {
    type: withdrawalType,
    currency,
    each: T.Optional(sum('The most that one withdrawal may be.')),
    day: T.Optional(sum('The most that may leave on one day in UTC.')),
    spentToday: sum('What was accepted today, in UTC.'),
    approvalAbove: T.Optional(sum('Above this amount a withdrawal waits for a second key. 0: always.')),
    approvalChoice: T.Optional(approvalChoice),
    listedOnly: T.Boolean({ description: 'Only to destinations on the merchant’s list.' }),
  },
  {
    title: 'WithdrawalLimit',
    description: 'What the operator allows in one currency. Fees do not count.',
  },
)

export const caller = T.Object(
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
