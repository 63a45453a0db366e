// The SQL of finding withdrawals. Each expression stands as the index of migration 0031 has it, or the index is not used.
import { list, type Fragment, type Sql } from '#/db/client.ts'
import { byKey, searchPage, type Lead, type SearchKey, type SearchPage } from '#/db/search.ts'
import type { WantedValue } from '#/finding/metadata-value.ts'
import { leadOfValue } from '#/finding/queries.ts'
import type { MerchantId, WithdrawalId } from '#/kernel/id.ts'
import type { WithdrawalFilter } from './list-queries.ts'

/** What is compared with the columns of a withdrawal, in its normal form. */
export type FoundByColumns = {
  readonly endToEndId?: string
  /** In lower case. */
  readonly txHash?: string
  readonly amountMinor?: bigint
  /** Each is what one text may mean as a destination, in its normal form. */
  readonly destinations?: readonly (readonly string[])[]
}

/** One page of a merchant's withdrawals that fulfil all of it, newest first. Undefined: nothing of it is given. */
export async function searchWithdrawals(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter & FoundByColumns,
  values: readonly WantedValue[],
): Promise<SearchPage<WithdrawalId> | undefined> {
  const { endToEndId, txHash, destinations = [], amountMinor, limit } = filter
  const lead = (key: SearchKey, condition: Fragment): Lead => ({
    candidates: byKey(sql, 'withdrawal', { merchantId, key, span: filter }),
    condition,
  })
  const leads = [
    ...(endToEndId === undefined
      ? []
      : [lead(referenceKey(sql, endToEndId), hasEndToEndId(sql, endToEndId))]),
    ...(txHash === undefined ? [] : [lead(referenceKey(sql, txHash), hasTx(sql, txHash))]),
    ...values.map((value) => leadOfValue(sql, 'WITHDRAWAL', value, filter)),
    ...destinations.map((texts) => lead(destinationKey(sql, texts), hasDestination(sql, texts))),
    ...(amountMinor === undefined ? [] : [lead(amountKey(sql, amountMinor), hasAmount(sql, amountMinor))]),
  ]
  if (leads.length === 0) return undefined
  const kinds = ofKinds(sql, filter)
  return searchPage<WithdrawalId>(sql, 'withdrawal', { merchantId, span: filter, leads, kinds, limit })
}

/** A withdrawal has one of them: the banks' name of it, or its transaction. */
function referenceOf(sql: Sql) {
  return sql`coalesce(withdrawal.end_to_end_id, withdrawal.tx_hash)`
}

function referenceKey(sql: Sql, reference: string): SearchKey {
  return {
    indexed: sql`hashtext(${referenceOf(sql)})`,
    values: sql`array[hashtext(${reference}::text)]`,
    where: sql`${referenceOf(sql)} is not null`,
  }
}

function hasEndToEndId(sql: Sql, endToEndId: string) {
  return sql`withdrawal.end_to_end_id = ${endToEndId}`
}

function hasTx(sql: Sql, txHash: string) {
  return sql`withdrawal.tx_hash = ${txHash}`
}

function amountKey(sql: Sql, minor: bigint): SearchKey {
  return { indexed: sql`withdrawal.amount_minor`, values: sql`array[${minor}::bigint]` }
}

function hasAmount(sql: Sql, minor: bigint) {
  return sql`withdrawal.amount_minor = ${minor}`
}

/** `texts`: destinations in their normal form. */
function destinationKey(sql: Sql, texts: readonly string[]): SearchKey {
  return {
    indexed: sql`hashtext(withdrawal.destination ->> 'text')`,
    values: sql`(select array_agg(distinct hashtext(text)) from unnest(${list(texts)}::text[]) as text)`,
  }
}

function hasDestination(sql: Sql, texts: readonly string[]) {
  return sql`withdrawal.destination ->> 'text' = any (${list(texts)}::text[])`
}

/** The filters that every list of withdrawals has. */
function ofKinds(sql: Sql, { status, type, currency, batchId }: WithdrawalFilter): readonly Fragment[] {
  return [
    ...(status === undefined ? [] : [sql`withdrawal.status = ${status}`]),
    ...(type === undefined ? [] : [sql`withdrawal.type = ${type}`]),
    ...(currency === undefined ? [] : [sql`withdrawal.currency = ${currency}`]),
    ...(batchId === undefined ? [] : [sql`withdrawal.batch_id = ${batchId}`]),
  ]
}
