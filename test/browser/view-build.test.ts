import assert from 'node:assert/strict'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildWebIfStale, checkoutSources, type WebManifest } from '../../web/build.ts'

const repository = join(import.meta.dirname, '..', '..')

/** Copies the sources of the bundles, so that this build does not disturb other tests. */
async function copySources(): Promise<AsyncDisposable & { readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'vintem-web-'))
  const isSource = (path: string) => !/[/\\]dist(?:-[^/\\]*)?$/.test(path)
  await cp(join(repository, 'web'), join(root, 'web'), { recursive: true, filter: isSource })
  const sources = checkoutSources.filter((file) => file.startsWith('src/'))
  for (const file of ['package.json', 'tsconfig.json', ...sources])
    await cp(join(repository, file), join(root, file))
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

async function manifestOf(root: string): Promise<WebManifest> {
  return JSON.parse(await readFile(join(root, 'web/dist/manifest.json'), 'utf8')) as WebManifest
}

test('several builds at once leave one complete bundle and nothing else, rebuilt only after a change', async () => {
  await using copy = await copySources()
  const { root } = copy
  await Promise.all([buildWebIfStale(root), buildWebIfStale(root), buildWebIfStale(root)])
  assert.deepEqual((await readdir(join(root, 'web'))).toSorted(), [
    'build-dashboard.ts',
    'build-docs.ts',
    'build.ts',
    'checkout',
    'dashboard',
    'dist',
    'docs',
    'live',
    'stale-build.ts',
    'tsconfig.json',
  ])
  const before = await manifestOf(root)
  assert.deepEqual(
    (await readdir(join(root, 'web/dist/client'))).toSorted(),
    [before.script, before.style].flatMap((name) => [name, `${name}.br`, `${name}.gz`]).toSorted(),
  )
  const { mtimeMs } = await stat(join(root, 'web/dist/manifest.json'))

  await buildWebIfStale(root)
  assert.equal((await stat(join(root, 'web/dist/manifest.json'))).mtimeMs, mtimeMs)

  await appendFile(join(root, 'web/checkout/styles/tokens.css'), '\n.changed { color: red }\n')
  await Promise.all([buildWebIfStale(root), buildWebIfStale(root)])
  const after = await manifestOf(root)
  assert.equal(after.script, before.script)
  assert.notEqual(after.style, before.style, 'a changed file has another name')
})
