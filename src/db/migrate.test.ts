import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from './client.ts'
import { migrate, missingMigrations } from './migrate.ts'
import { readMigrations } from './migration.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let owner: Sql
let app: Sql
let appRole: string

before(async () => {
  database = await testDatabase()
  owner = connect(database.ownerUrl, { max: 2 })
  app = connect(database.appUrl, { max: 2 })
  appRole = decodeURIComponent(new URL(database.appUrl).username)
})

after(async () => {
  await Promise.all([owner.end(), app.end()])
  await database[Symbol.asyncDispose]()
})

test('two runs, also at the same time, apply everything once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.ownerUrl, { appRole })))
  assert.deepEqual(
    runs.flatMap(({ applied }) => applied),
    [],
  )
  const names = (await readMigrations()).map(({ name }) => name)
  const rows = await owner<{ name: string }[]>`select name from migration order by name`
  assert.deepEqual(
    rows.map(({ name }) => name),
    names,
  )
  assert.deepEqual(await missingMigrations(app), [])
})

test('a migration that was changed after it was applied stops the next one', async () => {
  const [first] = await owner<
    { name: string; hash: string }[]
  >`select name, hash from migration order by name limit 1`
  await owner`update migration set hash = 'another' where name = ${first?.name ?? ''}`
  await assert.rejects(migrate(database.ownerUrl, { appRole }), /was changed after it had been applied/)
  await owner`update migration set hash = ${first?.hash ?? ''} where name = ${first?.name ?? ''}`
  await migrate(database.ownerUrl, { appRole })
})

test('a release with more migrations than the database names the missing ones', async () => {
  const last = (await readMigrations()).at(-1)?.name ?? ''
  await owner
    .begin(async (tx) => {
      await tx`delete from migration where name = ${last}`
      assert.deepEqual(await missingMigrations(owner), [])
      throw new Error('back')
    })
    .catch(() => {})
  await owner`update migration set name = 'hidden' where name = ${last}`
  assert.deepEqual(await missingMigrations(app), [last])
  await owner`update migration set name = ${last} where name = 'hidden'`
})

const appendOnly = ['batch', 'account', 'transfer', 'entry', 'receipt', 'event']

test('the application may read the books and add to them, but not change or delete', async () => {
  for (const table of appendOnly) {
    await app.unsafe(`select * from ${table} limit 1`)
    const columns = await app<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_name = ${table} order by ordinal_position limit 1`
    await assert.rejects(app.unsafe(`update ${table} set ${columns[0]?.name} = ${columns[0]?.name}`), {
      code: '42501',
    })
    await assert.rejects(app.unsafe(`delete from ${table}`), { code: '42501' })
    await assert.rejects(app.unsafe(`truncate ${table}`), { code: '42501' })
  }
  await assert.rejects(app`insert into migration (name, hash) values ('x', 'y')`, { code: '42501' })
  await assert.rejects(app`create table mine (id integer)`, { code: '42501' })
})

test('the owner cannot change the books by mistake either', async () => {
  const [before] = await owner<{ count: bigint }[]>`
    select count(*) from pg_trigger
     where not tgisinternal and tgrelid = any (${['batch', 'account', 'transfer', 'entry', 'event']}::text[]::regclass[])`
  assert.ok((before?.count ?? 0n) >= 5n)
  await owner`insert into account (id, mode, name, currency, side, batch) values (1, 'LIVE', 'x', 'BRL', 'DEBIT', 1)`
  await assert.rejects(Promise.resolve(owner`update account set name = 'y'`), { code: '23001' })
  await assert.rejects(Promise.resolve(owner`delete from account`), { code: '23001' })
})
