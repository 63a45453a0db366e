// The codes of authenticator apps, by the vectors of the standard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepOfCode } from './totp.ts'

/** RFC 6238, appendix B, SHA-1: the secret is "12345678901234567890"; apps show the last six of the eight digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors = [
  [59, '94287082', 0x1],
  [1_111_111_109, '07081804', 0x23523ec],
  [1_111_111_111, '14050471', 0x23523ed],
  [1_234_567_890, '89005924', 0x273ef07],
  [2_000_000_000, '69279037', 0x3f940aa],
  [20_000_000_000, '65353130', 0x27bc86aa],
] as const

test('codes are those of RFC 6238', () => {
  for (const [seconds, digits, step] of vectors)
    assert.equal(stepOfCode(secret, digits.slice(2), new Date(seconds * 1_000)), step)
})

test('a code is right one step early and one step late, and not two', () => {
  const [seconds, digits, step] = vectors[3]
  const begin = Math.floor(seconds / 30) * 30
  const at = (second: number) => stepOfCode(secret, digits.slice(2), new Date(second * 1_000))
  assert.equal(at(begin - 31), undefined)
  assert.equal(at(begin - 30), step)
  assert.equal(at(begin + 29), step)
  assert.equal(at(begin + 59), step)
  assert.equal(at(begin + 60), undefined)
})

test('what is no code is wrong', () => {
  for (const text of ['', '28708', '2870822', '28708x', '２８７０８２', '287082\n1'])
    assert.equal(stepOfCode(secret, text, new Date(59_000)), undefined)
  assert.equal(stepOfCode(secret, '287 082', new Date(59_000)), 1)
})
