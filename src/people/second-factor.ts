// The second factor: it completes a sign-in, and later shows again that the person is there before something dangerous.
import type { Tx } from '#/db/client.ts'
import type { By } from './audit-entry.ts'
import { writeAudit } from './audit-log.ts'
import { deletePasskeys, deleteRecoveryCodes, deleteTotp } from './factor-queries.ts'
import { usedPasskey } from './passkeys.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { refusal } from './refusal.ts'
import { newToken } from './secrets.ts'
import * as queries from './session-queries.ts'
import type { LockedSession } from './session-queries.ts'
import { noteSignInAddress, byUser, lockComplete, type Method, type SignedIn } from './sessions.ts'
import { isKnownAddress } from './throttle-queries.ts'
import { noteRefusedSignIn, addressKeysOf, countFactorGuess, forgiveGuess } from './throttle.ts'
import { useTotp } from './totp.ts'
import { lockUser } from './user-queries.ts'
import type { Origin, PeopleDeps, SessionId, UserId } from './user.ts'
import { requireUser } from './users.ts'

/** What a person gives as second factor. `passkey`: the browser's answer to `confirmOptions`. */
export type Proof =
  | { readonly totp: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: unknown }

/** Completes the sign-in of a session, which gets a new token. Throws `wrong_second_factor`. */
export function completeSignIn(
  deps: PeopleDeps,
  origin: Origin,
  session: { readonly id: SessionId; readonly userId: UserId },
  proof: Proof,
): Promise<SignedIn> {
  return prove(deps, origin, session, proof, async (tx, locked, method): Promise<SignedIn> => {
    const { id: sessionId, userId } = locked
    const { token, digest } = newToken()
    await queries.completeSession(tx, sessionId, digest)
    await queries.deleteSurplus(tx, userId)
    await noteSignInAddress(tx, deps, userId, origin.address)
    const after = { session: sessionId, method }
    const entry = { ...byUser(userId, origin), subject: `user:${userId}`, after }
    await writeAudit(tx, [{ ...entry, action: 'session.complete' }])
    return { userId, sessionId, token, next: 'done' }
  })
}

/** Renews the second factor of a session for five minutes. Throws `wrong_second_factor`. Returns until when it is fresh. */
export function stepUp(
  deps: PeopleDeps,
  origin: Origin,
  session: { readonly id: SessionId; readonly userId: UserId },
  proof: Proof,
): Promise<{ readonly secondFactorUntil: Date }> {
  return prove(
    deps,
    origin,
    session,
    proof,
    async (tx, locked, method): Promise<{ readonly secondFactorUntil: Date }> => {
      const secondFactorUntil = await queries.renewFactor(tx, locked.id)
      const after = { session: locked.id, method }
      const entry = { ...byUser(locked.userId, origin), subject: `user:${locked.userId}`, after }
      await writeAudit(tx, [{ ...entry, action: 'session.step-up' }])
      return { secondFactorUntil }
    },
    true,
  )
}

async function prove<Result>(
  deps: PeopleDeps,
  origin: Origin,
  session: { readonly id: SessionId; readonly userId: UserId },
  proof: Proof,
  then: (tx: Tx, locked: LockedSession, method: Method) => Promise<Result>,
  isStepUp = false,
): Promise<Result> {
  const { sql, key, site } = deps
  const { address } = origin
  // Codes are few, so guesses at them are counted; a passkey's signature cannot be guessed.
  const guess =
    'passkey' in proof
      ? undefined
      : await countFactorGuess(sql, key, {
          at: session.userId,
          address,
          isKnown: await isKnownAddress(sql, session.userId, addressKeysOf(key, address)),
        })
  let isWrong = false
  const proving = sql.begin(async (tx): Promise<Result> => {
    const locked = isStepUp ? await lockComplete(tx, session.id) : await lockIncomplete(tx, session.id)
    const method = await methodOf(tx, { key, site }, locked, proof)
    if (method === undefined) {
      isWrong = true
      throw refusal('wrong_second_factor', 'This is not right, or was used before: try the next code.')
    }
    if (guess !== undefined) await forgiveGuess(tx, guess)
    return then(tx, locked, method)
  }) as Promise<Result>
  return proving.catch(async (error: unknown) => {
    if (isWrong && !('passkey' in proof)) {
      const how = 'totp' in proof ? ('totp' as const) : ('recovery_code' as const)
      await noteRefusedSignIn(deps, origin, { userId: session.userId, how })
    }
    throw error
  })
}

async function lockIncomplete(tx: Tx, id: SessionId): Promise<LockedSession> {
  const session = await queries.lockSession(tx, id)
  if (session === undefined || session.isComplete)
    throw refusal('no_session', 'The sign-in took too long: begin again.')
  return session
}

/** The method by which the user of the session proved it is them; undefined when it is wrong. */
async function methodOf(
  tx: Tx,
  { key, site }: Pick<PeopleDeps, 'key' | 'site'>,
  { id, userId }: LockedSession,
  proof: Proof,
): Promise<Method | undefined> {
  if ('totp' in proof) return (await useTotp(tx, key, userId, proof.totp)) ? 'totp' : undefined
  if ('recoveryCode' in proof)
    return (await useRecoveryCode(tx, key, userId, proof.recoveryCode)) ? 'recovery_code' : undefined
  const passkey = await usedPasskey(tx, { key, site }, `confirm ${id}`, proof.passkey)
  return passkey?.userId === userId ? 'passkey' : undefined
}

/**
 * Removes all factors of a user who lost them, and ends their sessions: for the operator, who has to know the person. The user then
 * signs in by password or link alone.
 */
export async function removeFactors(
  { sql, tell }: Pick<PeopleDeps, 'sql' | 'tell'>,
  by: By,
  userId: UserId,
): Promise<void> {
  await sql.begin(async (tx) => {
    requireUser(await lockUser(tx, userId))
    const passkeys = await deletePasskeys(tx, userId)
    const hadTotp = await deleteTotp(tx, userId)
    await deleteRecoveryCodes(tx, userId)
    await queries.revokeSessions(tx, userId)
    const before = { passkeys, totp: hadTotp }
    await writeAudit(tx, [{ ...by, action: 'user.remove-factors', subject: `user:${userId}`, before }])
    if (passkeys > 0 || hadTotp) await tell?.(tx, { userId, what: 'FACTOR_REMOVED' })
  })
}
