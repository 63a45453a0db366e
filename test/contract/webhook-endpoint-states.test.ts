// What becomes of endpoints that fail, are disabled, enabled and deleted, and of what is sent to them meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { disableDue } from '#/endpoints/disable.ts'
import { createCanceler, createStarter } from '#/endpoints/upkeep.ts'
import { silentLog } from '#/kernel/log.ts'
import { openEndpointWorld, type DeliveryFacts, type Row } from '../endpoint-world.ts'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import { startReceiver, type Call, type Reply } from '../receiver.ts'
import { codeOf } from '../withdrawal-world.ts'
import type { Tenant } from './world.ts'

const world = openForTests(openEndpointWorld)

const sequenceOf = ({ body }: Call) => (JSON.parse(body.toString()) as Row)['sequence']
const all = (status: string, length: number) => (rows: readonly DeliveryFacts[]) =>
  rows.length === length && rows.every((row) => row.status === status)
const tried = (rows: readonly DeliveryFacts[]) => rows.every(({ attempts }) => attempts > 0)
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

type Failing = { attempts: number; days: number | null; isGone: boolean }

async function failingOf(id: unknown): Promise<Failing | undefined> {
  const [row] = await world.base.sql<Failing[]>`
    select attempts::int, extract(epoch from disable_at - since)::float8 / 86400 as days, is_gone as "isGone"
      from webhook_endpoint_failing where endpoint_id = ${String(id)}`
  return row
}

/** As if the endpoint had failed for so much longer. */
async function age(id: unknown, days: number): Promise<void> {
  const by = `${days} days`
  await world.base.sql`
    update webhook_endpoint_failing set since = since - ${by}::interval, disable_at = disable_at - ${by}::interval
     where endpoint_id = ${String(id)}`
}

const disable = () => disableDue({ sql: world.base.sql, lane: world.base.lane, log: silentLog })
const starter = (batch?: number) => createStarter({ sql: world.base.sql, log: silentLog }, batch)
const canceler = (batch?: number) => createCanceler({ sql: world.base.sql, log: silentLog }, batch)

/** Enables the endpoint, and does the work of the workers until its deliveries start. */
async function enable(tenant: Tenant, id: unknown, batch?: number): Promise<void> {
  await world.change(tenant, id, { status: 'ENABLED' })
  const { poll } = starter(batch)
  await eventually('it is enabled', async () => {
    await poll()
    return (await statusOf(id)) === 'ENABLED'
  })
}

async function statusOf(id: unknown): Promise<string | undefined> {
  const [row] = await world.base.sql<
    { status: string }[]
  >`select status from webhook_endpoint where id = ${String(id)}`
  return row?.status
}

async function withEndpoint(url: string, more: Row = {}): Promise<{ tenant: Tenant; id: unknown }> {
  const tenant = await world.base.openTenant()
  const { body } = await world.create(tenant, { url, ...more })
  return { tenant, id: body['id'] }
}

async function typesOf(tenant: Tenant): Promise<readonly unknown[]> {
  const { body } = await world.ask(tenant, 'GET', '/v1/events', { query: '?limit=100' })
  return (body['data'] as Row[]).map(({ type }) => type)
}

