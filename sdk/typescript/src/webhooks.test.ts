// Verification of webhooks, with the official library of Standard Webhooks as the other side.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { isNewer, verifyWebhook, VintemSignatureError, type SignatureFault } from './vintem.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = JSON.stringify({
  id: 'e-1',
  type: 'payment.completed',
  data: { id: 'p-1', version: 3, name: 'São João' },
})

/** As the official library signs. */
function signed(text: string, { by = secret, at = new Date(), id = 'e-1' } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, text),
  }
}

async function faultOf(verified: Promise<unknown>): Promise<SignatureFault | undefined> {
  return verified.then(
    () => undefined,
    (error: unknown) => {
      assert.ok(error instanceof VintemSignatureError)
      return error.reason
    },
  )
}

test('what the official library signs is accepted as text, as bytes and as a buffer, with any kind of headers', async () => {
  const headers = signed(body)
  for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body).buffer])
    assert.equal((await verifyWebhook(raw, headers, secret)).type, 'payment.completed')
  assert.equal((await verifyWebhook(body, new Headers(headers), secret)).id, 'e-1')
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  assert.equal((await verifyWebhook(body, upper, secret)).id, 'e-1')
})

test('the vector of the specification is accepted', async () => {
  // https://github.com/standard-webhooks/standard-webhooks, "Signature scheme": the example of its libraries' tests.
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const vector = await verifyWebhook(
    '{"test": 2432232314}',
    headers,
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    {
      now: 1_614_265_330_000,
    },
  )
  assert.deepEqual(vector, { test: 2_432_232_314 })
})

test('a parsed body is refused, and the reason says what to do', async () => {
  const verified = verifyWebhook(JSON.parse(body) as string, signed(body), secret)
  await assert.rejects(verified, /raw bytes/)
  assert.equal(await faultOf(verifyWebhook(JSON.parse(body) as string, signed(body), secret)), 'parsed_body')
})

test('any change of body, id, time, signature or secret is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json().map((text) => JSON.stringify({ metadata: text })),
      fc.nat({ max: 30 }),
      fc.constantFrom('body', 'id', 'time', 'signature', 'secret'),
      async (text, place, what) => {
        const headers = signed(text)
        assert.equal(await faultOf(verifyWebhook(text, headers, secret)), undefined)
        const now = String(Number(headers['webhook-timestamp']) - 1)
        const flip = (value = '') =>
          value.slice(0, 3 + place) + (value[3 + place] === 'A' ? 'B' : 'A') + value.slice(4 + place)
        const changed = {
          body: verifyWebhook(`${text} `, headers, secret),
          id: verifyWebhook(text, { ...headers, 'webhook-id': 'e-2' }, secret),
          time: verifyWebhook(text, { ...headers, 'webhook-timestamp': now }, secret),
          signature: verifyWebhook(
            text,
            { ...headers, 'webhook-signature': flip(headers['webhook-signature']) },
            secret,
          ),
          secret: verifyWebhook(text, headers, other),
        }
        for (const verified of Object.values(changed)) verified.catch(() => {})
        assert.equal(await faultOf(changed[what]), 'no_match')
      },
    ),
    { numRuns: 50, seed: 20261128 },
  )
})

test('one valid signature of several, by one of several secrets, is enough', async () => {
  const [first, second] = [signed(body, { by: other }), signed(body)]
  const both = {
    ...second,
    'webhook-signature': `v1a,xyz ${first['webhook-signature']} ${second['webhook-signature']}`,
  }
  assert.equal(await faultOf(verifyWebhook(body, both, secret)), undefined)
  assert.equal(await faultOf(verifyWebhook(body, second, [other, secret])), undefined)
})

test('a webhook that is too old, ahead of time, without a header or with a broken secret says which it is', async () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000)
  assert.equal(await faultOf(verifyWebhook(body, signed(body, { at: minutes(-6) }), secret)), 'too_old')
  assert.equal(await faultOf(verifyWebhook(body, signed(body, { at: minutes(6) }), secret)), 'too_new')
  assert.equal(await faultOf(verifyWebhook(body, {}, secret)), 'missing_header')
  assert.equal(await faultOf(verifyWebhook(body, signed(body), 'whsec_!')), 'bad_secret')
  assert.equal(await faultOf(verifyWebhook('no', signed('no'), secret)), 'not_json')
})

test('an event is newer only with a higher version', () => {
  const event = { data: { id: 'p-1', version: 3 } }
  assert.deepEqual(
    [undefined, 2, 3, 4].map((known) => isNewer(event, known)),
    [true, true, false, false],
  )
})
