// The signed-in user, and what each merchant lets the user do.
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { call, type Answer } from './call.ts'
import { ProblemError } from './problem.ts'

export type Session = Answer<'getSession'>
export type Membership = Session['merchants'][number]

/** The session, or null when nobody has signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async () => {
    try {
      return await call('getSession', {})
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 401) return null
      throw error
    }
  },
})

/** The session of a page behind the sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null) throw new Error('this page needs a session')
  return data
}

/** The merchant that the address names. Undefined when the user is not a member of it. */
export function useMembership(): Membership | undefined {
  const merchantId = useParam('merchantId')
  return useSession().merchants.find(({ id }) => id === merchantId)
}

/** The addresses of the user's own pages: among the settings of a merchant, or below `/account` for a user without a merchant. */
export function useUserPages(): { readonly profile: string; readonly security: string } {
  const { merchants } = useSession()
  const home = useMembership() ?? merchants[0]
  const base = home === undefined ? '/account' : `/m/${home.id}/settings`
  return { profile: base, security: `${base}/security` }
}

/** The merchant of a screen that needs a merchant. */
export function useMerchant(): Membership & { readonly may: (permission: string) => boolean } {
  const membership = useMembership()
  if (membership === undefined) throw new Error('this screen needs a merchant')
  return { ...membership, may: (permission) => mayUse(permission, membership) }
}

/**
 * Whether a member may use what needs this permission: the one rule of menu, tabs, palette and screens. What belongs to a sandbox alone is
 * not there for a live merchant.
 */
export function mayUse(needs: string | undefined, member: Pick<Membership, 'mode' | 'permissions'>): boolean {
  if (needs === undefined) return true
  return member.permissions.includes(needs) && (needs !== 'sandbox' || member.mode === 'SANDBOX')
}

/** Reads the session again, after something changed it. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.refetchQueries({ queryKey: sessionQuery.queryKey })
}

// What the user may do in the operator's console. The server refuses everybody but operators.

/** Whether the user may `read`, `write` or `approve` in the console. */
export function useMayOperate(): (what: 'read' | 'write' | 'approve') => boolean {
  const { operatorPermissions } = useSession()
  return (what) => operatorPermissions.includes(`operator:${what}`)
}

// Parameters of the address, as texts.

/** The value of `$name` in the path of the screen; '' where the path has none. */
export function useParam(name: string): string {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  return params[name] ?? ''
}

// The merchant that was last open on this device: the start page leads to it.

const place = 'vintem-merchant'

export function rememberMerchant(id: string): void {
  localStorage.setItem(place, id)
}

/** Undefined when the user has none. */
export function startMerchant(merchants: readonly Membership[]): Membership | undefined {
  const last = localStorage.getItem(place)
  return merchants.find(({ id }) => id === last) ?? merchants[0]
}
