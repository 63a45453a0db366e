// Adds SEPA Direct Debit as ARCHITECTURE describes a new method: in a copy of the tree, one table of under 30 lines, and a line in each
// list. There the payer's page asks for the account and the mandate, the request is the official client's, and the debit is PAID once
// the bank has answered, refunded and verified.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'
import { isSoak } from '../counts.ts'
import { compiles, copyTree, listed, type AddedLine, type CopiedTree } from './copied-tree.ts'

const fixtures = path.join(import.meta.dirname, 'sepa-debit', 'files')

const added: Readonly<Record<string, string>> = {
  'src/rails/acquirer/methods/sepa-debit.ts': 'table.ts.txt',
  'test/debit-line.test.ts': 'line.test.ts.txt',
}

/** Label and hint of the method: all other texts are those of every debit. */
const words = `
  SEPA_DEBIT: {
    label: 'SEPA Direct Debit',
    hint: 'From your bank account, confirmed within days.',
    headline: '',
    message: '',
    labels: {},
  },`

const lines: readonly AddedLine[] = [
  { file: 'src/contract/words.ts', behind: 'export const methods = [', line: "'SEPA_DEBIT'," },
  listed('src/rails/acquirer/methods/all.ts', 'localMethods: readonly LocalMethod[] = [', 'sepaDebit, ', {
    name: 'sepaDebit',
    from: './sepa-debit.ts',
  }),
  ...['const en = {', 'const ptBr: Words = {', 'const es: Words = {'].map((behind) => ({
    file: 'src/checkout/methods/local-words.ts',
    behind,
    line: words,
  })),
  {
    file: 'src/checkout/methods/panels.ts',
    behind: 'export type Panels = {',
    line: " SEPA_DEBIT: Local<'SEPA_DEBIT'>",
  },
  {
    file: 'src/checkout/methods/panels.ts',
    behind: 'export type LocalName = ',
    line: "'SEPA_DEBIT' | ",
  },
  {
    file: 'src/checkout/methods/local.ts',
    behind: "export const boleto = local('BOLETO', 'boleto')",
    line: "\nexport const sepaDebit = local('SEPA_DEBIT', 'bank')",
  },
  listed('src/checkout/methods/all.ts', 'export const checkoutMethods = {', ' SEPA_DEBIT: sepaDebit,', {
    name: 'sepaDebit',
    from: './local.ts',
  }),
  {
    file: 'web/checkout/panels/all.ts',
    behind: 'const views: MethodViews = {',
    line: ' SEPA_DEBIT: localView,',
  },
  {
    file: 'src/sandbox/methods/all.ts',
    behind: 'SandboxMethod>> = {',
    line: " SEPA_DEBIT: localPayer('SEPA_DEBIT'),",
  },
  {
    file: 'src/sandbox/methods/repertoires.ts',
    behind: 'export const repertoires = {',
    line: ' SEPA_DEBIT: paperRepertoire,',
  },
  {
    file: 'src/dashboard/preview/means.ts',
    behind: 'exampleMethods: Readonly<Record<Method, ExampleMethod>> = {',
    line: " SEPA_DEBIT: { currencies: ['EUR'], means: () => ({ fields: {}, presentation: { kind: 'DEBIT', ibanEnd: '0154' } }) },",
  },
  {
    file: 'src/audit/rails/all.ts',
    behind: 'export const railAudits = {',
    line: ' SEPA_DEBIT: localAudit,',
  },
  {
    file: 'src/explain/say.ts',
    behind: 'const names: Readonly<Record<Method, { readonly who: Texts; readonly by: Texts }>> = {',
    line: " SEPA_DEBIT: { who: ['O adquirente', 'The acquirer', 'El adquirente'], by: ['Débito SEPA', 'SEPA Direct Debit', 'Débito SEPA'] },",
  },
].flat()

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

  if (isSoak) test('the compiler reports nothing missing', () => compiles(tree, 'test/debit-line.test.ts'))
})
