// Payments: create, read, list, capture, cancel.
import { Type as T, type Static } from 'typebox'
import { deposit } from '#/contract/payment-rail-fields.ts'
import { captureRequest, paymentRequest } from '#/contract/payment-requests.ts'
import { createdPayment, payment, paymentStatus } from '#/contract/payments.ts'
import { listOf, paymentMethod } from '#/contract/words.ts'
import { isCountry } from '#/kernel/country.ts'
import { AppError, type FieldFault, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentId } from '#/kernel/id.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { pageUrlFaults } from '#/kernel/page-url.ts'
import { describePayments } from '#/payments/describe.ts'
import { findPayments } from '#/payments/find.ts'
import { itemFaults, type Payment } from '#/payments/payment.ts'
import { ratePpmOf } from '#/payments/plan-split.ts'
import * as queries from '#/payments/queries.ts'
import { creationRecord, paymentRecord, type PaymentRecord } from '#/payments/record.ts'
import { addressesInBody, none } from '#/people/concern.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import { idempotencyKeyOf, metadataFaults, requireCapitals } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import { findPaymentsBy, readFoundBy } from './find-query.ts'
import { payerFaults, withPlainPayer } from './payer-fields.ts'
import {
  ofCurrency,
  pageSize,
  pageTo,
  paging,
  queryOf,
  readCursor,
  readLastId,
  readSpan,
  span,
  unknownCursor,
  writeCursor,
} from './query.ts'
import { route, type Call, type Route } from './route.ts'

const create = route({
  route: 'POST /v1/payments',
  scope: 'payments:write',
  audit: { action: 'payment.create', subjectOf: (_call, { id }: Payment) => `payment:${id}` },
  starts: 'payment',
  concern: { none: 'a payer pays in', unlessBodyHas: addressesInBody },
  operationId: 'createPayment',
  summary: 'Create a payment',
  description:
    'An idempotencyKey is required, as that field or as the header Idempotency-Key. The same key with the same body returns the same payment again, in its present status; with another body it is a conflict.',
  status: 201,
  answer: createdPayment,
  example: examples.created,
  headers: { 'Idempotent-Replayed': '`true` when the key made this payment before.' },
  problems: [
    'merchant_suspended',
    'idempotency_conflict',
    'currency_not_supported',
    'method_not_available',
    'network_not_supported',
    'checkout_not_found',
    'split_refused',
    'limit_exceeded',
    'provider_unavailable',
  ],
  body: paymentRequest,
  exampleBody: {
    amount: 1234,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: 'order-A-1',
    metadata: { orderId: 'A-1' },
    items: examples.items,
    webhookUrl: 'https://shop.example.com/webhooks',
  },
  async handle(deps, call, audited) {
    const { idempotencyKey: _key, ...body } = call.body
    const key = idempotencyKeyOf(call)
    const faults = faultsOf(deps, call)
    if (key === undefined || faults.length > 0) {
      const all = [...(key === undefined ? [keyMissing] : []), ...faults]
      throw new AppError('invalid_request', `${all[0]?.pointer} ${all[0]?.message}.`, { faults: all })
    }
    requireCapitals(body.currency)
    const created = await deps.creator.create(call.merchant, key, withPlainPayer(body), audited)
    return { record: creationRecord(created.payment, created.fields), isReplayed: created.replayed }
  },
})

const keyMissing: FieldFault = {
  pointer: '/idempotencyKey',
  code: 'required',
  message: 'is required, here or in the header Idempotency-Key',
}

