// The SQL of finding withdrawals. Each expression stands as the index of migration 0031 has it, or the index is not used.
import { list, type Fragment, type Sql } from '#/db/client.ts'
import type { SearchKey } from '#/db/search.ts'
import type { WithdrawalFilter } from './list-queries.ts'

/** A withdrawal has one of them: the banks' name of it, or its transaction. */
function referenceOf(sql: Sql) {
  return sql`coalesce(withdrawal.end_to_end_id, withdrawal.tx_hash)`
}

export function referenceKey(sql: Sql, reference: string): SearchKey {
  return {
    indexed: sql`hashtext(${referenceOf(sql)})`,
    values: sql`array[hashtext(${reference}::text)]`,
    where: sql`${referenceOf(sql)} is not null`,
  }
}

export function hasEndToEndId(sql: Sql, endToEndId: string) {
  return sql`withdrawal.end_to_end_id = ${endToEndId}`
}

export function hasTx(sql: Sql, txHash: string) {
  return sql`withdrawal.tx_hash = ${txHash}`
}

export function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`withdrawal.amount_minor`, values: sql`array[${minor}::bigint]` }
}

export function hasAmount(sql: Sql, minor: bigint) {
  return sql`withdrawal.amount_minor = ${minor}`
}

/** `texts`: destinations in their normal form. */
export function destinationKey(sql: Sql, texts: readonly string[]): SearchKey {
  return {
    indexed: sql`hashtext(withdrawal.destination ->> 'text')`,
    values: sql`(select array_agg(distinct hashtext(text)) from unnest(${list(texts)}::text[]) as text)`,
  }
}

export function hasDestination(sql: Sql, texts: readonly string[]) {
  return sql`withdrawal.destination ->> 'text' = any (${list(texts)}::text[])`
}

/** The filters that every list of withdrawals has. */
export function ofKinds(sql: Sql, { status, type, currency }: WithdrawalFilter): readonly Fragment[] {
  return [
    ...(status === undefined ? [] : [sql`withdrawal.status = ${status}`]),
    ...(type === undefined ? [] : [sql`withdrawal.type = ${type}`]),
    ...(currency === undefined ? [] : [sql`withdrawal.currency = ${currency}`]),
  ]
}
