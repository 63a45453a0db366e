// Migrations beside the traffic: steps, indexes that are built outside a transaction, one migrator at a time, and locks that
// other transactions hold.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { testDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from './client.ts'
import { migrate } from './migrate.ts'
import { migrationOf, type Migration } from './migration.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let owner: Sql
let app: Sql

before(async () => {
  database = await testDatabase()
  owner = connect(database.ownerUrl, { max: 8 })
  app = connect(database.appUrl, { max: 4 })
  await owner`create table big (id integer primary key, word text not null, other integer)`
  await owner`insert into big select number, 'word ' || number % 100, number from generate_series(1, 2000) as number`
})

beforeEach(async () => {
  await owner`delete from migration where name like '9%'`
  await owner`delete from migration_step`
})

after(async () => {
  await Promise.all([owner.end(), app.end()])
  await database[Symbol.asyncDispose]()
})

const run = (...migrations: readonly Migration[]) =>
  migrate(database.ownerUrl, { appRole: decodeURIComponent(new URL(database.appUrl).username), migrations })

const stepsDone = async () =>
  (await owner<{ number: number }[]>`select number from migration_step order by number`).map((r) => r.number)

const index = async (name: string) => {
  const [found] = await owner<{ oid: bigint; valid: boolean }[]>`
    select indexrelid::bigint as oid, indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`
  return found
}

test('a migration that fails leaves the ones before it applied, and nothing of itself', async () => {
  const good = migrationOf('9001_good.sql', 'create table good (id integer); insert into good values (1)')
  const bad = migrationOf('9002_bad.sql', 'create table half (id integer);\n\nselect 1 / 0;')
  await assert.rejects(run(good, bad), /9002_bad\.sql, statement on line 3: division by zero/)
  const names = await owner<{ name: string }[]>`select name from migration where name like '9%'`
  assert.deepEqual(
    names.map(({ name }) => name),
    ['9001_good.sql'],
  )
  assert.equal((await owner`select from pg_tables where tablename = 'half'`).length, 0)
  const mended = migrationOf('9002_bad.sql', 'create table half (id integer)')
  assert.deepEqual((await run(good, mended)).applied, ['9002_bad.sql'])
})

test('a run that was killed between two steps goes on with the next one', async () => {
  const text = `create table once (id integer);
-- step outside a transaction
create index concurrently big_by_other on big (other);
-- step
alter table big add constraint big_positive check (id > 0) not valid;
-- step
alter table big validate constraint big_positive;
`
  const broken = migrationOf(
    '9003_steps.sql',
    text.replace('validate constraint big_positive', 'validate constraint no'),
  )
  const whole = { ...migrationOf('9003_steps.sql', text), hash: broken.hash }
  await assert.rejects(run(broken), /line 7/)
  assert.deepEqual(await stepsDone(), [0, 1, 2])
  assert.deepEqual((await run(whole)).applied, ['9003_steps.sql'])
  assert.deepEqual(await stepsDone(), [])
  const [constraint] = await owner<
    { valid: boolean }[]
  >`select convalidated as valid from pg_constraint where conname = 'big_positive'`
  assert.equal(constraint?.valid, true)
  assert.equal((await index('big_by_other'))?.valid, true)
})

test('a migration that was changed after its first steps stops the next run', async () => {
  const text = 'create table changed (id integer);\n-- step\nselect 1 / 0'
  await assert.rejects(run(migrationOf('9004_changed.sql', text)), /division/)
  await assert.rejects(
    run(migrationOf('9004_changed.sql', `${text};`)),
    /was changed after it had been applied/,
  )
})

const unique = `-- step outside a transaction
create unique index concurrently big_by_word on big (word);
`

test('an invalid index of an interrupted build is dropped and built again', async () => {
  await assert.rejects(run(migrationOf('9005_index.sql', unique)), { code: '23505' })
  const left = await index('big_by_word')
  assert.equal(left?.valid, false, 'the failed build left an index that is not valid')
  await owner`update big set word = 'word ' || id`
  await run(migrationOf('9005_index.sql', unique))
  const built = await index('big_by_word')
  assert.equal(built?.valid, true)
  assert.notEqual(built?.oid, left?.oid)
})

test('an index that was valid when its run was killed is not built again', async () => {
  const before = await index('big_by_word')
  await run(migrationOf('9005_index.sql', unique))
  assert.equal((await index('big_by_word'))?.oid, before?.oid)
})

