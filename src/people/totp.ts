// Codes of authenticator apps (RFC 6238): six digits that change every 30 seconds. A code is accepted once, and one step early or late.
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { AppError } from '#/kernel/error.ts'
import { seal, unseal, deriveKey, type KeyRing } from '#/kernel/secret.ts'
import { secondMs } from '#/kernel/time.ts'
import { writeAudit } from './audit-log.ts'
import * as queries from './factor-queries.ts'
import { dropCodesOfLastFactor, firstRecoveryCodes } from './recovery-codes.ts'
import { refusal, unknown } from './refusal.ts'
import { renewFactor } from './session-queries.ts'
import { byUser, endOthersAtFirstFactor, lockComplete, requireFresh } from './sessions.ts'
import type { Origin, PeopleDeps, SessionId, UserId } from './user.ts'

const stepSeconds = 30

/** Begins to add an authenticator app: the secret, and the address for its QR code. The app counts once it is confirmed. */
export function beginTotp(
  { sql, key, site }: PeopleDeps,
  sessionId: SessionId,
): Promise<{ readonly secret: string; readonly uri: string }> {
  return sql.begin(async (tx): Promise<{ readonly secret: string; readonly uri: string }> => {
    const session = await lockComplete(tx, sessionId)
    requireFresh(session)
    if (session.hasTotp)
      throw new AppError('invalid_state', 'There is an authenticator app already: remove it first.')
    const secret = generateSecret()
    await queries.writeTotp(tx, session.userId, sealed(key, session.userId, secret))
    return { secret, uri: generateURI({ issuer: site.name, label: session.email, secret }) }
  })
}

/**
 * Confirms an authenticator app by its first code. `recoveryCodes`: shown this once, with the first factor of a user. The session has a
 * fresh second factor from then on.
 */
export function confirmTotp(
  { sql, key, tell }: PeopleDeps,
  origin: Origin,
  sessionId: SessionId,
  code: string,
): Promise<{ readonly recoveryCodes?: readonly string[] }> {
  return sql.begin(async (tx): Promise<{ readonly recoveryCodes?: readonly string[] }> => {
    const session = await lockComplete(tx, sessionId)
    requireFresh(session)
    const { userId } = session
    if (session.hasTotp) throw new AppError('invalid_state', 'The authenticator app was confirmed already.')
    if (!(await takeCode(tx, key, userId, code)))
      throw refusal('wrong_second_factor', 'The code is wrong. Is the clock of your phone right?')
    const recoveryCodes = await firstRecoveryCodes(tx, key, userId)
    const endedSessions = await endOthersAtFirstFactor(tx, session)
    await renewFactor(tx, sessionId)
    const after = { endedSessions }
    await writeAudit(tx, [
      { ...byUser(userId, origin), action: 'user.add-totp', subject: `user:${userId}`, after },
    ])
    await tell?.(tx, { userId, what: 'FACTOR_ADDED' })
    return recoveryCodes === undefined ? {} : { recoveryCodes }
  })
}

/** Removes the authenticator app of the session's user. */
export async function removeTotp(
  { sql, tell }: Pick<PeopleDeps, 'sql' | 'tell'>,
  origin: Origin,
  sessionId: SessionId,
): Promise<void> {
  await sql.begin(async (tx) => {
    const session = await lockComplete(tx, sessionId)
    requireFresh(session)
    const { userId } = session
    if (!session.hasTotp) throw unknown('authenticator app')
    await queries.deleteTotp(tx, userId)
    await dropCodesOfLastFactor(tx, userId, { ...session, hasTotp: false })
    await writeAudit(tx, [
      { ...byUser(userId, origin), action: 'user.remove-totp', subject: `user:${userId}` },
    ])
    await tell?.(tx, { userId, what: 'FACTOR_REMOVED' })
  })
}

/** Takes a code of an app that is confirmed. False when it is wrong, or its step was taken. */
export async function useTotp(tx: Tx, key: KeyRing, userId: UserId, code: string): Promise<boolean> {
  const totp = await queries.selectTotp(tx, userId)
  return totp?.isConfirmed === true && takeCode(tx, key, userId, code)
}

async function takeCode(tx: Tx, key: KeyRing, userId: UserId, code: string): Promise<boolean> {
  const totp = await queries.selectTotp(tx, userId)
  if (totp === undefined) return false
  const secret = unseal(totpKey(key), totpPlace(userId), totp.secret).toString('ascii')
  const step = stepOfCode(secret, code, await readNow(tx))
  return step !== undefined && queries.takeStep(tx, userId, BigInt(step))
}

/** The step of which `code` is the code, at `at`; undefined when it is wrong. `secret` is in Base32. */
export function stepOfCode(secret: string, code: string, at: Date): number | undefined {
  const token = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(token)) return undefined
  const epoch = Math.floor(at.getTime() / secondMs)
  const found = verifySync({ secret, token, epoch, period: stepSeconds, epochTolerance: stepSeconds })
  return found.valid ? Math.floor(epoch / stepSeconds) + found.delta : undefined
}

function sealed(key: KeyRing, userId: UserId, secret: string): Buffer {
  return seal(totpKey(key), totpPlace(userId), Buffer.from(secret, 'ascii'))
}

/** Encrypts the secrets of authenticator apps. */
export function totpKey(key: KeyRing): KeyRing {
  return deriveKey(key, 'people/totp')
}

/** The place to which a user's secret is bound. */
export function totpPlace(userId: UserId): string {
  return `user_totp/secret/${userId}`
}
