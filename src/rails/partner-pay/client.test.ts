// The requests that are sent, and what each failure of a call means. The provider is scripted by each test.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { ProviderError } from '#/kernel/error.ts'
import { addMs, minuteMs, systemClock } from '#/kernel/time.ts'
import { failure, success } from '../../../test/rails/partner-pay/wallet.ts'
import { startTestProvider, type Call, type Reply } from '../../../test/rails/provider.ts'
import { errorOf } from '../../../test/rails/rail.ts'
import { createPartnerClient } from './client.ts'

const credentials = { apiKey: 'key0123456789', apiSecret: 'secret0123456789' }

async function clientAt(t: TestContext, reply: (call: Call) => Reply) {
  const provider = await startTestProvider(reply)
  t.after(() => provider.stop())
  const client = createPartnerClient({ apiUrl: `${provider.url}/`, credentials, clock: systemClock })
  t.after(() => client.close())
  return { client, calls: provider.calls }
}

const links = { prepayId: '1', qrContent: 'https://q', universalUrl: 'https://u' }
const order = {
  tradeNo: 'a'.repeat(32),
  amount: 9_007_199_254_740_993n,
  expiresAt: addMs(systemClock.now(), minuteMs),
  description: 'Café "Zero"\\ \u{1f600} 10 €',
  reference: '0190a0b0-c0d0-7000-8000-9000a000b000',
  goodsId: '0190a0b0c0d0700080009000a000b000',
  pageUrl: 'https://pay.example.com/c/token',
}

test('an order contains all required fields, its amount as exact text, and a signature of its bytes', async (t) => {
  const { client, calls } = await clientAt(t, () => success(links))
  const { value } = await client.placeOrder(order)
  assert.equal(value.prepayId, '1')
  const [call] = calls
  assert.ok(call !== undefined)
  assert.equal(call.path, '/binancepay/openapi/v3/order')
  assert.deepEqual(JSON.parse(call.body.toString()), {
    env: { terminalType: 'WEB' },
    merchantTradeNo: order.tradeNo,
    orderAmount: '90071992547409.93',
    currency: 'USDT',
    description: 'Café Zero 10 €',
    goodsDetails: [
      {
        goodsType: '02',
        goodsCategory: 'Z000',
        referenceGoodsId: order.goodsId,
        goodsName: 'Café Zero 10 €',
      },
    ],
    orderExpireTime: order.expiresAt.getTime(),
    passThroughInfo: order.reference,
    returnUrl: order.pageUrl,
    cancelUrl: order.pageUrl,
  })
  const { headers, body } = call
  const [time, nonce] = [headers['binancepay-timestamp'], headers['binancepay-nonce']]
  const expected = createHmac('sha512', credentials.apiSecret)
    .update(`${String(time)}\n${String(nonce)}\n${body.toString('utf8')}\n`)
    .digest('hex')
    .toUpperCase()
  assert.equal(headers['binancepay-signature'], expected)
  assert.equal(headers['binancepay-certificate-sn'], credentials.apiKey)
  assert.equal(headers['content-type'], 'application/json')
})

test('a text of pictures only becomes our reference; a long one is cut; a long page is left out', async (t) => {
  const { client, calls } = await clientAt(t, () => success(links))
  await client.placeOrder({
    ...order,
    description: '\u{1f600}\u{1f600}',
    pageUrl: `https://x/${'a'.repeat(250)}`,
  })
  await client.placeOrder({ ...order, description: 'é'.repeat(400) })
  const [first, second] = calls.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
  assert.equal(first?.['description'], order.reference)
  assert.equal(first?.['returnUrl'], undefined)
  assert.equal(second?.['description'], 'é'.repeat(256))
})

for (const [what, reply, outcome] of [
  ['a refusal of the order', failure('400102'), 'refused'],
  ['a number that is in use', failure('400201'), 'refused'],
  ['a signature that does not hold', { status: 401, body: { code: '400002', msg: 'no' } }, 'unavailable'],
  ['a key that may not do it', { status: 403, body: { code: '400606', msg: 'no' } }, 'unavailable'],
  ['an account that is shut', failure('400203'), 'unavailable'],
  ['the provider does not know', failure('400000', 500), 'unknown'],
  [
    'the gateway is out of order',
    { status: 500, body: { status: 'ERROR', type: 'SYS', code: '100001001' } },
    'unknown',
  ],
  [
    'the gateway denies every call',
    { status: 503, body: { status: 'ERROR', code: '100001001' } },
    'unavailable',
  ],
  ['too many calls', { status: 429, body: '' }, 'unavailable'],
  ['a page instead of an answer', { status: 403, body: '<html>no</html>' }, 'unavailable'],
  ['success without its data', success(null), 'unknown'],
  [
    'success with another status',
    { status: 500, body: { status: 'SUCCESS', code: '000000', data: links } },
    'unknown',
  ],
  ['an answer that is no JSON', { status: 200, body: 'fine' }, 'unknown'],
  ['a connection that is cut', { status: 0, cut: true }, 'unknown'],
] as const) {
  test(`${what}: ${outcome}`, async (t) => {
    const { client } = await clientAt(t, () => reply)
    assert.equal((await errorOf(client.placeOrder(order))).outcome, outcome)
  })
}

