// The clock that decides what is due and when a lease ends: the database's, which all processes share. A process's own clock may
// be wrong. The ledger's `at` only orders the books: it stands still after a clock ran ahead.
import type { Sql, Tx } from './client.ts'

/**
 * The instant up to which rows are due, as a part of a statement: the database's clock at the start of the statement, in whole
 * milliseconds, so that a stored instant is read back exactly. It is stable within the statement, so PostgreSQL uses an index on
 * the compared column. An offset of a sandbox's merchant would be added here; it is zero.
 */
export function dueNow(sql: Sql | Tx) {
  return sql`date_trunc('milliseconds', statement_timestamp())`
}

/** The instant `ms` after `dueNow`, or before it when `ms` is negative. */
export function dueIn(sql: Sql | Tx, ms: number) {
  return sql`(${dueNow(sql)} + ${ms}::double precision * interval '1 millisecond')`
}
