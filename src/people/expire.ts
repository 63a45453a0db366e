// The end of what people leave behind: sessions, links, challenges and counts that are over.
import type { Sql } from '#/db/client.ts'
import { deleteEnded } from './expire-queries.ts'

const atOnce = 1_000

/**
 * Deletes what has ended:
 * - sessions, used challenges, counts of failures;
 * - links, a week after their end;
 * - addresses that were not used for months, and drafts of templates that nobody saved for as long.
 *
 * At most a thousand rows of each kind: a worker calls it until it returns zero, and again some minutes later. Calls may run at the same
 * time.
 */
export function deleteExpired({ sql }: { readonly sql: Sql }): Promise<number> {
  return deleteEnded(sql, atOnce)
}
