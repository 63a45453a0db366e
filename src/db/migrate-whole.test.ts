// A new database, whose migrations are one transaction each, is the same as one that was migrated step by step beside its traffic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from './client.ts'
import { migrate } from './migrate.ts'
import { migrationOf, readMigrations } from './migration.ts'

const appRole = 'vintem_app'
/** Any migration: a database that has one is not new. */
const earlier = migrationOf('0000_earlier.sql', 'select 1')

/** One line for each column, index, constraint, trigger, function, view, type and privilege. */
async function schemaOf(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ line: string }[]>`
    select line from (
      select format('%s.%s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attacl) as line
        from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
      union all
      select format('%s valid %s', pg_get_indexdef(indexrelid), indisvalid) from pg_index
        join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
      union all
      select format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
       where connamespace = 'public'::regnamespace
      union all
      select format('%s %s', pg_get_triggerdef(pg_trigger.oid), tgenabled) from pg_trigger where not tgisinternal
      union all
      select format('%s %s', pg_get_functiondef(oid), proacl) from pg_proc
       where pronamespace = 'public'::regnamespace and prokind = 'f'
         and proname not in ('clock_timestamp', 'statement_timestamp', 'now', 'clock_shift', 'clock_stopped')
      union all
      select format('%s %s %s %s %s', relname, relkind, relacl, reloptions, case when relkind in ('v', 'm') then pg_get_viewdef(oid) end)
        from pg_class where relnamespace = 'public'::regnamespace and relkind <> 't'
      union all
      select format('%s %s', typname, enumlabel) from pg_enum join pg_type on pg_type.oid = enumtypid
    ) as lines order by line`
  // Where a test's clock hides PostgreSQL's, the latter is named in full.
  return rows.map(({ line }) => line.replaceAll('pg_catalog.', ''))
}

/** The privileges name tables that later migrations make. */
function notYetThere(error: unknown): void {
  assert.match(String(error), /privileges\.sql/)
}

test('a new database is what the steps make, one after another', async () => {
  await using whole = await testDatabase()
  await using stepwise = await testDatabase()
  await using interrupted = await testDatabase()
  const databases = [stepwise, whole, interrupted].map(({ ownerUrl }) => connect(ownerUrl, { max: 1 }))
  const [expected, found, resumed] = databases as [Sql, Sql, Sql]
  try {
    await expected.unsafe(`drop schema public cascade; create schema public`)
    await migrate(stepwise.ownerUrl, { appRole, migrations: [earlier] })
    const { applied } = await migrate(stepwise.ownerUrl, { appRole })
    assert.equal(applied.length, (await readMigrations()).length)
    const lines = await schemaOf(expected)
    assert.ok(lines.length > 1_000, `${lines.length} lines`)
    assert.deepEqual(await schemaOf(found), lines)
    // A first run that was killed leaves whole migrations; the next one goes on in steps.
    const all = await readMigrations()
    await resumed.unsafe(`drop schema public cascade; create schema public`)
    await migrate(interrupted.ownerUrl, { appRole, migrations: all.slice(0, 30) }).catch(notYetThere)
    assert.equal((await migrate(interrupted.ownerUrl, { appRole })).applied.length, all.length - 30)
    assert.deepEqual(await schemaOf(resumed), lines)
    await expected`delete from migration where name = ${earlier.name}`
    const hashes = (sql: Sql) => sql`select name, hash from migration order by name`
    assert.deepEqual(await hashes(found), await hashes(expected))
  } finally {
    await Promise.all(databases.map((sql) => sql.end()))
  }
})
