// Adds a rail as ARCHITECTURE describes: in a copy of the tree, a folder, and a line in each list that ARCHITECTURE names. There a payment
// by the new rail is PAID, refunded and verified, and in the soak the compiler reports nothing missing.
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { isSoak } from '../counts.ts'
import { compiles, copyTree, listed, type AddedLine, type CopiedTree } from './copied-tree.ts'

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
const lines: readonly AddedLine[] = [
  { file: 'src/contract/words.ts', behind: 'export const methods = [', line: "'VOUCHER'," },
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
  {
    file: 'src/explain/say.ts',
    behind: 'const names: Readonly<Record<Method, { readonly who: Texts; readonly by: Texts }>> = {',
    line: " VOUCHER: { who: ['O quiosque', 'The kiosk', 'El quiosco'], by: ['vale', 'voucher', 'vale'] },",
  },
].flat()

suite('in a copy of the tree', () => {
  let tree: CopiedTree
  before(async () => {
    tree = await copyTree(fixtures, added, lines)
  })
  after(() => tree[Symbol.asyncDispose]())

  test('a payment by the new rail is PAID, refunded and verified', () =>
    tree.run(process.execPath, '--test', 'test/voucher-line.test.ts'))

  if (isSoak) test('the compiler reports nothing missing', () => compiles(tree, 'test/voucher-line.test.ts'))
})
