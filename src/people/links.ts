// One-time links: an invitation to a merchant, a new password, and the sign-in of `npm start`. A link is a token of 256 random bits, of
// which we keep the digest. Of two people who accept a link at once, one succeeds.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { hourMs } from '#/kernel/time.ts'
import type { By } from './audit-entry.ts'
import { writeAudit } from './audit-log.ts'
import * as queries from './link-queries.ts'
import type { LinkKind, LinkRow } from './link-queries.ts'
import { selectRole } from './member-queries.ts'
import { granterOf, requireMayGrant } from './members.ts'
import { refusal, unknown } from './refusal.ts'
import type { Role } from './roles.ts'
import { digestOfToken, newToken } from './secrets.ts'
import { countInvitation, countResetRequest } from './throttle.ts'
import { lockUser, selectUserByEmail } from './user-queries.ts'
import type { LinkId, PeopleDeps, UserId } from './user.ts'
import { emailOf, normalEmail, requireUser } from './users.ts'

const lifeMs = {
  INVITATION: 7 * 24 * hourMs,
  RESET: hourMs,
  SIGN_IN: hourMs,
} as const satisfies Record<LinkKind, number>

/** The most invitations of a merchant that are open. */
const invitationsMax = 100

/** A link that was made. `token` is shown this once; the caller makes the address of it. */
export type MadeLink = {
  readonly id: LinkId
  readonly token: string
  readonly email: string
  readonly endsAt: Date
}

/**
 * Invites a person to a merchant. Whoever invites must be able to do at least as much as the role; this is checked again when the
 * invitation is accepted. An earlier open invitation of this email to this merchant ends. A user may send only so many invitations in a
 * time (429); commands have no such limit.
 */
export async function createInvitation(
  { sql, key }: Pick<PeopleDeps, 'sql'> & { readonly key?: KeyRing },
  by: By,
  request: { readonly merchantId: MerchantId; readonly email: string; readonly role: Role },
): Promise<MadeLink> {
  const email = emailOf(request.email)
  const { merchantId, role } = request
  if (key !== undefined && by.actor.kind === 'USER') await countInvitation(sql, key, { merchantId, email })
  return sql.begin(async (tx): Promise<MadeLink> => {
    if (!(await queries.lockInvitations(tx, merchantId))) throw unknown('merchant')
    requireMayGrant(await granterOf(tx, by.actor, merchantId), undefined, role)
    const user = await selectUserByEmail(tx, email)
    if (user !== undefined && (await selectRole(tx, merchantId, user.id)) !== undefined)
      throw new AppError('invalid_state', 'This person is a member already.')
    await queries.deleteInvitationsTo(tx, merchantId, email)
    if ((await queries.selectInvitations(tx, merchantId, invitationsMax)).length >= invitationsMax)
      throw new AppError('limit_exceeded', `A merchant has at most ${invitationsMax} open invitations.`)
    const made = await insert(tx, by, { kind: 'INVITATION', email, merchantId, role })
    const entry = { ...by, action: 'invitation.create', subject: `invitation:${made.id}`, merchantId }
    await writeAudit(tx, [{ ...entry, after: { email, role } }])
    return made
  })
}

export type Invitation = Pick<LinkRow, 'id' | 'email' | 'madeBy' | 'createdAt' | 'endsAt'> & {
  readonly role: Role
}

/** The open invitations of a merchant, the newest first: at most a hundred. */
export async function listInvitations(
  { sql }: Pick<PeopleDeps, 'sql'>,
  merchantId: MerchantId,
): Promise<readonly Invitation[]> {
  const rows = await queries.selectInvitations(sql, merchantId, invitationsMax)
  return rows.flatMap(({ id, email, madeBy, createdAt, endsAt, role }) =>
    role === null ? [] : [{ id, email, madeBy, createdAt, endsAt, role }],
  )
}

/** Withdraws an open invitation. 403 for a role that the caller may not grant, 404 when there is none. */
export async function revokeInvitation(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: LinkId },
): Promise<void> {
  await sql.begin(async (tx) => {
    const revoked = await queries.revokeInvitation(tx, merchantId, id)
    if (revoked === undefined) throw unknown('invitation')
    requireMayGrant(await granterOf(tx, by.actor, merchantId), undefined, revoked.role)
    const entry = { ...by, action: 'invitation.revoke', subject: `invitation:${id}`, merchantId }
    await writeAudit(tx, [{ ...entry, before: revoked }])
  })
}

