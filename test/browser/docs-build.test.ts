// The build of the documentation site: several at once, sources that changed, links that lead nowhere, and an installation without Vite.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { buildDocsIfStale, isDocsStale, type DocsManifest } from '../../web/build-docs.ts'

const repository = join(import.meta.dirname, '..', '..')

/** A few pages instead of all, so that the builds are short and disturb no other test. */
async function copySources(): Promise<AsyncDisposable & { readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'vintem-docs-'))
  const isSource = (path: string) => !/[/\\]dist(?:-[^/\\]*)?$/.test(path)
  await cp(join(repository, 'web'), join(root, 'web'), { recursive: true, filter: isSource })
  for (const file of [
    'package.json',
    'tsconfig.json',
    'SECURITY.md',
    'GLOSSARY.md',
    'CHANGELOG.md',
    'sdk/typescript/README.md',
    'sdk/python/README.md',
    'examples/shop/README.md',
    'examples/shop-python/README.md',
    'src/checkout/compression.ts',
    'src/reference/links.ts',
    'src/reference/sections.ts',
  ])
    await cp(join(repository, file), join(root, file))
  for (const file of [
    'SECURITY.md',
    'GLOSSARY.md',
    'CHANGELOG.md',
    'sdk/typescript/README.md',
    'sdk/python/README.md',
    'examples/shop/README.md',
    'examples/shop-python/README.md',
  ])
    await writeFile(join(root, file), `# ${file}\n`)
  await mkdir(join(root, 'decisions'))
  await mkdir(join(root, 'docs'))
  await writeFile(
    join(root, 'docs/README.md'),
    '# Documents\n\n## Begin\n\n- [Start](start.md): a beginning.\n',
  )
  await writeFile(
    join(root, 'docs/start.md'),
    '# Start\n\n## First steps\n\nSee [them](#first-steps) and [a source](../src/main.ts).\n',
  )
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

test('several builds at once leave one complete site and nothing else, made again only after a change', async () => {
  await using copy = await copySources()
  const { root } = copy
  await Promise.all([buildDocsIfStale(root), buildDocsIfStale(root)])
  assert.deepEqual(
    (await readdir(join(root, 'web'))).filter((name) => name.startsWith('dist')),
    ['dist-docs'],
  )
  const manifest = join(root, 'web/dist-docs/manifest.json')
  const { files } = JSON.parse(await readFile(manifest, 'utf8')) as DocsManifest
  for (const name of ['index.html', 'start.html', '404.html', 'search.json'])
    assert.ok(files.includes(name), name)
  for (const name of files)
    for (const suffix of ['.br', '.gz']) await stat(join(root, 'web/dist-docs/site', `${name}${suffix}`))
  const { mtimeMs } = await stat(manifest)
  await buildDocsIfStale(root)
  assert.equal((await stat(manifest)).mtimeMs, mtimeMs)
  assert.equal(await isDocsStale(root), false)

  await appendFile(join(root, 'docs/start.md'), '\nMore.\n')
  assert.equal(await isDocsStale(root), true)
  // What is there stays until a build has succeeded.
  await appendFile(join(root, 'docs/start.md'), '\n[Gone](README.md#no-such-part)\n')
  await assert.rejects(buildDocsIfStale(root), /lead nowhere:\nstart\.html: \/docs\/#no-such-part$/)
  await appendFile(join(root, 'docs/start.md'), '\n[Gone](gone.md)\n')
  await assert.rejects(buildDocsIfStale(root), /^Error: docs\/start\.md: there is no gone\.md$/)
  assert.equal((await stat(manifest)).mtimeMs, mtimeMs)
  assert.deepEqual(
    (await readdir(join(root, 'web'))).filter((name) => name.startsWith('dist')),
    ['dist-docs'],
  )
})

test('an installation for production serves a site that was built elsewhere, and says what it lacks to build one', async () => {
  await using copy = await copySources()
  const { root } = copy
  await buildDocsIfStale(root)
  // As npm install --omit=dev: none of the packages for developers.
  await rm(join(root, 'node_modules'))
  await mkdir(join(root, 'node_modules'))
  const ask = async () => {
    const script = `import { buildDocsIfStale, isDocsStale } from './web/build-docs.ts'
const wasStale = await isDocsStale(process.cwd())
const fault = await buildDocsIfStale(process.cwd()).then(() => '', (error) => error.name)
console.log(JSON.stringify([wasStale, fault]))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
    })
    return JSON.parse(stdout) as unknown
  }
  assert.deepEqual(await ask(), [false, ''])
  await appendFile(join(root, 'docs/start.md'), '\nMore.\n')
  assert.deepEqual(await ask(), [true, 'NoBuilder'])
})
