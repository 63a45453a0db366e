// What needs no service. test/journeys/medusa-provider.test.ts has the rest, at a running sandbox.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { customerOf } from './customer.ts'
import { services } from './medusa.ts'
import { VintemProvider } from './provider.ts'
import { actionOf, paidOf, sessionStatusOf } from './states.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`
/** Nothing listens there. */
const options = { apiKey: 'vtm_test_x', baseUrl: 'http://127.0.0.1:9', webhookSecret: secret }
const provider = new VintemProvider({}, options)

/** A webhook as Medusa hands it on, signed by the official library. */
function webhook(event: object, { by = secret, at = new Date() } = {}) {
  const id = randomUUID()
  const rawData = Buffer.from(JSON.stringify(event))
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, rawData.toString()),
  }
  return { data: event, rawData, headers }
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)

test('Medusa finds one service, with its identifier and module', () => {
  assert.deepEqual(services, [VintemProvider])
  assert.equal(VintemProvider.identifier, 'vintem')
  assert.equal(provider.getIdentifier(), 'vintem')
})

test('a webhook of something else than a payment of Medusa is not supported', async () => {
  for (const event of [
    { type: 'payment.completed', data: { id: randomUUID(), metadata: { orderId: '7' } } },
    { type: 'payment.completed', data: { id: randomUUID() } },
    { type: 'refund.completed', data: { id: randomUUID(), metadata: { medusaSessionId: 'payses_1' } } },
  ])
    assert.deepEqual(await provider.getWebhookActionAndData(webhook(event)), { action: 'not_supported' })
})

test('a webhook that is forged, changed, too old or parsed is an error', async () => {
  const event = { type: 'ping', data: {} }
  const good = webhook(event)
  const other = `whsec_${Buffer.from('another secret of that length...').toString('base64')}`
  const changed = { ...good, rawData: Buffer.concat([good.rawData, Buffer.from(' ')]) }
  const parsed = { ...good, rawData: event as never }
  const faults = [webhook(event, { by: other }), changed, parsed, webhook(event, { at: ago(3_700) })]
  for (const each of faults)
    await assert.rejects(provider.getWebhookActionAndData(each), { name: 'VintemSignatureError' })
  assert.deepEqual(await provider.getWebhookActionAndData(webhook(event, { at: ago(3_500) })), {
    action: 'not_supported',
  })
})

test('while the secret is rolled, both are accepted', async () => {
  const next = `whsec_${Buffer.from('another secret of that length...').toString('base64')}`
  const rolling = new VintemProvider({}, { ...options, webhookSecret: [secret, next] })
  for (const by of [secret, next])
    assert.deepEqual(await rolling.getWebhookActionAndData(webhook({ type: 'ping', data: {} }, { by })), {
      action: 'not_supported',
    })
})

test('a session without a payment is refused, and deleted without a call', async () => {
  await assert.rejects(provider.authorizePayment({ data: { session_id: 'payses_1' } }), {
    type: 'not_allowed',
  })
  await assert.rejects(provider.initiatePayment({ amount: 1, currency_code: 'brl', data: {} }), {
    type: 'not_allowed',
  })
  assert.deepEqual(await provider.deletePayment({ data: { session_id: 'payses_1' } }), {})
})

test('options that cannot work keep Medusa from starting, and say why', () => {
  VintemProvider.validateOptions({ ...options, capture: 'manual', expiresIn: 600, checkout: 'shop' })
  VintemProvider.validateOptions({ ...options, webhookSecret: [secret, secret] })
  const faults: readonly (readonly [object, RegExp])[] = [
    [{ apiKey: undefined }, /apiKey is missing/],
    [{ webhookSecret: [] }, /webhookSecret is missing/],
    [{ webhookSecret: ['abc'] }, /webhookSecret is whsec_/],
    [{ baseUrl: 'pay.example.com' }, /baseUrl is no address/],
    [{ returnURL: 'https://shop.example.com' }, /there is no option returnURL/],
    [{ capture: 'later' }, /capture is automatic or manual/],
    [{ expiresIn: '1h' }, /expiresIn is a number/],
    [{ checkout: 7 }, /checkout is no text/],
  ]
  for (const [change, reason] of faults)
    assert.throws(() => VintemProvider.validateOptions({ ...options, ...change }), reason)
})

test('each state has its status and its action', () => {
  const states = [
    ['PENDING', 0, 'pending', 'pending'],
    ['WAITING_PAYMENT', 0, 'requires_more', 'requires_more'],
    ['WAITING_PAYMENT', 50, 'requires_more', 'requires_more'],
    ['APPROVED', 0, 'authorized', 'authorized'],
    ['PAID', 100, 'captured', 'captured'],
    ['PAID', 110, 'captured', 'captured'],
    // Of a card, less was captured than authorised.
    ['PAID', 60, 'authorized', 'captured'],
    ['EXPIRED', 0, 'canceled', 'canceled'],
    ['CANCELED', 0, 'canceled', 'canceled'],
    ['FAILED', 0, 'error', 'failed'],
    // Of a later version of the API.
    ['PAUSED', 0, 'pending', 'pending'],
  ] as const
  for (const [status, amountReceived, expected, action] of states) {
    const payment = { status, amount: 100, amountReceived }
    assert.equal(sessionStatusOf(payment), expected, status)
    assert.equal(actionOf(payment), action, status)
  }
})

test('Medusa is told no more than the session is for', () => {
  assert.equal(paidOf({ status: 'PAID', amount: 100, amountReceived: 110 }), 100)
  assert.equal(paidOf({ status: 'PAID', amount: 100, amountReceived: 60 }), 60)
  assert.equal(paidOf({ status: 'APPROVED', amount: 100, amountReceived: 0 }), 100)
})

test('of a customer, only what the API takes is sent', () => {
  assert.deepEqual(customerOf(undefined), {})
  assert.deepEqual(
    customerOf({
      email: 'ana@example.com',
      first_name: 'Ana',
      last_name: 'Souza',
      billing_address: { country_code: 'br' },
    }),
    { customerName: 'Ana Souza', customerEmail: 'ana@example.com', customerCountry: 'BR' },
  )
  assert.deepEqual(customerOf({ email: 'ana', company_name: 'Padaria', first_name: null }), {
    customerName: 'Padaria',
  })
})
