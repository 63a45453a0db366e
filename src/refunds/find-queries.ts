// The SQL of finding refunds. Each expression stands as the index of migration 0031 has it, or the index is not used.
import { list, type Fragment, type Sql } from '#/db/client.ts'
import { idsWithin, type Span } from '#/db/lists.ts'
import type { Candidates, SearchKey } from '#/db/search.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { RefundFilter } from './queries.ts'

export function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`refund.amount_minor`, values: sql`array[${minor}::bigint]` }
}

export function hasAmount(sql: Sql, minor: bigint) {
  return sql`refund.amount_minor = ${minor}`
}

export function txKey(sql: Sql, txHash: string): SearchKey {
  return {
    indexed: sql`hashtext(refund.tx_hash)`,
    values: sql`array[hashtext(${txHash}::text)]`,
    where: sql`refund.tx_hash is not null`,
  }
}

export function hasTx(sql: Sql, txHash: string) {
  return sql`refund.tx_hash = ${txHash}`
}

/** The refunds of these payments: of each there are at most a thousand. */
export function ofPayments(
  sql: Sql,
  {
    merchantId,
    ids,
    span,
  }: { readonly merchantId: MerchantId; readonly ids: readonly string[]; readonly span: Span },
): Candidates {
  const [first, end] = idsWithin(span)
  return (limit) => sql`
    select found.id
      from unnest(${list(ids)}::uuid[]) as wanted (id) cross join lateral (
        select refund.id from refund
         where refund.merchant_id = ${merchantId} and refund.payment_id = wanted.id
           and refund.id >= ${first} and refund.id < ${end}) as found
     order by found.id desc
     limit ${limit}`
}

export function isOfPayments(sql: Sql, ids: readonly string[]) {
  return sql`refund.payment_id = any (${list(ids)}::uuid[])`
}

/** The money that goes back came by this Pix. */
export function isOfPix(sql: Sql, endToEndId: string) {
  return sql`refund.paid_ref = ${endToEndId}`
}

/** The other filters of every list of refunds. */
export function ofKinds(sql: Sql, { status, currency }: RefundFilter): readonly Fragment[] {
  return [
    ...(status === undefined ? [] : [sql`refund.status = ${status}`]),
    ...(currency === undefined ? [] : [sql`refund.currency = ${currency}`]),
  ]
}