test('a text and the page’s address have at most 256 characters', async (t) => {
  const { client, calls } = await clientAt(t, () => success(links))
  const page = (length: number) => 'https://x/'.padEnd(length, 'a')
  for (const length of [256, 257])
    await client.placeOrder({ ...order, description: 'd'.repeat(length), pageUrl: page(length) })
  const sent = calls.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
  assert.deepEqual(
    sent.map(({ description, returnUrl }) => [String(description).length, returnUrl]),
    [
      [256, page(256)],
      [256, undefined],
    ],
  )
})

test('a status from 200 to 299 is success, and without a code of the API the status decides', async (t) => {
  let status = 0
  let body: unknown = { status: 'SUCCESS', code: '000000', data: links }
  const { client } = await clientAt(t, () => ({ status, body }))
  const outcome = async (each: number) => {
    status = each
    return client.placeOrder(order).then(
      () => 'placed',
      (error: unknown) => (error instanceof ProviderError ? error.outcome : 'a fault of ours'),
    )
  }
  for (const [each, expected] of [
    [200, 'placed'],
    [299, 'placed'],
    [300, 'unknown'],
  ] as const)
    assert.equal(await outcome(each), expected, String(each))
  body = { status: 'FAIL', code: '100001001' }
  for (const [each, expected] of [
    [401, 'unavailable'],
    [402, 'unknown'],
    [403, 'unavailable'],
    [404, 'unknown'],
    [418, 'unavailable'],
    [419, 'unknown'],
    [429, 'unavailable'],
    [430, 'unknown'],
    [503, 'unavailable'],
    [504, 'unknown'],
  ] as const)
    assert.equal(await outcome(each), expected, String(each))
})

test('an order that is closed is asked for by its number', async (t) => {
  const { client, calls } = await clientAt(t, () => success(true))
  await client.closeOrder('a')
  assert.deepEqual(
    calls.map(({ path, body }) => [path, body.toString()]),
    [['/binancepay/openapi/order/close', '{"merchantTradeNo":"a"}']],
  )
})

test('a call that took too long is repeated once, with the current time and another nonce', async (t) => {
  let count = 0
  const late = { status: 401, body: { code: '400003', msg: 'Timestamp is outside of the time window.' } }
  const { client, calls } = await clientAt(t, () => ((count += 1) === 1 ? late : success(links)))
  await client.placeOrder(order)
  assert.equal(new Set(calls.map(({ headers }) => headers['binancepay-nonce'])).size, 2)
  const always = await clientAt(t, () => late)
  assert.equal((await errorOf(always.client.placeOrder(order))).outcome, 'unavailable')
  assert.equal(always.calls.length, 2)
})

test('an unknown object is absent, and not an error', async (t) => {
  const { client, calls } = await clientAt(t, () => failure('400202'))
  assert.equal(await client.findOrder({ tradeNo: 'a' }), undefined)
  assert.equal(await client.findOrder({ prepayId: '7' }), undefined)
  assert.equal(await client.findRefund('b'), undefined)
  const other = await clientAt(t, ({ path }) => failure(path.endsWith('/query') ? '400301' : '400202'))
  assert.equal(await other.client.findOrder({ prepayId: '7' }), undefined)
  const refused = await clientAt(t, () => failure('400302'))
  assert.equal((await errorOf(refused.client.findOrder({ tradeNo: 'a' }))).outcome, 'refused')
  assert.deepEqual(
    calls.map(({ path, body }) => [
      path.replace('/binancepay/openapi/', ''),
      JSON.parse(body.toString()) as unknown,
    ]),
    [
      ['v2/order/query', { merchantTradeNo: 'a' }],
      ['v2/order/query', { prepayId: '7' }],
      ['order/refund/query', { refundRequestId: 'b' }],
    ],
  )
})

test('no error contains a secret or a body', async (t) => {
  const { client } = await clientAt(t, () => failure('400102'))
  const { message } = await errorOf(client.placeOrder(order))
  assert.equal(message, 'POST /binancepay/openapi/v3/order: HTTP 400 400102 refused with 400102')
})
