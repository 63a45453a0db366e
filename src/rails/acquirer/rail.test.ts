// Card payments at the sandbox's acquirer, over its real wire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { addMs, hourMs, minuteMs, parseInstant, systemClock, testClock } from '#/kernel/time.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import {
  brief,
  check,
  connectionOf,
  open,
  opened,
  openingOf,
  outcomes,
  railAtProvider,
  railOf,
  shopAt,
  startTestAcquirer,
} from '../../../test/rails/acquirer/acquirer.ts'
import { merchantId } from '../../../test/rails/rail.ts'
import { createCardClient } from './client.ts'

const acquirer = openForTests(startTestAcquirer)

const sessionsOf = async (reference: string) =>
  ((await acquirer.state())['sessions'] ?? []).filter((each) => each['client_reference_id'] === reference)

test('it accepts what its connections accept, own connections first', (t) => {
  const settings = (currencies: string[]) => ({ publishableKey: 'pk_test_1', currencies })
  const secrets = { secretKey: 'sk_test_1' }
  const [own, shared] = [
    connectionOf(settings(['BRL']), secrets),
    connectionOf(settings(['EUR', 'USD']), secrets),
  ]
  const rail = railOf(t, [own, shared])
  const request = { mode: 'SANDBOX', merchantId } as const
  assert.deepEqual(rail.route(request), { ok: true, connection: own.id, currency: 'BRL' })
  assert.deepEqual(rail.route({ ...request, currency: 'USD' }), {
    ok: true,
    connection: shared.id,
    currency: 'USD',
  })
  const none = rail.route({ ...request, currency: 'USDT' })
  assert.deepEqual(
    [none.ok, !none.ok && none.code, !none.ok && none.pointer],
    [false, 'currency_not_supported', '/currency'],
  )
  const unconnected = rail.route({ ...request, mode: 'LIVE' })
  assert.equal(!unconnected.ok && unconnected.code, 'method_not_available')
})

test('a frame is opened with the payer’s data, and shown by the settings of the connection', async (t) => {
  const { rail, id, connection } = await shopAt(acquirer, t)
  const opening = openingOf(id, {
    customerEmail: 'ana@example.com',
    locale: 'pt-BR',
    description: 'Pedido 7',
  })
  const attempt = await opened(rail, opening)
  const [session] = await sessionsOf(opening.id)
  assert.deepEqual(
    [
      session?.['amount_total'],
      session?.['currency'],
      session?.['locale'],
      session?.['customer_email'],
      session?.['ui_mode'],
    ],
    [1990, 'eur', 'pt-BR', 'ana@example.com', 'embedded_page'],
  )
  assert.deepEqual(rail.opens.present(attempt), {
    kind: 'FRAME',
    scriptUrl: `${acquirer.apiUrl}/endive/stripe.js`,
    publishableKey: connection.settings['publishableKey'],
    clientSecret: session?.['client_secret'],
    origins: [acquirer.apiUrl],
  })
  assert.deepEqual(await check(rail, attempt), { receipts: [], isOver: false })
})

test('the provider’s page shows the payer’s name, if it is known', async (t) => {
  const { rail, id } = await shopAt(acquirer, t)
  const shown = async (locale: string, customerName?: string) => {
    const details = { customerEmail: 'ana@example.com', locale, ...(customerName ? { customerName } : {}) }
    const attempt = await opened(rail, openingOf(id, details))
    const { sessionId } = attempt.artifacts
    return (await fetch(`${acquirer.apiUrl}/c/embed/${String(sessionId)}`)).text()
  }
  const page = await shown('pt-BR', ' Ana  Souza ')
  assert.match(page, /readonly="" value="ana@example\.com"/)
  assert.match(page, />Pagador: Ana Souza</)
  assert.match(
    await shown('en', '[Ana](https://evil.example)\u0007'),
    />Payer: Ana \(https:\/\/evil\.example\)</,
  )
  assert.doesNotMatch(await shown('en'), /Payer:/)
})

