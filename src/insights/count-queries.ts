// The SQL of the worker that counts the overview's figures. Every write runs in the transaction that locked the merchants' watermarks.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import { firstIdAt, type MerchantId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { bucketCount, bucketLimits } from './buckets.ts'

/**
 * The next merchants in the order of their ids, and which of them have something that is not counted: events, creations, or payments from
 * before their figures began.
 */
export function selectMerchants(
  sql: Sql,
  after: MerchantId | undefined,
  limit: number,
): Promise<readonly { readonly id: MerchantId; readonly hasWork: boolean }[]> {
  return sql<{ id: MerchantId; hasWork: boolean }[]>`
    select merchant.id, ${hasWork(sql)} as "hasWork"
      from ${merchants(sql)}
     where merchant.id > ${after ?? leastId}
     order by merchant.id
     limit ${limit}`
}

/** Whether a merchant has something to count. */
export const isCountDue: IsDue = (sql) => sql`exists (select from ${merchants(sql)} where ${hasWork(sql)})`

function merchants(sql: Sql) {
  return sql`
    merchant
      left join event_counter as counter on counter.merchant_id = merchant.id
      left join insight_watermark as watermark on watermark.merchant_id = merchant.id`
}

function hasWork(sql: Sql) {
  // In order and limited to one row, so that the index is read once for each merchant, and not all notes.
  return sql`(
    coalesce(counter.sequence, 0) > coalesce(watermark.sequence, 0)
    or coalesce(not watermark.is_whole, true)
    or coalesce((select true from insight_created where insight_created.merchant_id = merchant.id
                  order by insight_created.merchant_id, insight_created.id limit 1), false))`
}

const leastId = '00000000-0000-0000-0000-000000000000'

/** Makes the missing watermarks of these merchants. */
export async function insertWatermarks(sql: Sql, merchantIds: readonly MerchantId[]): Promise<void> {
  await sql`
    insert into insight_watermark (merchant_id)
    select unnest(${list(merchantIds)}::uuid[])
    on conflict do nothing`
}

/** A merchant that this transaction counts for, alone: from the event after `after` up to `head`, the merchant's last one. */
export type Locked = {
  readonly merchantId: MerchantId
  readonly after: bigint
  readonly head: bigint
  /** As a date. Null: nothing was counted yet. */
  readonly createdFrom: string | null
  readonly isWhole: boolean
}

/** Locks the watermarks of these merchants. Waits while another worker counts for one of them, and then sees how far it came. */
export function lockWatermarks(tx: Tx, merchantIds: readonly MerchantId[]): Promise<readonly Locked[]> {
  return tx<Locked[]>`
    select watermark.merchant_id as "merchantId",
           -- Skips numbers that no event has: a restore leaves many.
           coalesce((select sequence - 1 from event
                      where event.merchant_id = watermark.merchant_id and event.sequence > watermark.sequence
                      order by event.sequence limit 1), watermark.sequence) as after,
           coalesce((select sequence from event_counter where merchant_id = watermark.merchant_id), 0) as head,
           watermark.created_from::text as "createdFrom", watermark.is_whole as "isWhole"
      from insight_watermark as watermark
     where watermark.merchant_id = any (${list(merchantIds)}::uuid[])
     order by watermark.merchant_id
       for update`
}

/** Events of one merchant that are counted together. */
export type Stretch = { readonly merchantId: MerchantId; readonly after: bigint; readonly upTo: bigint }

/**
 * Counts the events of these stretches and moves the watermarks past them. An attempt, a refund or a dispute counts under its latest end:
 * an event that ends it again takes back what the earlier end counted, on the day of that end.
 */
export async function countEvents(tx: Tx, stretches: readonly Stretch[]): Promise<void> {
  await tx`
    with stretch as (
      select unnest(${list(stretches.map((each) => each.merchantId))}::uuid[]) as merchant_id,
             unnest(${list(stretches.map((each) => each.after))}::bigint[]) as after,
             unnest(${list(stretches.map((each) => each.upTo))}::bigint[]) as up_to
    ), news as materialized (
      select event.merchant_id, event.sequence, event.type, event.resource_id as id, event.at,
             (event.at at time zone 'UTC')::date as day
        from stretch
        join event on event.merchant_id = stretch.merchant_id
                  and event.sequence > stretch.after and event.sequence <= stretch.up_to
       where event.type = any (${list(countedTypes)}::text[])
    ), ${piecesOf(tx)}, figure (merchant_id, day, figure, method, currency, count, minor) as (
      ${paymentFigures(tx)}
      union all
      ${otherFigures(tx)}
    ), moved as (
      update insight_watermark set sequence = stretch.up_to
        from stretch
       where insight_watermark.merchant_id = stretch.merchant_id
    )
    insert into insight_day (merchant_id, day, figure, method, currency, count, minor, times)
    select merchant_id, day, figure, method, currency, sum(count), sum(minor), null
      from figure
     group by merchant_id, day, figure, method, currency
    union all
    select merchant_id, day, 'TIME', method, '', count, 0, times from histogram
    on conflict (merchant_id, day, figure, method, currency)
    do update set count = insight_day.count + excluded.count, minor = insight_day.minor + excluded.minor,
                  times = case when excluded.times is not null then (
                    select array_agg(was.n + more.n order by was.place)
                      from unnest(insight_day.times) with ordinality as was (n, place)
                      join unnest(excluded.times) with ordinality as more (n, place) using (place)
                  ) end`
}

