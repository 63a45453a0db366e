// All SQL of sessions.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { hourMs, minuteMs } from '#/kernel/time.ts'
import type { Role } from './roles.ts'
import type { SessionId, User, UserId } from './user.ts'

/** How long a second factor, and a sign-in, count as fresh. */
const freshMs = 5 * minuteMs
/** A session ends when it was not used for this long. */
const idleMs = 12 * hourMs
/** A session ends after this, whatever is done in it. */
const absoluteMs = 7 * 24 * hourMs
/** How long a person has to give the second factor. */
const incompleteMs = 10 * minuteMs
const touchEveryMs = minuteMs
/** A user keeps this many of their newest complete sessions, and as many incomplete ones. */
const sessionsMax = 50

export type MembershipRow = {
  readonly merchantId: MerchantId
  readonly merchantName: string
  readonly mode: Mode
  readonly role: Role
  readonly isSubAccount: boolean
  /** The state of the sub-account; null for a merchant without a parent. */
  readonly accountState: string | null
}

export type SessionRow = {
  readonly id: SessionId
  readonly user: User
  readonly isComplete: boolean
  readonly signedInAt: Date
  readonly endsAt: Date
  readonly secondFactorUntil: Date | null
  readonly isFactorFresh: boolean
  readonly isSignInFresh: boolean
  readonly isTouchDue: boolean
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasTotp: boolean
  readonly recoveryCodes: number
  readonly memberships: readonly MembershipRow[]
}

type FlatRow = Omit<SessionRow, 'user'> & Omit<User, 'id'> & { readonly userId: UserId }

/** A session is alive: neither revoked nor over, and its user is not disabled. `session` and `app_user` are the names of the tables. */
function alive(tx: Sql | Tx) {
  return tx`session.revoked_at is null and session.ends_at > ${dueNow(tx)} and session.seen_at > ${dueIn(tx, -idleMs)}
    and app_user.disabled_at is null`
}

/** The most merchants that a session lists. */
const membershipsMax = 1_000

/** The session with this token, everything about its user, and what is fresh, by the database's clock. */
export async function selectSession(sql: Sql, digest: Buffer): Promise<SessionRow | undefined> {
  const [row] = await sql<FlatRow[]>`
    select session.id, user_id as "userId", email, app_user.name, language, time_zone as "timeZone",
           is_operator as "isOperator", app_user.created_at as "createdAt", is_complete as "isComplete",
           signed_in_at as "signedInAt", ends_at as "endsAt",
           second_factor_at + ${freshMs} * interval '1 millisecond' as "secondFactorUntil",
           coalesce(second_factor_at > ${dueIn(sql, -freshMs)}, false) as "isFactorFresh",
           signed_in_at > ${dueIn(sql, -freshMs)} as "isSignInFresh",
           seen_at <= ${dueIn(sql, -touchEveryMs)} as "isTouchDue",
           exists (select from user_password as password where password.user_id = app_user.id) as "hasPassword",
           (select count(*)::integer from passkey where passkey.user_id = app_user.id) as passkeys,
           exists (select from user_totp as totp where totp.user_id = app_user.id and confirmed_at is not null) as "hasTotp",
           (select count(*)::integer from recovery_code as code
             where code.user_id = app_user.id and used_at is null) as "recoveryCodes",
           (select coalesce(json_agg(json_build_object('merchantId', listed.merchant_id, 'merchantName', listed.name,
                                                       'mode', listed.mode, 'role', listed.role, 'isSubAccount', listed.state is not null,
                                                       'accountState', listed.state)
                                     order by listed.merchant_id), '[]')
              from (select merchant_id, merchant.name, mode, role,
                           (select state from sub_account where sub_account.merchant_id = membership.merchant_id) as state
                      from membership join merchant on merchant.id = merchant_id
                     where membership.user_id = app_user.id
                       and (select archived_at from sandbox where sandbox.merchant_id = membership.merchant_id) is null
                     order by merchant_id
                     limit ${membershipsMax}) as listed) as memberships
      from user_session as session join app_user on app_user.id = user_id
     where digest = ${digest} and ${alive(sql)}`
  if (row === undefined) return undefined
  const { userId, email, name, language, timeZone, isOperator, createdAt, ...session } = row
  return { ...session, user: { id: userId, email, name, language, timeZone, isOperator, createdAt } }
}

