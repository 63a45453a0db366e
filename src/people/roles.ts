// Who may do what. Roles are per merchant; the operator's permissions are separate. The server checks permissions by these functions, never
// by the name of a role.
import { scopes } from '#/contract/keys.ts'

/** Permissions that no API key can have. */
export const peopleOnly = [
  'templates:read',
  'templates:write',
  'members:read',
  'members:write',
  'audit:read',
  'profile:write',
] as const

/** Everything that a person may do for a merchant: the scopes of API keys, and what only people do. */
export const permissions = [...scopes, ...peopleOnly] as const
export type Permission = (typeof permissions)[number]

export const roles = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'] as const
export type Role = (typeof roles)[number]

/** What a user who is an operator may do in the operator's console. */
export const operatorPermissions = ['operator:read', 'operator:write', 'operator:approve'] as const
export type OperatorPermission = (typeof operatorPermissions)[number]

/** The operator's permissions of a user. */
export function operatorPermissionsOf(user: { readonly isOperator: boolean }): readonly OperatorPermission[] {
  return user.isOperator ? operatorPermissions : []
}

/** A row for each permission: the roles that have it. OWNER and ADMIN have all; only an OWNER makes or changes an OWNER. */
const table: Readonly<Record<Permission, readonly Role[]>> = {
  'payments:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'],
  'payments:write': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT'],
  'wallets:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'VIEWER'],
  'wallets:write': ['OWNER', 'ADMIN', 'FINANCE'],
  'withdrawals:read': ['OWNER', 'ADMIN', 'FINANCE', 'VIEWER'],
  'withdrawals:write': ['OWNER', 'ADMIN', 'FINANCE'],
  'withdrawals:approve': ['OWNER', 'ADMIN', 'FINANCE'],
  'webhooks:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'SUPPORT', 'VIEWER'],
  'webhooks:write': ['OWNER', 'ADMIN', 'DEVELOPER'],
  'requests:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'SUPPORT'],
  'keys:read': ['OWNER', 'ADMIN', 'DEVELOPER'],
  'keys:write': ['OWNER', 'ADMIN', 'DEVELOPER'],
  'subaccounts:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'],
  'subaccounts:write': ['OWNER', 'ADMIN', 'FINANCE'],
  'subaccounts:act': ['OWNER', 'ADMIN'],
  sandbox: ['OWNER', 'ADMIN', 'DEVELOPER'],
  'templates:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'],
  'templates:write': ['OWNER', 'ADMIN', 'DEVELOPER'],
  'members:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'],
  'members:write': ['OWNER', 'ADMIN'],
  'audit:read': ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'VIEWER'],
  'profile:write': ['OWNER', 'ADMIN'],
}

/** What a role may do. */
export function permissionsOf(role: Role): readonly Permission[] {
  return permissions.filter((permission) => table[permission].includes(role))
}

/** Whether a role has a permission. */
export function roleMay(role: Role, permission: Permission): boolean {
  return table[permission].includes(role)
}

/** Whether `text` names a role. */
export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}

/** Who grants: a member by their role, or the operator. */
export type Granter = Role | 'OPERATOR'

/**
 * Whether `granter` may give a person the role `next` instead of `present`. Undefined for `present`: the person is no member yet;
 * for `next`: the person is removed. Nobody grants, changes or removes what they lack themselves.
 */
export function mayGrant(granter: Granter, present: Role | undefined, next: Role | undefined): boolean {
  if (granter === 'OPERATOR') return true
  if (!roleMay(granter, 'members:write')) return false
  return [present, next].every((role) => role === undefined || isWithin(granter, role))
}

/** Whether `role` allows no more than `granter`. An ADMIN may do what an OWNER may, but does not grant it. */
function isWithin(granter: Role, role: Role): boolean {
  if (role === 'OWNER') return granter === 'OWNER'
  return permissionsOf(role).every((permission) => roleMay(granter, permission))
}
