// What the overview reads of a merchant's figures. It reads no payment: the cost depends on days, methods and currencies alone.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import type { MerchantId } from '#/kernel/id.ts'

export type Figure =
  | 'CREATED'
  | 'PAID'
  | 'ENDED'
  | 'SUCCEEDED'
  | 'REFUNDED'
  | 'DISPUTED'
  | 'DISPUTE_WON'
  | 'DISPUTE_LOST'
  | 'WITHDRAWN'

export type Total = {
  readonly figure: Figure
  /** Empty: the figure has none. */
  readonly method: string
  readonly currency: string
  readonly count: bigint
  readonly minor: bigint
}

/** Sums over days: `from` inclusive, `to` exclusive, both midnights in UTC. `isBefore`: of the days before `middle`. */
export async function selectTotals(
  sql: Sql,
  merchantId: MerchantId,
  { from, middle, to }: { readonly from: Date; readonly middle: Date; readonly to: Date },
): Promise<readonly (Total & { readonly isBefore: boolean })[]> {
  const rows = await sql<(Omit<Total, 'minor'> & { isBefore: boolean; minor: string })[]>`
    select day < (${middle}::timestamptz at time zone 'UTC')::date as "isBefore", figure, method, currency,
           sum(count)::bigint as count, sum(minor)::text as minor
      from insight_day
     where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
       and day < (${to}::timestamptz at time zone 'UTC')::date and figure <> 'TIME'
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4`
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }))
}

/** The figures of each day for charts, without times. */
export async function selectDays(
  sql: Sql,
  merchantId: MerchantId,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly (Total & { readonly day: string })[]> {
  const rows = await sql<(Omit<Total, 'minor'> & { day: string; minor: string })[]>`
    select day::text as day, figure, method, currency, count, minor::text as minor
      from insight_day
     where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
       and day < (${to}::timestamptz at time zone 'UTC')::date and figure <> 'TIME' and (count <> 0 or minor <> 0)
     order by day, figure, method, currency`
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }))
}

/** How many payments took how long, for each bucket, of one method and day. */
export type Times = {
  readonly isBefore: boolean
  readonly method: string
  readonly counts: readonly number[]
}

export async function selectTimes(
  sql: Sql,
  merchantId: MerchantId,
  { from, middle, to }: { readonly from: Date; readonly middle: Date; readonly to: Date },
): Promise<readonly Times[]> {
  // As text: a parser of arrays takes several times as long.
  const rows = await sql<{ isBefore: boolean; method: string; times: string }[]>`
    select day < (${middle}::timestamptz at time zone 'UTC')::date as "isBefore", method, array_to_string(times, ',') as times
      from insight_day
     where merchant_id = ${merchantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
       and day < (${to}::timestamptz at time zone 'UTC')::date and figure = 'TIME'`
  return rows.map(({ times, ...row }) => ({ ...row, counts: times.split(',').map(Number) }))
}

/** How far a merchant's figures are. */
export type Progress = {
  readonly now: Date
  /** Everything that was committed before this instant is counted. */
  readonly asOf: Date
  /** Created payments are counted from this day on. Null: from the first. */
  readonly createdFrom: string | null
}

/**
 * Events are counted in their order, and each is committed after its instant. So everything that was committed before the instant of the
 * first event that is not counted yet has been counted. The same holds for creations.
 */
export async function selectProgress(sql: Sql, merchantId: MerchantId): Promise<Progress> {
  const [row] = await sql<Progress[]>`
    select clock.now,
           least(
             clock.now,
             (select event.at from event where event.merchant_id = wanted.id and event.sequence = coalesce(watermark.sequence, 0) + 1),
             (select noted.at from insight_created as noted
               where noted.merchant_id = wanted.id order by noted.merchant_id, noted.id limit 1)
           ) as "asOf",
           case when watermark.is_whole then null
                else coalesce(watermark.created_from, (clock.now at time zone 'UTC')::date + 2)::text end as "createdFrom"
      from (select ${merchantId}::uuid as id) as wanted
     cross join (select clock_timestamp() as now) as clock
      left join insight_watermark as watermark on watermark.merchant_id = wanted.id`
  return must(row, 'a merchant has a progress')
}
