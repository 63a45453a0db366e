// What people may do is what keys may do, and what only people do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopes } from '#/contract/keys.ts'
import { peopleOnly, permissions } from '#/people/roles.ts'

test('each scope of an API key is a permission of people, and each permission that is no scope is for people only', () => {
  assert.deepEqual([...permissions].toSorted(), [...scopes, ...peopleOnly].toSorted())
})
