// What the user may do in the operator's console. The server refuses everybody but operators.
import { useSession } from './session.ts'

/** Whether the user may `read`, `write` or `approve` in the console. */
export function useMayOperate(): (what: 'read' | 'write' | 'approve') => boolean {
  const { operatorPermissions } = useSession()
  return (what) => operatorPermissions.includes(`operator:${what}`)
}
