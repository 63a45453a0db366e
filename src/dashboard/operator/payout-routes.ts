// Withdrawals and refunds without an end, which a person of the operator may have to end.
import { Type as T } from 'typebox'
import { refund as refundOfApi } from '#/contract/refunds.ts'
import { withdrawal as withdrawalOfApi } from '#/contract/withdrawals.ts'
import { paging, queryOf, pageAfter } from '#/http/query.ts'
import { must } from '#/kernel/check.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import { count, instant, oneOf, uuid } from '#/kernel/schema.ts'
import {
  endRefundAct,
  resolveWithdrawalAct,
  retryRefundAct,
  retryWithdrawalAct,
  stopPayout,
} from '#/operator/acts/payouts.ts'
import { payoutActs, payoutCauses, refundTroubles, withdrawalTroubles } from '#/operator/payout-causes.ts'
import { requireRefund, requireWithdrawal } from '#/operator/payouts.ts'
import { operatorRefund, operatorWithdrawal } from '#/operator/records.ts'
import { selectOpen, type OpenRefund } from '#/refunds/due-queries.ts'
import type { Refund } from '#/refunds/refund.ts'
import { selectOperatorPage } from '#/withdrawals/list-queries.ts'
import type { Withdrawal } from '#/withdrawals/withdrawal.ts'
import type { DashboardDeps } from '../deps.ts'
import { listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'

const troubleFields = {
  merchantName: T.Optional(T.String()),
  cause: T.Optional(
    oneOf('PayoutCause', payoutCauses, 'Why it has not ended. A sentence of the console has this name.'),
  ),
  acts: T.Array(oneOf('PayoutAct', payoutActs, 'What an operator may do.'), {
    description: 'What an operator may do about it now.',
  }),
  dueAt: T.Optional(instant('When a worker sends it or asks about it next.')),
  detail: T.Optional(T.String({ description: 'What the wallet that pays says.' })),
  needsTwo: T.Boolean({ description: 'Another person has to approve its end.' }),
}

const withdrawalShape = T.Object(
  {
    ...withdrawalOfApi.properties,
    merchantId: uuid(),
    connection: T.Optional(T.String()),
    reference: T.String(),
    destination: T.String(),
    note: T.Optional(T.String()),
    ...troubleFields,
  },
  { title: 'OperatorWithdrawal' },
)

/** These records of the API, with what only the operator sees. */
async function withdrawalsOf(deps: DashboardDeps, found: readonly Withdrawal[]) {
  const troubleOf = await withdrawalTroubles(deps.http.sql, found)
  const { aloneMax } = deps.operator
  return found.map((each) => ({
    ...operatorWithdrawal(each),
    ...troubleOf(each),
    needsTwo: each.amountMinor > aloneMax,
  }))
}

async function oneOfWithdrawals(deps: DashboardDeps, found: Withdrawal) {
  const [record] = await withdrawalsOf(deps, [found])
  return must(record, 'one withdrawal has one record')
}

const withdrawals = operatorRoute({
  route: 'GET /operator/withdrawals',
  operationId: 'listOperatorWithdrawals',
  summary:
    'Withdrawals of all merchants: without an end (`open`), those for a `review`, that wait for an `approval`, in one state, or all; each with why it has not ended',
  answer: listed(withdrawalShape),
  query: queryOf({
    ...paging,
    wanted: oneOf(
      'WantedWithdrawals',
      ['open', 'review', 'approval', 'pending', 'processing', 'all'],
      'Which.',
    ),
    order: T.Optional(oneOf('Order', ['oldest', 'newest'], 'Which come first. Default: the newest.')),
  }),
  async handle(deps, { query }) {
    const filter = { selection: query.wanted, isOldestFirst: query.order === 'oldest' }
    return pageAfter(
      query,
      async (page) => withdrawalsOf(deps, await selectOperatorPage(deps.http.sql, { ...filter, ...page })),
      (each) => each,
    )
  },
})

const withdrawal = operatorRoute({
  route: 'GET /operator/withdrawals/{id}',
  operationId: 'getOperatorWithdrawal',
  summary: 'One withdrawal, with its references at the provider',
  answer: withdrawalShape,
  handle: async (deps, { id }) =>
    oneOfWithdrawals(deps, await requireWithdrawal(deps.http.sql, id as WithdrawalId)),
})

const endWithdrawal = routeOf(resolveWithdrawalAct, {
  answer: {
    withdrawal: T.Optional(withdrawalShape),
    isLater: T.Optional(T.Boolean({ description: 'A worker settles it in a moment.' })),
  },
  recordOf: async ({ deps, done }) =>
    done && { withdrawal: await oneOfWithdrawals(deps, done.withdrawal), isLater: done.isLater },
})

const refundShape = T.Object(
  {
    ...refundOfApi.properties,
    merchantId: uuid(),
    method: T.String(),
    connection: T.String(),
    paidRef: T.String(),
    sends: T.Optional(count('How often a worker claimed it for sending.')),
    maybeSent: T.Optional(count('How many of these may have sent it.')),
    ...troubleFields,
  },
  { title: 'OperatorRefund' },
)

async function refundsOf(deps: DashboardDeps, found: readonly (Refund | OpenRefund)[]) {
  const troubleOf = await refundTroubles(deps.http.sql, found)
  const { aloneMax } = deps.operator
  return found.map((each) => ({
    ...operatorRefund(each),
    ...troubleOf(each),
    needsTwo: each.amountMinor > aloneMax,
  }))
}

async function oneOfRefunds(deps: DashboardDeps, found: Refund) {
  const [record] = await refundsOf(deps, [found])
  return must(record, 'one refund has one record')
}

/** The refunds that wait longest: the list has an end, because a person works through it from its top. */
const refundsShown = 200

const refunds = operatorRoute({
  route: 'GET /operator/refunds',
  operationId: 'listOpenRefunds',
  summary:
    'Refunds that have not ended: those that wait for a second person, then those that are sent. At most 200',
  answer: T.Object({ data: T.Array(refundShape) }),
  handle: async (deps) => ({ data: await refundsOf(deps, await selectOpen(deps.http.sql, refundsShown)) }),
})

const endOne = routeOf(endRefundAct, {
  answer: { refund: T.Optional(refundShape) },
  recordOf: async ({ deps, done }) => done && { refund: await oneOfRefunds(deps, done.refund) },
})

const oneRefund = operatorRoute({
  route: 'GET /operator/refunds/{id}',
  operationId: 'getOperatorRefund',
  summary: 'One refund',
  answer: refundShape,
  handle: async (deps, { id }) => oneOfRefunds(deps, await requireRefund(deps.http.sql, id as RefundId)),
})

export const payoutRoutes: readonly DashboardRoute[] = [
  withdrawals,
  withdrawal,
  endWithdrawal,
  routeOf(retryWithdrawalAct),
  routeOf(stopPayout),
  refunds,
  oneRefund,
  endOne,
  routeOf(retryRefundAct),
]
