// Refunds: create, approve, reject, read.
import { Type as T } from 'typebox'
import { refundRequest, refund, refundStatus } from '#/contract/refunds.ts'
import { listOf } from '#/contract/words.ts'
import { currentContext } from '#/kernel/context.ts'
import { AppError, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type PaymentId, type RefundId } from '#/kernel/id.ts'
import { amountToJson } from '#/kernel/money.ts'
import { differences } from '#/kernel/same-call.ts'
import { uuid } from '#/kernel/schema.ts'
import { moneyIsFrozen } from '#/merchants/freeze.ts'
import { noSecondPerson } from '#/merchants/lineage.ts'
import { stays } from '#/people/concern.ts'
import { isAllowed } from '#/refunds/choose-piece.ts'
import { findRefunds } from '#/refunds/find.ts'
import { listRefunds } from '#/refunds/queries.ts'
import { refundRecord, type RefundRequest } from '#/refunds/refund.ts'
import { refundsMax, type RefundVerdict } from '#/refunds/request.ts'
import { idempotencyKeyOf, metadataFaults, tooMuch } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import { expandPayments } from './expand.ts'
import { expandPayment, findRefundsBy, readRefundFoundBy } from './find-query.ts'
import {
  ofCurrency,
  pageSize,
  pageTo,
  paging,
  queryOf,
  readLastId,
  readSpan,
  span,
  lowered,
} from './query.ts'
import { route, type Call, type Route } from './route.ts'
import { limited } from './withdrawal-body.ts'

const create = route({
  route: 'POST /v1/payments/{id}/refunds',
  scope: 'payments:write',
  audit: {
    action: 'refund.create',
    subjectOf: (_call, verdict: RefundVerdict) =>
      verdict.kind === 'created' ? `refund:${verdict.refund.id}` : undefined,
  },
  starts: 'refund',
  concern: 'money',
  operationId: 'createRefund',
  reviewedAs: 'reviewRefund',
  summary: 'Give money back',
  description:
    'The amount is held in the wallet at once and leaves it when the provider has refunded it. Without an amount: all that can be refunded. Money goes back as it came: one refund is of one receipt. With a cryptoAddress: money that came by CRYPTO; with an iban: money that came by SEPA_TRANSFER; with neither: all but CRYPTO, and of that, what came twice first, then the newest.',
  status: 201,
  answer: refund,
  example: examples.pendingRefund,
  headers: { 'Idempotent-Replayed': '`true` when the key made this refund before.' },
  problems: [
    'frozen',
    'idempotency_conflict',
    'method_not_available',
    'refund_exceeds_payment',
    'insufficient_funds',
    'destination_not_allowed',
    'limit_exceeded',
  ],
  body: refundRequest,
  exampleBody: { amount: 500, reason: 'One item was not there' },
  bodyOptional: true,
  async handle(deps, call, audited) {
    const { merchant, keyId, id, body } = call
    const key = idempotencyKeyOf(call)
    const { idempotencyKey: _key, ...request } = body
    const faults = metadataFaults(request.metadata)
    if (faults.length > 0) throw new AppError('invalid_request', 'metadata is too large.', { faults })
    refuseTwoPlaces(request)
    const item = {
      merchantId: merchant.id,
      mode: merchant.mode,
      paymentId: id as PaymentId,
      id: newId<'refund'>(),
      request,
      requestedBy: keyId,
      trace: currentContext().trace,
      ...given({ idempotencyKey: key }),
    }
    const verdict = await deps.lane.submit(deps.refundKind, item, audited)
    if (verdict.kind !== 'created' && verdict.kind !== 'replayed') throw refusalOf(verdict, request)
    deps.onRefund?.()
    return { record: refundRecord(verdict.refund), isReplayed: verdict.kind === 'replayed' }
  },
})

/** One refund is of one method. */
function refuseTwoPlaces({ cryptoAddress, iban, beneficiary }: RefundRequest): void {
  if (cryptoAddress === undefined || (iban === undefined && beneficiary === undefined)) return
  const pointer = iban === undefined ? '/beneficiary' : '/iban'
  const message = 'is not for a refund to a cryptoAddress'
  throw new AppError('invalid_request', 'A refund goes to a cryptoAddress or to an iban, not to both.', {
    faults: [{ pointer, code: 'not_allowed', message }],
  })
}

