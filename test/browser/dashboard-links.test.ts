// Every link within the dashboard leads to a screen: its address, read from the source, fits a line of the table of screens.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { merchantPaths, operatorPaths } from './dashboard-screens.ts'

const folder = join(import.meta.dirname, '../../web/dashboard')

/** Pages that are values. Where the values stand in the source they are read below; the last is looked up in the table itself. */
const values = new Set([
  '${path}',
  '${page.path}',
  '${place}',
  '${statement}',
  '${to}',
  'developers/${path}',
  // Of calls.
  'templates/${slug}/draft',
  '${recordPlaces[kind]}/${recordId}',
  '${kind}/${record}',
])
/** Files that make their addresses of the table. */
const ofTable = new Set(['screens.ts', 'routes.tsx', 'shell/nav-links.tsx', 'shell/console-entries.ts'])

const sources = globSync('**/*.{ts,tsx}', { cwd: folder })
  .filter((name) => !ofTable.has(name) && !name.startsWith('words/'))
  .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

/** Each text of the pattern's group, with its file. */
function found(pattern: RegExp): readonly (readonly [string, string])[] {
  return sources.flatMap(([name, text]) =>
    [...text.matchAll(pattern)].map(([, address = '']) => [name, address] as const),
  )
}

/** Whether the address, behind the place where the paths begin, is that of a screen. Each `${…}` is one value. */
function isScreen(address: string, paths: readonly string[]): boolean {
  const given = address.split('?')[0]?.replaceAll(/\$\{[^}]*\}/g, 'value') ?? ''
  return paths.some((path) =>
    new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+').replaceAll('.', String.raw`\.`)}$`).test(given),
  )
}

// What stands behind a bracket or a method is the address of a call.
test('every address of a link is that of a screen', () => {
  const links = found(/(?<!\(\s*|'[A-Z]+', )`\/m\/\$\{[\w.]+\}(?:\/([^`]*))?`/g).filter(
    ([, address]) => !values.has(address),
  )
  assert.ok(links.length >= 50, `${links.length} links`)
  for (const [name, address] of links) assert.ok(isScreen(address, merchantPaths), `${name}: ${address}`)
  const operators = found(/['"`]\/operator\/([^'"`]+)['"`]/g).filter(([name]) => !name.startsWith('api/'))
  assert.ok(operators.length >= 10, `${operators.length} links`)
  for (const [name, address] of operators)
    assert.ok(isScreen(address, operatorPaths), `${name}: operator/${address}`)
})

test('every page that a frame, the overview, a statement or a report names is a screen', () => {
  const named = [
    ...found(/\bto: '([a-z][^']*)'/g),
    ...found(/\bpath: '([a-z][^']*)'/g).filter(([name]) => name.endsWith('/frame.tsx')),
    ...found(/\bstatement=\{`([^`]*)`\}/g),
    ...found(/ \? `((?:withdrawals|payments)\/[^`]*)` : undefined/g),
    ...found(/^  [A-Z_]+: '([a-z/-]+)',$/gm)
      .filter(([name]) => name === 'api/find.ts')
      .map(([name, path]) => [name, `${path}/value`] as const),
    ...found(/return `((?:refunds|disputes)\/[^`]*)`/g),
  ].map(
    ([name, path]) => [name, name.startsWith('screens/developers/') ? `developers/${path}` : path] as const,
  )
  const developers = found(/\bpathOf\(['`]([^'`]+)['`]\)/g).map(
    ([name, path]) => [name, `developers/${path}`] as const,
  )
  assert.ok(named.length >= 15 && developers.length >= 15, `${named.length}, ${developers.length} pages`)
  for (const [name, path] of [...named, ...developers])
    assert.ok(isScreen(path, merchantPaths), `${name}: ${path}`)
})

test('every entry of the console’s menu, and every place that a screen has moved to, is a screen', () => {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const entries = [...read('shell/console-entries.ts').matchAll(/\[\s*'([^']*)',\s*'\w+',\s*\[/g)]
  assert.equal(entries.length, operatorPaths.filter((path) => !/\$|\/new$/.test(path)).length)
  for (const [, path = ''] of entries) assert.ok(operatorPaths.includes(path), path)
  const moved = [...read('screens.ts').matchAll(/^ {2}'(developers\/[^']*)': '([^']*)',$/gm)]
  assert.ok(moved.length >= 8, `${moved.length} moved`)
  for (const [, old = '', present = ''] of moved) {
    assert.ok(!merchantPaths.includes(old), old)
    assert.ok(merchantPaths.includes(present), present)
  }
})
