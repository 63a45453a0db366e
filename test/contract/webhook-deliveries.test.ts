// The list of deliveries: what it is filtered by, and that pages miss nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import { firstSequenceSince } from '#/webhooks/queries.ts'
import { openEndpointWorld, type Row } from '../endpoint-world.ts'
import { openForTests } from '../open-for-tests.ts'
import { startReceiver } from '../receiver.ts'
import { codeOf } from '../withdrawal-world.ts'
import type { Tenant } from './world.ts'

const world = openForTests(openEndpointWorld)

/** All pages of the list, each with its size. */
async function find(
  tenant: Tenant,
  filter: Readonly<Record<string, string>> = {},
  limit = 50,
): Promise<{ rows: readonly Row[]; pages: readonly number[] }> {
  const rows: Row[] = []
  const pages: number[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({
      ...filter,
      limit: String(limit),
      ...given({ cursor }),
    }).toString()
    const { body } = await world.ask(tenant, 'GET', '/v1/deliveries', { query: `?${query}` })
    const data = body['data'] as Row[]
    rows.push(...data)
    pages.push(data.length)
    cursor = body['nextCursor'] as string | undefined
  } while (cursor !== undefined)
  return { rows, pages }
}

test('deliveries are found by endpoint, status, type, event and span, page by page, and never another merchant’s', async () => {
  await using shop = await startReceiver(({ path }) => ({ status: path === '/bad' ? 500 : 200 }))
  const tenant = await world.base.openTenant()
  const other = await world.base.openTenant()
  await world.create(other, { url: shop.origin })
  await world.tell(other, 3)
  const create = async (path: string) =>
    String((await world.create(tenant, { url: `${shop.origin}/${path}` })).body['id'])
  const [good, bad] = [await create('good'), await create('bad')]
  await world.tell(tenant, 4, { type: 'payment.completed', webhookUrl: `${shop.origin}/url` })
  await sleep(20)
  const middle = new Date().toISOString()
  await sleep(20)
  await world.tell(tenant, 3, { type: 'refund.failed' })
  {
    await using _worker = world.deliver()
    await world.deliveriesTo(good, (rows) => rows.every(({ status }) => status === 'DELIVERED'))
    await world.deliveriesTo(bad, (rows) => rows.every(({ attempts }) => attempts > 0))
    await shop.until(({ length }) => length >= 18 + 3)
  }
  const all = await find(tenant, {}, 5)
  assert.deepEqual([all.rows.length, all.pages], [18, [5, 5, 5, 3]])
  const ids = new Set(all.rows.map(({ id }) => id))
  assert.equal(ids.size, 18)
  const toBad = await find(tenant, { endpointId: bad }, 4)
  assert.ok(toBad.rows.length === 7 && toBad.rows.every(({ endpointId }) => endpointId === bad))
  const pending = await find(tenant, { status: 'PENDING' })
  assert.deepEqual(pending.rows, toBad.rows)
  const failed = await find(tenant, { type: 'refund.failed' }, 4)
  assert.deepEqual([failed.rows.length, failed.pages], [6, [4, 2]])
  assert.deepEqual((await find(tenant, { from: middle })).rows, failed.rows)
  assert.equal((await find(tenant, { to: middle })).rows.length, 12)
  assert.equal(
    (await find(tenant, { type: 'refund.failed', status: 'PENDING', endpointId: bad })).rows.length,
    3,
  )
  const eventId = String(all.rows[0]?.['eventId'])
  assert.deepEqual(
    (await find(tenant, { eventId })).rows,
    all.rows.filter((row) => row['eventId'] === eventId),
  )
  // By an event or the record that it is about, and by the host of the address.
  const ofEvent = all.rows.filter((row) => row['eventId'] === eventId)
  const [event] = await world.base.sql<{ about: string }[]>`
    select resource_id as about from event where merchant_id = ${tenant.id} and id = ${eventId}`
  for (const subject of [eventId, eventId.toUpperCase(), event?.about ?? ''])
    assert.deepEqual((await find(tenant, { subject }, 1)).rows, ofEvent, subject)
  assert.deepEqual((await find(other, { subject: eventId })).rows, [])
  assert.deepEqual((await find(tenant, { subject: newId() })).rows, [])
  assert.deepEqual((await find(tenant, { host: '127.0.0.1' }, 5)).rows, all.rows)
  assert.deepEqual((await find(tenant, { host: '127.0.0.1', endpointId: bad })).rows, toBad.rows)
  for (const host of ['27.0.0.1', 'example.com'])
    assert.deepEqual((await find(tenant, { host })).rows, [], host)
  assert.equal((await find(tenant, { eventId, to: middle })).rows.length, 0)
  assert.equal((await find(tenant, { eventId: newId() })).rows.length, 0)
  assert.equal((await find(other, { endpointId: bad })).rows.length, 0)
  assert.equal((await find(other, { eventId })).rows.length, 0)
  for (const query of [
    '?status=LOST',
    '?type=x.y',
    '?from=yesterday',
    '?cursor=eA',
    '?endpointId=1',
    '?limit=0',
  ]) {
    const answer = await world.ask(tenant, 'GET', '/v1/deliveries', { query })
    assert.deepEqual(codeOf(answer), [400, 'invalid_request'], query)
  }
})

test('few deliveries of a status among very many are found by short pages, none of them too long to read', async () => {
  const tenant = await world.base.openTenant()
  const { sql } = world.base
  await sql`
    with made as (
      insert into event (merchant_id, sequence, id, type, mode, resource_id, body, batch, at)
      select ${tenant.id}, n, gen_random_uuid(), 'refund.failed', 'SANDBOX', gen_random_uuid(), '{}', 0,
             timestamptz '2026-11-01T00:00:00Z' + n * interval '1 minute'
        from generate_series(1, 2500) as n
      returning sequence
    )
    insert into delivery (merchant_id, id, event_sequence, url, origin, status)
    select ${tenant.id}, gen_random_uuid(), sequence, 'https://x.example/', 'https://x.example',
           case when sequence = 7 then 'EXHAUSTED' else 'DELIVERED' end
      from made`
  await sql`insert into event_counter (merchant_id, sequence) values (${tenant.id}, 2500)`
  const { rows, pages } = await find(tenant, { status: 'EXHAUSTED' })
  assert.deepEqual([rows.length, pages], [1, [0, 0, 1]])
  const at = (minute: number) => new Date(Date.parse('2026-11-01T00:00:00Z') + minute * 60_000)
  const first = (minute: number) => firstSequenceSince(sql, tenant.id, at(minute))
  assert.deepEqual(
    [await first(-5), await first(1), await first(7.5), await first(2_500), await first(9_999)],
    [1n, 1n, 8n, 2_500n, 2_501n],
  )
})