/**
 * A link to a new password, for a person who requested it by their email. It is sent there and shown to nobody. Undefined when there is no
 * such user, or the user is disabled. The person must not learn this, so the caller answers without waiting, and the time of the answer
 * does not reveal it either. Links that were sent before work until one of them is used. Throws `too_many_guesses`.
 */
export async function requestReset(
  { sql, key }: Pick<PeopleDeps, 'sql' | 'key'>,
  by: Omit<By, 'actor'>,
  email: string,
): Promise<MadeLink | undefined> {
  const normal = normalEmail(email)
  await countResetRequest(sql, key, normal)
  const user = await selectUserByEmail(sql, normal)
  if (user === undefined || user.disabledAt !== null) return undefined
  // Whoever asked has not shown who they are: they do not end a link that was sent before.
  return linkTo(sql, { ...by, actor: { kind: 'SYSTEM', id: 'reset-request' } }, user.id, 'RESET', true)
}

/**
 * A link to a new password for a user, which an operator hands to a person they know. Whoever has the link can sign in as the user, except
 * for the second factor; so members cannot make one for each other. An earlier link of the user ends.
 */
export function createReset({ sql }: Pick<PeopleDeps, 'sql'>, by: By, userId: UserId): Promise<MadeLink> {
  return linkTo(sql, by, userId, 'RESET')
}

/** The link of `npm start`: it signs in, once, within an hour, and from this machine alone. */
export function createSignInLink(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  userId: UserId,
): Promise<MadeLink> {
  return linkTo(sql, by, userId, 'SIGN_IN')
}

function linkTo(
  sql: Sql,
  by: By,
  userId: UserId,
  kind: 'RESET' | 'SIGN_IN',
  keepsEarlier = false,
): Promise<MadeLink> {
  return sql.begin(async (tx): Promise<MadeLink> => {
    const { email, disabledAt } = requireUser(await lockUser(tx, userId))
    if (disabledAt !== null) throw new AppError('invalid_state', 'This user is disabled.')
    if (!keepsEarlier) await queries.revokeLinksOf(tx, userId, kind)
    const made = await insert(tx, by, { kind, email, userId })
    const action = kind === 'RESET' ? 'link.create-reset' : 'link.create-sign-in'
    await writeAudit(tx, [{ ...by, action, subject: `user:${userId}`, after: { link: made.id } }])
    return made
  })
}

async function insert(
  tx: Tx,
  by: By,
  link: Pick<queries.NewLink, 'kind' | 'email'> & {
    readonly userId?: UserId
    readonly merchantId?: MerchantId
    readonly role?: Role
  },
): Promise<MadeLink> {
  const { kind, email, userId = null, merchantId = null, role = null } = link
  const { token, digest } = newToken()
  const id = newId<'one-time-link'>()
  const endsAt = await queries.insertLink(tx, {
    id,
    digest,
    kind,
    email,
    userId,
    merchantId,
    role,
    madeByKind: by.actor.kind,
    madeBy: by.actor.id,
    loopbackOnly: kind === 'SIGN_IN',
    lifeMs: lifeMs[kind],
  })
  return { id, token, email, endsAt }
}

/** What a link is for. */
export type OpenedLink = {
  readonly kind: LinkKind
  readonly email: string
  readonly merchantName?: string
  readonly role?: Role
  /** The email has a user already, who joins without a password of this link. */
  readonly hasUser: boolean
  /** It works on the machine of the server alone: the caller tells `acceptLink` whether the request comes from there. */
  readonly loopbackOnly: boolean
  readonly endsAt: Date
}

/** What a link is for, without using it. Throws `link_used` when it cannot be used. */
export async function openLink({ sql }: Pick<PeopleDeps, 'sql'>, token: string): Promise<OpenedLink> {
  const link = requireLink(await queries.selectLink(sql, digestOfToken(token)))
  const { kind, email, merchantName, role, loopbackOnly, endsAt } = link
  const hasUser = link.userId !== null || (await selectUserByEmail(sql, email)) !== undefined
  return {
    kind,
    email,
    hasUser,
    loopbackOnly,
    endsAt,
    ...(merchantName !== null && { merchantName }),
    ...(role !== null && { role }),
  }
}

/** The link. Throws `link_used` when there is none that can be used; the reason is not revealed. */
export function requireLink(link: LinkRow | undefined): LinkRow {
  if (link === undefined)
    throw refusal('link_used', 'This link was used, withdrawn, or is too old: ask for a new one.')
  return link
}