describe('an endpoint that fails', () => {
  test('is disabled after five days and twenty failures, and not before; its other endpoints are told', async () => {
    await using broken = await startReceiver(() => ({ status: 500 }))
    await using shop = await startReceiver()
    const { tenant, id } = await withEndpoint(broken.origin)
    const beside = await world.create(tenant, { url: shop.origin, eventTypes: ['webhook_endpoint.disabled'] })
    await using _worker = world.deliver()
    await world.tell(tenant, 19)
    await world.deliveriesTo(id, tried)
    await eventually('19 failures', async () => (await failingOf(id))?.attempts === 19)
    assert.equal((await failingOf(id))?.days, null)
    await age(id, 30)
    assert.equal(await disable(), 0, 'too few failures to say')
    await age(id, -30)
    await world.tell(tenant, 1)
    await eventually('20 failures', async () => (await failingOf(id))?.attempts === 20)
    assert.deepEqual(await failingOf(id), { attempts: 20, days: 5, isGone: false })
    const shown = await world.read(tenant, id)
    assert.deepEqual([shown['status'], typeof shown['failingSince']], ['ENABLED', 'string'])
    await age(id, 4.99)
    assert.equal(await disable(), 0)
    await age(id, 0.01)
    // Many looks at once: some of their items come into one batch of the lane.
    const disabled = await Promise.all(Array.from({ length: 8 }, disable))
    assert.equal(
      disabled.reduce((sum, each) => sum + each),
      1,
    )
    const after = await world.read(tenant, id)
    assert.deepEqual([after['status'], after['disabledReason'], after['version']], ['DISABLED', 'FAILING', 2])
    assert.equal((await typesOf(tenant)).filter((type) => type === 'webhook_endpoint.disabled').length, 1)
    await shop.until(({ length }) => length === 1)
    const [call] = shop.calls
    const notified = JSON.parse(String(call?.body)) as Row
    assert.equal(notified['type'], 'webhook_endpoint.disabled')
    assert.deepEqual(notified['data'], after)
    const ofBroken = await world.deliveriesTo(id)
    assert.ok(ofBroken.every(({ type }) => type === 'wallet.created'))
    assert.equal((await world.read(tenant, beside.body['id']))['status'], 'ENABLED')
    const [entry] = await world.base.sql<{ actor: string; after: Row }[]>`
      select actor_kind as actor, after from audit_log
       where merchant_id = ${tenant.id} and action = 'webhook_endpoint.disable'`
    assert.deepEqual([entry?.actor, entry?.after['failedAttempts']], ['SYSTEM', 20])
  })

  test('begins anew with each success', async () => {
    let status = 500
    await using shop = await startReceiver(() => ({ status }))
    const { tenant, id } = await withEndpoint(shop.origin)
    await using _worker = world.deliver()
    await world.tell(tenant, 20)
    await eventually('20 failures', async () => (await failingOf(id))?.attempts === 20)
    status = 200
    await world.tell(tenant, 1)
    await eventually('forgotten', async () => (await failingOf(id)) === undefined)
    assert.ok(!('failingSince' in (await world.read(tenant, id))))
    status = 500
    await world.tell(tenant, 1)
    await eventually('a new failure', async () => (await failingOf(id))?.attempts === 1)
  })

  test('is not disabled when it succeeded between the look and the decision', async () => {
    await using shop = await startReceiver(() => ({ status: 410 }))
    const { tenant, id } = await withEndpoint(shop.origin)
    {
      await using _worker = world.deliver()
      await world.tell(tenant, 1)
      await eventually('it failed', () => failingOf(id))
    }
    const { sql, lane } = world.base
    const disabled = await disableDue({
      sql,
      log: silentLog,
      lane: {
        ...lane,
        submit: async (kind, item) => {
          await sql`delete from webhook_endpoint_failing where endpoint_id = ${String(id)}`
          return lane.submit(kind, item)
        },
      },
    })
    assert.equal(disabled, 0)
    assert.equal((await world.read(tenant, id))['status'], 'ENABLED')
  })

  test('with 410 is disabled at once, unless that was its URL of before', async () => {
    await using gone = await startReceiver(() => ({ status: 410 }))
    const { tenant, id } = await withEndpoint(gone.origin)
    await using _worker = world.deliver()
    await world.tell(tenant, 1)
    await eventually('it failed', async () => (await failingOf(id))?.isGone)
    await world.change(tenant, id, { url: `${gone.origin}/other` })
    assert.equal(await failingOf(id), undefined)
    await world.tell(tenant, 1)
    await eventually('it failed', async () => (await failingOf(id))?.isGone)
    await disable()
    assert.equal((await world.read(tenant, id))['disabledReason'], 'GONE')
    assert.equal(await failingOf(id), undefined)
  })
})

describe('a disabled endpoint', () => {
  test('holds what is announced, and delays nothing else', async () => {
    await using shop = await startReceiver()
    const { tenant, id } = await withEndpoint(`${shop.origin}/held`)
    await world.create(tenant, { url: `${shop.origin}/open` })
    await world.change(tenant, id, { status: 'DISABLED' })
    await using _worker = world.deliver()
    await world.tell(tenant, 5, { webhookUrl: `${shop.origin}/url` })
    await shop.until(({ length }) => length === 10)
    await world.tell(tenant, 5, { webhookUrl: `${shop.origin}/url` })
    await shop.until(({ length }) => length === 20)
    assert.ok(shop.calls.every(({ path }) => path !== '/held'))
    const held = await world.deliveriesTo(id)
    assert.ok(
      held.length === 10 && held.every(({ status, attempts }) => status === 'PENDING' && attempts === 0),
    )
    const [event] = (await world.ask(tenant, 'GET', '/v1/events')).body['data'] as Row[]
    const listed = await world.ask(tenant, 'GET', '/v1/events/{id}/deliveries', { id: event?.['id'] })
    const shown = (listed.body['data'] as Row[]).find(({ endpointId }) => endpointId === id)
    assert.equal(shown?.['status'], 'PENDING')
    assert.ok(!('nextAttemptAt' in (shown ?? {})))
  })

  test('sends what it held in the order of the sequence when it is enabled, and what is new after it', async () => {
    let answers: readonly Reply[] = [{ status: 503 }]
    await using shop = await startReceiver(() => answers[0])
    const { tenant, id } = await withEndpoint(shop.origin)
    {
      // The first ones wait for their second attempt when it is disabled.
      await using _worker = world.deliver()
      await world.tell(tenant, 3)
      await world.deliveriesTo(id, tried)
    }
    await world.change(tenant, id, { status: 'DISABLED' })
    await world.tell(tenant, 14)
    answers = [{}]
    const before = shop.calls.length
    await world.change(tenant, id, { status: 'ENABLED' })
    assert.equal((await world.read(tenant, id))['status'], 'ENABLED')
    // One worker dies after a batch, and two go on side by side.
    assert.equal(await starter(5).poll(), 5)
    assert.equal(await statusOf(id), 'STARTING')
    await world.tell(tenant, 2)
    await Promise.all([starter(5).poll(), starter(5).poll()])
    await eventually('it is enabled', async () => {
      await starter(5).poll()
      return (await statusOf(id)) === 'ENABLED'
    })
    await world.tell(tenant, 3)
    // One send at a time shows the order in which they are due.
    await using _worker = world.deliver({ concurrency: { receiver: 1 } })
    await world.deliveriesTo(id, all('DELIVERED', 22))
    assert.deepEqual(shop.calls.slice(before).map(sequenceOf), numbers(1, 22))
  })

  test('that is enabled is not held up by one event that it never accepts', async () => {
    await using shop = await startReceiver((call) => ({ status: sequenceOf(call) === 2 ? 500 : 200 }))
    const { tenant, id } = await withEndpoint(shop.origin)
    await world.change(tenant, id, { status: 'DISABLED' })
    await world.tell(tenant, 8)
    await enable(tenant, id)
    await using _worker = world.deliver({ concurrency: { receiver: 1 } })
    await world.deliveriesTo(id, (rows) => rows.filter(({ status }) => status === 'DELIVERED').length === 7)
    assert.deepEqual(shop.calls.map(sequenceOf).slice(0, 8), numbers(1, 8))
    const poison = (await world.deliveriesTo(id)).find(({ sequence }) => sequence === 2)
    assert.ok(poison?.dueAt && poison.dueAt.getUTCFullYear() > 2000, 'it waits for its next attempt')
  })
})

