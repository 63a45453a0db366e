// Sessions: what a browser holds is a token of 256 random bits; what we store is its digest. Nothing is kept in memory, so what is
// revoked is refused at the next look-up, in every process.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import type { By } from './audit-entry.ts'
import { writeAudit } from './audit-log.ts'
import { refusal, unknown } from './refusal.ts'
import { permissionsOf, type Permission } from './roles.ts'
import { digestOfToken, newToken } from './secrets.ts'
import * as queries from './session-queries.ts'
import {
  type ListedSession,
  type LockedSession,
  type SessionRow,
  type Watched,
  deleteEnded,
} from './session-queries.ts'
import { isNewAddress, rememberAddress } from './throttle-queries.ts'
import { addressKeysOf } from './throttle.ts'
import type { Origin, PeopleDeps, SessionId, UserId } from './user.ts'
import { adoptReader } from './users.ts'

/** The ways in which a person can give a second factor. */
export type Method = 'totp' | 'passkey' | 'recovery_code'

export type Session = Omit<SessionRow, 'isTouchDue'>

const userAgentMax = 200

/**
 * The session of a token, with its user, memberships and factors, in one query. Once a minute a second query writes that it is used.
 * Undefined when there is no such session, when it has ended or was revoked, or when its user is disabled. While `isComplete` is false, the
 * session may only give the second factor and end.
 */
export async function findSession(
  { sql }: Pick<PeopleDeps, 'sql'>,
  token: string,
): Promise<Session | undefined> {
  const found = await queries.selectSession(sql, digestOfToken(token))
  if (found === undefined) return undefined
  const { isTouchDue, ...session } = found
  if (isTouchDue) await queries.touchSession(sql, session.id)
  return session
}

/** What the session's user may do for a merchant; undefined when the merchant is not theirs. */
export function permissionsFor(session: Session, merchantId: string): readonly Permission[] | undefined {
  const membership = session.memberships.find((each) => each.merchantId === merchantId)
  return membership && permissionsOf(membership.role)
}

/** Those of the sessions that may not go on at their merchant. For what lasts longer than a request, such as a stream. */
export async function findEnded<Each extends Watched>(
  { sql }: Pick<PeopleDeps, 'sql'>,
  watched: readonly Each[],
): Promise<readonly Each[]> {
  const places = await queries.selectEnded(sql, watched)
  return places.flatMap((place) => watched[place] ?? [])
}

/** Whether a second factor was given in this session within the last five minutes, by the database's clock. */
export function hasFreshFactor({ sql }: { readonly sql: Sql | Tx }, id: SessionId): Promise<boolean> {
  return queries.isFactorFresh(sql, id)
}

/** The user's open sessions, the last used first. */
export function listSessions(
  { sql }: Pick<PeopleDeps, 'sql'>,
  userId: UserId,
): Promise<readonly ListedSession[]> {
  return queries.selectSessions(sql, userId)
}

/** Ends one session of a user: their own, or one at another place. 404 when there is none. */
export async function revokeSession(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  userId: UserId,
  id: SessionId,
): Promise<void> {
  await sql.begin(async (tx) => {
    if (!(await queries.revokeSession(tx, userId, id))) throw unknown('session')
    await writeAudit(tx, [
      { ...by, action: 'session.revoke', subject: `user:${userId}`, before: { session: id } },
    ])
  })
}

/**
 * Ends the user's other sessions when this session adds their first factor: those were opened without one, and whoever holds one of them could
 * enrol the next factor. In the transaction that adds it. Returns how many were open.
 */
export async function endOthersAtFirstFactor(tx: Tx, session: LockedSession): Promise<number> {
  if (methodsOf(session).length > 0) return 0
  return queries.revokeSessions(tx, session.userId, session.id)
}

/** Ends all sessions of a user, or all but one. The number that were open. */
export function revokeOtherSessions(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  userId: UserId,
  except?: SessionId,
): Promise<number> {
  return sql.begin(async (tx): Promise<number> => {
    const sessions = await queries.revokeSessions(tx, userId, except)
    const entry = { ...by, action: 'session.revoke-others', subject: `user:${userId}`, before: { sessions } }
    if (sessions > 0) await writeAudit(tx, [entry])
    return sessions
  })
}

/** A session that was opened. `next`: what the person has to do. */
export type SignedIn = {
  readonly userId: UserId
  readonly sessionId: SessionId
  /** For the cookie. It is shown this once. */
  readonly token: string
  readonly next: 'done' | 'second_factor'
  /** Of a second factor. */
  readonly methods?: readonly Method[]
}

