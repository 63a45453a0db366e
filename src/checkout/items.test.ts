import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locale } from '#/kernel/language.ts'
import type { PaymentItem } from '#/payments/payment.ts'
import { plain, stateOf } from '../../test/payer-page.ts'

const items: readonly PaymentItem[] = [
  { name: 'Café <b>em grãos</b>', quantity: 2, amount: 600 },
  { name: 'Desconto', quantity: 1, amount: -200 },
  { name: 'Brinde', quantity: 1_500, amount: 0 },
]

const linesIn = (locale: Locale, currency: 'BRL' | 'EUR' | 'USDT') =>
  stateOf({ request: { amount: 1_000, items }, currency }, { locale }).items?.lines.map(
    ({ name, each, total }) => [name, each && plain(each), plain(total)],
  )

test('each item is a line in the reader’s language: its name, quantity and price where there are several, and the total', () => {
  assert.deepEqual(linesIn('pt-BR', 'BRL'), [
    ['Café <b>em grãos</b>', '2 × R$ 6,00', 'R$ 12,00'],
    ['Desconto', undefined, '−R$ 2,00'],
    ['Brinde', '1.500 × R$ 0,00', 'R$ 0,00'],
  ])
  assert.deepEqual(linesIn('en', 'EUR')?.[0], ['Café <b>em grãos</b>', '2 × €6.00', '€12.00'])
  assert.deepEqual(linesIn('es', 'USDT')?.[0], ['Café <b>em grãos</b>', '2 × 6,00 USDT', '12,00 USDT'])
})

test('totals are exact beyond what a float holds', () => {
  const large = [{ name: 'x', quantity: 999_999, amount: 999_999_999_999 }]
  const { items: shown } = stateOf({ request: { amount: 1, items: large }, currency: 'BRL' })
  assert.equal(plain(shown?.lines[0]?.total ?? ''), 'R$ 9.999.989.999.990.000,01')
})

test('up to four lines are open, more are folded behind their number; a payment without items has none', () => {
  const many = (length: number) => Array.from({ length }, () => ({ name: 'x', quantity: 1, amount: 1 }))
  const shown = (length: number) => stateOf({ request: { amount: length, items: many(length) } }).items
  assert.deepEqual([shown(4)?.isFolded, shown(4)?.label], [false, 'Itens'])
  assert.deepEqual([shown(5)?.isFolded, shown(5)?.label], [true, '5 itens'])
  assert.equal(shown(100)?.lines.length, 100)
  assert.ok(!('items' in stateOf()))
})
