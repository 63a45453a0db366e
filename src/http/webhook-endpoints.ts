// Webhook endpoints: create, read, change, roll the secret, ping, delete. Recoveries are in webhook-recoveries.ts.
import type { Of } from '#/contract/record.ts'
import {
  createdEndpoint,
  endpointChange,
  endpointRequest,
  ping,
  rolledEndpoint,
  rollRequest,
  webhookEndpoint,
} from '#/contract/webhook-endpoints.ts'
import { listOf } from '#/contract/words.ts'
import { endpointRecord, type Endpoint } from '#/endpoints/endpoint.ts'
import { selectEndpoint, selectEndpoints } from '#/endpoints/queries.ts'
import {
  pingKind,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  endpointsMax,
  rollSecret,
  type EndpointRequest,
} from '#/endpoints/store.ts'
import { AppError, type FieldFault, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type EndpointId } from '#/kernel/id.ts'
import { differences } from '#/kernel/same-call.ts'
import { known } from '#/people/concern.ts'
import type { EventType } from '#/webhooks/event.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { idempotencyKeyOf } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import * as webhookExamples from './example-webhooks.ts'
import { paging, queryOf, pageAfter } from './query.ts'
import { route, type Call, type Route } from './route.ts'

const create = route({
  route: 'POST /v1/webhook-endpoints',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: 'events',
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description: `Your events of its types are sent there from now on, signed with its own secret, which this answer alone shows. A merchant has at most ${endpointsMax}.`,
  status: 201,
  answer: createdEndpoint,
  example: { ...webhookExamples.endpoint, secret: webhookExamples.secret },
  headers: { 'Idempotent-Replayed': '`true` when the key created this endpoint before.' },
  problems: ['idempotency_conflict', 'invalid_state', 'limit_exceeded'],
  body: endpointRequest,
  exampleBody: {
    url: webhookExamples.endpoint.url,
    eventTypes: webhookExamples.endpoint.eventTypes,
    description: webhookExamples.endpoint.description,
    idempotencyKey: 'endpoint-of-the-shop',
  },
  async handle(deps, call) {
    const { body } = call
    const key = idempotencyKeyOf(call)
    const types = typesOf(body.eventTypes)
    requireValid(deps, call, body.url, types)
    const request: EndpointRequest = {
      url: body.url,
      eventTypes: types === undefined || types === 'mixed' ? null : types,
      description: body.description === undefined || body.description === '' ? null : body.description,
    }
    const creation = await createEndpoint(storeOf(deps), callerOf(call), request, key)
    switch (creation.kind) {
      case 'created':
        return {
          record: { ...endpointRecord(creation.endpoint), secret: showWebhookSecret(creation.secret) },
        }
      case 'replayed':
        return { record: endpointRecord(creation.endpoint), isReplayed: true }
      case 'conflict':
        throw conflict(creation.endpoint, request)
      case 'deleted':
        throw new AppError(
          'invalid_state',
          `The key created endpoint ${creation.endpoint.id}, which is deleted.`,
        )
      case 'too_many':
        throw new AppError('limit_exceeded', `A merchant has at most ${endpointsMax} webhook endpoints.`)
    }
  },
})

function storeOf({ sql, endpointSealKey }: HttpDeps) {
  return { sql, sealKey: endpointSealKey }
}

function callerOf({
  merchant,
  keyId,
  origin,
}: Pick<Call<unknown, unknown>, 'merchant' | 'keyId' | 'origin'>) {
  return { merchantId: merchant.id, keyId, origin }
}

/** Null: all types. `mixed`: all and some, which contradict each other. */
function typesOf(
  requested: readonly (EventType | '*')[] | undefined,
): readonly EventType[] | null | 'mixed' | undefined {
  if (requested === undefined) return undefined
  const types = requested.flatMap((each) => (each === '*' ? [] : [each]))
  if (types.length === requested.length) return types
  return types.length === 0 ? null : 'mixed'
}

function requireValid(
  { webhookPolicy }: HttpDeps,
  { merchant }: Pick<Call<unknown, unknown>, 'merchant'>,
  url: string | undefined,
  types: ReturnType<typeof typesOf>,
): void {
  const verdict = url === undefined ? undefined : checkUrl(url, webhookPolicy[merchant.mode])
  const faults: readonly FieldFault[] = [
    ...(verdict === undefined || verdict.ok ? [] : [{ pointer: '/url', ...verdict.fault }]),
    ...(types === 'mixed'
      ? [{ pointer: '/eventTypes', code: 'not_allowed', message: 'has * beside other types' }]
      : []),
  ]
  if (faults.length > 0) throw new AppError('invalid_request', 'The endpoint is not well formed.', { faults })
}

function conflict({ id, url, eventTypes, description }: Endpoint, request: EndpointRequest): AppError {
  const faults = differences({ url, eventTypes, description }, request)
  return new AppError('idempotency_conflict', `The key created endpoint ${id} with another body.`, { faults })
}

