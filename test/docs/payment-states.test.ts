// The states of a payment, in the diagram and in its table, are those of the code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { paymentStates } from '#/payments/payment.ts'
import { root } from './page.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const ways = Object.entries(paymentStates).flatMap(([from, table]) =>
  [...new Set(Object.values(table))].map((to) => `${from}>${to}`),
)

test('the diagram has an arrow for each way from one status to another, and no other arrow', () => {
  const drawn = [...read('docs/screens/payment-states.svg').matchAll(/data-ways="([^"]+)"/g)].flatMap(
    ([, names = '']) => names.replaceAll('&gt;', '>').split(' '),
  )
  assert.deepEqual(drawn.toSorted(), ways.toSorted())
})

test('the table says of each status what can come after it', () => {
  const statuses = Object.keys(paymentStates)
  const told = statuses.flatMap((from) => {
    const row = read('docs/integrating.md').match(new RegExp(`^\\| ${from} \\|.*$`, 'm'))?.[0] ?? ''
    const [, , , , then = ''] = row.split('|')
    const [next = ''] = then.replace(/nothing: .*/, '').split('(`')
    const rest = then.slice(next.length).replaceAll(/`[^`]*`/g, '')
    return statuses
      .filter((to) => to !== from && new RegExp(`\\b${to}\\b`).test(next + rest))
      .map((to) => `${from}>${to}`)
  })
  assert.deepEqual(told.toSorted(), ways.toSorted())
})
