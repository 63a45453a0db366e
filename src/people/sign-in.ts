// Sign-in by password or by passkey. An unknown account, a wrong password and a disabled user get the same answer after the same work.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { writeAudit } from './audit-log.ts'
import { usedPasskey } from './passkeys.ts'
import { requireGoodPassword, checkPassword, hashPassword } from './password.ts'
import { refusal } from './refusal.ts'
import { newToken } from './secrets.ts'
import { replaceToken, revokeSession as endSession, revokeSessions } from './session-queries.ts'
import { byUser, lockComplete, methodsOf, openSession, requireFresh, type SignedIn } from './sessions.ts'
import { noteRefusedSignIn, addressKeysOf, countPasswordGuess, forgiveGuess } from './throttle.ts'
import * as queries from './user-queries.ts'
import type { Origin, PeopleDeps, SessionId, UserId } from './user.ts'
import { normalEmail } from './users.ts'

/**
 * Signs in by password. `next` is `second_factor` when the user has a passkey or an authenticator app: until it is given, the session may
 * do nothing else. Throws `wrong_credentials`, or `too_many_guesses`.
 */
export async function signInWithPassword(
  deps: PeopleDeps,
  request: Origin & { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const { sql, key, passwordCost } = deps
  const email = normalEmail(request.email)
  const user = await queries.selectForSignIn(sql, email, addressKeysOf(key, request.address))
  const isKnown = user?.isKnownAddress === true
  const guess = await countPasswordGuess(sql, key, { at: email, address: request.address, isKnown })
  const hash = user?.hash ?? undefined
  const { isRight, isOutdated } = await checkPassword(hash, request.password, passwordCost)
  if (user === undefined || hash === undefined || !isRight || user.isDisabled) {
    await noteRefusedSignIn(deps, request, { userId: user?.userId, how: 'password' })
    throw wrong()
  }
  const newer = isOutdated ? await hashPassword(request.password, passwordCost) : undefined
  return sql.begin(async (tx): Promise<SignedIn> => {
    const { userId } = user
    // The password may have changed since it was compared, or the user may be disabled.
    const locked = await queries.lockUser(tx, userId)
    if (locked === undefined || locked.disabledAt !== null) throw wrong()
    if ((await queries.selectHash(tx, userId)) !== hash) throw wrong()
    await forgiveGuess(tx, guess)
    if (newer !== undefined) await queries.rewriteHash(tx, userId, hash, newer)
    const methods = methodsOf(await queries.selectFactors(tx, userId))
    return openSession(tx, deps, request, { userId, methods, hasSecondFactor: false, how: 'password' })
  })
}

/** Signs in by a passkey alone, which is both factors: the browser's answer to `signInOptions`. Throws `wrong_credentials`. */
export function signInWithPasskey(deps: PeopleDeps, origin: Origin, response: unknown): Promise<SignedIn> {
  return deps.sql.begin(async (tx): Promise<SignedIn> => {
    const passkey = await usedPasskey(tx, deps, 'sign-in', response)
    if (passkey === undefined) throw wrong()
    const { userId } = passkey
    const user = await queries.lockUser(tx, userId)
    if (user === undefined || user.disabledAt !== null) throw wrong()
    return openSession(tx, deps, origin, { userId, methods: [], hasSecondFactor: true, how: 'passkey' })
  })
}

/** Signs out: ends the session, complete or not. It does no harm when it has ended. */
export async function signOut(
  { sql }: { readonly sql: Sql },
  origin: Origin,
  session: { readonly id: SessionId; readonly userId: UserId },
): Promise<void> {
  const { id, userId } = session
  await sql.begin(async (tx) => {
    if (!(await endSession(tx, userId, id))) return
    const entry = { ...byUser(userId, origin), subject: `user:${userId}`, before: { session: id } }
    await writeAudit(tx, [{ ...entry, action: 'session.end' }])
  })
}

/**
 * Sets the password of the session's user, ends their other sessions, and gives this one a new token. A user with a factor needs a fresh
 * second factor; one without gives the present password, or has none and signed in within five minutes.
 */
export async function changePassword(
  deps: PeopleDeps,
  origin: Origin,
  session: {
    readonly id: SessionId
    readonly user: { readonly id: UserId; readonly email: string; readonly name: string }
  },
  request: { readonly current?: string; readonly password: string },
): Promise<{ readonly token: string }> {
  const { sql, passwordCost } = deps
  const { id: userId, email, name } = session.user
  requireGoodPassword(request.password, [email, name])
  const present = await queries.selectHash(sql, userId)
  const { current } = request
  const isGiven = current !== undefined
  if (current !== undefined) await requirePresent(deps, origin, { email, present, current })
  const hash = await hashPassword(request.password, passwordCost)
  const { token, digest } = newToken()
  await sql.begin(async (tx) => {
    const locked = await lockComplete(tx, session.id)
    if ((await queries.selectHash(tx, userId)) !== present)
      throw new AppError('invalid_state', 'The password was changed meanwhile.')
    const isBare = methodsOf(locked).length === 0
    if (isBare && present !== undefined && !isGiven)
      throw refusal('present_password', 'Give the present password too.', {
        faults: [{ pointer: '/current', code: 'missing', message: 'must be the present password' }],
      })
    if (!isBare || !isGiven) requireFresh(locked)
    await queries.writePassword(tx, userId, hash)
    const sessions = await revokeSessions(tx, userId, session.id)
    await replaceToken(tx, session.id, digest)
    const entry = { ...byUser(userId, origin), subject: `user:${userId}`, after: { endedSessions: sessions } }
    await writeAudit(tx, [{ ...entry, action: 'user.change-password' }])
  })
  return { token }
}

async function requirePresent(
  { sql, key, passwordCost }: PeopleDeps,
  { address }: Origin,
  given: { readonly email: string; readonly present: string | undefined; readonly current: string },
): Promise<void> {
  // Counted as a guess at the account: a stolen session must not be a way around its limits.
  const guess = await countPasswordGuess(sql, key, { at: given.email, address, isKnown: true })
  const { isRight } = await checkPassword(given.present, given.current, passwordCost)
  if (!isRight)
    throw refusal('present_password', 'The present password is wrong.', {
      faults: [{ pointer: '/current', code: 'wrong', message: 'is not the present password' }],
    })
  await sql.begin((tx) => forgiveGuess(tx, guess))
}

function wrong(): AppError {
  return refusal('wrong_credentials', 'Email or password is wrong.')
}
