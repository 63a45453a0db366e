import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type DeliveryId, type EventId } from '#/kernel/id.ts'
import { addMs, minuteMs, systemClock } from '#/kernel/time.ts'
import { draftOf, openWebhooks } from '../../test/webhooks.ts'
import { getDelivery, listDeliveries, resend } from './delivery-queries.ts'
import {
  claimDue,
  firstReceiver,
  newReceivers,
  newestBatch,
  recordAttempts,
  stepReceivers,
  type AttemptResult,
} from './due/queries.ts'
import { getEvent, listEvents, searchEvents, selectSequenceBefore, type EventFilter } from './queries.ts'
import { deliveryRecord, eventRecord } from './record.ts'

const at = new Date('2026-11-21T02:03:04.567Z')

const shop = 'https://shop.example'
const url = `${shop}/hook`

test('a consumer that asks for events after the last number it got reads every event once, in order', async () => {
  await using world = await openWebhooks()
  const [mine, other] = [newId<'merchant'>(), newId<'merchant'>()]
  const written = [...(await world.tell(mine, url, 3, at)), ...(await world.tell(mine, url, 4, at))]
  await world.tell(other, url, 2, at)
  const read: EventId[] = []
  for (let after = 0n; ;) {
    const { events: page } = await listEvents(world.sql, mine, { after, limit: 3 })
    if (page.length === 0) break
    read.push(...page.map(({ id }) => id))
    after = page.at(-1)?.sequence ?? after
  }
  assert.deepEqual(
    read,
    written.map(({ id }) => id),
  )
  const [first] = written
  assert.ok(first)
  const row = await getEvent(world.sql, mine, first.id)
  assert.ok(row)
  assert.partialDeepStrictEqual(eventRecord(row), {
    id: first.id,
    sequence: 1,
    type: 'payment.completed',
    mode: 'SANDBOX',
  })
  assert.equal(await getEvent(world.sql, other, first.id), undefined)
})

test('a reader that looks back begins after the last old event, and never further back than its limit', async () => {
  await using world = await openWebhooks()
  const [mine, other] = [newId<'merchant'>(), newId<'merchant'>()]
  const lookBack = { ms: minuteMs, limit: 4 }
  const now = systemClock.now()
  await world.tell(other, url, 3, now)
  assert.equal(await selectSequenceBefore(world.sql, mine, lookBack), 0n)
  await world.tell(mine, url, 1, addMs(now, -2 * minuteMs))
  assert.equal(await selectSequenceBefore(world.sql, mine, lookBack), 1n)
  await world.tell(mine, url, 1, now)
  assert.equal(await selectSequenceBefore(world.sql, mine, lookBack), 1n)
  await world.tell(mine, url, 5, now)
  assert.equal(await selectSequenceBefore(world.sql, mine, lookBack), 3n, 'four of the seven')
})

test('events are searched newest first, by their id, their record, type and numbers, and pages hold each once', async () => {
  await using world = await openWebhooks()
  const [mine, other] = [newId<'merchant'>(), newId<'merchant'>()]
  const [payment, refund] = [newId(), newId()]
  const types = ['payment.waiting', 'payment.completed', 'refund.completed'] as const
  const drafts = Array.from({ length: 12 }, (_, index) => {
    const type = types[index % 3] ?? types[0]
    return draftOf(mine, { type, resourceId: type.startsWith('refund') ? refund : payment })
  })
  const written = [...(await world.announce(drafts)), ...(await world.announce([draftOf(mine)]))]
  await world.announce([draftOf(other, { resourceId: payment })])
  const search = async (filter: EventFilter, limit = 3) => {
    const found: number[] = []
    for (let { before } = filter; ;) {
      const { events, next } = await searchEvents(world.sql, mine, { ...filter, ...given({ before }) }, limit)
      found.push(...events.map(({ sequence }) => Number(sequence)))
      if (next === undefined) return found
      before = next
    }
  }
  const all = Array.from({ length: 13 }, (_, index) => 13 - index)
  const of = (...remainders: readonly number[]) =>
    all.filter((number) => number < 13 && remainders.includes(number % 3))
  assert.deepEqual(await search({}), all)
  assert.deepEqual(await search({}, 13), all)
  assert.deepEqual(await search({ from: 4n, before: 9n }), [8, 7, 6, 5, 4])
  assert.deepEqual(await search({ type: 'refund.completed' }), of(0))
  assert.deepEqual(await search({ type: 'dispute.lost' }), [])
  assert.deepEqual(await search({ subject: payment }), of(1, 2))
  assert.deepEqual(await search({ subject: payment, from: 4n, before: 9n }), [8, 7, 5, 4])
  assert.deepEqual(await search({ subject: payment, type: 'payment.completed' }, 1), of(2))
  assert.deepEqual(await search({ subject: payment, type: 'refund.completed' }), [])
  assert.deepEqual(await search({ subject: written[4]?.id ?? '' }), [5])
  assert.deepEqual(await search({ subject: written[4]?.id ?? '', before: 5n }), [])
  assert.deepEqual(await search({ subject: newId() }), [])
})

