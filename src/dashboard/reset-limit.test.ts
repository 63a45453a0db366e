// How often one network may ask for links to a new password.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppError } from '#/kernel/error.ts'
import { hourMs } from '#/kernel/time.ts'
import { createResetLimit } from './reset-limit.ts'

/** A limit at a time that the test sets, and how often an address is let through before it is refused. */
function limitAt() {
  const clock = { nowMs: 5_000 }
  const resets = createResetLimit(() => clock.nowMs)
  const refusalOf = (address: string): AppError | undefined => {
    try {
      resets.spend(address)
      return undefined
    } catch (error) {
      return error as AppError
    }
  }
  const passing = (address: string) => {
    let passed = 0
    while (passed < 99 && refusalOf(address) === undefined) passed += 1
    return passed
  }
  return { clock, refusalOf, passing }
}

test('a network asks twenty times within an hour from its first request, and is told when to come back', () => {
  const { clock, refusalOf, passing } = limitAt()
  assert.equal(passing('203.0.113.7'), 20)
  assert.equal(passing('203.0.113.8'), 20)
  clock.nowMs += hourMs - 1
  const { code, retryAfterMs } = refusalOf('203.0.113.7') ?? assert.fail('it was let through')
  assert.deepEqual([code, retryAfterMs], ['rate_limited', 1])
  clock.nowMs += 1
  assert.equal(passing('203.0.113.7'), 20)
})

test('many other networks do not make it forget one', () => {
  const { refusalOf, passing } = limitAt()
  assert.equal(passing('203.0.113.7'), 20)
  for (let nth = 0; nth < 9_999; nth += 1)
    assert.equal(refusalOf(`10.0.${Math.floor(nth / 250)}.${nth % 250}`), undefined)
  assert.notEqual(refusalOf('203.0.113.7'), undefined)
})
