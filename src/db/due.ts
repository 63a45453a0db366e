// The clock that decides what is due and when a lease ends: the database's, which all processes share. A process's own clock
// may be wrong. The ledger's `at` only orders the books: after a clock was ahead, `at` does not move until the time has caught
// up.
import { must } from '#/kernel/check.ts'
import type { Sql, Tx } from './client.ts'

/**
 * The instant up to which rows are due, as a part of a statement: the database's clock at the start of the statement, in whole
 * milliseconds, so that a stored instant is read back exactly. It is stable within the statement, so PostgreSQL uses an index on
 * the compared column. An offset of a sandbox's merchant would be added here; it is zero.
 */
export function dueNow(sql: Sql | Tx) {
  return sql`date_trunc('milliseconds', statement_timestamp())`
}

/** The same instant, for a time that is computed here. */
export async function readNow(sql: Sql | Tx): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select ${dueNow(sql)} as now`
  return must(row, 'the database has a clock').now
}

/** The instant `ms` after `dueNow`, or before it when `ms` is negative. */
export function dueIn(sql: Sql | Tx, ms: number) {
  return sql`(${dueNow(sql)} + ${ms}::double precision * interval '1 millisecond')`
}

/**
 * The due time of a row that is sent in the order of numbers, from the column with its number. All such rows are due, and all
 * come before rows that get a due time from now on. Their times are in one year of the past, one microsecond for each number,
 * so the same row gets the same time however often it is set.
 */
export function dueInOrder(sql: Sql | Tx, column: string) {
  return sql`(timestamptz '2000-01-01T00:00:00Z' + ${sql(column)} * interval '1 microsecond')`
}

/** Later than every `dueInOrder`, and earlier than every other due time. */
export function afterDueInOrder(sql: Sql | Tx) {
  return sql`timestamptz '2001-01-01T00:00:00Z'`
}
