// Money whose owner a person of the operator decides: in suspense, and in found coins.
import { Type as T } from 'typebox'
import { currency } from '#/contract/words.ts'
import type { Sql } from '#/db/client.ts'
import { pageOf, pageSize, paging, queryOf, readLastId, pageAfter } from '#/http/query.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Id } from '#/kernel/id.ts'
import { instant, oneOf, sum, uuid } from '#/kernel/schema.ts'
import { approveRequest, refuseRequest, resolveSuspense } from '#/operator/acts/suspense.ts'
import { confirmOwnerAs, proposeOwnerAs, refusalOfOwner } from '#/operator/found-coins.ts'
import { selectOpenProposals, type Proposal } from '#/operator/proposal-queries.ts'
import { unmatchedRecord } from '#/operator/records.ts'
import { consoleName } from '#/settlement/credit-found-coins.ts'
import { selectUnmatchedById, selectUnmatchedPage, type Unmatched } from '#/settlement/queries.ts'
import type { DashboardDeps } from '../deps.ts'
import { bodyOf, listed } from '../place.ts'
import { operatorRoute, type DashboardRoute } from '../route.ts'
import { routeOf } from './act-route.ts'
import { proposalRecord, proposalShape } from './proposal-shape.ts'
import { merchantOf, mode, operatorOf, reason } from './words.ts'

const unmatchedShape = T.Object(
  {
    id: uuid(),
    mode,
    method: T.String(),
    connection: T.String(),
    providerRef: T.String(),
    outcome: T.String({
      description: '`paid`: money came. Others are reports about money that we do not hold.',
    }),
    reason: T.String(),
    amount: sum('Minor units.'),
    currency,
    happenedAt: instant(),
    recordedAt: instant(),
    resolvedAt: T.Optional(instant()),
    resolution: T.Optional(oneOf('SuspenseResolution', ['CREDITED', 'RETURNED'], 'How it was decided.')),
    walletId: T.Optional(uuid()),
    note: T.Optional(T.String()),
    lostMerchantId: T.Optional(uuid()),
    lostPaymentId: T.Optional(uuid()),
    reportedSince: T.Array(T.String(), {
      description: 'What the provider reported of the same money since.',
    }),
    needsTwo: T.Boolean({ description: 'Another person has to approve a decision about it.' }),
  },
  { title: 'Unmatched' },
)

function unmatchedOf({ operator }: DashboardDeps, unmatched: Unmatched) {
  return { ...unmatchedRecord(unmatched), needsTwo: unmatched.amountMinor > operator.aloneMax }
}

const suspense = operatorRoute({
  route: 'GET /operator/suspense',
  operationId: 'listSuspense',
  summary:
    'Money that fits no payment and waits for a person, oldest first; with `all=1` also what was decided',
  answer: listed(unmatchedShape),
  query: queryOf({
    ...paging,
    all: T.Optional(oneOf('Yes', ['1'], 'Also the rest.')),
    connection: T.Optional(T.String({ minLength: 1, maxLength: 100, description: 'Its id.' })),
    currency: T.Optional(currency),
  }),
  async handle(deps, { query }) {
    const { all, connection, currency: of } = query
    const filter = { all: all === '1', ...given({ connection, currency: of }) }
    return pageAfter(
      query,
      (page) => selectUnmatchedPage(deps.http.sql, { ...filter, ...page }),
      (row) => unmatchedOf(deps, row),
    )
  },
})

const resolve = routeOf(resolveSuspense, {
  answer: { unmatched: T.Optional(unmatchedShape) },
  recordOf: ({ deps, done }) => done && { unmatched: unmatchedOf(deps, done) },
})

const approvals = operatorRoute({
  route: 'GET /operator/approvals',
  operationId: 'listApprovals',
  summary: 'What one person of the operator has requested and another one decides, oldest first',
  answer: listed(proposalShape),
  query: queryOf(paging),
  async handle({ http: { sql } }, { query, visitor }) {
    const { cursor, limit = pageSize } = query
    const after = readLastId(cursor)
    const rows = await selectOpenProposals(sql, { ...(after && { after }), limit: limit + 1 })
    const money = await moneyOf(sql, rows)
    return pageOf(rows, limit, (row) => ({ ...proposalRecord(row, visitor.user.id), ...money.get(row.id) }))
  },
})

/** The money that a request is about: whoever decides sees the sum, not only its number here. */
async function moneyOf(sql: Sql, proposals: readonly Proposal[]) {
  const idOf = ({ arguments: { id } }: Proposal) => id as Id<'unmatched'>
  const about = proposals.filter(({ kind }) => kind === 'suspense.credit' || kind === 'suspense.return')
  const found = about.length === 0 ? [] : await selectUnmatchedById(sql, about.map(idOf))
  const byId = new Map(found.map((each) => [each.id, each]))
  return new Map(
    about.flatMap((proposal) => {
      const unmatched = byId.get(idOf(proposal))
      if (unmatched === undefined) return []
      const { amountMinor: amount, currency: of, providerRef } = unmatched
      return [[proposal.id, { money: { amount, currency: of, providerRef } }]]
    }),
  )
}

const approve = routeOf(approveRequest, {
  answer: { approved: proposalShape, unmatched: T.Optional(unmatchedShape) },
  recordOf({ deps, visitor, done }) {
    const { proposal, ...carried } = must(done, 'nobody else approves an approval')
    const approved = proposalRecord(proposal, visitor.user.id)
    return carried.about === 'suspense'
      ? { approved, unmatched: unmatchedOf(deps, carried.unmatched) }
      : { approved }
  },
})

const propose = operatorRoute({
  route: 'POST /operator/found-coins/{id}/propose',
  permission: 'operator:write',
  concern: 'money',
  operationId: 'proposeOwner',
  summary: 'Proposes the owner of unexplained coins; nothing moves until another operator confirms',
  body: bodyOf({ merchantId: uuid(), reason }),
  async handle({ http: { sql, clock } }, call) {
    const { merchantId, reason: note } = call.body
    const by = consoleName(call.visitor.user.id)
    const proposal = { move: call.id, merchantId: merchantOf(merchantId), by, note: note.trim() }
    if (!(await proposeOwnerAs({ sql, clock }, operatorOf(call), proposal)))
      throw new AppError(
        'not_found',
        'There are no such unexplained coins, or another person has confirmed an owner.',
      )
  },
})

const confirm = operatorRoute({
  route: 'POST /operator/found-coins/{id}/confirm',
  permission: 'operator:approve',
  concern: 'money',
  operationId: 'confirmOwner',
  summary: 'Confirms another person’s proposal: the coins are credited to the merchant’s default wallet',
  answer: T.Object({ merchantId: uuid(), walletId: uuid(), amount: sum('Cents.'), currency }),
  body: bodyOf({}),
  async handle({ http: { sql, lane } }, call) {
    const by = consoleName(call.visitor.user.id)
    const verdict = await confirmOwnerAs({ sql, lane }, operatorOf(call), { move: call.id, by })
    if (verdict.kind !== 'credited') throw refusalOfOwner(verdict)
    const { proposal, walletId } = verdict
    return { merchantId: proposal.merchantId, walletId, amount: proposal.minor, currency: 'USDT' as const }
  },
})

export const moneyRoutes: readonly DashboardRoute[] = [
  suspense,
  resolve,
  approvals,
  approve,
  routeOf(refuseRequest),
  propose,
  confirm,
]
