// The SQL of finding records by what alone says which one they are: their id, or the token of their page.
import type { Sql } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'

/** The records that are found, in this order. */
export const recordKinds = [
  'PAYMENT',
  'REFUND',
  'WITHDRAWAL',
  'DISPUTE',
  'PAYMENT_LINK',
  'WALLET',
  'WITHDRAWAL_BATCH',
  'EVENT',
  'DELIVERY',
] as const
export type RecordKind = (typeof recordKinds)[number]

export type FoundRecord = { readonly kind: RecordKind; readonly id: string }

/** The merchant's records with this id: each table is asked by its key. */
export function selectRecordsById(
  sql: Sql,
  merchantId: MerchantId,
  id: string,
): Promise<readonly FoundRecord[]> {
  const of = (table: string, kind: RecordKind) => sql`
    select ${kind}::text as kind, id from ${sql(table)} where merchant_id = ${merchantId} and id = ${id}`
  return sql<FoundRecord[]>`
    ${of('payment', 'PAYMENT')}
     union all ${of('refund', 'REFUND')}
     union all ${of('withdrawal', 'WITHDRAWAL')}
     union all ${of('dispute', 'DISPUTE')}
     union all ${of('payment_link', 'PAYMENT_LINK')}
     union all ${of('wallet', 'WALLET')}
     union all ${of('withdrawal_batch', 'WITHDRAWAL_BATCH')}
     union all ${of('event', 'EVENT')}
     union all ${of('delivery', 'DELIVERY')}`
}

/** The merchant's payment, or payment link, whose page has this token. */
export function selectRecordsByToken(
  sql: Sql,
  merchantId: MerchantId,
  token: string,
): Promise<readonly FoundRecord[]> {
  return sql<FoundRecord[]>`
    select 'PAYMENT' as kind, id from payment where page_token = ${token} and merchant_id = ${merchantId}
     union all
    select 'PAYMENT_LINK', id from payment_link where token = ${token} and merchant_id = ${merchantId}`
}
