// Adds a rail as ARCHITECTURE describes: in a copy of the tree, a folder, and a line in each list that ARCHITECTURE names. There a payment
// by the new rail is PAID, refunded and verified, and in the soak the compiler reports nothing missing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { isSoak } from '../counts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const fixtures = path.join(import.meta.dirname, 'voucher', 'files')

/** The rail's own files: its folder, and one file where each room keeps one for each method. */
const added: Readonly<Record<string, string>> = {
  'src/rails/voucher/module.ts': 'rail-module.ts.txt',
  'src/rails/voucher/connections.ts': 'rail-connections.ts.txt',
  'src/rails/voucher/rail.ts': 'rail.ts.txt',
  'src/checkout/methods/voucher.ts': 'checkout.ts.txt',
  'web/checkout/panels/voucher.tsx': 'panel.tsx.txt',
  'src/audit/rails/voucher.ts': 'audit.ts.txt',
  'src/sandbox/methods/pay-voucher.ts': 'payer.ts.txt',
  'test/voucher-line.test.ts': 'line.test.ts.txt',
}

/** The lists, each with the text behind which the new line goes. */
const lines: readonly { readonly file: string; readonly behind: string; readonly line: string }[] = [
  { file: 'src/rails/words.ts', behind: 'export const methods = [', line: "'VOUCHER'," },
  listed('src/rails/registry.ts', 'railModules: readonly RailModule[] = [', 'voucherModule, ', {
    name: 'voucherModule',
    from: './voucher/module.ts',
  }),
  listed('src/checkout/methods/all.ts', 'export const checkoutMethods = {', ' VOUCHER: voucher,', {
    name: 'voucher',
    from: './voucher.ts',
  }),
  {
    file: 'src/checkout/methods/panels.ts',
    behind: 'export type Panels = {',
    line: " VOUCHER: { readonly method: 'VOUCHER' }",
  },
  listed('web/checkout/panels/all.ts', 'const views: MethodViews = {', ' VOUCHER: voucherView,', {
    name: 'voucherView',
    from: './voucher.tsx',
  }),
  listed(
    'src/sandbox/methods/all.ts',
    'SandboxMethod>> = {',
    ' VOUCHER: { createPayer: createVoucherPayer },',
    {
      name: 'createVoucherPayer',
      from: './pay-voucher.ts',
    },
  ),
  listed(
    'src/sandbox/methods/repertoires.ts',
    'export const repertoires = {',
    ' VOUCHER: voucherRepertoire,',
    {
      name: 'voucherRepertoire',
      from: './pay-voucher.ts',
    },
  ),
  {
    file: 'src/dashboard/preview/means.ts',
    behind: 'exampleMethods: Readonly<Record<Method, ExampleMethod>> = {',
    line: " VOUCHER: { currencies: ['BRL'], means: () => ({ fields: {} }) },",
  },
  listed('src/audit/rails/all.ts', 'export const railAudits = {', ' VOUCHER: voucherAudit,', {
    name: 'voucherAudit',
    from: './voucher.ts',
  }),
  ...['en', 'es', 'pt-br'].map((language) => ({
    file: `src/explain/words/${language}.ts`,
    behind: 'const names: Readonly<Record<Method, { readonly who: string; readonly by: string }>> = {',
    line: " VOUCHER: { who: 'The kiosk', by: 'voucher' },",
  })),
].flat()

/** A line of a list, with the import of the name in it. */
function listed(
  file: string,
  behind: string,
  line: string,
  { name, from }: { readonly name: string; readonly from: string },
) {
  return [
    { file, behind, line },
    { file, behind: '', line: `import { ${name} } from '${from}'\n` },
  ]
}

suite('in a copy of the tree', () => {
  let tree = ''

  before(async () => {
    tree = await mkdtemp(path.join(tmpdir(), 'vintem-voucher-tree-'))
    for (const name of ['src', 'web', 'test', 'simulators', 'scripts', 'contracts', 'migrations'])
      await cp(path.join(root, name), path.join(tree, name), { recursive: true })
    for (const name of ['package.json', 'tsconfig.json', 'openapi.json'])
      await cp(path.join(root, name), path.join(tree, name))
    await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
    for (const [file, fixture] of Object.entries(added)) {
      await mkdir(path.dirname(path.join(tree, file)), { recursive: true })
      await cp(path.join(fixtures, fixture), path.join(tree, file))
    }
    for (const { file, behind, line } of lines) {
      const place = path.join(tree, file)
      const text = await readFile(place, 'utf8')
      assert.ok(behind === '' || text.split(behind).length === 2, `${file} has ${behind} once`)
      await writeFile(place, behind === '' ? line + text : text.replace(behind, () => `${behind}${line}`))
    }
  })

  after(() => rm(tree, { recursive: true, force: true, maxRetries: 5 }))

  async function run(program: string, ...args: readonly string[]): Promise<void> {
    // The runner of this test would mistake the other one's report for its own.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = spawn(program, args, { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => (printed += part.toString('utf8')))
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 0, printed.slice(-6_000))
  }

  test('a payment by the new rail is PAID, refunded and verified', () =>
    run(process.execPath, '--test', 'test/voucher-line.test.ts'))

  if (isSoak)
    test('the compiler reports nothing missing', async () => {
      const tsc = path.join(root, 'node_modules/.bin/tsc')
      const sources = { extends: './tsconfig.json', include: ['src', 'test/voucher-line.test.ts'] }
      await writeFile(path.join(tree, 'tsconfig.sources.json'), JSON.stringify(sources))
      await run(process.execPath, tsc, '--noEmit', '-p', 'tsconfig.sources.json')
      await run(process.execPath, tsc, '--noEmit', '-p', 'web/checkout')
    })
})
