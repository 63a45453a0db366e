// The SQL that tells whether an installation has real money.
import type { Sql } from '#/db/client.ts'

/** Whether there is a LIVE merchant, or a LIVE connection. */
export async function selectHasLive(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ hasLive: boolean }[]>`
    select exists (select from merchant where mode = 'LIVE') or exists (select from connection where mode = 'LIVE') as "hasLive"`
  return row?.hasLive !== false
}
