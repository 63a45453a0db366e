// The two scales of an amount: of the books, and of a token's contract.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUnitsPerCent, toBookUnits, toTokenUnits, wholeCents } from './units.ts'

test('an amount of the books is what the contract takes, and back, by its decimals', () => {
  for (const [decimals, raw] of [
    [18, 12_340_000_000_000_000_000n],
    [8, 1_234_000_000n],
    [6, 12_340_000n],
    [2, 1_234n],
  ] as const) {
    assert.deepEqual(toTokenUnits({ decimals }, 1_234n * baseUnitsPerCent), { raw }, String(decimals))
    assert.equal(toBookUnits({ decimals }, { raw }), 1_234n * baseUnitsPerCent, String(decimals))
  }
})

test('the smallest unit of a token with 6 decimals is 10^12, and ten thousand of them are one cent', () => {
  const one = toBookUnits({ decimals: 6 }, { raw: 1n })
  assert.equal(one, 10n ** 12n)
  assert.equal(wholeCents(one * 9_999n), 0n)
  assert.equal(wholeCents(one * 10_000n), 1n)
})

test('an amount that the token cannot hold is refused, and never rounded', () => {
  for (const units of [1n, 10n ** 12n - 1n, 10n ** 12n + 1n, -1n])
    assert.throws(() => toTokenUnits({ decimals: 6 }, units), /are exact with 6 decimals/, String(units))
  assert.deepEqual(toTokenUnits({ decimals: 6 }, 0n), { raw: 0n })
  assert.deepEqual(toTokenUnits({ decimals: 18 }, 1n), { raw: 1n })
})

test('a token that cannot hold a cent, or has more decimals than the books, is no token of ours', () => {
  for (const decimals of [0, 1, 19, 255]) {
    assert.throws(() => toBookUnits({ decimals }, { raw: 1n }), /2 to 18 decimals/, String(decimals))
    assert.throws(() => toTokenUnits({ decimals }, 0n), /2 to 18 decimals/, String(decimals))
  }
})
