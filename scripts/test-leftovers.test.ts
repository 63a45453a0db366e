import assert from 'node:assert/strict'
import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { endLeftovers } from './test-leftovers.ts'

const folder = mkdtempSync(join(tmpdir(), 'leftovers-'))
const marker = `VINTEM_LEFTOVERS=${folder}`
const usual: StdioOptions = 'ignore'

for (const [how, { env = {}, cwd, stdio = usual, words = [] }] of Object.entries<{
  env?: NodeJS.ProcessEnv
  cwd?: string
  stdio?: StdioOptions
  words?: string[]
}>({
  'its environment': { env: { VINTEM_LEFTOVERS: folder } },
  'where it works': { cwd: folder },
  'where it writes': { stdio: ['ignore', openSync(join(folder, 'out'), 'w'), 'ignore'] },
  'its arguments': { words: [join(folder, 'data')] },
}))
  test(`a leftover process is found by ${how}, ended and named`, async () => {
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { env: {}, stdio: usual })
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', ...words], { env, cwd, stdio })
    const ended = once(left, 'exit')
    const named = await endLeftovers({ marker, folder })
    assert.deepEqual(
      named.map((each) => Number(each.split(' ')[0])),
      [left.pid],
    )
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.equal(stranger.exitCode, null)
    const strangerEnded = once(stranger, 'exit')
    stranger.kill()
    assert.deepEqual(await strangerEnded, [null, 'SIGTERM'])
  })

test.after(() => rmSync(folder, { recursive: true }))
