// What a command needs that decides about money: the parts of the program, for a moment.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openCore, type Core } from '#/app.ts'
import { ConfigError, type Config } from '#/config.ts'
import { createLog } from '#/kernel/log.ts'
import { openCommandDatabase } from './database.ts'
import { allKeys, masterKeys } from './keys.ts'

/**
 * Everything that a worker has, for a moment: this process takes its turn at the books like any other. `asWorker`: also
 * the key of what sends money out, for a command that asks providers as the worker does.
 */
export async function withCore(
  config: Config,
  work: (core: Core) => Promise<void>,
  as?: 'asWorker',
): Promise<void> {
  requireAuditKey(config)
  const database = await openCommandDatabase(config)
  try {
    const keysOf = as === 'asWorker' ? allKeys : masterKeys
    const log = createLog(config.VINTEM_LOG_LEVEL)
    const core = await openCore({ config, databaseUrl: database.appUrl, ...(await keysOf(config)), log })
    try {
      await work(core)
    } finally {
      await core.close()
    }
  } finally {
    await database.close()
  }
}

/** A key that is made now would be a stranger to the books, and break the chain over them. */
function requireAuditKey(config: Config): void {
  if (config.VINTEM_AUDIT_KEY !== '' || existsSync(path.join(config.dataDir, 'keys', 'audit.key'))) return
  throw new ConfigError('VINTEM_AUDIT_KEY is not set.', 'Set it to the key that the other processes have.')
}
