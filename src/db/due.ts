// The clock that decides what is due and when a lease ends: the database's, which all processes share. A process's own clock
// may be wrong. The ledger's `at` only orders the books: after a clock was ahead, `at` does not move until the time has caught
// up.
import { must } from '#/kernel/check.ts'
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Sql, Tx } from './client.ts'

/**
 * The instant up to which rows are due, as a part of a statement: the database's clock at the start of the statement, in whole
 * milliseconds, so that a stored instant is read back exactly. It is stable within the statement, so PostgreSQL uses an index on
 * the compared column. An offset of a sandbox's merchant would be added here; it is zero.
 */
export function dueNow(sql: Sql | Tx) {
  return sql`date_trunc('milliseconds', statement_timestamp())`
}

/**
 * A condition of SQL, for the glance of src/jobs: whether something may be due now. It may be true too often, and never false while something
 * is due.
 */
export type IsDue = (sql: Sql) => ReturnType<typeof dueNow>

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

// Repairs due times that were written while the clock was ahead. Such a claim or wait would last as long as the clock was
// ahead: after a failover to a machine with a slower clock, all durable work would wait. So when the clock went back, a row is
// made due now if it is due later than the longest wait of its table.

type Waiting = {
  readonly table: string
  readonly column: 'due_at' | 'lease_until'
  /** The longest wait in this column, claims included. */
  readonly longestMs: number
}

/** Every column of the schema with a due time; a test compares the list with the schema. */
export const waiting: readonly Waiting[] = [
  { table: 'inbox', column: 'due_at', longestMs: minuteMs },
  { table: 'inbox', column: 'lease_until', longestMs: minuteMs },
  { table: 'refund_due', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'refund_due', column: 'lease_until', longestMs: minuteMs },
  { table: 'withdrawal_due', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'withdrawal_due', column: 'lease_until', longestMs: minuteMs },
  { table: 'attempt_check', column: 'due_at', longestMs: 10 * minuteMs },
  { table: 'attempt_check', column: 'lease_until', longestMs: minuteMs },
  { table: 'attempt_closing', column: 'due_at', longestMs: hourMs },
  { table: 'attempt_closing', column: 'lease_until', longestMs: minuteMs },
  { table: 'lost_closing', column: 'due_at', longestMs: hourMs },
  { table: 'lost_closing', column: 'lease_until', longestMs: minuteMs },
  { table: 'authorisation_order', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'authorisation_order', column: 'lease_until', longestMs: minuteMs },
  { table: 'reconciliation', column: 'due_at', longestMs: 24 * hourMs },
  { table: 'reconciliation', column: 'lease_until', longestMs: minuteMs },
  { table: 'clock_advance', column: 'due_at', longestMs: 5 * minuteMs },
  // The last wait of a round, plus a fifth of it.
  { table: 'delivery_due', column: 'due_at', longestMs: 29 * hourMs },
  { table: 'metadata_key', column: 'due_at', longestMs: minuteMs },
  { table: 'webhook_recovery', column: 'due_at', longestMs: secondMs },
  { table: 'rehearsal', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'operator_job', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'dispute_evidence_due', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'letter', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'sweep', column: 'due_at', longestMs: 24 * hourMs },
  { table: 'chain', column: 'lease_until', longestMs: 5 * secondMs },
  { table: 'hot_wallet', column: 'lease_until', longestMs: 5 * secondMs },
]

/** Statements and clocks are not exact to the second. */
const slackMs = 10 * secondMs

/**
 * Makes rows due now that are due later than their longest wait. Rows that wait for an event, not for a time, do not change.
 * Returns how many rows changed. It reads whole tables, so it runs only when the clock went back, and once when a worker
 * starts, because the clock may have gone back while no process was running.
 */
export async function pullFarDue(sql: Sql): Promise<number> {
  let pulled = 0
  for (const { table, column, longestMs } of waiting) {
    const result = await sql`
      update ${sql(table)} set ${sql(column)} = ${dueNow(sql)}
       where ${sql(column)} > ${dueIn(sql, longestMs + slackMs)} and ${sql(column)} < 'infinity'`
    pulled += result.count
  }
  return pulled
}
