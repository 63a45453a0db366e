// Whose key it is, and what it may do: what a client calls first, with any key.
import { caller, type withdrawalLimit } from '#/contract/me.ts'
import { recordOf, type Of } from '#/contract/record.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { amountToJson } from '#/kernel/money.ts'
import { selectKey } from '#/merchants/key-queries.ts'
import { keyRecord } from '#/merchants/keys.ts'
import { selectMerchant } from '#/merchants/queries.ts'
import type { LimitToday } from '#/money-out/queries.ts'
import { limitsNow } from '#/withdrawals/terms.ts'
import * as examples from './example-records.ts'
import { route, type Route } from './route.ts'

const getMe = route({
  route: 'GET /v1/me',
  operationId: 'getMe',
  summary: 'Get the merchant, the scopes and the limits of the key',
  description: 'Every key may call it, whatever its scopes.',
  answer: caller,
  example: examples.caller,
  async handle({ sql, rateLimit }, { merchant: { id, mode: ofKey }, keyId }) {
    const [merchant, key, withdrawals] = await Promise.all([
      selectMerchant(sql, id),
      selectKey(sql, id, keyId),
      limitsNow(sql, { id, mode: ofKey }),
    ])
    const { name, mode, createdAt } = must(merchant, 'a key has a merchant')
    return {
      record: {
        merchant: { id, name, mode, createdAt: createdAt.toISOString() },
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
export function limitRecord(limit: LimitToday): Of<typeof withdrawalLimit> {
  const amountOf = (minor: bigint | null) => (minor === null ? undefined : amountToJson(minor))
  return recordOf<typeof withdrawalLimit>({
    type: limit.type,
    currency: limit.currency,
    each: amountOf(limit.eachMinor),
    day: amountOf(limit.dayMinor),
    spentToday: amountToJson(limit.spentMinor),
    approvalAbove: amountOf(limit.approvalAboveMinor),
    approvalChoice: choiceOf(limit),
    listedOnly: limit.listedOnly,
  })
}

function choiceOf({ approvalAboveMinor, onePerson, isSuggested }: LimitToday) {
  if (isSuggested === true) return 'SUGGESTED'
  if (onePerson === true) return 'ONE_PERSON'
  return approvalAboveMinor === null ? undefined : 'AMOUNT'
}

export const meRoutes: readonly Route[] = [getMe]
