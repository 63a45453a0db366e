// Passkeys (WebAuthn level 3): a person's device proves itself and checks the person, so a passkey is both factors at once.
import { randomBytes } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Tx, Sql } from '#/db/client.ts'
import { readNow } from '#/db/due.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import { equalSecrets, firstKey, sha256, type KeyRing } from '#/kernel/secret.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { writeAudit } from './audit-log.ts'
import * as queries from './factor-queries.ts'
import { type PasskeyRow, insertUsedChallenge } from './factor-queries.ts'
import { dropCodesOfLastFactor, firstRecoveryCodes } from './recovery-codes.ts'
import { refusal, unknown } from './refusal.ts'
import { keyedDigests } from './secrets.ts'
import { renewFactor } from './session-queries.ts'
import { byUser, endOthersAtFirstFactor, lockComplete, requireFresh } from './sessions.ts'
import { lockUser } from './user-queries.ts'
import type { Origin, PasskeyId, PeopleDeps, SessionId, UserId } from './user.ts'

/** The most passkeys of one user. */
const passkeysMax = 20
const nameMax = 100

/** ES256, RS256 and EdDSA: what authenticators in use have (IANA COSE algorithms). */
const algorithms = [-7, -257, -8]

/** Loaded when somebody first uses a passkey: it takes 5 MiB of every process that knows this file. */
const webAuthn = () => import('@simplewebauthn/server')

type Passkey = Pick<PasskeyRow, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>

/** The user's passkeys, the oldest first. */
export async function listPasskeys(
  { sql }: Pick<PeopleDeps, 'sql'>,
  userId: UserId,
): Promise<readonly Passkey[]> {
  const rows = await queries.selectPasskeys(sql, userId)
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }))
}

/** What the browser needs to make a passkey. Refused for the same reasons as `addPasskey`, so that nobody uses their device in vain. */
export async function passkeyCreation(
  { sql, key, site }: PeopleDeps,
  sessionId: SessionId,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webAuthn()
  return sql.begin(async (tx): Promise<PublicKeyCredentialCreationOptionsJSON> => {
    const session = await lockComplete(tx, sessionId)
    requireFresh(session)
    const present = await queries.selectPasskeys(tx, session.userId)
    requireRoom(present.length)
    return generateRegistrationOptions({
      rpName: site.name,
      rpID: site.rpId,
      userName: session.email,
      userDisplayName: session.name,
      userID: Uint8Array.from(handleOf(session.userId)),
      challenge: await newChallenge(tx, key, `register ${sessionId}`),
      attestationType: 'none',
      excludeCredentials: present.map((each) => ({
        id: each.credentialId.toString('base64url'),
        transports: [...each.transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    })
  })
}

/**
 * Adds the passkey that a browser made. `recoveryCodes`: shown this once, with the first factor of a user. The session has a fresh second
 * factor from then on.
 */
export function addPasskey(
  deps: PeopleDeps,
  origin: Origin,
  sessionId: SessionId,
  { name, response }: { readonly name: string; readonly response: unknown },
): Promise<{ readonly passkey: Passkey; readonly recoveryCodes?: readonly string[] }> {
  const shown = nameOf(name)
  return deps.sql.begin(
    async (tx): Promise<{ readonly passkey: Passkey; readonly recoveryCodes?: readonly string[] }> => {
      const session = await lockComplete(tx, sessionId)
      requireFresh(session)
      requireRoom(session.passkeys)
      const { userId } = session
      const made = await registered(tx, deps, `register ${sessionId}`, response)
      const id = newId<'passkey'>()
      if (!(await queries.insertPasskey(tx, { id, userId, ...made, name: shown })))
        throw new AppError('invalid_state', 'This passkey is registered already.')
      const recoveryCodes = await firstRecoveryCodes(tx, deps.key, userId)
      const endedSessions = await endOthersAtFirstFactor(tx, session)
      await renewFactor(tx, sessionId)
      const after = { passkey: id, name: shown, endedSessions }
      await writeAudit(tx, [
        { ...byUser(userId, origin), action: 'user.add-passkey', subject: `user:${userId}`, after },
      ])
      await deps.tell?.(tx, { userId, what: 'FACTOR_ADDED' })
      const passkey = { id, name: shown, createdAt: await readNow(tx), lastUsedAt: null }
      return { passkey, ...given({ recoveryCodes }) }
    },
  )
}

/** Removes a passkey of the session's user. */
export async function removePasskey(
  { sql, tell }: Pick<PeopleDeps, 'sql' | 'tell'>,
  origin: Origin,
  sessionId: SessionId,
  id: PasskeyId,
): Promise<void> {
  await sql.begin(async (tx) => {
    const session = await lockComplete(tx, sessionId)
    requireFresh(session)
    const { userId } = session
    const name = await queries.deletePasskey(tx, userId, id)
    if (name === undefined) throw unknown('passkey')
    await dropCodesOfLastFactor(tx, userId, { ...session, passkeys: session.passkeys - 1 })
    const before = { passkey: id, name }
    await writeAudit(tx, [
      { ...byUser(userId, origin), action: 'user.remove-passkey', subject: `user:${userId}`, before },
    ])
    await tell?.(tx, { userId, what: 'FACTOR_REMOVED' })
  })
}

/** What the browser needs to sign in by a passkey alone: it finds the user by the passkey. */
export async function signInOptions({
  sql,
  key,
  site,
}: PeopleDeps): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webAuthn()
  const challenge = await newChallenge(sql, key, 'sign-in')
  return generateAuthenticationOptions({ rpID: site.rpId, challenge, userVerification: 'required' })
}

/** What the browser needs to give a passkey of this user as second factor: at the sign-in, and later. */
export async function confirmOptions(
  { sql, key, site }: PeopleDeps,
  { sessionId, userId }: { readonly sessionId: SessionId; readonly userId: UserId },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webAuthn()
  const passkeys = await queries.selectPasskeys(sql, userId)
  return generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: await newChallenge(sql, key, `confirm ${sessionId}`),
    userVerification: 'required',
    allowCredentials: passkeys.map((each) => ({
      id: each.credentialId.toString('base64url'),
      transports: [...each.transports],
    })),
  })
}

/**
 * Uses a passkey: returns the one that answered a challenge of this purpose. Undefined when the answer is wrong in any way: an unknown
 * credential, another origin, no check of the person, a counter that did not grow, a challenge that has ended or was used.
 */
export async function usedPasskey(
  tx: Tx,
  { key, site }: Pick<PeopleDeps, 'key' | 'site'>,
  purpose: Purpose,
  response: unknown,
): Promise<{ readonly id: PasskeyId; readonly userId: UserId } | undefined> {
  if (!isAuthentication(response)) return undefined
  const { verifyAuthenticationResponse } = await webAuthn()
  const credentialId = Buffer.from(response.id, 'base64url')
  const owner = await queries.selectUserOfPasskey(tx, credentialId)
  // The user is locked first, then the passkey: every transaction that locks both does so in this order.
  if (owner === undefined || (await lockUser(tx, owner)) === undefined) return undefined
  const passkey = await queries.selectPasskey(tx, credentialId)
  if (passkey === undefined) return undefined
  const { userHandle } = response.response
  if (userHandle !== undefined && userHandle !== handleOf(passkey.userId).toString('base64url'))
    return undefined
  const { expected, takeAnswered } = expectedOf({ key, site }, purpose, await readNow(tx))
  const verified = await verifyAuthenticationResponse({
    response,
    ...expected,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    // The library throws for whatever is wrong with an answer.
  }).catch(() => undefined)
  if (verified?.verified !== true || !(await takeAnswered(tx))) return undefined
  const { newCounter } = verified.authenticationInfo
  await queries.usePasskey(tx, passkey.userId, passkey.id, BigInt(newCounter))
  return { id: passkey.id, userId: passkey.userId }
}

async function registered(
  tx: Tx,
  { key, site }: PeopleDeps,
  purpose: Purpose,
  response: unknown,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'>> {
  const refused = () => refusal('wrong_second_factor', 'The passkey could not be checked: begin again.')
  if (!isRegistration(response)) throw refused()
  const { verifyRegistrationResponse } = await webAuthn()
  const { expected, takeAnswered } = expectedOf({ key, site }, purpose, await readNow(tx))
  const verified = await verifyRegistrationResponse({
    response,
    ...expected,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined)
  if (verified?.verified !== true || !(await takeAnswered(tx))) throw refused()
  const { credential } = verified.registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: (credential.transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)).slice(0, 10),
  }
}

