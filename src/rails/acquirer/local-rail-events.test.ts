// The events of the acquirer about a delayed payment, one by one. Only the event of the money itself is counted as money, whether
// the intent was created by itself or by a session.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Stripe } from 'stripe'
import { must } from '#/kernel/check.ts'
import { newId, type AttemptId } from '#/kernel/id.ts'
import { systemClock } from '#/kernel/time.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { startTestAcquirer } from '../../../test/rails/acquirer/acquirer.ts'
import { brazil, europe, shopIn } from '../../../test/rails/acquirer/local.ts'

const acquirer = openForTests(startTestAcquirer)

/** A shop whose events are read as callbacks, each once and as the acquirer wrote it. */
async function listening(t: TestContext, place: typeof europe | typeof brazil) {
  const shop = await shopIn(acquirer, t, place)
  const { hostname, port } = new URL(acquirer.apiUrl)
  const key = String(shop.connection.secrets['secretKey'])
  const stripe = new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false })
  const handled = new Set<string>()
  const rail = shop.railOf('CREDIT_CARD')
  return {
    ...shop,
    stripe,
    /** The new events about intents and sessions, oldest first, each with what the rail makes of it. */
    async news(): Promise<readonly string[]> {
      const { data } = await stripe.events.list({ limit: 100 })
      const found: string[] = []
      for (const event of data.toReversed()) {
        if (handled.has(event.id) || !/^(?:payment_intent|checkout\.session)\./.test(event.type)) continue
        handled.add(event.id)
        const receipts = await rail.read({
          connection: shop.connection.id,
          receivedAt: systemClock.now(),
          body: Buffer.from(JSON.stringify(event)),
        })
        found.push([event.type, ...receipts.map(saidOf)].join(' '))
      }
      return found
    },
  }
}

function saidOf({ outcome, method, amount, failure }: Receipt): string {
  return [outcome, method, amount.minor, ...(failure === undefined ? [] : [failure.code])].join(' ')
}

for (const [method, place] of [
  ['MULTIBANCO', europe],
  ['BOLETO', brazil],
] as const) {
  test(`${method}: nothing is money while the voucher waits and while the bank works, then it is paid`, async (t) => {
    const shop = await listening(t, place)
    const attempt = await shop.opened(method)
    assert.deepEqual(await shop.news(), ['payment_intent.created', 'payment_intent.requires_action'])
    await shop.act(attempt, 'slow')
    assert.deepEqual(await shop.news(), ['payment_intent.processing'])
    assert.deepEqual(await shop.check(attempt), { receipts: [], isOver: false })
    await shop.act(attempt, 'arrive')
    assert.deepEqual(await shop.news(), [`payment_intent.succeeded paid ${method} 43211`])
  })

  test(`${method}: money that never comes ends the attempt as declined`, async (t) => {
    const shop = await listening(t, place)
    const attempt = await shop.opened(method)
    await shop.act(attempt, 'slow')
    await shop.news()
    await shop.act(attempt, 'fail')
    assert.deepEqual(await shop.news(), [
      `payment_intent.payment_failed declined ${method} 43211 not_confirmed`,
    ])
    assert.equal((await shop.check(attempt)).isOver, true)
  })
}

test('events of a session of ours: unpaid is nothing, async_payment_succeeded is paid, async_payment_failed declined', async (t) => {
  const shop = await listening(t, europe)
  const withVoucher = async () => {
    const attempt: AttemptId = newId<'attempt'>()
    const metadata = { attempt_id: attempt }
    const session = await shop.stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'http://shop.localhost/',
      client_reference_id: attempt,
      metadata,
      payment_intent_data: { metadata },
      allowed_payment_method_types: ['multibanco'],
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'eur', unit_amount: 1_990, product_data: { name: 'Order 17' } },
        },
      ],
    })
    const chosen = await acquirer.control('pay', { session: session.id, method: 'multibanco' })
    const act = (how: string) => acquirer.control('pay', { intent: chosen['paymentIntent'], act: how })
    await act('slow')
    return act
  }
  const paid = await withVoucher()
  const unpaid = [
    'payment_intent.created',
    'payment_intent.requires_action',
    'checkout.session.completed',
    'payment_intent.processing',
  ]
  assert.deepEqual(await shop.news(), unpaid)
  await paid('arrive')
  assert.deepEqual(await shop.news(), [
    'payment_intent.succeeded paid MULTIBANCO 1990',
    'checkout.session.async_payment_succeeded paid MULTIBANCO 1990',
  ])
  const failed = await withVoucher()
  assert.deepEqual(await shop.news(), unpaid)
  await failed('fail')
  assert.deepEqual(await shop.news(), [
    'payment_intent.payment_failed declined MULTIBANCO 1990 not_confirmed',
    'checkout.session.async_payment_failed declined MULTIBANCO 1990 not_confirmed',
  ])
})

test('a session of another shop at the same account is nothing to us', async (t) => {
  const shop = await listening(t, europe)
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'http://shop.localhost/',
    allowed_payment_method_types: ['multibanco'],
    line_items: [
      { quantity: 1, price_data: { currency: 'eur', unit_amount: 1_990, product_data: { name: 'Theirs' } } },
    ],
  })
  const chosen = await acquirer.control('pay', { session: session.id, method: 'multibanco' })
  for (const act of ['slow', 'arrive'])
    await acquirer.control('pay', { intent: chosen['paymentIntent'], act })
  const news = await shop.news()
  assert.ok(must(news.at(-1), 'an event') === 'checkout.session.async_payment_succeeded', news.join(', '))
})
