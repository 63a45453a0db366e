import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyOf, toDecimal, toMinor } from './amount.ts'

const refused = { __isMedusaError: true, type: 'not_allowed' }

test('amounts in every form that Medusa gives become the same minor units', () => {
  const raw = { value: '49.90000000000000000', precision: 20 }
  const ofMedusa = { raw, numeric: 49.9 }
  const ofBignumber = { toFixed: () => '49.9' }
  for (const amount of ['49.9', '49.90', ' 49.90 ', 49.9, '4.99e1', '4990E-2', raw, ofMedusa, ofBignumber])
    assert.equal(toMinor(amount, 'BRL'), 4990, JSON.stringify(amount))
})

test('what a float would get wrong is exact', () => {
  // 1.005 × 100 is 100.49999999999999 in floats, 4.35 × 100 is 434.99999999999994, 0.1 + 0.2 is 0.30000000000000004.
  assert.equal(toMinor(1.005, 'BRL'), 101)
  assert.equal(toMinor(4.35, 'EUR'), 435)
  assert.equal(toMinor(0.1 + 0.2, 'USD'), 30)
  assert.equal(toMinor('90071992547409.91', 'BRL'), Number.MAX_SAFE_INTEGER)
  assert.equal(toMinor(1e21 / 1e9, 'USDT'), 100_000_000_000_000)
})

test('more decimals than the currency has are rounded, half away from zero', () => {
  assert.equal(toMinor('12.344999999999999999', 'BRL'), 1234)
  assert.equal(toMinor('12.345', 'BRL'), 1235)
  assert.equal(toMinor('0.005', 'BRL'), 1)
})

test('USDT has the two decimals of the API, not the 18 of the token', () => {
  assert.equal(toMinor('12.34', currencyOf('usdt')), 1234)
})

test('what is no amount, or none that can be paid, is refused', () => {
  const amounts = ['0', '0.004', 0, -1, '-0.01', '', '.', 'ten', '1,5', Number.NaN, Infinity, null, undefined]
  for (const amount of [...amounts, {}, { value: null }, '90071992547409.92', '1e999', '1e-999'])
    assert.throws(() => toMinor(amount, 'BRL'), refused, JSON.stringify(amount))
})

test('currencies are those of the API, in either case', () => {
  assert.deepEqual(['brl', 'EUR', 'usd', 'usdt'].map(currencyOf), ['BRL', 'EUR', 'USD', 'USDT'])
  for (const code of ['jpy', 'toString', '']) assert.throws(() => currencyOf(code), refused, code)
})

test('every amount of the API comes back from its decimal, as text and as a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (minor) => {
      const text = toDecimal(minor, 'BRL')
      assert.match(text, /^\d+\.\d\d$/)
      assert.equal(toMinor(text, 'BRL'), minor)
      // A double has 15 digits for certain.
      if (minor < 1e15) assert.equal(toMinor(Number(text), 'BRL'), minor)
    }),
    { seed: 20261128 },
  )
})
