import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deliveryStatuses, eventTypes } from '#/contract/events.ts'
import { connect } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { fc } from '../../test/chance.ts'
import { count } from '../../test/counts.ts'
import { draftOf, openWebhooks } from '../../test/webhooks.ts'
import { announce } from './announce.ts'
import { type WrittenEvent } from './event.ts'

test('numbers have no gap for any merchant, whatever the batches, also with batches rolled back and two writers', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchants = Array.from({ length: 4 }, () => newId<'merchant'>())
  const expected = new Map(merchants.map((each) => [each, 0n]))
  let batch = 0n
  const write = (numbers: readonly number[], fails: boolean) =>
    sql
      .begin(async (tx) => {
        // Stands for the lock on the head, under which no two calls of announce run at once.
        await tx`select pg_advisory_xact_lock(1)`
        batch += 1n
        const drafts = numbers.map((each) => draftOf(merchants[each] ?? newId()))
        const written = await announce(tx, drafts, { batch, at: new Date() })
        if (fails) throw new Error('rolled back')
        for (const { merchantId, sequence } of written) {
          const last = (expected.get(merchantId) ?? 0n) + 1n
          assert.equal(sequence, last)
          expected.set(merchantId, last)
        }
      })
      .catch((error: Error) => assert.equal(error.message, 'rolled back'))
  const batches = fc.array(fc.tuple(fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }), fc.boolean()), {
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(batches, async (each) => {
      await Promise.all(each.map(([numbers, fails]) => write(numbers, fails)))
    }),
    { numRuns: count({ quick: 10, soak: 300 }) },
  )
  const rows = await sql<{ merchantId: MerchantId; found: bigint; last: bigint; inOrder: boolean }[]>`
    select merchant_id as "merchantId", count(*) as found, max(sequence) as last, bool_and(rising) as "inOrder"
      from (
        select merchant_id, sequence,
               batch >= coalesce(lag(batch) over (partition by merchant_id order by sequence), 0) as rising
          from event
      ) as numbered
     group by merchant_id`
  assert.equal(rows.length, 4)
  for (const { merchantId, found, last, inOrder } of rows) {
    assert.deepEqual([found, last, inOrder], [last, expected.get(merchantId), true])
  }
})

test('the body is the event as the API shows it, stored to the byte, and its hash goes into the hash chain', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchantId = newId<'merchant'>()
  const at = new Date('2026-11-21T02:03:04.567Z')
  const data = {
    id: newId(),
    amount: 9_007_199_254_740_991n,
    customerName: 'Conceição "日本" \\ 👍 \0 \x1e',
    absent: undefined,
  }
  const drafts = [
    draftOf(merchantId, { data, resourceId: data.id }),
    draftOf(merchantId, {
      type: 'wallet.created',
      mode: 'LIVE',
      data: { metadata: { note: null, text: '{,}' } },
    }),
  ]
  const written = await sql.begin((tx) => announce(tx, drafts, { batch: 7n, at }))
  const rows = await sql<{ id: string; body: string; batch: bigint; resourceId: string }[]>`
    select id, body, batch, resource_id as "resourceId" from event order by sequence`
  const [first, second] = rows
  const head = `"timestamp":"2026-11-21T02:03:04.567Z","mode":`
  assert.equal(
    first?.body,
    `{"id":"${written[0]?.id}","type":"payment.completed",${head}"SANDBOX","sequence":1,` +
      `"data":{"id":"${data.id}","amount":9007199254740991,` +
      String.raw`"customerName":"Conceição \"日本\" \\ 👍 \u0000 \u001e"}}`,
  )
  assert.equal(
    second?.body,
    `{"id":"${written[1]?.id}","type":"wallet.created",${head}"LIVE","sequence":2,` +
      `"data":{"metadata":{"note":null,"text":"{,}"}}}`,
  )
  assert.deepEqual([first.batch, first.resourceId], [7n, data.id])
  const expected: readonly WrittenEvent[] = rows.map(({ id, body }, index) => ({
    merchantId,
    sequence: BigInt(index + 1),
    id: id as WrittenEvent['id'],
    type: drafts[index]?.type ?? 'payment.waiting',
    bodyHash: createHash('sha256').update(body).digest(),
  }))
  assert.deepEqual(written, expected)
})

test('an event with a URL gets a delivery to it, due at once; an event without one gets none', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchantId = newId<'merchant'>()
  const at = new Date('2026-11-21T02:03:04.567Z')
  const drafts = [
    draftOf(merchantId, { webhookUrl: 'https://shop.example:8443/hook?a=1' }),
    draftOf(merchantId),
    draftOf(merchantId, { webhookUrl: 'not a URL' }),
    draftOf(merchantId, { webhookUrl: `https://${'a'.repeat(5_000)}/` }),
  ]
  assert.deepEqual(await sql.begin((tx) => announce(tx, [], { batch: 1n, at })), [])
  await sql.begin((tx) => announce(tx, drafts, { batch: 1n, at }))
  const rows = await sql`
    select delivery.event_sequence::int as sequence, url, delivery.origin, status, due_at as "dueAt", failures, lease
      from delivery
      join delivery_due as due on due.merchant_id = delivery.merchant_id and due.delivery_id = delivery.id
           and due.origin = delivery.origin and due.event_sequence = delivery.event_sequence
     order by delivery.event_sequence`
  const due = { status: 'PENDING', dueAt: world.clock.now(), failures: 0, lease: null }
  assert.deepEqual(
    [...rows],
    [
      { ...due, sequence: 1, url: 'https://shop.example:8443/hook?a=1', origin: 'https://shop.example:8443' },
      { ...due, sequence: 3, url: 'not a URL', origin: 'unreadable' },
      { ...due, sequence: 4, url: `https://${'a'.repeat(5_000)}/`, origin: 'unreadable' },
    ],
  )
})

test('500 events are two statements', async () => {
  await using world = await openWebhooks()
  let statements = 0
  await world.sql.begin(async (tx) => {
    const counted = new Proxy(tx, {
      apply: (target, self, args: Parameters<typeof tx>) => {
        statements += 1
        return Reflect.apply(target, self, args) as unknown
      },
    })
    const merchants = Array.from({ length: 50 }, () => newId<'merchant'>())
    const drafts = Array.from({ length: 500 }, (_, index) => draftOf(merchants[index % 50] ?? newId()))
    await announce(counted, drafts, { batch: 1n, at: new Date() })
  })
  assert.equal(statements, 2)
})

test('the types and statuses in the code are those of the checks of the database', async () => {
  await using world = await openWebhooks()
  const words = async (constraint: string) => {
    const [row] = await world.sql<{ text: string }[]>`
      select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${constraint}`
    return new Set([...(row?.text ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1]))
  }
  assert.deepEqual(await words('event_type'), new Set(eventTypes))
  assert.deepEqual(await words('delivery_status'), new Set(deliveryStatuses))
})

test('an event is never changed or deleted, not even by the owner of the tables', async () => {
  await using world = await openWebhooks()
  await world.announce([draftOf(newId())])
  const owner = connect(world.ownerUrl, { max: 1 })
  await assert.rejects(owner`update event set body = '{}'`, /append-only/)
  await assert.rejects(owner`delete from event`, /append-only/)
  await owner.end()
})
