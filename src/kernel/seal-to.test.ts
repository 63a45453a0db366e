import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { agree, deriveSealingPair, isSealedTo, openSealed, pairOf, sealTo } from './seal-to.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

test('key agreement gives the values of RFC 7748', () => {
  // §6.1: Alice, Bob, and the secret that they share.
  const alice = pairOf(hex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'))
  const bob = pairOf(hex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'))
  const shared = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'
  assert.equal(
    alice.publicKey.toString('hex'),
    '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a',
  )
  assert.equal(
    bob.publicKey.toString('hex'),
    'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
  )
  assert.equal(agree(alice.privateKey, bob.publicKey).toString('hex'), shared)
  assert.equal(agree(bob.privateKey, alice.publicKey).toString('hex'), shared)
  // §5.2: scalar, coordinate, result. The second coordinate has its highest bit set, which is ignored.
  for (const [scalar, coordinate, result] of [
    [
      'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
      'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
      'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
    ],
    [
      '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
      'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
      '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
    ],
  ] as const)
    assert.equal(agree(pairOf(hex(scalar)).privateKey, hex(coordinate)).toString('hex'), result)
})

test('a public key of low order is refused', () => {
  const { privateKey } = pairOf(randomBytes(32))
  for (const low of ['00'.repeat(32), `01${'00'.repeat(31)}`])
    assert.throws(() => agree(privateKey, hex(low)))
  assert.throws(() => sealTo(Buffer.alloc(32), 'here', Buffer.from('hush')))
})

const pair = deriveSealingPair(Buffer.alloc(32, 7))
const place = 'connection/sealed_refunds/a1-x'

test('what was sealed to a public key is opened by its private key, and each time sealed differently', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.string({ maxLength: 100 }), (bytes, where) => {
      const plain = Buffer.from(bytes)
      const sealed = sealTo(pair.publicKey, where, plain)
      assert.deepEqual(openSealed(pair, where, sealed), plain)
      assert.notDeepEqual(sealTo(pair.publicKey, where, plain), sealed)
    }),
  )
})

test('the pair depends on the whole secret, and on nothing else', () => {
  assert.deepEqual(deriveSealingPair(Buffer.alloc(32, 7)).publicKey, pair.publicKey)
  const other = Buffer.alloc(32, 7)
  other[31] = 8
  assert.notDeepEqual(deriveSealingPair(other).publicKey, pair.publicKey)
})

test('with another key or at another place nothing is opened', () => {
  const sealed = sealTo(pair.publicKey, place, Buffer.from('hush'))
  const stranger = deriveSealingPair(Buffer.alloc(32, 8))
  assert.deepEqual(
    [isSealedTo(pair.publicKey, sealed), isSealedTo(stranger.publicKey, sealed)],
    [true, false],
  )
  assert.throws(() => openSealed(stranger, place, sealed), /another worker's key/)
  assert.throws(() => openSealed({ ...stranger, publicKey: pair.publicKey }, place, sealed))
  assert.throws(() => openSealed(pair, 'connection/sealed_refunds/a1-y', sealed))
})

test('a sealed value with any bit changed, or cut off anywhere, is not opened', () => {
  const sealed = sealTo(pair.publicKey, place, Buffer.from('hush'))
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    // The highest bit of a public key is ignored by X25519: here it is authenticated.
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => openSealed(pair, place, changed), Error, `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length += 1)
    assert.throws(() => openSealed(pair, place, sealed.subarray(0, length)), Error, `${length} bytes`)
  assert.throws(() => openSealed(pair, place, Buffer.concat([sealed, Buffer.of(0)])))
})
