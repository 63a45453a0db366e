import type { Role } from '../../api/generated.ts'
import { useMerchant } from '../../api/session.ts'

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER']

/** The roles that the user may give and take. Whoever may change members has all permissions; only an owner makes an owner. */
export function useGrantable(): readonly Role[] {
  const { role, may } = useMerchant()
  if (!may('members:write')) return []
  return role === 'OWNER' ? roles : roles.filter((each) => each !== 'OWNER')
}
