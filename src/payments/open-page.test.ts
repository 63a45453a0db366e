// Opening a payment on its payer's page: one session at its provider, however many tabs and processes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import { openChooseWorld } from '../../test/choose-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import type { Payment } from './payment.ts'

const world = openForTests(openChooseWorld)

const byCard = { amount: 2_500, currency: 'EUR', paymentMethods: ['CREDIT_CARD'] as const }

async function newCardPayment(more: object = {}): Promise<Payment> {
  const { payment } = await world.creator.create(world.line.merchant, newId(), { ...byCard, ...more })
  assert.equal(payment.status, 'WAITING_PAYMENT')
  return payment
}

const openingsOf = ({ id }: Payment) => world.card.openings.filter((each) => each.paymentId === id)

test('a hundred tabs, in two processes, are one attempt and at most one call of each process, with one reference', async () => {
  const payment = await newCardPayment()
  const other = await world.openOther()
  const tabs = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      (n % 2 === 0 ? world.opener : other.opener).openPage(payment, { method: 'CREDIT_CARD' }),
    ),
  )
  const [creation] = await world.attempts(payment)
  for (const { attempt } of tabs) assert.equal(attempt?.id, creation?.id)
  assert.equal(new Set(tabs.map(({ attempt }) => JSON.stringify(attempt?.artifacts))).size, 1)
  assert.ok(openingsOf(payment).length <= 2)
  assert.deepEqual([...new Set(openingsOf(payment).map(({ id }) => id))], [creation?.id])
  assert.equal((await world.attempts(payment)).length, 1)
})

test('a hundred tabs of one process are one call, and none later', async () => {
  const payment = await newCardPayment()
  const release = world.card.hold()
  const tabs = Array.from({ length: 100 }, () => world.opener.openPage(payment, { method: 'CREDIT_CARD' }))
  release()
  await Promise.all(tabs)
  await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  assert.equal(openingsOf(payment).length, 1)
})

test('the provider gets the page, the capture mode, the payer and the expiry', async () => {
  const payment = await newCardPayment({
    captureMode: 'MANUAL',
    customerName: 'Ana',
    customerEmail: 'ana@example.com',
    description: 'A chair',
  })
  await world.opener.openPage(payment, { method: 'CREDIT_CARD', locale: 'pt-BR' })
  const [opening] = openingsOf(payment)
  assert.deepEqual(
    [opening?.pageUrl, opening?.captureMode, opening?.locale, opening?.description, opening?.customerName],
    [payment.page?.url, 'MANUAL', 'pt-BR', 'A chair', 'Ana'],
  )
  assert.deepEqual(
    [opening?.amount, opening?.expiresAt],
    [{ minor: 2_500n, currency: 'EUR' }, payment.expiresAt],
  )
  assert.deepEqual(await world.eventsOf(payment), [])
})

test('the frame and the provider’s own page are two attempts, and both are stored', async () => {
  const payment = await newCardPayment()
  const frame = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  const hosted = await world.opener.openPage(payment, { method: 'CREDIT_CARD', presentation: 'HOSTED' })
  assert.notEqual(hosted.attempt?.id, frame.attempt?.id)
  assert.equal(hosted.attempt?.artifacts['presentation'], 'HOSTED')
  const again = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  const hostedAgain = await world.opener.openPage(payment, { method: 'CREDIT_CARD', presentation: 'HOSTED' })
  assert.deepEqual([again.attempt, hostedAgain.attempt], [frame.attempt, hosted.attempt])
  assert.equal(openingsOf(payment).length, 2)
})

test('after a session is over there is a new attempt, and money of the old one is credited', async () => {
  world.card.behave('answers', 10 * minuteMs)
  const payment = await newCardPayment()
  const first = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  // The lane uses the database's clock, so the stored attempt is made older instead.
  await world.line.owner`
    update attempt set artifacts = jsonb_set(artifacts::jsonb, '{expiresAt}', '"2026-01-01T00:00:00.000Z"')::json
     where id = ${first.attempt?.id ?? ''}`
  const second = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  world.card.behave('answers')
  assert.notEqual(second.attempt?.id, first.attempt?.id)
  assert.equal((await world.attempts(payment)).length, 2)
  await world.line.owner`delete from attempt where id = ${second.attempt?.id ?? ''}`
  await world.pay(payment, 'CREDIT_CARD')
  assert.equal((await world.line.payment(payment.id)).status, 'PAID')
})

test('a provider that is away is 503, and the next try is the same attempt with the same terms', async () => {
  const payment = await newCardPayment()
  world.card.behave('is away')
  await assert.rejects(world.opener.openPage(payment, { method: 'CREDIT_CARD', locale: 'es' }), (error) => {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'provider_unavailable')
    assert.ok(error.retryAfterMs !== undefined)
    return true
  })
  world.card.behave('answers')
  const { attempt } = await world.opener.openPage(payment, { method: 'CREDIT_CARD', locale: 'en' })
  const [first, second, ...more] = openingsOf(payment)
  assert.deepEqual([second, more], [first, []])
  assert.equal(attempt?.id, first?.id)
  assert.equal((await world.attempts(payment)).length, 1)
})

