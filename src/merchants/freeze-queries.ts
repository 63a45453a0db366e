// All SQL of freezes and suspensions. Statements that claim what is to be sent call `is_frozen` themselves.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { Freeze, FreezeKind, FreezeScope } from './freeze.ts'

/** The freezes and suspensions that apply to these merchants, of any rail. */
export function selectFreezes(
  sql: Sql | Tx,
  merchantIds: readonly MerchantId[],
): Promise<readonly FreezeScope[]> {
  return sql<FreezeScope[]>`
    select merchant_id as "merchantId", rail
      from money_freeze
     where merchant_id is null or merchant_id = any (${list(merchantIds)}::uuid[])`
}

/** Whether money of this merchant may not leave by this rail, at this moment. */
export async function isFrozenNow(
  sql: Sql | Tx,
  { merchantId, rail }: { readonly merchantId: MerchantId; readonly rail: string },
): Promise<boolean> {
  const [row] = await sql<{ frozen: boolean }[]>`select is_frozen(${merchantId}, ${rail}) as frozen`
  return row?.frozen !== false
}

/** Whether a restore is being repaired and nobody has confirmed yet what left in the span that it lost. */
export async function isMoneyOutUnknown(sql: Sql | Tx): Promise<boolean> {
  const rows = await sql`
    select from money_freeze
     where kind = 'RESTORE'
       and not exists (select from restore_review
                        where epoch = (select max(number) from epoch) and subject = 'MONEY_OUT')
     limit 1`
  return rows.length > 0
}

/** Every freeze and suspension, the oldest first, with the merchants' names. */
export function selectAllFreezes(
  sql: Sql | Tx,
): Promise<readonly (Freeze & { readonly merchantName: string | null })[]> {
  return sql<(Freeze & { readonly merchantName: string | null })[]>`
    select money_freeze.id, kind, merchant_id as "merchantId", merchant.name as "merchantName", rail, reason,
           decided_by as "decidedBy", at
      from money_freeze
      left join merchant on merchant.id = merchant_id
     order by at, money_freeze.id`
}

/** Returns false when the same is frozen already: that row stays as it is. */
export async function insertFreeze(tx: Tx, freeze: Omit<Freeze, 'at'>): Promise<boolean> {
  const { id, kind, merchantId, rail, reason, decidedBy } = freeze
  const result = await tx`
    insert into money_freeze (id, kind, merchant_id, rail, reason, decided_by)
    values (${id}, ${kind}, ${merchantId}, ${rail}, ${reason}, ${decidedBy})
    on conflict do nothing`
  return result.count === 1
}

/** Ends a freeze. Returns the row that was deleted. */
export async function deleteFreeze(
  tx: Tx,
  { kind, merchantId, rail }: FreezeScope & { readonly kind: FreezeKind },
): Promise<Freeze | undefined> {
  const [row] = await tx<Freeze[]>`
    delete from money_freeze
     where kind = ${kind} and merchant_id is not distinct from ${merchantId} and rail is not distinct from ${rail}
    returning id, kind, merchant_id as "merchantId", rail, reason, decided_by as "decidedBy", at`
  return row
}