/** Checks that a schema cannot express. */
function faultsOf(
  { webhookPolicy }: HttpDeps,
  { body, merchant }: Call<unknown, Static<typeof paymentRequest>>,
): readonly FieldFault[] {
  const faults = [
    ...metadataFaults(body.metadata),
    ...itemFaults(body.items, body.amount),
    ...splitFaults(body.splits, body.feePayer),
    ...payerFaults(body),
  ]
  for (const [pointer, country] of [
    ['/customerAddress/country', body.customerAddress?.country],
    ['/customerCountry', body.customerCountry],
  ] as const)
    if (country !== undefined && !isCountry(country))
      faults.push({ pointer, code: 'malformed', message: 'is no country of ISO 3166-1, such as PT' })
  if (body.captureMode !== undefined && body.checkout === undefined && !isByCard(body.paymentMethods)) {
    const message = 'is for CREDIT_CARD, or for a checkout'
    faults.push({ pointer: '/captureMode', code: 'not_allowed', message })
  }
  for (const name of ['returnUrl', 'cancelUrl'] as const)
    faults.push(...pageUrlFaults(`/${name}`, body[name], merchant.mode))
  if (body.webhookUrl !== undefined) {
    const verdict = checkUrl(body.webhookUrl, webhookPolicy[merchant.mode])
    if (!verdict.ok) faults.push({ pointer: '/webhookUrl', ...verdict.fault })
  }
  return faults
}

/** The faults of each share's shape: one of `amount` and `percent`, and a percentage that can be kept. */
function splitFaults(
  splits: Static<typeof paymentRequest>['splits'],
  feePayer: string | undefined,
): readonly FieldFault[] {
  if (splits === undefined)
    return feePayer === undefined
      ? []
      : [{ pointer: '/feePayer', code: 'not_allowed', message: 'needs splits' }]
  return splits.flatMap(({ amount, percent }, index): readonly FieldFault[] => {
    const pointer = `/splits/${index}`
    if ((amount === undefined) === (percent === undefined))
      return [{ pointer, code: 'required', message: 'has one of amount and percent' }]
    if (percent === undefined || ratePpmOf(percent) !== undefined) return []
    return [{ pointer: `${pointer}/percent`, code: 'malformed', message: 'is more than 0 and at most 100' }]
  })
}

function isByCard(paymentMethods: readonly string[] | undefined): boolean {
  return paymentMethods?.includes('CREDIT_CARD') === true
}

const get = route({
  route: 'GET /v1/payments/{id}',
  scope: 'payments:read',
  operationId: 'getPayment',
  summary: 'Get a payment',
  description: 'As it stands now, with what its payer needs and what arrived for it.',
  answer: payment,
  example: examples.paid,
  async handle(deps, { merchant, id }) {
    const [found] = await queries.selectPayments(deps.sql, [
      { merchantId: merchant.id, paymentId: id as PaymentId },
    ])
    return { record: await recordOf(deps, existing(found, 'payment')) }
  },
})

const list = route({
  route: 'GET /v1/payments',
  scope: 'payments:read',
  operationId: 'listPayments',
  summary: 'List payments, newest first',
  description:
    'Whole payments, without the pictures of QR codes. `from` and `to` filter by their creation. All filters that are given must fit. With one that finds by a value, a page may have fewer rows than `limit`, even none, and still have a `nextCursor`: the list ends where there is none. A metadata key that is not READY is refused: 400 when it is not declared, 409 while earlier payments are filled in.',
  answer: listOf(payment),
  example: { data: [examples.paid] },
  problems: ['invalid_state'],
  query: queryOf({
    ...paging,
    ...span,
    status: T.Optional(paymentStatus),
    method: T.Optional(paymentMethod),
    currency: ofCurrency,
    ...findPaymentsBy,
  }),
  async handle(deps, { merchant, query }) {
    const { status, method, currency, cursor, limit = pageSize } = query
    const before = readLastId(cursor)
    const page = await findPayments(deps, merchant.id, {
      ...given({ status, method, currency, before }),
      ...readSpan(query),
      ...readFoundBy(query),
      limit,
    })
    const described = await describePayments(deps.sql, deps.rails, page.rows, 'brief')
    return { record: pageTo(page, (each) => paymentRecord(each, described.of(each))) }
  },
})

