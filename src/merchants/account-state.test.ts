import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountActs, mayStart, statesOfParents, statesWithoutKeys } from './account-state.ts'

test('a merchant without a parent starts everything, and its sub-account what its state lets it', () => {
  assert.deepEqual(
    accountActs.filter((act) => !mayStart(undefined, act)),
    [],
  )
  assert.equal(mayStart('PENDING', 'withdrawal'), false)
  assert.equal(mayStart('ACTIVE', 'withdrawal'), true)
  assert.equal(mayStart('SUSPENDED', 'payment'), false)
})

test('a closed sub-account alone has no keys, and its money is its parent’s', () => {
  assert.deepEqual(statesWithoutKeys, ['CLOSED'])
  assert.deepEqual(statesOfParents, ['CLOSED'])
})
