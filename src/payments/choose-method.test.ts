// The payer of a checkout chooses a method, changes it, and pays, possibly by an earlier one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import { newId } from '#/kernel/id.ts'
import { addMs, hourMs, secondMs } from '#/kernel/time.ts'
import { insertStep, moveDates } from '#/sandbox/clock/step-queries.ts'
import { checkTemplate } from '#/templates/check.ts'
import { setTemplate } from '#/templates/record.ts'
import { openChooseWorld } from '../../test/choose-world.ts'
import { cent } from '../../test/line.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { createChooser, type PayerChoice } from './choose-method.ts'
import { endKind, expireDue } from './end.ts'
import type { Payment } from './payment.ts'

const world = openForTests(openChooseWorld)
const chooser = makeForTests(() => createChooser(world))

async function newCheckout(more: object = {}): Promise<Payment> {
  const request = { amount: 1_000, currency: 'BRL', checkout: 'default', ...more }
  const { payment } = await world.creator.create(world.line.merchant, newId(), request)
  assert.deepEqual([payment.status, payment.method], ['PENDING', undefined])
  return payment
}

const choose = async (payment: Payment, method: PayerChoice['method'], more: Partial<PayerChoice> = {}) =>
  chooser.choose(await world.line.payment(payment.id), { method, ...more })

const typesNotified = async (payment: Payment) => (await world.eventsOf(payment)).map(({ type }) => type)
const methodsTried = async (payment: Payment) => (await world.attempts(payment)).map(({ method }) => method)

/** Makes a template for one test. Returns its slug. */
async function template(more: object): Promise<string> {
  const checked = checkTemplate({ name: 'x', ...more }, 'SANDBOX')
  assert.ok(checked.ok, JSON.stringify(checked))
  const slug = `t${newId()}`
  await setTemplate(
    { sql: world.line.sql, clock: world.line.clock },
    { merchantId: world.line.merchant.id, slug },
    checked,
  )
  await world.templates.refresh()
  return slug
}

test('a choice opens the method, and the payment waits for its money, with one event', async () => {
  const cases = [
    { method: 'PIX', currency: 'BRL' },
    { method: 'CREDIT_CARD', currency: 'EUR' },
    { method: 'PARTNER_PAY', currency: 'USDT' },
    { method: 'CRYPTO', currency: 'USDT' },
  ] as const
  for (const { method, currency } of cases) {
    const pending = await newCheckout({ currency })
    const { payment, attempt } = await choose(pending, method)
    assert.deepEqual([payment.status, payment.method, attempt?.method], ['WAITING_PAYMENT', method, method])
    assert.deepEqual(await methodsTried(pending), [method])
    const [event, ...more] = await world.eventsOf(pending)
    assert.deepEqual(
      [event?.type, event?.data['status'], event?.data['paymentMethod'], more],
      ['payment.waiting', 'WAITING_PAYMENT', method, []],
    )
    assert.equal(event?.data['checkoutUrl'], pending.page?.url)
    const again = await choose(pending, method)
    assert.deepEqual(again.attempt, attempt)
    assert.deepEqual(await typesNotified(pending), ['payment.waiting'])
  }
})

test('crypto fields show once CRYPTO is chosen, in its event too; PIX artifacts never show', async () => {
  const usdt = await newCheckout({ currency: 'USDT' })
  assert.ok(!('cryptoAddress' in (await world.shown(usdt))))
  await choose(usdt, 'CRYPTO')
  const shown = await world.shown(usdt)
  assert.match(String(shown['cryptoAddress']), /^0x[0-9a-fA-F]{40}$/)
  assert.equal(shown['cryptoAmount'], (1_000n * cent).toString())
  const [event] = await world.eventsOf(usdt)
  assert.equal(event?.data['cryptoAddress'], shown['cryptoAddress'])

  const brl = await newCheckout()
  const { attempt } = await choose(brl, 'PIX')
  assert.ok(String(attempt?.artifacts['copyPaste']).startsWith('000201'))
  const fields = Object.keys(await world.shown(brl))
  assert.ok(
    fields.includes('checkoutUrl') && !fields.includes('pixCopyPaste') && !fields.includes('pixQrCode'),
  )
})

