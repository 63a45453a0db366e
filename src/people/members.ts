// Who belongs to a merchant, and with which role. Nobody grants, changes or removes more than they may do themselves, and a merchant
// that has an owner keeps one.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Actor, By } from './audit-entry.ts'
import { writeAudit } from './audit-log.ts'
import * as queries from './member-queries.ts'
import type { MemberRow, Membership } from './member-queries.ts'
import { refusal, unknown } from './refusal.ts'
import { mayGrant, type Granter, type Role } from './roles.ts'
import { selectUser } from './user-queries.ts'
import type { PeopleDeps, UserId } from './user.ts'
import { requireUser } from './users.ts'

/** The most members of one merchant. */
const membersMax = 500

/** The members of a merchant. `after`: the user's id of the last one of the page before. */
export function listMembers(
  { sql }: Pick<PeopleDeps, 'sql'>,
  merchantId: MerchantId,
  page: { readonly after?: UserId; readonly limit: number },
): Promise<readonly MemberRow[]> {
  const after = page.after ?? '00000000-0000-0000-0000-000000000000'
  return queries.selectMembers(sql, merchantId, { after, limit: page.limit })
}

/** What a user is a member of: the first hundred. */
export function listMemberships(
  { sql }: Pick<PeopleDeps, 'sql'>,
  userId: UserId,
): Promise<readonly Membership[]> {
  return queries.selectMemberships(sql, userId, membershipsShown)
}

const membershipsShown = 100

/** A user's role at a merchant; undefined when they are no member. */
export function roleOf(
  { sql }: { readonly sql: Sql | Tx },
  merchantId: MerchantId,
  userId: UserId,
): Promise<Role | undefined> {
  return queries.selectRole(sql, merchantId, userId)
}

/**
 * Makes a user a member without an invitation: for the operator's commands and console, which create merchants with an owner. 409 when
 * they are one already.
 */
export async function addMember(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  membership: { readonly merchantId: MerchantId; readonly userId: UserId; readonly role: Role },
): Promise<void> {
  await sql.begin(async (tx) => {
    const { merchantId, role } = membership
    requireUser(await selectUser(tx, membership.userId))
    if ((await queries.selectMerchantName(tx, merchantId)) === undefined) throw unknown('merchant')
    requireMayGrant(await lockGranter(tx, by.actor, merchantId), undefined, role)
    await join(tx, by, membership)
  })
}

/** Inserts a membership with its audit row. 409 when the user is a member already, 422 when the merchant has very many. */
export async function join(
  tx: Tx,
  by: By,
  membership: { readonly merchantId: MerchantId; readonly userId: UserId; readonly role: Role },
): Promise<void> {
  const { merchantId, userId, role } = membership
  if ((await queries.countMembers(tx, merchantId, membersMax)) >= membersMax)
    throw new AppError('limit_exceeded', `A merchant has at most ${membersMax} members.`)
  if (!(await queries.insertMembership(tx, membership)))
    throw new AppError('invalid_state', 'This person is a member already.')
  await writeAudit(tx, [
    { ...by, action: 'member.add', subject: `user:${userId}`, merchantId, after: { role } },
  ])
}

/** What else becomes of a member, in the same transaction: merchants/member-keys.ts ends or hands on the keys that are theirs. */
export type AlsoOfMember = (tx: Tx, role: Role | undefined) => Promise<void>

/**
 * Gives a member another role. 403 when it, or the present one, is more than the caller has. Called by merchants/member-keys.ts alone, which
 * decides about their keys.
 */
export async function replaceRole(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  {
    merchantId,
    userId,
    role,
  }: { readonly merchantId: MerchantId; readonly userId: UserId; readonly role: Role },
  also: AlsoOfMember,
): Promise<void> {
  await sql.begin(async (tx) => {
    const { granter, present, hasOwnerBeside } = await lock(tx, by.actor, merchantId, userId)
    requireMayGrant(granter, present, role)
    if (present === role) return
    requireOwnerLeft(present, hasOwnerBeside)
    await queries.writeRole(tx, merchantId, userId, role)
    await also(tx, role)
    const entry = { ...by, action: 'member.change', subject: `user:${userId}`, merchantId }
    await writeAudit(tx, [{ ...entry, before: { role: present }, after: { role } }])
  })
}

/** Removes a member; a member may also leave. Called by merchants/member-keys.ts alone, which decides about their keys. */
export async function endMembership(
  { sql }: Pick<PeopleDeps, 'sql'>,
  by: By,
  { merchantId, userId }: { readonly merchantId: MerchantId; readonly userId: UserId },
  also: AlsoOfMember,
): Promise<void> {
  await sql.begin(async (tx) => {
    const { granter, present, hasOwnerBeside } = await lock(tx, by.actor, merchantId, userId)
    if (by.actor.id !== userId) requireMayGrant(granter, present, undefined)
    requireOwnerLeft(present, hasOwnerBeside)
    await queries.deleteMembership(tx, merchantId, userId)
    await also(tx, undefined)
    const entry = { ...by, action: 'member.remove', subject: `user:${userId}`, merchantId }
    await writeAudit(tx, [{ ...entry, before: { role: present } }])
  })
}

async function lock(tx: Tx, actor: Actor, merchantId: MerchantId, userId: UserId) {
  const rows = await queries.lockRoles(tx, merchantId, [userId, ...callerOf(actor)])
  const present = rows.find((each) => each.userId === userId)?.role
  const granter = await granterOf(tx, actor, merchantId)
  if (granter === undefined || present === undefined) throw unknown('member')
  // Who is disabled can do nothing for the merchant.
  const hasOwnerBeside = rows.some(
    (each) => each.role === 'OWNER' && each.userId !== userId && !each.isDisabled,
  )
  return { granter, present, hasOwnerBeside }
}

/**
 * As `granterOf`, under the lock of the actor's own role. A member who is being removed at the same time can make nobody a member, not even
 * themselves.
 */
export async function lockGranter(
  tx: Tx,
  actor: Actor,
  merchantId: MerchantId,
): Promise<Granter | undefined> {
  await queries.lockRoles(tx, merchantId, callerOf(actor))
  return granterOf(tx, actor, merchantId)
}

function callerOf(actor: Actor): readonly UserId[] {
  return actor.kind === 'USER' ? [actor.id as UserId] : []
}

/** By what the actor may grant roles of a merchant. Undefined: they may grant nothing there. */
export async function granterOf(
  tx: Sql | Tx,
  actor: Actor,
  merchantId: MerchantId,
): Promise<Granter | undefined> {
  switch (actor.kind) {
    case 'OPERATOR':
    case 'SYSTEM':
      return 'OPERATOR'
    case 'USER': {
      const user = await queries.selectGranter(tx, merchantId, actor.id)
      return user?.isOperator === true ? 'OPERATOR' : (user?.role ?? undefined)
    }
    case 'API_KEY':
      return undefined
  }
}

/** Throws `more_than_own` unless the granter may give the role `next` instead of `present`. */
export function requireMayGrant(
  granter: Granter | undefined,
  present: Role | undefined,
  next: Role | undefined,
): void {
  if (granter !== undefined && mayGrant(granter, present, next)) return
  throw refusal('more_than_own', 'Nobody grants, changes or removes a role that may do more than their own.')
}

function requireOwnerLeft(present: Role, hasOwnerBeside: boolean): void {
  if (present === 'OWNER' && !hasOwnerBeside)
    throw refusal('last_owner', 'A merchant keeps an owner: make another member one first.')
}
