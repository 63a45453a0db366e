// Recoveries: create, read, list, cancel.
import type { Static } from 'typebox'
import { webhookRecovery, webhookRecoveryRequest } from '#/contract/webhook-endpoints.ts'
import { listOf } from '#/contract/words.ts'
import { listRecoveries, selectRecovery } from '#/endpoints/recovery-queries.ts'
import { cancelRecovery, createRecovery, type RecoveryRequest } from '#/endpoints/recovery-store.ts'
import { recoveryRecord } from '#/endpoints/recovery.ts'
import { AppError, type FieldFault, noSuch, existing } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { EndpointId, RecoveryId } from '#/kernel/id.ts'
import { ends, known } from '#/people/concern.ts'
import * as examples from './example-records.ts'
import * as webhookExamples from './example-webhooks.ts'
import { paging, queryOf, readInstant, pageBefore, lowered } from './query.ts'
import { route, type Route } from './route.ts'

/** What is wanted. 400 when there are no two or one ends, or an instant cannot be read. */
function requestOf(body: Static<typeof webhookRecoveryRequest>): RecoveryRequest {
  const { endpointId, afterSequence, throughSequence, types, includeDelivered = false } = body
  const since = readInstant('since', body.since)
  const until = readInstant('until', body.until)
  const faults: FieldFault[] = []
  if (since === undefined && afterSequence === undefined)
    faults.push({ pointer: '/since', code: 'required', message: 'is required, or afterSequence' })
  if (since !== undefined && afterSequence !== undefined)
    faults.push({ pointer: '/afterSequence', code: 'not_allowed', message: 'is not for a since' })
  if (until !== undefined && throughSequence !== undefined)
    faults.push({ pointer: '/throughSequence', code: 'not_allowed', message: 'is not for an until' })
  if (faults.length > 0) throw new AppError('invalid_request', 'The span is not well formed.', { faults })
  return {
    ...given({ endpointId: lowered<EndpointId>(endpointId) }),
    start: since === undefined ? { afterSequence: BigInt(afterSequence ?? 0) } : { since },
    ...(until === undefined ? {} : { end: { until } }),
    ...(throughSequence === undefined ? {} : { end: { throughSequence: BigInt(throughSequence) } }),
    ...given({ types }),
    includeDelivered,
  }
}

const create = route({
  route: 'POST /v1/webhook-recoveries',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  starts: 'setting',
  concern: known,
  operationId: 'createWebhookRecovery',
  summary: 'Send the events of a span again',
  description:
    'To an endpoint: those whose delivery failed for good, and those that it never had because it is younger than they are. Without `endpointId`: deliveries to the URLs of payments and withdrawals that failed for good. They are sent one after another in the order of their sequence, beside what is new. One runs at a time for each endpoint.',
  status: 201,
  answer: webhookRecovery,
  example: { ...webhookExamples.recovery, reachedSequence: 1200, deliveries: 0 },
  problems: ['not_found', 'invalid_state'],
  body: webhookRecoveryRequest,
  exampleBody: { endpointId: webhookExamples.endpoint.id, afterSequence: 1200, throughSequence: 4711 },
  async handle({ sql }, { merchant, keyId, origin, body }) {
    const verdict = await createRecovery({ sql }, { merchantId: merchant.id, keyId, origin }, requestOf(body))
    switch (verdict.kind) {
      case 'created':
        return { record: recoveryRecord(verdict.recovery) }
      case 'not_found':
        throw noSuch('webhook endpoint')
      case 'disabled':
        throw new AppError('invalid_state', 'The endpoint is disabled: enable it first.')
      case 'running':
        throw new AppError('invalid_state', `Recovery ${verdict.id} is running: wait for it, or cancel it.`)
      case 'not_taken': {
        const message = `has types that the endpoint does not take: ${verdict.types.join(', ')}`
        throw new AppError('invalid_request', 'The endpoint does not take all of these types.', {
          faults: [{ pointer: '/types', code: 'not_allowed', message }],
        })
      }
    }
  },
})

const list = route({
  route: 'GET /v1/webhook-recoveries',
  scope: 'webhooks:read',
  operationId: 'listWebhookRecoveries',
  summary: 'List recoveries, newest first',
  description: 'Those that have ended too.',
  answer: listOf(webhookRecovery),
  example: { data: [webhookExamples.recovery] },
  query: queryOf(paging),
  handle: async ({ sql }, { merchant, query }) => ({
    record: await pageBefore(query, (page) => listRecoveries(sql, merchant.id, page), recoveryRecord),
  }),
})

const get = route({
  route: 'GET /v1/webhook-recoveries/{id}',
  scope: 'webhooks:read',
  operationId: 'getWebhookRecovery',
  summary: 'Get a recovery',
  description: 'How far it has come, and how many deliveries it has made due.',
  answer: webhookRecovery,
  example: webhookExamples.recovery,
  async handle({ sql }, { merchant, id }) {
    const found = await selectRecovery(sql, merchant.id, id as RecoveryId)
    return { record: recoveryRecord(existing(found, 'recovery')) }
  },
})

const cancel = route({
  route: 'POST /v1/webhook-recoveries/{id}/cancel',
  scope: 'webhooks:write',
  audit: 'ITSELF',
  starts: 'ending',
  concern: ends,
  operationId: 'cancelWebhookRecovery',
  summary: 'Cancel a recovery',
  description: 'It makes nothing more due. What it has made due is sent all the same.',
  answer: webhookRecovery,
  example: { ...webhookExamples.recovery, status: 'CANCELED', endedAt: examples.paidAt },
  problems: ['invalid_state'],
  async handle({ sql }, { merchant, keyId, origin, id }) {
    const verdict = await cancelRecovery(
      { sql },
      { merchantId: merchant.id, keyId, origin },
      id as RecoveryId,
    )
    if (verdict.kind === 'canceled') return { record: recoveryRecord(verdict.recovery) }
    if (verdict.kind === 'not_found') throw noSuch('recovery')
    throw new AppError('invalid_state', 'The recovery is done.')
  },
})

export const webhookRecoveryRoutes: readonly Route[] = [create, list, get, cancel]
