// What happens to orders of a real WooCommerce, paid on a real sandbox. Each story has orders of its own.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eventually } from '../../eventually.ts'
import { signed } from '../signed.ts'
import { blockInBrowser } from './browser.ts'
import { secrets, texts, uninstalled } from './settings-stories.ts'
import { paymentIdOf } from './shop.ts'
import {
  amountsOfRefunds,
  paidOrder,
  pay,
  paymentsOf,
  payUntil,
  stateOf,
  vintemOf,
  withoutWebhooks,
  type ShopWorld,
} from './world.ts'

type Story = (world: ShopWorld) => Promise<void>

/** Each story with what it shows. The last ones change the shop. */
export const stories: Readonly<Record<string, Story>> = {
  'an order of the checkout page is paid on the hosted page, completed by the webhook, and refunded in two parts':
    classic,
  'the API of the checkout block sends the payer to the hosted page': storeApi,
  'the checkout block in a browser offers the method, and leads to the hosted page': (world) =>
    blockInBrowser(world),
  'the payer who is back sees what is true, without a webhook; back too early, the order waits': payerIsBack,
  'events that are forged, untrue, repeated, late or of others change nothing': untrueEvents,
  'too little, too much, twice and too late are notes, and hold the order': exceptions,
  'a payment whose answer was lost is made once': lostPayment,
  'a refund whose answer was lost is made once, and recorded in the end': lostRefund,
  'another total is another payment; the first one cannot be paid any more': otherTotal,
  'a cancelled order cancels its payment; an order that can still be paid is not cancelled': cancelled,
  'refunds and disputes that begin elsewhere are notes': elsewhere,
  'what the API refuses is told to the administrator, and the payer is told what to do': refused,
  'neither pages nor APIs nor logs have the key or the secret': secrets,
  'texts are in Portuguese and Spanish': texts,
  'orders among the posts work like orders in tables of their own': amongPosts,
  'uninstalling deletes the settings and leaves the orders alone': uninstalled,
}

async function classic(world: ShopWorld): Promise<void> {
  const { shop } = world
  const { product, classic: checkout } = shop.running.ids
  const visitor = shop.browser()
  await visitor.get(`/?add-to-cart=${product}&quantity=200`)
  const { text } = await visitor.get(`/?page_id=${checkout}`)
  assert.match(text, /payment_method_vintem/)
  const [, nonce = ''] = /name="woocommerce-process-checkout-nonce" value="([^"]+)"/.exec(text) ?? []
  const fields = new URLSearchParams({
    ...Object.fromEntries(Object.entries(address).map(([name, value]) => [`billing_${name}`, value])),
    payment_method: 'vintem',
    'woocommerce-process-checkout-nonce': nonce,
  })
  const answer = await visitor.post('/?wc-ajax=checkout', fields)
  const {
    result,
    redirect,
    order_id: id,
  } = JSON.parse(answer.text) as { result: string; redirect: string; order_id: number }
  assert.equal(result, 'success', answer.text)
  const order = await shop.order(id)
  assert.deepEqual([order.status, order.total, order.inOwnTables], ['pending', '58.00', true])
  const page = await fetch(redirect)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /58[.,]00/)

  const paymentId = paymentIdOf(order)
  const payment = await vintemOf(world).payments.get(paymentId)
  assert.deepEqual(
    [payment.amount, payment.customerEmail, payment.items],
    [5800, address.email, [{ name: 'Café em grãos', quantity: 200, amount: 29 }]],
  )
  await pay(world, paymentId, { method: 'PIX' })
  const paid = await shop.orderIn(id, 'processing')
  assert.deepEqual([paid.isPaid, paid.transaction, paid.method], [true, paymentId, 'vintem'])

  const refund = (amount: string) => shop.act('refund', { id, amount, reason: 'Torta' })
  assert.deepEqual(await refund('10.07'), { amount: '10.07' })
  assert.deepEqual(await refund('47.93'), { amount: '47.93' })
  await shop.orderIn(id, 'refunded')
  await shop.noted(id, /BRL 47\.93 .* has reached the payer/)
  assert.deepEqual(await amountsOfRefunds(world, paymentId), [4793, 1007])
}

