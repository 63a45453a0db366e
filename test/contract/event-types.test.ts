// The catalogue of events: complete, and each example is a body that could be sent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { disputeNotifications } from '#/audit/disputes.ts'
import { paymentNotifications } from '#/audit/payments.ts'
import { refundNotifications } from '#/audit/refunds.ts'
import type { NotifiedKind } from '#/audit/settlement/notified.ts'
import { withdrawalNotifications } from '#/audit/withdrawals.ts'
import { eventTypes } from '#/contract/events.ts'
import { assertDocumented, assertFits, at, document } from './document.ts'
import { openApiWorld, type Api, type ApiWorld, type Tenant } from './world.ts'

type Catalogued = {
  readonly type: string
  readonly description: string
  readonly since: string
  readonly example: Readonly<Record<string, unknown>> & { readonly data: Readonly<Record<string, unknown>> }
}

let base: ApiWorld
let api: Api
let tenant: Tenant
let catalogue: readonly Catalogued[]

before(async () => {
  base = await openApiWorld()
  api = await base.openApi()
  tenant = await base.openTenant()
  const answer = await api.ask('GET', '/v1/event-types', { key: tenant.key })
  assert.equal(answer.status, 200)
  assertDocumented('GET', '/v1/event-types', answer)
  catalogue = answer.body['data'] as readonly Catalogued[]
})
after(() => base.close())

test('every type is listed once, with its meaning and the version that brought it', () => {
  assert.deepEqual(
    catalogue.map(({ type }) => type),
    [...eventTypes],
  )
  for (const { type, description, since } of catalogue) {
    assert.ok(description.length > 10, type)
    assert.match(since, /^\d+\.\d+\.\d+$/, type)
  }
})

test('each example fits the schema of the webhook of its type', () => {
  for (const { type, example } of catalogue) {
    const content = at(document, 'webhooks', type, 'post', 'requestBody', 'content', 'application/json')
    assertFits(at(content, 'schema'), example, type)
    assert.deepEqual(at(content, 'example'), example, type)
  }
})

test('each example has a status that an event of its type can report', () => {
  const kinds: readonly NotifiedKind[] = [
    paymentNotifications(new Map()),
    refundNotifications,
    disputeNotifications,
    withdrawalNotifications,
  ]
  const notified = new Map<string, readonly string[]>(
    kinds.flatMap(({ after: states }) =>
      Object.entries(states).map(([type, each]) => [type, each.notified] as const),
    ),
  )
  notified.set('webhook_endpoint.disabled', ['DISABLED'])
  notified.set('webhook_endpoint.ping', ['ENABLED'])
  for (const { type, example } of catalogue) {
    if (/^(?:share|transfer|transfer_grant|wallet|webhook_endpoint|service)\./.test(type)) continue
    const status = String(example.data['status'])
    assert.ok(
      notified.get(type)?.some((each) => each === status),
      `${type}: ${status}`,
    )
  }
})
