// An empty, migrated database as an installation has it after its first start, made once for a whole run. An installation
// that begins with a copy does not make its own: that is a third of what its start costs.
import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { migrate } from '#/db/migrate.ts'
import { startEmbeddedPostgres } from '#/db/embedded.ts'
import { silentLog } from '#/kernel/log.ts'
import { freePort } from '../ports.ts'

const setting = 'PREPARED_DATABASE'

/** Makes it in `dataDir`. Answers what tells test files of it in their environment. */
export async function prepareDatabase(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const postgres = await startEmbeddedPostgres({ dataDir, port: await freePort(), log: silentLog })
  try {
    await migrate(postgres.ownerUrl, { appRole: decodeURIComponent(new URL(postgres.appUrl).username) })
  } finally {
    await postgres.stop()
  }
  // It may lie elsewhere, where the user as whom PostgreSQL runs can get: that one is nobody's to copy.
  return lstatSync(path.join(dataDir, 'postgres')).isDirectory() ? { [setting]: dataDir } : {}
}

/** Copies it to a new data directory, with its owner, where a run has made one. */
export function copyPreparedDatabase(dataDir: string): void {
  const prepared = process.env[setting]
  if (prepared === undefined) return
  const { status, stderr } = spawnSync('cp', ['-a', `${prepared}/.`, dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the prepared database was not copied: ${stderr}`)
}