/** The money that made the payments of `news` PAID, and how long that took. Money that came later is a duplicate. */
function piecesOf(tx: Tx): Fragment {
  return tx`
    piece as materialized (
      select news.merchant_id, news.id, news.day, news.at, receipt.attempt_id, attempt.method, receipt.currency,
             receipt.booked_minor as minor,
             row_number() over (partition by news.merchant_id, news.id order by receipt.ordinal desc) = 1 as is_last
        from news
        join receipt on receipt.merchant_id = news.merchant_id and receipt.payment_id = news.id
        join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
       where news.type = 'payment.completed' and receipt.outcome = 'paid' and receipt.is_duplicate is not true
         and receipt.recorded_at <= news.at and receipt.booked_minor > 0
    ), timed as (
      select piece.merchant_id, piece.day, piece.method, count(*),
             width_bucket((extract(epoch from piece.at - payment.created_at) * 1000)::bigint, ${list(bucketLimits)}::bigint[]) as bucket
        from piece
        join payment on payment.merchant_id = piece.merchant_id and payment.id = piece.id
       where piece.is_last
       group by 1, 2, 3, 5
    ), histogram as (
      select key.merchant_id, key.day, key.method, sum(timed.count) as count,
             array_agg(coalesce(timed.count, 0) order by place.bucket) as times
        from (select distinct merchant_id, day, method from timed) as key
       cross join generate_series(0, ${bucketCount - 1}) as place (bucket)
        left join timed on timed.merchant_id = key.merchant_id and timed.day = key.day and timed.method = key.method
                       and timed.bucket = place.bucket
       group by 1, 2, 3
    )`
}

/** Payments that became PAID, and the ends of attempts. */
function paymentFigures(tx: Tx): Fragment {
  return tx`
      select merchant_id, day, 'PAID', method, currency, is_last::integer, minor from piece
      union all
      select distinct_piece.merchant_id, distinct_piece.day, 'SUCCEEDED', distinct_piece.method, '', 1, 0
        from (select distinct merchant_id, day, method, attempt_id from piece) as distinct_piece
      union all
      select news.merchant_id, news.day, 'ENDED', attempt.method, '', 1, 0
        from news
        join attempt on attempt.merchant_id = news.merchant_id and attempt.payment_id = news.id
       where news.type in ('payment.completed', 'payment.expired', 'payment.failed', 'payment.canceled')
      union all
      -- PAID after it had ended.
      select news.merchant_id, (earlier.at at time zone 'UTC')::date, 'ENDED', attempt.method, '', -1, 0
        from news
        join event as earlier on earlier.resource_id = news.id and earlier.sequence < news.sequence
                             and earlier.merchant_id = news.merchant_id
                             and earlier.type in ('payment.expired', 'payment.failed', 'payment.canceled')
        join attempt on attempt.merchant_id = news.merchant_id and attempt.payment_id = news.id
       where news.type = 'payment.completed'`
}

/** Refunds, disputes and withdrawals. */
function otherFigures(tx: Tx): Fragment {
  return tx`
      select news.merchant_id, news.day, 'REFUNDED', refund.method, refund.currency, 1, refund.amount_minor
        from news
        join refund on refund.merchant_id = news.merchant_id and refund.id = news.id
       where news.type = 'refund.completed'
      union all
      select news.merchant_id, (earlier.at at time zone 'UTC')::date, 'REFUNDED', refund.method, refund.currency, -1,
             -refund.amount_minor
        from news
        join refund on refund.merchant_id = news.merchant_id and refund.id = news.id
       ${joinEarlier(tx)}
       where news.type in ('refund.completed', 'refund.failed') and earlier.type = 'refund.completed'
      union all
      select news.merchant_id, news.day, ending.figure, '', dispute.currency, 1, dispute.amount_minor
        from news
        join dispute on dispute.merchant_id = news.merchant_id and dispute.id = news.id
        join (values ('dispute.opened', 'DISPUTED'), ('dispute.won', 'DISPUTE_WON'), ('dispute.lost', 'DISPUTE_LOST'))
             as ending (type, figure) on ending.type = news.type
       where news.type <> 'dispute.opened'
          -- A dispute that is opened again is not counted as another one.
          or not exists (select from event
                          where event.resource_id = news.id and event.sequence < news.sequence
                            and event.merchant_id = news.merchant_id)
      union all
      select news.merchant_id, (earlier.at at time zone 'UTC')::date,
             case earlier.type when 'dispute.won' then 'DISPUTE_WON' else 'DISPUTE_LOST' end, '', dispute.currency, -1,
             -dispute.amount_minor
        from news
        join dispute on dispute.merchant_id = news.merchant_id and dispute.id = news.id
       ${joinEarlier(tx)}
       where news.type in ('dispute.opened', 'dispute.won', 'dispute.lost')
         and earlier.type in ('dispute.won', 'dispute.lost')
      union all
      select news.merchant_id, news.day, 'WITHDRAWN', withdrawal.type, withdrawal.currency, 1, withdrawal.amount_minor
        from news
        join withdrawal on withdrawal.merchant_id = news.merchant_id and withdrawal.id = news.id
       where news.type = 'withdrawal.completed'`
}

