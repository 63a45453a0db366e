import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { forbidden } from '../../test/forbidden.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { given } from '../kit/given.ts'
import { closer } from '../kit/harness.ts'
import { hostedTerms, item, startTestAcquirer, terms } from './harness.ts'

const acquirer = openForTests(startTestAcquirer)
const shop = makeForTests(() => acquirer.account({ name: 'Padaria', currencies: ['BRL', 'EUR'] }))

const create = (params: Stripe.Checkout.SessionCreateParams, key?: string) =>
  shop.stripe.checkout.sessions.create(params, key === undefined ? {} : { idempotencyKey: key })

/** The API error that the client throws. */
async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}

test('a session in a frame has a client secret and no address; a hosted one the other way round', async () => {
  const frame = await create(terms({ client_reference_id: 'a1', metadata: { attempt_id: 'a1' } }))
  assert.equal(frame.object, 'checkout.session')
  assert.match(frame.id, /^cs_test_\w+$/)
  assert.ok(frame.client_secret?.startsWith(`${frame.id}_secret_`))
  assert.equal(frame.url, null)
  assert.deepEqual(
    [frame.status, frame.payment_status, frame.amount_total, frame.currency, frame.payment_intent],
    ['open', 'unpaid', 1990, 'eur', null],
  )
  assert.deepEqual([frame.client_reference_id, frame.metadata], ['a1', { attempt_id: 'a1' }])
  assert.equal(frame.expires_at - frame.created, 24 * 3600)
  const hosted = await create(hostedTerms())
  assert.equal(hosted.client_secret, null)
  assert.equal(hosted.url, `${acquirer.apiUrl}/c/pay/${hosted.id}`)
  assert.equal((await shop.stripe.checkout.sessions.retrieve(hosted.id)).id, hosted.id)
})

test('the former list of payment methods is refused, and its filters are accepted', async () => {
  const old = await refusal(create(forbidden({ ...terms(), payment_method_types: ['card'] })))
  assert.equal(old.statusCode, 400)
  assert.equal(old.code, 'payment_method_types_no_longer_supported')
  assert.equal(old.param, 'payment_method_types')
  const filtered = await create({ ...terms(), allowed_payment_method_types: ['card', 'pix'] })
  assert.deepEqual(filtered.payment_method_types, ['card'])
  const none = await refusal(create({ ...terms(), allowed_payment_method_types: ['pix'] }))
  assert.equal(none.statusCode, 400)
})

test('each presentation has its own fields, and refuses those of the other', async () => {
  const never = { redirect_on_completion: 'never' } as const
  const wrong: readonly (readonly [string, Stripe.Checkout.SessionCreateParams])[] = [
    ['cancel_url', terms({ cancel_url: 'http://shop.localhost/' })],
    ['success_url', terms({ success_url: 'http://shop.localhost/' })],
    ['return_url', terms({ ...never, return_url: 'http://shop.localhost/' })],
    ['return_url', terms({ redirect_on_completion: 'always' })],
    ['return_url', hostedTerms({ return_url: 'http://shop.localhost/' })],
    ['redirect_on_completion', hostedTerms(never)],
    ['ui_mode', terms({ ui_mode: 'embedded' })],
    ['line_items', terms({ line_items: [item('eur', 49)] })],
    [
      'line_items[0][price_data][product_data][name]',
      terms({
        line_items: [
          {
            quantity: 1,
            price_data: { currency: 'eur', unit_amount: 100, product_data: { name: forbidden(undefined) } },
          },
        ],
      }),
    ],
    ['currency', terms({ line_items: [item('jpy', 1000)] })],
    ['locale', terms({ locale: forbidden('xx') })],
    ['customer_email', terms({ customer_email: 'nobody' })],
    ['color', forbidden({ ...terms(), color: 'red' })],
  ]
  for (const [param, params] of wrong) {
    const error = await refusal(create(params))
    assert.deepEqual([error.type, error.statusCode, error.param], ['StripeInvalidRequestError', 400, param])
  }
})

test('a session lasts from half an hour to a day', async () => {
  const now = Math.floor(Date.now() / 1000)
  for (const seconds of [20 * 60, 25 * 3600])
    assert.equal((await refusal(create(terms({ expires_at: now + seconds })))).param, 'expires_at')
  const short = await create(terms({ expires_at: now + 31 * 60 }))
  assert.equal(short.expires_at, now + 31 * 60)
})

test('the same key gives the same session; other parameters under it are refused', async () => {
  const first = await create(terms(), 'key-1')
  const again = await create(terms(), 'key-1')
  assert.equal(again.id, first.id)
  assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true')
  const changed = await refusal(create(terms({ client_reference_id: 'x' }), 'key-1'))
  assert.deepEqual([changed.type, changed.statusCode], ['StripeIdempotencyError', 400])
  const elsewhere = await refusal(
    shop.stripe.checkout.sessions.expire(first.id, {}, { idempotencyKey: 'key-1' }),
  )
  assert.equal(elsewhere.type, 'StripeIdempotencyError')
  const other = await acquirer.account()
  const theirs = await other.stripe.checkout.sessions.create(terms(), { idempotencyKey: 'key-1' })
  assert.notEqual(theirs.id, first.id)
})

test('a key is free again after a refusal of parameters, and stays in use when the account’s future comes closer', async () => {
  await refusal(create(terms({ line_items: [item('eur', 1)] }), 'key-2'))
  const right = await create(terms(), 'key-2')
  await acquirer.control('clock', closer(shop.accountId, 86_401))
  assert.equal((await create(terms(), 'key-2')).id, right.id)
})