const deposits = route({
  route: 'GET /v1/payments/{id}/deposits',
  scope: 'payments:read',
  operationId: 'listPaymentDeposits',
  summary: 'List the deposits of a payment, newest first',
  description: 'Every transfer that reached the payment’s address. A payment by another method has none.',
  answer: listOf(deposit),
  example: { data: examples.paid.deposits },
  query: queryOf(paging),
  async handle({ sql, rails }, { merchant, id, query }) {
    const ref = { merchantId: merchant.id, paymentId: id as PaymentId }
    const [found] = await queries.selectPayments(sql, [ref])
    if (found === undefined) throw noSuch('payment')
    const { cursor, limit = pageSize } = query
    const after = cursor === undefined ? {} : { after: readCursor(cursor, isText, isText, isText) }
    // One rail has deposits of its own; a payment without any gets an empty page.
    const records = [...rails.values()].flatMap(({ record }) => (record?.from === 'TABLES' ? [record] : []))
    const [record] = records
    const page = record === undefined ? { data: [] } : await record.deposits(sql, ref, { limit, ...after })
    if (page === undefined) throw unknownCursor()
    const { data, next } = page
    return { record: { data, ...(next === undefined ? {} : { nextCursor: writeCursor(next) }) } }
  },
})

function isText(part: string): boolean {
  return part !== ''
}

const capture = route({
  route: 'POST /v1/payments/{id}/capture',
  scope: 'payments:write',
  audit: { action: 'payment.capture', subjectOf: ({ id }) => `payment:${id}` },
  starts: 'paymentOpening',
  concern: 'money',
  operationId: 'capturePayment',
  summary: 'Capture an approved payment',
  description:
    'Captures what the payer’s bank holds, or a part of it; the rest is released. The payment is PAID with what was captured. The same call again returns the same. When the provider does not answer (503) the capture goes on by itself.',
  answer: payment,
  example: examples.captured,
  problems: ['invalid_state', 'limit_exceeded', 'provider_unavailable'],
  body: captureRequest,
  exampleBody: { amount: 2000 },
  bodyOptional: true,
  async handle(deps, { merchant, id, body }, { beside }) {
    const ref = { merchantId: merchant.id, paymentId: id as PaymentId }
    const amount = body.amount === undefined ? undefined : amountFromJson(body.amount)
    return { record: await recordOf(deps, await deps.capturer.capture(ref, amount, beside)) }
  },
})

const cancel = route({
  route: 'POST /v1/payments/{id}/cancel',
  scope: 'payments:write',
  audit: { action: 'payment.cancel', subjectOf: ({ id }) => `payment:${id}` },
  starts: 'ending',
  concern: none(
    'nothing was received: what is authorised goes back to the payer, and nobody else can get it',
  ),
  operationId: 'cancelPayment',
  summary: 'Cancel an unpaid payment',
  description:
    'What is authorised and not captured is released. Canceling again returns the same. Money that still arrives is credited; the payment stays CANCELED.',
  answer: payment,
  example: examples.canceled,
  problems: ['invalid_state', 'provider_unavailable'],
  async handle(deps, { merchant, id }, audited) {
    const ref = { merchantId: merchant.id, paymentId: id as PaymentId }
    const verdict = await deps.lane.submit(deps.endKind, { ...ref, event: 'canceled' }, audited)
    if (verdict.kind === 'not_found') throw noSuch('payment')
    if (verdict.kind !== 'refused') return { record: await recordOf(deps, verdict.payment) }
    if (verdict.payment.status !== 'APPROVED') throw notCancelable(verdict.payment)
    return { record: await recordOf(deps, await deps.capturer.cancel(ref, audited.beside)) }
  },
})

async function recordOf({ sql, rails }: HttpDeps, found: Payment): Promise<PaymentRecord> {
  const described = await describePayments(sql, rails, [found], 'full')
  return paymentRecord(found, described.of(found))
}

function notCancelable({ status, seenMinor }: Payment): AppError {
  const why = seenMinor > 0n ? 'Money for it is on its way.' : `It is ${status}.`
  return new AppError('invalid_state', `The payment cannot be canceled. ${why}`, {
    extra: { paymentStatus: status },
  })
}

export const paymentRoutes: readonly Route[] = [create, get, list, deposits, capture, cancel]
