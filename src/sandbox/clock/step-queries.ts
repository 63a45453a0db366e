// The SQL of a step of a sandbox's clock: the next date, what is due now, and the step itself.
import type { Fragment, Sql, Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { dates, sandboxMerchant, type Dated, type WorkKind } from './dates-queries.ts'

/** Whether a worker has claimed the row `due`: then its date is the end of a lease. */
function isClaimed(sql: Sql | Tx, { isClaimed: claimed }: Dated): Fragment {
  return claimed === undefined ? sql`false` : claimed(sql)
}

/** The row's date, if a step moves it: it is after `at`, and no lease. */
function movable(sql: Sql | Tx, dated: Dated, at: Date): Fragment {
  const date = sql(`due.${dated.column}`)
  return sql`(${date} > ${at} and ${date} < 'infinity' and not ${isClaimed(sql, dated)})`
}

function joined(sql: Sql | Tx, parts: readonly Fragment[]): Fragment {
  return parts.reduce((all, part) => sql`${all} union all ${part}`)
}

/** How many dates of the merchant are ahead in the fullest table, up to `most`, and the first date at which its clock stops. */
export async function selectAhead(
  sql: Sql | Tx,
  merchantId: MerchantId,
  { at, most }: { readonly at: Date; readonly most: number },
): Promise<{ readonly count: number; readonly next: Date | null }> {
  const parts = dates.map(
    (dated) => sql`
      select count(*) as count, min(date) filter (where not passed) as next
        from (select ${sql(`due.${dated.column}`)} as date, ${dated.isPassed?.(sql, merchantId) ?? sql`false`} as passed
                from ${sql(dated.table)} as due
               where ${dated.isOpen(sql, merchantId)} and ${movable(sql, dated, at)}
               limit ${most}) as each`,
  )
  const [row] = await sql<{ count: number; next: Date | null }[]>`
    select max(count)::integer as count, min(next) as next from (${joined(sql, parts)}) as of_table`
  return row ?? { count: 0, next: null }
}

export type Waiting = { readonly work: WorkKind; readonly count: number }

/** What of the merchant's is due now or under way, by kind; counted up to `most` in each. */
export function selectWaiting(sql: Sql, merchantId: MerchantId, most: number): Promise<readonly Waiting[]> {
  const parts = dates.flatMap((dated) => {
    if (dated.work === undefined) return []
    const date = sql(`due.${dated.column}`)
    const isOpen = (dated.isAwaited ?? dated.isOpen)(sql, merchantId)
    return [
      sql`
      select ${dated.work} as work, count(*)::integer as count
        from (select from ${sql(dated.table)} as due
               where ${isOpen} and (${date} <= ${dueNow(sql)} or ${isClaimed(sql, dated)})
               limit ${most}) as each`,
    ]
  })
  return sql<Waiting[]>`
    select work, sum(count)::integer as count from (${joined(sql, parts)}) as each where count > 0 group by work order by work`
}

/** Moves every date of the merchant that is after `at` by a step of `byMs`. */
export async function moveDates(
  tx: Tx,
  merchantId: MerchantId,
  { at, byMs }: { readonly at: Date; readonly byMs: number },
): Promise<void> {
  await Promise.all(
    dates.map((dated) => {
      const { table, column, age, hasVersion, isOpen } = dated
      const date = named(tx, column)
      const isMoved = movable(tx, dated, at)
      const closer = tx`brought_closer(${date}, ${at}::timestamptz, ${byMs}::bigint)`
      if (age === undefined) {
        return tx`
          update ${tx(table)} as due set ${tx(column)} = ${closer} ${hasVersion ? tx`, version = due.version + 1` : tx``}
           where ${isOpen(tx, merchantId)} and ${isMoved}`
      }
      return tx`
        update ${tx(table)} as due
           set ${tx(column)} = case when ${isMoved} then ${closer} else ${date} end,
               ${tx(age)} = ${named(tx, age)} - ${byMs}::bigint * interval '1 millisecond'
         where ${isOpen(tx, merchantId)}`
    }),
  )
}

function named(sql: Sql | Tx, column: string) {
  return sql(`due.${column}`)
}

/** Records a step of an advance. */
export async function insertStep(
  tx: Tx,
  step: {
    readonly merchantId: MerchantId
    readonly advanceId: string
    readonly at: Date
    readonly byMs: number
  },
): Promise<void> {
  await tx`
    insert into clock_step (merchant_id, number, advance_id, at, by_ms, total_ms)
    select merchant.id, coalesce(last.number, 0) + 1, ${step.advanceId}, ${step.at}, ${step.byMs},
           coalesce(last.total_ms, 0) + ${step.byMs}
      from ${sandboxMerchant(tx, step.merchantId)} as merchant
      left join lateral (
        select number, total_ms from clock_step where merchant_id = merchant.id order by number desc limit 1) as last on true`
}
