// Webhook endpoints over HTTP: create, read, change, secrets, ping; and that their events arrive, signed with their own secret.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventTypes } from '#/contract/events.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { openEndpointWorld, type Row } from '../endpoint-world.ts'
import { openForTests } from '../open-for-tests.ts'
import { startReceiver, type Call } from '../receiver.ts'
import { codeOf } from '../withdrawal-world.ts'
import type { Answer, Tenant } from './world.ts'

const world = openForTests(openEndpointWorld)

const url = 'https://shop.example/hook'
const faultsOf = ({ body }: Answer) =>
  (body['errors'] as readonly Row[]).map(({ pointer, code }) => [pointer, code])
const typeOf = ({ body }: Call) => (JSON.parse(body.toString()) as Row)['type'] as string
const isSigned = ({ body, headers }: Call, secret: unknown) => {
  try {
    return new Webhook(String(secret)).verify(body, headers as Record<string, string>) !== undefined
  } catch {
    return false
  }
}

async function withEndpoint(more: Row = {}): Promise<{ tenant: Tenant; id: unknown; secret: unknown }> {
  const tenant = await world.base.openTenant()
  const { status, body } = await world.create(tenant, { url, ...more })
  assert.equal(status, 201)
  return { tenant, id: body['id'], secret: body['secret'] }
}

describe('an endpoint', () => {
  test('is created with a secret that no later answer shows, and is read and listed as it was created', async () => {
    const tenant = await world.base.openTenant()
    const made = await world.create(tenant, {
      url,
      eventTypes: ['payment.completed', 'refund.failed'],
      description: 'The shop',
    })
    const { secret, ...record } = made.body
    assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{32}$/)
    assert.deepEqual(
      [record['mode'], record['url'], record['eventTypes'], record['description'], record['status']],
      ['SANDBOX', url, ['payment.completed', 'refund.failed'], 'The shop', 'ENABLED'],
    )
    assert.deepEqual(await world.read(tenant, record['id']), record)
    const second = await world.create(tenant, { url })
    assert.ok(!('eventTypes' in second.body) && !('description' in second.body))
    const first = await world.ask(tenant, 'GET', '/v1/webhook-endpoints', { query: '?limit=1' })
    assert.deepEqual(first.body['data'], [record])
    const query = `?limit=1&cursor=${String(first.body['nextCursor'])}`
    const next = await world.ask(tenant, 'GET', '/v1/webhook-endpoints', { query })
    assert.deepEqual(
      (next.body['data'] as Row[]).map(({ id }) => id),
      [second.body['id']],
    )
    assert.ok(!('nextCursor' in next.body))
    const [stored] = await world.base.sql<{ secret: Buffer }[]>`
      select secret from webhook_endpoint where id = ${String(record['id'])}`
    assert.ok(!stored?.secret.includes(Buffer.from(String(secret).slice(6), 'base64')), 'sealed at rest')
  })

  test('of another merchant is not found, by any call', async () => {
    const { id } = await withEndpoint()
    const other = await world.base.openTenant()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { description: 'mine' }],
      ['DELETE', '', undefined],
      ['POST', '/roll-secret', {}],
      ['POST', '/ping', {}],
    ] as const) {
      const answer = await world.ask(other, method, `/v1/webhook-endpoints/{id}${path}`, { id, body })
      assert.deepEqual(codeOf(answer), [404, 'not_found'], method + path)
    }
  })

  test('needs a URL that webhooks may go to, and types that there are', async () => {
    const tenant = await world.base.openTenant('LIVE')
    assert.deepEqual(faultsOf(await world.create(tenant, { url: 'http://shop.example/' }))[0]?.[0], '/url')
    assert.deepEqual(faultsOf(await world.create(tenant, { url: 'https://127.0.0.1/' }))[0]?.[0], '/url')
    for (const types of [['payment.imagined'], [], ['webhook_endpoint.ping'], ['payment.completed', '*']]) {
      const answer = await world.create(tenant, { url, eventTypes: types })
      assert.deepEqual(codeOf(answer), [400, 'invalid_request'], types.join())
    }
    assert.deepEqual(codeOf(await world.create(tenant, { url, more: 1 })), [400, 'invalid_request'])
    const { body } = await world.create(tenant, { url })
    const changed = await world.change(tenant, body['id'], { url: 'https://10.0.0.1/' })
    assert.deepEqual(faultsOf(changed)[0]?.[0], '/url')
    assert.equal((await world.read(tenant, body['id']))['url'], url)
  })

  test('is the same for the same key, without its secret; another body is a conflict', async () => {
    const tenant = await world.base.openTenant()
    const headers = { 'idempotency-key': 'shop' }
    const made = await Promise.all([1, 2, 3].map(() => world.create(tenant, { url }, headers)))
    assert.equal(new Set(made.map(({ body }) => body['id'])).size, 1)
    assert.equal(made.filter(({ body }) => 'secret' in body).length, 1)
    assert.equal(made.filter((each) => each.headers.get('idempotent-replayed') === 'true').length, 2)
    const conflict = await world.create(tenant, { url, description: 'other' }, headers)
    assert.deepEqual(codeOf(conflict), [409, 'idempotency_conflict'])
    const id = made[0]?.body['id']
    await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id })
    assert.deepEqual(codeOf(await world.create(tenant, { url }, headers)), [409, 'invalid_state'])
  })

  test('is one of at most a hundred, also when many are created at once; a deleted one makes room', async () => {
    const tenant = await world.base.openTenant()
    const answers = await Promise.all(Array.from({ length: 104 }, () => world.create(tenant, { url })))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, 100)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const each of refused) assert.equal(each.body['code'], 'limit_exceeded')
    await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id: made[0]?.body['id'] })
    assert.equal((await world.create(tenant, { url })).status, 201)
  })

  test('is changed field by field; what did not change stays, and its version grows with each change', async () => {
    const { tenant, id } = await withEndpoint({ eventTypes: ['payment.completed'], description: 'The shop' })
    const moved = await world.change(tenant, id, { url: 'https://new.example/' })
    assert.deepEqual(
      [moved.body['url'], moved.body['eventTypes'], moved.body['description'], moved.body['version']],
      ['https://new.example/', ['payment.completed'], 'The shop', 2],
    )
    const bare = await world.change(tenant, id, { eventTypes: ['*'], description: '' })
    assert.ok(!('eventTypes' in bare.body) && !('description' in bare.body))
    assert.equal((await world.change(tenant, id, { description: '' })).body['version'], 3)
    const off = await world.change(tenant, id, { status: 'DISABLED' })
    assert.deepEqual([off.body['status'], off.body['disabledReason']], ['DISABLED', 'REQUESTED'])
    assert.equal(typeof off.body['disabledAt'], 'string')
    const on = await world.change(tenant, id, { status: 'ENABLED' })
    assert.equal(on.body['status'], 'ENABLED')
    assert.ok(!('disabledAt' in on.body) && !('disabledReason' in on.body))
    for (const body of [{}, { status: 'DELETED' }, { secret: 'x' }, { id: 'x' }])
      assert.deepEqual(codeOf(await world.change(tenant, id, body)), [400, 'invalid_request'])
    const actions = await world.base.sql<{ action: string }[]>`
      select action from audit_log where merchant_id = ${tenant.id} and subject = ${`webhook_endpoint:${String(id)}`} order by id`
    assert.deepEqual(
      actions.map(({ action }) => action.split('.')[1]),
      ['create', 'change', 'change', 'change', 'change'],
    )
  })

  test('needs a key that may read or write webhooks', async () => {
    const { tenant, id } = await withEndpoint()
    const { key } = await world.base.issue(tenant.id, ['webhooks:read'])
    assert.equal((await world.ask({ key }, 'GET', '/v1/webhook-endpoints/{id}', { id })).status, 200)
    assert.deepEqual(codeOf(await world.create({ key }, { url })), [403, 'forbidden'])
  })
})