test('its own page is shown where the connection or the opening requests it', async (t) => {
  const { rail, id } = await shopAt(acquirer, t)
  const attempt = await opened(rail, openingOf(id, { presentation: 'HOSTED' }))
  const shown = rail.opens.present(attempt)
  assert.ok(shown.kind === 'HOSTED' && shown.url.startsWith(`${acquirer.apiUrl}/c/pay/cs_test_`))
  assert.equal(attempt.artifacts['presentation'], 'HOSTED')
  const [session] = await sessionsOf(attempt.id)
  assert.deepEqual(
    [session?.['success_url'], session?.['cancel_url']],
    ['http://localhost:4001/c/token', 'http://localhost:4001/c/token'],
  )
  const other = await shopAt(acquirer, t, { settings: { presentation: 'hosted' } })
  const hosted = await opened(other.rail, openingOf(other.id))
  assert.equal(other.rail.opens.present(hosted).kind, 'HOSTED')
})

test('a session ends with its payment, but within the provider’s limits', async (t) => {
  const { rail, id } = await shopAt(acquirer, t)
  const endOf = async (leftMs: number) => {
    const expiresAt = addMs(systemClock.now(), leftMs)
    const { artifacts } = await opened(rail, openingOf(id, { expiresAt }))
    const at = must(parseInstant(String(artifacts['expiresAt'])), 'an instant').getTime()
    return { at, apart: at - expiresAt.getTime(), left: at - systemClock.now().getTime() }
  }
  assert.ok(Math.abs((await endOf(3 * hourMs)).apart) <= 1_000)
  const short = await endOf(minuteMs)
  assert.ok(short.left >= 30 * minuteMs && short.left < 42 * minuteMs)
  const long = await endOf(48 * hourMs)
  assert.ok(long.left <= 24 * hourMs && long.left > 23 * hourMs)
  const past = await endOf(-hourMs)
  assert.ok(past.left >= 30 * minuteMs)
})

test('opening again returns the same session, even if the first answer was lost', async (t) => {
  const { rail, id } = await shopAt(acquirer, t)
  const opening = openingOf(id)
  const first = await opened(rail, opening)
  assert.deepEqual((await opened(rail, opening)).artifacts, first.artifacts)
  for (const mode of ['reset_after_commit', '5xx']) {
    const cut = openingOf(id)
    await acquirer.control('faults', { mode, times: 1 })
    await assert.rejects(open(rail, cut), { name: /Error$/, outcome: 'unknown' })
    const again = await opened(rail, cut)
    const kept = await sessionsOf(cut.id)
    assert.deepEqual(
      kept.map((each) => each['id']),
      [again.artifacts['sessionId']],
      mode,
    )
  }
})

test('a session whose answer was lost is found ten minutes later; an expired one is not', async (t) => {
  const clock = testClock(systemClock.now())
  const { rail, id, connection } = await shopAt(acquirer, t, { clock })
  // The session must end after its payment, so its end is computed from the time of the call. The later call has other parameters
  // than the first.
  const short = () => openingOf(id, { expiresAt: addMs(clock.now(), 20 * minuteMs) })
  const lost = async () => {
    const opening = short()
    await acquirer.control('faults', { mode: 'reset_after_commit', times: 1 })
    await assert.rejects(open(rail, opening), { outcome: 'unknown' })
    const [session] = await sessionsOf(opening.id)
    return { opening, session: String(session?.['id']) }
  }
  const [kept, ended] = [await lost(), await lost()]
  const client = createCardClient({
    apiUrl: acquirer.apiUrl,
    secretKey: String(connection.secrets['secretKey']),
  })
  t.after(() => client.close())
  await client.expireSession(ended.session)
  clock.advance(10 * minuteMs)
  assert.equal((await opened(rail, kept.opening)).artifacts['sessionId'], kept.session)
  assert.equal((await sessionsOf(kept.opening.id)).length, 1)
  const reopened = await opened(rail, ended.opening)
  assert.notEqual(reopened.artifacts['sessionId'], ended.session)
  assert.equal(rail.opens.present(reopened).kind, 'FRAME')
  assert.deepEqual(
    (await sessionsOf(ended.opening.id)).map(({ status }) => status),
    ['expired', 'open'],
  )
})

test('concurrent openings of one attempt get one session', async (t) => {
  const { rail, id } = await shopAt(acquirer, t)
  const opening = openingOf(id)
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => opened(rail, opening)))
  const names = results.flatMap((each) =>
    each.status === 'fulfilled' ? [each.value.artifacts['sessionId']] : [],
  )
  assert.equal(new Set(names).size, 1)
  assert.equal((await sessionsOf(opening.id)).length, 1)
})

