import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { eventually } from '../../test/eventually.ts'
import { forbidden } from '../../test/forbidden.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { startReceiver, startTestAcquirer, terms } from './harness.ts'

const acquirer = openForTests(startTestAcquirer)

async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return error
}

test('an account’s endpoints are made, listed, changed and removed, and each secret is shown once', async () => {
  const { stripe } = await acquirer.account()
  const { webhookEndpoints } = stripe
  const url = 'https://shop.example.com/hook'
  const made = await webhookEndpoints.create({
    url,
    enabled_events: ['charge.succeeded'],
    description: 'First',
    metadata: { shop: '7', floor: '2' },
  })
  assert.match(made.secret ?? '', /^whsec_/)
  assert.deepEqual(
    [made.object, made.status, made.metadata],
    ['webhook_endpoint', 'enabled', { shop: '7', floor: '2' }],
  )
  const second = await webhookEndpoints.create({ url, enabled_events: ['*'] })
  const listed = await webhookEndpoints.list()
  assert.deepEqual(
    listed.data.map(({ id, secret }) => [id, secret]),
    [
      [second.id, undefined],
      [made.id, undefined],
    ],
  )
  const changed = await webhookEndpoints.update(made.id, {
    url: `${url}/new`,
    enabled_events: ['charge.failed', 'charge.refunded'],
    description: '',
    metadata: { floor: '' },
    disabled: true,
  })
  assert.deepEqual(
    [changed.url, changed.enabled_events, changed.description, changed.metadata, changed.status],
    [`${url}/new`, ['charge.failed', 'charge.refunded'], null, { shop: '7' }, 'disabled'],
  )
  assert.deepEqual(await webhookEndpoints.retrieve(made.id).then(({ status }) => status), 'disabled')
  assert.deepEqual(await webhookEndpoints.update(made.id, {}).then(({ url: kept }) => kept), `${url}/new`)
  assert.equal((await webhookEndpoints.del(second.id)).deleted, true)
  assert.equal((await refusal(webhookEndpoints.retrieve(second.id))).statusCode, 404)
  const other = await acquirer.account()
  assert.equal((await refusal(other.stripe.webhookEndpoints.update(made.id, {}))).statusCode, 404)
  assert.deepEqual((await other.stripe.webhookEndpoints.list()).data, [])
})

test('an endpoint without an address or events is refused', async () => {
  const { stripe } = await acquirer.account()
  const right = { url: 'https://shop.example.com/hook', enabled_events: ['*'] } as const
  for (const [param, terms] of [
    ['url', { ...right, url: 'shop.example.com' }],
    ['url', { enabled_events: ['*'] }],
    ['enabled_events', { url: right.url }],
    ['enabled_events[1]', { ...right, enabled_events: ['charge.failed', 'charges'] }],
    ['secret', { ...right, secret: 'whsec_x' }],
  ] as const)
    assert.equal((await refusal(stripe.webhookEndpoints.create(forbidden(terms)))).param, param)
})

test('a disabled endpoint gets nothing; enabled again, it gets what happens from then on', async () => {
  const { stripe } = await acquirer.account()
  await using receiver = await startReceiver()
  const made = await stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['checkout.session.completed'],
  })
  const pay = async () => {
    const { id } = await stripe.checkout.sessions.create(terms())
    await acquirer.control('pay', { session: id, card: 'success' })
    return id
  }
  await stripe.webhookEndpoints.update(made.id, { disabled: true })
  await pay()
  await stripe.webhookEndpoints.update(made.id, { disabled: false })
  const paid = await pay()
  await eventually('a webhook comes', () => receiver.received[0])
  assert.deepEqual(
    receiver.received.map(({ event }) => (event.data.object as { id: string }).id),
    [paid],
  )
})