describe('events', () => {
  test('go to each endpoint that takes their type, signed with its own secret, beside the webhookUrl', async () => {
    await using shop = await startReceiver()
    const tenant = await world.base.openTenant()
    const at = (path: string, eventTypes?: readonly string[]) =>
      world.create(tenant, {
        url: `${shop.origin}/${path}`,
        ...given({ eventTypes }),
      })
    const secrets = new Map([
      ['/all', (await at('all')).body['secret']],
      ['/some', (await at('some', ['payment.completed'])).body['secret']],
    ])
    const none = await at('none', ['dispute.lost'])
    await world.tell(tenant, 2, { type: 'payment.completed', webhookUrl: `${shop.origin}/url` })
    await world.tell(tenant, 1, { type: 'wallet.created' })
    const other = await world.base.openTenant()
    await world.tell(other, 1)
    await using _worker = world.deliver()
    await shop.until(({ length }) => length === 7)
    const typesAt = (path: string) => shop.calls.filter((call) => call.path === path).map(typeOf)
    assert.deepEqual(typesAt('/url'), ['payment.completed', 'payment.completed'])
    assert.deepEqual(typesAt('/some'), ['payment.completed', 'payment.completed'])
    assert.deepEqual(new Set(typesAt('/all')), new Set(['payment.completed', 'wallet.created']))
    assert.equal(typesAt('/all').length, 3)
    for (const call of shop.calls) {
      for (const [path, secret] of secrets) assert.equal(isSigned(call, secret), call.path === path)
    }
    assert.equal((await world.deliveriesTo(none.body['id'])).length, 0)
    const [event] = (await world.ask(tenant, 'GET', '/v1/events')).body['data'] as Row[]
    const listed = await world.ask(tenant, 'GET', '/v1/events/{id}/deliveries', { id: event?.['id'] })
    const named = (listed.body['data'] as Row[]).filter((each) => 'endpointId' in each)
    assert.equal(named.length, 2)
  })

  test('go to the URL that the endpoint has when they are sent, and their delivery shows where they went', async () => {
    await using before = await startReceiver(() => ({ status: 500 }))
    await using now = await startReceiver()
    const { tenant, id } = await withEndpoint({ url: before.origin })
    await world.tell(tenant, 1)
    await using _worker = world.deliver()
    await world.deliveriesTo(id, ([each]) => each?.attempts === 1)
    await world.change(tenant, id, { url: `${now.origin}/moved` })
    await world.base
      .sql`update delivery_due set due_at = now() - interval '1 second' where merchant_id = ${tenant.id}`
    await now.until(({ length }) => length === 1)
    await world.deliveriesTo(id, ([each]) => each?.status === 'DELIVERED')
    const [shown] = await world.base.sql<{ url: string }[]>`
      select url from delivery where endpoint_id = ${String(id)}`
    assert.equal(shown?.url, `${now.origin}/moved`)
  })
})

