import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { whyOpen } from './sub-account.ts'

test('nothing that is open is no refusal, and one thing is', () => {
  assert.equal(whyOpen([]), undefined)
  const refusal = whyOpen([{ what: 'debt', count: 1, ids: ['BRL'] }])
  assert.ok(refusal instanceof AppError)
  assert.equal(refusal.code, 'invalid_state')
  assert.match(refusal.message, /debts are not repaid: 1\./)
})

test('a number that was counted no further is said to be the least', () => {
  for (const [count, said] of [
    [999, /: 999\./],
    [1_000, /: at least 1000\./],
  ] as const)
    assert.match(whyOpen([{ what: 'payment', count, ids: [] }])?.message ?? '', said)
})