const address = {
  first_name: 'Ana',
  last_name: 'Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  country: 'BR',
  address_1: 'Rua Aurora, 1',
  city: 'São Paulo',
  state: 'SP',
  postcode: '01209-001',
}

async function storeApi(world: ShopWorld): Promise<void> {
  const { shop } = world
  const visitor = shop.browser()
  const cart = await visitor.get('/?rest_route=/wc/store/v1/cart')
  const nonce = cart.headers.get('nonce') ?? cart.headers.get('x-wc-store-api-nonce') ?? ''
  const added = await visitor.post(
    '/?rest_route=/wc/store/v1/cart/add-item',
    { id: shop.running.ids.product, quantity: 3 },
    { nonce },
  )
  assert.equal(added.status, 201, added.text)
  assert.ok((JSON.parse(added.text) as { payment_methods: string[] }).payment_methods.includes('vintem'))
  const answer = await visitor.post(
    '/?rest_route=/wc/store/v1/checkout',
    { billing_address: { ...address, last_name: 'Lima' }, payment_method: 'vintem' },
    { nonce },
  )
  assert.equal(answer.status, 200, answer.text)
  const { order_id: id, payment_result: result } = JSON.parse(answer.text) as {
    order_id: number
    payment_result: { payment_status: string; redirect_url: string }
  }
  assert.equal(result.payment_status, 'success')
  const order = await shop.order(id)
  const payment = await vintemOf(world).payments.get(paymentIdOf(order))
  assert.deepEqual([payment.amount, payment.checkoutUrl], [87, result.redirect_url])
  await pay(world, payment.id, { method: 'PIX' })
  await shop.orderIn(id, 'processing')
}

async function payerIsBack(world: ShopWorld): Promise<void> {
  const { shop } = world
  await withoutWebhooks(world, async () => {
    const { order, paymentId } = await shop.begin(5)
    const { returnUrl = '' } = await vintemOf(world).payments.get(paymentId)
    const visitor = shop.browser()
    await visitor.get(returnUrl)
    assert.equal((await shop.order(order.id)).status, 'pending')
    await payUntil(world, paymentId, 'PAID', { method: 'PIX' })
    await visitor.get(returnUrl.replace(order.key, 'wc_order_of_another'))
    assert.equal((await shop.order(order.id)).status, 'pending')
    const back = await visitor.get(returnUrl)
    assert.equal(back.status, 200)
    assert.equal((await shop.order(order.id)).status, 'processing')
  })
}

