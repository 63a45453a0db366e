// What a withdrawal would cost and what is allowed: for the step in which a person reviews it, and all of it at a glance.
import { Type as T } from 'typebox'
import { withdrawalLimit } from '#/contract/me.ts'
import { withdrawalType } from '#/contract/withdrawals.ts'
import { limitRecord } from '#/http/me.ts'
import { queryOf } from '#/http/query.ts'
import { amountFromJson, amountToJson } from '#/kernel/money.ts'
import { amountIn, sum } from '#/kernel/schema.ts'
import { selectFirstDestinations } from '#/money-out/queries.ts'
import { limitsNow, withdrawalTerms } from '#/withdrawals/terms.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const get = memberRoute({
  route: 'GET /withdrawal-terms',
  permission: 'withdrawals:read',
  operationId: 'getWithdrawalTerms',
  summary: 'The fee and the limits of a withdrawal of this amount',
  answer: T.Object(
    {
      fee: sum('On top of the amount.'),
      needsApproval: T.Boolean({ description: 'It would wait for a second person.' }),
      limit: T.Optional(withdrawalLimit),
    },
    { title: 'WithdrawalTerms' },
  ),
  query: queryOf({ type: withdrawalType, currency: T.String({ maxLength: 20 }), amount: amountIn }),
  async handle({ http }, { caller, query }) {
    const { type, currency, amount } = query
    const { feeMinor, needsApproval, limit } = await withdrawalTerms(http.sql, caller.merchant, {
      type,
      currency,
      amountMinor: amountFromJson(amount),
    })
    return {
      fee: amountToJson(feeMinor),
      needsApproval,
      ...(limit === undefined ? {} : { limit: limitRecord(limit) }),
    }
  },
})

const destinationsMax = 200

const limits = memberRoute({
  route: 'GET /withdrawal-limits',
  permission: 'withdrawals:read',
  operationId: 'getWithdrawalLimits',
  summary: 'What the operator allows, what was spent of it today, and the destinations on the list',
  answer: T.Object(
    {
      limits: T.Array(withdrawalLimit),
      destinations: T.Array(T.Object({ type: withdrawalType, destination: T.String() }), {
        description: `The first ${destinationsMax}.`,
      }),
      hasMore: T.Boolean({ description: 'There are further destinations.' }),
    },
    { title: 'WithdrawalLimits' },
  ),
  async handle({ http: { sql } }, { caller: { merchant } }) {
    const [allowed, listed] = await Promise.all([
      limitsNow(sql, merchant),
      selectFirstDestinations(sql, merchant.id, destinationsMax + 1),
    ])
    return {
      limits: allowed.map(limitRecord),
      destinations: listed.slice(0, destinationsMax).map(({ type, destination }) => ({ type, destination })),
      hasMore: listed.length > destinationsMax,
    }
  },
})

export const withdrawalTermsRoutes: readonly DashboardRoute[] = [get, limits]