test('a replay of the creation shows no artifacts of the chosen method either', async () => {
  const key = newId()
  const request = { amount: 1_000, currency: 'BRL', checkout: 'default' }
  const { payment } = await world.creator.create(world.line.merchant, key, request)
  await choose(payment, 'PIX')
  const again = await world.creator.create(world.line.merchant, key, request)
  assert.deepEqual(
    [again.replayed, again.payment.page, again.payment.status, again.fields],
    [true, payment.page, 'WAITING_PAYMENT', {}],
  )
})

test('the payer may change to another method and back: each is one attempt, and the first event is the only one', async () => {
  const payment = await newCheckout({ currency: 'USDT' })
  const first = await choose(payment, 'CRYPTO')
  const second = await choose(payment, 'PARTNER_PAY')
  const back = await choose(payment, 'CRYPTO')
  assert.equal(second.payment.method, 'PARTNER_PAY')
  assert.equal(back.payment.method, 'CRYPTO')
  assert.deepEqual(back.attempt, first.attempt)
  assert.deepEqual(await methodsTried(payment), ['CRYPTO', 'PARTNER_PAY'])
  assert.deepEqual(await typesNotified(payment), ['payment.waiting'])
  assert.ok(back.payment.version > second.payment.version)
})

test('money that comes by an earlier method is credited and completes the payment', async () => {
  const payment = await newCheckout({ currency: 'USDT' })
  await choose(payment, 'CRYPTO')
  const { payment: changed } = await choose(payment, 'PARTNER_PAY')
  assert.equal(changed.method, 'PARTNER_PAY')
  await world.line.mine([{ to: await world.line.addressOf(payment), units: 1_000n * cent }])
  await world.line.finalize()
  await world.line.settleAll()
  const paid = await world.line.payment(payment.id)
  assert.deepEqual([paid.status, paid.receivedMinor, paid.method], ['PAID', 1_000n, 'CRYPTO'])
  const events = await world.eventsOf(payment)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data['paymentMethod'], 'cryptoAddress' in data]),
    [
      ['payment.waiting', 'CRYPTO', true],
      ['payment.completed', 'CRYPTO', true],
    ],
  )

  const brl = await newCheckout()
  await choose(brl, 'PIX')
  await choose(brl, 'CREDIT_CARD')
  await world.pay(brl, 'PIX')
  const byPix = await world.line.payment(brl.id)
  assert.deepEqual([byPix.status, byPix.method], ['PAID', 'PIX'])
})

test('with money on its way, or after a part, the method cannot be changed', async () => {
  const payment = await newCheckout({ currency: 'USDT' })
  await choose(payment, 'CRYPTO')
  await world.line.mine([{ to: await world.line.addressOf(payment), units: 400n * cent }])
  await world.line.settleAll()
  const { payment: after, attempt } = await choose(payment, 'PARTNER_PAY')
  assert.deepEqual([after.method, attempt], ['CRYPTO', undefined])
  assert.ok((await choose(payment, 'CRYPTO')).attempt !== undefined)
})

test('a payment that is over accepts no choice', async () => {
  const canceled = await newCheckout()
  await world.line.close(canceled, 'canceled')
  assert.deepEqual((await choose(canceled, 'PIX')).attempt, undefined)
  const paid = await newCheckout()
  await choose(paid, 'PIX')
  await world.pay(paid, 'PIX')
  assert.equal((await choose(paid, 'CREDIT_CARD')).attempt, undefined)
  assert.deepEqual(await methodsTried(canceled), [])
  assert.deepEqual(await methodsTried(paid), ['PIX'])
})