async function untrueEvents(world: ShopWorld): Promise<void> {
  const { shop, sandbox } = world
  const vintem = vintemOf(world)
  const paid = await shop.begin(7)
  const open = await shop.begin(8)
  await pay(world, paid.paymentId, { method: 'PIX' })
  const before = await shop.orderIn(paid.order.id, 'processing')
  const { data: events } = await vintem.events.list({ limit: 100 })
  const of = (type: string) =>
    events.find((event) => event.type === type && (event.data as { id?: string }).id === paid.paymentId)
  const [completed, waiting] = [of('payment.completed'), of('payment.waiting')]
  assert.ok(completed !== undefined && waiting !== undefined)
  const untrue = JSON.stringify({
    ...completed,
    id: randomUUID(),
    data: { ...(await vintem.payments.get(open.paymentId)), status: 'PAID', amountReceived: 232 },
  })
  const other = `whsec_${Buffer.from('not the secret of this merchant.').toString('base64')}`
  assert.equal(await shop.hook(untrue, signed(untrue, other)), 400)
  assert.equal(await shop.hook(untrue, {}), 400)
  assert.equal(await shop.hook(`${untrue} `, signed(untrue, sandbox.webhookSecret)), 400)
  const old = signed(untrue, sandbox.webhookSecret, new Date('2020-01-01T00:00:00Z'))
  assert.equal(await shop.hook(untrue, old), 400)
  for (const event of [completed, completed, waiting]) {
    const body = JSON.stringify(event)
    assert.equal(await shop.hook(body, signed(body, sandbox.webhookSecret)), 204)
  }
  assert.equal(await shop.hook(untrue, signed(untrue, sandbox.webhookSecret)), 204)
  // Four at the same moment.
  const body = JSON.stringify(completed)
  assert.deepEqual(
    await Promise.all([1, 2, 3, 4].map(() => shop.hook(body, signed(body, sandbox.webhookSecret)))),
    [204, 204, 204, 204],
  )
  // A payment of the same merchant that names the order, and was not made for it.
  const foreign = await vintem.payments.create({
    amount: 203,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    idempotencyKey: randomUUID(),
    webhookUrl: `${shop.running.url}/?wc-api=vintem_webhook`,
    metadata: { wooOrderId: open.order.id, wooSite: shop.running.url, wooAttempt: 1 },
  })
  await payUntil(world, foreign.id, 'PAID', {})
  const ofForeign = await eventually('the event of the other payment', async () =>
    (await vintem.events.list({ limit: 20 })).data.find(
      (event) => event.type === 'payment.completed' && (event.data as { id?: string }).id === foreign.id,
    ),
  )
  const text = JSON.stringify(ofForeign)
  assert.equal(await shop.hook(text, signed(text, sandbox.webhookSecret)), 204)
  assert.equal((await shop.order(open.order.id)).status, 'pending')
  const after = await shop.order(paid.order.id)
  assert.deepEqual([after.status, after.notes], ['processing', before.notes])
}

async function exceptions(world: ShopWorld): Promise<void> {
  const { shop } = world
  const under = await shop.begin(100)
  await pay(world, under.paymentId, { method: 'CRYPTO', scenario: 'under' }).catch(() =>
    pay(world, under.paymentId, { method: 'PIX', scenario: 'under' }),
  )
  const held = await shop.noted(under.order.id, /^Underpaid: BRL 14\.50 of BRL 29\.00 arrived/)
  assert.deepEqual([held.status, held.isPaid], ['on-hold', false])
  assert.equal((await shop.pay(under.order.id)).redirect, under.page)

  for (const [scenario, note] of [
    ['over', /^Overpaid: BRL 31\.90 arrived for BRL 29\.00/],
    ['twice', /^Paid again after it was paid: BRL 58\.00 arrived in all/],
    ['late', /^Paid late/],
  ] as const) {
    const { order, paymentId } = await shop.begin(100)
    await pay(world, paymentId, { method: 'PIX', scenario })
    const found = await shop.noted(order.id, note)
    assert.deepEqual([found.status, found.isPaid, found.transaction], ['on-hold', true, paymentId], scenario)
    // A person decided: later events do not hold it again.
    await shop.act('status', { id: order.id, status: 'completed' })
    await shop.act('refund', { id: order.id, amount: '0.29' })
    await shop.noted(order.id, /has reached the payer/)
    assert.equal((await shop.order(order.id)).status, 'completed', scenario)
  }
}

async function lostPayment(world: ShopWorld): Promise<void> {
  const { shop, line } = world
  const { id } = await shop.make(11)
  line.breakAt(/^POST \/v1\/payments$/)
  const failed = await shop.pay(id)
  assert.deepEqual(
    [failed.result, failed.message],
    ['failure', 'The payment could not be started. Please try again in a moment.'],
  )
  line.mend()
  const [first, second] = await Promise.all([shop.pay(id), shop.pay(id)])
  assert.deepEqual([first.result, first.redirect], ['success', second.redirect])
  const made = await paymentsOf(world, id)
  assert.equal(made.length, 1)
  await pay(world, String(made[0]?.id), { method: 'PIX' })
  await shop.orderIn(id, 'processing')

  // The payer pays before the shop has learnt of the payment: the webhook finds the order.
  const other = await shop.make(12)
  line.breakAt(/^POST \/v1\/payments$/)
  await shop.pay(other.id)
  line.mend()
  const [payment] = await paymentsOf(world, other.id)
  await pay(world, String(payment?.id), { method: 'PIX' })
  await shop.orderIn(other.id, 'processing')
}

