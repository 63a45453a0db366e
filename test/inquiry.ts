// A provider that is asked now, so that its answer is later than everything that is booked.
import type { Sql } from '#/db/client.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'

/** By the database's clock. */
export async function inquireNow(sql: Sql): Promise<Inquiry> {
  const [row] = await sql<{ at: Date }[]>`select clock_timestamp() as at`
  // The database counts microseconds, we read milliseconds: what was booked just now must be before.
  await new Promise((resolve) => setTimeout(resolve, 2))
  return { at: must(row, 'the time').at }
}
