import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meantBy } from './did-you-mean.ts'

const fields = ['amount', 'currency', 'paymentMethods', 'customerName', 'customerEmail', 'returnUrl']

test('a spelling mistake has one meaning, and what is no spelling mistake has none', () => {
  for (const [given, meant] of [
    ['payment_methods', 'paymentMethods'],
    ['PaymentMethod', 'paymentMethods'],
    ['Amount', 'amount'],
    ['ammount', 'amount'],
    ['curency', 'currency'],
    ['customername', 'customerName'],
    ['returnURL', 'returnUrl'],
    ['price', undefined],
    ['customer', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ] as const)
    assert.equal(meantBy(given, fields), meant, given.slice(0, 20))
  assert.equal(meantBy('brl', ['BRL', 'EUR', 'USDT']), 'BRL')
  assert.equal(meantBy('BR', ['BRL', 'BRE']), undefined)
})