test('when a week has come closer, a session by the caller’s clock is accepted, and lives its whole life', async () => {
  const before = await create(terms())
  await acquirer.control('clock', closer(shop.accountId, 7 * 86_400))
  assert.equal((await shop.stripe.checkout.sessions.retrieve(before.id)).status, 'expired')
  const inAnHour = Math.floor(Date.now() / 1000) + 3_600
  const after = await create(terms({ expires_at: inAnHour }))
  assert.ok(Math.abs(after.created - Date.now() / 1000) < 60, 'its instants are of now')
  await acquirer.control('clock', closer(shop.accountId, 3_000))
  assert.equal((await shop.stripe.checkout.sessions.retrieve(after.id)).status, 'open')
  await acquirer.control('pay', { session: after.id, card: 'success' })
  assert.equal((await shop.stripe.checkout.sessions.retrieve(after.id)).status, 'complete')
})

test('two calls with one key at once: the second is refused until the first is done', async () => {
  await acquirer.control('faults', { mode: 'slow', times: 1 })
  const first = create(terms(), 'key-3')
  // The slow one holds the key by then: it came first.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const second = await refusal(create(terms(), 'key-3'))
  assert.deepEqual([second.statusCode, second.code], [409, 'idempotency_key_in_use'])
  const { id } = await first
  assert.equal((await create(terms(), 'key-3')).id, id)
})

test('an answer that was lost is returned again under its key', async () => {
  await acquirer.control('faults', { mode: 'reset_after_commit', times: 1 })
  const body = new URLSearchParams({
    mode: 'payment',
    success_url: 'http://shop.localhost/',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '100',
    'line_items[0][price_data][product_data][name]': 'x',
    client_reference_id: 'lost',
  })
  const headers = { authorization: `Bearer ${shop.secretKey}`, 'idempotency-key': 'key-4' }
  const call = () => fetch(`${acquirer.apiUrl}/v1/checkout/sessions`, { method: 'POST', headers, body })
  await assert.rejects(call())
  const found = await call()
  assert.equal(found.headers.get('idempotent-replayed'), 'true')
  const { sessions } = (await (await fetch(`${acquirer.apiUrl}/_sim/state`)).json()) as {
    readonly sessions: readonly { readonly client_reference_id: string }[]
  }
  assert.equal(sessions.filter((each) => each.client_reference_id === 'lost').length, 1)
})

test('a call that failed before the work can be made again under its key', async () => {
  await acquirer.control('faults', { mode: '5xx', times: 1 })
  const failed = await refusal(create(terms(), 'key-5'))
  assert.deepEqual([failed.type, failed.statusCode], ['StripeAPIError', 500])
  assert.equal((await create(terms(), 'key-5')).status, 'open')
})

test('a session that expired, by a call or by the clock, cannot be paid', async () => {
  const [byHand, byClock] = [await create(terms()), await create(terms())]
  assert.equal((await shop.stripe.checkout.sessions.expire(byHand.id)).status, 'expired')
  const twice = await refusal(shop.stripe.checkout.sessions.expire(byHand.id))
  assert.equal(twice.statusCode, 400)
  await acquirer.control('pay', { session: byClock.id, card: 'decline' })
  await acquirer.control('clock', closer(shop.accountId, 86_400))
  const expired = await shop.stripe.checkout.sessions.retrieve(byClock.id, { expand: ['payment_intent'] })
  assert.equal(expired.status, 'expired')
  assert.equal((expired.payment_intent as Stripe.PaymentIntent).status, 'canceled')
  for (const session of [byHand.id, byClock.id])
    await assert.rejects(acquirer.control('pay', { session, card: 'success' }), /409 expired/)
  const { data } = await shop.stripe.events.list({ type: 'checkout.session.expired', limit: 2 })
  assert.equal(data.length, 2)
})

test('no account reads or changes another account’s objects', async () => {
  const { id } = await create(terms())
  const other = await acquirer.account()
  const error = await refusal(other.stripe.checkout.sessions.retrieve(id))
  assert.deepEqual([error.statusCode, error.code], [404, 'resource_missing'])
  assert.equal((await refusal(other.stripe.checkout.sessions.expire(id))).statusCode, 404)
})

test('a call uses the one supported version, and sends forms', async () => {
  const authorization = `Bearer ${shop.secretKey}`
  const answerOf = async (headers: Record<string, string>, body?: string) => {
    const answer = await fetch(`${acquirer.apiUrl}/v1/checkout/sessions`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...headers },
      ...given({ body }),
    })
    const { error } = (await answer.json()) as { readonly error?: { readonly message: string } }
    return [answer.status, error?.message.split(/[:(]/)[0]]
  }
  assert.deepEqual(await answerOf({}), [200, undefined])
  assert.deepEqual(await answerOf({ 'stripe-version': '2026-10-28.endive' }), [200, undefined])
  assert.deepEqual(await answerOf({ 'stripe-version': '2020-08-27' }), [400, 'Invalid Stripe API version'])
  const json = { 'content-type': 'application/json' }
  assert.deepEqual(await answerOf(json, '{"mode":"payment"}'), [400, 'Invalid request '])
})

test('a call needs a secret key', async () => {
  for (const [key, type] of [
    ['sk_test_nobody', 'StripeAuthenticationError'],
    [shop.publishableKey, 'StripeAuthenticationError'],
  ] as const) {
    const { hostname, port } = new URL(acquirer.apiUrl)
    const stranger = new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
    assert.equal((await refusal(stranger.balance.retrieve())).type, type)
  }
  assert.equal((await fetch(`${acquirer.apiUrl}/v1/balance`)).status, 401)
  const unknown = await fetch(`${acquirer.apiUrl}/v1/customers`)
  assert.equal(unknown.status, 404)
})
