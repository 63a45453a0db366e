// Applies migrations/*.sql in order, each once, and refuses one that was changed after it was applied.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { invariant } from '#/kernel/check.ts'
import { connect, type Sql, type Tx } from './client.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Any constant will do: it only keeps two migrating processes apart. */
const migrationLock = 7_460_127

export type Migration = { readonly name: string; readonly text: string; readonly hash: string }

/** The migrations of this release, in order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(folder + name, 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the database at `ownerUrl` up to this release and grants `appRole` what the application needs.
 * All in one transaction: a migration that fails leaves nothing behind. Safe to run twice at once.
 */
export async function migrate(
  ownerUrl: string,
  options: { readonly appRole: string },
): Promise<{ readonly applied: readonly string[] }> {
  const migrations = await readMigrations()
  const sql = connect(ownerUrl, { max: 1, applicationName: 'vintem-migrate', transactionSeconds: 0 })
  try {
    return await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${migrationLock})`
      await tx`set local lock_timeout = '5s'`
      const applied = await applyMissing(tx, migrations)
      await tx`select set_config('vintem.app_role', ${options.appRole}, true)`
      await tx.unsafe(await readFile(`${folder}privileges.sql`, 'utf8'))
      return { applied }
    })
  } finally {
    await sql.end()
  }
}

/** Names of this release's migrations that the database at `sql` lacks. */
export async function missingMigrations(sql: Sql): Promise<readonly string[]> {
  const [table] = await sql<{ name: string | null }[]>`select to_regclass('migration')::text as name`
  const done = table?.name ? await sql<{ name: string }[]>`select name from migration` : []
  const names = new Set(done.map((row) => row.name))
  return (await readMigrations()).map((each) => each.name).filter((name) => !names.has(name))
}

async function applyMissing(tx: Tx, migrations: readonly Migration[]): Promise<readonly string[]> {
  await tx`
    create table if not exists migration (
      name text primary key,
      hash text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`
  const done = new Map(
    (await tx<{ name: string; hash: string }[]>`select name, hash from migration`).map((row) => [
      row.name,
      row.hash,
    ]),
  )
  const applied: string[] = []
  for (const { name, text, hash } of migrations) {
    const before = done.get(name)
    invariant(
      before === undefined || before === hash,
      `${name} was changed after it had been applied: add a new migration instead`,
    )
    if (before !== undefined) continue
    await tx.unsafe(text)
    await tx`insert into migration (name, hash) values (${name}, ${hash})`
    applied.push(name)
  }
  return applied
}
