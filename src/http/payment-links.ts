// Payment links: create, read, list, archive. Their pages are in checkout/link-page.ts.
import { Type as T, type Static } from 'typebox'
import { paymentLink, paymentLinkRequest } from '#/contract/payment-links.ts'
import type { Of } from '#/contract/record.ts'
import { listOf } from '#/contract/words.ts'
import { readNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import { AppError, type FieldFault, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { PaymentLinkId } from '#/kernel/id.ts'
import { amountFromJson, isCurrency, type Currency } from '#/kernel/money.ts'
import { pageUrlFaults } from '#/kernel/page-url.ts'
import { differences } from '#/kernel/same-call.ts'
import { oneOf } from '#/kernel/schema.ts'
import { archive, linksMax, makeLink } from '#/payment-links/create.ts'
import { linkRecord, type LinkRequest, type PaymentLink } from '#/payment-links/link.ts'
import { extremesOf, paymentRequestOf } from '#/payment-links/pay.ts'
import { countUses, listLinks, selectLink } from '#/payment-links/queries.ts'
import { addressesInBody, none } from '#/people/concern.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import { idempotencyKeyOf, metadataFaults, requireCapitals } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import { pageOf, pageSize, paging, queryOf, readInstant, readLastId } from './query.ts'
import { route, type Call, type Route } from './route.ts'

const hourSeconds = 3_600

const isArchived = oneOf(
  'PaymentLinkArchived',
  ['true', 'false'],
  'Only links that are archived, or only those that are not.',
)

const linkUrl = 'https://pay.example.com/l/a1b3Vycy1hcmUtbG9uZ2VyLWFuZC1yYW5kb20'
const exampleLink = {
  id: '019aa3c2-d777-7008-8f66-c17283940517',
  mode: 'LIVE',
  status: 'ACTIVE',
  url: linkUrl,
  qrCodeUrl: `${linkUrl}/qr.svg`,
  name: 'Guitar lesson',
  currency: 'BRL',
  amount: 12000,
  checkout: 'default',
  usesMax: 8,
  uses: { paid: 0, open: 0 },
  expiresIn: 3600,
  metadata: { course: 'guitar' },
  createdAt: examples.createdAt,
} as const

const create = route({
  route: 'POST /v1/payment-links',
  scope: 'payments:write',
  audit: 'ITSELF',
  starts: 'paymentLink',
  concern: { none: 'payers pay in', unlessBodyHas: addressesInBody },
  operationId: 'createPaymentLink',
  summary: 'Create a payment link',
  description:
    'A page to share: each payer who sends its form makes one payment with these terms. With `amount`, or with `minAmount` and `maxAmount` between which the payer chooses. It never changes; archive it and create another one.',
  status: 201,
  answer: paymentLink,
  example: exampleLink,
  headers: { 'Idempotent-Replayed': '`true` when the key created this link before.' },
  problems: [
    'idempotency_conflict',
    'currency_not_supported',
    'method_not_available',
    'network_not_supported',
    'checkout_not_found',
    'destination_not_allowed',
    'limit_exceeded',
    'provider_unavailable',
  ],
  body: paymentLinkRequest,
  exampleBody: {
    name: 'Guitar lesson',
    amount: 12000,
    currency: 'BRL',
    usesMax: 8,
    metadata: { course: 'guitar' },
    idempotencyKey: 'link-guitar-1',
  },
  async handle(deps, call) {
    const { merchant, keyId, origin, body } = call
    const key = idempotencyKeyOf(call)
    requireFaultless(faultsOf(deps, call))
    const currency = currencyOf(body.currency)
    const request = requestOf(body)
    // Checks now, for the merchant, everything that the page would refuse to a payer later.
    for (const amount of extremesOf(request))
      await deps.creator.assertPossible(merchant, paymentRequestOf({ request }, amount))
    const order = { merchant, request, currency, keyId, origin }
    const made = await makeLink(deps.sql, deps.pages, {
      ...order,
      ...given({ idempotencyKey: key }),
    })
    switch (made.kind) {
      case 'created':
      case 'replayed':
        return { record: await recordOf(deps, made.link), isReplayed: made.kind === 'replayed' }
      case 'conflict':
        throw new AppError(
          'idempotency_conflict',
          `The key created link ${made.link.id} with another body.`,
          {
            faults: differences(made.link.request, request),
          },
        )
      case 'past':
        throw malformed('/expiresAt', 'too_small', 'must be in the future')
      case 'too_many':
        throw new AppError(
          'limit_exceeded',
          `A merchant has at most ${linksMax} links that are not archived.`,
        )
    }
  },
})

type Body = Static<typeof paymentLinkRequest>

/** Checks that a schema cannot express. */
function faultsOf(
  { webhookPolicy }: HttpDeps,
  { body, merchant }: Call<unknown, Body>,
): readonly FieldFault[] {
  const { returnUrl, webhookUrl } = body
  const hook = webhookUrl === undefined ? undefined : checkUrl(webhookUrl, webhookPolicy[merchant.mode])
  return [
    ...metadataFaults(body.metadata),
    ...amountFaults(body),
    ...pageUrlFaults('/returnUrl', returnUrl, merchant.mode),
    ...(hook === undefined || hook.ok ? [] : [{ pointer: '/webhookUrl', ...hook.fault }]),
  ]
}

/** Either an amount, or the least and the most. */
function amountFaults({ amount, minAmount, maxAmount }: Body): readonly FieldFault[] {
  const range = { minAmount, maxAmount }
  const names = ['minAmount', 'maxAmount'] as const
  if (amount !== undefined) {
    return names
      .filter((name) => range[name] !== undefined)
      .map((name) => ({ pointer: `/${name}`, code: 'not_allowed', message: 'is not for a link with amount' }))
  }
  const missing = names.filter((name) => range[name] === undefined)
  if (missing.length === 2)
    return [{ pointer: '/amount', code: 'required', message: 'is required, or minAmount and maxAmount' }]
  if (missing.length === 1)
    return missing.map((name) => ({ pointer: `/${name}`, code: 'required', message: 'is required too' }))
  if (amountFromJson(minAmount ?? 0) <= amountFromJson(maxAmount ?? 0)) return []
  return [{ pointer: '/maxAmount', code: 'too_small', message: 'must not be less than minAmount' }]
}

function requireFaultless(faults: readonly FieldFault[]): void {
  const [first] = faults
  if (first !== undefined)
    throw new AppError('invalid_request', `${first.pointer} ${first.message}.`, { faults })
}

function malformed(pointer: string, code: string, message: string): AppError {
  return new AppError('invalid_request', `${pointer} ${message}.`, { faults: [{ pointer, code, message }] })
}

function currencyOf(given: string): Currency {
  if (isCurrency(given)) return given
  requireCapitals(given)
  const fault = { pointer: '/currency', code: 'not_available', message: 'is not available' }
  throw new AppError('currency_not_supported', `There are no payments in ${given}.`, { faults: [fault] })
}

/** The body with its defaults, without its key. */
function requestOf({ idempotencyKey: _key, expiresAt, ...body }: Body): LinkRequest {
  const at = readInstant('expiresAt', expiresAt)
  return {
    ...body,
    checkout: body.checkout ?? 'default',
    expiresIn: body.expiresIn ?? hourSeconds,
    ...(at === undefined ? {} : { expiresAt: at.toISOString() }),
  }
}

async function recordOf(deps: Pick<HttpDeps, 'sql'>, link: PaymentLink) {
  const [record] = await recordsOf(deps, [link])
  return must(record, 'a link has a record')
}

async function recordsOf(
  { sql }: Pick<HttpDeps, 'sql'>,
  links: readonly PaymentLink[],
): Promise<readonly Of<typeof paymentLink>[]> {
  const [first] = links
  if (first === undefined) return []
  const ids = links.map(({ id }) => id)
  const [uses, now] = await Promise.all([countUses(sql, first.merchantId, ids), readNow(sql)])
  return links.map((link) => linkRecord(link, uses.get(link.id) ?? { paid: 0, open: 0 }, now))
}

const get = route({
  route: 'GET /v1/payment-links/{id}',
  scope: 'payments:read',
  operationId: 'getPaymentLink',
  summary: 'Get a payment link',
  description: 'With how often it was used. Its payments: `GET /v1/payments?paymentLinkId=`.',
  answer: paymentLink,
  example: { ...exampleLink, uses: { paid: 3, open: 1 } },
  async handle(deps, { merchant, id }) {
    const found = await selectLink(deps.sql, { merchantId: merchant.id, id: id as PaymentLinkId })
    return { record: await recordOf(deps, existing(found, 'payment link')) }
  },
})

const list = route({
  route: 'GET /v1/payment-links',
  scope: 'payments:read',
  operationId: 'listPaymentLinks',
  summary: 'List payment links, newest first',
  description: 'All of them, or with `archived` those that are archived or not.',
  answer: listOf(paymentLink),
  example: { data: [exampleLink] },
  query: queryOf({ ...paging, archived: T.Optional(isArchived) }),
  async handle(deps, { merchant, query }) {
    const { cursor, limit = pageSize, archived } = query
    const before = readLastId(cursor)
    const found = await listLinks(deps.sql, merchant.id, {
      ...(archived === undefined ? {} : { isArchived: archived === 'true' }),
      ...given({ before }),
      limit: limit + 1,
    })
    const records = await recordsOf(deps, found.slice(0, limit))
    const page = pageOf(found, limit, () => ({}))
    return { record: { ...page, data: records } }
  },
})

const end = route({
  route: 'POST /v1/payment-links/{id}/archive',
  scope: 'payments:write',
  audit: 'ITSELF',
  starts: 'ending',
  concern: none('it ends a way to pay in'),
  operationId: 'archivePaymentLink',
  summary: 'Archive a payment link',
  description:
    'Its page makes no payment any more. Payments that it made go on. Archiving again returns the same.',
  answer: paymentLink,
  example: { ...exampleLink, status: 'ARCHIVED', archivedAt: examples.paidAt },
  async handle(deps, { merchant, id, keyId, origin }) {
    const link = await archive(deps.sql, { merchantId: merchant.id, id: id as PaymentLinkId }, keyId, origin)
    return { record: await recordOf(deps, existing(link, 'payment link')) }
  },
})

export const paymentLinkRoutes: readonly Route[] = [list, get, create, end]