function refusalOf(
  verdict: Exclude<RefundVerdict, { kind: 'created' } | { kind: 'replayed' }>,
  request: RefundRequest,
): AppError {
  switch (verdict.kind) {
    case 'not_found':
      return noSuch('payment')
    case 'conflict': {
      const detail = `The key made refund ${verdict.refund.id} of payment ${verdict.refund.paymentId} with another body.`
      return new AppError('idempotency_conflict', detail, { faults: differences(verdict.request, request) })
    }
    case 'too_many':
      return new AppError('limit_exceeded', `A payment has at most ${refundsMax} refunds.`)
    case 'not_refundable': {
      const { method, receivedMinor } = verdict.payment
      if (receivedMinor === 0n) return unpaid()
      const of = method === undefined ? 'The money of this payment' : `What came by ${method}`
      return new AppError('method_not_available', `${of} cannot be given back here.`)
    }
    case 'exceeds':
      return verdict.payment.receivedMinor === 0n ? unpaid() : exceeding(verdict, request)
    case 'misdirected': {
      const { code, detail, pointer } = verdict.refusal
      const isMissing = pointer !== undefined && !Object.hasOwn(request, pointer.slice(1))
      const fault = isMissing ? 'required' : code === 'invalid_request' ? 'invalid' : 'not_allowed'
      const message = isMissing ? 'is required for this refund' : 'cannot take the refund'
      const faults = pointer === undefined ? [] : [{ pointer, code: fault, message }]
      return new AppError(code, detail, { faults })
    }
    case 'too_much':
      return tooMuch(verdict.roomMinor)
    case 'frozen':
      return moneyIsFrozen()
    case 'limited':
      return limited(verdict.limit, request.cryptoAddress === undefined ? '/iban' : '/cryptoAddress')
    case 'shortfall': {
      const message = `sub-account ${verdict.subAccountId} lacks ${verdict.missingMinor} of its share; true lets your wallet pay it`
      return new AppError('insufficient_funds', 'A sub-account lacks its share of the refund.', {
        faults: [{ pointer: '/coverShortfall', code: 'shortfall', message }],
        extra: { missing: amountToJson(verdict.missingMinor), subAccountId: verdict.subAccountId },
      })
    }
    case 'insufficient_funds':
      return new AppError('insufficient_funds', `The wallet lacks ${verdict.missingMinor} of the amount.`, {
        extra: { missing: amountToJson(verdict.missingMinor) },
      })
  }
}

/** The answer while no payment method is chosen or nothing is paid. */
function unpaid(): AppError {
  const detail = 'The payment is not paid: nothing of it has come that could be given back.'
  return new AppError('refund_exceeds_payment', detail, {
    extra: { refundable: 0, refundableAtOnce: 0, left: [] },
  })
}

type Exceeding = Extract<RefundVerdict, { kind: 'exceeds' }>

/** Says what can be refunded of the money that is meant, what else is left and how to refund that. */
function exceeding({ refundableMinor, atOnceMinor, remaining }: Exceeding, request: RefundRequest): AppError {
  const [refundable, refundableAtOnce] = [amountToJson(refundableMinor), amountToJson(atOnceMinor)]
  const others = remaining.filter(({ method }) => !isAllowed(method, request))
  const isElsewhere = refundable === 0 && others.length > 0
  const needsAddress = isElsewhere && others.every(({ method }) => method === 'CRYPTO')
  const named = placeIn(request)
  const detail = [
    ...(needsAddress ? ['cryptoAddress is required: what is left of the payment came by CRYPTO.'] : []),
    refundable === refundableAtOnce
      ? `At most ${refundable} can be given back.`
      : `${refundable} can be given back, at most ${refundableAtOnce} of it with one refund: it came in several pieces.`,
    ...others.map(({ method, refundableMinor: minor }) => {
      const how =
        method === 'CRYPTO' ? 'to a cryptoAddress' : `without ${named === 'iban' ? 'an' : 'a'} ${named}`
      return `${minor} that came by ${method} can be given back ${how}.`
    }),
  ].join(' ')
  const fault = isElsewhere
    ? {
        pointer: needsAddress ? '/cryptoAddress' : `/${named}`,
        code: needsAddress ? 'required' : 'not_allowed',
        message: needsAddress
          ? 'is required: what is left came by CRYPTO'
          : 'is not for what is left, which came by another method',
      }
    : { pointer: '/amount', code: 'too_large', message: `is at most ${refundableAtOnce}` }
  return new AppError('refund_exceeds_payment', detail, {
    faults: [fault],
    extra: { refundable, refundableAtOnce, left: remaining.map(leftRecord) },
  })
}

/** The field that says where the money is to go. */
function placeIn({ cryptoAddress, iban }: RefundRequest): string {
  if (cryptoAddress !== undefined) return 'cryptoAddress'
  return iban === undefined ? 'beneficiary' : 'iban'
}

