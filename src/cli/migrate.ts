// `migrate`: brings the database up to this release, as its owner.
import { ConfigError, type Config } from '#/config.ts'
import { addressOf } from '#/db/address.ts'
import { migrate, type MigrateOptions } from '#/db/migrate.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { openCommandDatabase } from './database.ts'

export async function runMigrate(config: Config, terminal: Terminal): Promise<number> {
  const database = await openCommandDatabase(config)
  try {
    if (database.ownerUrl === undefined) {
      throw new ConfigError(
        'DATABASE_OWNER_URL is not set.',
        'Set it: only the owner of the tables may change them.',
      )
    }
    const onApplied = (name: string) => terminal.out(`applied ${name}`)
    const { applied } = await migrateAs(database.ownerUrl, database.appUrl, { onApplied })
    terminal.out(applied.length === 0 ? 'The database is up to date.' : `${applied.length} applied.`)
    return 0
  } finally {
    await database.close()
  }
}

/** Migrates as the owner and grants the application's role, the user of `appUrl`, what it needs. */
export function migrateAs(
  ownerUrl: string,
  appUrl: string,
  options: Pick<MigrateOptions, 'onApplied'> = {},
): Promise<{ readonly applied: readonly string[] }> {
  return migrate(ownerUrl, {
    appRole: decodeURIComponent(new URL(addressOf(appUrl).url).username),
    ...options,
  })
}
