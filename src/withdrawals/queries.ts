// All SQL of withdrawals, except claims (due-queries.ts), lists (list-queries.ts) and limits (limit-queries.ts). Writes process whole arrays; every read of a
// merchant names the merchant.
import { list, recordSeparator, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import { fromRow, rowsOf, valuesOf, type RowOf } from '#/db/rows.ts'
import { invariant } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { WithdrawalBatchId, WithdrawalId, MerchantId } from '#/kernel/id.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import type { Withdrawal, BatchPart, WithdrawalBatch, WithdrawalStatus } from './withdrawal.ts'

export type NewWithdrawal = Withdrawal & {
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Buffer
  /** Of the call that requests it. */
  readonly trace?: string | undefined
}

/** Inserts them all. Returns the ids of those whose merchant has declared keys of metadata. */
export async function insertWithdrawals(
  tx: Tx,
  withdrawals: readonly NewWithdrawal[],
): Promise<ReadonlySet<WithdrawalId>> {
  // Texts without quotes are read faster than an array of them.
  const jsonOf = (name: 'destination' | 'request') => {
    const all = withdrawals.map((each) => JSON.stringify(each[name])).join(recordSeparator)
    return tx`unnest(string_to_array(${all}, ${recordSeparator})::json[])`
  }
  const values = valuesOf(tx, withdrawals, {
    merchant_id: 'uuid',
    id: 'uuid',
    type: 'text',
    status: 'text',
    amount_minor: 'bigint',
    fee_minor: 'bigint',
    currency: 'text',
    wallet_id: 'uuid',
    connection: 'text',
    reference: 'text',
    destination: jsonOf('destination'),
    request: jsonOf('request'),
    fingerprint: 'bytea',
    idempotency_key: 'text',
    requested_by: 'uuid',
    created_at: 'timestamptz',
    batch_id: ['uuid', (each) => each.batch?.id],
    batch_place: ['integer', (each) => each.batch?.place],
    schedule_id: 'uuid',
    trace: 'text',
  })
  const rows = await tx<{ id: WithdrawalId; hasKeys: boolean }[]>`
    insert into withdrawal ${values}
    returning id, exists (select from metadata_key where metadata_key.merchant_id = withdrawal.merchant_id) as "hasKeys"`
  return new Set(rows.flatMap(({ id, hasKeys }) => (hasKeys ? [id] : [])))
}

export type WithdrawalRow = RowOf<Omit<Withdrawal, 'batch'>> & {
  batch_id: WithdrawalBatchId | null
  batch_place: number | null
}

export function columns(sql: Sql | Tx) {
  return sql`withdrawal.merchant_id, withdrawal.id, merchant.mode, withdrawal.type, withdrawal.status,
             withdrawal.amount_minor, withdrawal.fee_minor, withdrawal.currency, withdrawal.wallet_id,
             withdrawal.connection, withdrawal.reference, withdrawal.destination, withdrawal.request,
             withdrawal.requested_by, withdrawal.decided_by, withdrawal.provider_ref, withdrawal.end_to_end_id,
             withdrawal.tx_hash, withdrawal.failure, withdrawal.returned_minor, withdrawal.review_required,
             withdrawal.version, withdrawal.created_at, withdrawal.completed_at, withdrawal.note,
             withdrawal.batch_id, withdrawal.batch_place, withdrawal.schedule_id`
}

export type StoredWithdrawalKey = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly withdrawal: Withdrawal
}

/** The withdrawals that keys created before, by the references derived from merchant and key: one index covers all states. */
export async function selectByKeys(
  sql: Sql | Tx,
  references: readonly string[],
): Promise<readonly StoredWithdrawalKey[]> {
  const rows = await sql<(WithdrawalRow & { key: string; fingerprint: Buffer })[]>`
    select withdrawal.idempotency_key as key, withdrawal.fingerprint, ${columns(sql)}
      from unnest(${list(references)}::text[]) as wanted (reference)
      join withdrawal on withdrawal.reference = wanted.reference
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.idempotency_key is not null`
  return rows.map(({ key, fingerprint, ...row }) => ({ key, fingerprint, withdrawal: toWithdrawal(row) }))
}

