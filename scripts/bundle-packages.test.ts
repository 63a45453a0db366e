// What a process loads when it starts: the packages are bundled, and each exists once.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

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

test('the server and the simulators load no package of many files', () => {
  const files = loadedFiles('./src/cli/start.ts', './simulators/pix-bank/server.ts')
  for (const name of ['@peculiar/asn1-x509', 'typebox', 'undici', 'viem'])
    assert.ok(files.has(name), `${name} is loaded`)
  const many = [...files].filter(([, count]) => count > 50)
  assert.deepEqual(many, [])
})

test('no package that we import is in the bundle of another', () => {
  const { '@peculiar/asn1-schema': schema, viem } = Object.fromEntries(
    loadedFiles('@peculiar/asn1-x509', 'viem/utils'),
  )
  assert.ok(schema !== undefined && viem !== undefined)
})
