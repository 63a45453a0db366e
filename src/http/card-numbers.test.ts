// Which texts in a body count as card numbers, and which do not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#/kernel/error.ts'
import { newId } from '#/kernel/id.ts'
import { refuseCardNumbers } from './card-numbers.ts'

/** Numbers that the networks and providers publish for tests. */
const [visa, mastercard, amex] = ['4242424242424242', '5555 5555 5555 4444', '3782-822463-10005']

const check = (body: unknown, text = JSON.stringify(body)) => refuseCardNumbers(text, body)

for (const { what, body, pointer } of [
  { what: 'in a field', body: { customerName: visa }, pointer: '/customerName' },
  { what: 'among words', body: { description: `card ${mastercard} please` }, pointer: '/description' },
  { what: 'deep in metadata', body: { metadata: { a: [{ b: amex }] } }, pointer: '/metadata/a/0/b' },
  {
    what: 'in one withdrawal of a batch',
    body: { withdrawals: [{ amount: 1 }, { beneficiary: visa }] },
    pointer: '/withdrawals/1/beneficiary',
  },
  { what: 'in a list', body: { emails: ['a@example.com', visa] }, pointer: '/emails/1' },
  { what: 'as a number', body: { metadata: { pan: Number(visa) } }, pointer: '/metadata/pan' },
  { what: 'as a name', body: { [visa]: true }, pointer: '' },
  { what: 'as a grouped name', body: { metadata: { [mastercard]: true } }, pointer: '/metadata' },
  { what: 'as an idempotency key', body: { idempotencyKey: amex }, pointer: '/idempotencyKey' },
  {
    what: 'in full-width digits',
    body: { description: '４２４２４２４２４２４２４２４２' },
    pointer: '/description',
  },
]) {
  test(`a card number ${what} is refused with its place, and is not repeated`, () => {
    assert.throws(
      () => check(body),
      (error: unknown) =>
        error instanceof AppError &&
        error.code === 'invalid_request' &&
        error.faults[0]?.code === 'card_number' &&
        error.faults[0].pointer === pointer &&
        !JSON.stringify([error.message, error.faults]).includes('4242'),
    )
  })
}

test('a card number written in escapes is found too', () => {
  const text = '{"customerName":"\\u0034242424242424242"}'
  assert.throws(() => refuseCardNumbers(text, JSON.parse(text)))
})

for (const { what, body } of [
  { what: 'an amount', body: { amount: 4_242_424_242_424_242 } },
  {
    what: 'an id of ours',
    body: { walletId: newId(), metadata: { id: '42424242-4242-4242-8242-424242424242' } },
  },
  { what: 'a hash', body: { txHash: `0x${'4242424242424242'.repeat(4)}` } },
  { what: 'an address on a chain', body: { cryptoAddress: '0x4242424242424242424242424242424242424242' } },
  // Passes the Luhn check and has a valid prefix of card numbers.
  { what: 'a CNPJ', body: { customerTaxId: '60700022000196', metadata: { cnpj: '60.700.022/0001-96' } } },
  {
    what: 'an order number of bare digits',
    body: { idempotencyKey: visa, metadata: { order: visa, [visa]: [Number(visa)] } },
  },
  {
    what: 'the same in each withdrawal of a batch',
    body: {
      withdrawals: [{ idempotencyKey: visa, metadata: { order: visa }, amount: 4_242_424_242_424_242 }],
    },
  },
  {
    what: 'text beside the word card',
    body: { metadata: { discount: visa, card: { brand: 'visa', last4: '4242' } } },
  },
  { what: 'an instant', body: { metadata: { at: 1_790_000_000_000, iso: '2026-11-21T02:03:04.567Z' } } },
  { what: 'a phone number', body: { pixKey: '+5511987654321' } },
  { what: 'a number whose check digit is wrong', body: { metadata: { order: '4242424242424243' } } },
])
  test(`${what} is not a card number`, () => assert.doesNotThrow(() => check(body)))

test('a field may have the name of a property that every object has', () => {
  for (const name of ['valueOf', 'constructor', '__proto__', 'toString']) {
    const text = `{${JSON.stringify(name)}:[{"":"\\\\ 1234567890123"}]}`
    assert.doesNotThrow(() => refuseCardNumbers(text, JSON.parse(text)), name)
  }
})
