// Packing the SDK and the provider for Medusa after a start alone, which installs no compiler.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const repository = join(import.meta.dirname, '..')

for (const folder of ['sdk/typescript', 'integrations/medusa'])
  test(`without a compiler ${folder} says in one line what to run, and keeps what was built before`, () => {
    const root = mkdtempSync(join(tmpdir(), 'vintem-pack-'))
    try {
      mkdirSync(join(root, folder, 'dist'), { recursive: true })
      writeFileSync(join(root, folder, 'dist', 'kept.js'), '')
      cpSync(join(repository, folder, 'build.mjs'), join(root, folder, 'build.mjs'))
      const { status, stderr } = spawnSync(process.execPath, [join(root, folder, 'build.mjs')], {
        encoding: 'utf8',
      })
      assert.deepEqual(
        [status, stderr],
        [1, "The compiler is missing. In the repository's folder run: node scripts/install.mjs --all\n"],
      )
      assert.ok(existsSync(join(root, folder, 'dist', 'kept.js')))
    } finally {
      rmSync(root, { recursive: true })
    }
  })

test('./vintem dev without a script, or with one that is not there, says in one line what it is', () => {
  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(join(repository, 'vintem'), ['dev', ...args], {
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const usage = /\.\/vintem dev <script> \[arguments\] runs a JavaScript or TypeScript file [^\n]+\n$/
  const help = run('--help')
  assert.deepEqual([help.status, help.stderr], [0, ''])
  assert.match(help.stdout, usage)
  for (const [args, begin] of [
    [[], /^Which script\? /],
    [['--version'], /^Which script\? /],
    [['scripts/no-such.ts'], /^There is no \/[^\n]*scripts\/no-such\.ts\. /],
  ] as const) {
    const { status, stdout, stderr } = run(...args)
    assert.deepEqual([status, stdout], [1, ''], args.join())
    assert.match(stderr, usage)
    assert.match(stderr, begin)
    assert.equal(stderr.split('\n').length, 2)
  }
})
