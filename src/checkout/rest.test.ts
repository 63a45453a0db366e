// A payer who paid a part by Pix: the page offers a charge for the rest, and the button opens it once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs, hourMs } from '#/kernel/time.ts'
import { selectTried } from '#/payments/attempt-queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { openCheckoutWorld, type CheckoutWorld } from '../../test/checkout-world.ts'
import { plain } from '../../test/payer-page.ts'
import type { PageState } from './page-state.ts'

/** A checkout by PIX whose charge was paid with 8.00 of 10.00. */
async function underpaid(world: CheckoutWorld): Promise<Payment> {
  const payment = await world.newPayment({
    status: 'PENDING',
    methods: ['PIX', 'CREDIT_CARD'],
    request: { amount: 1_000, checkout: 'default' },
    isUnchosen: true,
  })
  assert.equal((await world.post(`${world.path(payment)}/choose`, { method: 'PIX' })).status, 303)
  return world.change(payment, { receivedMinor: 800n, exceptions: ['UNDERPAID'], receipts: 1 })
}

const press = (world: CheckoutWorld, payment: Payment, headers = {}) =>
  world.post(`${world.path(payment)}/rest`, {}, headers)

/** The amounts that were requested of the provider. */
const requested = ({ providers }: CheckoutWorld) => providers.openings.map(({ amount }) => amount.minor)

async function answered(response: Response): Promise<PageState> {
  const [, json = ''] = /id="state">(.*?)<\/script>/s.exec(await response.text()) ?? []
  return JSON.parse(json) as PageState
}

test('the page says what came and what is missing, offers a code for it, and a press shows that code', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  const offered = await world.state(payment, '/pt-BR')
  assert.deepEqual(
    [offered.step, offered.panel, offered.methods, offered.receipt],
    ['underpaid', undefined, [], []],
  )
  assert.match(
    plain(offered.message),
    /^Recebemos R\$ 8,00 de 10,00\. Gere um novo Pix com os R\$ 2,00 que faltam e pague até /,
  )
  assert.deepEqual(
    [plain(offered.rest?.label ?? ''), offered.rest?.url],
    ['Gerar Pix de R$ 2,00', `${world.path(payment)}/rest`],
  )
  assert.equal(offered.expires?.at, payment.expiresAt?.toISOString())

  const pressed = await press(world, payment)
  assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, world.path(payment)])
  const open = await world.state(payment, '/pt-BR')
  assert.ok(open.panel?.method === 'PIX' && open.rest === undefined)
  assert.equal(plain(open.panel.amount?.text ?? ''), 'R$ 2,00')
  assert.match(plain(open.message), /Este novo código é para os R\$ 2,00 que faltam\./)
  assert.ok(open.version > offered.version)
  assert.deepEqual(requested(world), [1_000n, 200n])
})

test('in every language the message names both amounts, and the button the missing one', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  for (const [locale, received, missing] of [
    ['pt-BR', 'R$ 8,00', 'R$ 2,00'],
    ['en', 'R$8.00', 'R$2.00'],
    ['es', 'R$ 8,00', 'R$ 2,00'],
  ] as const) {
    const { message, rest } = await world.state(payment, `/${locale}`)
    const text = plain(message)
    assert.ok(text.includes(received) && text.includes(missing), text)
    assert.ok(plain(rest?.label ?? '').includes(missing), locale)
  }
})

test('two tabs, a double click and a reload open one charge', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  const answers = await Promise.all(Array.from({ length: 6 }, () => press(world, payment)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303])
  assert.equal((await press(world, payment)).status, 303)
  assert.deepEqual(requested(world), [1_000n, 200n])
  // A reload of the form's own address leads to the page.
  assert.equal((await world.get(`${world.path(payment)}/rest`)).headers.get('location'), world.path(payment))
  const tried = await selectTried(world.sql, [{ merchantId: payment.merchantId, paymentId: payment.id }])
  assert.deepEqual(
    tried.map(({ overAt }) => overAt === null),
    [false, true],
  )
})

test('a bank that is away or refuses is explained, and the button stays', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  world.providers.isAway = true
  const away = await press(world, payment)
  assert.equal(away.status, 422)
  const state = await answered(away)
  assert.match(String(state.problem), /^The bank isn’t responding/)
  assert.ok(state.rest !== undefined && state.panel === undefined)
  world.providers.isAway = false
  world.providers.isRefusing = true
  const refused = await answered(await press(world, payment))
  assert.equal(refused.problem, 'We couldn’t get a Pix code for the missing amount. Contact the store.')
  assert.ok(!JSON.stringify(refused).includes('planted words'))
  // The refused terms are not requested again for a minute.
  const before = requested(world).length
  assert.equal((await press(world, payment)).status, 422)
  assert.equal(requested(world).length, before)
  world.providers.isRefusing = false
  await world.clock.advance(61_000)
  assert.equal((await press(world, payment)).status, 303)
  const open = await world.state(payment)
  assert.ok(open.panel?.method === 'PIX' && open.problem === undefined)
})

test('the charge is shown only while it is for exactly what is missing', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  await press(world, payment)
  await world.change(payment, { receivedMinor: 900n, receipts: 2 })
  const after = await world.state(payment)
  assert.ok(after.panel === undefined && after.rest !== undefined)
  await press(world, payment)
  assert.deepEqual(requested(world), [1_000n, 200n, 100n])
})

test('when all that came was refunded, the page says so and offers the whole amount', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  await world.change(payment, { refundedMinor: 800n })
  const state = await world.state(payment, '/pt-BR')
  assert.equal(state.step, 'underpaid')
  assert.match(plain(state.message), /^O valor que você pagou foi devolvido\. /)
  assert.equal(plain(state.rest?.label ?? ''), 'Gerar Pix de R$ 10,00')
  await press(world, payment)
  assert.deepEqual(requested(world), [1_000n, 1_000n])
})

test('nothing is offered or opened before a part came, after the end, or when the sum is complete', async () => {
  await using world = await openCheckoutWorld()
  const waiting = await world.newPayment({
    status: 'PENDING',
    methods: ['PIX'],
    request: { amount: 1_000, checkout: 'default' },
    isUnchosen: true,
  })
  await world.post(`${world.path(waiting)}/choose`, { method: 'PIX' })
  const paid = await underpaid(world)
  await world.change(paid, { status: 'PAID', receivedMinor: 1_000n, paidAt: world.clock.now() })
  const canceled = await underpaid(world)
  await world.change(canceled, { status: 'CANCELED' })
  const ended = await underpaid(world)
  const now = world.clock.now()
  await world.change(ended, { expiresAt: addMs(now, -hourMs) })
  const before = requested(world).length
  for (const payment of [waiting, paid, canceled, ended]) {
    assert.equal((await world.state(payment)).rest, undefined)
    const answer = await press(world, payment)
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, world.path(payment)])
  }
  assert.equal(requested(world).length, before)
  // A payer who cannot pay the rest here is sent to the merchant.
  const stuck = await world.state(ended, '/pt-BR')
  assert.match(plain(stuck.message), /Fale com a loja para pagar o restante\.$/)
})

test('no other site can press the button', async () => {
  await using world = await openCheckoutWorld()
  const payment = await underpaid(world)
  const answer = await press(world, payment, { 'sec-fetch-site': 'cross-site' })
  assert.equal(answer.status, 403)
  assert.deepEqual(requested(world), [1_000n])
})
