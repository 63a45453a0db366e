// Verify finds what was changed behind the back of webhook endpoints, and nothing where nothing was changed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cutAt } from '#/audit/ledger.ts'
import { webhookInspections } from '#/audit/webhooks.ts'
import { inspectAll } from '#/db/inspection.ts'
import { createCanceler } from '#/endpoints/upkeep.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { openEndpointWorld, type EndpointWorld } from '../endpoint-world.ts'
import { startReceiver } from '../receiver.ts'

let world: EndpointWorld
const ids: Record<string, string> = {}

before(async () => {
  world = await openEndpointWorld()
  await using shop = await startReceiver()
  const tenant = await world.base.openTenant()
  const other = await world.base.openTenant()
  const create = async (name: string, eventTypes?: readonly string[]) => {
    const { body } = await world.create(tenant, {
      url: shop.origin,
      ...given({ eventTypes }),
    })
    ids[name] = String(body['id'])
  }
  ids['foreign'] = String((await world.create(other, { url: shop.origin })).body['id'])
  await create('all')
  await create('some', ['payment.completed'])
  await create('deleted')
  // As if they were old: a young endpoint may lack events that a batch wrote beside its creation.
  await world.base.sql`update webhook_endpoint set event_types_since = event_types_since - interval '1 day'`
  await world.tell(tenant, 2, { type: 'refund.failed' })
  await world.tell(tenant, 1, { type: 'payment.completed' })
  await world.ask(tenant, 'POST', '/v1/webhook-endpoints/{id}/ping', { id: ids['some'] })
  await world.ask(tenant, 'DELETE', '/v1/webhook-endpoints/{id}', { id: ids['deleted'] })
  {
    await using _worker = world.deliver()
    await world.deliveriesTo(ids['all'], (rows) => rows.every(({ status }) => status === 'DELIVERED'))
    await world.deliveriesTo(ids['some'], (rows) => rows.every(({ status }) => status === 'DELIVERED'))
  }
  await createCanceler({ sql: world.base.sql, log: silentLog }).poll()
})
after(() => world.base.close())

async function faults(): Promise<readonly string[]> {
  const { sql } = world.base
  const upTo = await cutAt(sql, 'a1')
  const { faults: found } = await inspectAll(webhookInspections, { sql, cell: 'a1', upTo })
  return found.map(({ row, what }) => `${row} ${what}`)
}

/** The faults after a change, which is taken back. */
async function faultsAfter(change: string): Promise<readonly string[]> {
  const { sql } = world.base
  const kept = ['webhook_endpoint', 'delivery', 'delivery_due', 'delivery_attempt']
  const copies = new Map(
    await Promise.all(kept.map(async (table) => [table, await sql`select * from ${sql(table)}`] as const)),
  )
  try {
    await sql.unsafe(change)
    return await faults()
  } finally {
    for (const [table, rows] of copies) {
      await sql`delete from ${sql(table)}`
      if (rows.length > 0) await sql`insert into ${sql(table)} ${sql([...rows])}`
    }
  }
}

test('an installation with endpoints, a deleted one and a ping has no fault', async () => {
  assert.deepEqual(await faults(), [])
})

const one = (name: string) => `where endpoint_id = '${ids[name]}' and event_sequence = 1`
const cases: readonly (readonly [string, () => string, RegExp])[] = [
  [
    'a delivery to an endpoint removed',
    () => `delete from delivery ${one('all')}`,
    /has no delivery to endpoint .* which takes it/,
  ],
  [
    'a delivery to an endpoint that does not take its type',
    () => `insert into delivery (merchant_id, id, event_sequence, url, origin, status, endpoint_id)
           select merchant_id, '${newId()}', event_sequence, url, 'endpoint:${ids['some']}', 'EXHAUSTED', '${ids['some']}'
             from delivery ${one('all')}`,
    /goes to endpoint .* which does not take it/,
  ],
  [
    'a delivery to the endpoint of another merchant',
    () =>
      `update delivery set endpoint_id = '${ids['foreign']}', origin = 'endpoint:${ids['foreign']}' ${one('all')}`,
    /which its merchant does not have/,
  ],
  [
    'a second delivery to an endpoint',
    () => `insert into delivery (merchant_id, id, event_sequence, url, origin, status, endpoint_id)
           select merchant_id, '${newId()}', event_sequence, url, origin, status, endpoint_id from delivery ${one('all')}`,
    /has 2 deliveries to endpoint/,
  ],
  [
    'an origin that throttles it with others',
    () => `update delivery set origin = 'https://x.example' ${one('all')}`,
    /under another origin/,
  ],
  [
    'a canceled delivery of an endpoint that is there',
    () => `update delivery set status = 'CANCELED' ${one('all')}`,
    /nobody deleted its endpoint/,
  ],
  [
    'a delivery that waits for a deleted endpoint',
    () => `update webhook_endpoint set is_cleared = true where id = '${ids['deleted']}';
           update delivery set status = 'PENDING' ${one('deleted')};
           insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
           select merchant_id, id, event_sequence, origin, now(), 1 from delivery ${one('deleted')}`,
    /waits for endpoint .* which is deleted/,
  ],
  [
    'a delivery that no attempt delivered',
    () => `delete from delivery_attempt where delivery_id = (select id from delivery ${one('all')})`,
    /is DELIVERED, but no attempt succeeded/,
  ],
  [
    'a delivery due under a key of nobody',
    () => `update delivery set status = 'PENDING' ${one('all')};
           insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
           select merchant_id, id, event_sequence, 'endpoint:${newId()}', now(), 1 from delivery ${one('all')}`,
    /is PENDING, but nothing is due/,
  ],
]

for (const [name, change, found] of cases) {
  test(`${name} is found`, async () => {
    const all = await faultsAfter(change())
    assert.ok(
      all.some((each) => found.test(each)),
      all.join('\n'),
    )
    assert.deepEqual(await faults(), [])
  })
}
