// All SQL of memberships.
import type { Sql, Tx } from '#/db/client.ts'
import { list } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Role } from './roles.ts'
import type { UserId } from './user.ts'

export type MemberRow = {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: Date
  readonly isDisabled: boolean
  /** Has an authenticator app or a passkey. */
  readonly hasSecondFactor: boolean
}

/** The members of a merchant, those that came to the installation first. */
export function selectMembers(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly MemberRow[]> {
  return sql<MemberRow[]>`
    select user_id as "userId", email, name, role, membership.created_at as "createdAt", disabled_at is not null as "isDisabled",
           exists (select from user_totp where user_totp.user_id = membership.user_id and confirmed_at is not null)
           or exists (select from passkey where passkey.user_id = membership.user_id) as "hasSecondFactor"
      from membership join app_user on app_user.id = user_id
     where merchant_id = ${merchantId} and user_id > ${page.after}
     order by user_id
     limit ${page.limit}`
}

/** The users that may sign in and are members of all of these merchants. */
export function selectMembersOfAll(
  sql: Sql,
  merchantIds: readonly MerchantId[],
  limit: number,
): Promise<readonly Pick<MemberRow, 'userId' | 'email' | 'name'>[]> {
  return sql<Pick<MemberRow, 'userId' | 'email' | 'name'>[]>`
    select membership.user_id as "userId", app_user.email, app_user.name
      from membership
      join app_user on app_user.id = membership.user_id
     where membership.merchant_id = ${merchantIds[0] ?? null} and app_user.disabled_at is null
       and not exists (select from unnest(${list(merchantIds)}::uuid[]) as wanted (id)
                        where not exists (select from membership as other
                                           where other.merchant_id = wanted.id and other.user_id = membership.user_id))
     order by membership.user_id
     limit ${limit}`
}

/** The other members with one of these roles who may sign in. */
export function selectOtherMembers(
  sql: Sql,
  merchantId: MerchantId,
  userId: UserId,
  having: readonly Role[],
  limit: number,
): Promise<readonly Pick<MemberRow, 'name' | 'email'>[]> {
  return sql<Pick<MemberRow, 'name' | 'email'>[]>`
    select name, email
      from membership join app_user on app_user.id = user_id
     where merchant_id = ${merchantId} and user_id <> ${userId} and role = any (${list(having)}::text[])
       and disabled_at is null
     order by user_id
     limit ${limit}`
}

export async function selectRole(
  sql: Sql | Tx,
  merchantId: MerchantId,
  userId: UserId,
): Promise<Role | undefined> {
  const [row] = await sql<{ role: Role }[]>`
    select role from membership where merchant_id = ${merchantId} and user_id = ${userId}`
  return row?.role
}

/** The roles of these users and of every owner, locked in one order: two changes of a merchant's owners come one after another. */
export function lockRoles(
  tx: Tx,
  merchantId: MerchantId,
  userIds: readonly UserId[],
): Promise<readonly LockedRole[]> {
  return tx<LockedRole[]>`
    select user_id as "userId", role, disabled_at is not null as "isDisabled"
      from membership join app_user on app_user.id = user_id
     where merchant_id = ${merchantId} and (role = 'OWNER' or user_id = any (${list(userIds)}::uuid[]))
     order by user_id
       for update of membership`
}

export type LockedRole = { readonly userId: UserId; readonly role: Role; readonly isDisabled: boolean }

/** The name of a merchant; undefined when there is none. */
export async function selectMerchantName(sql: Sql | Tx, merchantId: MerchantId): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`select name from merchant where id = ${merchantId}`
  return row?.name
}

export async function countMembers(tx: Sql | Tx, merchantId: MerchantId, most: number): Promise<number> {
  const rows = await tx`select from membership where merchant_id = ${merchantId} limit ${most}`
  return rows.length
}

/** False when the user is a member already. */
export async function insertMembership(
  tx: Tx,
  membership: { readonly merchantId: MerchantId; readonly userId: UserId; readonly role: Role },
): Promise<boolean> {
  const { merchantId, userId, role } = membership
  const rows = await tx`
    insert into membership (merchant_id, user_id, role, created_at)
    values (${merchantId}, ${userId}, ${role}, ${dueNow(tx)})
    on conflict (merchant_id, user_id) do nothing
    returning user_id`
  return rows.length > 0
}

export async function writeRole(tx: Tx, merchantId: MerchantId, userId: UserId, role: Role): Promise<void> {
  await tx`update membership set role = ${role} where merchant_id = ${merchantId} and user_id = ${userId}`
}

export async function deleteMembership(tx: Tx, merchantId: MerchantId, userId: UserId): Promise<void> {
  await tx`delete from membership where merchant_id = ${merchantId} and user_id = ${userId}`
}

/**
 * By what a user may grant roles of a merchant: as an operator, or by their own role. Undefined when the user is disabled or does not
 * exist.
 */
export async function selectGranter(
  tx: Sql | Tx,
  merchantId: MerchantId,
  userId: string,
): Promise<{ readonly isOperator: boolean; readonly role: Role | null } | undefined> {
  const [row] = await tx<{ isOperator: boolean; role: Role | null }[]>`
    select is_operator as "isOperator",
           (select role from membership where merchant_id = ${merchantId} and user_id = app_user.id) as role
      from app_user where id = ${userId} and disabled_at is null`
  return row
}

/** What a user is a member of, and as what, in the order of the merchants' ids. */
export function selectMemberships(
  sql: Sql | Tx,
  userId: UserId,
  limit: number,
): Promise<readonly Membership[]> {
  return sql<Membership[]>`
    select membership.merchant_id as "merchantId", merchant.name as "merchantName", merchant.mode, membership.role
      from membership
      join merchant on merchant.id = membership.merchant_id
     where membership.user_id = ${userId}
     order by membership.merchant_id
     limit ${limit}`
}

export type Membership = {
  readonly merchantId: MerchantId
  readonly merchantName: string
  readonly mode: Mode
  readonly role: Role
}
