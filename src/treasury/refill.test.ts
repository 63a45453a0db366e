import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUnitsPerCent as cent } from '#/coins/chain.ts'
import { refillOf } from './refill.ts'

const watermarks = { low: 100n * cent, high: 500n * cent }
const state = (units: bigint, owed: bigint, treasuryUnits: bigint, aged = 0n) => ({
  units: units * cent,
  owed: owed * cent,
  aged: aged * cent,
  treasuryUnits: treasuryUnits * cent,
})

test('nothing is moved while the wallet covers what it owes and the low watermark', () => {
  assert.equal(refillOf(state(100n, 0n, 9_000n), watermarks), 0n)
  assert.equal(refillOf(state(350n, 250n, 9_000n), watermarks), 0n)
})

test('below the low watermark the wallet is filled to the high one, plus what is owed', () => {
  assert.equal(refillOf(state(99n, 0n, 9_000n), watermarks), 401n * cent)
  assert.equal(refillOf(state(0n, 2_000n, 9_000n), watermarks), 2_500n * cent)
})

test('what has waited long counts twice, so that newer payouts cannot use its coins again and again', () => {
  assert.equal(refillOf(state(400n, 2_000n, 9_000n, 1_500n), watermarks), 3_600n * cent)
  assert.equal(refillOf(state(400n, 2_000n, 2_500n, 1_500n), watermarks), 2_500n * cent)
})

test('at most what the treasury has, and only whole cents', () => {
  assert.equal(refillOf(state(0n, 0n, 30n), watermarks), 30n * cent)
  assert.equal(
    refillOf({ units: 0n, owed: 0n, aged: 0n, treasuryUnits: 30n * cent + 7n }, watermarks),
    30n * cent,
  )
  assert.equal(refillOf({ units: 0n, owed: 0n, aged: 0n, treasuryUnits: cent - 1n }, watermarks), 0n)
  assert.equal(refillOf({ units: 0n, owed: 0n, aged: 0n, treasuryUnits: -cent }, watermarks), 0n)
})

test('a high watermark below the low one fills to the low one', () => {
  assert.equal(refillOf(state(0n, 0n, 9_000n), { low: 500n * cent, high: 100n * cent }), 500n * cent)
})