async function lostRefund(world: ShopWorld): Promise<void> {
  const { shop, line } = world
  const { order, paymentId } = await paidOrder(world, 100)
  const refund = (amount: string) =>
    shop.act<{ amount?: string; error?: string }>('refund', { id: order.id, amount })
  line.breakAt(/^POST .*\/refunds$/)
  assert.match((await refund('10.00')).error ?? '', /it is never made twice/)
  assert.match((await refund('10.00')).error ?? '', /it is never made twice/)
  line.mend()
  assert.match((await refund('4.00')).error ?? '', /Refund 10\.00 first/)
  assert.deepEqual((await shop.order(order.id)).refunds, [])
  assert.deepEqual(await refund('10.00'), { amount: '10.00' })
  assert.deepEqual(await refund('4.00'), { amount: '4.00' })
  assert.deepEqual(await amountsOfRefunds(world, paymentId), [400, 1000])
  assert.deepEqual((await shop.order(order.id)).refunds.toSorted(), ['10.00', '4.00'])
  assert.deepEqual(
    (await shop.order(order.id)).record?.refunds.map(({ state }) => state),
    ['made', 'made'],
  )

  // The event tells of the refund before anybody asks again.
  line.breakAt(/^POST .*\/refunds$/)
  assert.ok('error' in (await refund('5.00')))
  await shop.act('order', { id: order.id })
  line.mend()
  const [newest] = await Array.fromAsync(vintemOf(world).refunds.list({ paymentId }))
  const body = JSON.stringify({ id: randomUUID(), type: 'refund.created', data: newest })
  assert.equal(await shop.hook(body, signed(body, world.sandbox.webhookSecret)), 204)
  await shop.noted(order.id, /BRL 5\.00 .* whose answer was lost has been made/)
  assert.deepEqual(await refund('5.00'), { amount: '5.00' })
  assert.deepEqual(await amountsOfRefunds(world, paymentId), [500, 400, 1000])
}

async function otherTotal(world: ShopWorld): Promise<void> {
  const { shop } = world
  const { order, paymentId } = await shop.begin(10)
  await shop.act('total', { id: order.id, total: '7.31' })
  const again = await shop.pay(order.id)
  assert.equal(again.result, 'success')
  await stateOf(world, paymentId, 'CANCELED')
  const changed = await shop.order(order.id)
  const next = paymentIdOf(changed)
  assert.deepEqual([changed.status, (await vintemOf(world).payments.get(next)).amount], ['pending', 731])
  await shop.act('total', { id: order.id, total: '9.99' })
  await pay(world, next, { method: 'PIX' })
  const held = await shop.noted(order.id, /the order now has another total/)
  assert.deepEqual([held.status, held.isPaid], ['on-hold', true])
}

async function cancelled(world: ShopWorld): Promise<void> {
  const { shop } = world
  const { order, paymentId } = await shop.begin(13)
  assert.deepEqual(await shop.act('unpaid', { id: order.id }), { may: false })
  await shop.act('status', { id: order.id, status: 'cancelled' })
  await stateOf(world, paymentId, 'CANCELED')
  assert.deepEqual(await shop.act('unpaid', { id: order.id }), { may: true })

  // The merchant cancels the payment in Vintem.
  const other = await shop.begin(14)
  await vintemOf(world).payments.cancel(other.paymentId)
  await shop.orderIn(other.order.id, 'cancelled')

  // Money for an order that was cancelled meanwhile, which the shop learns only then.
  await withoutWebhooks(world, async () => {
    const paid = await shop.begin(15)
    await payUntil(world, paid.paymentId, 'PAID', { method: 'PIX' })
    await shop.act('status', { id: paid.order.id, status: 'cancelled' })
    const held = await shop.order(paid.order.id)
    assert.deepEqual([held.status, held.isPaid], ['on-hold', true])
  })
}

