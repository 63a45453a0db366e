// Applies migrations/*.sql in order, step by step, each once. Refuses a migration that was changed after it was applied.
import { invariant } from '#/kernel/check.ts'
import { minuteMs, secondMs, sleep } from '#/kernel/time.ts'
import { connect, type Sql, type Tx } from './client.ts'
import {
  failedAt,
  isNameTaken,
  notBeside,
  readMigrations,
  readPrivileges,
  stepsOf,
  type Migration,
  type Step,
} from './migration.ts'
import { notNow, prepareTables, repeated, awaitTurn, type Turn } from './migrator.ts'
import { confirmSession } from './session.ts'

export type MigrateOptions = {
  /** The role that gets the privileges of the application. Absent: the owner alone uses the tables. */
  readonly appRole?: string
  /** Default: the migrations of this release. For tests. */
  readonly migrations?: readonly Migration[]
  /** Called as soon as all steps of a migration are applied. */
  readonly onApplied?: (name: string) => void
  /** How long to retry for the locks of one step, in milliseconds. Default: ten minutes. */
  readonly lockMs?: number
}

/**
 * Migrates the database at `ownerUrl` to this release and grants the application's role its privileges.
 * - Each step of a migration is one transaction, or one index that is built beside the traffic. In a new database each
 *   migration is one transaction.
 * - A run that fails or is killed leaves complete steps; the next run continues after them.
 * - Two runs at once are safe.
 * Rejects with the file and line of a failed statement, and when it could not get the locks of a step in time.
 */
export async function migrate(
  ownerUrl: string,
  options: MigrateOptions,
): Promise<{ readonly applied: readonly string[] }> {
  const migrations = options.migrations ?? (await readMigrations())
  const lockMs = options.lockMs ?? 10 * minuteMs
  // For one transaction, one index, and the renewal of the lease.
  const sql = connect(ownerUrl, { max: 4, applicationName: 'vintem-migrate', transactionSeconds: 0 })
  try {
    await confirmSession(sql)
    await prepareTables(sql)
    const turn = await awaitTurn(sql, { lockMs })
    try {
      const applied: string[] = []
      const isNew = await isUntouched(sql)
      for (const migration of await missing(sql, migrations)) {
        await (isNew ? applyWhole(turn, migration) : applyOne({ sql, turn, lockMs }, migration))
        applied.push(migration.name)
        options.onApplied?.(migration.name)
      }
      if (options.appRole !== undefined) await grant(turn, options.appRole)
      return { applied }
    } finally {
      await turn.release()
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Returns the names of this release's migrations that the database lacks. */
export async function missingMigrations(sql: Sql): Promise<readonly string[]> {
  const [table] = await sql<{ name: string | null }[]>`select to_regclass('migration')::text as name`
  const done = table?.name ? await sql<{ name: string }[]>`select name from migration` : []
  const names = new Set(done.map((row) => row.name))
  return (await readMigrations()).map((each) => each.name).filter((name) => !names.has(name))
}

/** Returns the migrations that are not applied completely. Throws when one was changed after it, or a step of it, was applied. */
async function missing(sql: Sql, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const rows = await sql<{ name: string; hash: string; whole: boolean }[]>`
    select name, hash, true as whole from migration
    union all select distinct name, hash, false from migration_step`
  const changed = rows.find(({ name, hash }) => migrations.some((it) => it.name === name && it.hash !== hash))
  invariant(
    changed === undefined,
    `${changed?.name} was changed after it had been applied: add a new migration instead`,
  )
  const whole = new Set(rows.filter((row) => row.whole).map(({ name }) => name))
  return migrations.filter(({ name }) => !whole.has(name))
}

/** Whether no step of any migration was ever applied, so that nobody can be using a table of ours. */
async function isUntouched(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ any: boolean }[]>`
    select exists (select from migration) or exists (select from migration_step) as any`
  return found?.any === false
}

/**
 * For a new database: the whole migration in one transaction, with its indexes built within it. There nobody waits for a lock,
 * and it takes a third of the time. A run that is killed leaves whole migrations, and the next run continues step by step.
 */
async function applyWhole(turn: Turn, migration: Migration): Promise<void> {
  const { name, hash } = migration
  await turn.transaction(async (tx) => {
    for (const step of stepsOf(migration)) {
      const statements = step.kind === 'OUTSIDE' ? [notBeside(step.statement)] : step.statements
      for (const statement of statements) await tx.unsafe(statement.text).catch(failedAt(name, statement))
    }
    await tx`insert into migration (name, hash) values (${name}, ${hash})`
  })
}

type Place = { readonly sql: Sql; readonly turn: Turn; readonly lockMs: number }

async function applyOne(place: Place, migration: Migration): Promise<void> {
  const { name, hash } = migration
  const steps = stepsOf(migration)
  const done = await place.sql<{ number: number }[]>`select number from migration_step where name = ${name}`
  const last = steps.length - 1
  const record = async (tx: Tx, number: number) => {
    if (number < last) {
      await tx`insert into migration_step (name, number, hash) values (${name}, ${number}, ${hash})`
      return
    }
    await tx`delete from migration_step where name = ${name}`
    await tx`insert into migration (name, hash) values (${name}, ${hash})`
  }
  if (steps.length === 0) await place.turn.transaction((tx) => record(tx, last))
  for (const [number, step] of steps.entries()) {
    if (done.some((row) => row.number === number)) continue
    if (step.kind === 'OUTSIDE') await changeIndex(place, name, step)
    await place.turn.transaction(async (tx) => {
      if (step.kind === 'TRANSACTION') {
        for (const statement of step.statements) {
          await tx.unsafe(statement.text).catch(failedAt(name, statement))
        }
      }
      await record(tx, number)
    })
  }
}

/**
 * Builds or drops one index beside the traffic. Drops the invalid index of an interrupted build first, and waits for a build
 * that still runs for a killed migrator. A valid index with this name counts as built.
 */
async function changeIndex(place: Place, name: string, step: Step & { kind: 'OUTSIDE' }): Promise<void> {
  const { sql, turn } = place
  const { index, statement } = step
  for (;;) {
    await turn.confirm()
    const state = await indexState(sql, index.name)
    if (state === (index.verb === 'create' ? 'VALID' : 'ABSENT')) return
    if (state === 'BUILDING') {
      await sleep(secondMs)
      continue
    }
    const isFirst = index.verb === 'create' && state === 'INVALID'
    const text = isFirst ? `drop index concurrently if exists ${index.name}` : statement.text
    await repeated(notNow, place.lockMs, () => sql.unsafe(text))
      .catch((error: unknown) => {
        // Another process was faster: the next iteration reads the state.
        if (!isNameTaken(error)) throw error
      })
      .catch(failedAt(name, statement))
  }
}

async function indexState(sql: Sql, name: string): Promise<'ABSENT' | 'BUILDING' | 'INVALID' | 'VALID'> {
  const [found] = await sql<{ valid: boolean; building: boolean }[]>`
    select indisvalid as valid,
           exists (select from pg_stat_progress_create_index where index_relid = indexrelid) as building
      from pg_index where indexrelid = to_regclass(${name})`
  if (found === undefined) return 'ABSENT'
  if (found.valid) return 'VALID'
  return found.building ? 'BUILDING' : 'INVALID'
}

async function grant(turn: Turn, appRole: string): Promise<void> {
  const statements = await readPrivileges()
  await turn.transaction(async (tx) => {
    await tx`select set_config('vintem.app_role', ${appRole}, true)`
    for (const statement of statements) {
      await tx.unsafe(statement.text).catch(failedAt('privileges.sql', statement))
    }
  })
}
