import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { program, programEnv } from './debian.ts'
import { poolerProgram } from './pgbouncer.ts'

const answers: readonly (readonly [name: string, args: readonly string[], expected: RegExp])[] = [
  ['postgresql/postgres', ['--version'], /PostgreSQL\) 15\./],
  ['pgbouncer', ['--version'], /PgBouncer 1\.18/],
  ['patroni', ['--version'], /patroni 3\.0/],
  ['etcd', ['--version'], /etcd Version: 3\.4/],
  ['haproxy', ['-v'], /version 2\.6/],
  ['promtool', ['--version'], /version 2\.42/],
]

for (const [name, args, expected] of answers)
  test(`${name} runs from its package`, () => {
    const env = { ...process.env, ...programEnv() }
    const printed = execFileSync(program(name), args, {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    assert.match(printed, expected)
  })

test('pgbouncer 1.24 runs, built from its source', async () => {
  const env = { ...process.env, ...programEnv() }
  const printed = execFileSync(await poolerProgram('1.24'), ['--version'], { encoding: 'utf8', env })
  assert.match(printed, /PgBouncer 1\.24/)
})
