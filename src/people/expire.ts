// The end of what people leave behind: sessions, links, challenges and counts that are over.
import type { Sql } from '#/db/client.ts'
import { deleteEnded } from './expire-queries.ts'

const atOnce = 1_000

/**
 * Deletes what has ended: sessions, links a week after their end, used challenges, counts of failures, addresses that were not used for
 * months, drafts of templates that nobody saved for as long. At most a thousand rows of each kind, so a worker calls it until it returns zero, and again some minutes later. Several may
 * call it at once.
 */
export function deleteExpired({ sql }: { readonly sql: Sql }): Promise<number> {
  return deleteEnded(sql, atOnce)
}