const list = route({
  route: 'GET /v1/webhook-endpoints',
  scope: 'webhooks:read',
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints, oldest first',
  description: 'Without those that are deleted, and without their secrets.',
  answer: listOf(webhookEndpoint),
  example: { data: [webhookExamples.endpoint] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageAfter(query, (page) => selectEndpoints(sql, merchant.id, page), endpointRecord),
  }),
})

const get = route({
  route: 'GET /v1/webhook-endpoints/{id}',
  scope: 'webhooks:read',
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description: 'Whether it is enabled, and since when it fails.',
  answer: webhookEndpoint,
  example: webhookExamples.endpoint,
  async handle({ sql }, { merchant, id }) {
    return { record: recordOf(await selectEndpoint(sql, merchant.id, id as EndpointId)) }
  },
})

const change = route({
  route: 'PATCH /v1/webhook-endpoints/{id}',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: 'events',
  operationId: 'changeWebhookEndpoint',
  summary: 'Change a webhook endpoint, disable it, or enable it again',
  description:
    'A disabled endpoint’s deliveries are held; enabling it sends them in the order of their sequence, to the URL that it has then. `eventTypes` of `["*"]` is all types, an empty description is none.',
  answer: webhookEndpoint,
  example: {
    ...webhookExamples.endpoint,
    status: 'DISABLED',
    disabledReason: 'REQUESTED',
    disabledAt: examples.paidAt,
    version: 2,
  },
  body: endpointChange,
  exampleBody: { status: 'DISABLED' },
  async handle(deps, call) {
    const { url, eventTypes, description, status } = call.body
    const types = typesOf(eventTypes)
    requireValid(deps, call, url, types)
    const changed = await changeEndpoint(deps, callerOf(call), call.id as EndpointId, {
      ...given({ url }),
      ...(types === undefined || types === 'mixed' ? {} : { eventTypes: types }),
      ...(description === undefined ? {} : { description: description === '' ? null : description }),
      ...given({ status }),
    })
    return { record: recordOf(changed) }
  },
})

const roll = route({
  route: 'POST /v1/webhook-endpoints/{id}/roll-secret',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: 'events',
  operationId: 'rollWebhookSecret',
  summary: 'Give a webhook endpoint a new secret',
  description:
    'This answer alone shows it. For `overlapHours` both secrets sign; with 0 the present one stops at once. Of two rolls within that time, the secret before both stops.',
  answer: rolledEndpoint,
  example: {
    ...webhookExamples.endpoint,
    previousSecretUntil: '2026-11-23T02:04:11.250Z',
    version: 2,
    secret: webhookExamples.secret,
  },
  body: rollRequest,
  exampleBody: { overlapHours: 48 },
  bodyOptional: true,
  async handle(deps, call) {
    const { overlapHours = 24 } = call.body
    const rolled = await rollSecret(storeOf(deps), callerOf(call), call.id as EndpointId, overlapHours)
    if (rolled === undefined) throw noSuch('webhook endpoint')
    return { record: { ...endpointRecord(rolled.endpoint), secret: showWebhookSecret(rolled.secret) } }
  },
})

const sendPing = route({
  route: 'POST /v1/webhook-endpoints/{id}/ping',
  scope: 'webhooks:write',
  audit: { action: 'webhook_endpoint.ping', subjectOf: ({ id }) => `webhook_endpoint:${id}` },
  starts: 'setting',
  concern: known,
  operationId: 'pingWebhookEndpoint',
  summary: 'Send an event to a webhook endpoint to see whether it answers',
  description: 'The event `webhook_endpoint.ping`, to this endpoint alone, whatever types it takes.',
  status: 202,
  answer: ping,
  example: { eventId: examples.ids.event },
  problems: ['invalid_state'],
  async handle({ lane }, { merchant, id }, audited) {
    const eventId = newId<'event'>()
    const item = { merchantId: merchant.id, id: id as EndpointId, eventId }
    const { kind } = await lane.submit(pingKind, item, audited)
    if (kind === 'not_found') throw noSuch('webhook endpoint')
    if (kind === 'disabled') throw new AppError('invalid_state', 'The endpoint is disabled.')
    return { record: { eventId } }
  },
})

const remove = route({
  route: 'DELETE /v1/webhook-endpoints/{id}',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  starts: 'ending',
  concern: 'events',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description:
    'For good: it gets nothing more, what was still to be sent to it is canceled, and its secret is erased. Its deliveries stay listed.',
  answer: webhookEndpoint,
  example: { ...webhookExamples.endpoint, status: 'DELETED', version: 2 },
  async handle(deps, call) {
    return { record: recordOf(await deleteEndpoint(deps, callerOf(call), call.id as EndpointId)) }
  },
})

function recordOf(endpoint: Endpoint | undefined): Of<typeof webhookEndpoint> {
  return endpointRecord(existing(endpoint, 'webhook endpoint'))
}

export const webhookEndpointRoutes: readonly Route[] = [create, list, get, change, roll, sendPing, remove]
