// The SQL of lists of withdrawals: a merchant's, and the operator's.
import { payoutTypes, withdrawalStatuses } from '#/contract/withdrawals.ts'
import { list, type Fragment, type Sql } from '#/db/client.ts'
import { newestIds } from '#/db/lists.ts'
import { byKey, searchPage, type Lead, type SearchKey, type SearchPage } from '#/db/search.ts'
import type { WantedValue } from '#/finding/metadata-value.ts'
import { leadOfValue } from '#/finding/queries.ts'
import type { MerchantId, WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import { currencies } from '#/kernel/money.ts'
import { columns, toWithdrawal, type WithdrawalRow } from './queries.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Withdrawals for the operator, of all merchants, newest first. */
export async function selectForOperator(
  sql: Sql,
  selection: 'open' | 'review' | 'approval' | 'all',
  limit: number,
): Promise<readonly Withdrawal[]> {
  const newest = (condition: Fragment) =>
    sql`(select merchant_id, id from withdrawal where ${condition} order by id desc limit ${limit})`
  // Each state by itself: the index of withdrawals without an end begins with the state.
  const conditions = {
    open: sql`${newest(sql`status = 'PENDING'`)} union all ${newest(sql`status = 'PENDING_APPROVAL'`)}
              union all ${newest(sql`status = 'PROCESSING'`)}`,
    review: newest(sql`review_required`),
    approval: newest(sql`status = 'PENDING_APPROVAL'`),
    all: newest(sql`true`),
  }
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from (select * from (${conditions[selection]}) as each order by id desc limit ${limit}) as page
      join withdrawal on withdrawal.merchant_id = page.merchant_id and withdrawal.id = page.id
      join merchant on merchant.id = withdrawal.merchant_id
     order by withdrawal.id desc`
  return rows.map(toWithdrawal)
}

export type OperatorPage = {
  /** `review`: its end has been unknown for long. `open`: it has no end. The others are states. */
  readonly selection: 'open' | 'review' | 'approval' | 'pending' | 'processing' | 'all'
  /** Whether the oldest come first. Default: the newest. */
  readonly isOldestFirst?: boolean
  /** The last withdrawal of the page before. */
  readonly after?: WithdrawalId
  readonly limit: number
}

/** One page of withdrawals of all merchants. */
export async function selectOperatorPage(
  sql: Sql,
  { selection, isOldestFirst = false, after, limit }: OperatorPage,
): Promise<readonly Withdrawal[]> {
  const order = isOldestFirst ? sql`asc` : sql`desc`
  const further =
    after === undefined ? sql`` : isOldestFirst ? sql`and id > ${after}` : sql`and id < ${after}`
  const part = (condition: Fragment) =>
    sql`(select merchant_id, id from withdrawal where ${condition} ${further} order by id ${order} limit ${limit})`
  const conditions = {
    // Each state by itself, as above.
    open: sql`${part(sql`status = 'PENDING'`)} union all ${part(sql`status = 'PENDING_APPROVAL'`)}
              union all ${part(sql`status = 'PROCESSING'`)}`,
    review: part(sql`review_required`),
    approval: part(sql`status = 'PENDING_APPROVAL'`),
    pending: part(sql`status = 'PENDING'`),
    processing: part(sql`status = 'PROCESSING'`),
    all: part(sql`true`),
  }
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from (select * from (${conditions[selection]}) as each order by id ${order} limit ${limit}) as page
      join withdrawal on withdrawal.merchant_id = page.merchant_id and withdrawal.id = page.id
      join merchant on merchant.id = withdrawal.merchant_id
     order by withdrawal.id ${order}`
  return rows.map(toWithdrawal)
}

export type WithdrawalFilter = {
  readonly id?: WithdrawalId
  readonly status?: string
  readonly type?: string
  readonly currency?: string
  readonly batchId?: WithdrawalBatchId
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Only withdrawals created before this one. */
  readonly before?: WithdrawalId
  readonly limit: number
}

/** These withdrawals of a merchant, newest first. */
export async function selectListed(
  sql: Sql,
  merchantId: MerchantId,
  ids: readonly WithdrawalId[],
): Promise<readonly Withdrawal[]> {
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from unnest(${list(ids)}::uuid[]) as wanted (id)
      join withdrawal on withdrawal.merchant_id = ${merchantId} and withdrawal.id = wanted.id
      join merchant on merchant.id = withdrawal.merchant_id
     order by withdrawal.id desc`
  return rows.map(toWithdrawal)
}

/** One page of a merchant's withdrawals, newest first. */
export async function listWithdrawals(
  sql: Sql,
  merchantId: MerchantId,
  filter: WithdrawalFilter,
): Promise<readonly Withdrawal[]> {
  const { id, type, currency, batchId } = filter
  const status = { column: 'status', value: filter.status, all: withdrawalStatuses }
  const ofType = { column: 'type', value: type, all: payoutTypes }
  const ofCurrency = { column: 'currency', value: currency, all: Object.keys(currencies) }
  // Each of the two orders has its index. A batch has so few withdrawals that the other kinds are only compared there.
  const kinds =
    batchId === undefined
      ? [ofType, ofCurrency, status]
      : [{ column: 'batch_id', type: 'uuid' as const, value: batchId, all: [] }, status]
  const within = sql`
    ${id === undefined ? sql`` : sql`and withdrawal.id = ${id}`}
    ${batchId === undefined ? sql`` : sql`and withdrawal.batch_id is not null`}
    ${batchId === undefined || type === undefined ? sql`` : sql`and withdrawal.type = ${type}`}
    ${batchId === undefined || currency === undefined ? sql`` : sql`and withdrawal.currency = ${currency}`}`
  const isNarrow = id !== undefined
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from (${newestIds(sql, 'withdrawal', { merchantId, kinds, span: filter, within, isNarrow, limit: filter.limit })}) as page
      join withdrawal on withdrawal.merchant_id = ${merchantId} and withdrawal.id = page.id
      join merchant on merchant.id = withdrawal.merchant_id
     order by withdrawal.id desc`
  return rows.map(toWithdrawal)
}

// The SQL of finding withdrawals. Each expression stands as the index of migration 0031 has it, or the index is not used.

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
