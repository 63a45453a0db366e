// The SQL of freezes and suspensions, for the console.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Freeze } from '#/merchants/freeze.ts'

export type ListedFreeze = Freeze & { readonly merchantName: string | null }

/** One page of what is frozen or suspended, the oldest first. */
export function selectFreezePage(
  sql: Sql,
  page: { readonly after?: string; readonly limit: number },
): Promise<readonly ListedFreeze[]> {
  return sql<ListedFreeze[]>`
    select money_freeze.id, kind, merchant_id as "merchantId", merchant.name as "merchantName", rail, reason,
           decided_by as "decidedBy", at
      from money_freeze
      left join merchant on merchant.id = merchant_id
     ${page.after === undefined ? sql`` : sql`where money_freeze.id > ${page.after}`}
     order by money_freeze.id
     limit ${page.limit}`
}

/** The freeze and the suspension of one merchant, as far as there are any. */
export function selectFreezesOf(
  sql: Sql,
  merchantId: MerchantId,
): Promise<readonly Pick<Freeze, 'kind' | 'reason' | 'decidedBy' | 'at'>[]> {
  return sql<Pick<Freeze, 'kind' | 'reason' | 'decidedBy' | 'at'>[]>`
    select kind, reason, decided_by as "decidedBy", at
      from money_freeze
     where kind in ('FREEZE', 'SUSPENSION') and merchant_id = ${merchantId} and rail is null
     order by kind`
}
