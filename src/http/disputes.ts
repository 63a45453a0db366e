// Disputes: money that payers or their banks want back.
import { Type as T } from 'typebox'
import { dispute, disputeStatus } from '#/contract/disputes.ts'
import { listOf } from '#/contract/words.ts'
import { acceptDispute } from '#/disputes/accept.ts'
import { disputeRecord } from '#/disputes/dispute.ts'
import { listDisputes } from '#/disputes/queries.ts'
import { existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { DisputeId } from '#/kernel/id.ts'
import { uuid } from '#/kernel/schema.ts'
import * as examples from './example-records.ts'
import { expandPayments } from './expand.ts'
import { expandPayment } from './find-query.ts'
import {
  ofCurrency,
  pageOf,
  pageSize,
  paging,
  queryOf,
  readLastId,
  readSpan,
  span,
  lowered,
} from './query.ts'
import { route, type Route } from './route.ts'

const get = route({
  route: 'GET /v1/disputes/{id}',
  scope: 'payments:read',
  operationId: 'getDispute',
  summary: 'Get a dispute',
  description: 'As it stands now. A dispute is reported by its provider; it cannot be created here.',
  answer: dispute,
  example: examples.dispute,
  async handle({ sql }, { merchant, id }) {
    const [found] = await listDisputes(sql, merchant.id, { id: id as DisputeId, limit: 1 })
    return { record: disputeRecord(existing(found, 'dispute')) }
  },
})

const list = route({
  route: 'GET /v1/disputes',
  scope: 'payments:read',
  operationId: 'listDisputes',
  summary: 'List disputes, newest first',
  description:
    'The disputes of all payments, or of one. `from` and `to` filter by when the dispute was opened.',
  answer: listOf(dispute),
  example: { data: [examples.dispute] },
  query: queryOf({
    ...paging,
    ...span,
    paymentId: T.Optional(uuid()),
    status: T.Optional(disputeStatus),
    currency: ofCurrency,
    ...expandPayment,
  }),
  async handle(deps, { merchant, query }) {
    const { paymentId, status, currency, cursor, expand, limit = pageSize } = query
    const before = readLastId(cursor)
    const found = await listDisputes(deps.sql, merchant.id, {
      ...given({ paymentId: lowered(paymentId), status, currency, before }),
      ...readSpan(query),
      limit: limit + 1,
    })
    const expanded = await expandPayments(deps, expand, found.slice(0, limit))
    return { record: pageOf(found, limit, (each) => ({ ...disputeRecord(each), ...expanded.of(each) })) }
  },
})

const accept = route({
  route: 'POST /v1/disputes/{id}/accept',
  scope: 'payments:write',
  audit: { action: 'dispute.accept', subjectOf: ({ id }) => `dispute:${id}` },
  starts: 'dispute',
  concern: 'money',
  operationId: 'acceptDispute',
  summary: 'Give in to a dispute',
  description:
    'The money stays with the payer and the dispute is LOST. For open chargebacks; banks decide a MED among themselves (422). Accepting again answers the same.',
  answer: dispute,
  example: examples.accepted,
  problems: ['frozen', 'invalid_state', 'method_not_available', 'provider_unavailable'],
  async handle(deps, { merchant, id }, { beside }) {
    const asking = { ...deps, beforeAsking: async () => beside?.(deps.sql) }
    return { record: disputeRecord(await acceptDispute(asking, merchant.id, id as DisputeId)) }
  },
})

export const disputeRoutes: readonly Route[] = [list, get, accept]
