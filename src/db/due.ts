// By which clock something is due, and how long a lease holds: the database's, which all processes share. A process's own
// clock may be wrong, and the ledger's `at` only orders the books: after a clock that ran ahead it stands still.
import type { Sql, Tx } from './client.ts'

/**
 * The instant by which things are due, as a part of a statement: the database's clock when the statement began, in whole
 * milliseconds, so that what is read back is exactly what was written. It is stable within the statement, so an index on the
 * column that it is compared with is used. An offset that a sandbox's merchant has asked for would be added here; it is nought.
 */
export function dueNow(sql: Sql | Tx) {
  return sql`date_trunc('milliseconds', statement_timestamp())`
}

/** The instant so many milliseconds after `dueNow`, or before it. */
export function dueIn(sql: Sql | Tx, ms: number) {
  return sql`(${dueNow(sql)} + ${ms}::double precision * interval '1 millisecond')`
}
