// The SQL of the inspection of closed sub-accounts.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

export type SubAccountRow = {
  readonly merchantId: MerchantId
  /** Of a closed one the sum of what is available in its wallets, whatever their currencies; else null. */
  readonly freeMinor: bigint | null
}

/** The next page of sub-accounts, by key: also the others, because a page of closed ones alone could read all of them. */
export function selectSubAccounts(
  sql: Sql,
  after: SubAccountRow | undefined,
  limit: number,
): Promise<readonly SubAccountRow[]> {
  return sql<SubAccountRow[]>`
    select each.merchant_id as "merchantId",
           case when each.state = 'CLOSED' then
             (select coalesce(sum(balance.minor), 0)::bigint
                from wallet
                join account on account.mode = each.mode and account.name = 'wallet:' || wallet.id || ':available'
                join balance on balance.account_id = account.id
               where wallet.merchant_id = each.merchant_id)
           end as "freeMinor"
      from (select sub_account.merchant_id, sub_account.state, merchant.mode
              from sub_account
              join merchant on merchant.id = sub_account.merchant_id
             where sub_account.merchant_id > ${after?.merchantId ?? '00000000-0000-0000-0000-000000000000'}
             order by sub_account.merchant_id
             limit ${limit}) as each
     order by each.merchant_id`
}
