import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase, type TestDatabase } from '../../test/postgres.ts'
import { connect, type Sql } from './client.ts'
import { pullFarDue, waiting } from './far-due.ts'

let database: TestDatabase
let sql: Sql
before(async () => {
  database = await testDatabase()
  sql = connect(database.ownerUrl, { max: 2 })
})
after(async () => {
  await sql.end({ timeout: 1 })
  await database[Symbol.asyncDispose]()
})

test('every column of the schema by which something is due is among them', async () => {
  const rows = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and column_name in ('due_at', 'lease_until')
       -- An operator's command alone waits for that one, and says so.
       and table_name <> 'migrator'`
  const known = waiting.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(known.toSorted(), rows.map(({ name }) => name).toSorted())
})

test('what a clock that was ahead put off is due now; what waits its usual time goes on waiting', async () => {
  const insert = (name: string, wait: string) => sql`
    insert into reconciliation (connection, look, through, due_at)
    values (${name}, 'recent', clock_timestamp(), clock_timestamp() + ${wait}::interval)`
  await insert('far', '49 hours')
  await insert('usual', '23 hours')
  assert.equal(await pullFarDue(sql), 1)
  const due = await sql<{ connection: string }[]>`
    select connection from reconciliation where due_at <= clock_timestamp()`
  assert.deepEqual(
    due.map(({ connection }) => connection),
    ['far'],
  )
  assert.equal(await pullFarDue(sql), 0)
})
