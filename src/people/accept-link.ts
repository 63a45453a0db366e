// Accepting a one-time link: the person joins a merchant, has a new password, or is signed in.
import type { Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { writeAudit } from './audit-log.ts'
import * as queries from './link-queries.ts'
import type { LinkKind, LinkRow } from './link-queries.ts'
import { requireLink } from './links.ts'
import { join, lockGranter, requireMayGrant } from './members.ts'
import { requireGoodPassword, hashPassword } from './password.ts'
import { refusal } from './refusal.ts'
import { digestOfToken } from './secrets.ts'
import { revokeSessions } from './session-queries.ts'
import { byUser, methodsOf, openSession, type SignedIn } from './sessions.ts'
import { forgetAddresses } from './throttle-queries.ts'
import { lockUser, selectFactors, selectUserByEmail, writePassword } from './user-queries.ts'
import type { Origin, PeopleDeps } from './user.ts'
import { insertUser, knownReader, newUserOf } from './users.ts'

export type Acceptance = Origin & {
  readonly token: string
  /** Of a new user. */
  readonly name?: string
  /** Of a new user, and of a reset. */
  readonly password?: string
  /** The request comes from the machine of the server, over its loopback address. */
  readonly isLoopback: boolean
}

/**
 * `sign_in`: a user with this email existed and is now a member. They sign in as usual, because whoever has the invitation may be somebody
 * else.
 */
export type Accepted = { readonly kind: LinkKind } & (
  | SignedIn
  | { readonly userId: SignedIn['userId']; readonly next: 'sign_in' }
)

/** Accepts a link, once. Throws `link_used`; or `bad_password` and `not_from_here`, after which the link can still be used. */
export async function acceptLink(deps: PeopleDeps, acceptance: Acceptance): Promise<Accepted> {
  const { sql } = deps
  const digest = digestOfToken(acceptance.token)
  const unlocked = requireLink(await queries.selectLink(sql, digest))
  if (unlocked.loopbackOnly && !acceptance.isLoopback)
    throw refusal('not_from_here', 'This link works on the machine of the server alone.')
  const prepared = await prepare(deps, unlocked, acceptance)
  return sql.begin(async (tx): Promise<Accepted> => {
    // The user is locked first, then the link: every transaction that locks both does so in this order.
    if (unlocked.userId !== null) await lockUser(tx, unlocked.userId)
    const link = requireLink(await queries.takeLink(tx, digest))
    const { kind } = link
    if (kind === 'INVITATION') return { kind, ...(await joinBy(tx, deps, link, acceptance, prepared)) }
    return { kind, ...(await enterBy(tx, deps, link, acceptance, prepared.hash)) }
  })
}

type Prepared = {
  readonly hash: string | undefined
  /** Absent: the email has a user. */
  readonly user?: ReturnType<typeof newUserOf>
}

/** Checks and hashes the password before the transaction, because that takes long. */
async function prepare(
  { sql, passwordCost }: PeopleDeps,
  link: LinkRow,
  acceptance: Acceptance,
): Promise<Prepared> {
  const { email, kind } = link
  if (kind === 'SIGN_IN') return { hash: undefined }
  const found = await selectUserByEmail(sql, email)
  if (kind === 'INVITATION' && found !== undefined) return { hash: undefined }
  const { password } = acceptance
  if (password === undefined)
    throw refusal('bad_password', 'A password is needed.', {
      faults: [{ pointer: '/password', code: 'missing', message: 'must be given' }],
    })
  if (kind === 'RESET') {
    requireGoodPassword(password, [email, found?.name ?? ''])
    return { hash: await hashPassword(password, passwordCost) }
  }
  const { name = '' } = acceptance
  const user = newUserOf({
    email,
    name,
    ...knownReader(acceptance),
  })
  requireGoodPassword(password, [email, user.name])
  return { hash: await hashPassword(password, passwordCost), user }
}

/** An invitation: the user of the email becomes a member, and is made when there is none. */
async function joinBy(
  tx: Tx,
  deps: PeopleDeps,
  link: LinkRow,
  origin: Origin,
  { hash, user }: Prepared,
): Promise<SignedIn | { readonly userId: SignedIn['userId']; readonly next: 'sign_in' }> {
  const merchantId = must(link.merchantId, 'an invitation is to a merchant')
  const role = must(link.role, 'an invitation is to a role')
  // The member who invited may have lost the right since.
  const maker = { kind: link.madeByKind, id: link.madeBy }
  requireMayGrant(await lockGranter(tx, maker, merchantId), undefined, role)
  const isNew = user !== undefined && (await insertUser(tx, byUser(user.id, origin), user, hash))
  const present = isNew ? user : must(await selectUserByEmail(tx, link.email), 'the email has a user')
  const { id: userId } = present
  if ('disabledAt' in present && present.disabledAt !== null)
    throw new AppError('invalid_state', 'This user is disabled.')
  await join(tx, byUser(userId, origin), { merchantId, userId, role })
  if (!isNew) return { userId, next: 'sign_in' }
  return openSession(tx, deps, origin, { userId, methods: [], hasSecondFactor: false, how: 'link' })
}

/** A reset or a sign-in: opens a session, which still needs the second factor of a user who has one. */
async function enterBy(
  tx: Tx,
  deps: PeopleDeps,
  link: LinkRow,
  origin: Origin,
  hash: string | undefined,
): Promise<SignedIn> {
  const userId = must(link.userId, 'the link is to a user')
  const user = await lockUser(tx, userId)
  if (user === undefined || user.disabledAt !== null) throw gone()
  if (link.kind === 'RESET') {
    await writePassword(tx, userId, must(hash, 'a reset has a password'))
    const endedSessions = await revokeSessions(tx, userId)
    await queries.revokeLinksOf(tx, userId)
    await forgetAddresses(tx, userId)
    const entry = {
      ...byUser(userId, origin),
      subject: `user:${userId}`,
      after: { link: link.id, endedSessions },
    }
    await writeAudit(tx, [{ ...entry, action: 'user.reset-password' }])
  }
  const methods = methodsOf(await selectFactors(tx, userId))
  return openSession(tx, deps, origin, { userId, methods, hasSecondFactor: false, how: 'link' })
}

function gone(): AppError {
  return refusal('link_used', 'This link cannot be used any more.')
}
