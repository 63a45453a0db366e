// The SQL of batches of withdrawals.
import type { Sql, Tx } from '#/db/client.ts'
import { newestIds } from '#/db/lists.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import type { MerchantId, WithdrawalBatchId, WithdrawalId } from '#/kernel/id.ts'
import type { BatchPart, WithdrawalBatch } from './batch.ts'
import type { WithdrawalStatus } from './withdrawal.ts'

export type NewBatch = WithdrawalBatch & { readonly fingerprint: Buffer }

export async function insertBatches(tx: Tx, batches: readonly NewBatch[]): Promise<void> {
  const values = valuesOf(tx, batches, {
    merchant_id: 'uuid',
    id: 'uuid',
    idempotency_key: 'text',
    fingerprint: 'bytea',
    requested_by: 'uuid',
    count: 'integer',
    created_at: 'timestamptz',
  })
  await tx`insert into withdrawal_batch ${values}`
}

/** The batches that these keys made before. */
export function selectBatchesByKey(
  tx: Tx,
  keys: readonly Pick<WithdrawalBatch, 'merchantId' | 'idempotencyKey'>[],
): Promise<readonly NewBatch[]> {
  return tx<NewBatch[]>`
    select ${columns(tx)}, batch.fingerprint
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', idempotency_key: 'text' })}
      join withdrawal_batch as batch using (merchant_id, idempotency_key)`
}

/** The ids of the withdrawals of these batches; a batch of another merchant has none. */
export function selectBatchWithdrawals(
  tx: Tx,
  batches: readonly Pick<WithdrawalBatch, 'merchantId' | 'id'>[],
): Promise<readonly { readonly batchId: WithdrawalBatchId; readonly id: WithdrawalId }[]> {
  return tx<{ batchId: WithdrawalBatchId; id: WithdrawalId }[]>`
    select withdrawal.batch_id as "batchId", withdrawal.id
      from ${rowsOf(tx, 'wanted', batches, { merchant_id: 'uuid', id: 'uuid' })}
      join withdrawal on withdrawal.merchant_id = wanted.merchant_id and withdrawal.batch_id = wanted.id
     order by withdrawal.batch_id, withdrawal.batch_place`
}

export async function selectBatch(
  sql: Sql,
  merchantId: MerchantId,
  id: WithdrawalBatchId,
): Promise<WithdrawalBatch | undefined> {
  const [batch] = await sql<WithdrawalBatch[]>`
    select ${columns(sql)} from withdrawal_batch as batch where batch.merchant_id = ${merchantId} and batch.id = ${id}`
  return batch
}

/** How far a batch is: its withdrawals by state and currency. Reads all of them, at most `batchCountMax`. */
export function selectProgress(
  sql: Sql,
  merchantId: MerchantId,
  id: WithdrawalBatchId,
): Promise<readonly BatchPart[]> {
  return sql<BatchPart[]>`
    select status, currency, count(*)::integer as count, sum(amount_minor)::bigint as "amountMinor",
           sum(fee_minor)::bigint as "feeMinor"
      from withdrawal
     where merchant_id = ${merchantId} and batch_id = ${id}
     group by status, currency
     order by status, currency`
}

export type ListedBatch = WithdrawalBatch & {
  /** The states that a withdrawal of it has. */
  readonly statuses: readonly WithdrawalStatus[]
}

/** One page of a merchant's batches, newest first. */
export function listBatches(
  sql: Sql,
  merchantId: MerchantId,
  page: {
    readonly from?: Date
    readonly to?: Date
    readonly before?: WithdrawalBatchId
    readonly limit: number
  },
): Promise<readonly ListedBatch[]> {
  const within = sql``
  // The next state, from the index: one row is read for each state, however many withdrawals have it.
  return sql<ListedBatch[]>`
    select ${columns(sql)}, array(
             with recursive step (status) as (
               (select status from withdrawal
                 where merchant_id = batch.merchant_id and batch_id = batch.id
                 order by status limit 1)
               union all
               select (select status from withdrawal
                        where merchant_id = batch.merchant_id and batch_id = batch.id and status > step.status
                        order by status limit 1)
                 from step
                where step.status is not null
             )
             select status from step where status is not null
           ) as statuses
      from (${newestIds(sql, 'withdrawal_batch', { merchantId, kinds: [], span: page, within, limit: page.limit })}) as page
      join withdrawal_batch as batch on batch.merchant_id = ${merchantId} and batch.id = page.id
     order by batch.id desc`
}

function columns(sql: Sql | Tx) {
  return sql`batch.merchant_id as "merchantId", batch.id, batch.idempotency_key as "idempotencyKey",
             batch.requested_by as "requestedBy", batch.count, batch.created_at as "createdAt"`
}
