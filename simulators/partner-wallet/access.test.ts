import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { statusUnder } from '../../test/foreign-host.ts'
import { makeForTests, openForTests } from '../../test/open-for-tests.ts'
import { closer, type Json } from '../kit/harness.ts'
import { fetchAnswer, freshNonce, merchantWith, startTestWallet, terms, type Keys } from './harness.ts'

const wallet = openForTests(startTestWallet)
const shop = makeForTests(() => wallet.merchant())

const path = '/v2/order/query'
const unknownOrder = { merchantTradeNo: 'nobody' }
/** The answer to a call that is let in and finds no order. */
const isIn = '400202'

test('the gateway refuses in one shape, and a call that was understood is refused in another', async () => {
  const out = await shop.call(path, unknownOrder, { signature: 'A'.repeat(128) })
  assert.deepEqual(out.body, { code: '400002', msg: 'Signature for this request is not valid.' })
  const { status, code, errorMessage } = (await shop.call(path, unknownOrder)).body
  assert.deepEqual([status, code, typeof errorMessage], ['FAIL', '400202', 'string'])
})

test('the signature is of the exact bytes, in upper case', async () => {
  const text = '{ "merchantTradeNo" : "n\u00f6body" }'
  assert.equal((await shop.call(path, {}, { text })).body['code'], '400103')
  const sign = (payload: string) => createHmac('sha512', shop.apiSecret).update(payload).digest('hex')
  const [timestamp, nonce] = [`${Date.now()}`, freshNonce()]
  const right = sign(`${timestamp}\n${nonce}\n${text}\n`)
  for (const signature of [
    right,
    sign(`${timestamp}\n${nonce}\n${text}`).toUpperCase(),
    sign(`${timestamp}\n${nonce}\n${JSON.stringify(JSON.parse(text))}\n`).toUpperCase(),
  ])
    assert.equal((await shop.call(path, {}, { text, timestamp, nonce, signature })).body['code'], '400002')
  const good = await shop.call(path, {}, { text, timestamp, nonce, signature: right.toUpperCase() })
  assert.equal(good.body['code'], '400103')
})

test('a key must exist, be well formed, and have the permission', async () => {
  assert.equal((await shop.call(path, unknownOrder, { apiKey: 'x'.repeat(64) })).body['code'], '400004')
  assert.equal((await shop.call(path, unknownOrder, { apiKey: 'not a key!' })).body['code'], '400005')
  const keyTerms = { of: shop.apiKey, permissions: ['refunds'] }
  const refunder = merchantWith(wallet.url, (await wallet.control('merchants', keyTerms)) as Keys)
  assert.equal((await refunder.call('/v3/order', terms())).body['code'], '400606')
  // Of the same merchant: it knows that merchant's orders.
  const { prepayId } = await shop.data('/v3/order', terms())
  assert.equal((await refunder.data(path, { prepayId }))['status'], 'INITIAL')
  const reader = merchantWith(
    wallet.url,
    (await wallet.control('merchants', { of: shop.apiKey, permissions: ['orders'] })) as Keys,
  )
  assert.equal((await reader.call('/order/refund', {})).body['code'], '400606')
})

test('a nonce is 32 letters and serves once', async () => {
  const nonce = freshNonce()
  assert.equal((await shop.call(path, unknownOrder, { nonce })).body['code'], isIn)
  assert.equal((await shop.call(path, unknownOrder, { nonce })).body['code'], '400001')
  assert.equal((await shop.call(path, unknownOrder, { nonce: 'short' })).body['code'], '400001')
  assert.equal((await shop.call(path, unknownOrder, { nonce: '1'.repeat(32) })).body['code'], '400001')
  // A nonce that came with a wrong signature is not used up.
  const other = freshNonce()
  await shop.call(path, unknownOrder, { nonce: other, signature: 'A' })
  assert.equal((await shop.call(path, unknownOrder, { nonce: other })).body['code'], isIn)
})

