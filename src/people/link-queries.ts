// All SQL of one-time links.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Actor } from './audit-entry.ts'
import type { Role } from './roles.ts'
import type { LinkId, UserId } from './user.ts'

export type LinkKind = 'INVITATION' | 'RESET' | 'SIGN_IN'

export type LinkRow = {
  readonly id: LinkId
  readonly kind: LinkKind
  readonly madeByKind: Actor['kind']
  readonly madeBy: string
  readonly email: string
  readonly userId: UserId | null
  readonly merchantId: MerchantId | null
  readonly merchantName: string | null
  readonly role: Role | null
  readonly loopbackOnly: boolean
  readonly createdAt: Date
  readonly endsAt: Date
}

const columns = (tx: Sql | Tx) => tx`
  link.id, kind, made_by_kind as "madeByKind", made_by as "madeBy", email, user_id as "userId",
  merchant_id as "merchantId", (select name from merchant where merchant.id = merchant_id) as "merchantName", role,
  loopback_only as "loopbackOnly", link.created_at as "createdAt", ends_at as "endsAt"`

const usable = (tx: Sql | Tx) => tx`used_at is null and revoked_at is null and ends_at > ${dueNow(tx)}`

export type NewLink = Omit<LinkRow, 'createdAt' | 'endsAt' | 'merchantName'> & {
  readonly digest: Buffer
  readonly lifeMs: number
}

export async function insertLink(tx: Tx, link: NewLink): Promise<Date> {
  const { id, digest, kind, madeByKind, madeBy, email, userId, merchantId, role, loopbackOnly } = link
  const [row] = await tx<{ endsAt: Date }[]>`
    insert into one_time_link (id, digest, kind, made_by_kind, made_by, email, user_id, merchant_id, role, loopback_only,
                               created_at, ends_at)
    values (${id}, ${digest}, ${kind}, ${madeByKind}, ${madeBy}, ${email}, ${userId}, ${merchantId}, ${role}, ${loopbackOnly},
            ${dueNow(tx)}, ${dueIn(tx, link.lifeMs)})
    returning ends_at as "endsAt"`
  return must(row, 'an insert returns its row').endsAt
}

/** The link of a token, if it can still be used. */
export async function selectLink(sql: Sql | Tx, digest: Buffer): Promise<LinkRow | undefined> {
  const [row] = await sql<LinkRow[]>`
    select ${columns(sql)} from one_time_link as link where digest = ${digest} and ${usable(sql)}`
  return row
}

/** Uses a link: of several at once, one gets the row. */
export async function takeLink(tx: Tx, digest: Buffer): Promise<LinkRow | undefined> {
  const [row] = await tx<LinkRow[]>`
    update one_time_link as link set used_at = ${dueNow(tx)}
     where digest = ${digest} and ${usable(tx)}
    returning ${columns(tx)}`
  return row
}

/** The invitations of a merchant that can still be accepted, the newest first. */
export function selectInvitations(
  sql: Sql | Tx,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly LinkRow[]> {
  return sql<LinkRow[]>`
    select ${columns(sql)} from one_time_link as link
     where merchant_id = ${merchantId} and ${usable(sql)}
     order by id desc
     limit ${limit}`
}

/** The merchant, locked: its invitations are made one after another. False when there is none. */
export async function lockInvitations(tx: Tx, merchantId: MerchantId): Promise<boolean> {
  const rows = await tx`select from merchant where id = ${merchantId} for no key update`
  return rows.length > 0
}

/** Deletes the open invitations of an email: a new one takes their place. */
export async function deleteInvitationsTo(tx: Tx, merchantId: MerchantId, email: string): Promise<void> {
  await tx`
    delete from one_time_link
     where merchant_id = ${merchantId} and email = ${email} and used_at is null and revoked_at is null`
}

/** The open invitation that was withdrawn; undefined when there is none. */
export async function revokeInvitation(
  tx: Tx,
  merchantId: MerchantId,
  id: LinkId,
): Promise<{ readonly email: string; readonly role: Role } | undefined> {
  const [row] = await tx<{ email: string; role: Role }[]>`
    update one_time_link set revoked_at = ${dueNow(tx)}
     where merchant_id = ${merchantId} and id = ${id} and ${usable(tx)}
    returning email, role`
  return row
}

/** Withdraws all links to a user's account, or those of one kind. */
export async function revokeLinksOf(tx: Tx, userId: UserId, kind?: LinkKind): Promise<void> {
  await tx`
    update one_time_link set revoked_at = ${dueNow(tx)}
     where user_id = ${userId} and used_at is null and revoked_at is null
       ${kind === undefined ? tx`` : tx`and kind = ${kind}`}`
}
