import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { isGenuine, webhookSecretBytes } from './verify-webhook.ts'

const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  body: Buffer.from('{"test": 2432232314}'),
  at: new Date(1_614_265_330_000),
}
const secrets = [webhookSecretBytes(published.secret)]

function after(ms: number): Date {
  return new Date(published.at.getTime() + ms)
}

test('the published vector of Standard Webhooks 1.0.0 is genuine, for five minutes in both directions', () => {
  for (const ms of [-300_000, 0, 300_000]) assert.ok(isGenuine(secrets, published, after(ms)), `${ms} ms`)
  for (const ms of [-300_001, 300_001]) assert.ok(!isGenuine(secrets, published, after(ms)), `${ms} ms`)
})

test('a changed body, id, time, secret or signature is not genuine', () => {
  const with_ = (headers: Record<string, string>) => ({
    ...published,
    headers: { ...published.headers, ...headers },
  })
  const forged = [
    { ...published, body: Buffer.from('{"test": 2432232315}') },
    with_({ 'webhook-id': 'msg_other' }),
    with_({ 'webhook-timestamp': '1614265331' }),
    with_({ 'webhook-timestamp': '1614265330.0' }),
    with_({ 'webhook-timestamp': '' }),
    with_({ 'webhook-signature': 'v1,' }),
    with_({ 'webhook-signature': '' }),
    with_({ 'webhook-signature': published.headers['webhook-signature'].replace('v1,', 'v1a,') }),
    { ...published, headers: {} },
  ]
  for (const message of forged) assert.ok(!isGenuine(secrets, message, published.at))
  assert.ok(!isGenuine([randomBytes(24)], published, published.at))
  assert.ok(!isGenuine([], published, published.at))
})

test('a signature of the official package is genuine, with either of two secrets', () => {
  const secret = randomBytes(24)
  const body = '{"name":"Conceição 日本"}'
  const signature = new Webhook(secret.toString('base64')).sign('evt', published.at, body)
  const headers = {
    'webhook-id': 'evt',
    'webhook-timestamp': '1614265330',
    'webhook-signature': `v1,AAAA v1a,BBBB ${signature}`,
  }
  const message = { headers, body: Buffer.from(body) }
  assert.ok(isGenuine([secret], message, published.at))
  assert.ok(isGenuine([randomBytes(24), secret], message, published.at))
})
