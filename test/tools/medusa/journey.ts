// What happens to carts and orders of a real Medusa, paid on a real sandbox. Each story has a payer of its own.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { createClient, type Payment } from '../../../sdk/typescript/src/vintem.ts'
import { eventually } from '../../eventually.ts'
import { signed } from '../signed.ts'
import { must, paymentIn, type Order, type Session, type Shop } from './shop.ts'

export type Scene = {
  readonly shop: Shop
  /** The same shop in USDT. */
  readonly dollars: Shop
  readonly sandbox: SandboxFile
}

/** The providers of the shop. `quiet` has no webhooks, `cards` captures later. */
export const providers = {
  all: 'pp_vintem_vintem',
  quiet: 'pp_vintem_quiet',
  cards: 'pp_vintem_cards',
} as const

/** Times 2 it is 0.58, which is 57.99999999999999 cents in floats. */
export const price = 0.29

type Story = (scene: Scene) => Promise<void>

/** Each story with what it shows. */
export const stories: Readonly<Record<string, Story>> = {
  'a cart paid by PIX becomes an order by the webhook, and is refunded in two parts': pixAndRefunds,
  'a payer who is back before the money makes no order; afterwards the shop page makes it without a webhook':
    byThePage,
  'the payer and the webhook come at the same moment, and there is one order': together,
  'webhooks that come again, that are forged, or that say more than is true, change nothing': untrueHooks,
  'a card is captured by the administrator, and an order that is canceled releases it': captureLater,
  'another quantity is another payment, and the first one cannot be paid any more': anotherAmount,
  'a session that is paid is not thrown away by a change of the cart': paidSession,
  'what a shop page sends along moves no payment of another': foreignData,
  'a cart in USDT is paid on the chain, and its refund is refused with the reason': inUsdt,
}

function vintemOf({ sandbox }: Scene) {
  return createClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.apiUrl })
}

async function pixAndRefunds(scene: Scene): Promise<void> {
  const { shop } = scene
  const vintem = vintemOf(scene)
  const { session } = await begin(shop, 'pix@example.com', 200, providers.all)
  assert.equal(session.data.amount, 5800)
  const page = await fetch(session.data.checkoutUrl)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /58[.,]00/)
  await payUntil(scene, session, 'PAID', { method: 'PIX' })

  const order = await shop.orderWith('pix@example.com', 'captured')
  const payment = paymentIn(order)
  assert.equal(payment.data.id, session.data.id)
  assert.deepEqual([payment.amount, payment.captures.map(({ amount }) => amount)], [58, [58]])

  await must(shop.admin(`payments/${payment.id}/refund`, { amount: 10.07 }))
  await shop.orderWith('pix@example.com', 'partially_refunded')
  await must(shop.admin(`payments/${payment.id}/refund`, { amount: 47.93 }))
  const done = paymentIn(await shop.orderWith('pix@example.com', 'refunded'))
  const refunds = await Array.fromAsync(vintem.refunds.list({ paymentId: session.data.id }))
  assert.deepEqual(
    refunds.map(({ amount, status }) => [amount, status]),
    [
      [4793, 'COMPLETED'],
      [1007, 'COMPLETED'],
    ],
  )
  assert.deepEqual(done.data.refundIds, refunds.map(({ id }) => id).toReversed())
  const more = await shop.admin(`payments/${payment.id}/refund`, { amount: 0.01 })
  assert.equal(more.status, 400)
  assert.equal((await vintem.payments.get(session.data.id)).amountRefunded, 5800)
}

async function byThePage(scene: Scene): Promise<void> {
  const { shop } = scene
  const { cart, session } = await begin(shop, 'page@example.com', 2, providers.quiet)
  assert.equal((await shop.complete(cart)).status, 400)
  await pay(scene, session, { method: 'PIX', scenario: 'under' })
  await eventually('half of it', async () => {
    const { exceptions } = await vintemOf(scene).payments.get(session.data.id)
    return exceptions.includes('UNDERPAID')
  })
  assert.equal((await shop.complete(cart)).status, 400)
  assert.equal(await shop.order('page@example.com'), undefined)

  const other = await begin(shop, 'back@example.com', 2, providers.quiet)
  await payUntil(scene, other.session, 'PAID', { method: 'CREDIT_CARD', scenario: 'success' })
  assert.equal((await must(shop.complete(other.cart)))['type'], 'order')
  assert.equal(paymentIn(await shop.orderWith('back@example.com', 'captured')).amount, 0.58)
}

