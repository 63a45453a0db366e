// Challenges for passkeys. We sign them instead of storing them, so that requesting one writes nothing, however often it is requested. A
// challenge is stored when it was answered correctly, so that it is accepted only once.
import { randomBytes } from 'node:crypto'
import type { Sql, Tx } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { equalSecrets, firstKey, sha256, type KeyRing } from '#/kernel/secret.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { insertUsedChallenge } from './factor-queries.ts'
import { keyedDigests } from './secrets.ts'

const randomPart = 16
const instantPart = 8
const lifeMs = 5 * minuteMs

/**
 * What a challenge is for: `sign-in` by anyone, or a session of one user. One that was made for another purpose is refused.
 */
export type Purpose = 'sign-in' | `register ${string}` | `confirm ${string}`

/** A new challenge for five minutes. */
export async function newChallenge(
  sql: Sql | Tx,
  key: KeyRing,
  purpose: Purpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const head = Buffer.alloc(randomPart + instantPart)
  randomBytes(randomPart).copy(head)
  head.writeBigUInt64BE(BigInt(addMs(await readNow(sql), lifeMs).getTime()), randomPart)
  return Uint8Array.from(Buffer.concat([head, ...signaturesOf(firstKey(key), purpose, head)]))
}

/** Whether `text` is a challenge of ours for this purpose, and not too old at `now`. */
export function isChallenge(key: KeyRing, purpose: Purpose, text: string, now: Date): boolean {
  const bytes = Buffer.from(text, 'base64url')
  const head = bytes.subarray(0, randomPart + instantPart)
  if (head.length < randomPart + instantPart) return false
  if (!signaturesOf(key, purpose, head).some((each) => equalSecrets(bytes.subarray(head.length), each)))
    return false
  return head.readBigUInt64BE(randomPart) > BigInt(now.getTime())
}

/** Takes a challenge that was answered rightly. False when it was used before. */
export function takeChallenge(tx: Tx, text: string): Promise<boolean> {
  // Twice its life: a challenge has ended before it is deleted.
  return insertUsedChallenge(tx, sha256(Buffer.from(text, 'base64url')), 2 * lifeMs)
}

function signaturesOf(key: KeyRing, purpose: Purpose, head: Buffer): readonly Buffer[] {
  return keyedDigests(key, 'challenge', `${purpose} ${head.toString('hex')}`)
}
