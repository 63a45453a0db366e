// The SQL of the setup list.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** What a merchant has of what a new one sets up, and whether its list was put away. */
export type SetUp = {
  readonly isHidden: boolean
  /** A template of its own is published. */
  readonly hasCheckout: boolean
  readonly wasPaid: boolean
  /** A key of a program is in force. */
  readonly hasKey: boolean
  readonly hasEndpoint: boolean
  /** Somebody has chosen above which amount a second person approves, or that nobody does. */
  readonly hasApproval: boolean
  /** More than one person works for it. */
  readonly hasTeam: boolean
}

/** Each question ends at the first row that answers it. */
export async function selectSetup(sql: Sql, id: MerchantId): Promise<SetUp> {
  const [row] = await sql<SetUp[]>`
    select setup_hidden as "isHidden",
           exists (select from template
                    where merchant_id = merchant.id and is_active and revision > 0) as "hasCheckout",
           exists (select from payment where merchant_id = merchant.id and status = 'PAID') as "wasPaid",
           exists (select from api_key
                    where merchant_id = merchant.id and member is null and revoked_at is null
                      and coalesce(expires_at, 'infinity'::timestamptz) > clock_timestamp()) as "hasKey",
           exists (select from webhook_endpoint
                    where merchant_id = merchant.id and status <> 'DELETED') as "hasEndpoint",
           exists (select from withdrawal_limit
                    where merchant_id = merchant.id
                      and (approval_above_minor is not null or one_person)) as "hasApproval",
           exists (select from membership where merchant_id = merchant.id offset 1) as "hasTeam"
      from merchant where id = ${id}`
  return must(row, 'a member has a merchant')
}

/** Returns whether anything changed. */
export async function writeSetupHidden(tx: Tx, id: MerchantId, isHidden: boolean): Promise<boolean> {
  const rows = await tx`
    update merchant set setup_hidden = ${isHidden}
     where id = ${id} and setup_hidden <> ${isHidden}
    returning id`
  return rows.length > 0
}