describe('a secret', () => {
  test('is rolled: both sign until the overlap is over, then only the new one', async () => {
    await using shop = await startReceiver()
    const { tenant, id, secret } = await withEndpoint({ url: shop.origin })
    const roll = async (overlapHours?: number) =>
      (
        await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/roll-secret', {
          id,
          body: overlapHours === undefined ? undefined : { overlapHours },
        })
      ).body
    await using _worker = world.deliver()
    const next = async () => {
      const { length } = shop.calls
      await world.tell(tenant, 1)
      await shop.until((calls) => calls.length > length)
      return shop.calls[length] as Call
    }
    const second = await roll()
    const untilMs = Date.parse(String(second['previousSecretUntil'])) - Date.now()
    assert.ok(untilMs > 23.9 * 3_600_000 && untilMs <= 24 * 3_600_000)
    const during = await next()
    assert.deepEqual([isSigned(during, secret), isSigned(during, second['secret'])], [true, true])
    await world.base.sql`
      update webhook_endpoint set previous_until = now() - interval '1 second' where id = ${String(id)}`
    assert.ok(!('previousSecretUntil' in (await world.read(tenant, id))))
    const afterwards = await next()
    assert.deepEqual([isSigned(afterwards, secret), isSigned(afterwards, second['secret'])], [false, true])
    const third = await roll(0)
    const atOnce = await next()
    assert.deepEqual([isSigned(atOnce, second['secret']), isSigned(atOnce, third['secret'])], [false, true])
    const tooLong = await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/roll-secret', {
      id,
      body: { overlapHours: 169 },
    })
    assert.deepEqual(codeOf(tooLong), [400, 'invalid_request'])
  })
})

describe('a ping', () => {
  test('is an event to this endpoint alone, whatever types it takes', async () => {
    await using shop = await startReceiver()
    const { tenant, id } = await withEndpoint({ url: `${shop.origin}/a`, eventTypes: ['dispute.lost'] })
    const beside = await world.create(tenant, { url: `${shop.origin}/b` })
    const { status, body } = await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/ping', { id })
    assert.equal(status, 202)
    await using _worker = world.deliver()
    await world.deliveriesTo(id, ([each]) => each?.status === 'DELIVERED')
    assert.deepEqual(
      shop.calls.map(({ path, headers }) => [path, headers['webhook-id']]),
      [['/a', body['eventId']]],
    )
    assert.equal((await world.deliveriesTo(beside.body['id'])).length, 0)
    const event = await world.ask(tenant, 'GET', '/v1/events/{id}', { id: body['eventId'] })
    assert.equal(event.body['type'], 'webhook_endpoint.ping')
    assert.deepEqual(event.body['data'], await world.read(tenant, id))
  })

  test('of a disabled endpoint is refused', async () => {
    const { tenant, id } = await withEndpoint()
    await world.change(tenant, id, { status: 'DISABLED' })
    const answer = await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/ping', { id })
    assert.deepEqual(codeOf(answer), [409, 'invalid_state'])
    const unknown = await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/ping', { id: newId() })
    assert.deepEqual(codeOf(unknown), [404, 'not_found'])
  })
})

test('every type of event but the ping can be taken by name', async () => {
  const types = eventTypes.filter((type) => type !== 'webhook_endpoint.ping')
  const { tenant, id } = await withEndpoint({ eventTypes: types })
  assert.deepEqual((await world.read(tenant, id))['eventTypes'], types)
})