async function together(scene: Scene): Promise<void> {
  const { shop } = scene
  const { cart, session } = await begin(shop, 'both@example.com', 2, providers.all)
  await pay(scene, session, { method: 'PIX' })
  // From before the money is there until after the webhook. Medusa refuses some of these calls: there is no money yet, or another runs.
  let isOrdered = false
  await eventually('the order', async () => {
    const answers = await Promise.all([shop.complete(cart), shop.complete(cart)])
    isOrdered ||= answers.some(({ body }) => body['type'] === 'order')
    return isOrdered
  })
  await isThroughTheQueue(scene, 'after-both@example.com')
  const { captures, refunds } = paymentIn(await shop.orderWith('both@example.com', 'captured'))
  assert.deepEqual([captures.length, refunds.length], [1, 0])
  assert.equal((await stateOf(scene, session, 'PAID')).amountRefunded, 0)
}

async function untrueHooks(scene: Scene): Promise<void> {
  const { shop, sandbox } = scene
  const vintem = vintemOf(scene)
  const paid = await begin(shop, 'again@example.com', 3, providers.all)
  const open = await begin(shop, 'forged@example.com', 3, providers.all)
  await payUntil(scene, paid.session, 'PAID', { method: 'PIX' })
  await shop.orderWith('again@example.com', 'captured')
  const { data: events } = await vintem.events.list({ limit: 50 })
  const event = events.find(
    ({ type, data }) =>
      type === 'payment.completed' && (data as { readonly id: string }).id === paid.session.data.id,
  )
  assert.ok(event !== undefined)

  const ofOpen = await vintem.payments.get(open.session.data.id)
  const untrue = { ...event, id: randomUUID(), data: { ...ofOpen, status: 'PAID', amountReceived: 87 } }
  const other = `whsec_${Buffer.from('not the secret of this merchant.').toString('base64')}`
  for (const [body, secret] of [
    // Forged; by the right secret and not true; true and the third time.
    [JSON.stringify(untrue), other],
    [JSON.stringify(untrue), sandbox.webhookSecret],
    [JSON.stringify(event), sandbox.webhookSecret],
    [JSON.stringify(event), sandbox.webhookSecret],
  ] as const)
    assert.equal(await shop.hook('vintem_vintem', body, signed(body, secret)), 200)

  await isThroughTheQueue(scene, 'after-again@example.com')
  assert.equal(await shop.order('forged@example.com'), undefined)
  const order = (await shop.order('again@example.com')) as Order
  assert.equal(paymentIn(order).captures.length, 1)
  assert.equal(order.payment_status, 'captured')
}

async function captureLater(scene: Scene): Promise<void> {
  const { shop } = scene
  for (const [email, step] of [
    ['capture@example.com', 'capture'],
    ['cancel@example.com', 'cancel'],
  ] as const) {
    const { session } = await begin(shop, email, 10, providers.cards)
    await payUntil(scene, session, 'APPROVED', { method: 'CREDIT_CARD', scenario: 'success' })
    const order = await shop.orderWith(email, 'authorized')
    assert.deepEqual(paymentIn(order).captures, [])
    if (step === 'capture') {
      await must(shop.admin(`payments/${paymentIn(order).id}/capture`, {}))
      const captured = await shop.orderWith(email, 'captured')
      assert.deepEqual(
        paymentIn(captured).captures.map(({ amount }) => amount),
        [2.9],
      )
      assert.equal((await stateOf(scene, session, 'PAID')).amountReceived, 290)
    } else {
      await must(shop.admin(`orders/${order.id}/cancel`, {}))
      await stateOf(scene, session, 'CANCELED')
    }
  }
}

async function anotherAmount(scene: Scene): Promise<void> {
  const { shop } = scene
  const { cart, session } = await begin(shop, 'change@example.com', 1, providers.all)
  await must(shop.changeCart(cart, 4))
  await stateOf(scene, session, 'CANCELED')
  await must(shop.pay(cart, providers.all))
  const next = (await shop.sessions(cart)).at(-1) as Session
  assert.equal(next.data.amount, 116)
  await payUntil(scene, next, 'PAID', { method: 'PIX' })
  assert.equal(paymentIn(await shop.orderWith('change@example.com', 'captured')).amount, 1.16)
}

