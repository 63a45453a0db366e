import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDecimal, parseDecimal } from './amount.ts'

test('decimal numbers are read exactly', () => {
  assert.equal(parseDecimal('0.30', 2), 30n)
  assert.equal(parseDecimal('0.3', 2), 30n)
  assert.equal(parseDecimal('12', 2), 1200n)
  assert.equal(parseDecimal('1.5', 4), 15_000n)
  assert.equal(parseDecimal('9999999999999.99', 2), 999_999_999_999_999n)
})

test('a text that is no decimal number, or has too many decimals, is refused', () => {
  for (const text of [
    '',
    '.5',
    '1.',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1,50',
    '1.555',
    ' 1',
    '١',
    '12345678901234',
  ]) {
    assert.equal(parseDecimal(text, 2), undefined, text)
  }
})

test('a number is written in the shortest form that parses to the same number', () => {
  const written = { 15_000: '1.5', 0: '0', 1: '0.0001', 1_000_000: '100', 29_900: '2.99' }
  for (const [count, text] of Object.entries(written)) {
    assert.equal(formatDecimal(BigInt(count), 4), text)
    assert.equal(parseDecimal(text, 4), BigInt(count))
  }
})
