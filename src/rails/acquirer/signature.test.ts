// Stripe-Signature. The expected values were computed apart from our code (openssl dgst -sha256 -hmac).
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { unixSeconds } from '#/kernel/time.ts'
import { verifySignature } from './signature.ts'

// printf '%s' '1794556800.{"id":"evt_1","object":"event","type":"t"}' | openssl dgst -sha256 -hmac 'whsec_test'
const body = Buffer.from('{"id":"evt_1","object":"event","type":"t"}')
const vector = 'aa62261294045c8eee3eee2e68659e09600eeddd838acbc3546cafdffb27238d'
const signedAt = 1794556800
const sign = (secret: string, time: number | string, text = body.toString()) =>
  createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')

const verify = (
  header: string | string[] | undefined,
  more: { secrets?: string[]; at?: number; body?: Buffer } = {},
) =>
  verifySignature(
    {
      headers: header === undefined ? {} : { 'stripe-signature': header },
      body: more.body ?? body,
      receivedAt: unixSeconds(BigInt(more.at ?? signedAt)),
    },
    more.secrets ?? ['whsec_test'],
  )

test('a signature made by another tool is accepted', () => {
  assert.deepEqual(verify(`t=${signedAt},v1=${vector}`), { ok: true, eventId: 'evt_1' })
})

test('any of several signatures by any of several secrets is enough', () => {
  const header = `t=${signedAt}, v1=${'0'.repeat(64)}, v1=${vector}, v0=${'1'.repeat(64)}`
  assert.ok(verify(header, { secrets: ['whsec_new', 'whsec_test'] }).ok)
})

test('of many signatures the first sixteen are compared', () => {
  const among = (before: number) => `t=${signedAt}${`,v1=${'0'.repeat(64)}`.repeat(before)},v1=${vector}`
  assert.deepEqual([verify(among(15)).ok, verify(among(16)).ok], [true, false])
})

test('a forged one is rejected', () => {
  const other = sign('whsec_other', signedAt)
  const headers = [
    undefined,
    '',
    'v1',
    `v1=${vector}`,
    `t=${signedAt}`,
    `t=${signedAt},v1=${other}`,
    // A scheme that is for tests alone.
    `t=${signedAt},v0=${vector}`,
    `t=${signedAt + 1},v1=${vector}`,
    `t=${signedAt},v1=${vector.slice(0, 62)}`,
    `t=${signedAt},v1=${vector}00`,
    `t=${signedAt},v1=${vector}zz`,
    ...['soon', '-1', '123456789012'].map((time) => `t=${time},v1=${sign('whsec_test', time)}`),
    `t=soon,v1=${vector}`,
  ]
  for (const header of headers) assert.equal(verify(header).ok, false, header ?? 'none')
  assert.equal(verify([`t=${signedAt},v1=${vector}`, `t=1,v1=${other}`]).ok, false)
  assert.equal(verify(`t=${signedAt},v1=${vector}`, { body: Buffer.from(`${body.toString()} `) }).ok, false)
  assert.equal(verify(`t=${signedAt},v1=${vector}`, { secrets: [] }).ok, false)
})

test('an old one, or one of the future, is rejected', () => {
  const header = `t=${signedAt},v1=${vector}`
  for (const apart of [-300, 0, 300]) assert.ok(verify(header, { at: signedAt + apart }).ok)
  for (const apart of [-301, 301])
    assert.deepEqual(verify(header, { at: signedAt + apart }), {
      ok: false,
      reason: `it was signed ${apart} s before it came`,
    })
})

test('a signed body that is not an event is rejected', () => {
  for (const text of [
    '',
    '{}',
    '[]',
    '{"id":"evt_1","object":"charge","type":"t"}',
    '{"id":"../x","object":"event","type":"t"}',
  ]) {
    const header = `t=${signedAt},v1=${sign('whsec_test', signedAt, text)}`
    assert.equal(verify(header, { body: Buffer.from(text) }).ok, false, text)
  }
})