test('only methods that the creation resolved can be chosen, and only for a checkout', async () => {
  const payment = await newCheckout()
  await assert.rejects(choose(payment, 'CRYPTO'), { code: 'method_not_available' })
  const direct = await world.creator.create(world.line.merchant, newId(), {
    amount: 500,
    currency: 'EUR',
    paymentMethods: ['CREDIT_CARD'],
  })
  await assert.rejects(choose(direct.payment, 'CREDIT_CARD'), { code: 'invalid_state' })
  world.pix.isConnected = false
  await assert.rejects(choose(payment, 'PIX'), { code: 'method_not_available' })
  world.pix.isConnected = true
})

test('a provider that is away leaves the earlier choice, and the next try is the same attempt', async () => {
  const payment = await newCheckout()
  world.pix.behave('is away')
  await assert.rejects(choose(payment, 'PIX'), { code: 'provider_unavailable' })
  assert.deepEqual(
    [(await world.line.payment(payment.id)).status, await typesNotified(payment)],
    ['PENDING', []],
  )
  const { payment: byCard } = await choose(payment, 'CREDIT_CARD')
  assert.equal(byCard.method, 'CREDIT_CARD')
  await assert.rejects(choose(payment, 'PIX'), { code: 'provider_unavailable' })
  assert.equal((await world.line.payment(payment.id)).method, 'CREDIT_CARD')
  world.pix.behave('answers')
  assert.equal((await choose(payment, 'PIX')).payment.method, 'PIX')
  assert.deepEqual(await methodsTried(payment), ['PIX', 'CREDIT_CARD'])
})

test('after a refusal the payer can choose another method, or try again with other data', async () => {
  const slug = await template({ fields: { taxId: 'optional' } })
  const { payment } = await world.creator.create(world.line.merchant, newId(), {
    amount: 700,
    currency: 'BRL',
    checkout: slug,
  })
  world.pix.behave('refuses the payer')
  const refused = await choose(payment, 'PIX', { customer: { taxId: '11144477735' } })
  world.pix.behave('answers')
  assert.deepEqual(
    [refused.attempt, refused.payment.status, refused.payment.lastError?.code],
    [undefined, 'PENDING', 'payer_refused'],
  )
  assert.equal((await choose(payment, 'PIX')).attempt, undefined)
  const { attempt } = await choose(payment, 'PIX', { customer: { taxId: '52998224725' } })
  assert.ok(attempt !== undefined)
  assert.equal(world.pix.openings.at(-1)?.customerTaxId, '52998224725')
})

test('a checkout is FAILED when the last of its methods is refused, but not if other data of the payer may help', async () => {
  const payment = await newCheckout()
  world.card.behave('refuses')
  world.pix.behave('refuses the payer')
  const first = await choose(payment, 'CREDIT_CARD')
  assert.deepEqual([first.payment.status, first.payment.lastError?.code], ['PENDING', 'refused_by_provider'])
  const second = await choose(payment, 'PIX', { customer: { name: 'Ana' } })
  assert.deepEqual([second.payment.status, second.payment.lastError?.code], ['PENDING', 'payer_refused'])
  assert.deepEqual(await typesNotified(payment), [])
  world.pix.behave('refuses')
  // A refused request is not repeated at once.
  await world.line.owner`
    update attempt set refusal = jsonb_set(refusal::jsonb, '{at}', '"2026-01-01T00:00:00.000Z"')::json
     where payment_id = ${payment.id}`
  const last = await choose(payment, 'PIX')
  world.card.behave('answers')
  world.pix.behave('answers')
  assert.deepEqual([last.attempt, last.payment.status], [undefined, 'FAILED'])
  assert.deepEqual(await typesNotified(payment), ['payment.failed'])
  assert.equal((await choose(payment, 'CREDIT_CARD')).payment.status, 'FAILED')
})

