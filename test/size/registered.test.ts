// Every function that selects, updates or deletes is registered with the test of big tables.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { registry } from './known.ts'

const source = join(import.meta.dirname, '../../src')

test('every function of a queries file is registered with the test of big tables', async () => {
  const files = globSync(['**/queries.ts', '**/*-queries.ts'], { cwd: source }).sort()
  assert.ok(files.length > 50)
  const found = await Promise.all(files.map(async (file) => [file, await queriesOf(file)] as const))
  const missing = found.flatMap(([file, names]) =>
    names.filter((name) => registry[file]?.[name] === undefined).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(missing, [], 'add a line for each to the file of its room in test/size')
})

test('every registered function exists', async () => {
  for (const [file, functions] of Object.entries(registry)) {
    const module = (await import(join(source, file))) as Record<string, unknown>
    for (const name of Object.keys(functions))
      assert.equal(typeof module[name], 'function', `${file}: ${name}`)
  }
})

/** The exported functions that read, change or delete rows. One that only inserts values searches nothing, so it cannot be slow. */
async function queriesOf(file: string): Promise<readonly string[]> {
  const module = (await import(join(source, file))) as Record<string, unknown>
  return Object.entries(module).flatMap(([name, value]) => {
    if (typeof value !== 'function') return []
    const text = String(value)
    if (!/^(?:async )?function\s*\w*\(\s*(?:sql|tx)\b/.test(text)) return []
    const inserts = /\binsert into\b/.test(text)
    const reads = /\b(?:from|join|using|update)\s+(?!unnest\b|new\b|set\b|start\b|\()[a-z_]+/.test(
      text.replaceAll(/\bfor update\b|\bdo update\b/g, ''),
    )
    return inserts && !reads ? [] : [name]
  })
}
