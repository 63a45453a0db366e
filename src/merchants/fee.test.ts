// The operator's fees, written by hand from the rule, not from the code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feeOn } from './fee.ts'

/** 0.50 and 1 %. */
const rule = { fixedMinor: 50n, ratePpm: 10_000n }

function feesOf(pieces: readonly bigint[], given = rule): readonly bigint[] {
  let [received, charged] = [0n, 0n]
  return pieces.map((arrived) => {
    const fee = feeOn(given, { received, charged, arrived })
    received += arrived
    charged += fee
    return fee
  })
}

test('one piece pays the fixed part and the rate, fractions dropped', () => {
  assert.deepEqual(feesOf([1_000n]), [60n])
  assert.deepEqual(feesOf([1_099n]), [60n])
  // A millionth is no less than that.
  assert.deepEqual(feesOf([100_000_000n]), [1_000_050n])
  assert.equal(feeOn(undefined, { received: 0n, charged: 0n, arrived: 1_000n }), 0n)
})

test('pieces pay together what the whole pays: the fixed part once, and whole', () => {
  assert.deepEqual(feesOf([1n, 999n]), [1n, 59n])
  assert.deepEqual(feesOf([10n, 10n, 10n, 970n]), [10n, 10n, 10n, 30n])
  assert.deepEqual(feesOf([500n, 500n]), [55n, 5n])
  assert.deepEqual(feesOf([99n, 1n, 99n, 1n]), [50n, 1n, 0n, 1n])
})

test('no piece pays more than its amount, and no fee is refunded', () => {
  assert.deepEqual(feesOf([20n]), [20n])
  assert.deepEqual(feesOf([0n, 0n]), [0n, 0n])
  assert.equal(feeOn(rule, { received: 1_000n, charged: 500n, arrived: 100n }), 0n)
})
