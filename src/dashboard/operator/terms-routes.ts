// What the operator agrees with a merchant: fees, limits of withdrawals and where they may go, and the default wallet.
import { Type as T } from 'typebox'
import { approvalChoice } from '#/contract/me.ts'
import { wallet } from '#/contract/wallets.ts'
import { payoutTypes } from '#/contract/withdrawals.ts'
import { currency } from '#/contract/words.ts'
import { limitRecord } from '#/http/me.ts'
import { pageSize, paging, queryOf, readCursor, writeCursor } from '#/http/query.ts'
import { must } from '#/kernel/check.ts'
import { given, withoutNulls } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { instant, oneOf, sum, uuid, whole } from '#/kernel/schema.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { selectDestinations } from '#/money-out/queries.ts'
import {
  allowDestinationAct,
  changeLimitsAct,
  makeDefaultWallet,
  removeDestinationAct,
  setFeeAct,
} from '#/operator/acts/terms.ts'
import { feeMethods } from '#/operator/fees.ts'
import type { Listed } from '#/operator/limits.ts'
import { requireMerchant } from '#/operator/merchants.ts'
import { selectFeeHistory } from '#/operator/queries.ts'
import { walletRecords } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { limitsNow } from '#/withdrawals/terms.ts'
import type { DashboardDeps } from '../deps.ts'
import { listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'

const feeMethod = oneOf('FeeMethod', feeMethods, 'Payments of a method, or withdrawals of a type.')
const fixed = whole(0, Number.MAX_SAFE_INTEGER, 'Of each one, in minor units.')
const ratePpm = whole(0, 1_000_000, 'Of its amount, in millionths: 15000 is 1.5 %.')

const fees = operatorRoute({
  route: 'GET /operator/merchants/{id}/fees',
  operationId: 'listFees',
  summary: 'The fees of a merchant that are in force',
  answer: T.Object({
    data: T.Array(T.Object({ method: feeMethod, currency, fixed, ratePpm, validFrom: instant() })),
  }),
  async handle({ http: { sql } }, { id }) {
    const merchant = await requireMerchant(sql, id as MerchantId)
    const rules = await selectFeeRules(sql, [merchant.id])
    const data = rules.map((rule) => {
      const { fixedMinor, merchantId: _, ...shown } = rule
      return { ...shown, fixed: fixedMinor }
    })
    return { data }
  },
})

const feeHistory = operatorRoute({
  route: 'GET /operator/merchants/{id}/fee-history',
  operationId: 'listPastFees',
  summary: 'The earlier fees of one method and currency, the latest first',
  answer: listed(T.Object({ fixed, ratePpm, validFrom: instant(), validTo: instant() })),
  query: queryOf({ ...paging, method: feeMethod, currency }),
  async handle({ http: { sql } }, { id, query }) {
    const { method, currency: of, cursor, limit = pageSize } = query
    const [text] = cursor === undefined ? [] : readCursor(cursor, (part) => !Number.isNaN(Date.parse(part)))
    const rows = await selectFeeHistory(
      sql,
      { merchantId: id as MerchantId, method, currency: of },
      { ...(text === undefined ? {} : { before: new Date(text) }), limit: limit + 1 },
    )
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const data = page.map(({ fixedMinor, ...rule }) => ({ ...rule, fixed: fixedMinor }))
    if (rows.length <= limit || last === undefined) return { data }
    return { data, nextCursor: writeCursor([last.validFrom.toISOString()]) }
  },
})

const payoutType = oneOf('WithdrawalType', payoutTypes, 'How the money leaves.')
const limitShape = T.Object(
  {
    type: payoutType,
    currency,
    each: T.Optional(sum('The most that one withdrawal may be. Absent: no limit.')),
    day: T.Optional(sum('The most of one day in UTC. Absent: no limit.')),
    approvalAbove: T.Optional(sum('Above this amount a second person decides. Absent: never.')),
    approvalChoice: T.Optional(approvalChoice),
    listedOnly: T.Boolean({ description: 'Only to listed destinations.' }),
    spentToday: sum('What was accepted today, in UTC.'),
  },
  { title: 'MerchantLimit' },
)

const limits = operatorRoute({
  route: 'GET /operator/merchants/{id}/limits',
  operationId: 'listWithdrawalLimits',
  summary:
    'The limits of a merchant’s withdrawals; a type without a row has none. Where nobody has chosen who pays out, the suggested amount of approval is in force',
  answer: T.Object({ data: T.Array(limitShape) }),
  handle: (deps, { id }) => limitsOf(deps, id as MerchantId),
})

async function limitsOf({ http: { sql } }: DashboardDeps, merchantId: MerchantId) {
  const merchant = await requireMerchant(sql, merchantId)
  return { data: (await limitsNow(sql, merchant)).map(limitRecord) }
}

const writeLimits = routeOf(changeLimitsAct, {
  answer: { data: T.Array(limitShape) },
  recordOf: ({ deps, args }) => limitsOf(deps, args['id'] as MerchantId),
})

const destinationRecord = T.Object({
  type: payoutType,
  destination: T.String(),
  note: T.Optional(T.String()),
})

const destinations = operatorRoute({
  route: 'GET /operator/merchants/{id}/destinations',
  operationId: 'listAllowedDestinations',
  summary: 'The destinations to which a merchant’s withdrawals may go',
  answer: T.Object({ data: T.Array(destinationRecord) }),
  async handle({ http: { sql } }, { id }) {
    const merchant = await requireMerchant(sql, id as MerchantId)
    const rows = await selectDestinations(sql, [merchant.id])
    return { data: rows.map(({ type, destination, note }) => withoutNulls({ type, destination, note })) }
  },
})

const addTo = routeOf(allowDestinationAct, {
  answer: destinationRecord.properties,
  recordOf({ done, requested, args }) {
    const listedOne = must(done?.listed ?? requested?.arguments, 'it was done or requested')
    const { type, destination } = listedOne as Listed
    return { type, destination, ...given({ note: args['reason'] }) }
  },
})

const wallets = operatorRoute({
  route: 'GET /operator/merchants/{id}/wallets',
  operationId: 'listMerchantWallets',
  summary: 'The wallets of a merchant with their balances, oldest first',
  answer: T.Object({ data: T.Array(wallet) }),
  async handle({ http: { sql } }, { id }) {
    const merchant = await requireMerchant(sql, id as MerchantId)
    return { data: await walletRecords(sql, merchant, await selectWallets(sql, merchant.id)) }
  },
})

const makeDefault = routeOf(makeDefaultWallet, {
  answer: { id: uuid(), merchantId: uuid(), currency, isChanged: T.Boolean() },
  recordOf: ({ done }) =>
    done && {
      id: done.wallet.id,
      merchantId: done.wallet.merchantId,
      currency: done.wallet.currency,
      isChanged: done.isChanged,
    },
})

export const termsRoutes: readonly DashboardRoute[] = [
  fees,
  feeHistory,
  routeOf(setFeeAct),
  limits,
  writeLimits,
  destinations,
  addTo,
  routeOf(removeDestinationAct),
  wallets,
  makeDefault,
]