test('without an answer the opening is unknown, and the same call again finds the session', async (t) => {
  const { rail, id } = await shopAt(acquirer, t, { totalMs: 300 })
  const opening = openingOf(id)
  await acquirer.control('faults', { mode: 'timeout', times: 1 })
  await assert.rejects(open(rail, opening), { outcome: 'unknown' })
  await opened(rail, opening)
  assert.equal((await sessionsOf(opening.id)).length, 1)
})

test('a payment that the provider will never accept is refused in our words, with the provider’s beside them', async (t) => {
  const { rail, id } = await shopAt(acquirer, t)
  for (const [minor, currency, code, message, said] of [
    [10n, 'EUR', 'amount_too_small', /so small an amount/, /at least 50/],
    [2_500n, 'USDT', 'refused_by_provider', /does not take this payment/, /Invalid currency: usdt/],
  ] as const) {
    const answer = await open(rail, openingOf(id, { amount: { minor, currency } }))
    assert.ok(!answer.ok)
    assert.equal(answer.code, code)
    assert.match(answer.message, message)
    assert.match(answer.said ?? '', said)
    assert.doesNotMatch(answer.message, /HTTP|checkout|session/i)
  }
  // An address that the provider refuses does not lose the payment.
  const odd = await opened(rail, openingOf(id, { customerEmail: 'ana@exa..mple.com' }))
  const [session] = await sessionsOf(odd.id)
  assert.equal(session?.['customer_email'], null)
  // Nor do several refused fields.
  let left: URLSearchParams | undefined
  const strict = await railAtProvider(t, ({ form }) => {
    const param = ['customer_email', 'custom_text[submit][message]'].find((field) => form.has(field))
    left = form
    return { status: 400, body: { error: { type: 'invalid_request_error', param: param ?? 'mode' } } }
  })
  const details = { customerEmail: 'ana@example.com', customerName: 'Ana' }
  assert.equal((await open(strict.rail, openingOf(strict.id, details))).ok, false)
  assert.equal(strict.calls.length, 3)
  assert.equal(left?.has('client_reference_id'), true)
})

test('an amount beyond the provider’s published limits is refused without a call', async (t) => {
  const { rail } = await shopAt(acquirer, t)
  const routing = (amountMinor: bigint, currency?: string) =>
    rail.route({ mode: 'SANDBOX', merchantId, amountMinor, ...given({ currency }) })
  for (const minor of [50n, 99_999_999n]) assert.equal(routing(minor, 'EUR').ok, true)
  assert.deepEqual(routing(49n, 'EUR'), {
    ok: false,
    code: 'limit_exceeded',
    detail: 'CREDIT_CARD takes from 0.50 to 999999.99 EUR, not 0.49.',
    pointer: '/amount',
    fault: { code: 'too_small', message: 'is at least 50 for CREDIT_CARD in EUR' },
  })
  const above = routing(10_000_000_000n)
  assert.deepEqual(!above.ok && above.fault?.code, 'too_large')
})

test('a card is paid, and the check, the list and the callback report the same', async (t) => {
  const shop = await shopAt(acquirer, t)
  const { attempt, paymentIntent } = await shop.paid()
  const checked = await check(shop.rail, attempt)
  assert.equal(checked.isOver, true)
  const reports = [['paid', attempt.id, paymentIntent, 1990n]]
  assert.deepEqual(checked.receipts.map(brief), reports)
  assert.deepEqual(checked.receipts[0]?.means, { brand: 'visa', last4: '4242' })
  assert.deepEqual((await shop.listed()).map(brief), reports)
  const events = (await shop.has('events')).filter((each) => JSON.stringify(each).includes(paymentIntent))
  const types = ['checkout.session.completed', 'payment_intent.succeeded', 'charge.succeeded']
  for (const type of types) {
    const event = must(
      events.find((each) => each['type'] === type),
      type,
    )
    assert.deepEqual((await shop.read(event)).map(brief), reports, type)
  }
  const [receipt] = await shop.read(events.find((each) => each['type'] === 'payment_intent.succeeded'))
  assert.equal((JSON.parse(must(receipt, 'one').evidence.toString()) as { id: string }).id, paymentIntent)
})

