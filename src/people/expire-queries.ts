// Deletes what has ended, a few rows of each table at a time.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { hourMs } from '#/kernel/time.ts'

const tables = [
  { table: 'user_session', key: ['id'] },
  { table: 'used_challenge', key: ['digest'] },
  { table: 'sign_in_failure', key: ['key'] },
  { table: 'known_address', key: ['user_id', 'address_key'] },
  { table: 'template_draft', key: ['merchant_id', 'slug'] },
] as const

/** How long a link is kept after its end. */
const linksKeptMs = 7 * 24 * hourMs

/** The number of rows that were deleted: at most `limit` of each table. */
export async function deleteEnded(sql: Sql | Tx, limit: number): Promise<number> {
  let deleted = 0
  for (const { table, key } of tables) {
    const rows = await sql`
      delete from ${sql(table)} where (${sql(key)}) in (
        select ${sql(key)} from ${sql(table)} where ends_at <= ${dueNow(sql)} order by ends_at limit ${limit})
      returning 1`
    deleted += rows.length
  }
  const links = await sql`
    delete from one_time_link where id in (
      select id from one_time_link where ends_at <= ${dueIn(sql, -linksKeptMs)} order by ends_at limit ${limit})
    returning 1`
  return deleted + links.length
}