async function paidSession(scene: Scene): Promise<void> {
  const { shop } = scene
  const { cart, session } = await begin(shop, 'paid@example.com', 2, providers.quiet)
  await payUntil(scene, session, 'PAID', { method: 'PIX' })
  assert.ok((await shop.changeCart(cart, 5)).status >= 400)
  assert.ok((await shop.pay(cart, providers.all)).status >= 400)
  assert.deepEqual(
    (await shop.sessions(cart)).map(({ id }) => id),
    [session.id],
  )
  await must(shop.complete(cart))
  // Medusa undoes the change of the cart, and keeps the amount of the change with the collection: to it the order is paid in part.
  const payment = paymentIn((await shop.order('paid@example.com')) as Order)
  assert.equal(payment.data.id, session.data.id)
  assert.deepEqual(
    payment.captures.map(({ amount }) => amount),
    [0.58],
  )
}

async function foreignData(scene: Scene): Promise<void> {
  const { shop } = scene
  const victim = await begin(shop, 'victim@example.com', 5, providers.all)
  const cart = await shop.cart('thief@example.com', 1)
  const stolen = { ...victim.session.data, session_id: victim.session.id, refundIds: ['x'] }
  await must(shop.pay(cart, providers.all, stolen))
  const [own] = await shop.sessions(cart)
  assert.ok(own !== undefined)
  assert.notEqual(own.data.id, victim.session.data.id)
  assert.equal(own.data.amount, 29)
  await must(shop.pay(cart, providers.all))
  await stateOf(scene, own, 'CANCELED')
  await payUntil(scene, victim.session, 'PAID', { method: 'PIX' })
  await shop.orderWith('victim@example.com', 'captured')
  assert.equal(await shop.order('thief@example.com'), undefined)
}

async function inUsdt(scene: Scene): Promise<void> {
  const { dollars } = scene
  const { session } = await begin(dollars, 'usdt@example.com', 3, providers.all)
  assert.equal(session.data.amount, 87)
  const paid = await payUntil(scene, session, 'PAID', { method: 'CRYPTO' })
  assert.equal(paid.currency, 'USDT')
  const payment = paymentIn(await dollars.orderWith('usdt@example.com', 'captured'))
  assert.equal(payment.amount, 0.87)
  const { status, body } = await dollars.admin(`payments/${payment.id}/refund`, { amount: 0.5 })
  assert.equal(status, 400)
  assert.match(String(body['message']), /address/i)
  assert.equal((await vintemOf(scene).payments.get(session.data.id)).amountRefunded, 0)
  assert.deepEqual(paymentIn((await dollars.order('usdt@example.com')) as Order).refunds, [])
}

/** The order of a later payment, made by its webhook, shows that earlier webhooks have come and were worked on. */
async function isThroughTheQueue(scene: Scene, email: string): Promise<void> {
  const later = await begin(scene.shop, email, 1, providers.all)
  await payUntil(scene, later.session, 'PAID', { method: 'PIX' })
  await scene.shop.orderWith(email, 'captured')
}

/** A cart whose payment was started. */
async function begin(shop: Shop, email: string, quantity: number, provider: string) {
  const cart = await shop.cart(email, quantity)
  await must(shop.pay(cart, provider))
  const [session] = await shop.sessions(cart)
  assert.ok(session !== undefined)
  return { cart, session }
}

type Means = Parameters<ReturnType<typeof vintemOf>['sandbox']['payPayment']>[1]

async function pay(scene: Scene, { data }: Session, means: Means): Promise<void> {
  await vintemOf(scene).sandbox.payPayment(data.id, { scenario: 'exact', ...means })
}

/** Pays as the payer of the checkout, and waits for the state. */
async function payUntil(scene: Scene, session: Session, status: string, means: Means): Promise<Payment> {
  await pay(scene, session, means)
  return stateOf(scene, session, status)
}

function stateOf(scene: Scene, { data }: Session, status: string): Promise<Payment> {
  let last = ''
  return eventually(
    () => `payment ${data.id} is ${status}, not ${last}`,
    async () => {
      const payment = await vintemOf(scene).payments.get(data.id)
      last = payment.status
      return last === status ? payment : undefined
    },
  )
}
