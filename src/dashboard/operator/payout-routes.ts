// Withdrawals and refunds without an end, which a person of the operator may have to end.
import { Type as T } from 'typebox'
import { refund as refundOfApi } from '#/contract/refunds.ts'
import { withdrawal as withdrawalOfApi } from '#/contract/withdrawals.ts'
import { pageOf, pageSize, paging, queryOf, readLastId } from '#/http/query.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import { count, instant, oneOf, uuid } from '#/kernel/schema.ts'
import { payoutActs, payoutCauses, refundTroubles, withdrawalTroubles } from '#/operator/payout-causes.ts'
import {
  decideRefund,
  decideWithdrawal,
  refusalOfEnd,
  requireRefund,
  requireWithdrawal,
  retryRefund,
  retryWithdrawal,
  stopPayoutAs,
} from '#/operator/payouts.ts'
import { selectOpen, type OpenRefund } from '#/refunds/open-queries.ts'
import { refundRecord, type Refund } from '#/refunds/refund.ts'
import { selectOperatorPage } from '#/withdrawals/list-queries.ts'
import { withdrawalRecord, type Withdrawal } from '#/withdrawals/withdrawal.ts'
import type { DashboardDeps } from '../deps.ts'
import { listed } from '../place.ts'
import { route, type DashboardRoute } from '../route.ts'
import { proposalRecord, proposalShape } from './proposal-shape.ts'
import { anyReason, because, operatorOf, reason } from './words.ts'

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
  return found.map((each) => ({ ...withdrawalOf(deps, each), ...troubleOf(each) }))
}

async function oneOfWithdrawals(deps: DashboardDeps, found: Withdrawal) {
  const troubleOf = await withdrawalTroubles(deps.http.sql, [found])
  return { ...withdrawalOf(deps, found), ...troubleOf(found) }
}

function withdrawalOf({ operator }: DashboardDeps, withdrawal: Withdrawal) {
  const { id, merchantId, connection, reference, note } = withdrawal
  return {
    needsTwo: withdrawal.amountMinor > operator.aloneMax,
    ...withdrawalRecord(withdrawal),
    id,
    merchantId,
    connection,
    reference,
    destination: withdrawal.destination.text,
    ...given({ note }),
  }
}

const withdrawals = route({
  method: 'GET',
  path: '/operator/withdrawals',
  access: 'operator',
  permission: 'operator:read',
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
    const { cursor, limit = pageSize, wanted, order } = query
    const after = readLastId(cursor)
    const isOldestFirst = order === 'oldest'
    const page = { selection: wanted, isOldestFirst, ...(after && { after }), limit: limit + 1 }
    const rows = await selectOperatorPage(deps.http.sql, page)
    return pageOf(await withdrawalsOf(deps, rows), limit, (each) => each)
  },
})

const withdrawal = route({
  method: 'GET',
  path: '/operator/withdrawals/{id}',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'getOperatorWithdrawal',
  summary: 'One withdrawal, with its references at the provider',
  answer: withdrawalShape,
  handle: async (deps, { id }) =>
    oneOfWithdrawals(deps, await requireWithdrawal(deps.http.sql, id as WithdrawalId)),
})

const endWithdrawal = route({
  method: 'POST',
  path: '/operator/withdrawals/{id}/resolve',
  access: 'operator',
  permission: 'operator:approve',
  operationId: 'resolveWithdrawal',
  summary:
    'Records how a withdrawal ended whose provider reports no end. Above the limit the answer holds a `proposal` instead, which another operator approves',
  answer: T.Object({
    withdrawal: T.Optional(withdrawalShape),
    isLater: T.Optional(T.Boolean({ description: 'A worker settles it in a moment.' })),
    proposal: T.Optional(proposalShape),
  }),
  body: T.Object(
    {
      end: oneOf(
        'WithdrawalEnd',
        ['sent', 'refused'],
        '`sent`: the recipient has it; `refused`: it was not paid.',
      ),
      reason,
    },
    { additionalProperties: false },
  ),
  async handle(deps, call) {
    const decision = { end: call.body.end, reason: call.body.reason.trim() }
    const all = { ...payoutDeps(deps), aloneMax: deps.operator.aloneMax }
    const verdict = await decideWithdrawal(all, operatorOf(call), call.id as WithdrawalId, decision)
    if (verdict.kind === 'proposed')
      return { proposal: proposalRecord(verdict.proposal, call.visitor.user.id) }
    deps.operator.onPayout?.()
    return { withdrawal: await oneOfWithdrawals(deps, verdict.withdrawal), isLater: verdict.isLater }
  },
})

/** What ending a withdrawal takes. */
export function payoutDeps({ http, operator }: DashboardDeps) {
  const { sql, clock, lane, withdrawals: ofWithdrawals } = http
  return { sql, clock, lane, payoutRails: ofWithdrawals.rails, hasOwnKeys: operator.hasOwnKeys }
}

/** What ending a refund takes. */
export function refundDeps({ http, operator }: DashboardDeps) {
  const { sql, clock, lane, refundDecisionKind } = http
  return { sql, clock, lane, refundDecisionKind, hasOwnKeys: operator.hasOwnKeys }
}

const notWaiting =
  'A worker has it in hand at this moment, or nothing is due about it. Look again in a minute.'

