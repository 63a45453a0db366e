import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { forbidden } from '../../test/forbidden.ts'
import { closer } from '../kit/harness.ts'
import { item, startTestAcquirer, terms, type TestAccount, type TestAcquirer } from './harness.ts'

let acquirer: TestAcquirer
let shop: TestAccount
before(async () => {
  acquirer = await startTestAcquirer()
  shop = await acquirer.account()
})
after(() => acquirer[Symbol.asyncDispose]())

const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}

test('sessions are listed newest first, page by page, each in its current state', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.unshift((await shop.stripe.checkout.sessions.create(terms())).id)
  const other = await acquirer.account()
  await other.stripe.checkout.sessions.create(terms())
  const { sessions } = shop.stripe.checkout
  assert.deepEqual(idsOf(await sessions.list()), made)
  const walked: string[] = []
  for await (const session of sessions.list({ limit: 2 })) walked.push(session.id)
  assert.deepEqual(walked, made)
  const [newest] = (await sessions.list({ limit: 1 })).data
  assert.deepEqual(newest, JSON.parse(JSON.stringify(await sessions.retrieve(newest?.id ?? ''))))
  assert.ok(newest?.client_secret?.startsWith(newest.id))
})

test('sessions are filtered by creation time, status, payer and PaymentIntent', async () => {
  const shop = await acquirer.account()
  const { sessions } = shop.stripe.checkout
  const first = await sessions.create(terms({ customer_email: 'ana@example.com' }))
  // `created` is in whole seconds, by the machine's clock.
  while (Math.floor(Date.now() / 1_000) <= first.created) await setTimeout(50)
  const second = await sessions.create(terms())
  const paid = await acquirer.control('pay', { session: second.id, card: 'success' })
  for (const [filter, found] of [
    [{ created: { gte: first.created } }, [second.id, first.id]],
    [{ created: { gte: second.created } }, [second.id]],
    [{ created: { lt: second.created } }, [first.id]],
    [{ created: first.created }, [first.id]],
    [{ status: 'open' }, [first.id]],
    [{ status: 'complete' }, [second.id]],
    [{ status: 'expired' }, []],
    [{ customer_details: { email: 'ana@example.com' } }, [first.id]],
    [{ payment_intent: String(paid['paymentIntent']) }, [second.id]],
  ] as const)
    assert.deepEqual(idsOf(await sessions.list(filter)), found, JSON.stringify(filter))
  // A cursor may be a session that the filter hides.
  assert.deepEqual(idsOf(await sessions.list({ status: 'open', starting_after: second.id })), [first.id])
  await acquirer.control('clock', closer(shop.accountId, 86_400))
  assert.deepEqual(idsOf(await sessions.list({ status: 'expired' })), [first.id])
  for (const [param, filter] of [
    ['status', { status: 'paid' }],
    ['created[after]', { created: { after: 1 } }],
    ['limit', { limit: 0 }],
    ['reference', { reference: 'x' }],
  ] as const)
    assert.equal((await refusal(sessions.list(forbidden(filter)))).param, param)
})

test('line items are returned on request, with the session or separately', async () => {
  const { sessions } = shop.stripe.checkout
  const wanted = terms({
    line_items: [
      item('eur', 500),
      {
        quantity: 3,
        price_data: { currency: 'eur', unit_amount: 250, product_data: { name: 'Broa' } },
      },
    ],
  })
  const plain = await sessions.create(wanted)
  assert.equal(plain.line_items, undefined)
  const { line_items: items } = await sessions.retrieve(plain.id, { expand: ['line_items'] })
  assert.deepEqual(
    items?.data.map(({ object, description, quantity, amount_total: total, currency }) => [
      object,
      description,
      quantity,
      total,
      currency,
    ]),
    [
      ['item', 'Pedido 17', 1, 500, 'eur'],
      ['item', 'Broa', 3, 750, 'eur'],
    ],
  )
  assert.deepEqual(
    [items?.has_more, items?.data[1]?.price?.unit_amount, items?.data[1]?.price?.type],
    [false, 250, 'one_time'],
  )
  const alone = await sessions.listLineItems(plain.id, { limit: 1 })
  assert.deepEqual([alone.data[0]?.id, alone.has_more], [items?.data[0]?.id, true])
  const created = await sessions.create({ ...wanted, expand: ['line_items'] })
  assert.equal(created.line_items?.data.length, 2)
  const listed = await sessions.list({ limit: 2, expand: ['data.line_items'] })
  assert.deepEqual(
    listed.data.map((each) => each.line_items?.data.length),
    [2, 2],
  )
})