async function elsewhere(world: ShopWorld): Promise<void> {
  const { shop } = world
  const { order, paymentId } = await paidOrder(world, 20)
  await vintemOf(world).refunds.create(paymentId, { amount: 100, idempotencyKey: randomUUID() })
  await shop.noted(order.id, /A refund of BRL 1\.00 .* was made outside of WooCommerce/)
  await shop.noted(order.id, /The refund of BRL 1\.00 .* has reached the payer/)
  assert.deepEqual(await shop.act('refund', { id: order.id, amount: '1.00', byHand: false }), {
    amount: '1.00',
  })
  assert.deepEqual(await amountsOfRefunds(world, paymentId), [100])

  const card = await shop.begin(21)
  await pay(world, card.paymentId, { method: 'CREDIT_CARD', scenario: 'dispute' })
  const disputed = await shop.noted(card.order.id, /The payer disputes BRL 6\.09/)
  assert.equal(disputed.status, 'on-hold')
}

async function refused(world: ShopWorld): Promise<void> {
  const { shop } = world
  await shop.act('save', {
    fields: { enabled: '1', api_url: world.line.url, checkout: 'no-such-template', methods: [] },
  })
  const { id } = await shop.make(3)
  const failed = await shop.pay(id)
  assert.match(failed.message ?? '', /cannot be paid this way/)
  await shop.noted(id, /rejected by Vintem: /)
  await shop.act('save', {
    fields: { enabled: '1', api_url: world.line.url, checkout: 'default', methods: ['PIX'] },
  })
  const { result } = await shop.pay(id)
  assert.equal(result, 'success')
  assert.deepEqual((await vintemOf(world).payments.get(paymentIdOf(await shop.order(id)))).paymentMethods, [
    'PIX',
  ])
  await shop.act('save', {
    fields: { enabled: '1', api_url: world.line.url, checkout: 'default', paid_status: 'completed' },
  })
  const done = await shop.begin(4, {
    meta: { _billing_cpf: '111.222.333-00' },
    address: { address_1: 'Rua Aurora', city: 'São Paulo', state: 'SP', postcode: '01209-001' },
  })
  await pay(world, done.paymentId, { method: 'PIX' })
  await shop.orderIn(done.order.id, 'completed')
  await shop.act('save', { fields: { enabled: '1', api_url: world.line.url, checkout: 'default' } })

  const { order } = await paidOrder(world, 6)
  const more = await shop.act<{ error?: string }>('refund', { id: order.id, amount: '1.75' })
  assert.match(more.error ?? '', /Invalid refund amount/)
  const none = await shop.make(2)
  const unpaid = await shop.act<{ error?: string }>('refund', { id: none.id, amount: '0.10' })
  assert.match(unpaid.error ?? '', /was not paid by Vintem/)
  const yen = await shop.make(2, { currency: 'JPY' })
  assert.match((await shop.pay(yen.id)).message ?? '', /cannot be paid this way/)
}

async function amongPosts(world: ShopWorld): Promise<void> {
  const { shop } = world
  await shop.act('storage', { inOwnTables: false })
  try {
    const { order, paymentId } = await paidOrder(world, 30)
    assert.equal(order.inOwnTables, false)
    assert.deepEqual(await shop.act('refund', { id: order.id, amount: '8.70' }), { amount: '8.70' })
    await shop.noted(order.id, /has reached the payer/)
    assert.equal((await shop.order(order.id)).status, 'refunded')
    assert.deepEqual(await amountsOfRefunds(world, paymentId), [870])
  } finally {
    await shop.act('storage', { inOwnTables: true })
  }
}
