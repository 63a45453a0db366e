// The list of planted faults is a list of real lines: each is found once, changes something, and names a test that exists.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rooms } from './fault.ts'
import { faults } from './faults.ts'

const root = join(import.meta.dirname, '..', '..')

test('each planted fault changes one place that exists, and names a test that exists', () => {
  const wrong = faults.flatMap(({ what, file, find, put, caughtBy }) => {
    const path = join(root, file)
    const times = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0
    return [
      ...(times === 1 ? [] : [`${what}: ${file} has its line ${times} times`]),
      ...(find === put ? [`${what}: nothing changes`] : []),
      ...(existsSync(join(root, caughtBy)) ? [] : [`${what}: there is no ${caughtBy}`]),
    ]
  })
  assert.deepEqual(wrong, [])
})

test('there are at least sixty, no two alike, and some for every room of money', () => {
  assert.ok(faults.length >= 60, `${faults.length}`)
  assert.equal(new Set(faults.map(({ file, find, put }) => `${file} ${find} ${put}`)).size, faults.length)
  const bare = rooms.filter((room) => faults.filter((fault) => fault.room === room).length < 3)
  assert.deepEqual(bare, [])
})
