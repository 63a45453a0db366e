// Adds a rail as ARCHITECTURE describes: in a copy of the tree, a folder, and a line for its descriptor, its module and its payer in the
// sandbox. There a payment by the new rail is PAID, refunded and verified, every room that shows methods shows it, and in the soak the
// compiler reports nothing missing.
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { isSoak } from '../counts.ts'
import { compiles, copyTree, listed, type CopiedTree } from './copied-tree.ts'

const fixtures = path.join(import.meta.dirname, 'voucher', 'files')

/** The rail's folder, its payer in the sandbox, and its page in the documents. */
const added: Readonly<Record<string, string>> = {
  'src/rails/voucher/method.ts': 'method.ts.txt',
  'src/rails/voucher/module.ts': 'rail-module.ts.txt',
  'src/rails/voucher/connections.ts': 'rail-connections.ts.txt',
  'src/rails/voucher/rail.ts': 'rail.ts.txt',
  'src/sandbox/methods/pay-voucher.ts': 'payer.ts.txt',
  'docs/methods/voucher.md': 'page.md.txt',
  'test/voucher-line.test.ts': 'line.test.ts.txt',
}

/** The lists, each with the text behind which the new line goes. */
const lines = [
  listed('src/rails/methods.ts', 'const table = [', 'voucher, ', {
    name: 'voucher',
    from: './voucher/method.ts',
  }),
  listed('src/rails/registry.ts', 'railModules: readonly RailModule[] = [', 'voucherModule, ', {
    name: 'voucherModule',
    from: './voucher/module.ts',
  }),
  listed(
    'src/sandbox/methods/all.ts',
    'SandboxMethod>> = {',
    ' VOUCHER: { createPayer: createVoucherPayer },',
    { name: 'createVoucherPayer', from: './pay-voucher.ts' },
  ),
].flat()

suite('in a copy of the tree', () => {
  let tree: CopiedTree
  before(async () => {
    tree = await copyTree(fixtures, added, lines)
  })
  after(() => tree[Symbol.asyncDispose]())

  test('a payment by the new rail is PAID, refunded and verified', () =>
    tree.run(process.execPath, '--test', 'test/voucher-line.test.ts'))

  test('it is seen in API, checkout, dashboard, sandbox, explanations and documents', () =>
    tree.run(process.execPath, '--test', 'test/rails/methods.test.ts'))

  if (isSoak) test('the compiler reports nothing missing', () => compiles(tree, 'test/voucher-line.test.ts'))
})
