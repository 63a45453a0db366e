// The parts of the program, opened for one command that decides about money.
import { openCore, type Core } from '#/app/core.ts'
import type { Config } from '#/config.ts'
import { confirmKeys } from '#/rekey/fit.ts'
import { openCommandDatabase } from './database.ts'
import { commandLog } from './decision.ts'
import { confirmHead } from './kept-head.ts'
import { allKeys, masterKeys } from './keys.ts'

/**
 * Everything that a worker has, for one command: this process queues for the books like any other.
 * - `asWorker`: also the key of the credentials that send money out, for a command that calls providers as the worker does.
 * - `asRekey`: also with keys that are not in force yet.
 * - `asRepair`: also on books that were restored and that no other process may use yet.
 */
export async function withCore(
  config: Config,
  work: (core: Core) => Promise<void>,
  as?: 'asWorker' | 'asRepair' | 'asRekey',
): Promise<void> {
  const keys = await (as === 'asWorker' ? allKeys(config) : masterKeys(config))
  const database = await openCommandDatabase(config)
  try {
    const log = commandLog(config)
    const core = await openCore({ config, databaseUrl: database.appUrl, ...keys, log })
    try {
      // A change of keys says itself which key is missing.
      if (as !== 'asRekey') await confirmKeys(core.sql, config.VINTEM_CELL, core)
      if (as !== 'asRepair') await confirmHead({ sql: core.sql, fence: core.lane.fence }, config)
      await work(core)
    } finally {
      await core.close()
    }
  } finally {
    await database.close()
  }
}