test('of a record with very many events a rare type is found by going on, a thousand events for a page', async () => {
  await using world = await openWebhooks()
  const [mine, resourceId] = [newId<'merchant'>(), newId()]
  const [first] = await world.announce([draftOf(mine, { type: 'payment.failed', resourceId })])
  await world.announce(Array.from({ length: 1_500 }, () => draftOf(mine, { resourceId })))
  const filter = { subject: resourceId, type: 'payment.failed' } as const
  const { events, next } = await searchEvents(world.sql, mine, filter, 50)
  assert.deepEqual([events, next], [[], 502n])
  const rest = await searchEvents(world.sql, mine, { ...filter, before: 502n }, 50)
  assert.deepEqual([rest.events.map(({ id }) => id), rest.next], [[first?.id], undefined])
})

test('deliveries are listed newest first by pages, of one event or of all, and never another merchant’s', async () => {
  await using world = await openWebhooks()
  const [mine, other] = [newId<'merchant'>(), newId<'merchant'>()]
  const events = await world.tell(mine, url, 5, at)
  await world.tell(other, url, 1, at)
  const listed: string[] = []
  let cursor: DeliveryId | undefined
  do {
    const page = await listDeliveries(world.sql, mine, {
      limit: 2,
      ...given({ cursor }),
    })
    listed.push(...page.data.map(({ eventId }) => eventId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  assert.deepEqual(listed, events.map(({ id }) => id).toReversed())
  const [event] = events
  assert.ok(event)
  const ofEvent = await listDeliveries(world.sql, mine, { eventId: event.id, limit: 10 })
  assert.deepEqual(
    ofEvent.data.map(({ eventId }) => eventId),
    [event.id],
  )
  const [delivery] = ofEvent.data
  assert.ok(delivery)
  assert.deepEqual(deliveryRecord(delivery), {
    id: delivery.id,
    eventId: event.id,
    url,
    status: 'PENDING',
    nextAttemptAt: world.clock.now().toISOString(),
    attempts: [],
  })
  assert.deepEqual((await listDeliveries(world.sql, other, { eventId: event.id, limit: 10 })).data, [])
  assert.equal(await getDelivery(world.sql, other, delivery.id), undefined)
  assert.equal(await resend(world.sql, other, delivery.id), 'not_found')
})

test('an answer that comes after its claim was lost is kept, and changes nothing else', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, url, 1, at)
  const turns = [{ receiver: { merchantId, origin: shop }, slots: 10 }]
  const recordOf = async (id: DeliveryId) =>
    deliveryRecord(must(await getDelivery(sql, merchantId, id), 'the delivery is there'))
  const claim = () => claimDue(sql, turns, newId(), 30_000)
  const [first] = await claim()
  assert.ok(first)
  await world.clock.advance(29_999)
  assert.equal((await claim()).length, 0)
  assert.equal((await recordOf(first.id)).nextAttemptAt, undefined)
  await world.clock.advance(1)
  const [second] = await claim()
  assert.equal(second?.id, first.id)
  const answer = (claimed: typeof first, more: Partial<AttemptResult>): AttemptResult => ({
    merchantId,
    deliveryId: claimed.id,
    lease: claimed.lease,
    endpoint: null,
    id: newId(),
    at,
    durationMs: 5,
    responseStatus: null,
    responseBody: null,
    error: null,
    status: 'PENDING',
    waitMs: null,
    ...more,
  })
  await recordAttempts(sql, [answer(first, { error: 'timeout', waitMs: 5_000 })])
  assert.partialDeepStrictEqual(await getDelivery(sql, merchantId, first.id), {
    status: 'PENDING',
    attempts: [{ error: 'timeout' }],
  })
  const done = answer(second, {
    at: addMs(at, 1),
    responseStatus: 200,
    responseBody: 'null',
    status: 'DELIVERED',
  })
  await recordAttempts(sql, [done])
  await recordAttempts(sql, [done])
  assert.deepEqual(await recordOf(first.id), {
    id: first.id,
    eventId: first.eventId,
    url,
    status: 'DELIVERED',
    attempts: [
      { at: at.toISOString(), durationMs: 5, error: 'timeout' },
      { at: addMs(at, 1).toISOString(), durationMs: 5, responseStatus: 200, responseBody: 'null' },
    ],
  })
  assert.equal(await resend(sql, merchantId, first.id), 'resent')
  assert.partialDeepStrictEqual(await getDelivery(sql, merchantId, first.id), {
    status: 'PENDING',
    nextAttemptAt: world.clock.now(),
  })
})

test('a delivery sent again while an attempt is under way: the answer of that attempt does not end it', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, url, 1, at)
  const turns = [{ receiver: { merchantId, origin: shop }, slots: 1 }]
  const [claimed] = await claimDue(sql, turns, newId(), 30_000)
  assert.ok(claimed)
  await resend(sql, merchantId, claimed.id)
  const { id: deliveryId, lease } = claimed
  const answer = {
    endpoint: null,
    responseStatus: 200,
    responseBody: '',
    error: null,
    status: 'DELIVERED',
    waitMs: null,
  } as const
  await recordAttempts(sql, [{ merchantId, deliveryId, lease, id: newId(), at, durationMs: 1, ...answer }])
  assert.equal((await getDelivery(sql, merchantId, deliveryId))?.status, 'PENDING')
  assert.equal((await claimDue(sql, turns, newId(), 30_000)).length, 1)
})