function leftRecord({ method, refundableMinor, atOnceMinor }: Exceeding['remaining'][number]) {
  return {
    paymentMethod: method,
    refundable: amountToJson(refundableMinor),
    refundableAtOnce: amountToJson(atOnceMinor),
    cryptoAddress: method === 'CRYPTO' ? 'required' : 'not_allowed',
  }
}

const get = route({
  route: 'GET /v1/refunds/{id}',
  scope: 'payments:read',
  operationId: 'getRefund',
  summary: 'Get a refund',
  description: 'As it stands now. A refund that is PENDING is still being sent.',
  answer: refund,
  example: examples.refund,
  async handle({ sql }, { merchant, id }) {
    const [found] = await listRefunds(sql, merchant.id, { id: id as RefundId, limit: 1 })
    return { record: refundRecord(existing(found, 'refund')) }
  },
})

const list = route({
  route: 'GET /v1/refunds',
  scope: 'payments:read',
  operationId: 'listRefunds',
  summary: 'List refunds, newest first',
  description:
    'The refunds of all payments, or of one. `from` and `to` filter by when the refund was requested. All filters that are given must fit; with an amount, a transaction or an end-to-end id a page may be short and still have a `nextCursor`.',
  answer: listOf(refund),
  example: { data: [examples.refund] },
  query: queryOf({
    ...paging,
    ...span,
    paymentId: T.Optional(uuid()),
    status: T.Optional(refundStatus),
    currency: ofCurrency,
    ...findRefundsBy,
    ...expandPayment,
  }),
  async handle(deps, { merchant, query }) {
    const { paymentId, status, currency, cursor, expand, limit = pageSize } = query
    const before = readLastId(cursor)
    const page = await findRefunds(deps.sql, merchant.id, {
      ...given({ paymentId: lowered(paymentId), status, currency, before }),
      ...readSpan(query),
      ...readRefundFoundBy(query),
      limit,
    })
    const expanded = await expandPayments(deps, expand, page.rows)
    return { record: pageTo(page, (each) => ({ ...refundRecord(each), ...expanded.of(each) })) }
  },
})

const approve = route({
  route: 'POST /v1/refunds/{id}/approve',
  scope: 'withdrawals:approve',
  audit: 'ITSELF',
  starts: 'refund',
  concern: 'money',
  operationId: 'approveRefund',
  summary: 'Approve a refund',
  description:
    'For a refund with approvalRequired: its address or account is neither listed nor the one that the money came from, or it is above the limit of approval. Not with the key that requested it, and for a sub-account not with a key that its parent made.',
  answer: refund,
  example: undefined,
  problems: ['frozen', 'invalid_state', 'destination_not_allowed', 'limit_exceeded'],
  handle: (deps, call) => decide(deps, call, 'approved'),
})

const reject = route({
  route: 'POST /v1/refunds/{id}/reject',
  scope: 'withdrawals:approve',
  audit: 'ITSELF',
  starts: 'ending',
  concern: stays,
  operationId: 'rejectRefund',
  summary: 'Reject a refund that waits for approval',
  description:
    'Not with the key that requested it, and for a sub-account not with a key that its parent made. The refund is FAILED, and what was held is in the wallet again.',
  answer: refund,
  example: undefined,
  problems: ['frozen', 'invalid_state'],
  handle: (deps, call) => decide(deps, call, 'rejected'),
})

async function decide(
  deps: HttpDeps,
  { merchant, keyId, origin, id }: Call<unknown, unknown>,
  event: 'approved' | 'rejected',
) {
  const item = { event, id: id as RefundId, merchantId: merchant.id, by: keyId, origin }
  const verdict = await deps.lane.submit(deps.refundDecisionKind, item)
  switch (verdict.kind) {
    case 'decided':
    case 'already':
      deps.onRefund?.()
      return { record: refundRecord(verdict.refund) }
    case 'frozen':
      throw moneyIsFrozen()
    case 'limited':
      throw limited(verdict.limit, '/cryptoAddress')
    case 'objected':
      throw noSecondPerson(verdict.objection)
    case 'not_found':
      throw noSuch('refund')
    case 'refused':
    case 'waits':
    case 'may_be_sent': {
      const { status } = verdict.refund
      const detail = `The refund is ${status} and waits for nobody.`
      throw new AppError('invalid_state', detail, { extra: { refundStatus: status } })
    }
  }
}

export const refundRoutes: readonly Route[] = [create, list, get, approve, reject]
