import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stripe } from 'stripe'
import { eventually } from '../../test/eventually.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { startReceiver, startTestAcquirer, terms, type Receiver, type TestAccount } from './harness.ts'

const acquirer = openForTests(startTestAcquirer)

type Shop = AsyncDisposable & { readonly account: TestAccount; readonly receiver: Receiver }

async function startShop(): Promise<Shop> {
  const account = await acquirer.account()
  const receiver = await startReceiver()
  await acquirer.control(`accounts/${account.accountId}/webhook`, { url: receiver.url })
  return { account, receiver, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}

async function pay({ account }: Shop, card = 'success'): Promise<string> {
  const session = await account.stripe.checkout.sessions.create(terms())
  const paid = await acquirer.control('pay', { session: session.id, card })
  return String(paid['paymentIntent'])
}

const paidTypes = [
  'payment_intent.created',
  'charge.succeeded',
  'payment_intent.succeeded',
  'checkout.session.completed',
]

const arrived = (receiver: Receiver, count: number) =>
  eventually(`${count} webhooks`, () => receiver.received.length >= count && receiver.received)

test('webhooks come in order, and the official client accepts them', async () => {
  await using shop = await startShop()
  const intent = await pay(shop)
  const received = await arrived(shop.receiver, 4)
  assert.deepEqual(shop.receiver.types(), paidTypes)
  for (const { body, headers } of received) {
    const signature = String(headers['stripe-signature'])
    const event = shop.account.stripe.webhooks.constructEvent(body, signature, shop.account.webhookSecret)
    assert.equal(event.api_version, '2026-10-28.endive')
    const kept = await shop.account.stripe.events.retrieve(event.id)
    assert.deepEqual(JSON.parse(JSON.stringify(kept.data)), JSON.parse(JSON.stringify(event.data)))
  }
  const succeeded = received[2]?.event.data.object as Stripe.PaymentIntent | undefined
  assert.equal(succeeded?.id, intent)
})

test('a forged, changed or old webhook is not accepted', async () => {
  await using shop = await startShop()
  await pay(shop)
  const [first] = await arrived(shop.receiver, 1)
  assert.ok(first)
  const signature = String(first.headers['stripe-signature'])
  const { webhooks } = shop.account.stripe
  const secret = shop.account.webhookSecret
  const believe = (body: string, header: string, key: string, at?: number) => () =>
    webhooks.constructEvent(body, header, key, undefined, undefined, at)
  assert.throws(believe(`${first.body} `, signature, secret))
  assert.throws(believe(first.body, signature, 'whsec_other'))
  const later = Date.now() + 400_000
  assert.throws(believe(first.body, signature, secret, later), /tolerance/)
})

test('a webhook that fails is repeated, later and later, and the others do not wait for it', async () => {
  await using shop = await startShop()
  shop.receiver.answers.push(500, 500)
  await pay(shop)
  await arrived(shop.receiver, 4)
  assert.deepEqual([...shop.receiver.types()].sort(), [...paidTypes].sort())
})

test('webhooks are dropped, doubled, reordered, delayed and badly signed by the mode', async () => {
  const withMode = async (mode: string, work: (shop: Shop) => Promise<void>) => {
    await acquirer.control('webhooks', { mode })
    await using shop = await startShop()
    await work(shop)
    await acquirer.control('webhooks', { mode: 'normal' })
  }
  await withMode('drop', async (shop) => {
    await pay(shop)
    await acquirer.control('webhooks', { mode: 'normal' })
    await pay(shop)
    await arrived(shop.receiver, 4)
    assert.equal(shop.receiver.received.length, 4)
    assert.equal((await shop.account.stripe.events.list({ limit: 100 })).data.length, 8)
  })
  await withMode('duplicate', async (shop) => {
    await pay(shop)
    const received = await arrived(shop.receiver, 8)
    assert.equal(new Set(received.map(({ event }) => event.id)).size, 4)
  })
  await withMode('reorder', async (shop) => {
    await pay(shop)
    await arrived(shop.receiver, 4)
    assert.deepEqual([...shop.receiver.types()].sort(), [...paidTypes].sort())
    assert.notDeepEqual(shop.receiver.types(), paidTypes)
  })
  await withMode('delay', async (shop) => {
    await pay(shop)
    assert.deepEqual((await acquirer.control('webhooks', { mode: 'normal' }))['mode'], 'normal')
    await arrived(shop.receiver, 4)
    // All come, but one that needs a second attempt comes after the others.
    assert.deepEqual([...shop.receiver.types()].sort(), [...paidTypes].sort())
  })
  await withMode('bad_signature', async (shop) => {
    await pay(shop)
    const [first] = await arrived(shop.receiver, 1)
    assert.ok(first)
    const header = String(first.headers['stripe-signature'])
    const { webhooks } = shop.account.stripe
    assert.throws(() => webhooks.constructEvent(first.body, header, shop.account.webhookSecret))
  })
})

test('an endpoint gets the types it is enabled for, signed with its own secret', async () => {
  await using shop = await startShop()
  await using other = await startReceiver()
  const endpoint = await shop.account.stripe.webhookEndpoints.create({
    url: other.url,
    enabled_events: ['charge.succeeded'],
  })
  assert.match(endpoint.secret ?? '', /^whsec_/)
  await pay(shop)
  const [only] = await arrived(other, 1)
  await arrived(shop.receiver, 4)
  assert.deepEqual(other.types(), ['charge.succeeded'])
  const header = String(only?.headers['stripe-signature'])
  shop.account.stripe.webhooks.constructEvent(only?.body ?? '', header, endpoint.secret ?? '')
  assert.equal((await shop.account.stripe.webhookEndpoints.del(endpoint.id)).deleted, true)
})

test('an event is sent again by a control call', async () => {
  await using shop = await startShop()
  await pay(shop)
  const received = await arrived(shop.receiver, 4)
  await acquirer.control('webhooks/resend', { event: received[0]?.event.id ?? '' })
  const again = await arrived(shop.receiver, 5)
  assert.equal(again[4]?.event.id, received[0]?.event.id)
})
