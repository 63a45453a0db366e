// What the operator agrees with a merchant: fees, limits of withdrawals and where they may go, and the default wallet.
import { Type as T } from 'typebox'
import { walletType } from '#/contract/wallets.ts'
import { payoutTypes, pixKeyTypes } from '#/contract/withdrawals.ts'
import { currency } from '#/contract/words.ts'
import { pageSize, paging, queryOf, readCursor, writeCursor } from '#/http/query.ts'
import { AppError } from '#/kernel/error.ts'
import type { KnownAddresses } from '#/kernel/evm-address.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { instant, oneOf, sum, uuid, whole } from '#/kernel/schema.ts'
import { selectFeeRules } from '#/merchants/queries.ts'
import { chooseDefaultWallet } from '#/operator/default-wallet.ts'
import { feeMethods } from '#/operator/fees.ts'
import { knownAddresses, type payoutCurrencies, readDestination } from '#/operator/limits.ts'
import { requireMerchant } from '#/operator/merchants.ts'
import { selectFeeHistory } from '#/operator/queries.ts'
import { decideTerms, type TermsAct } from '#/operator/terms.ts'
import { walletBalances } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { selectDestinations, selectLimitsToday } from '#/withdrawals/limit-queries.ts'
import type { DashboardDeps } from '../deps.ts'
import { listed } from '../place.ts'
import { route, type DashboardRoute } from '../route.ts'
import { proposalRecord, proposalShape } from './proposal-shape.ts'
import { anyReason, because, operatorOf } from './words.ts'

/** `proposal`: nothing was changed yet, because the caller is a member of the merchant. Another operator approves it. */
const requestedAnswer = T.Object({ proposal: T.Optional(proposalShape) })

/** Carries terms out, or requests them. Throws `none` when there was nothing to change. */
async function decidedTerms(
  { http: { sql }, operator: { cell } }: DashboardDeps,
  call: Parameters<typeof operatorOf>[0],
  act: TermsAct,
  reason: string | undefined,
  none?: AppError,
) {
  const decided = await decideTerms({ sql, cell }, operatorOf(call), act, because(reason).reason)
  if ('proposal' in decided) return { proposal: proposalRecord(decided.proposal, call.visitor.user.id) }
  if (!decided.done.isFound && none !== undefined) throw none
  return {}
}

const feeMethod = oneOf('FeeMethod', feeMethods, 'Payments of a method, or withdrawals of a type.')
const fixed = whole(0, Number.MAX_SAFE_INTEGER, 'Of each one, in minor units.')
const ratePpm = whole(0, 1_000_000, 'Of its amount, in millionths: 15000 is 1.5 %.')

