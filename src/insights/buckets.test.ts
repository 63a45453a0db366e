// Medians are read from buckets, within the stated error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/chance.ts'
import { bucketCount, bucketLimits, medianOf, readingError } from './buckets.ts'

function bucketsOf(times: readonly number[]): readonly number[] {
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const time of times) {
    const bucket = bucketLimits.filter((limit) => limit <= BigInt(time)).length
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

test('the limits never change, because the figures that are kept count by them', () => {
  assert.deepEqual(bucketLimits.slice(0, 6), [1000n, 1189n, 1414n, 1682n, 2000n, 2378n])
  assert.deepEqual([bucketLimits.at(-1), bucketCount], [8_388_608_000n, 94])
})

test('a median is within the stated error of the true one', () => {
  const time = fc.integer({ min: 1_000, max: 8_388_607_999 })
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 50 }), (times) => {
      const sorted = times.toSorted((a, b) => a - b)
      const middle = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
      const read = medianOf(bucketsOf(times)) ?? 0
      // A limit is a whole number of milliseconds, and so is what is read.
      assert.ok(read <= middle * (1 + readingError) + 1 && read >= middle / (1 + readingError) - 1)
    }),
  )
  assert.ok(readingError < 0.091)
})

test('times below a second are read as half of it, and without times there is no median', () => {
  assert.equal(medianOf(bucketsOf([3, 400, 999])), 500)
  assert.equal(medianOf(bucketsOf([])), undefined)
})
