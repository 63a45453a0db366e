// What was dated by a clock that was ahead. A claim or a wait that was written then would hold for as long as the clock was
// wrong, and after a failover to a slower machine everything that is due would wait. So when the clock went back, what is
// due later than anything is ever put off is due now.
import { hourMs, minuteMs, secondMs } from '#/kernel/time.ts'
import type { Sql } from './client.ts'
import { dueIn, dueNow } from './due.ts'

type Waiting = {
  readonly table: string
  readonly column: 'due_at' | 'lease_until'
  /** The longest that anything here is put off, claims included. */
  readonly longestMs: number
}

/** Every column of the schema by which something is due; a test compares them. */
export const waiting: readonly Waiting[] = [
  { table: 'inbox', column: 'due_at', longestMs: minuteMs },
  { table: 'inbox', column: 'lease_until', longestMs: minuteMs },
  { table: 'refund_due', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'withdrawal_due', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'attempt_check', column: 'due_at', longestMs: 10 * minuteMs },
  { table: 'attempt_closing', column: 'due_at', longestMs: hourMs },
  { table: 'authorisation_order', column: 'due_at', longestMs: 5 * minuteMs },
  { table: 'reconciliation', column: 'due_at', longestMs: 24 * hourMs },
  // The last wait of a round, and a fifth of it.
  { table: 'delivery_due', column: 'due_at', longestMs: 29 * hourMs },
  { table: 'sweep', column: 'due_at', longestMs: 24 * hourMs },
  { table: 'chain', column: 'lease_until', longestMs: 5 * secondMs },
  { table: 'hot_wallet', column: 'lease_until', longestMs: 5 * secondMs },
]

/** Statements and clocks are not exact to the second. */
const slackMs = 10 * secondMs

/**
 * Makes due what is due later than it can have been meant. What waits for something else than time stays as it is. Answers how much there was. It reads whole tables: only for when
 * the clock was seen to go back, and once when a worker starts, because nobody may have been there to see it.
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
