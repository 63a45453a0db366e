// A merchant's API keys: its keys with the scope `keys:write` make, change, roll and revoke them.
import { apiKey, keyChange, keyRequest, newApiKey, overlapHoursUsual, rollRequest } from '#/contract/keys.ts'
import type { Of } from '#/contract/record.ts'
import { listOf } from '#/contract/words.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId } from '#/kernel/id.ts'
import { listKeys, selectKey } from '#/merchants/key-queries.ts'
import { keyRecord } from '#/merchants/keys.ts'
import { changeKey, makeKey, revokeKey, rollKey, unknownKey, type MadeKey } from '#/merchants/managed-keys.ts'
import { ends } from '#/people/concern.ts'
import { idempotencyKeyOf } from './body.ts'
import type { HttpDeps } from './deps.ts'
import * as examples from './example-records.ts'
import { paging, queryOf, readInstant, pageBefore } from './query.ts'
import { route, type Answer, type Route } from './route.ts'

const replayed = {
  'Idempotent-Replayed':
    '`true` when the idempotency key made this key before; the key itself is not shown again.',
}

const create = route({
  route: 'POST /v1/keys',
  scope: 'keys:write',
  audit: 'ITSELF',
  starts: 'key',
  concern: 'people',
  operationId: 'createApiKey',
  summary: 'Make an API key',
  description:
    'The answer shows the key itself, this once. It has at most the rights of the calling key, and counts as the same person where two are needed: keys for another person come from the operator.',
  status: 201,
  answer: newApiKey,
  example: { ...examples.apiKey, key: examples.apiKeySecret },
  headers: replayed,
  problems: ['idempotency_conflict', 'limit_exceeded'],
  body: keyRequest,
  exampleBody: {
    name: 'shop',
    scopes: ['payments:read', 'payments:write'],
    expiresAt: '2027-12-31T00:00:00Z',
    allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'],
    idempotencyKey: 'key-of-the-shop',
  },
  async handle(deps, call) {
    const { name, scopes, allowedCidrs } = call.body
    const made = await makeKey(managed(deps), call, {
      name,
      scopes,
      ...given({ allowedCidrs }),
      ...limitsOf(call),
    })
    return answerOf(made)
  },
})

const list = route({
  route: 'GET /v1/keys',
  scope: 'keys:read',
  operationId: 'listApiKeys',
  summary: 'List API keys, newest first',
  description: 'All that the merchant ever had, those of the operator too.',
  answer: listOf(apiKey),
  example: { data: [examples.apiKey] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(query, (page) => listKeys(sql, merchant.id, page), keyRecord),
  }),
})

const get = route({
  route: 'GET /v1/keys/{id}',
  scope: 'keys:read',
  operationId: 'getApiKey',
  summary: 'Get an API key',
  description: 'Without the key itself, which is not stored.',
  answer: apiKey,
  example: { ...examples.apiKey, lastUsedAt: examples.paidAt },
  async handle({ sql }, { merchant, id }) {
    const row = await selectKey(sql, merchant.id, id as ApiKeyId)
    // The seat of a member is no key that could be used.
    if (row === undefined || row.member !== null) throw unknownKey()
    return { record: keyRecord(row) }
  },
})

const change = route({
  route: 'PATCH /v1/keys/{id}',
  scope: 'keys:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: 'people',
  operationId: 'changeApiKey',
  summary: 'Rename an API key, take scopes from it, or change its networks',
  description:
    'Works within a second everywhere. A key that can do more than the calling key is not changed, and no key gets more scopes than it has.',
  answer: apiKey,
  example: { ...examples.apiKey, name: 'shop, read only', scopes: ['payments:read'] },
  problems: ['invalid_state'],
  body: keyChange,
  exampleBody: { name: 'shop, read only', scopes: ['payments:read'] },
  async handle(deps, call) {
    const { name, scopes, allowedCidrs } = call.body
    const row = await changeKey(deps, call, call.id as ApiKeyId, {
      ...given({ name, scopes, allowedCidrs }),
    })
    return { record: keyRecord(row) }
  },
})

const roll = route({
  route: 'POST /v1/keys/{id}/roll',
  scope: 'keys:write',
  audit: 'ITSELF',
  starts: 'key',
  concern: 'people',
  operationId: 'rollApiKey',
  summary: 'Make a key in place of another',
  description:
    'With the same name, scopes, networks and lineage. The old key works until the overlap ends, or its own time. A key may roll itself and keys of its lineage that can do no more than it.',
  status: 201,
  answer: newApiKey,
  example: { ...examples.rolledApiKey, key: examples.apiKeySecret },
  headers: replayed,
  problems: ['idempotency_conflict', 'invalid_state', 'limit_exceeded'],
  body: rollRequest,
  exampleBody: { overlapHours: 48, idempotencyKey: 'roll-2026-11' },
  bodyOptional: true,
  async handle(deps, call) {
    const { overlapHours = overlapHoursUsual } = call.body
    const request = { id: call.id as ApiKeyId, overlapHours, ...limitsOf(call) }
    return answerOf(await rollKey(managed(deps), call, request))
  },
})

const revoke = route({
  route: 'POST /v1/keys/{id}/revoke',
  scope: 'keys:write',
  audit: 'ITSELF',
  starts: 'ending',
  concern: ends,
  operationId: 'revokeApiKey',
  summary: 'End an API key for good',
  description:
    'It is refused within a second everywhere. Any key of the merchant, also one that can do more than the calling key, and the calling key itself. Keys that it made work on. A second call changes nothing.',
  answer: apiKey,
  example: { ...examples.apiKey, status: 'REVOKED', revokedAt: examples.paidAt },
  async handle(deps, call) {
    return { record: keyRecord(await revokeKey(deps, call, call.id as ApiKeyId)) }
  },
})

function managed({ sql, keyMint }: HttpDeps) {
  return { sql, mint: keyMint }
}

function limitsOf(call: {
  readonly body: { readonly expiresAt?: string; readonly idempotencyKey?: string }
  readonly idempotencyKey: string | undefined
}) {
  const expiresAt = readInstant('expiresAt', call.body.expiresAt)
  const idempotencyKey = idempotencyKeyOf(call)
  return {
    ...given({ expiresAt, idempotencyKey }),
  }
}

function answerOf({ row, key }: MadeKey): Answer<Of<typeof newApiKey>> {
  if (key === undefined) return { record: keyRecord(row), isReplayed: true }
  return { record: { ...keyRecord(row), key } }
}

export const keyRoutes: readonly Route[] = [create, list, get, change, roll, revoke]