/** A session that is used for longer than one request, such as by a stream, and the merchant that is shown. */
export type Watched = { readonly sessionId: SessionId; readonly merchantId: MerchantId }

/** The places, from 0, of those whose session has ended, or whose user is no member of the merchant any more. */
export async function selectEnded(sql: Sql, watched: readonly Watched[]): Promise<readonly number[]> {
  const rows = await sql<{ place: number }[]>`
    select (entry.nth - 1)::integer as place
      from unnest(${watched.map(({ sessionId }) => sessionId)}::uuid[],
                  ${watched.map(({ merchantId }) => merchantId)}::uuid[]) with ordinality as entry (session_id, merchant_id, nth)
     where not exists (
       select from user_session as session join app_user on app_user.id = user_id
              join membership on membership.user_id = app_user.id and membership.merchant_id = entry.merchant_id
        where session.id = entry.session_id and is_complete and ${alive(sql)}
          and (select archived_at from sandbox where sandbox.merchant_id = entry.merchant_id) is null)`
  return rows.map(({ place }) => place)
}

/** Whether its second factor is fresh now. */
export async function isFactorFresh(tx: Sql | Tx, id: SessionId): Promise<boolean> {
  const rows = await tx`
    select from user_session as session join app_user on app_user.id = user_id
     where session.id = ${id} and is_complete and second_factor_at > ${dueIn(tx, -freshMs)} and ${alive(tx)}`
  return rows.length > 0
}

/** Writes that it is used. */
export async function touchSession(sql: Sql, id: SessionId): Promise<void> {
  await sql`update user_session set seen_at = ${dueNow(sql)} where id = ${id}`
}

export type NewSession = {
  readonly id: SessionId
  readonly userId: UserId
  readonly digest: Buffer
  readonly address: string
  readonly userAgent: string
  readonly isComplete: boolean
  /** It began with a passkey, which counts as a second factor. */
  readonly hasSecondFactor: boolean
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { id, userId, digest, address, userAgent, isComplete, hasSecondFactor } = session
  await tx`
    insert into user_session (id, user_id, digest, created_at, signed_in_at, seen_at, ends_at, address, user_agent,
                              is_complete, second_factor_at)
    values (${id}, ${userId}, ${digest}, ${dueNow(tx)}, ${dueNow(tx)}, ${dueNow(tx)},
            ${dueIn(tx, isComplete ? absoluteMs : incompleteMs)}, ${address}, ${userAgent}, ${isComplete},
            ${hasSecondFactor ? dueNow(tx) : tx`null`})`
}

/** Deletes the oldest sessions of a user that are more than one person needs. */
export async function deleteSurplus(tx: Tx, userId: UserId): Promise<void> {
  for (const isComplete of [true, false])
    await tx`
      delete from user_session where id in (
        select id from user_session where user_id = ${userId} and is_complete = ${isComplete}
         order by created_at desc offset ${sessionsMax})`
}

export type LockedSession = {
  readonly id: SessionId
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly address: string
  readonly isComplete: boolean
  readonly isFactorFresh: boolean
  readonly isSignInFresh: boolean
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasTotp: boolean
}

/** A session that is alive, locked with its user: changes of one user's password, factors and sessions come one after another. */
export async function lockSession(tx: Tx, id: SessionId): Promise<LockedSession | undefined> {
  const [locked] = await tx<{ userId: UserId }[]>`
    select app_user.id as "userId" from app_user
     where id = (select user_id from user_session where id = ${id}) for no key update`
  if (locked === undefined) return undefined
  const [row] = await tx<LockedSession[]>`
    select session.id, user_id as "userId", email, app_user.name, address, is_complete as "isComplete",
           coalesce(second_factor_at > ${dueIn(tx, -freshMs)}, false) as "isFactorFresh",
           signed_in_at > ${dueIn(tx, -freshMs)} as "isSignInFresh",
           exists (select from user_password as password where password.user_id = app_user.id) as "hasPassword",
           (select count(*)::integer from passkey where passkey.user_id = app_user.id) as passkeys,
           exists (select from user_totp as totp where totp.user_id = app_user.id and confirmed_at is not null) as "hasTotp"
      from user_session as session join app_user on app_user.id = user_id
     where session.id = ${id} and ${alive(tx)}
       for update of session`
  return row
}

