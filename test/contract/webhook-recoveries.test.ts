// Recoveries: what is sent again, in which order, and that nothing else notices.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRecoverer } from '#/endpoints/upkeep.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { sleep } from '#/kernel/time.ts'
import { openEndpointWorld, type DeliveryFacts, type Row } from '../endpoint-world.ts'
import { eventually } from '../eventually.ts'
import { openForTests } from '../open-for-tests.ts'
import { startReceiver, type Call, type Receiver } from '../receiver.ts'
import { codeOf } from '../withdrawal-world.ts'
import type { Answer, Tenant } from './world.ts'

const world = openForTests(openEndpointWorld)

const sequenceOf = ({ body }: Call) => (JSON.parse(body.toString()) as Row)['sequence'] as number
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const are = (status: string, length: number) => (rows: readonly DeliveryFacts[]) =>
  rows.filter((row) => row.status === status).length === length

const recover = (tenant: Pick<Tenant, 'key'>, body: Row): Promise<Answer> =>
  world.ask(tenant, 'POST', '/v1/webhook-recoveries', { body })
const read = async (tenant: Tenant, id: unknown) =>
  (await world.ask(tenant, 'GET', '/v1/webhook-recoveries/{id}', { id })).body
const recoverer = (sizes?: { batch: number; waiting: number }) =>
  createRecoverer({ sql: world.base.sql, log: silentLog }, sizes)

/** Works until the recovery has ended. */
async function finish(tenant: Tenant, id: unknown): Promise<Row> {
  const { poll } = recoverer()
  return eventually('the recovery is done', async () => {
    await poll()
    const record = await read(tenant, id)
    return record['status'] === 'RUNNING' ? undefined : record
  })
}

/** Every delivery failed for good, without days of waiting. */
async function exhaust(tenant: Tenant): Promise<void> {
  await world.base.sql`
    with gone as (delete from delivery_due where merchant_id = ${tenant.id} returning delivery_id)
    update delivery set status = 'EXHAUSTED' from gone where merchant_id = ${tenant.id} and id = gone.delivery_id`
}

async function withEndpoint(shop: Receiver, more: Row = {}): Promise<{ tenant: Tenant; id: unknown }> {
  const tenant = await world.base.openTenant()
  const { body } = await world.create(tenant, { url: shop.origin, ...more })
  return { tenant, id: body['id'] }
}

