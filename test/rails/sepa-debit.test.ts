// Adds SEPA Direct Debit as ARCHITECTURE describes a new method: in a copy of the tree, one table of under 30 lines, and its line in
// the list of tables. There every room that shows methods shows it, the payer's page asks for the account and
// the mandate, the request is the official client's, and the debit is PAID once the bank has answered, refunded and verified.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { isSoak } from '../counts.ts'
import { compiles, copyTree, listed, type CopiedTree } from './copied-tree.ts'

const fixtures = path.join(import.meta.dirname, 'sepa-debit', 'files')

const added: Readonly<Record<string, string>> = {
  'src/rails/acquirer/methods/sepa-debit.ts': 'table.ts.txt',
  'docs/methods/sepa-debit.md': 'page.md.txt',
  'test/debit-line.test.ts': 'line.test.ts.txt',
}

const lines = listed('src/rails/acquirer/methods/all.ts', 'const tables = [', 'sepaDebit, ', {
  name: 'sepaDebit',
  from: './sepa-debit.ts',
})

test('it is a table of under 30 lines', async () => {
  const table = await readFile(path.join(fixtures, 'table.ts.txt'), 'utf8')
  const { length } = table.trimEnd().split('\n')
  assert.ok(length < 30, `it has ${length} lines`)
})

suite('in a copy of the tree', () => {
  let tree: CopiedTree
  before(async () => {
    tree = await copyTree(fixtures, added, lines)
  })
  after(() => tree[Symbol.asyncDispose]())

  test('the payer accepts the mandate, and the debit is PAID days later, refunded and verified', () =>
    tree.run(process.execPath, '--test', 'test/debit-line.test.ts'))

  test('it is seen in API, checkout, dashboard, sandbox, explanations and documents', () =>
    tree.run(process.execPath, '--test', 'test/rails/methods.test.ts'))

  if (isSoak) test('the compiler reports nothing missing', () => compiles(tree, 'test/debit-line.test.ts'))
})
