// The quick run does not track asynchronous resources: an error that comes after the end of its test must fail the file still.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const errors = {
  'thrown by a timer': `setTimeout(() => { throw new Error('too late') }, 1)`,
  'of a promise that nobody awaits': `void Promise.reject(new Error('too late'))`,
}

for (const [title, error] of Object.entries(errors)) {
  test(`an error ${title} fails the file after its test has passed`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'vintem-untracked-'))
    try {
      const file = join(folder, 'late.test.mjs')
      writeFileSync(
        file,
        `import { test } from 'node:test'
test('passes', () => { ${error} })
test('waits', () => new Promise((done) => setTimeout(done, 50)))`,
      )
      const { status, stdout } = runTests(file)
      assert.equal(status, 1, stdout)
      assert.match(stdout, /too late/)
      writeFileSync(file, `import { test } from 'node:test'\ntest('passes', () => {})`)
      assert.equal(runTests(file).status, 0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

function runTests(file: string) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const untracked = join(import.meta.dirname, 'test-untracked.ts')
  return spawnSync(process.execPath, ['--import', untracked, '--test', file], { encoding: 'utf8', env })
}