/** Completes a sign-in, with a new token: the one from before ends. */
export async function completeSession(tx: Tx, id: SessionId, digest: Buffer): Promise<void> {
  await tx`
    update user_session
       set digest = ${digest}, is_complete = true, second_factor_at = ${dueNow(tx)}, seen_at = ${dueNow(tx)},
           ends_at = ${dueIn(tx, absoluteMs)}
     where id = ${id}`
}

/** A new token for the same session. */
export async function replaceToken(tx: Tx, id: SessionId, digest: Buffer): Promise<void> {
  await tx`update user_session set digest = ${digest} where id = ${id}`
}

/** The second factor was given again. Returns until when it is fresh. */
export async function renewFactor(tx: Tx, id: SessionId): Promise<Date> {
  const [row] = await tx<{ until: Date }[]>`
    update user_session set second_factor_at = ${dueNow(tx)}, seen_at = ${dueNow(tx)} where id = ${id}
    returning second_factor_at + ${freshMs} * interval '1 millisecond' as until`
  return must(row, 'a session that is locked exists').until
}

export type ListedSession = {
  readonly id: SessionId
  readonly createdAt: Date
  readonly seenAt: Date
  readonly endsAt: Date
  readonly address: string
  readonly userAgent: string
}

/** The complete sessions of a user that are alive, the last used first. */
export function selectSessions(sql: Sql, userId: UserId): Promise<readonly ListedSession[]> {
  return sql<ListedSession[]>`
    select session.id, session.created_at as "createdAt", seen_at as "seenAt", ends_at as "endsAt", address,
           user_agent as "userAgent"
      from user_session as session join app_user on app_user.id = user_id
     where user_id = ${userId} and is_complete and ${alive(sql)}
     order by seen_at desc, session.id desc
     limit ${sessionsMax}`
}

/** Revokes one session of a user. False when there is none. */
export async function revokeSession(tx: Tx, userId: UserId, id: SessionId): Promise<boolean> {
  const rows = await tx`
    update user_session set revoked_at = ${dueNow(tx)}
     where id = ${id} and user_id = ${userId} and revoked_at is null
    returning id`
  return rows.length > 0
}

/** Revokes all sessions of a user, or all but one. The number that were open. */
export async function revokeSessions(tx: Tx, userId: UserId, except?: SessionId): Promise<number> {
  const rows = await tx`
    update user_session set revoked_at = ${dueNow(tx)}
     where user_id = ${userId} and revoked_at is null ${except === undefined ? tx`` : tx`and id <> ${except}`}
    returning id`
  return rows.length
}

// Deletes what has ended, a few rows of each table at a time.

const tables = [
  { table: 'user_session', key: ['id'] },
  { table: 'used_challenge', key: ['digest'] },
  { table: 'sign_in_failure', key: ['key'] },
  { table: 'known_address', key: ['user_id', 'address_key'] },
  { table: 'template_draft', key: ['merchant_id', 'slug'] },
] as const

/** How long a link is kept after its end. */
const linksKeptMs = 7 * 24 * hourMs

/** The number of rows that were deleted: at most `limit` of each table. */
export async function deleteEnded(sql: Sql | Tx, limit: number): Promise<number> {
  let deleted = 0
  for (const { table, key } of tables) {
    const rows = await sql`
      delete from ${sql(table)} where (${sql(key)}) in (
        select ${sql(key)} from ${sql(table)} where ends_at <= ${dueNow(sql)} order by ends_at limit ${limit})
      returning 1`
    deleted += rows.length
  }
  const links = await sql`
    delete from one_time_link where id in (
      select id from one_time_link where ends_at <= ${dueIn(sql, -linksKeptMs)} order by ends_at limit ${limit})
    returning 1`
  return deleted + links.length
}
