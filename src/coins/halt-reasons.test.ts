import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haltKeys, haltText, readHalt } from './halt-reasons.ts'

test('a reason that is stored is read back as its key and values', () => {
  const reasons = [
    [
      haltText('finality_changed', { block: 7n, was: '0xaa', now: '0xbb' }),
      { key: 'finality_changed', values: { block: '7', was: '0xaa', now: '0xbb' } },
      'block 7 was final as 0xaa and is 0xbb now',
    ],
    [
      haltText('nonce_taken', { nonce: 0n }),
      { key: 'nonce_taken', values: { nonce: '0' } },
      'nonce 0 was taken by a transaction that is not ours',
    ],
    [
      haltText('nonce_unknown', { nonce: 12n }),
      { key: 'nonce_unknown', values: { nonce: '12' } },
      'nonce 12 was never given out here and is taken',
    ],
    [
      haltText('transfer_missing', { transaction: '0xcc' }),
      { key: 'transfer_missing', values: { transaction: '0xcc' } },
      'transaction 0xcc succeeded, but the token did not move as it says',
    ],
  ] as const
  for (const [text, read, expected] of reasons) {
    assert.equal(text, expected)
    assert.deepEqual(readHalt(text), read)
  }
  assert.deepEqual(
    reasons.map(([, { key }]) => key),
    haltKeys,
  )
})

test('any other text has no key', () => {
  for (const text of ['', 'a final block changed', 'nonce 0 was never given out here and is taken, twice'])
    assert.equal(readHalt(text), undefined, text)
})
