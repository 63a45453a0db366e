// How far the clock of a sandbox's merchant was moved. Zero for every other merchant.
import type { Sql, Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** How far the merchant's dates were moved in all, in milliseconds. */
export async function selectMoved(sql: Sql | Tx, merchantId: MerchantId): Promise<number> {
  const [row] = await sql<{ movedMs: number }[]>`select moved_ms(${merchantId}::uuid)::float8 as "movedMs"`
  return row?.movedMs ?? 0
}

export type Since = { readonly merchantId: MerchantId; readonly id: string; readonly since: Date }

/** How far the dates of these merchants were moved since these instants. */
export function selectMovedSince(
  sql: Sql | Tx,
  wanted: readonly Since[],
): Promise<readonly { readonly id: string; readonly movedMs: number }[]> {
  return sql<{ id: string; movedMs: number }[]>`
    select id, moved_ms_since(merchant_id, since)::float8 as "movedMs"
      from ${rowsOf(sql, 'wanted', wanted, { merchant_id: 'uuid', id: 'uuid', since: 'timestamptz' })}`
}
