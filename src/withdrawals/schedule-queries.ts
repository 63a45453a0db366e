// The SQL of payout schedules.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ApiKeyId, MerchantId, PayoutScheduleId } from '#/kernel/id.ts'
import type { PayoutSchedule } from './schedule.ts'

export type ScheduleKey = { readonly merchantId: MerchantId; readonly id: PayoutScheduleId }
export type NewSchedule = PayoutSchedule & {
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Buffer
}

/** Returns false when the merchant used the key before. */
export async function insertSchedule(tx: Tx, schedule: NewSchedule): Promise<boolean> {
  const result = await tx`
    insert into payout_schedule (merchant_id, id, status, wallet_id, currency, request, fingerprint, idempotency_key, rule,
                                 requested_by, next_run_at, created_at)
    values (${schedule.merchantId}, ${schedule.id}, ${schedule.status}, ${schedule.walletId}, ${schedule.currency},
            ${JSON.stringify(schedule.request)}::text::json, ${schedule.fingerprint}, ${schedule.idempotencyKey ?? null},
            ${JSON.stringify(schedule.rule)}::text::json, ${schedule.requestedBy}, ${schedule.dueAt}, ${schedule.createdAt})
        on conflict (merchant_id, idempotency_key) do nothing`
  return result.count === 1
}

export async function selectScheduleByKey(
  sql: Sql | Tx,
  merchantId: MerchantId,
  idempotencyKey: string,
): Promise<NewSchedule | undefined> {
  const [found] = await sql<NewSchedule[]>`
    select ${columns(sql)}, schedule.fingerprint, schedule.idempotency_key as "idempotencyKey"
      from payout_schedule as schedule
      join merchant on merchant.id = schedule.merchant_id
     where schedule.merchant_id = ${merchantId} and schedule.idempotency_key = ${idempotencyKey}`
  return found
}

/** How many schedules of the merchant may still pay. */
export async function countOpen(sql: Sql | Tx, merchantId: MerchantId): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from payout_schedule where merchant_id = ${merchantId} and status <> 'ENDED'`
  return row.count
}

export async function selectSchedule(
  sql: Sql | Tx,
  { merchantId, id }: ScheduleKey,
): Promise<PayoutSchedule | undefined> {
  const [found] = await sql<PayoutSchedule[]>`
    select ${columns(sql)}
      from payout_schedule as schedule
      join merchant on merchant.id = schedule.merchant_id
     where schedule.merchant_id = ${merchantId} and schedule.id = ${id}`
  return found
}

/** These schedules, locked until the transaction ends. */
export function lockSchedules(tx: Tx, keys: readonly ScheduleKey[]): Promise<readonly PayoutSchedule[]> {
  return tx<PayoutSchedule[]>`
    select ${columns(tx)}
      from payout_schedule as schedule
      join merchant on merchant.id = schedule.merchant_id
     where (schedule.merchant_id, schedule.id) in (
             select * from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })})
     order by schedule.merchant_id, schedule.id
       for update of schedule`
}

/** One page of a merchant's schedules, newest first. */
export function listSchedules(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly before?: PayoutScheduleId; readonly limit: number },
): Promise<readonly PayoutSchedule[]> {
  const { limit } = page
  const ids = newestIds(sql, 'payout_schedule', { merchantId, kinds: [], span: page, within: sql``, limit })
  return sql<PayoutSchedule[]>`
    select ${columns(sql)}
      from (${ids}) as page
      join payout_schedule as schedule on schedule.merchant_id = ${merchantId} and schedule.id = page.id
      join merchant on merchant.id = schedule.merchant_id
     order by schedule.id desc`
}

/** Schedules that are due, the longest due ones first. */
export function selectDueSchedules(sql: Sql, limit: number): Promise<readonly ScheduleKey[]> {
  return sql<ScheduleKey[]>`
    select merchant_id as "merchantId", id from payout_schedule
     where next_run_at <= ${dueNow(sql)} order by next_run_at limit ${limit}`
}

export const isScheduleDue: IsDue = (sql) =>
  sql`exists (select from payout_schedule where next_run_at <= ${dueNow(sql)})`

/** Writes what can change of schedules. */
export async function writeSchedules(tx: Tx, schedules: readonly PayoutSchedule[]): Promise<void> {
  await tx`
    update payout_schedule as schedule
       set status = new.status, rule = new.rule, requested_by = new.requested_by, next_run_at = new.next_run_at,
           last_run_at = new.last_run_at, last_outcome = new.last_outcome, last_withdrawal_id = new.last_withdrawal_id,
           version = new.version
      from ${rowsOf(tx, 'new', schedules, {
        merchant_id: 'uuid',
        id: 'uuid',
        status: 'text',
        rule: ['json', (each) => each.rule],
        requested_by: 'uuid',
        next_run_at: ['timestamptz', (each) => each.dueAt],
        last_run_at: 'timestamptz',
        last_outcome: 'text',
        last_withdrawal_id: 'uuid',
        version: 'integer',
      })}
     where schedule.merchant_id = new.merchant_id and schedule.id = new.id`
}

/** Notes that the key changed how much the schedule pays. */
export async function addChanger(tx: Tx, { merchantId, id }: ScheduleKey, keyId: ApiKeyId): Promise<void> {
  await tx`
    update payout_schedule set changed_by = changed_by || ${keyId}::uuid
     where merchant_id = ${merchantId} and id = ${id} and ${keyId}::uuid <> all (changed_by)`
}

/** The keys that changed how much these schedules pay. */
export function selectChangers(
  tx: Sql | Tx,
  keys: readonly ScheduleKey[],
): Promise<readonly { readonly id: PayoutScheduleId; readonly changedBy: readonly ApiKeyId[] }[]> {
  return tx`
    select schedule.id, schedule.changed_by as "changedBy"
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join payout_schedule as schedule on schedule.merchant_id = wanted.merchant_id and schedule.id = wanted.id`
}

/** Ends all schedules of the merchant. */
export async function endSchedules(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`
    update payout_schedule set status = 'ENDED', next_run_at = null, version = version + 1
     where merchant_id = ${merchantId} and status <> 'ENDED'`
}

/** A run of it failed by a fault of our own: it is tried again later, and delays no other. */
export async function postponeSchedule(
  sql: Sql,
  { merchantId, id }: ScheduleKey,
  waitMs: number,
): Promise<void> {
  await sql`
    update payout_schedule set next_run_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and id = ${id} and next_run_at <= ${dueNow(sql)}`
}

function columns(sql: Sql | Tx) {
  return sql`schedule.merchant_id as "merchantId", schedule.id, merchant.mode, schedule.status, schedule.wallet_id as "walletId",
             schedule.currency, schedule.request, schedule.rule, schedule.requested_by as "requestedBy",
             schedule.next_run_at as "dueAt", schedule.last_run_at as "lastRunAt", schedule.last_outcome as "lastOutcome",
             schedule.last_withdrawal_id as "lastWithdrawalId", schedule.version, schedule.created_at as "createdAt",
             moved_ms(schedule.merchant_id)::float8 as "movedMs"`
}
