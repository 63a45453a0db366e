// What a process loads when it starts: the packages are bundled, and each exists once.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = join(import.meta.dirname, '..')

/** Imports the modules in a process of its own. Returns how many files it loaded of each package. */
function loadedFiles(...modules: readonly string[]): ReadonlyMap<string, number> {
  const script = `
    import { registerHooks } from 'node:module'
    const counts = {}
    registerHooks({
      load(url, context, next) {
        const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
        if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1
        return next(url, context)
      },
    })
    for (const module of ${JSON.stringify(modules)}) await import(module)
    console.log(JSON.stringify(counts))
    process.exit()`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  return new Map(Object.entries(JSON.parse(printed.toString()) as Record<string, number>))
}

const bundled = [
  '@peculiar/asn1-schema',
  '@peculiar/asn1-x509',
  '@simplewebauthn/server',
  'typebox',
  'undici',
  'viem',
]

/** Loaded when somebody first uses a passkey. */
const later = '@simplewebauthn/server'

test('the server and the simulators load no package of many files', () => {
  const files = loadedFiles('./src/cli/start.ts', './simulators/pix-bank/server.ts')
  assert.deepEqual(
    bundled.filter((name) => !files.has(name)),
    [later],
  )
  assert.deepEqual(manyOf(files), [])
})

test('every entry that we import of a bundled package is in its bundle', () => {
  const text = globSync('{src,simulators,test,contracts}/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const entry = new RegExp(`(?:from |import\\()'((?:${bundled.join('|')})(?:/[^']+)?)'`, 'g')
  const entries = new Set([...text.join('\n').matchAll(entry)].map(([, name = '']) => name))
  assert.ok(entries.size > bundled.length, [...entries].join())
  assert.deepEqual(manyOf(loadedFiles(...entries)), [])
})

/** Without its bundle the smallest of them loads 16 files. */
function manyOf(files: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...files].filter(([name, count]) => count > (bundled.includes(name) ? 12 : 50))
}

test('no package that we import is in the bundle of another', () => {
  const { '@peculiar/asn1-schema': schema, viem } = Object.fromEntries(
    loadedFiles('@peculiar/asn1-x509', 'viem/utils'),
  )
  assert.ok(schema !== undefined && viem !== undefined)
})

test('a package that is bundled already stays as it is, however often the installer runs', () => {
  const entry = fileURLToPath(import.meta.resolve('typebox'))
  const before = readFileSync(entry, 'utf8')
  execFileSync(process.execPath, ['scripts/bundle-packages.mjs'], { cwd: root })
  assert.equal(readFileSync(entry, 'utf8'), before)
})
