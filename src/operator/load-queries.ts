// The SQL of the load of today: what the books took, and what the tally counted.
import type { Sql } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { minuteMs } from '#/kernel/time.ts'

/** What the books took in the last minutes. */
export type BooksLoad = {
  readonly minutes: number
  readonly batches: number
  readonly transfers: number
  readonly events: number
}

/**
 * The books' load over some minutes before now, by the database's clock. Transfers and batches are numbered without gaps, so two rows give
 * them; events are added up over at most `batchesMax` batches, and are absent above that.
 */
export async function selectBooksLoad(
  sql: Sql,
  cell: string,
  minutes: number,
  batchesMax: number,
): Promise<Omit<BooksLoad, 'events'> & { readonly events: number | null }> {
  const [row] = await sql<{ batches: number; transfers: number; events: number | null }[]>`
    with present as (
      select batch, transfer from head where cell = ${cell}
    ), before as (
      select number, transfer_to from batch
       where at < ${dueIn(sql, -minutes * minuteMs)}
       order by at desc, number desc
       limit 1
    )
    select (present.batch - coalesce(before.number, 0))::integer as batches,
           (present.transfer - coalesce(before.transfer_to, 0))::integer as transfers,
           case when present.batch - coalesce(before.number, 0) <= ${batchesMax}
             then (select coalesce(sum(events), 0) from batch where number > coalesce(before.number, 0))::integer end as events
      from present
      left join before on true`
  return { minutes, ...(row ?? { batches: 0, transfers: 0, events: 0 }) }
}

export type TallyLoad = { readonly figure: 'CREATED' | 'PAID'; readonly count: bigint; readonly read: number }

/** Payments of today, in UTC, of all merchants, by the tally; `read`: rows that were added up, at most `rowsMax`. */
export function selectTallyLoad(sql: Sql, rowsMax: number): Promise<readonly TallyLoad[]> {
  return sql<TallyLoad[]>`
    select figure, sum(count)::bigint as count, count(*)::integer as read
      from (select figure, count from insight_day
             where day = (${dueNow(sql)} at time zone 'UTC')::date and figure in ('CREATED', 'PAID')
             limit ${rowsMax}) as today
     group by figure`
}
