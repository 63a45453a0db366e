import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { connect } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { hourMs, sleep } from '#/kernel/time.ts'
import { eventually } from '../../test/eventually.ts'
import { startReceiver, type Call, type Receiver } from '../../test/receiver.ts'
import { openWebhooks } from '../../test/webhooks.ts'
import { resend, type DeliveryRow } from './delivery-queries.ts'
import { showWebhookSecret } from './sign.ts'

const idOf = ({ headers }: Call) => String(headers['webhook-id'])
const are = (status: string) => (rows: readonly DeliveryRow[]) => rows.every((row) => row.status === status)
const tried = (times: number) => (rows: readonly DeliveryRow[]) =>
  rows.every(({ attempts }) => attempts.length >= times)

test('every event reaches its URL, signed over the exact bytes that arrived', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const merchantId = newId<'merchant'>()
  const written = await world.tell(merchantId, `${receiver.origin}/hook`, 50)
  await using _worker = world.work()
  const rows = await world.deliveries(merchantId, are('DELIVERED'))
  assert.equal(rows.length, 50)
  assert.deepEqual(receiver.calls.map(idOf).sort(), written.map(({ id }) => id).sort())
  const verifier = new Webhook(showWebhookSecret(world.secret))
  for (const { headers, body } of receiver.calls) {
    const event = verifier.verify(body, headers as Record<string, string>) as { id: string; data: unknown }
    assert.equal(event.id, headers['webhook-id'])
    assert.partialDeepStrictEqual(event, { type: 'payment.completed', data: { name: 'Conceição' } })
  }
})

test('the body is the same to the byte in each retry, and each attempt is signed anew', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver((_call, count) => ({ status: count < 4 ? 503 : 204 }))
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin)
  await using _worker = world.work()
  for (const waitMs of [5_000, 300_000, 1_800_000]) {
    const [before] = await world.deliveries(merchantId, (rows) =>
      rows.every((row) => row.nextAttemptAt !== null && row.attempts.length > 0),
    )
    assert.deepEqual(before?.nextAttemptAt, new Date(world.clock.now().getTime() + waitMs))
    const calls = receiver.calls.length
    await world.clock.advance(waitMs - 1)
    await sleep(60)
    assert.equal(receiver.calls.length, calls, 'not a millisecond early')
    await world.clock.advance(1)
    await receiver.until(({ length }) => length > calls)
    await world.deliveries(merchantId, tried(calls + 1))
  }
  const [delivery] = await world.deliveries(merchantId, are('DELIVERED'))
  assert.deepEqual(
    delivery?.attempts.map(({ responseStatus }) => responseStatus),
    [503, 503, 503, 204],
  )
  const [first] = receiver.calls
  const signer = new Webhook(showWebhookSecret(world.secret))
  const signatures = receiver.calls.map((call) => {
    assert.ok(first && call.body.equals(first.body))
    assert.equal(idOf(call), idOf(first))
    const signedAt = new Date(Number(call.headers['webhook-timestamp']) * 1_000)
    assert.equal(call.headers['webhook-signature'], signer.sign(idOf(call), signedAt, call.body))
    return call.headers['webhook-signature']
  })
  assert.equal(new Set(signatures).size, 4)
})

test('after ten failures a delivery is EXHAUSTED, and sending it again by hand starts a new round', async () => {
  await using world = await openWebhooks()
  let status = 500
  await using receiver = await startReceiver(() => ({ status, body: 'out of order' }))
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin)
  await using _worker = world.work()
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await world.deliveries(merchantId, tried(attempt))
    await world.clock.advance(25 * hourMs)
  }
  const [exhausted] = await world.deliveries(merchantId, are('EXHAUSTED'))
  assert.ok(exhausted)
  assert.equal(exhausted.nextAttemptAt, null)
  assert.partialDeepStrictEqual(exhausted.attempts[0], { responseStatus: 500, responseBody: 'out of order' })
  await world.clock.advance(1_000 * hourMs)
  await sleep(60)
  assert.equal(receiver.calls.length, 10)

  await resend(world.sql, merchantId, exhausted.id)
  const [failed] = await world.deliveries(merchantId, tried(11))
  assert.equal(failed?.status, 'PENDING')
  status = 200
  await world.clock.advance(5_000)
  const [delivered] = await world.deliveries(merchantId, are('DELIVERED'))
  assert.equal(delivered?.attempts.length, 12)
})

