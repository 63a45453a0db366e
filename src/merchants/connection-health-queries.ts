// The SQL of how the provider of each connection answers, by hour and by the database's clock.
import { list, type Sql } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { hourMs } from '#/kernel/time.ts'

/** Calls to the provider of one connection since the last time they were added up. */
export type CallSums = {
  readonly connection: ConnectionId
  readonly calls: number
  readonly errors: number
  readonly totalMs: number
  readonly longestMs: number
  /** Of the last call that failed. Absent: none did. */
  readonly lastError?: string
}

const keptMs = 30 * 24 * hourMs
const deletedMax = 500

/**
 * Adds to the present hour. The times of the last good and the last bad answer are those of this statement: a few seconds after the answer.
 */
export async function addCalls(sql: Sql, sums: readonly CallSums[]): Promise<void> {
  const column = (of: (each: CallSums) => number) => list(sums.map(of))
  await sql`
    insert into connection_health (connection, hour, calls, errors, total_ms, longest_ms, last_good_at, last_bad_at, last_error)
    select connection, date_trunc('hour', ${dueNow(sql)}, 'UTC'), calls, errors, total_ms, longest_ms,
           case when calls > errors then ${dueNow(sql)} end, case when errors > 0 then ${dueNow(sql)} end, last_error
      from unnest(${list(sums.map(({ connection }) => connection))}::text[], ${column(({ calls }) => calls)}::bigint[],
                  ${column(({ errors }) => errors)}::bigint[], ${column(({ totalMs }) => totalMs)}::bigint[],
                  ${column(({ longestMs }) => longestMs)}::bigint[], ${list(sums.map(({ lastError }) => lastError ?? null))}::text[])
        as new (connection, calls, errors, total_ms, longest_ms, last_error)
     order by connection
        on conflict (connection, hour) do update
       set calls = connection_health.calls + excluded.calls, errors = connection_health.errors + excluded.errors,
           total_ms = connection_health.total_ms + excluded.total_ms,
           longest_ms = greatest(connection_health.longest_ms, excluded.longest_ms),
           last_good_at = coalesce(excluded.last_good_at, connection_health.last_good_at),
           last_bad_at = coalesce(excluded.last_bad_at, connection_health.last_bad_at),
           last_error = coalesce(excluded.last_error, connection_health.last_error)`
}

/** Deletes hours that are older than 30 days, some at a time. */
export async function deleteOldHealth(sql: Sql): Promise<void> {
  await sql`
    delete from connection_health
     where ctid = any (array(select ctid from connection_health where hour < ${dueIn(sql, -keptMs)} order by hour limit ${deletedMax}))`
}

export type HealthHour = {
  readonly hour: Date
  readonly calls: bigint
  readonly errors: bigint
  readonly totalMs: bigint
  readonly longestMs: bigint
  readonly lastGoodAt: Date | null
  readonly lastBadAt: Date | null
  readonly lastError: string | null
}

/** The last hours in which the provider was called, newest first. */
export function selectHealth(sql: Sql, connection: string, limit: number): Promise<readonly HealthHour[]> {
  return sql<HealthHour[]>`
    select hour, calls, errors, total_ms as "totalMs", longest_ms as "longestMs", last_good_at as "lastGoodAt",
           last_bad_at as "lastBadAt", last_error as "lastError"
      from connection_health
     where connection = ${connection}
     order by hour desc
     limit ${limit}`
}

export type LastAnswers = {
  readonly connection: ConnectionId
  readonly lastGoodAt: Date | null
  readonly lastBadAt: Date | null
  readonly lastError: string | null
}

function lastAnswers(sql: Sql) {
  return sql`max(last_good_at) as "lastGoodAt", max(last_bad_at) as "lastBadAt",
             (array_agg(last_error order by last_bad_at desc) filter (where last_bad_at is not null))[1] as "lastError"`
}

/** How the provider of each of these last answered, as far as the last 24 hours in which it was called tell. */
export function selectLastAnswers(sql: Sql, connections: readonly string[]): Promise<readonly LastAnswers[]> {
  return sql<LastAnswers[]>`
    select given.connection, ${lastAnswers(sql)}
      from unnest(${list(connections)}::text[]) as given (connection)
           cross join lateral (select last_good_at, last_bad_at, last_error
                                 from connection_health
                                where connection_health.connection = given.connection
                                order by hour desc
                                limit 24) as hours
     group by given.connection`
}

/** Connections whose last call failed, within the last two hours of calls; `most` rows of hours are scanned. */
export function selectFailing(sql: Sql, most: number): Promise<readonly LastAnswers[]> {
  return sql<LastAnswers[]>`
    select connection, ${lastAnswers(sql)}
      from (select connection, last_good_at, last_bad_at, last_error
              from connection_health
             where hour >= ${dueIn(sql, -2 * hourMs)}
             order by hour desc
             limit ${most}) as hours
     group by connection
    having max(last_bad_at) > coalesce(max(last_good_at), '-infinity')
     order by connection`
}
