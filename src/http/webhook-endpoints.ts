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
import { emptyRequest, listOf } from '#/contract/words.ts'
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
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type EndpointId } from '#/kernel/id.ts'
import { differences } from '#/kernel/same-call.ts'
import type { EventType } from '#/webhooks/event.ts'
import { checkUrl } from '#/webhooks/guard.ts'
import { showWebhookSecret } from '#/webhooks/sign.ts'
import { idempotencyKeyOf } from './body.ts'
import type { HttpDeps } from './deps.ts'
import { pageOf, pageSize, paging, queryOf, readLastId } from './query.ts'
import { route, type Call, type Route } from './route.ts'

const create = route({
  method: 'POST',
  path: '/v1/webhook-endpoints',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  description: `Your events of its types are sent there from now on, signed with its own secret, which this answer alone shows. A merchant has at most ${endpointsMax}.`,
  status: 201,
  answer: createdEndpoint,
  headers: { 'Idempotent-Replayed': '`true` when the key created this endpoint before.' },
  problems: ['idempotency_conflict', 'invalid_state', 'limit_exceeded'],
  body: endpointRequest,
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
        return { record: endpointRecord(creation.endpoint), headers: { 'idempotent-replayed': 'true' } }
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
  method: 'GET',
  path: '/v1/webhook-endpoints',
  scope: 'webhooks:read',
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints, oldest first',
  description: 'Without those that are deleted, and without their secrets.',
  status: 200,
  answer: listOf(webhookEndpoint),
  query: queryOf(paging),
  async handle({ sql }, { merchant, query }) {
    const { cursor, limit = pageSize } = query
    const after = readLastId(cursor)
    const found = await selectEndpoints(sql, merchant.id, {
      limit: limit + 1,
      ...given({ after }),
    })
    return { record: pageOf(found, limit, endpointRecord) }
  },
})

const get = route({
  method: 'GET',
  path: '/v1/webhook-endpoints/{id}',
  scope: 'webhooks:read',
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description: 'Whether it is enabled, and since when it fails.',
  status: 200,
  answer: webhookEndpoint,
  async handle({ sql }, { merchant, id }) {
    return { record: recordOf(await selectEndpoint(sql, merchant.id, id as EndpointId)) }
  },
})

const change = route({
  method: 'PATCH',
  path: '/v1/webhook-endpoints/{id}',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  operationId: 'changeWebhookEndpoint',
  summary: 'Change a webhook endpoint, disable it, or enable it again',
  description:
    'A disabled endpoint’s deliveries are held; enabling it sends them in the order of their sequence, to the URL that it has then. `eventTypes` of `["*"]` is all types, an empty description is none.',
  status: 200,
  answer: webhookEndpoint,
  body: endpointChange,
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
  method: 'POST',
  path: '/v1/webhook-endpoints/{id}/roll-secret',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  operationId: 'rollWebhookSecret',
  summary: 'Give a webhook endpoint a new secret',
  description:
    'This answer alone shows it. For `overlapHours` both secrets sign; with 0 the present one stops at once. Of two rolls within that time, the secret before both stops.',
  status: 200,
  answer: rolledEndpoint,
  body: rollRequest,
  bodyOptional: true,
  async handle(deps, call) {
    const { overlapHours = 24 } = call.body
    const rolled = await rollSecret(storeOf(deps), callerOf(call), call.id as EndpointId, overlapHours)
    if (rolled === undefined) throw unknownEndpoint()
    return { record: { ...endpointRecord(rolled.endpoint), secret: showWebhookSecret(rolled.secret) } }
  },
})

const sendPing = route({
  method: 'POST',
  path: '/v1/webhook-endpoints/{id}/ping',
  scope: 'webhooks:write',
  audit: { action: 'webhook_endpoint.ping', subjectOf: ({ id }) => `webhook_endpoint:${id}` },
  operationId: 'pingWebhookEndpoint',
  summary: 'Send an event to a webhook endpoint to see whether it answers',
  description: 'The event `webhook_endpoint.ping`, to this endpoint alone, whatever types it takes.',
  status: 202,
  answer: ping,
  problems: ['invalid_state'],
  body: emptyRequest('PingWebhookEndpointRequest'),
  bodyOptional: true,
  async handle({ lane }, { merchant, id }, audited) {
    const eventId = newId<'event'>()
    const item = { merchantId: merchant.id, id: id as EndpointId, eventId }
    const { kind } = await lane.submit(pingKind, item, audited)
    if (kind === 'not_found') throw unknownEndpoint()
    if (kind === 'disabled') throw new AppError('invalid_state', 'The endpoint is disabled.')
    return { record: { eventId } }
  },
})

const remove = route({
  method: 'DELETE',
  path: '/v1/webhook-endpoints/{id}',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description:
    'For good: it gets nothing more, what was still to be sent to it is canceled, and its secret is erased. Its deliveries stay listed.',
  status: 200,
  answer: webhookEndpoint,
  async handle(deps, call) {
    return { record: recordOf(await deleteEndpoint(deps, callerOf(call), call.id as EndpointId)) }
  },
})

function recordOf(endpoint: Endpoint | undefined): Of<typeof webhookEndpoint> {
  if (endpoint === undefined) throw unknownEndpoint()
  return endpointRecord(endpoint)
}

export function unknownEndpoint(): AppError {
  return new AppError('not_found', 'There is no such webhook endpoint.')
}

export const webhookEndpointRoutes: readonly Route[] = [create, list, get, change, roll, sendPing, remove]
