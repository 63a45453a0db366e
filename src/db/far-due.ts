// Repairs due times that were written while the clock was ahead. Such a claim or wait would last as long as the clock was
// ahead: after a failover to a machine with a slower clock, all durable work would wait. So when the clock went back, a row is
// made due now if it is due later than the longest wait of its table.
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Sql } from './client.ts'
import { dueIn, dueNow } from './due.ts'

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
