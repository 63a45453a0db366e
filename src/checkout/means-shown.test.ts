// The names that payers know: of networks, receivers, cards, wallets; and what the page asks and offers by default.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textIn } from '#/kernel/dictionary.ts'
import type { Method } from '#/rails/method.ts'
import { descriptorOf } from '#/rails/methods.ts'
import { buildBrCode } from '#/rails/pix/br-code.ts'
import { forbidden } from '../../test/forbidden.ts'
import { coin, frame, plain, stateOf, template, toAddress } from '../../test/payer-page.ts'
import type { Means } from './means.ts'
import { sentences } from './sentences.ts'

const checkout = {
  status: 'PENDING',
  // Instead of the method of the usual payment.
  method: forbidden<Method>(undefined),
  methods: ['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY'],
  request: { amount: 1_000, checkout: 'default' },
} as const

test('a network has the name that exchanges use, in the panel and in the sentence', () => {
  const { panel, message } = stateOf()
  assert.ok(panel?.method === 'CRYPTO')
  assert.equal(panel.network, 'BNB Smart Chain (BEP20)')
  assert.match(plain(message), /pela rede BNB Smart Chain \(BEP20\) /)
  const other = stateOf({}, { means: { ...toAddress, coin: { ...coin, network: 'Another' } } })
  assert.ok(other.panel?.method === 'CRYPTO')
  assert.equal(other.panel.network, 'Another')
})

test('canceling is offered only where the template enables it', () => {
  assert.equal(stateOf().links.cancel, undefined)
  const wanted = stateOf({}, { template: { ...template, hasCancel: true } })
  assert.equal(wanted.links.cancel, `${wanted.links.page}/cancel`)
})

test('a Pix code is shown with the recipient in it, and one that cannot be read without', () => {
  const code = buildBrCode({
    kind: 'DYNAMIC',
    url: 'pix.banco.example/qr/v2/abc',
    receiver: { name: 'Café Serra Azul Ltda', city: 'São Paulo' },
  })
  const receiverOf = (pixCopyPaste: string) => {
    const { panel } = stateOf({ method: 'PIX', currency: 'BRL' }, { means: { fields: { pixCopyPaste } } })
    assert.ok(panel?.method === 'PIX')
    return panel.receiver
  }
  assert.equal(receiverOf(code), 'Cafe Serra Azul Ltda')
  assert.equal(receiverOf('00020101021226'), undefined)
})

const brands = { PARTNER_PAY: 'Binance Pay' }

test('methods carry the logos that payers know, and the wallet app its name', () => {
  const marksOf = (currency: 'BRL' | 'USD') =>
    stateOf({ ...checkout, currency }, { means: { fields: {} }, brands }).methods.map(
      ({ method, label, mark, accepts }) => [method, label, mark, accepts],
    )
  assert.deepEqual(marksOf('BRL'), [
    ['PIX', 'Pix', 'pix', []],
    ['CREDIT_CARD', 'Cartão', 'card', ['visa', 'mastercard', 'elo']],
    ['CRYPTO', 'USDT', 'usdt', []],
    ['PARTNER_PAY', 'Binance Pay', 'binance', []],
  ])
  assert.deepEqual(marksOf('USD')[1]?.[3], ['visa', 'mastercard', 'amex'])
  const unnamed = stateOf(checkout, { means: { fields: {} } }).methods.at(-1)
  assert.deepEqual(
    [unnamed?.label, unnamed?.mark],
    [textIn('pt-BR', descriptorOf.PARTNER_PAY.label), 'wallet'],
  )
})

test('a receipt names the card by its brand and last four digits, and the wallet by its name', () => {
  const paid = { status: 'PAID', receivedMinor: 1_000n } as const
  const rowOf = (card: unknown) => {
    const means = {
      ...frame,
      ...(card === undefined ? {} : { fields: forbidden<Means['fields']>({ card }) }),
    }
    const { receipt } = stateOf({ ...paid, method: 'CREDIT_CARD', currency: 'BRL' }, { means })
    const row = receipt.find(({ label }) => label === sentences['pt-BR'].receipt.method)
    return [plain(row?.value ?? ''), row?.mark]
  }
  assert.deepEqual(rowOf({ brand: 'visa', last4: '4242' }), ['Visa •••• 4242', 'visa'])
  assert.deepEqual(rowOf({ brand: 'diners', last4: '0004' }), ['Diners Club •••• 0004', 'card'])
  assert.deepEqual(rowOf({ brand: 'something_new', last4: '1' }), ['Cartão •••• 1', 'card'])
  assert.deepEqual(rowOf({ brand: 7 }), ['Cartão', 'card'])
  assert.deepEqual(rowOf(undefined), ['Cartão', 'card'])
  const app = stateOf({ ...paid, method: 'PARTNER_PAY' }, { means: { fields: {} }, brands })
  assert.deepEqual(
    app.receipt.filter(({ mark }) => mark !== undefined).map(({ value, mark }) => [value, mark]),
    [['Binance Pay', 'binance']],
  )
})

test('the default template asks a payer for no data', () => {
  const state = stateOf(checkout, { means: { fields: {} } })
  assert.deepEqual([state.step, state.fields], ['choose', []])
})

test('a payer who is asked for nothing is not asked to fill in anything', () => {
  const one = { ...checkout, methods: ['PIX'] } as const
  const { choose } = sentences['pt-BR']
  assert.equal(stateOf(one, { means: { fields: {} } }).message, choose.message)
  const asking = { ...template, fields: { ...template.fields, email: 'required' } } as const
  assert.equal(stateOf(one, { means: { fields: {} }, template: asking }).message, choose.one)
})