/** These withdrawals, for callers that know only their ids. */
export async function selectWithdrawalsById(
  sql: Sql | Tx,
  ids: readonly WithdrawalId[],
): Promise<readonly Withdrawal[]> {
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from withdrawal
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.id = any (${list(ids)}::uuid[])`
  return rows.map(toWithdrawal)
}

/** The withdrawals of a type that have these references at their provider. */
export async function selectByReferences(
  sql: Sql,
  type: PayoutType,
  references: readonly string[],
): Promise<readonly Withdrawal[]> {
  const rows = await sql<WithdrawalRow[]>`
    select ${columns(sql)}
      from withdrawal
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.reference = any (${list(references)}::text[]) and withdrawal.type = ${type}`
  return rows.map(toWithdrawal)
}

/** Writes what can change of a withdrawal. Of several versions of one the last one wins. */
export async function writeWithdrawals(tx: Tx, versions: readonly Withdrawal[]): Promise<void> {
  const withdrawals = [...new Map(versions.map((withdrawal) => [withdrawal.id, withdrawal])).values()]
  const written = rowsOf(tx, 'new', withdrawals, {
    merchant_id: 'uuid',
    id: 'uuid',
    status: 'text',
    decided_by: 'uuid',
    provider_ref: 'text',
    end_to_end_id: 'text',
    tx_hash: 'text',
    failure: ['json', (each) => each.failure],
    returned_minor: 'bigint',
    review_required: 'boolean',
    version: 'integer',
    completed_at: 'timestamptz',
    note: 'text',
  })
  const result = await tx`
    update withdrawal
       set status = new.status, decided_by = new.decided_by, provider_ref = new.provider_ref,
           end_to_end_id = new.end_to_end_id, tx_hash = new.tx_hash, failure = new.failure,
           returned_minor = new.returned_minor, review_required = new.review_required, version = new.version,
           completed_at = new.completed_at, note = new.note
      from ${written}
     where withdrawal.merchant_id = new.merchant_id and withdrawal.id = new.id`
  invariant(result.count === withdrawals.length, 'every withdrawal that changed is there')
}

type WithdrawalKey = Pick<Withdrawal, 'merchantId' | 'id'>

/** Records that these withdrawals are due at their providers. */
export async function insertDue(
  tx: Tx,
  withdrawals: readonly (WithdrawalKey & Pick<Withdrawal, 'connection'>)[],
): Promise<void> {
  await tx`
    insert into withdrawal_due (merchant_id, withdrawal_id, connection, due_at)
    select merchant_id, id, connection, ${dueNow(tx)}
      from ${rowsOf(tx, 'new', withdrawals, { merchant_id: 'uuid', id: 'uuid', connection: 'text' })}
        on conflict do nothing`
}

/** Records that these withdrawals are not due any more. */
export async function deleteDue(tx: Tx, withdrawals: readonly WithdrawalKey[]): Promise<void> {
  await tx`
    delete from withdrawal_due
     using ${rowsOf(tx, 'ended', withdrawals, { merchant_id: 'uuid', id: 'uuid' })}
     where withdrawal_due.merchant_id = ended.merchant_id and withdrawal_due.withdrawal_id = ended.id`
}

export function toWithdrawal({ batch_id: id, batch_place: place, ...row }: WithdrawalRow): Withdrawal {
  const batch = id === null || place === null ? undefined : { id, place }
  return { ...fromRow<Omit<Withdrawal, 'batch'>>(row), ...given({ batch }) }
}

/** Those of these withdrawals that had left before a restore took them back. */
export async function selectDeparted(
  tx: Tx,
  ids: readonly WithdrawalId[],
): Promise<ReadonlySet<WithdrawalId>> {
  const rows = await tx<{ id: WithdrawalId }[]>`
    select id from withdrawal where id = any (${list(ids)}::uuid[]) and left_before_restore`
  return new Set(rows.map(({ id }) => id))
}

/** Returns those of the references, at any provider, under which money of a lost withdrawal has left. */
export async function selectDepartedReferences(
  sql: Sql | Tx,
  references: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ reference: string }[]>`
    select reference from unrecorded where reference = any (${list(references)}::text[]) and kind = 'WITHDRAWAL'`
  return rows.map(({ reference }) => reference)
}

// The SQL of batches of withdrawals.

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
    select ${batchColumns(tx)}, batch.fingerprint
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
    select ${batchColumns(sql)} from withdrawal_batch as batch where batch.merchant_id = ${merchantId} and batch.id = ${id}`
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
    select ${batchColumns(sql)}, array(
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

function batchColumns(sql: Sql | Tx) {
  return sql`batch.merchant_id as "merchantId", batch.id, batch.idempotency_key as "idempotencyKey",
             batch.requested_by as "requestedBy", batch.count, batch.created_at as "createdAt"`
}