test('after a refusal of one method the payment keeps another one that was opened', async () => {
  const payment = await newCheckout()
  await choose(payment, 'PIX')
  world.card.behave('refuses')
  const refused = await choose(payment, 'CREDIT_CARD')
  world.card.behave('answers')
  assert.deepEqual(
    [refused.attempt, refused.payment.status, refused.payment.method],
    [undefined, 'WAITING_PAYMENT', 'PIX'],
  )
  assert.deepEqual(await typesNotified(payment), ['payment.waiting'])
})

test('a slow provider does not replace a later choice', async () => {
  const payment = await newCheckout()
  const release = world.card.hold()
  const slow = choose(payment, 'CREDIT_CARD')
  while (!world.card.openings.some((each) => each.paymentId === payment.id))
    await new Promise((resolve) => setTimeout(resolve, 5))
  await choose(payment, 'PIX')
  release()
  const { attempt } = await slow
  assert.ok(attempt !== undefined)
  assert.equal((await world.line.payment(payment.id)).method, 'PIX')
})

test('a hundred concurrent choices are one attempt and one call', async () => {
  const payment = await newCheckout()
  const before = world.pix.openings.length
  const all = await Promise.all(Array.from({ length: 100 }, () => choose(payment, 'PIX')))
  assert.equal(new Set(all.map(({ attempt }) => attempt?.id)).size, 1)
  assert.equal(world.pix.openings.length, before + 1)
  assert.deepEqual(await typesNotified(payment), ['payment.waiting'])
})

test('the expiry of a method counts from its choice, and is never after the payment’s', async () => {
  const { clock } = world.line
  const payment = await newCheckout({ currency: 'USDT' })
  assert.equal(payment.expiresAt?.getTime(), payment.createdAt.getTime() + 24 * hourMs)
  const { payment: partner } = await choose(payment, 'PARTNER_PAY')
  const [{ now } = { now: clock.now() }] = await world.line.sql<{ now: Date }[]>`select now()`
  const leftMs = Number(partner.expiresAt) - now.getTime()
  assert.ok(leftMs > 0 && leftMs <= hourMs, `${leftMs}`)
  const { payment: crypto } = await choose(payment, 'CRYPTO')
  assert.deepEqual(crypto.expiresAt, payment.expiresAt)
})

test('a checkout whose sandbox’s clock was moved ends as much earlier, whatever its payer chooses then', async () => {
  const pending = await newCheckout({ expiresIn: 10 * 3_600 })
  const before = await choose(pending, 'PIX')
  const { sql, merchant } = world.line
  await sql.begin(async (tx) => {
    const [last] = await tx<{ at: Date }[]>`select max(created_at) as at from attempt`
    const step = { at: addMs(must(last, 'an attempt').at, 1), byMs: 2 * hourMs }
    await moveDates(tx, merchant.id, step)
    await insertStep(tx, { merchantId: merchant.id, advanceId: newId(), ...step })
  })
  const end = Number(before.payment.expiresAt) - 2 * hourMs
  assert.equal(Number((await world.line.payment(pending.id)).expiresAt), end)
  for (const method of ['CREDIT_CARD', 'PIX'] as const) {
    const { payment } = await choose(pending, method)
    assert.deepEqual([payment.method, Number(payment.expiresAt)], [method, end])
  }
  assert.deepEqual(await methodsTried(pending), ['PIX', 'CREDIT_CARD'])
})

/** The time of the payment's method is over: its provider is asked and knows of no money. */
async function letMethodExpire({ id }: Payment): Promise<void> {
  const { sql, lane } = world.line
  const before = addMs(await readNow(sql), -secondMs)
  await sql`update payment set expires_at = ${before} where id = ${id}`
  await sql`
    update attempt set asked = json_build_object('expiresAt', ${before.toISOString()}::text) where payment_id = ${id}`
  await sql`update attempt_check set checked_at = now()`
  await expireDue({ sql, lane, kind: endKind(world.rails) })
}

