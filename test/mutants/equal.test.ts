// The list of mutants that no test can notice is a list of real places.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { partOf } from '../counts.ts'
import { equal } from './equal.ts'
import { mutated, mutationsOf } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..')

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('each equal mutant changes one place that exists, and says why it is equal', () => {
  const wrong = equal.flatMap(({ file, find, put, why }) => [
    ...(textOf(file).split(find).length === 2 && put !== find ? [] : [`${file} does not have ${find} once`]),
    ...(why.endsWith('.') ? [] : [`${file}: ${find} has no sentence`]),
  ])
  assert.deepEqual(wrong, [])
})

test('it changes it as one of the rules does', () => {
  const byFile = [...Map.groupBy(equal, ({ file }) => file)]
  const wrong = partOf(byFile, 8).flatMap(([file, entries]) => {
    const text = textOf(file)
    const mutants = new Set(mutationsOf(text).map((mutation) => mutated(text, mutation)))
    return entries.flatMap(({ find, put }) =>
      mutants.has(text.replace(find, () => put)) ? [] : [`${file}: no rule makes ${put} of ${find}`],
    )
  })
  assert.deepEqual(wrong, [])
})