test('a delivery that arrived can be sent again, and keeps its history', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin)
  await using worker = world.work()
  const [delivered] = await world.deliveries(merchantId, are('DELIVERED'))
  await resend(world.sql, merchantId, must(delivered, 'it was delivered').id)
  worker.wake()
  const [again] = await world.deliveries(merchantId, tried(2))
  assert.equal(again?.status, 'DELIVERED')
  assert.deepEqual([...new Set(receiver.calls.map(idOf))], [delivered?.eventId])
})

test('a list read while deliveries are sent shows each delivery and its attempts as of one moment', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin, 600)
  await using _worker = world.work()
  await world.deliveries(merchantId, (rows) => {
    for (const { status, attempts } of rows) assert.equal(attempts.length, status === 'DELIVERED' ? 1 : 0)
    return are('DELIVERED')(rows)
  })
})

test('during a rotation of the secret each delivery is signed with the new secret and the old one', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const secrets = [randomBytes(24), randomBytes(24)]
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin)
  await using _worker = world.work({ secretsOf: async () => secrets })
  await receiver.until(({ length }) => length === 1)
  const [call] = receiver.calls
  assert.ok(call)
  assert.match(String(call.headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
  for (const secret of secrets) {
    assert.ok(
      new Webhook(showWebhookSecret(secret)).verify(call.body, call.headers as Record<string, string>),
    )
  }
})

test('a merchant whose secret cannot be decrypted loses no delivery, and no attempt is counted', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin)
  let sealed = true
  let asked = 0
  const secretsOf = async () => {
    asked += 1
    if (sealed) throw new Error('cannot be decrypted')
    return [world.secret]
  }
  // Longer than an attempt takes on a busy machine: a lease that ends meanwhile is a second attempt.
  const leaseMs = 30_000
  await using _worker = world.work({ secretsOf, leaseMs })
  await eventually('the worker has claimed it and cannot sign it', () => asked > 0)
  const [waiting] = await world.deliveries(merchantId, are('PENDING'))
  assert.deepEqual([waiting?.attempts.length, receiver.calls.length], [0, 0])
  sealed = false
  await world.clock.advance(leaseMs)
  const [delivered] = await world.deliveries(merchantId, are('DELIVERED'))
  assert.equal(delivered?.attempts.length, 1)
})

test('when the worker is asked to stop, it releases what is in flight, and the next worker sends it at once', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver((_call, count) => (count === 1 ? undefined : {}))
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, receiver.origin)
  {
    await using _worker = world.work()
    await receiver.until(({ length }) => length === 1)
  }
  const [released] = await world.deliveries(merchantId, are('PENDING'))
  assert.deepEqual([released?.attempts, released?.nextAttemptAt], [[], world.clock.now()])
  await using _next = world.work()
  await world.deliveries(merchantId, are('DELIVERED'))
  assert.equal(new Set(receiver.calls.map(idOf)).size, 1)
})

test('two workers share the work and send nothing twice', async () => {
  await using world = await openWebhooks()
  await using receivers = await startReceivers(3)
  const merchants = Array.from({ length: 3 }, () => newId<'merchant'>())
  await using _one = world.work()
  await using _other = world.work()
  for (let i = 0; i < 10; i += 1) {
    for (const [index, merchantId] of merchants.entries()) {
      await world.tell(merchantId, must(receivers.list[index], 'one each').origin, 10)
    }
  }
  for (const merchantId of merchants) await world.deliveries(merchantId, are('DELIVERED'))
  for (const { calls } of receivers.list) {
    assert.equal(calls.length, 100)
    assert.equal(new Set(calls.map(idOf)).size, 100)
  }
})

test('a database that drops the worker’s connections again and again costs time but loses no delivery', async () => {
  await using world = await openWebhooks()
  await using receiver = await startReceiver()
  const merchantId = newId<'merchant'>()
  const sql = connect(world.appUrl, { max: 4, applicationName: 'dropped' })
  {
    await using _worker = world.work({ sql, leaseMs: 0 })
    for (let i = 0; i < 5; i += 1) {
      await world.tell(merchantId, receiver.origin, 40)
      await receiver.until(({ length }) => length > i * 40)
      await world.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dropped'`
    }
    await world.deliveries(merchantId, are('DELIVERED'))
  }
  await sql.end()
  assert.equal(new Set(receiver.calls.map(idOf)).size, 200)
})

async function startReceivers(count: number) {
  const list: readonly Receiver[] = await Promise.all(Array.from({ length: count }, () => startReceiver()))
  return {
    list,
    async [Symbol.asyncDispose]() {
      for (const each of list) await each[Symbol.asyncDispose]()
    },
  }
}
