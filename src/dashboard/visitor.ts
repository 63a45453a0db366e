// Who uses the dashboard, by the session of the request. The session is looked up for each request, so a revoked one ends at once.
import type { FastifyRequest } from 'fastify'
import { AppError } from '#/kernel/error.ts'
import { findSession, methodsOf, type Method, type Session } from '#/people/sessions.ts'
import type { DashboardDeps } from './deps.ts'
import { sessionCookie } from './session-cookie.ts'

export type Visitor = Session & {
  /** The second factors that the user has. */
  readonly factors: readonly Method[]
  /** Whether VINTEM_SANDBOX is on here: see isSandboxAsWhole. */
  readonly isSandboxHere: boolean
}

/** Looks a session up by the token of its cookie. Undefined: there is none, or it has ended. */
export type FindVisitor = (request: FastifyRequest) => Promise<Visitor | undefined>

export function createFindVisitor({
  people,
  origin,
  isSandboxHere,
}: Pick<DashboardDeps, 'people' | 'origin' | 'isSandboxHere'>): FindVisitor {
  const cookie = sessionCookie(origin)
  return async (request) => {
    const token = cookie.read(request)
    const session = token === undefined ? undefined : await findSession(people, token)
    return session === undefined ? undefined : { ...session, factors: methodsOf(session), isSandboxHere }
  }
}

/** 401 unless somebody has signed in completely. */
export async function requireVisitor(find: FindVisitor, request: FastifyRequest): Promise<Visitor> {
  const visitor = await find(request)
  if (visitor?.isComplete !== true) throw signInFirst()
  return visitor
}

export function signInFirst(): AppError {
  return new AppError('unauthenticated', 'Sign in first.')
}

/** 403 unless the permission is among these. */
export function requirePermission(permissions: ReadonlySet<string>, permission: string | undefined): void {
  if (permission === undefined || permissions.has(permission)) return
  throw new AppError('forbidden', `Your role does not have the permission ${permission}.`, {
    extra: { permission },
  })
}
