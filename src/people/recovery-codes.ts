// Recovery codes: ten texts on paper for the day on which the phone is gone. Each works once.
import { randomInt } from 'node:crypto'
import type { Tx } from '#/db/client.ts'
import { fingerprintOf, firstKey, type KeyRing } from '#/kernel/secret.ts'
import { writeAudit } from './audit-log.ts'
import * as queries from './factor-queries.ts'
import { refusal } from './refusal.ts'
import { keyedDigests } from './secrets.ts'
import { byUser, lockComplete, methodsOf, requireFresh } from './sessions.ts'
import type { Origin, PeopleDeps, SessionId, UserId } from './user.ts'

const codesCount = 10
const groups = 3
const groupLetters = 4
/** Without letters that are taken for digits: 31, so a code has 59 bits. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/** New codes in place of all others: shown this once. */
export function renewRecoveryCodes(
  { sql, key }: Pick<PeopleDeps, 'sql' | 'key'>,
  origin: Origin,
  sessionId: SessionId,
): Promise<readonly string[]> {
  return sql.begin(async (tx): Promise<readonly string[]> => {
    const session = await lockComplete(tx, sessionId)
    requireFresh(session)
    if (methodsOf(session).length === 0)
      throw refusal('second_factor_needed', 'Add a passkey or an authenticator app first.', {
        extra: { methods: [] },
      })
    const { userId } = session
    const codes = await writeCodes(tx, key, userId)
    await writeAudit(tx, [
      { ...byUser(userId, origin), action: 'user.renew-recovery-codes', subject: `user:${userId}` },
    ])
    return codes
  })
}

/** The first codes of a user, with the first factor. Undefined when there are some. */
export async function firstRecoveryCodes(
  tx: Tx,
  key: KeyRing,
  userId: UserId,
): Promise<readonly string[] | undefined> {
  return (await queries.hasRecoveryCodes(tx, userId)) ? undefined : writeCodes(tx, key, userId)
}

/** Deletes the codes of a user who has no factor any more: codes alone would count as a factor. */
export async function dropCodesOfLastFactor(
  tx: Tx,
  userId: UserId,
  remaining: { readonly passkeys: number; readonly hasTotp: boolean },
): Promise<void> {
  if (methodsOf(remaining).length === 0) await queries.deleteRecoveryCodes(tx, userId)
}

/** Takes a code. False when it is wrong or was used. */
export function useRecoveryCode(tx: Tx, key: KeyRing, userId: UserId, code: string): Promise<boolean> {
  return queries.useRecoveryCode(tx, userId, digestsOf(key, userId, code))
}

async function writeCodes(tx: Tx, key: KeyRing, userId: UserId): Promise<readonly string[]> {
  const codes = Array.from({ length: codesCount }, newCode)
  await queries.replaceRecoveryCodes(
    tx,
    userId,
    codes.flatMap((code) => digestsOf(firstKey(key), userId, code)),
    fingerprintOf(firstKey(key)),
  )
  return codes
}

function newCode(): string {
  const group = () =>
    Array.from({ length: groupLetters }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** People type codes with and without hyphens, and in capitals. */
function digestsOf(key: KeyRing, userId: UserId, code: string): readonly Buffer[] {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return keyedDigests(key, 'recovery-code', `${userId} ${letters}`)
}
