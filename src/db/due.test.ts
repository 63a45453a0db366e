import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileDatabase } from '../../test/file-database.ts'
import type { Sql } from './client.ts'
import { pullFarDue, waiting } from './due.ts'

let sql: Sql
fileDatabase((owner) => (sql = owner))

test('the list has every column of the schema with a due time', async () => {
  const rows = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and column_name in ('due_at', 'lease_until')
       -- Only the operator's migrate command waits for this one.
       and table_name <> 'migrator'`
  const listed = waiting.map(({ table, column }) => `${table}.${column}`)
  assert.deepEqual(listed.toSorted(), rows.map(({ name }) => name).toSorted())
})

test('rows that a clock ahead of time postponed are due now; rows with a usual wait keep it', async () => {
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
