// Refunds: give money back, and read what became of it.
import { AppError } from '#/kernel/error.ts'
import { isUuid, newId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { differences } from '#/payments/create.ts'
import { listRefunds } from '#/refunds/queries.ts'
import { refundRecord, refundStatuses } from '#/refunds/refund.ts'
import { refundsMax, type RefundVerdict } from '#/refunds/request.ts'
import { Type as T } from 'typebox'
import { idempotencyKeyOf, metadataFaults } from './body.ts'
import { pageOf, pageSize, paging, queryOf, readCursor, readSpan, span } from './query.ts'
import { route, type Route } from './route.ts'
import { listOf, oneOf, refund, refundRequest, uuid } from './schemas.ts'

const create = route({
  method: 'POST',
  path: '/v1/payments/{id}/refunds',
  scope: 'payments:write',
  operationId: 'createRefund',
  summary: 'Give money back',
  description:
    'The amount is held in the wallet at once and leaves it when the provider has given it back. Without an amount: all that can be given back. Money goes back as it came: one refund is of one receipt.',
  status: 201,
  answer: refund,
  headers: { 'Idempotent-Replayed': '`true` when the key made this refund before.' },
  problems: [
    'frozen',
    'idempotency_conflict',
    'method_not_available',
    'refund_exceeds_payment',
    'insufficient_funds',
    'limit_exceeded',
  ],
  body: refundRequest,
  bodyOptional: true,
  async handle(deps, call) {
    const { merchant, id, body } = call
    const key = idempotencyKeyOf(call)
    const { idempotencyKey: _key, ...request } = body
    const faults = metadataFaults(request.metadata)
    if (faults.length > 0) throw new AppError('invalid_request', 'metadata is too large.', { errors: faults })
    const verdict = await deps.lane.submit(deps.refundKind, {
      merchantId: merchant.id,
      mode: merchant.mode,
      paymentId: id as PaymentId,
      id: newId<'refund'>(),
      request,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    })
    if (verdict.kind !== 'created' && verdict.kind !== 'replayed') throw refusalOf(verdict, request)
    deps.onRefund?.()
    return {
      record: refundRecord(verdict.refund),
      headers: verdict.kind === 'replayed' ? { 'idempotent-replayed': 'true' } : {},
    }
  },
})

function refusalOf(
  verdict: Exclude<RefundVerdict, { kind: 'created' } | { kind: 'replayed' }>,
  request: Readonly<Record<string, unknown>>,
): AppError {
  switch (verdict.kind) {
    case 'not_found':
      return new AppError('not_found', 'There is no such payment.')
    case 'conflict': {
      const detail = `The key made refund ${verdict.refund.id} of payment ${verdict.refund.paymentId} with another body.`
      return new AppError('idempotency_conflict', detail, { errors: differences(verdict.request, request) })
    }
    case 'too_many':
      return new AppError('limit_exceeded', `A payment has at most ${refundsMax} refunds.`)
    case 'not_refundable': {
      const { method } = verdict.payment
      return new AppError(
        'method_not_available',
        `A payment by ${method ?? 'no method'} cannot be refunded here.`,
      )
    }
    case 'exceeds': {
      const refundable = Number(verdict.refundableMinor)
      const refundableAtOnce = Number(verdict.atOnceMinor)
      const detail =
        refundable === refundableAtOnce
          ? `At most ${refundable} can be given back.`
          : `${refundable} can be given back, at most ${refundableAtOnce} of it with one refund: it came in several pieces.`
      return new AppError('refund_exceeds_payment', detail, {
        errors: [{ pointer: '/amount', code: 'too_large', message: `is at most ${refundableAtOnce}` }],
        extra: { refundable, refundableAtOnce },
      })
    }
    case 'misdirected': {
      const { code, detail, pointer } = verdict.refusal
      const errors =
        pointer === undefined ? [] : [{ pointer, code: 'not_allowed', message: 'cannot take the refund' }]
      return new AppError(code, detail, { errors })
    }
    case 'frozen':
      return moneyIsFrozen()
    case 'insufficient_funds':
      return new AppError('insufficient_funds', `The wallet lacks ${verdict.missingMinor} of the amount.`, {
        extra: { missing: Number(verdict.missingMinor) },
      })
  }
}

const get = route({
  method: 'GET',
  path: '/v1/refunds/{id}',
  scope: 'payments:read',
  operationId: 'getRefund',
  summary: 'Get a refund',
  status: 200,
  answer: refund,
  async handle({ sql }, { merchant, id }) {
    const [found] = await listRefunds(sql, merchant.id, { id: id as RefundId, limit: 1 })
    if (found === undefined) throw new AppError('not_found', 'There is no such refund.')
    return { record: refundRecord(found) }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/refunds',
  scope: 'payments:read',
  operationId: 'listRefunds',
  summary: 'List refunds, newest first',
  status: 200,
  answer: listOf(refund),
  query: queryOf({
    ...paging,
    ...span,
    paymentId: T.Optional(uuid()),
    status: T.Optional(oneOf(refundStatuses)),
    currency: T.Optional(T.String({ minLength: 1, maxLength: 12 })),
  }),
  async handle({ sql }, { merchant, query }) {
    const { paymentId, status, currency, cursor, limit = pageSize } = query
    const [before] = cursor === undefined ? [] : readCursor(cursor, isUuid)
    const found = await listRefunds(sql, merchant.id, {
      ...(paymentId === undefined ? {} : { paymentId: paymentId.toLowerCase() }),
      ...(status === undefined ? {} : { status }),
      ...(currency === undefined ? {} : { currency }),
      ...(before === undefined ? {} : { before: before as RefundId }),
      ...readSpan(query),
      limit: limit + 1,
    })
    return { record: pageOf(found, limit, refundRecord) }
  },
})

export const refundRoutes: readonly Route[] = [create, list, get]