test('a refusal of the only method makes the payment FAILED, with a reason in our words and an event', async () => {
  const payment = await newCardPayment()
  world.card.behave('refuses')
  const refused = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  world.card.behave('answers')
  assert.equal(refused.attempt, undefined)
  assert.deepEqual(
    [refused.payment.status, refused.payment.lastError?.code],
    ['FAILED', 'refused_by_provider'],
  )
  const [event, ...more] = await world.eventsOf(payment)
  assert.deepEqual([event?.type, event?.data['status'], more], ['payment.failed', 'FAILED', []])
  const shown = await world.shown(payment)
  assert.deepEqual(event?.data, shown)
  assert.doesNotMatch(JSON.stringify([shown, event]), /wörtlich/)
  const [kept] = await world.line.sql<{ refusal: { said: string } }[]>`
    select refusal from attempt where payment_id = ${payment.id}`
  assert.equal(kept?.refusal.said, 'wörtlich: No.')
  assert.equal((await world.opener.openPage(payment, { method: 'CREDIT_CARD' })).attempt, undefined)
  assert.equal(openingsOf(payment).length, 1)
  // Money that comes nevertheless is credited.
  await world.pay(payment, 'CREDIT_CARD')
  assert.equal((await world.line.payment(payment.id)).status, 'PAID')
})

test('a refusal of the provider’s own page leaves the frame that was opened, and the payment waits for it', async () => {
  const payment = await newCardPayment()
  const frame = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  world.card.behave('refuses')
  const hosted = await world.opener.openPage(payment, { method: 'CREDIT_CARD', presentation: 'HOSTED' })
  world.card.behave('answers')
  assert.deepEqual([hosted.attempt, hosted.payment.status], [undefined, 'WAITING_PAYMENT'])
  const again = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  assert.deepEqual(again.attempt, frame.attempt)
  assert.deepEqual(await world.eventsOf(payment), [])
})

test('a payment that is over, or has another method, is never opened', async () => {
  const [canceled, paid, expired, mistaken] = await Promise.all([
    newCardPayment(),
    newCardPayment(),
    newCardPayment(),
    newCardPayment(),
  ])
  await world.line.close(canceled, 'canceled')
  await world.line.close(expired, 'expired', { early: true })
  await world.pay(paid, 'CREDIT_CARD')
  for (const payment of [canceled, paid, expired]) {
    const { attempt, payment: now } = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
    assert.equal(attempt, undefined)
    assert.notEqual(now.status, 'WAITING_PAYMENT')
    assert.deepEqual(openingsOf(payment), [])
  }
  assert.deepEqual(await world.opener.openPage(mistaken, { method: 'PIX' }), { payment: mistaken })
  await assert.rejects(world.opener.openPage(mistaken, { method: 'PARTNER_PAY' }), {
    code: 'method_not_available',
  })
})

test('a payment that ends while its provider opens it keeps the artifacts', async () => {
  const payment = await newCardPayment()
  const release = world.card.hold()
  const opening = world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  while (openingsOf(payment).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await world.line.close(payment, 'canceled')
  release()
  const { payment: after } = await opening
  assert.equal(after.status, 'CANCELED')
  const [closing] = await world.line
    .sql`select from attempt_closing join attempt on id = attempt_id where payment_id = ${payment.id}`
  assert.ok(closing !== undefined)
})

test('without a connection that accepts it a method is not available', async () => {
  const { payment } = await world.creator.create(world.line.merchant, newId(), {
    amount: 800,
    currency: 'USDT',
    paymentMethods: ['PARTNER_PAY'],
    expiresIn: hourMs / 1_000,
  })
  await world.line
    .owner`update attempt set refusal = '{"code":"x","message":"x","at":"2026-01-01T00:00:00.000Z"}' where payment_id = ${payment.id}`
  world.partner.isConnected = false
  await assert.rejects(world.opener.openPage(payment, { method: 'PARTNER_PAY' }), {
    code: 'method_not_available',
  })
  world.partner.isConnected = true
  assert.ok((await world.opener.openPage(payment, { method: 'PARTNER_PAY' })).attempt !== undefined)
})

test('reloading a page makes a limited number of attempts', async () => {
  const payment = await newCardPayment()
  const { attempt } = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  // All of them are over, so that each view of the page needs another one.
  await world.line.owner`
    update attempt set artifacts = jsonb_set(artifacts::jsonb, '{expiresAt}', '"2026-01-01T00:00:00.000Z"')::json
     where id = ${attempt?.id ?? ''}`
  await world.line.owner`
    insert into attempt (merchant_id, id, payment_id, method, connection, amount_minor, currency, created_at, artifacts)
    select merchant_id, gen_random_uuid(), payment_id, method, connection, amount_minor, currency, created_at, artifacts
      from attempt, generate_series(2, 50) where payment_id = ${payment.id}`
  const again = await world.opener.openPage(payment, { method: 'CREDIT_CARD' })
  assert.equal(again.attempt, undefined)
  assert.equal((await world.attempts(payment)).length, 50)
})