test('a migrator waits for an index build that still runs for a killed migrator', async () => {
  const slow = migrationOf(
    '9006_slow.sql',
    '-- step outside a transaction\ncreate index concurrently big_slowly on big (other, word);',
  )
  const writing = await openTransaction('update big set other = 0 where id = 1')
  const orphan = owner.unsafe('create index concurrently big_slowly on big (other, word)').execute()
  orphan.catch(() => {})
  await eventually('the build has started', async () => (await index('big_slowly'))?.valid === false)
  const running = run(slow)
  await eventually('the migrator waits', async () => {
    const [row] = await owner<
      { fence: bigint }[]
    >`select fence from migrator where lease_until > clock_timestamp()`
    return row !== undefined
  })
  await writing.end()
  await orphan
  const built = await index('big_slowly')
  await running
  assert.equal(built?.valid, true)
  assert.equal((await index('big_slowly'))?.oid, built?.oid)
})

test('a long reader delays the migration, and no other query', async () => {
  const reading = await openTransaction('select from wallet')
  let isOver = false
  const running = run(migrationOf('9007_column.sql', 'alter table wallet add column more integer')).finally(
    () => (isOver = true),
  )
  await eventually('the migration waits for its lock', async () => {
    const waiting = await owner`
      select from pg_locks where not granted and relation = 'wallet'::regclass and mode = 'AccessExclusiveLock'`
    return waiting.length > 0
  })
  // Behind a lock that waits without end, each of these would wait as long as the reader.
  for (let times = 0; times < 10; times += 1) await app`select from wallet limit 1`
  assert.equal(isOver, false)
  await reading.end()
  assert.deepEqual((await running).applied, ['9007_column.sql'])
})

test('after too long a wait for a lock the migration fails, and names the statement that waited', async () => {
  const reading = await openTransaction('select from wallet')
  const migrations = [migrationOf('9008_column.sql', 'alter table wallet add column never integer')]
  await assert.rejects(migrate(database.ownerUrl, { appRole: 'vintem_app', migrations, lockMs: 1 }), {
    code: '55P03',
    message: /9008_column\.sql, statement on line 1/,
  })
  await reading.end()
})

test('a migrator that has lost its turn changes nothing more', async () => {
  const text = `create table early (id integer);
-- step
do $$ begin perform pg_sleep(0.2); end $$;
-- step
create table late (id integer)`
  // The fence moves inside the second step's own transaction, as after a takeover just before it.
  const stolen = migrationOf(
    '9009_stolen.sql',
    text.replace('perform pg_sleep(0.2)', 'update migrator set fence = fence + 1'),
  )
  await assert.rejects(run(stolen), /another migrator has taken over/)
  assert.deepEqual(await stepsDone(), [0])
  assert.equal((await owner`select from pg_tables where tablename = 'late'`).length, 0)
})

test('the lease of a killed migrator ends, and another one goes on', async () => {
  await owner`update migrator set fence = fence + 1, lease_until = clock_timestamp() + interval '1 second'`
  const { applied } = await run(migrationOf('9010_next.sql', 'create table next (id integer)'))
  assert.deepEqual(applied, ['9010_next.sql'])
})

test('concurrent runs apply each step once', async () => {
  const migrations = [
    migrationOf('9011_a.sql', 'create table counted (id integer); insert into counted values (1)'),
    migrationOf(
      '9012_b.sql',
      '-- step outside a transaction\ncreate index concurrently counted_by_id on counted (id);\n-- step\ninsert into counted values (2)',
    ),
  ]
  const runs = await Promise.all([1, 2, 3].map(() => run(...migrations)))
  assert.deepEqual(runs.flatMap(({ applied }) => applied).sort(), ['9011_a.sql', '9012_b.sql'])
  const rows = await owner<{ id: number }[]>`select id from counted order by id`
  assert.deepEqual(
    rows.map(({ id }) => id),
    [1, 2],
  )
})

test('the application may neither read nor change the migrator’s own tables', async () => {
  for (const table of ['migrator', 'migration_step']) {
    await assert.rejects(Promise.resolve(app.unsafe(`select from ${table}`)), { code: '42501' })
  }
})

/** A transaction that stays open until `end` is called. */
async function openTransaction(statement: string): Promise<{ end: () => Promise<void> }> {
  const started = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const whole = owner.begin(async (tx) => {
    await tx.unsafe(statement)
    started.resolve()
    await ending.promise
  })
  whole.catch((error: unknown) => started.reject(error))
  await started.promise
  return {
    end: async () => {
      ending.resolve()
      await whole
    },
  }
}
