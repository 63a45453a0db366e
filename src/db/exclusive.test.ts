// Work that one process at a time may do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/postgres.ts'
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
