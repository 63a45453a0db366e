// Slows down guesses, and locks nobody out. A guess is counted as failed before it is checked, and the count is taken back when it was
// right, so that many guesses at once cannot all pass. Failures from elsewhere do not count against a person at an address from which they
// signed in before: such an address has a count of its own for each person. Passkeys cannot be guessed, and are not counted.
import { type Sql, type Tx, waitForNoDisk } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { minuteMs } from '#/kernel/time.ts'
import { writeAudit } from './audit-log.ts'
import { refusal } from './refusal.ts'
import { keyedDigest, keyedDigests, placeOf } from './secrets.ts'
import * as queries from './throttle-queries.ts'
import type { Limit } from './throttle-queries.ts'
import type { UserId, Origin, PeopleDeps } from './user.ts'

/**
 * What is counted.
 * - `account`: guesses at one email from addresses that its user never used.
 * - `address`: guesses from one address at any email.
 * - `pair`: guesses at one user from an address that this user signed in from.
 * - `factor`, `factor-pair`: the same for codes, of a user by their id.
 * - `reset`: links to a new password that were asked for one email.
 * - `upload`: files of one user that were refused: how many rows of the audit log that makes.
 * - `invitation`, `invitations`: those of one merchant, to one email and to all.
 */
type Counted =
  | 'account'
  | 'address'
  | 'pair'
  | 'factor'
  | 'factor-pair'
  | 'reset'
  | 'upload'
  | 'invitation'
  | 'invitations'

const limits: Readonly<Record<Counted, Omit<Limit, 'key'>>> = {
  account: { free: 10, waitMaxMs: 15 * minuteMs },
  address: { free: 30, waitMaxMs: 15 * minuteMs },
  pair: { free: 10, waitMaxMs: minuteMs },
  factor: { free: 5, waitMaxMs: 15 * minuteMs },
  'factor-pair': { free: 5, waitMaxMs: 2 * minuteMs },
  reset: { free: 3, waitMaxMs: 5 * minuteMs },
  upload: { free: 10, waitMaxMs: 15 * minuteMs },
  invitation: { free: 5, waitMaxMs: 15 * minuteMs },
  invitations: { free: 100, waitMaxMs: 15 * minuteMs },
}

/** A guess that was counted. `own`: counts of this person alone. `shared`: counts that other people's guesses are in too. */
type Guess = { readonly own: readonly Buffer[]; readonly shared: readonly Buffer[] }

type Place = {
  /** The email, or the user's id. */
  readonly at: string
  readonly address: string
  /** The user signed in from this address before. */
  readonly isKnown: boolean
}

/** Counts a guess at a password. Throws `too_many_guesses`, with the time to wait, when it comes too early. */
export function countPasswordGuess(sql: Sql, key: KeyRing, place: Place): Promise<Guess> {
  const { at, address, isKnown } = place
  if (isKnown) return count(sql, { own: [limitOf(key, 'pair', `${at} ${placeOf(address)}`)], shared: [] })
  return count(sql, {
    own: [limitOf(key, 'account', at)],
    shared: [limitOf(key, 'address', placeOf(address))],
  })
}

/** Counts a guess at a code of an app or of recovery. */
export function countFactorGuess(sql: Sql, key: KeyRing, place: Place): Promise<Guess> {
  const { at, address, isKnown } = place
  const own = isKnown ? limitOf(key, 'factor-pair', `${at} ${placeOf(address)}`) : limitOf(key, 'factor', at)
  return count(sql, { own: [own], shared: [] })
}

/** Counts that someone asked for a link to a new password. */
export async function countResetRequest(sql: Sql, key: KeyRing, email: string): Promise<void> {
  await count(sql, { own: [limitOf(key, 'reset', email)], shared: [] })
}

/** Counts an invitation to this email: each is a letter to somebody who did not request it. Throws `rate_limited`. */
export async function countInvitation(
  sql: Sql,
  key: KeyRing,
  { merchantId, email }: { readonly merchantId: MerchantId; readonly email: string },
): Promise<void> {
  const to = limitOf(key, 'invitation', `${merchantId} ${email}`)
  await count(sql, { own: [to], shared: [limitOf(key, 'invitations', merchantId)] }, (retryAfterMs) => {
    const detail = 'Many were invited a short time ago, or this person was several times. Wait a little.'
    return new AppError('rate_limited', detail, { retryAfterMs })
  })
}

/** Counts a refused upload of this user. Whether it has a row in the audit log: ten at once, then one for each wait. */
export function countRefusedUpload(sql: Sql, key: KeyRing, userId: UserId): Promise<boolean> {
  return sql.begin((tx): Promise<boolean> => queries.countFailure(tx, limitOf(key, 'upload', userId)))
}

/** Takes a guess back that was right. */
export async function forgiveGuess(tx: Tx, { own, shared }: Guess): Promise<void> {
  await queries.forgetFailures(tx, own)
  if (shared.length > 0) await queries.takeBackFailure(tx, shared)
}

/** The digests by which an address is remembered: the first is written. */
export function addressKeysOf(key: KeyRing, address: string): readonly Buffer[] {
  return keyedDigests(key, 'known-address', placeOf(address))
}

function limitOf(key: KeyRing, counted: Counted, what: string): Limit {
  return { key: keyedDigest(key, `failures/${counted}`, what), ...limits[counted] }
}

async function count(
  sql: Sql,
  { own, shared }: { readonly own: readonly Limit[]; readonly shared: readonly Limit[] },
  refusalFor = tooManyGuesses,
): Promise<Guess> {
  await sql.begin(async (tx) => {
    // In one order everywhere, so that two guesses do not wait for each other.
    for (const limit of [...own, ...shared].toSorted((a, b) => Buffer.compare(a.key, b.key))) {
      if (await queries.countFailure(tx, limit)) continue
      // What was counted before is rolled back.
      throw refusalFor(await queries.waitOf(tx, limit.key))
    }
  })
  return { own: own.map(({ key }) => key), shared: shared.map(({ key }) => key) }
}

function tooManyGuesses(retryAfterMs: number): AppError {
  return refusal('too_many_guesses', 'Too many attempts failed. Wait, or use a passkey.', { retryAfterMs })
}

// Failed sign-ins in the audit log.
// - Bounded: a row is written for a guess that was checked and was wrong, so there are no more rows than the guesses which are let
//   through: of one user ten at once, then one for each wait, which grows to 15 minutes.
// - An email without a user has no row: anybody could fill the log with such emails. The work for it is the same, so the time of an answer
//   does not say which emails have a user.

/** Notes a wrong password or code. `userId`: undefined for an email without a user. */
export async function noteRefusedSignIn(
  { sql }: Pick<PeopleDeps, 'sql'>,
  { address, requestId }: Origin,
  {
    userId,
    how,
  }: { readonly userId: UserId | undefined; readonly how: 'password' | 'totp' | 'recovery_code' },
): Promise<void> {
  await sql
    .begin(async (tx) => {
      // A row that a crash loses tells of nothing that changed: the answer does not wait for the disk.
      await waitForNoDisk(tx)
      await writeAudit(tx, [
        {
          actor: { kind: 'SYSTEM', id: 'sign-in' },
          address,
          ...given({ requestId }),
          action: 'session.refuse',
          subject: `user:${userId ?? 'nobody'}`,
          after: { how },
        },
      ])
      if (userId === undefined) throw new Nobody()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Nobody)) throw error
    })
}

/** Rolls the row back. */
class Nobody extends Error {
  override name = 'Nobody'
}
