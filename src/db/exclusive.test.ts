// Work that one process at a time may do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
import { connect } from './client.ts'
import { exclusively } from './exclusive.ts'

test('two at once: the second is not begun; another name and a later call are', async () => {
  await using database = await testDatabase()
  const calls: string[] = []
  const run = (name: string, by: string, work: () => Promise<void> = async () => {}) =>
    exclusively(database.appUrl, name, async () => {
      calls.push(by)
      await work()
      return by
    })
  const first = await run('move', 'first', async () => {
    assert.equal(await run('move', 'second'), undefined)
    assert.deepEqual(await run('other', 'third'), { result: 'third' })
  })
  assert.deepEqual(first, { result: 'first' })
  await assert.rejects(
    run('move', 'fourth', () => Promise.reject(new Error('it fails'))),
    /it fails/,
  )
  assert.deepEqual(await run('move', 'fifth'), { result: 'fifth' })
  assert.deepEqual(calls, ['first', 'third', 'fourth', 'fifth'])
})

test('a lock that is lost during the work does not hide what the work did', async () => {
  await using database = await testDatabase()
  const sql = connect(database.appUrl, { max: 1 })
  const done = await exclusively(database.appUrl, 'move', async () => {
    await sql`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity
       where application_name = 'vintem-exclusive' and datname = current_database()`
    return 'done'
  })
  await sql.end()
  assert.deepEqual(done, { result: 'done' })
})
