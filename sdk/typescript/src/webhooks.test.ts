// Verification of webhooks, with the official library of Standard Webhooks as the other side.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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

type Vector = {
  readonly name: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  /** In seconds since 1970. */
  readonly now: number
  readonly fault: SignatureFault | null
}

// The first is from https://github.com/standard-webhooks/standard-webhooks, "Signature scheme". The other SDKs read the same file.
const vectors = JSON.parse(
  await readFile(new URL('../../webhook-vectors.json', import.meta.url), 'utf8'),
) as readonly Vector[]

test('each vector that all SDKs share is accepted, or refused for its reason', async () => {
  assert.ok(vectors.length > 20)
  for (const { name, body: text, headers, secrets, now, fault } of vectors) {
    const verified = verifyWebhook(text, headers, secrets, { now: now * 1_000 })
    if (fault === null) assert.deepEqual(await verified, JSON.parse(text), name)
    else assert.equal(await faultOf(verified), fault, name)
  }
})

test('the vectors that are accepted are signed as the official library signs', () => {
  for (const { name, body: text, headers, secrets, fault } of vectors) {
    const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((each) =>
      new Headers(headers).get(each),
    )
    if (fault !== null || typeof id !== 'string') continue
    const all = secrets.map((by) => new Webhook(by).sign(id, new Date(Number(at) * 1_000), text))
    assert.ok(
      all.some((signature) => signatures?.split(' ').includes(signature)),
      name,
    )
  }
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

test('an event is newer only with a higher version', () => {
  const event = { data: { id: 'p-1', version: 3 } }
  assert.deepEqual(
    [undefined, 2, 3, 4].map((known) => isNewer(event, known)),
    [true, true, false, false],
  )
})