test('when the time of a method is over before its checkout’s, the payer chooses again until the checkout’s own end', async () => {
  const pending = await newCheckout({ currency: 'USDT' })
  await choose(pending, 'PARTNER_PAY')
  await letMethodExpire(pending)
  const over = await world.line.payment(pending.id)
  assert.deepEqual(
    [over.status, over.method, over.lastError?.code, over.lastError?.method],
    ['WAITING_PAYMENT', undefined, 'method_expired', 'PARTNER_PAY'],
  )
  const { payment: again } = await choose(pending, 'PARTNER_PAY')
  assert.equal(again.method, 'PARTNER_PAY')
  assert.ok(Number(over.expiresAt) - Number(again.expiresAt) > 12 * hourMs, 'the rest of a day')
  assert.deepEqual(await methodsTried(pending), ['PARTNER_PAY', 'PARTNER_PAY'])
  const { payment: other } = await choose(pending, 'CRYPTO')
  assert.equal(Number(other.expiresAt), Number(over.expiresAt))
  assert.deepEqual(await typesNotified(pending), ['payment.waiting'])
})

test('money that comes by a method whose time is over is credited and completes the payment, which is not LATE', async () => {
  const pending = await newCheckout({ currency: 'USDT' })
  await choose(pending, 'PARTNER_PAY')
  await letMethodExpire(pending)
  await world.pay(pending, 'PARTNER_PAY')
  const { status, method, receivedMinor, exceptions } = await world.line.payment(pending.id)
  assert.deepEqual([status, method, receivedMinor, exceptions], ['PAID', 'PARTNER_PAY', 1_000n, []])
})

test('without another method the checkout ends with the time of its method', async () => {
  const pending = await newCheckout({ currency: 'USDT', paymentMethods: ['PARTNER_PAY'] })
  await choose(pending, 'PARTNER_PAY')
  await letMethodExpire(pending)
  assert.equal((await world.line.payment(pending.id)).status, 'EXPIRED')
})

test('the payer’s data is stored as the template asks, and shown and in events where the merchant gave none', async () => {
  const slug = await template({
    fields: { name: 'required', email: 'optional', phone: 'optional' },
    address: 'shipping',
  })
  const { payment } = await world.creator.create(world.line.merchant, newId(), {
    amount: 900,
    currency: 'BRL',
    checkout: slug,
    customerEmail: 'ana@example.com',
  })
  await assert.rejects(choose(payment, 'PIX'), (error: { code: string; faults: { pointer: string }[] }) => {
    assert.equal(error.code, 'invalid_request')
    assert.deepEqual(
      error.faults.map(({ pointer }) => pointer),
      ['/customer/name', '/customer/address'],
    )
    return true
  })
  await assert.rejects(choose(payment, 'PIX', { customer: { name: 'a\0' } }), { code: 'invalid_request' })
  const address = { line1: 'Rua A, 1', city: 'Recife', country: 'BR' }
  const customer = { name: '<b>Ana</b>', email: 'other@example.com', taxId: '52998224725', address }
  await choose(payment, 'PIX', { customer })
  const shown = await world.shown(payment)
  assert.deepEqual(
    [shown['customerName'], shown['customerEmail'], 'customerTaxId' in shown],
    ['<b>Ana</b>', 'ana@example.com', false],
  )
  const kept = await world.line.payment(payment.id)
  assert.deepEqual(kept.payer, { name: '<b>Ana</b>', email: 'other@example.com', address })
  assert.equal(world.pix.openings.at(-1)?.customerName, '<b>Ana</b>')
  const [event] = await world.eventsOf(payment)
  assert.equal(event?.data['customerName'], '<b>Ana</b>')
  // Changing the method needs no data again.
  assert.ok((await choose(payment, 'CREDIT_CARD')).attempt !== undefined)
})

test('the audit finds only the artifacts of the test’s own rails', async () => {
  const { faults } = await world.line.verify()
  assert.deepEqual(
    faults.filter(({ what }) => !what.includes('keeps what nobody gives')),
    [],
  )
})