describe('a recovery', () => {
  test('sends again what failed and what the endpoint never had, in order, and nothing twice', async () => {
    await using shop = await startReceiver()
    const tenant = await world.base.openTenant()
    await world.tell(tenant, 6)
    const { body: made } = await world.create(tenant, { url: shop.origin })
    const id = made['id']
    await world.tell(tenant, 6)
    await exhaust(tenant)
    {
      await using _worker = world.deliver()
      await world.tell(tenant, 4)
      await world.deliveriesTo(id, are('DELIVERED', 4))
    }
    const answer = await recover(tenant, { endpointId: id, afterSequence: 2 })
    const record = answer.body
    assert.deepEqual(
      [answer.status, record['status'], record['afterSequence'], record['throughSequence']],
      [201, 'RUNNING', 2, 16],
    )
    // Batches of three; one worker dies after the first, and two go on side by side.
    assert.equal(await recoverer({ batch: 3, waiting: 100 }).poll(), 3)
    const half = await read(tenant, record['id'])
    assert.deepEqual([half['reachedSequence'], half['deliveries'], half['status']], [5, 3, 'RUNNING'])
    await Promise.all([1, 2].map(() => recoverer({ batch: 3, waiting: 100 }).poll()))
    const done = await finish(tenant, record['id'])
    assert.deepEqual([done['reachedSequence'], done['deliveries'], done['status']], [16, 10, 'DONE'])
    const before = shop.calls.length
    await using _worker = world.deliver()
    await world.deliveriesTo(id, are('DELIVERED', 14))
    assert.deepEqual(shop.calls.slice(before).map(sequenceOf), numbers(3, 12))
    const again = await recover(tenant, { endpointId: id, afterSequence: 2 })
    assert.equal((await finish(tenant, again.body['id']))['deliveries'], 0)
    const all = await recover(tenant, { endpointId: id, afterSequence: 10, includeDelivered: true })
    assert.equal((await finish(tenant, all.body['id']))['deliveries'], 6)
    await world.deliveriesTo(id, are('DELIVERED', 14))
    await shop.until(({ length }) => length === 4 + 10 + 6)
  })

  test('is of a span of instants or numbers, and of the types that the endpoint takes', async () => {
    await using shop = await startReceiver()
    const tenant = await world.base.openTenant()
    await world.tell(tenant, 2, { type: 'refund.failed' })
    await sleep(20)
    const since = new Date().toISOString()
    await world.tell(tenant, 2, { type: 'refund.failed' })
    await world.tell(tenant, 2, { type: 'payment.completed' })
    await world.tell(tenant, 2, { type: 'wallet.created' })
    await sleep(20)
    const until = new Date().toISOString()
    await sleep(20)
    await world.tell(tenant, 2, { type: 'refund.failed' })
    const types = ['refund.failed', 'payment.completed']
    const id = (await world.create(tenant, { url: shop.origin, eventTypes: types })).body['id']
    await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/ping', { id })
    const run = async (more: Row) => {
      const { body } = await recover(tenant, { endpointId: id, ...more })
      return finish(tenant, body['id'])
    }
    const first = await run({ since, until, types: ['payment.completed'] })
    assert.deepEqual(
      [first['afterSequence'], first['throughSequence'], first['types'], first['deliveries']],
      [2, 8, ['payment.completed'], 2],
    )
    assert.equal((await run({ since, until }))['deliveries'], 2)
    assert.equal((await run({ afterSequence: 8, throughSequence: 9 }))['deliveries'], 1)
    assert.equal((await run({ afterSequence: 0 }))['deliveries'], 3)
    const late = await run({ afterSequence: 500 })
    assert.deepEqual([late['throughSequence'], late['deliveries']], [500, 0])
    const listed = await world.ask(tenant, 'GET', '/v1/webhook-recoveries', { query: '?limit=3' })
    assert.equal((listed.body['data'] as Row[]).length, 3)
    assert.deepEqual((listed.body['data'] as Row[])[0], late)
    const sent = await world.deliveriesTo(id, (rows) => rows.length === 9)
    assert.deepEqual(
      sent.map(({ type }) => type).filter((type) => type === 'wallet.created'),
      [],
    )
  })

  test('goes beside what is new, one at a time, and one event that always fails holds up none behind it', async () => {
    let open = 0
    let openMax = 0
    await using shop = await startReceiver(async (call) => {
      const isOld = sequenceOf(call) <= 20
      if (isOld) openMax = Math.max(openMax, ++open)
      if (isOld) await sleep(5)
      if (isOld) open -= 1
      return { status: sequenceOf(call) === 3 ? 500 : 200 }
    })
    const tenant = await world.base.openTenant()
    await world.tell(tenant, 20)
    const id = (await world.create(tenant, { url: shop.origin })).body['id']
    const { body } = await recover(tenant, { endpointId: id, afterSequence: 0 })
    await finish(tenant, body['id'])
    await world.tell(tenant, 30)
    await using _worker = world.deliver()
    await world.deliveriesTo(id, are('DELIVERED', 49))
    assert.equal(openMax, 1)
    const old = shop.calls.map(sequenceOf).filter((sequence) => sequence <= 20)
    assert.deepEqual(old.slice(0, 20), numbers(1, 20))
    const poison = (await world.deliveriesTo(id)).find(({ sequence }) => sequence === 3)
    assert.deepEqual([poison?.status, poison?.attempts], ['PENDING', 1])
  })

  test('that hangs delays neither what is new to the same endpoint nor other endpoints', async () => {
    await using shop = await startReceiver((call) => (sequenceOf(call) <= 20 ? undefined : {}))
    const tenant = await world.base.openTenant()
    await world.tell(tenant, 20)
    const id = (await world.create(tenant, { url: `${shop.origin}/a` })).body['id']
    const beside = (await world.create(tenant, { url: `${shop.origin}/b` })).body['id']
    const { body } = await recover(tenant, { endpointId: id, afterSequence: 0 })
    await finish(tenant, body['id'])
    await using _worker = world.deliver({ totalMs: 60_000, leaseMs: 90_000 })
    await shop.until(({ length }) => length === 1)
    await world.tell(tenant, 20)
    await world.deliveriesTo(id, are('DELIVERED', 20))
    await world.deliveriesTo(beside, are('DELIVERED', 20))
    assert.equal(shop.calls.filter((call) => sequenceOf(call) <= 20).length, 1)
  })

  test('waits while enough is waiting for its endpoint, and while that is disabled', async () => {
    await using shop = await startReceiver()
    const tenant = await world.base.openTenant()
    await world.tell(tenant, 12)
    const id = (await world.create(tenant, { url: shop.origin })).body['id']
    const { body } = await recover(tenant, { endpointId: id, afterSequence: 0 })
    const { poll } = recoverer({ batch: 4, waiting: 4 })
    assert.equal(await poll(), 4)
    assert.equal(await poll(), 0)
    assert.equal((await read(tenant, body['id']))['reachedSequence'], 4)
    await world.change(tenant, id, { status: 'DISABLED' })
    await world.base.sql`delete from delivery_due where merchant_id = ${tenant.id}`
    assert.equal(await poll(), 0)
    assert.deepEqual(codeOf(await recover(tenant, { endpointId: id, afterSequence: 0 })), [
      409,
      'invalid_state',
    ])
    await world.base.sql`
      update webhook_endpoint set status = 'ENABLED', disabled_at = null, disabled_reason = null where id = ${String(id)}`
    assert.equal(await poll(), 4)
  })

  test('without an endpoint is of the URLs of payments alone', async () => {
    await using shop = await startReceiver()
    const { tenant } = await withEndpoint(shop, { url: `${shop.origin}/endpoint` })
    await world.tell(tenant, 5, { type: 'payment.completed', webhookUrl: `${shop.origin}/url` })
    await exhaust(tenant)
    const { body } = await recover(tenant, { afterSequence: 1, throughSequence: 4 })
    assert.ok(!('endpointId' in body))
    assert.equal((await finish(tenant, body['id']))['deliveries'], 3)
    await using _worker = world.deliver()
    await shop.until(({ length }) => length === 3)
    assert.deepEqual(
      shop.calls.map((call) => [call.path, sequenceOf(call)]),
      [2, 3, 4].map((sequence) => ['/url', sequence]),
    )
  })

  test('runs once at a time for each endpoint, is canceled, and ends with its endpoint', async () => {
    await using shop = await startReceiver()
    const { tenant, id } = await withEndpoint(shop)
    await world.tell(tenant, 3)
    await exhaust(tenant)
    const answers = await Promise.all(
      [1, 2, 3].map(() => recover(tenant, { endpointId: id, afterSequence: 0 })),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    const running = answers.find(({ status }) => status === 201)?.body['id']
    const refused = answers.find(({ status }) => status === 409)
    assert.match(String(refused?.body['detail']), new RegExp(String(running)))
    assert.equal((await recover(tenant, { afterSequence: 0 })).status, 201, 'that of the URLs is another one')
    const cancel = (who: Pick<Tenant, 'key'>, which: unknown) =>
      world.ask(who, 'POST', '/v1/webhook-recoveries/{id}/cancel', { id: which })
    const canceled = await cancel(tenant, running)
    assert.deepEqual([canceled.status, canceled.body['status']], [200, 'CANCELED'])
    assert.deepEqual((await cancel(tenant, running)).body, canceled.body)
    await recoverer().poll()
    assert.equal((await read(tenant, running))['deliveries'], 0)
    const second = await recover(tenant, { endpointId: id, afterSequence: 0 })
    await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id })
    assert.equal((await read(tenant, second.body['id']))['status'], 'CANCELED')
    const { body } = await recover(tenant, { endpointId: (await withEndpoint(shop)).id, afterSequence: 0 })
    assert.equal(body['code'], 'not_found')
  })

  test('that is asked for badly is refused, and changes nothing', async () => {
    await using shop = await startReceiver()
    const { tenant, id } = await withEndpoint(shop, { eventTypes: ['refund.failed'] })
    const at = '2026-11-21'
    for (const body of [
      {},
      { since: at, afterSequence: 1 },
      { since: at, until: at, throughSequence: 4 },
      { since: 'yesterday' },
      { afterSequence: -1 },
      { afterSequence: 0, types: [] },
      { afterSequence: 0, endpointId: id, types: ['payment.completed'] },
      { afterSequence: 0, pace: 5 },
    ])
      assert.deepEqual(codeOf(await recover(tenant, body)), [400, 'invalid_request'], JSON.stringify(body))
    const unknown = await recover(tenant, { afterSequence: 0, endpointId: newId() })
    assert.deepEqual(codeOf(unknown), [404, 'not_found'])
    const { key } = await world.base.issue(tenant.id, ['webhooks:read'])
    assert.deepEqual(codeOf(await recover({ key }, { afterSequence: 0 })), [403, 'forbidden'])
    const [row] = await world.base.sql<{ count: number }[]>`
      select count(*)::int from webhook_recovery where merchant_id = ${tenant.id}`
    assert.equal(row?.count, 0)
    const made = await recover(tenant, { afterSequence: 0 })
    const other = await world.base.openTenant()
    const foreign = await world.ask(other, 'GET', '/v1/webhook-recoveries/{id}', { id: made.body['id'] })
    assert.deepEqual(codeOf(foreign), [404, 'not_found'])
  })
})
