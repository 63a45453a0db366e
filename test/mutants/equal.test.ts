// The list of mutants that no test can notice is a list of real places.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { equal } from './equal.ts'
import { mutated, mutationsOf } from './mutations.ts'

const root = join(import.meta.dirname, '..', '..')

test('each equal mutant changes one place that exists, as one of the rules does, and says why it is equal', () => {
  const wrong = [...Map.groupBy(equal, ({ file }) => file)].flatMap(([file, entries]) => {
    const text = readFileSync(join(root, file), 'utf8')
    const mutants = new Set(mutationsOf(text).map((mutation) => mutated(text, mutation)))
    return entries.flatMap(({ find, put, why }) => {
      if (text.split(find).length !== 2) return [`${file} does not have ${find} once`]
      return [
        ...(mutants.has(text.replace(find, () => put)) ? [] : [`${file}: no rule makes ${put} of ${find}`]),
        ...(why.endsWith('.') ? [] : [`${file}: ${find} has no sentence`]),
      ]
    })
  })
  assert.deepEqual(wrong, [])
})