const retryOne = route({
  method: 'POST',
  path: '/operator/withdrawals/{id}/retry',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'retryWithdrawal',
  summary:
    'Has a worker send a withdrawal now, or ask its provider about it. What may have been sent is never sent twice',
  body: T.Object({ reason: anyReason }, { additionalProperties: false }),
  async handle({ http: { sql }, operator }, call) {
    const found = await requireWithdrawal(sql, call.id as WithdrawalId)
    if (!(await retryWithdrawal(sql, operatorOf(call), found, because(call.body.reason).reason)))
      throw new AppError('invalid_state', notWaiting)
    operator.onPayout?.()
  },
})

const stop = route({
  method: 'POST',
  path: '/operator/payouts/{id}/stop',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'stopPayout',
  summary:
    'Requests that a withdrawal or refund by CRYPTO, or one by SEPA that is in no file yet, is not paid, while that is still possible',
  body: T.Object({ reason }, { additionalProperties: false }),
  async handle({ http: { sql, clock }, operator }, call) {
    if (!(await stopPayoutAs({ sql, clock }, operatorOf(call), call.id, call.body.reason.trim())))
      throw new AppError(
        'invalid_state',
        'There is nothing that could still be stopped: it is no withdrawal or refund by CRYPTO or SEPA, it is in a file of payments, it has ended, or it was requested before.',
      )
    operator.onPayout?.()
  },
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
    ...refundOf(each),
    ...troubleOf(each),
    needsTwo: each.amountMinor > aloneMax,
  }))
}

async function oneOfRefunds(deps: DashboardDeps, found: Refund) {
  const [record] = await refundsOf(deps, [found])
  return must(record, 'one refund has one record')
}

function refundOf(refund: Refund | OpenRefund) {
  const { merchantId, method, connection, paidRef } = refund
  const sends = 'sends' in refund ? { sends: refund.sends, maybeSent: refund.sends - refund.unsent } : {}
  return { ...refundRecord(refund), merchantId, method, connection, paidRef, ...sends }
}

/** The refunds that wait longest: the list has an end, because a person works through it from its top. */
const refundsShown = 200

const refunds = route({
  method: 'GET',
  path: '/operator/refunds',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'listOpenRefunds',
  summary:
    'Refunds that have not ended: those that wait for a second person, then those that are sent. At most 200',
  answer: T.Object({ data: T.Array(refundShape) }),
  handle: async (deps) => ({ data: await refundsOf(deps, await selectOpen(deps.http.sql, refundsShown)) }),
})

const endOne = route({
  method: 'POST',
  path: '/operator/refunds/{id}/end',
  access: 'operator',
  permission: 'operator:approve',
  operationId: 'endRefund',
  summary:
    'Ends a refund that cannot be sent: it FAILED, and its money is in the wallet again. Above the limit the answer holds a `proposal` instead, which another operator approves',
  answer: T.Object({ refund: T.Optional(refundShape), proposal: T.Optional(proposalShape) }),
  body: T.Object(
    {
      reason: T.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Why. The merchant reads it.',
      }),
      proof: T.Optional(
        T.String({
          minLength: 1,
          maxLength: 500,
          description: 'Where something may have been sent: the provider’s statement that nothing was.',
        }),
      ),
      found: T.Optional(
        oneOf(
          'RefundEnd',
          ['sent', 'refused'],
          'Only where a foreign transaction used the nonce of its payout: whether the recipient has the money. A worker books it.',
        ),
      ),
    },
    { additionalProperties: false },
  ),
  async handle(deps, call) {
    const all = { ...refundDeps(deps), aloneMax: deps.operator.aloneMax }
    const { reason: why, proof, found } = call.body
    const decision = {
      reason: why.trim(),
      ...given({ proof, found }),
    }
    const verdict = await decideRefund(all, operatorOf(call), call.id as RefundId, decision)
    if (verdict.kind === 'proposed')
      return { proposal: proposalRecord(verdict.proposal, call.visitor.user.id) }
    if (verdict.kind === 'later') deps.http.onRefund?.()
    else if (verdict.kind !== 'decided') throw refusalOfEnd(verdict)
    return { refund: await oneOfRefunds(deps, verdict.refund) }
  },
})

const retryRefundRoute = route({
  method: 'POST',
  path: '/operator/refunds/{id}/retry',
  access: 'operator',
  permission: 'operator:write',
  operationId: 'retryRefund',
  summary:
    'Has a worker send a refund now, or ask its provider about it. What may have been sent is never sent twice',
  body: T.Object({ reason: anyReason }, { additionalProperties: false }),
  async handle({ http: { sql, onRefund } }, call) {
    const found = await requireRefund(sql, call.id as RefundId)
    if (!(await retryRefund(sql, operatorOf(call), found, because(call.body.reason).reason)))
      throw new AppError('invalid_state', notWaiting)
    onRefund?.()
  },
})

const oneRefund = route({
  method: 'GET',
  path: '/operator/refunds/{id}',
  access: 'operator',
  permission: 'operator:read',
  operationId: 'getOperatorRefund',
  summary: 'One refund',
  answer: refundShape,
  handle: async (deps, { id }) => oneOfRefunds(deps, await requireRefund(deps.http.sql, id as RefundId)),
})

export const payoutRoutes: readonly DashboardRoute[] = [
  withdrawals,
  withdrawal,
  endWithdrawal,
  retryOne,
  stop,
  refunds,
  oneRefund,
  endOne,
  retryRefundRoute,
]