type Beginning = {
  readonly userId: UserId
  /** Of a second factor, which is still needed. Empty: the sign-in is complete. */
  readonly methods: readonly Method[]
  readonly hasSecondFactor: boolean
  readonly how: 'password' | 'passkey' | 'link'
}

/** Opens a session, in the transaction that checked who it is. */
export async function openSession(
  tx: Tx,
  deps: Pick<PeopleDeps, 'key' | 'tell'>,
  origin: Origin,
  { userId, methods, hasSecondFactor, how }: Beginning,
): Promise<SignedIn> {
  const { token, digest } = newToken()
  const isComplete = methods.length === 0
  const { address } = origin
  const userAgent = Array.from(origin.userAgent.toWellFormed().replaceAll('\0', ''))
    .slice(0, userAgentMax)
    .join('')
  const sessionId = newId<'session'>()
  const newSession = { id: sessionId, userId, digest, address, userAgent, isComplete, hasSecondFactor }
  await queries.insertSession(tx, newSession)
  await queries.deleteSurplus(tx, userId)
  if (isComplete) await noteSignInAddress(tx, deps, userId, address)
  const after = { session: sessionId, how, isComplete }
  await writeAudit(tx, [
    { ...byUser(userId, origin), action: 'session.open', subject: `user:${userId}`, after },
  ])
  if (isComplete) await adoptReader(tx, byUser(userId, origin), userId, origin)
  const opened = { userId, sessionId, token }
  return isComplete ? { ...opened, next: 'done' } : { ...opened, next: 'second_factor', methods }
}

/** After a complete sign-in: remembers its address, and notifies the user when the address is new. */
export async function noteSignInAddress(
  tx: Tx,
  { key, tell }: Pick<PeopleDeps, 'key' | 'tell'>,
  userId: UserId,
  address: string,
): Promise<void> {
  const addressKeys = addressKeysOf(key, address)
  const isNew = tell !== undefined && (await isNewAddress(tx, userId, addressKeys))
  await rememberAddress(tx, userId, must(addressKeys[0], 'a ring has a key'))
  if (isNew) await tell(tx, { userId, what: 'NEW_ADDRESS', address })
}

/** The user as the actor of what they do themselves. */
export function byUser(userId: UserId, { address, requestId }: Partial<Origin>): By {
  return {
    actor: { kind: 'USER', id: userId },
    ...given({ address, requestId }),
  }
}

/** The ways in which a user can give a second factor: none when they have no factor. */
export function methodsOf(user: { readonly passkeys: number; readonly hasTotp: boolean }): readonly Method[] {
  const factors: readonly Method[] = [
    ...(user.hasTotp ? (['totp'] as const) : []),
    ...(user.passkeys > 0 ? (['passkey'] as const) : []),
  ]
  return factors.length === 0 ? [] : [...factors, 'recovery_code']
}

/** The locked session. Throws `no_session` when it is over, or its sign-in is not complete. */
export async function lockComplete(tx: Tx, id: SessionId): Promise<LockedSession> {
  const session = await queries.lockSession(tx, id)
  if (session === undefined || !session.isComplete)
    throw refusal('no_session', 'The session has ended: sign in again.')
  return session
}

/**
 * Throws unless the session may change how its user signs in: with a factor, it needs a second factor not older than five minutes;
 * without one, a sign-in not older than that.
 */
export function requireFresh(session: LockedSession): void {
  const methods = methodsOf(session)
  if (methods.length > 0 && !session.isFactorFresh)
    throw refusal('second_factor_needed', 'Give your second factor again.', { extra: { methods } })
  if (methods.length === 0 && !session.isSignInFresh)
    throw refusal('sign_in_again', 'Sign in again: your sign-in is older than five minutes.')
}

// The end of what people leave behind: sessions, links, challenges and counts that are over.

const atOnce = 1_000

/**
 * Deletes what has ended:
 * - sessions, used challenges, counts of failures;
 * - links, a week after their end;
 * - addresses that were not used for months, and drafts of templates that nobody saved for as long.
 *
 * At most a thousand rows of each kind: a worker calls it until it returns zero, and again some minutes later. Calls may run at the same
 * time.
 */
export function deleteExpired({ sql }: { readonly sql: Sql }): Promise<number> {
  return deleteEnded(sql, atOnce)
}