test('two workers never claim the same delivery, and the oldest go first', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, url, 40, at)
  const receiver = { merchantId, origin: shop }
  const claims = await Promise.all(
    [10, 10, 10, 10].map((slots) => claimDue(sql, [{ receiver, slots }], newId(), 30_000)),
  )
  const ids = claims.flat().map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const rest = await claimDue(sql, [{ receiver, slots: 100 }], newId(), 30_000)
  assert.equal(ids.length + rest.length, 40)
})

test('what another worker is claiming at this moment is skipped without waiting', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchantId = newId<'merchant'>()
  await world.tell(merchantId, url, 40, at)
  const turns = [{ receiver: { merchantId, origin: shop }, slots: 100 }]
  const claimed = await sql.begin(async (tx) => {
    await tx`select from delivery_due order by due_at limit 10 for update`
    return claimDue(sql, turns, newId(), 30_000)
  })
  assert.equal(claimed.length, 30)
})

test('a walk finds every receiver with anything pending, page by page, and a scan of new batches only the new ones', async () => {
  await using world = await openWebhooks()
  const { sql } = world
  const merchants = [newId<'merchant'>(), newId<'merchant'>()].sort()
  const expected: string[] = []
  for (const merchantId of merchants) {
    for (const host of ['a', 'b', 'c']) {
      await world.tell(merchantId, `https://${host}.example/hook`, 3, at)
      expected.push(`${merchantId} https://${host}.example`)
    }
  }
  const found: string[] = []
  let position = firstReceiver
  for (;;) {
    const page = await stepReceivers(sql, position, 2)
    found.push(...page.map(({ merchantId, origin }) => `${merchantId} ${origin}`))
    assert.ok(page.every(({ isDue }) => isDue))
    const last = page.at(-1)
    if (last === undefined) break
    position = last
  }
  assert.deepEqual(found, expected)
  assert.equal(await newestBatch(sql), 6n)
  assert.equal((await newReceivers(sql, 6n, 100)).length, 0)
  assert.deepEqual(
    [...(await newReceivers(sql, 5n, 100))],
    [{ merchantId: merchants[1], origin: 'https://c.example', batch: 6n, isOpen: true }],
  )
  assert.equal((await newReceivers(sql, 0n, 100)).length, 6)
})

test('a delivery with very many attempts is shown with the newest fifty', async () => {
  await using world = await openWebhooks()
  const mine = newId<'merchant'>()
  await world.tell(mine, url, 1, at)
  await world.sql`
    insert into delivery_attempt (merchant_id, delivery_id, id, at, duration_ms, response_status)
    select merchant_id, id, gen_random_uuid(), ${at}::timestamptz + number * interval '1 s', number, 500
      from delivery, generate_series(1, 60) as number where merchant_id = ${mine}`
  const [delivery] = (await listDeliveries(world.sql, mine, { limit: 1 })).data
  assert.deepEqual(
    delivery?.attempts.map(({ durationMs }) => durationMs),
    Array.from({ length: 50 }, (_, index) => index + 11),
  )
})
