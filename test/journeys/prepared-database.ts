// An empty, migrated database, as after an installation's first start, created once for a whole run. An installation that starts with a
// copy of it needs a third less time to start.
import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { connect } from '#/db/client.ts'
import { startEmbeddedPostgres } from '#/db/embedded.ts'
import { migrate } from '#/db/migrate.ts'
import { silentLog } from '#/kernel/log.ts'
import { isSoak } from '../counts.ts'
import { freePort } from '../ports.ts'

const setting = 'PREPARED_DATABASE'

/** Creates the database in `dataDir`. Returns the environment variable that test files find it by. */
export async function prepareDatabase(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const postgres = await startEmbeddedPostgres({ dataDir, port: await freePort(), log: silentLog })
  try {
    await migrate(postgres.ownerUrl, { appRole: decodeURIComponent(new URL(postgres.appUrl).username) })
    if (!isSoak) await planOnce(postgres.ownerUrl)
  } finally {
    await postgres.stop()
  }
  // Where PostgreSQL runs as another user, `postgres` is a link to a folder elsewhere, which is not copied.
  return lstatSync(path.join(dataDir, 'postgres')).isDirectory() ? { [setting]: dataDir } : {}
}

/** For the same reason as the cluster of other tests: see test/postgres.ts. */
async function planOnce(ownerUrl: string): Promise<void> {
  const sql = connect(ownerUrl, { max: 1 })
  try {
    await sql`alter database vintem set plan_cache_mode = force_generic_plan`
  } finally {
    await sql.end()
  }
}

/** Copies the prepared database, if the run has one, to a new data directory, with its owner. */
export function copyPreparedDatabase(dataDir: string): void {
  const prepared = process.env[setting]
  if (prepared === undefined) return
  const { status, stderr } = spawnSync('cp', ['-a', `${prepared}/.`, dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the prepared database was not copied: ${stderr}`)
}
