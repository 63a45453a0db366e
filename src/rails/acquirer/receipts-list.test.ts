// Scanning events: every page, each object once, and no second call for an object that cannot have changed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import { brief, outcomes, railAtProvider, type Call } from '../../../test/rails/acquirer/acquirer.ts'
import { attemptId, dispute, event, intent } from '../../../test/rails/acquirer/objects.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { all, errorOf } from '../../../test/rails/rail.ts'

type Json = Readonly<Record<string, unknown>>
const now = systemClock.now()
const span = { from: addMs(now, -hourMs), to: now }
const eventOf = (id: string, type: string, object: Json) => event(type, object, { id })
const paid = (event: string, id: string) =>
  eventOf(event, 'payment_intent.succeeded', { id, object: 'payment_intent' })

/** A provider with these events, the latest first, and these objects. */
const providerOf =
  (events: () => readonly Json[], things: () => Readonly<Record<string, unknown>>) =>
  (call: Call): Reply => {
    const url = new URL(call.path, 'http://x')
    if (url.pathname !== '/v1/events') {
      const thing = things()[url.pathname.split('/').at(-1) ?? '']
      return thing === undefined ? { status: 404, body: { error: {} } } : { status: 200, body: thing }
    }
    const after = url.searchParams.get('starting_after')
    const from = after === null ? 0 : events().findIndex(({ id }) => id === after) + 1
    const data = events().slice(from, from + 2)
    return { status: 200, body: { object: 'list', data, has_more: from + 2 < events().length } }
  }

test('every page is followed, and each object once', async (t) => {
  const events = [paid('evt_4', 'pi_b'), paid('evt_3', 'pi_a'), paid('evt_2', 'pi_b'), paid('evt_1', 'pi_c')]
  const things = { pi_a: intent({ id: 'pi_a' }), pi_b: intent({ id: 'pi_b' }) }
  const { rail, id, calls } = await railAtProvider(
    t,
    providerOf(
      () => events,
      () => things,
    ),
  )
  const list = must(rail.list, 'it lists')
  const found = await all(list(id, span))
  // An object that does not exist any more does not hide the others.
  assert.deepEqual(found.map(brief), [
    ['paid', attemptId, 'pi_b', 1990n],
    ['paid', attemptId, 'pi_a', 1990n],
  ])
  const requests = calls.map(({ path }) => new URL(path, 'http://x'))
  const [first] = requests
  assert.ok(Number(first?.searchParams.get('created[gte]')) <= span.from.getTime() / 1_000)
  assert.ok(Number(first?.searchParams.get('created[lte]')) >= span.to.getTime() / 1_000)
  assert.ok(
    [...must(first, 'one').searchParams.keys()].filter((name) => name.startsWith('types')).length <= 20,
  )
  assert.equal(requests.filter(({ pathname }) => pathname.endsWith('/pi_b')).length, 1)
})

test('an object is fetched again only after a new event of it', async (t) => {
  let events = [paid('evt_1', 'pi_a')]
  let now: Json = { status: 'requires_capture', amount_capturable: 1990, capture_method: 'manual' }
  const { rail, id, calls } = await railAtProvider(
    t,
    providerOf(
      () => events,
      () => ({ pi_a: intent({ id: 'pi_a', ...now }) }),
    ),
  )
  const scan = async () => outcomes(await all(must(rail.list, 'it lists')(id, span)))
  const fetches = () => calls.filter(({ path }) => path.includes('/pi_a')).length
  for (let i = 0; i < 3; i++) assert.deepEqual(await scan(), ['authorised'])
  assert.equal(fetches(), 1)
  now = { capture_method: 'manual' }
  events = [paid('evt_2', 'pi_a'), ...events]
  for (let i = 0; i < 2; i++) assert.deepEqual(await scan(), ['paid'])
  assert.equal(fetches(), 2)
})

test('the receipts of a limited number of objects are remembered', async (t) => {
  const idsMax = 5_000
  let events = Array.from({ length: idsMax + 1 }, (_, i) => paid(`evt_${i}`, `pi_${i}`))
  const { rail, id, calls } = await railAtProvider(t, ({ path }) =>
    path.startsWith('/v1/events')
      ? { status: 200, body: { object: 'list', data: events, has_more: false } }
      : { status: 404, body: { error: {} } },
  )
  const scan = () => all(must(rail.list, 'it lists')(id, span))
  await scan()
  const [first, last] = [events.slice(0, 1), events.slice(-1)]
  calls.length = 0
  events = last
  await scan()
  assert.equal(calls.length, 1, 'the last one is remembered: only events were requested')
  events = first
  await scan()
  assert.equal(calls.at(-1)?.path.includes('/pi_0'), true, 'the first one is not')
})

test('a dispute of an unreported payment reports the payment first', async (t) => {
  const events = [eventOf('evt_1', 'charge.dispute.created', { id: 'dp_1', object: 'dispute' })]
  const { rail, id } = await railAtProvider(
    t,
    providerOf(
      () => events,
      () => ({ dp_1: dispute({ id: 'dp_1' }) }),
    ),
  )
  const found = await all(must(rail.list, 'it lists')(id, { ...span, onlyReturned: true }))
  assert.deepEqual(outcomes(found), ['paid', 'dispute_opened', 'dispute_taken'])
  assert.deepEqual(found[0]?.means, { brand: 'visa', last4: '4242' })
})

test('an unreadable object does not hide others, and foreign objects are ignored', async (t) => {
  const events = [paid('evt_3', 'pi_odd'), paid('evt_2', 'pi_foreign'), paid('evt_1', 'pi_a')]
  const things = {
    pi_odd: intent({ id: 'pi_odd', currency: 'jpy' }),
    pi_foreign: intent({ id: 'pi_foreign', metadata: {} }),
    pi_a: intent({ id: 'pi_a' }),
  }
  const { rail, id } = await railAtProvider(
    t,
    providerOf(
      () => events,
      () => things,
    ),
  )
  assert.deepEqual((await all(must(rail.list, 'it lists')(id, span))).map(brief), [
    ['paid', attemptId, 'pi_a', 1990n],
  ])
})

test('a page of events with all their evidence is read, even a long one', async (t) => {
  // An event contains its whole object: a dispute up to 150,000 characters of evidence, repeated with each change.
  const evidence = { uncategorized_text: 'x'.repeat(150_000) }
  const events = Array.from({ length: 40 }, (_, i) =>
    eventOf(`evt_${40 - i}`, 'charge.dispute.updated', { id: 'dp_1', object: 'dispute', evidence }),
  )
  const { rail, id } = await railAtProvider(t, ({ path }) => ({
    status: 200,
    body: path.startsWith('/v1/events')
      ? { object: 'list', data: events, has_more: false }
      : dispute({ id: 'dp_1', evidence }),
  }))
  const found = await all(must(rail.list, 'it lists')(id, { ...span, onlyReturned: true }))
  assert.deepEqual(outcomes(found), ['paid', 'dispute_opened', 'dispute_taken'])
})

test('a failure between two pages is not the end of the list', async (t) => {
  const { rail, id } = await railAtProvider(t, ({ path }) =>
    path.includes('starting_after')
      ? { status: 500, body: {} }
      : { status: 200, body: { object: 'list', data: [paid('evt_1', 'pi_gone')], has_more: true } },
  )
  assert.equal((await errorOf(all(must(rail.list, 'it lists')(id, span)))).outcome, 'unknown')
})