const fees = route({
  method: 'GET',
  path: '/operator/merchants/{id}/fees',
  access: 'operator',
  permission: 'operator:read',
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

const feeHistory = route({
  method: 'GET',
  path: '/operator/merchants/{id}/fee-history',
  access: 'operator',
  permission: 'operator:read',
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

const writeFee = route({
  method: 'PUT',
  path: '/operator/merchants/{id}/fees',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'setFee',
  summary:
    'Sets the fee for what is created from now on. For a merchant of which the caller is a member the answer holds a `proposal` instead',
  answer: requestedAnswer,
  body: T.Object(
    { method: feeMethod, currency, fixed, ratePpm, reason: anyReason },
    { additionalProperties: false },
  ),
  async handle(deps, call) {
    const { sql } = deps.http
    const { method, currency: of, fixed: minor, ratePpm: rate, reason } = call.body
    const { id: merchantId } = await requireMerchant(sql, call.id as MerchantId)
    const rule = { merchantId, method, currency: of, fixedMinor: BigInt(minor), ratePpm: BigInt(rate) }
    return decidedTerms(deps, call, { kind: 'terms.fee', rule }, reason)
  },
})

const payoutType = oneOf('WithdrawalType', payoutTypes, 'How the money leaves.')
const limitRecord = T.Object(
  {
    type: payoutType,
    currency,
    each: T.Optional(sum('The most that one withdrawal may be. Absent: no limit.')),
    day: T.Optional(sum('The most of one day in UTC. Absent: no limit.')),
    approvalAbove: T.Optional(sum('Above this amount a second person decides. Absent: never.')),
    listedOnly: T.Boolean({ description: 'Only to listed destinations.' }),
    spentToday: sum('What was accepted today, in UTC.'),
  },
  { title: 'MerchantLimit' },
)

const limits = route({
  method: 'GET',
  path: '/operator/merchants/{id}/limits',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listWithdrawalLimits',
  summary: 'The limits of a merchant’s withdrawals; a type without a row has none',
  answer: T.Object({ data: T.Array(limitRecord) }),
  handle: (deps, { id }) => limitsOf(deps, id as MerchantId),
})

async function limitsOf({ http: { sql } }: DashboardDeps, merchantId: MerchantId) {
  const { id } = await requireMerchant(sql, merchantId)
  const rows = await selectLimitsToday(sql, id)
  return {
    data: rows.map(
      ({ type, currency: of, eachMinor, dayMinor, approvalAboveMinor, listedOnly, spentMinor }) => ({
        type,
        currency: of,
        ...(eachMinor === null ? {} : { each: eachMinor }),
        ...(dayMinor === null ? {} : { day: dayMinor }),
        ...(approvalAboveMinor === null ? {} : { approvalAbove: approvalAboveMinor }),
        listedOnly,
        spentToday: spentMinor,
      }),
    ),
  }
}

/** A body has no null: it counts as absent. */
const limitIn = (least: number, description: string) =>
  T.Optional(T.Union([whole(least, Number.MAX_SAFE_INTEGER, description), T.Literal('none')]))

const writeLimits = route({
  method: 'PATCH',
  path: '/operator/merchants/{id}/limits',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'changeWithdrawalLimits',
  summary: 'Sets the limits that are given; the others stay, and `none` takes one away',
  answer: T.Object({ data: T.Array(limitRecord), proposal: T.Optional(proposalShape) }),
  body: T.Object(
    {
      type: payoutType,
      each: limitIn(1, 'The most that one withdrawal may be, in minor units.'),
      day: limitIn(1, 'The most of one day in UTC.'),
      approvalAbove: limitIn(0, 'Above this amount a second person decides.'),
      listedOnly: T.Optional(T.Boolean()),
      reason: anyReason,
    },
    { additionalProperties: false },
  ),
  async handle(deps, call) {
    const { sql } = deps.http
    const { type, each, day, approvalAbove, listedOnly, reason } = call.body
    const { id: merchantId } = await requireMerchant(sql, call.id as MerchantId)
    const minor = (value: number | 'none') => (value === 'none' ? null : BigInt(value))
    const change = {
      merchantId,
      type,
      ...(each === undefined ? {} : { eachMinor: minor(each) }),
      ...(day === undefined ? {} : { dayMinor: minor(day) }),
      ...(approvalAbove === undefined ? {} : { approvalAboveMinor: minor(approvalAbove) }),
      ...given({ listedOnly }),
    }
    const decided = await decidedTerms(deps, call, { kind: 'terms.limit', change }, reason)
    return { ...(await limitsOf(deps, merchantId)), ...decided }
  },
})

const destinationRecord = T.Object({
  type: payoutType,
  destination: T.String(),
  note: T.Optional(T.String()),
})

const destinations = route({
  method: 'GET',
  path: '/operator/merchants/{id}/destinations',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listAllowedDestinations',
  summary: 'The destinations to which a merchant’s withdrawals may go',
  answer: T.Object({ data: T.Array(destinationRecord) }),
  async handle({ http: { sql } }, { id }) {
    const merchant = await requireMerchant(sql, id as MerchantId)
    const rows = await selectDestinations(sql, [merchant.id])
    return {
      data: rows.map(({ type, destination, note }) => ({
        type,
        destination,
        ...(note === null ? {} : { note }),
      })),
    }
  },
})

const destinationBody = T.Object(
  {
    type: payoutType,
    destination: T.String({ minLength: 1, maxLength: 200 }),
    keyType: T.Optional(oneOf('PixKeyType', pixKeyTypes, 'For PIX.')),
    reason: anyReason,
  },
  { additionalProperties: false },
)

const addTo = route({
  method: 'POST',
  path: '/operator/merchants/{id}/destinations',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'allowDestination',
  summary: 'Adds a PIX key or an address to the list',
  status: 201,
  answer: T.Object({ ...destinationRecord.properties, proposal: T.Optional(proposalShape) }),
  body: destinationBody,
  async handle(deps, call) {
    const { sql } = deps.http
    const { id: merchantId } = await requireMerchant(sql, call.id as MerchantId)
    const { type } = call.body
    const destination = destinationOf(call.body, await knownAddresses(sql))
    const note = because(call.body.reason).reason
    const listedOne = { merchantId, type, destination }
    const decided = await decidedTerms(deps, call, { kind: 'terms.destination-add', listed: listedOne }, note)
    return { type, destination, ...given({ note }), ...decided }
  },
})

/** The destination is in the body: a PIX key may have characters that no path has. */
const removeFrom = route({
  method: 'POST',
  path: '/operator/merchants/{id}/destinations/remove',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'removeDestination',
  summary: 'Removes a destination from the list',
  answer: requestedAnswer,
  body: destinationBody,
  async handle(deps, call) {
    const { sql } = deps.http
    const { id: merchantId } = await requireMerchant(sql, call.id as MerchantId)
    const { type, reason } = call.body
    const listedOne = { merchantId, type, destination: destinationOf(call.body) }
    const none = new AppError('not_found', 'This destination is not on the list.')
    return decidedTerms(deps, call, { kind: 'terms.destination-remove', listed: listedOne }, reason, none)
  },
})

function destinationOf(
  {
    type,
    destination,
    keyType,
  }: Readonly<{
    type: keyof typeof payoutCurrencies
    destination: string
    keyType?: (typeof pixKeyTypes)[number]
  }>,
  known?: KnownAddresses,
): string {
  const read = readDestination(type, destination, keyType, known)
  if (read.ok) return read.destination
  const pointer = type === 'PIX' && keyType === undefined ? '/keyType' : '/destination'
  throw new AppError('invalid_request', `The destination ${read.message}.`, {
    faults: [{ pointer, code: 'invalid', message: read.message }],
  })
}

const walletRecord = T.Object({
  id: uuid(),
  currency,
  label: T.String(),
  walletType,
  isDefault: T.Boolean(),
  isActive: T.Boolean(),
  balance: sum('Available.'),
  pendingBalance: sum('Not final yet.'),
  heldBalance: sum('Held.'),
})

const wallets = route({
  method: 'GET',
  path: '/operator/merchants/{id}/wallets',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listMerchantWallets',
  summary: 'The wallets of a merchant with their balances, oldest first',
  answer: T.Object({ data: T.Array(walletRecord) }),
  async handle({ http: { sql } }, { id }) {
    const merchant = await requireMerchant(sql, id as MerchantId)
    const found = await selectWallets(sql, merchant.id)
    const balances = await walletBalances(sql, merchant, found)
    return {
      data: found.map(
        ({ id: walletId, currency: of, label, walletType: type, isDefault, isActive }, index) => ({
          id: walletId,
          currency: of,
          label,
          walletType: type,
          isDefault,
          isActive,
          balance: balances[index]?.availableMinor ?? 0n,
          pendingBalance: balances[index]?.pendingMinor ?? 0n,
          heldBalance: balances[index]?.heldMinor ?? 0n,
        }),
      ),
    }
  },
})

const makeDefault = route({
  method: 'POST',
  path: '/operator/wallets/{id}/make-default',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'makeDefaultWallet',
  summary: 'Makes a wallet the default of its currency: the merchant’s money is credited there from now on',
  answer: T.Object({ id: uuid(), merchantId: uuid(), currency, isChanged: T.Boolean() }),
  body: T.Object({ reason: anyReason }, { additionalProperties: false }),
  async handle({ http: { sql } }, call) {
    const { wallet, isChanged } = await chooseDefaultWallet(
      sql,
      operatorOf(call),
      call.id as WalletId,
      because(call.body.reason).reason,
    )
    const { id, merchantId, currency: of } = wallet
    return { id, merchantId, currency: of, isChanged }
  },
})

export const termsRoutes: readonly DashboardRoute[] = [
  fees,
  feeHistory,
  writeFee,
  limits,
  writeLimits,
  destinations,
  addTo,
  removeFrom,
  wallets,
  makeDefault,
]
