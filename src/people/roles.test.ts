// Who may do what, and who may grant it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayGrant, permissions, permissionsOf, roleMay, roles } from './roles.ts'

test('each role may do exactly what the table of the documents says', () => {
  const lacks = (role: (typeof roles)[number]) => permissions.filter((each) => !roleMay(role, each))
  assert.deepEqual(lacks('OWNER'), [])
  assert.deepEqual(lacks('ADMIN'), [])
  assert.deepEqual(lacks('DEVELOPER'), [
    'wallets:write',
    'withdrawals:read',
    'withdrawals:write',
    'withdrawals:approve',
    'subaccounts:write',
    'subaccounts:act',
    'members:write',
    'profile:write',
  ])
  assert.deepEqual(permissionsOf('FINANCE'), [
    'payments:read',
    'payments:write',
    'wallets:read',
    'wallets:write',
    'withdrawals:read',
    'withdrawals:write',
    'withdrawals:approve',
    'subaccounts:read',
    'subaccounts:write',
    'templates:read',
    'members:read',
    'audit:read',
  ])
  assert.deepEqual(permissionsOf('SUPPORT'), [
    'payments:read',
    'payments:write',
    'webhooks:read',
    'requests:read',
    'subaccounts:read',
    'templates:read',
    'members:read',
  ])
  assert.ok(permissionsOf('VIEWER').every((each) => each.endsWith(':read')))
  assert.ok(!roleMay('VIEWER', 'requests:read') && !roleMay('VIEWER', 'keys:read'))
})

test('nobody grants, changes or removes a role that may do more than their own', () => {
  for (const granter of roles)
    for (const present of [undefined, ...roles])
      for (const next of [undefined, ...roles]) {
        const touched = [present, next].filter((each) => each !== undefined)
        const expected =
          granter === 'OWNER' || (granter === 'ADMIN' && touched.every((each) => each !== 'OWNER'))
        assert.equal(mayGrant(granter, present, next), expected, `${granter}: ${present} → ${next}`)
      }
  assert.equal(mayGrant('OPERATOR', 'OWNER', 'VIEWER'), true)
})
