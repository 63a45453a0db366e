import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { EventId } from '#/kernel/id.ts'
import { showWebhookSecret, signatureHeaders } from './sign.ts'

test('the published vector of Standard Webhooks 1.0.0 gives exactly the published signature', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek' as EventId,
    attemptAt: new Date(1_614_265_330_999),
    body: Buffer.from('{"test": 2432232314}'),
    secrets: [Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')],
  })
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('the official verifier accepts our signature and refuses any changed byte', () => {
  const secret = randomBytes(24)
  const body = Buffer.from('{"type":"payment.completed","data":{"customerName":"Conceição 日本"}}')
  const headers = signatureHeaders({ id: 'x' as EventId, attemptAt: new Date(), body, secrets: [secret] })
  const verifier = new Webhook(showWebhookSecret(secret))
  assert.deepEqual(verifier.verify(body, headers), JSON.parse(body.toString()))
  assert.throws(() => verifier.verify(Buffer.concat([body, Buffer.from(' ')]), headers))
  assert.throws(() => verifier.verify(body, { ...headers, 'webhook-id': 'y' }))
  const nextSecond = String(Number(headers['webhook-timestamp']) + 1)
  assert.throws(() => verifier.verify(body, { ...headers, 'webhook-timestamp': nextSecond }))
})

test('while two secrets are in force a receiver with either of them verifies', () => {
  const secrets = [randomBytes(24), randomBytes(24)]
  const body = Buffer.from('{}')
  const headers = signatureHeaders({ id: 'x' as EventId, attemptAt: new Date(), body, secrets })
  for (const secret of secrets) assert.ok(new Webhook(showWebhookSecret(secret)).verify(body, headers))
  assert.throws(() => new Webhook(showWebhookSecret(randomBytes(24))).verify(body, headers))
})