/** The event of the same record before that of `news`. */
function joinEarlier(tx: Tx): Fragment {
  return tx`
       cross join lateral (
         select event.type, event.at
           from event
          where event.resource_id = news.id and event.sequence < news.sequence and event.merchant_id = news.merchant_id
          order by event.sequence desc
          limit 1
       ) as earlier`
}

const countedTypes = [
  'payment.completed',
  'payment.expired',
  'payment.failed',
  'payment.canceled',
  'refund.completed',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'withdrawal.completed',
]

/** Counts noted creations of these merchants, the oldest `limit` of each, and deletes their notes. Returns how many notes. */
export async function countCreated(
  tx: Tx,
  merchantIds: readonly MerchantId[],
  limit: number,
): Promise<number> {
  const [row] = await tx<{ notes: number }[]>`
    with gone as (
      delete from insight_created
       using unnest(${list(merchantIds)}::uuid[]) as wanted (merchant_id)
       cross join lateral (
         select noted.merchant_id, noted.id
           from insight_created as noted
          where noted.merchant_id = wanted.merchant_id
          order by noted.merchant_id, noted.id
          limit ${limit}
       ) as old
       where insight_created.merchant_id = old.merchant_id and insight_created.id = old.id
      returning insight_created.merchant_id, insight_created.day, insight_created.currency, insight_created.count
    ), added as (
      insert into insight_day (merchant_id, day, figure, currency, count)
      select merchant_id, day, 'CREATED', currency, sum(count) from gone group by merchant_id, day, currency
      on conflict (merchant_id, day, figure, method, currency)
      do update set count = insight_day.count + excluded.count
    )
    select count(*)::integer as notes from gone`
  return row?.notes ?? 0
}

/** Today, as the database's clock has it. */
export async function selectToday(sql: Sql | Tx): Promise<Date> {
  const [row] = await sql<{ today: Date }[]>`
    select date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC' as today`
  return must(row, 'the clock has a day').today
}

/** The instant of the merchant's payment that has `most - 1` others between it and `before`, going back; else that of the oldest one. */
export async function selectCreatedBack(
  tx: Tx,
  merchantId: MerchantId,
  before: Date,
  most: number,
): Promise<{ readonly at: Date; readonly isOldest: boolean } | undefined> {
  const [row] = await tx<{ at: Date; isOldest: boolean }[]>`
    select found.created_at as at,
           not exists (select from payment where merchant_id = ${merchantId} and id < found.id) as "isOldest"
      from (
        select id, created_at
          from (select id, created_at from payment
                 where merchant_id = ${merchantId} and id < ${firstIdAt(before)}
                 order by id desc
                 limit ${most}) as newest
         order by id
         limit 1
      ) as found`
  return row
}

/** An id and the date of its row come from one reading of the clock today; in old rows they may lie apart by a moment. */
const idSlackMs = minuteMs

/**
 * Counts the merchant's payments of these days again, from the payments themselves, and deletes their notes. Both happen in one statement,
 * which sees a payment and its note together or neither of them.
 */
export async function recountCreated(
  tx: Tx,
  merchantId: MerchantId,
  days: { readonly from: Date; readonly to: Date },
  isWhole: boolean,
): Promise<void> {
  const { from, to } = days
  await tx`
    with gone as (
      delete from insight_created
       where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
         and day < (${to}::timestamptz at time zone 'UTC')::date
    ), moved as (
      update insight_watermark
         set created_from = (${from}::timestamptz at time zone 'UTC')::date, is_whole = ${isWhole}
       where merchant_id = ${merchantId}
    )
    insert into insight_day (merchant_id, day, figure, currency, count)
    select merchant_id, (created_at at time zone 'UTC')::date, 'CREATED', currency, count(*)
      from payment
     where merchant_id = ${merchantId} and id >= ${firstIdAt(addMs(from, -idSlackMs))} and id < ${firstIdAt(addMs(to, idSlackMs))}
       and created_at >= ${from} and created_at < ${to}
     group by 1, 2, 3, 4
    on conflict (merchant_id, day, figure, method, currency) do update set count = excluded.count`
}

/** Forgets what was counted for a merchant. Creations that are noted stay noted. */
export async function forget(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`delete from insight_day where merchant_id = ${merchantId}`
  await tx`
    update insight_watermark set sequence = 0, created_from = null, is_whole = false where merchant_id = ${merchantId}`
}
