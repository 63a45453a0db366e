// What the role, the database or the server may have set for our connections, and what of it would break us: a statement that reads another
// form, a transaction that fails where ours never do, tables that are not found. What a pooler in transaction mode keeps for each client is
// set with each connection (client.ts); the rest is read here, and refused.
import { connect, type Sql } from './client.ts'
import { StartError } from './failure.ts'

type SessionFault = {
  readonly what: string
  readonly remedy: string
}

/** What these settings would break; undefined: nothing. Pure. */
export function faultOfSession(row: SessionRow): SessionFault | undefined {
  const { role, serverEncoding, searchPath, schema, elsewhere, isNamed } = row
  if (serverEncoding !== 'UTF8')
    return {
      what: `The database has the encoding ${serverEncoding}, which cannot hold the names of payers.`,
      remedy: "Make it again: create database … encoding 'UTF8' template template0.",
    }
  const wanted = [
    ['bytea_output', row.byteaOutput, 'hex'],
    ['default_transaction_isolation', row.isolation, 'read committed'],
    ['standard_conforming_strings', row.conformingStrings, 'on'],
  ] as const
  const wrong = wanted.find(([, is, should]) => is !== should)
  if (wrong !== undefined)
    return {
      what: `${wrong[0]} is ${wrong[1]} for the role ${role}, and must be ${wrong[2]}.`,
      remedy: `alter role "${role}" set ${wrong[0]} = '${wrong[2]}'; or reset it where it is set, also in database or server.`,
    }
  if (schema !== null && (elsewhere === null || isNamed)) return undefined
  return {
    what:
      elsewhere === null
        ? `The search_path of the role ${role} is ${searchPath}, and no such schema is there or may be used.`
        : `The search_path of the role ${role} is ${searchPath}, and the tables are in the schema ${elsewhere}.`,
    remedy: `alter role "${role}" reset search_path; or name the schema in the URL: ?search_path=${elsewhere ?? 'public'}.`,
  }
}

/** The same at a URL, before anything else is opened. */
export async function confirmSessionAt(url: string): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: 'vintem-session' })
  try {
    await confirmSession(sql)
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Throws a StartError when the settings of this role would break what we do. */
export async function confirmSession(sql: Sql): Promise<void> {
  const row = await selectSession(sql)
  const fault = row && faultOfSession(row)
  if (fault !== undefined) throw new StartError(fault.what, fault.remedy)
}

// The SQL of the check of what a role's settings make of our connections.

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