test('a callback is only a hint: its claims do not count', async (t) => {
  const shop = await shopAt(acquirer, t)
  const attempt = await opened(shop.rail, openingOf(shop.id))
  const { paymentIntent } = await shop.pay(attempt, 'decline')
  const claim = (object: object, type = 'payment_intent.succeeded') => ({
    id: 'evt_1',
    object: 'event',
    type,
    data: { object },
  })
  const lie = claim({
    id: paymentIntent,
    object: 'payment_intent',
    status: 'succeeded',
    amount_received: 1990,
  })
  assert.deepEqual(outcomes(await shop.read(lie)), ['declined'])
  for (const odd of [
    claim({ id: 'pi_nobodys', object: 'payment_intent' }),
    claim({ id: '../accounts', object: 'payment_intent' }),
    claim({ id: 'cus_1', object: 'customer' }, 'customer.created'),
    { hello: 'world' },
    'nothing',
  ])
    assert.deepEqual(await shop.read(odd), [])
})

test("another merchant's payment cannot be read with this one's key", async (t) => {
  const [one, other] = [await shopAt(acquirer, t), await shopAt(acquirer, t)]
  const { paymentIntent } = await one.paid()
  const object = { id: paymentIntent, object: 'payment_intent' }
  assert.deepEqual(
    await other.read({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object } }),
    [],
  )
  assert.deepEqual(await other.listed(), [])
})

test('after a decline the same page can be paid, and each try has its own name', async (t) => {
  const shop = await shopAt(acquirer, t)
  const attempt = await opened(shop.rail, openingOf(shop.id))
  await shop.pay(attempt, 'insufficient_funds')
  const first = await check(shop.rail, attempt)
  assert.deepEqual([outcomes(first.receipts), first.isOver], [['declined'], false])
  assert.equal(first.receipts[0]?.failure?.code, 'insufficient_funds')
  assert.match(first.receipts[0]?.providerRef ?? '', /^ch_/)
  await shop.pay(attempt, 'decline')
  const second = await check(shop.rail, attempt)
  assert.equal(second.receipts[0]?.failure?.code, 'card_declined')
  assert.notEqual(second.receipts[0]?.providerRef, first.receipts[0]?.providerRef)
  await shop.pay(attempt, 'success')
  const last = await check(shop.rail, attempt)
  assert.deepEqual([outcomes(last.receipts), last.isOver], [['paid'], true])
})

test('passed 3-D Secure is shown, and refused 3-D Secure is a decline', async (t) => {
  const shop = await shopAt(acquirer, t)
  const attempt = await opened(shop.rail, openingOf(shop.id))
  await shop.pay(attempt, 'challenge', { challenge: 'leave' })
  assert.deepEqual(await check(shop.rail, attempt), { receipts: [], isOver: false })
  await acquirer.control('pay', { session: attempt.artifacts['sessionId'], challenge: 'fail' })
  const failed = await check(shop.rail, attempt)
  assert.deepEqual(
    failed.receipts.map(({ failure }) => failure?.code),
    ['authentication_failed'],
  )
  await shop.pay(attempt, 'challenge', { challenge: 'pass' })
  const { receipts } = await check(shop.rail, attempt)
  assert.deepEqual(receipts[0]?.means, { brand: 'visa', last4: '3184', threeDSecure: 'AUTHENTICATED' })
  const shown = shop.rail.record.show(
    [{ id: attempt.id, paidRefs: [], means: must(receipts[0]?.means, 'means') }],
    'brief',
  )
  assert.deepEqual(shown, { card: { brand: 'visa', last4: '3184', threeDSecure: 'AUTHENTICATED' } })
})

test('a canceled or expired session accepts no card any more', async (t) => {
  const shop = await shopAt(acquirer, t)
  const attempt = await opened(shop.rail, openingOf(shop.id))
  const close = must(shop.rail.opens.cancel, 'it closes')
  await close(attempt)
  await close(attempt)
  await assert.rejects(shop.pay(attempt, 'success'), /expired/)
  assert.deepEqual(await check(shop.rail, attempt), { receipts: [], isOver: true })
  // A paid payment stays paid.
  const paid = await shop.paid()
  await close(paid.attempt)
  assert.deepEqual(outcomes((await check(shop.rail, paid.attempt)).receipts), ['paid'])
  // An attempt that was never opened has nothing to cancel.
  const { artifacts: _, ...unopened } = attempt
  await close(unopened)
})
