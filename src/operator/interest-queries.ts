// The SQL of who is a member of the merchants that an act of the operator concerns.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { MerchantId, UserId } from '#/kernel/id.ts'

export type MemberMarks = { readonly userId: UserId; readonly email: string; readonly isOperator: boolean }

/** The members of these merchants, and of the parents of those that are sub-accounts. */
export function selectMembersOf(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly MemberMarks[]> {
  return sql<MemberMarks[]>`
    select app_user.id as "userId", app_user.email, app_user.is_operator as "isOperator"
      from (select id from unnest(${list(merchantIds)}::uuid[]) as given (id)
            union
            select parent_id from sub_account where merchant_id = any (${list(merchantIds)}::uuid[])) as concerned
      join membership on membership.merchant_id = concerned.id
      join app_user on app_user.id = membership.user_id
     order by app_user.id`
}

/** Says whose account this is. */
export async function upsertCommandAccount(
  tx: Tx,
  { account, userId }: { readonly account: string; readonly userId: UserId },
): Promise<void> {
  await tx`
    insert into command_account (account, user_id, created_at) values (${account}, ${userId}, ${dueNow(tx)})
        on conflict (account) do update set user_id = excluded.user_id`
}

/** To whom these found coins would be credited, and who proposed it. */
export async function selectProposedOwner(
  sql: Sql | Tx,
  move: string,
): Promise<{ readonly merchantId: MerchantId; readonly proposedBy: string } | undefined> {
  const [row] = await sql<{ merchantId: MerchantId; proposedBy: string }[]>`
    select merchant_id as "merchantId", proposed_by as "proposedBy" from coin_claim where move = ${move}`
  return row
}

/** The merchant whose own connection this is, where it is one merchant's. */
export async function selectConnectionOwner(sql: Sql | Tx, connection: string): Promise<MerchantId | null> {
  const [row] = await sql<{ merchantId: MerchantId | null }[]>`
    select merchant_id as "merchantId" from connection where id = ${connection}`
  return row?.merchantId ?? null
}
