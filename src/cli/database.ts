// The database of a command: the one of the settings, or the embedded one, which is started for the command if it does not run.
import type { Config } from '#/config.ts'
import { connect, type Sql } from '#/db/client.ts'
import { homeOf } from '#/db/embedded-place.ts'
import { joinEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import { noSandbox } from './no-sandbox.ts'
import { endSignals } from './run.ts'

export type CommandDatabase = {
  readonly appUrl: string
  /** Absent when the settings name a database but not its owner. */
  readonly ownerUrl?: string
  readonly close: () => Promise<void>
}

/** Throws ConfigError where there is neither: a command creates no database. */
export async function openCommandDatabase(config: Config): Promise<CommandDatabase> {
  if (config.DATABASE_URL !== '') {
    const owner = config.DATABASE_OWNER_URL === '' ? {} : { ownerUrl: config.DATABASE_OWNER_URL }
    return { appUrl: config.DATABASE_URL, ...owner, close: async () => {} }
  }
  if (homeOf(config.dataDir) === undefined) throw noSandbox(config)
  for (const name of endSignals) process.on(name, endWithDatabase)
  try {
    const { appUrl, ownerUrl, stop } = await joinEmbeddedPostgres({
      dataDir: config.dataDir,
      port: config.PORT + 20,
      log: silentLog,
    })
    return { appUrl, ownerUrl, close: () => stop().finally(ignoreSignals) }
  } catch (error) {
    ignoreSignals()
    throw error
  }
}

function ignoreSignals(): void {
  for (const name of endSignals) process.off(name, endWithDatabase)
}

/** Ends by exit(), which also stops a database that we started; a signal without a handler would leave it running. */
function endWithDatabase(): void {
  process.exit(1)
}

/** Runs `work` with the database open, for a command that needs no keys, and always closes it. */
export async function withDatabase(config: Config, work: (sql: Sql) => Promise<void>): Promise<void> {
  const database = await openCommandDatabase(config)
  const sql = connect(database.appUrl, { max: 2, applicationName: 'vintem-office' })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}
