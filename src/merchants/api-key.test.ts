import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyLength, scopes } from '#/contract/keys.ts'
import { fc } from '../../test/chance.ts'
import { digestApiKey, newApiKey, parseApiKey, usualScopes } from './api-key.ts'

// Computed outside this code, with Python's zlib.crc32 and hmac.
const testKey = 'vtm_test_a10123456789ABCDEFGHIJKLMNOPQRST1xUxIf'
const liveKey = 'vtm_live_z9abcdefghijklmnopqrstuvwxyz01234JViIX'

test('a key holds its mode and cell', () => {
  assert.deepEqual(parseApiKey(testKey), { mode: 'SANDBOX', cell: 'a1' })
  assert.deepEqual(parseApiKey(liveKey), { mode: 'LIVE', cell: 'z9' })
  assert.deepEqual([testKey.length, liveKey.length], [keyLength, keyLength])
})

test('a key is made with all scopes but those that must be named', () => {
  assert.deepEqual(
    scopes.filter((scope) => !usualScopes.includes(scope)),
    ['keys:write', 'subaccounts:act'],
  )
})

test('a new key is valid, and no two are the same', () => {
  const keys = Array.from({ length: 200 }, () => newApiKey('LIVE', 'b2'))
  for (const key of keys) {
    assert.match(key, /^vtm_live_b2[0-9A-Za-z]{36}$/)
    assert.deepEqual(parseApiKey(key), { mode: 'LIVE', cell: 'b2' })
  }
  assert.equal(new Set(keys).size, keys.length)
})

test('a key with any one character changed is invalid', () => {
  fc.assert(
    fc.property(fc.nat(testKey.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (index, char) => {
      fc.pre(testKey[index] !== char)
      assert.equal(parseApiKey(testKey.slice(0, index) + char + testKey.slice(index + 1)), undefined)
    }),
  )
})

test('text that only resembles a key is invalid', () => {
  for (const text of [
    '',
    'vtm_test_',
    `${testKey} `,
    ` ${testKey}`,
    testKey.toUpperCase(),
    testKey.slice(0, -1),
    testKey + testKey,
  ]) {
    assert.equal(parseApiKey(text), undefined, text)
  }
})

test('the stored digest of a key is its HMAC-SHA256 under the pepper', () => {
  const pepper = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
  const expected = 'f713eaaec0225d470158dab7e65374b92c8c9305944a03a37990c40f09c8b2d6'
  assert.equal(digestApiKey(pepper, testKey).toString('hex'), expected)
})
