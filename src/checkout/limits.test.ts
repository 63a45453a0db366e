import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPageLimits } from './limits.ts'

test('at most 50,000 pairs of page and address are counted, and one that is in use stays', () => {
  const limits = createPageLimits({ perMinute: 0.001, burst: 2 })
  const mine = () => limits.spend('mine', '203.0.113.1')
  assert.deepEqual([mine(), mine()], [0, 0])
  assert.ok(mine() > 0)
  for (let index = 0; index < 60_000; index++) {
    limits.spend(`page-${index}`, '203.0.113.1')
    if (index % 10_000 === 0) assert.ok(mine() > 0, 'it is in use')
  }
  for (let index = 0; index < 50_000; index++) limits.spend(`more-${index}`, '203.0.113.1')
  assert.equal(mine(), 0, 'it was forgotten')
})
