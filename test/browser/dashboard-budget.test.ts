// The limits of the dashboard: the script that a first view needs, and what the built files may hold.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildDashboardIfStale, type DashboardManifest } from '../../web/build-dashboard.ts'

const root = join(import.meta.dirname, '..', '..')
const built = join(root, 'web', 'dist-dashboard')

const budget = { scriptBytes: 160 * 1024, styleBytes: 16 * 1024 }

async function loadBuilt(): Promise<DashboardManifest> {
  await buildDashboardIfStale(root)
  return JSON.parse(await readFile(join(built, 'manifest.json'), 'utf8')) as DashboardManifest
}

/** The file and all that it imports at once. What is imported later, when it is used, has another form. */
async function withImports(file: string, found: Set<string>): Promise<Set<string>> {
  if (found.has(file)) return found
  found.add(file)
  const text = await readFile(join(built, file), 'utf8')
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g))
    await withImports(`assets/${name}`, found)
  return found
}

async function gzippedBytes(files: Iterable<string>): Promise<number> {
  let sum = 0
  for (const file of files) sum += (await readFile(join(built, `${file}.gz`))).length
  return sum
}

/** The page's own script, and the chunk whose source exports this component. */
async function scriptsOf(manifest: DashboardManifest, ...sources: readonly string[]): Promise<Set<string>> {
  const entry = /<script[^>]* src="\/([^"]+)"/.exec(manifest.html)?.[1]
  assert.ok(entry !== undefined, 'the page has no script')
  const found = await withImports(entry, new Set())
  for (const source of sources) {
    const chunk = manifest.chunks[source]
    assert.ok(chunk !== undefined, `${source} is no chunk of its own`)
    await withImports(chunk, found)
  }
  return found
}

const views = {
  'the sign-in': ['screens/sign-in/sign-in.tsx'],
  'the overview': [
    'shell/shell.tsx',
    'shell/merchant-frame.tsx',
    'screens/overview/overview.tsx',
    'screens/overview/currencies.tsx',
  ],
} as const

for (const [name, sources] of Object.entries(views)) {
  test(`the script of ${name} fits its budget, gzipped`, async (t) => {
    const manifest = await loadBuilt()
    const bytes = await gzippedBytes(await scriptsOf(manifest, ...sources))
    t.diagnostic(`${bytes} bytes`)
    assert.ok(bytes > 50_000 && bytes <= budget.scriptBytes, `${bytes} bytes`)
  })
}

test('the style fits its budget, gzipped', async (t) => {
  const { files } = await loadBuilt()
  const bytes = await gzippedBytes(files.filter((file) => file.endsWith('.css')))
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes > 1_000 && bytes <= budget.styleBytes)
})

test('overlays and tables are not in a first view', async () => {
  const manifest = await loadBuilt()
  const first = await scriptsOf(manifest, ...views['the overview'])
  for (const source of [
    'kit/menu-parts.tsx',
    'kit/dialog-parts.tsx',
    'shell/palette.tsx',
    'screens/payments/list.tsx',
  ]) {
    const chunk = manifest.chunks[source]
    assert.ok(chunk !== undefined && !first.has(chunk), source)
  }
})

test('every built file is there, also compressed, and the page has no script or style of its own', async () => {
  const { html, files } = await loadBuilt()
  assert.doesNotMatch(html, /<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/)
  for (const [, path = ''] of html.matchAll(/(?:src|href)="\/([^"]+)"/g))
    assert.ok(files.includes(path), path)
  for (const file of files) {
    const body = await readFile(join(built, file))
    assert.deepEqual(gunzipSync(await readFile(join(built, `${file}.gz`))), body)
    assert.deepEqual(brotliDecompressSync(await readFile(join(built, `${file}.br`))), body)
  }
})
