// The SQL of the inspection of closed sub-accounts.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

export type ClosedAccount = {
  readonly merchantId: MerchantId
  /** The sum of what is available in its wallets, whatever their currencies. */
  readonly freeMinor: bigint
}

/** The next page of closed sub-accounts, by key. */
export function selectClosedAccounts(
  sql: Sql,
  after: ClosedAccount | undefined,
  limit: number,
): Promise<readonly ClosedAccount[]> {
  return sql<ClosedAccount[]>`
    select closed.merchant_id as "merchantId",
           (select coalesce(sum(balance.minor), 0)::bigint
              from wallet
              join account on account.mode = closed.mode and account.name = 'wallet:' || wallet.id || ':available'
              join balance on balance.account_id = account.id
             where wallet.merchant_id = closed.merchant_id) as "freeMinor"
      from (select sub_account.merchant_id, merchant.mode
              from sub_account
              join merchant on merchant.id = sub_account.merchant_id
             where sub_account.merchant_id > ${after?.merchantId ?? '00000000-0000-0000-0000-000000000000'}
               and sub_account.state = 'CLOSED'
             order by sub_account.merchant_id
             limit ${limit}) as closed
     order by closed.merchant_id`
}