test('a timestamp outside the window is refused, by the wallet’s clock', async () => {
  await using strict = await startTestWallet({ toleranceMs: 2000 })
  const merchant = await strict.merchant()
  const at = (offMs: number) => merchant.call(path, unknownOrder, { timestamp: `${Date.now() + offMs}` })
  assert.equal((await at(0)).body['code'], isIn)
  assert.equal((await at(-2500)).body['code'], '400003')
  assert.equal((await at(4000)).body['code'], '400003')
  assert.equal((await merchant.call(path, unknownOrder, { timestamp: 'now' })).body['code'], '400003')
  assert.equal(
    (await merchant.call(path, unknownOrder, { timestamp: `${Math.floor(Date.now() / 1000)}` })).body['code'],
    '400003',
  )
  await strict.control('skew', { skewMs: 60_000 })
  assert.equal((await at(0)).body['code'], '400003')
  assert.equal((await at(60_000)).body['code'], isIn)
  // What is ahead of the merchant has no part in it.
  await strict.control('skew', { skewMs: 0 })
  await strict.control('clock', closer(merchant.apiKey, 3600))
  assert.equal((await at(0)).body['code'], isIn)
})

test('a missing header, a body that is no JSON or too large, and a suspended merchant are refused', async () => {
  const bare = await fetchAnswer(`${wallet.url}/binancepay/openapi${path}`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(bare.body['code'], '400001')
  assert.equal((await shop.call(path, {}, { text: '{"a":' })).body['code'], '400008')
  assert.equal((await shop.call(path, {}, { text: '[1]' })).body['code'], '400008')
  assert.equal((await shop.call(path, { a: 'x'.repeat(140_000) })).body['code'], '400104')
  const other = await wallet.merchant()
  await wallet.control(`merchants/${other.apiKey}`, { suspended: true })
  assert.equal((await other.call(path, unknownOrder)).body['code'], '400203')
  await wallet.control(`merchants/${other.apiKey}`, { suspended: false })
  assert.equal((await other.call(path, unknownOrder)).body['code'], isIn)
})

test('what the gateway cannot parse is a system error, and an unknown path is answered without JSON', async () => {
  const url = `${wallet.url}/binancepay/openapi${path}`
  const abnormal = { status: 'ERROR', type: 'SYS', code: '100001001', errorData: 'System abnormality' }
  const json = { 'content-type': 'application/json' }
  for (const init of [
    { method: 'GET' },
    { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } },
    { method: 'POST', body: '', headers: json },
  ] satisfies readonly RequestInit[])
    assert.deepEqual((await fetchAnswer(url, init)).body, abnormal)
  const lost = await fetchAnswer(`${wallet.url}/binancepay/openapi/v9/order`, {
    method: 'POST',
    body: '{}',
    headers: json,
  })
  assert.equal(lost.status, 403)
  assert.match(lost.text, /403 ERROR/)
})

test('control calls are for this machine and this page alone', async () => {
  const url = `${wallet.url}/_sim/merchants`
  const init = { method: 'POST', body: '{}' } as const
  assert.equal((await fetchAnswer(url, { ...init, headers: { origin: 'https://evil.example' } })).status, 403)
  assert.equal((await fetchAnswer(url, { ...init, headers: { origin: wallet.url } })).status, 201)
  const page = (await shop.data('/v3/order', terms()))['checkoutUrl']
  for (const path of [String(page), '/', '/live', '/wallet.css', '/_sim/state'])
    assert.equal(await statusUnder('evil.example', String(new URL(path, wallet.url))), 403, path)
  const form = { method: 'POST', body: new URLSearchParams({ action: 'confirm' }) } as const
  assert.equal(
    (await fetchAnswer(String(page), { ...form, headers: { origin: 'https://evil.example' } })).status,
    403,
  )
})

test('no secret is shown after its creation', async () => {
  const { text } = await fetchAnswer(`${wallet.url}/_sim/state`)
  const events = JSON.stringify(await wallet.events())
  assert.ok(!text.includes(shop.apiSecret) && !events.includes(shop.apiSecret))
  assert.ok(events.includes(shop.apiKey))
})

test('invalid control calls are refused with a reason', async () => {
  const cases: readonly (readonly [string, Json])[] = [
    ['merchants', { name: '' }],
    ['merchants', { permissions: ['everything'] }],
    [`merchants/${shop.apiKey}/webhook`, { url: 'nowhere' }],
    ['webhooks', { mode: 'sometimes' }],
    ['faults', { mode: 'none', times: 0 }],
    ['refunds', { mode: 'maybe' }],
    ['clock', {}],
    ['skew', {}],
    ['certificates', { action: 'burn' }],
    ['payer', { balance: 'much' }],
  ]
  for (const [where, body] of cases) await assert.rejects(wallet.control(where, body), /^Error: 400 /, where)
  for (const where of ['orders/1', 'merchants/none', 'refunds/1'])
    await assert.rejects(wallet.control(where, { action: 'confirm' }), /^Error: 404 /, where)
})
