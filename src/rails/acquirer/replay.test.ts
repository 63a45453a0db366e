// Idempotency keys that kept a failure, at a provider that behaves as the real one does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { addMs, systemClock } from '#/kernel/time.ts'
import { asId } from '../../../test/as-id.ts'
import {
  open,
  openingOf,
  outcomes,
  railAtProvider,
  type Call,
} from '../../../test/rails/acquirer/acquirer.ts'
import { refund, session } from '../../../test/rails/acquirer/objects.ts'
import type { Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'

const page = (data: readonly unknown[], has_more = false) => ({
  status: 200,
  body: { object: 'list', data, has_more, url: '/' },
})
const kept500 = {
  status: 500,
  body: { error: { type: 'api_error' } },
  headers: { 'idempotent-replayed': 'true' },
}
const reused = { status: 400, body: { error: { type: 'idempotency_error', message: 'other parameters' } } }
const keyOf = ({ headers }: Call) => String(headers['idempotency-key'])

test('a key that kept a failure is replaced, once no object of it is found', async (t) => {
  const what = { id: newId<'attempt'>() }
  const placed = () => session({ client_reference_id: what.id, metadata: { attempt_id: what.id } })
  for (const failure of [kept500, reused]) {
    let isMade = false
    const reply = (call: Call): Reply => {
      if (call.method === 'GET') return page(isMade ? [placed()] : [])
      if (keyOf(call) === what.id) return failure
      return { status: 200, body: placed() }
    }
    const { rail, id, calls } = await railAtProvider(t, reply)
    const opening = openingOf(id, { ...what, expiresAt: addMs(systemClock.now(), 7_200_000) })
    const answer = await open(rail, opening)
    assert.ok(answer.ok)
    assert.deepEqual(calls.filter(({ method }) => method === 'POST').map(keyOf), [what.id, `${what.id}:2`])
    // An existing session is returned.
    isMade = true
    calls.length = 0
    assert.ok((await open(rail, opening)).ok)
    assert.deepEqual(
      calls.map(({ method }) => method),
      ['POST', 'GET'],
    )
  }
})

test('a failure that was not kept is retried under the same key', async (t) => {
  const { rail, id, calls } = await railAtProvider(t, () => ({ status: 500, body: {} }))
  const opening = openingOf(id)
  for (let i = 0; i < 2; i++) assert.equal((await errorOf(open(rail, opening))).outcome, 'unknown')
  assert.deepEqual(calls.map(keyOf), [opening.id, opening.id])
})

test('a call whose result cannot be looked up is unknown, never refused', async (t) => {
  const { rail, id } = await railAtProvider(t, ({ method }) =>
    method === 'GET' ? { status: 404, body: {} } : kept500,
  )
  assert.equal((await errorOf(open(rail, openingOf(id)))).outcome, 'unknown')
})

test('the session is found on a later page among those of others', async (t) => {
  const opening = openingOf(asId(''))
  const placed = session({ client_reference_id: opening.id, metadata: { attempt_id: opening.id } })
  const foreign = {
    ...session({ id: 'cs_foreign', metadata: {}, client_reference_id: 'order', currency: 'jpy' }),
  }
  const { rail, id, calls } = await railAtProvider(t, ({ method, path }) => {
    if (method === 'POST') return reused
    return path.includes('starting_after=cs_foreign') ? page([placed]) : page([foreign], true)
  })
  assert.ok((await open(rail, { ...opening, connection: id })).ok)
  assert.deepEqual(
    calls.map(({ method }) => method),
    ['POST', 'GET', 'GET'],
  )
})

test('what a status means: retry, or refusal', async (t) => {
  const meanings = [
    [401, 'unavailable'],
    [403, 'unavailable'],
    [429, 'unavailable'],
    [409, 'unknown'],
    [424, 'unknown'],
    [500, 'unknown'],
    [503, 'unknown'],
    [302, 'unknown'],
  ] as const
  for (const [status, outcome] of meanings) {
    const { rail, id } = await railAtProvider(t, () => ({ status, body: { error: { message: 'no' } } }))
    assert.equal((await errorOf(open(rail, openingOf(id)))).outcome, outcome, `${status}`)
  }
  const { rail, id } = await railAtProvider(t, () => ({ status: 402, body: {} }))
  assert.equal((await open(rail, openingOf(id))).ok, false)
})

test('an unreadable answer is unknown', async (t) => {
  const odd: readonly unknown[] = ['', '<html>', {}, [], session(), session({ client_reference_id: null })]
  for (const body of odd) {
    const { rail, id } = await railAtProvider(t, () => ({ status: 200, body }))
    assert.equal((await errorOf(open(rail, openingOf(id)))).outcome, 'unknown', JSON.stringify(body))
  }
  const unnamed = openingOf(asId(''))
  const named = { client_reference_id: unnamed.id, metadata: { attempt_id: unnamed.id } }
  for (const more of [
    { amount_total: 1 },
    { currency: 'usd' },
    { livemode: true },
    { client_secret: null },
  ]) {
    const { rail, id } = await railAtProvider(t, () => ({
      status: 200,
      body: session({ ...named, ...more }),
    }))
    assert.equal(
      (await errorOf(open(rail, { ...unnamed, connection: id }))).outcome,
      'unknown',
      JSON.stringify(more),
    )
  }
})

test('a refund under a key that kept a failure is not requested twice', async (t) => {
  const order = {
    id: newId<'refund'>(),
    attempt: openingOf(asId('')),
    paidRef: 'pi_1',
    amount: { minor: 1000n, currency: 'EUR' },
  } as const
  const metadata = { refund_id: order.id, attempt_id: order.attempt.id }
  const made: unknown[] = []
  const { rail, id, calls } = await railAtProvider(t, (call) => {
    if (call.method === 'GET') return page(made)
    if (keyOf(call) === order.id) return kept500
    made.push(refund({ metadata, payment_intent: 'pi_1' }))
    // The answer is lost.
    return undefined
  })
  const send = (again: boolean) => must(rail.refunds, 'it refunds').send({ ...order, connection: id }, again)
  assert.equal((await errorOf(send(false))).outcome, 'unknown')
  assert.deepEqual(outcomes(await send(true)), ['refunded'])
  assert.deepEqual(outcomes(await send(false)), ['refunded'])
  assert.equal(made.length, 1)
  assert.ok(calls.every(({ form }) => !form.toString().includes('reason=wrong')))
})