/**
 * What the library has to find in an answer: a challenge of this purpose, this site, a check of the person. `takeAnswered` uses up the
 * challenge that was answered; false when it was used before.
 */
function expectedOf({ key, site }: Pick<PeopleDeps, 'key' | 'site'>, purpose: Purpose, now: Date) {
  let answered = ''
  const expected = {
    expectedChallenge: (challenge: string) => {
      answered = challenge
      return isChallenge(key, purpose, challenge, now)
    },
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
  }
  return { expected, takeAnswered: (tx: Tx) => takeChallenge(tx, answered) }
}

/** What an authenticator stores as the user: the bytes of the id, which tell nothing about the person. */
function handleOf(userId: UserId): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex')
}

function requireRoom(passkeys: number): void {
  if (passkeys < passkeysMax) return
  throw new AppError('limit_exceeded', `A user has at most ${passkeysMax} passkeys: remove one first.`)
}

function nameOf(name: string): string {
  const text = name.trim()
  if (text !== '' && Array.from(text).length <= nameMax && text.isWellFormed() && !text.includes('\0'))
    return text
  const faults = [{ pointer: '/name', code: 'malformed', message: `must have 1 to ${nameMax} characters` }]
  throw new AppError('invalid_request', 'The request is not well formed.', { faults })
}

/** The library checks the rest, and throws for what is wrong. */
function isAuthentication(value: unknown): value is AuthenticationResponseJSON {
  return isCredential(value) && typeof value.response['authenticatorData'] === 'string'
}

function isRegistration(value: unknown): value is RegistrationResponseJSON {
  return isCredential(value) && typeof value.response['attestationObject'] === 'string'
}

function isCredential(value: unknown): value is { id: string; response: Record<string, unknown> } {
  if (typeof value !== 'object' || value === null) return false
  const { id, response } = value as { id?: unknown; response?: unknown }
  return typeof id === 'string' && typeof response === 'object' && response !== null
}

// Challenges for passkeys. We sign them instead of storing them, so that requesting one writes nothing, however often it is requested. A
// challenge is stored when it was answered correctly, so that it is accepted only once.

const randomPart = 16
const instantPart = 8
const lifeMs = 5 * minuteMs

/**
 * What a challenge is for: `sign-in` by anyone, or a session of one user. One that was made for another purpose is refused.
 */
type Purpose = 'sign-in' | `register ${string}` | `confirm ${string}`

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
