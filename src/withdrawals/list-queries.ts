// The SQL of lists of withdrawals: a merchant's, and the operator's.
import { payoutTypes, withdrawalStatuses } from '#/contract/withdrawals.ts'
import { list, type Fragment, type Sql } from '#/db/client.ts'
import { newestIds } from '#/db/lists.ts'
import type { MerchantId, WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import { currencies } from '#/kernel/money.ts'
import { columns, toWithdrawal, type WithdrawalRow } from './queries.ts'
import { type Withdrawal } from './withdrawal.ts'

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
