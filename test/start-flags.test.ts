import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startFlags } from './start-flags.ts'

const root = join(import.meta.dirname, '..')

test('the image starts Vintem with the flags of the script', () => {
  const line = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? '[]'
  const [node, ...given] = JSON.parse(line) as string[]
  assert.equal(node, 'node')
  assert.deepEqual(given, [...startFlags(root), 'src/main.ts'])
})
