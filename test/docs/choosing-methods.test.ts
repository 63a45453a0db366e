// The advice on methods follows what the program knows of them: whose they are, what they ask of the payer, and which give money back.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { descriptors } from '#/rails/methods.ts'
import { root } from './page.ts'

const page = readFileSync(join(root, 'docs/choosing-methods.md'), 'utf8')

const countries: Readonly<Record<string, string>> = {
  BR: 'Brazil',
  PT: 'Portugal',
  NL: 'the Netherlands',
  BE: 'Belgium',
  ES: 'Spain',
}

/** The names of methods, as the page writes them. */
const names: Readonly<Record<string, string>> = {
  'pix.md': 'PIX',
  'boleto.md': 'boleto',
  'card.md': 'card',
  'sepa-transfer.md': 'SEPA transfer',
  'multibanco.md': 'Multibanco',
  'mb-way.md': 'MB WAY',
  'ideal.md': 'iDEAL',
  'bancontact.md': 'Bancontact',
  'bizum.md': 'Bizum',
  'usdt.md': 'USDT',
  'partner-wallet.md': 'partner wallet',
}

test('every method is offered in a row of its country', () => {
  for (const { docs, countries: own = [] } of descriptors) {
    assert.ok(names[docs] !== undefined, `${docs} has no name in this test`)
    const rows = page.split('\n').filter((line) => line.startsWith('|') && line.includes(`methods/${docs}`))
    assert.ok(rows.length > 0, docs)
    for (const code of own)
      assert.ok(
        rows.some((row) => row.startsWith(`| ${countries[code]}`)),
        `${docs} in ${code}`,
      )
  }
})

test('the row of methods that ask the payer for nothing has exactly those', () => {
  const [, listed = ''] = /^\| to ask the payer for nothing \| (.+) \|$/m.exec(page) ?? []
  const asking = descriptors
    .filter(({ needs = [] }) => needs.length === 0)
    .map(({ docs }) => names[docs] ?? docs)
  assert.deepEqual(listed.split(', ').toSorted(), asking.toSorted())
})

test('the methods without refunds are those that the page names', () => {
  const without = descriptors.filter(({ refunds }) => refunds === 'NONE').map(({ docs }) => names[docs])
  assert.deepEqual(without, ['boleto'])
  assert.match(page, /\| also \[boleto\].*has no refunds/)
  assert.match(page, /\| refunds without asking the payer for anything \| all but USDT .* and boleto/)
})
