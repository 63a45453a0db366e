// The expected signatures are computed here, by the text of the provider's rules, and not by our own code.
import assert from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { testClock } from '#/kernel/time.ts'
import { isSignedBy, signRequest } from './sign.ts'

const credentials = { apiKey: 'abcdef0123456789', apiSecret: 'hush hush hush' }
const at = testClock(new Date(1_754_000_000_123)).now()

test('a request is signed by HMAC-SHA512 over time, nonce and the exact body, in upper-case hex', () => {
  const body = '{"merchantTradeNo":"9825382937292","description":"Café, 10 €"}'
  const nonce = 'abcdefghijklmnopqrstuvwxyzABCDEF'
  const content = `1754000000123\n${nonce}\n${body}\n`
  const expected = createHmac('sha512', 'hush hush hush').update(content, 'utf8').digest('hex').toUpperCase()
  assert.deepEqual(signRequest(credentials, body, at, nonce), {
    'BinancePay-Timestamp': '1754000000123',
    'BinancePay-Nonce': nonce,
    'BinancePay-Certificate-SN': 'abcdef0123456789',
    'BinancePay-Signature': expected,
  })
  assert.match(expected, /^[0-9A-F]{128}$/)
})

test('HMAC-SHA512 is that of RFC 4231, test case 2', () => {
  // The rule names key and data; the RFC gives the result.
  assert.equal(
    createHmac('sha512', 'Jefe').update('what do ya want for nothing?').digest('hex'),
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554' +
      '9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  )
})

test('every request has a nonce of its own, of 32 letters', () => {
  const nonces = Array.from({ length: 200 }, () => signRequest(credentials, '{}', at)['BinancePay-Nonce'])
  assert.equal(new Set(nonces).size, 200)
  for (const nonce of nonces) assert.match(nonce ?? '', /^[A-Za-z]{32}$/)
})

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** As the provider signs: RSA PKCS #1 v1.5 with SHA-256, in base64. */
function signedByProvider(body: string | Buffer, timestamp = '1754000000123', nonce = 'N'.repeat(32)) {
  const signer = createSign('RSA-SHA256')
  signer.update(`${timestamp}\n${nonce}\n`)
  signer.update(body)
  signer.update('\n')
  return { timestamp, nonce, signature: signer.sign(privateKey, 'base64') }
}

test('a callback is accepted when the provider signed its raw bytes', () => {
  // Spaces, order and digits that no JSON writer of ours would produce.
  const body = Buffer.from('{ "bizId": 29383937493038367292,"bizStatus":"PAY_SUCCESS" }')
  assert.equal(isSignedBy(publicKey, signedByProvider(body), body), true)
})

test('a callback is rejected when a byte, the time or the nonce differs, or another key signed it', () => {
  const body = Buffer.from('{"bizId":29383937493038367292}')
  const signed = signedByProvider(body)
  const written = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
  assert.notDeepEqual(written, body)
  const others = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const refused = [
    isSignedBy(publicKey, signed, written),
    isSignedBy(publicKey, signed, Buffer.concat([body, Buffer.from('\n')])),
    isSignedBy(publicKey, { ...signed, timestamp: '1754000000124' }, body),
    isSignedBy(publicKey, { ...signed, nonce: 'M'.repeat(32) }, body),
    isSignedBy(publicKey, { ...signed, signature: '' }, body),
    isSignedBy(publicKey, { ...signed, signature: 'AAAA' }, body),
    isSignedBy(others, signed, body),
  ]
  assert.deepEqual(
    refused,
    refused.map(() => false),
  )
})
