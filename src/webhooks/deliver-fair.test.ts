import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { sleep } from '#/kernel/time.ts'
import { count } from '../../test/counts.ts'
import { startReceiver } from '../../test/receiver.ts'
import { openWebhooks, type WebhookWorld } from '../../test/webhooks.ts'
import type { DeliveryRow } from './delivery-queries.ts'

const backlog = count({ quick: 4_000, soak: 1_000_000 })
const delivered = (rows: readonly DeliveryRow[]) => rows.every(({ status }) => status === 'DELIVERED')

/** Inserts `size` deliveries to one URL, all due since an hour ago. */
async function leaveBacklog(
  { sql, clock }: WebhookWorld,
  merchantId: MerchantId,
  url: string,
  size: number,
): Promise<void> {
  const { origin } = new URL(url)
  const dueAt = new Date(clock.now().getTime() - 3_600_000)
  await sql`
    with made as (
      select n, gen_random_uuid() as id from generate_series(1, ${size}::int) as n
    ), notified as (
      insert into event (merchant_id, sequence, id, type, mode, resource_id, body, batch, at)
      select ${merchantId}, n, gen_random_uuid(), 'payment.completed', 'SANDBOX', id, '{}', 0, ${dueAt} from made
    ), recorded as (
      insert into delivery (merchant_id, id, event_sequence, url, origin)
      select ${merchantId}, id, n, ${url}, ${origin} from made
    )
    insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
    select ${merchantId}, id, n, ${origin}, ${dueAt}, 0 from made`
  await sql`insert into event_counter (merchant_id, sequence) values (${merchantId}, ${size})`
}

/** A port that no server listens on. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test(`${backlog} deliveries due at a server that hangs delay no other receiver of the same merchant or another`, async () => {
  await using world = await openWebhooks()
  await using hanging = await startReceiver(() => undefined)
  await using mine = await startReceiver()
  await using others = await startReceiver()
  const [merchantId, otherId] = [newId<'merchant'>(), newId<'merchant'>()]
  await leaveBacklog(world, merchantId, hanging.origin, backlog)
  await using _worker = world.work({ totalMs: 60_000, leaseMs: 90_000, concurrency: { receiver: 16 } })
  await hanging.until(({ length }) => length > 0)
  await world.tell(merchantId, mine.origin, 100)
  await world.tell(otherId, others.origin, 100)
  await mine.until(({ length }) => length === 100)
  await others.until(({ length }) => length === 100)
  await world.deliveries(otherId, delivered)
  assert.ok(hanging.openMax <= 16)
  const [left] = await world.sql`select count(*)::int as due from delivery_due`
  assert.equal(left?.due, backlog)
})

test(`${backlog} deliveries due at a server that is gone are not attempted in a rush while others wait`, async () => {
  await using world = await openWebhooks()
  await using alive = await startReceiver()
  const [merchantId, otherId] = [newId<'merchant'>(), newId<'merchant'>()]
  await leaveBacklog(world, merchantId, `http://127.0.0.1:${await closedPort()}/`, backlog)
  await using _worker = world.work()
  await world.tell(otherId, alive.origin, 300)
  await world.deliveries(otherId, delivered)
  const [tried] =
    await world.sql`select count(*)::int as attempts from delivery_attempt where error = 'connection_refused'`
  assert.ok(tried?.attempts < backlog / 10, `${tried?.attempts} attempts in vain`)
})

test('one merchant with hundreds of servers that hang leaves the slots of other merchants free', async () => {
  await using world = await openWebhooks()
  await using hanging = await startReceiver(() => undefined)
  await using alive = await startReceiver()
  const { port } = new URL(hanging.origin)
  const [merchantId, otherId] = [newId<'merchant'>(), newId<'merchant'>()]
  for (let i = 0; i < 200; i += 1) await world.tell(merchantId, `http://shop-${i}.localhost:${port}/`)
  const concurrency = { total: 40, suspects: 10, merchant: 20, receiver: 8 }
  await using _worker = world.work({ totalMs: 60_000, leaseMs: 90_000, concurrency })
  await hanging.until(({ length }) => length === 20)
  await world.tell(otherId, alive.origin, 100)
  await world.deliveries(otherId, delivered)
  assert.equal(hanging.openMax, 20)
})

test('no receiver has more sends in flight than its cap, however many deliveries are due', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver(async () => {
    await sleep(5)
    return {}
  })
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin, 300)
  await using _worker = world.work({ concurrency: { receiver: 8 } })
  await world.deliveries(merchantId, delivered)
  assert.equal(receiver.openMax, 8)
})
