// The SQL of the check of what a role's settings make of our connections.
import type { Sql } from './client.ts'

export type SessionRow = {
  readonly role: string
  readonly serverEncoding: string
  readonly byteaOutput: string
  readonly isolation: string
  readonly conformingStrings: string
  readonly searchPath: string
  /** The first schema of the search path that exists. */
  readonly schema: string | null
  /** Another schema has tables of ours, and this one has none. */
  readonly elsewhere: string | null
  /** Whether the URL names the search path. */
  readonly isNamed: boolean
}

/** As the connections of this client have it. */
export async function selectSession(sql: Sql): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select current_user::text as role, current_setting('server_encoding') as "serverEncoding",
           current_setting('bytea_output') as "byteaOutput",
           current_setting('default_transaction_isolation') as isolation,
           current_setting('standard_conforming_strings') as "conformingStrings",
           current_setting('search_path') as "searchPath", current_schema()::text as schema,
           (select relnamespace::regnamespace::text from pg_class
             where relname = 'migrator' and relkind in ('r', 'p') and to_regclass('migrator') is null
             order by 1 limit 1) as elsewhere,
           (select source = 'client' from pg_settings where name = 'search_path') as "isNamed"`
  return row
}
