// `start`: everything in one process, with the database and the sandbox as its children. Both are started before the rest of the program is
// loaded, because both take seconds the first time and can use other processors.
import { mkdir } from 'node:fs/promises'
import type { Config } from '#/config.ts'
import { startEmbeddedPostgres } from '#/db/embedded.ts'
import { createLog, type Log } from '#/kernel/log.ts'
import type { Terminal } from '#/kernel/terminal.ts'
import { monotonicMs } from '#/kernel/time.ts'
import { removeSandboxFile } from '#/sandbox/provision.ts'
import { startKeys } from './keys.ts'
import { migrateAs } from './migrate.ts'
import { confirmPorts } from './ports.ts'
import { allOf, createCloser, untilTerminated, type Closer } from './run.ts'
import { openOutside } from './sandbox-outside.ts'
import { holdSandbox } from './start-lock.ts'

/** Runs until it is asked to stop. Closes everything that it opened, even when a later step fails. */
export async function start(config: Config, terminal: Terminal): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o755 })
  if (config.VINTEM_SANDBOX !== 'on') return run(config, terminal)
  // First of all: the files in the directory may belong to a start which is running.
  const release = holdSandbox(config.dataDir)
  try {
    await removeSandboxFile(config.dataDir)
    await run(config, terminal)
  } finally {
    release()
  }
}

async function run(config: Config, terminal: Terminal): Promise<void> {
  const startedAt = monotonicMs()
  await confirmPorts(config, { isStart: true })
  const log = createLog(config.VINTEM_LOG_LEVEL, { role: 'all', cell: config.VINTEM_CELL })
  const closer = createCloser(log)
  const termination = untilTerminated()
  try {
    const isSandbox = config.VINTEM_SANDBOX === 'on'
    const [database, keys, outside, { serveAll }] = await allOf((failing) => [
      openDatabase(config, log, closer),
      startKeys(config),
      isSandbox ? openOutside({ config, log, closer, failing }) : Promise.resolve(undefined),
      import('./serve-all.ts'),
    ])
    await serveAll({ config, terminal, log, closer, termination, startedAt, database, keys, outside })
  } finally {
    // From now on the process accepts nothing new, however long the work that is under way takes.
    if (config.VINTEM_SANDBOX === 'on') await removeSandboxFile(config.dataDir)
    await closer.closeAll()
  }
}

/** The database of the settings, or our own; migrated to this release. Returns the application's URL. */
async function openDatabase(config: Config, log: Log, closer: Closer): Promise<string> {
  if (config.DATABASE_URL !== '') {
    if (config.DATABASE_OWNER_URL !== '') await migrateAs(config.DATABASE_OWNER_URL, config.DATABASE_URL)
    return config.DATABASE_URL
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, port: config.PORT + 20, log })
  closer.add('PostgreSQL', () => postgres.stop())
  await migrateAs(postgres.ownerUrl, postgres.appUrl)
  return postgres.appUrl
}
