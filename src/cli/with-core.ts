// What a command needs that decides about money: the parts of the program, for a moment.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openCore, type Core } from '#/app.ts'
import { ConfigError, type Config } from '#/config.ts'
import { createLog } from '#/kernel/log.ts'
import { openCommandDatabase } from './database.ts'
import { masterKeys } from './keys.ts'

/** Everything that a worker has, for a moment: this process takes its turn at the books like any other. */
export async function withCore(config: Config, work: (core: Core) => Promise<void>): Promise<void> {
  requireAuditKey(config)
  const database = await openCommandDatabase(config)
  try {
    const log = createLog(config.VINTEM_LOG_LEVEL)
    const core = await openCore({ config, databaseUrl: database.appUrl, ...(await masterKeys(config)), log })
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
