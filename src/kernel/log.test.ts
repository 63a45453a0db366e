import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** The lines that a program with this log writes on standard error. */
function linesOf(program: string): readonly string[] {
  const from = JSON.stringify(join(import.meta.dirname, 'log.ts'))
  const source = `import { createLog } from ${from}; const log = createLog('info'); ${program}`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  return stderr.trim().split('\n')
}

test('texts that look like card numbers are masked in every line, and each line is still JSON', () => {
  const lines = linesOf(`
    log.warn({ key: '4242424242424242', n: 4242424242424242, list: ['a\\n5555 5555 5555 4444'] }, 'order 378282246310005')
    log.error({ err: new Error('Key (…)=(4242424242424242) already exists') }, 'it broke')
    log.info({ id: '40128888-8888-4881-8242-424242424242', at: 1794556800000, n: 12 }, 'nothing here')
  `)
  const parsed = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  assert.deepEqual(
    [parsed[0]?.['key'], parsed[0]?.['n'], parsed[0]?.['list'], parsed[0]?.['msg']],
    ['************4242', '************4242', ['a\n**** **** **** 4444'], 'order ***********0005'],
  )
  assert.ok(!/\d{5}/.test(JSON.stringify(parsed[1]?.['err']).replaceAll(/file:[^ ]*/g, '')))
  assert.deepEqual(
    [parsed[2]?.['id'], parsed[2]?.['at'], parsed[2]?.['n']],
    ['40128888-8888-4881-8242-424242424242', 1_794_556_800_000, 12],
  )
})