describe('a deleted endpoint', () => {
  test('gets nothing more: what was due is canceled and stays listed; nothing can be sent again', async () => {
    await using shop = await startReceiver(() => ({ status: 500 }))
    const { tenant, id } = await withEndpoint(shop.origin)
    const beside = await world.create(tenant, { url: shop.origin })
    {
      await using _worker = world.deliver()
      await world.tell(tenant, 2)
      await world.deliveriesTo(id, tried)
    }
    await world.tell(tenant, 5)
    const removed = await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id })
    assert.deepEqual([removed.status, removed.body['status']], [200, 'DELETED'])
    await world.tell(tenant, 1)
    const calls = shop.calls.length
    await using _worker = world.deliver()
    await world.deliveriesTo(beside.body['id'], (rows) => rows.length === 8 && tried(rows))
    const sentBeside = (await world.deliveriesTo(beside.body['id'])).filter(({ sequence }) => sequence > 2)
    assert.equal(shop.calls.length - calls, sentBeside.length, 'only the other endpoint gets calls')
    assert.equal(await canceler(3).poll(), 3)
    await Promise.all([canceler(3).poll(), canceler(3).poll()])
    await world.deliveriesTo(id, all('CANCELED', 7))
    assert.deepEqual(codeOf(await world.ask(tenant, 'GET', '/v1/webhook-endpoints/{id}', { id })), [
      404,
      'not_found',
    ])
    const [row] = await world.base.sql<{ id: string; secret: Buffer; isCleared: boolean }[]>`
      select delivery.id, endpoint.secret, endpoint.is_cleared as "isCleared"
        from delivery join webhook_endpoint as endpoint on endpoint.id = delivery.endpoint_id
       where endpoint_id = ${String(id)} limit 1`
    assert.deepEqual([row?.secret.length, row?.isCleared], [0, false])
    const resent = await world.ask(tenant, 'POST', '/v1/deliveries/{id}/resend', { id: row?.id })
    assert.deepEqual(codeOf(resent), [409, 'invalid_state'])
    const shown = await world.ask(tenant, 'GET', '/v1/deliveries/{id}', { id: row?.id })
    assert.deepEqual([shown.body['status'], shown.body['endpointId']], ['CANCELED', id])
  })

  test('is watched for a minute more: a batch may have read it before its deletion', async () => {
    const { tenant, id } = await withEndpoint('https://shop.example/')
    await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id })
    await canceler().poll()
    await world.base.sql`
      with made as (
        insert into delivery (merchant_id, id, event_sequence, url, origin, endpoint_id)
        values (${tenant.id}, gen_random_uuid(), 1, 'https://shop.example/', ${`endpoint:${String(id)}`}, ${String(id)})
        returning *
      )
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select merchant_id, id, event_sequence, origin, now(), 1 from made`
    assert.equal(await canceler().poll(), 1)
    await world.base.sql`
      update webhook_endpoint set deleted_at = deleted_at - interval '1 minute' where id = ${String(id)}`
    await canceler().poll()
    const [row] = await world.base.sql<{ isCleared: boolean }[]>`
      select is_cleared as "isCleared" from webhook_endpoint where id = ${String(id)}`
    assert.equal(row?.isCleared, true)
  })
})
