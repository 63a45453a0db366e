import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { Means } from './means.ts'
import { maskedTaxId, proofOf } from './proof.ts'
import { speech } from './speech.ts'

const rowsOf = (method: Method, means: Partial<Means>, more: Partial<Payment> = {}) =>
  proofOf({ method, ...more } as Payment, { fields: {}, ...means }, speech['pt-BR'].sentences)

const endToEndId = 'E1234567820261121184000000000001'
const hash = `0x${'ab'.repeat(32)}`

test('each method has the name by which its payer’s bank, the provider or the chain knows the money', () => {
  const proof = (refs: readonly string[], fields: Means['fields'] = {}) => ({ proof: { refs, fields } })
  assert.deepEqual(rowsOf('PIX', proof([endToEndId])), [
    { label: 'ID do Pix (EndToEndId)', value: 'E123456782…00000001', copy: endToEndId },
  ])
  assert.deepEqual(rowsOf('CREDIT_CARD', proof(['ch_1'])), [
    { label: 'Referência da transação', value: 'ch_1', copy: 'ch_1' },
  ])
  const line = '00190000090114971860168524522114675860000102656'
  assert.deepEqual(rowsOf('BOLETO', proof(['py_1'], { voucher: { line } })), [
    { label: 'Linha digitável', value: '00190.00009 01149.718601 68524.522114 6 75860000102656', copy: line },
  ])
  const multibanco = rowsOf(
    'MULTIBANCO',
    proof(['py_1'], { voucher: { entity: '90150', reference: '123123451' } }),
  )
  assert.deepEqual(
    multibanco.map(({ value }) => value),
    ['90150 · 123123451', 'py_1'],
  )
  const sepa = { iban: 'PT50000201231234567890154', beneficiary: 'Loja', reference: 'RF18539007547034' }
  assert.deepEqual(rowsOf('SEPA_TRANSFER', proof(['N1/0'], { sepa })), [
    { label: 'Referência do pagamento', value: 'RF18 5390 0754 7034', copy: 'RF18539007547034' },
    { label: 'Conta que recebeu', value: 'PT •••• 0154' },
    { label: 'Referência do banco', value: 'N1/0', copy: 'N1/0' },
  ])
})

test('a payment on a chain names its network, and each final transfer once', () => {
  const at = '2026-11-21T18:40:00.000Z'
  const deposit = { txHash: hash, amount: '1', confirmations: 9, final: true, at }
  const fields = {
    cryptoNetwork: 'BSC',
    deposits: [deposit, { ...deposit, txHash: `0x${'cd'.repeat(32)}`, final: false }],
  }
  const rows = rowsOf('CRYPTO', { fields }, { completingTx: hash })
  assert.deepEqual(
    rows.map(({ value, copy }) => copy ?? value),
    ['BNB Smart Chain (BEP20)', hash],
  )
})

test('what no provider has reported as paid proves nothing', () => {
  assert.deepEqual(rowsOf('PIX', { fields: { pixCopyPaste: '000201' } }), [])
  assert.deepEqual(rowsOf('CRYPTO', { fields: {} }), [])
})

test('of a tax id only the middle is shown', () => {
  assert.equal(maskedTaxId('12345678909'), '***.456.789-**')
  assert.equal(maskedTaxId('11222333000181'), '**.222.333/0001-**')
  assert.equal(maskedTaxId('PT123456789'), '***789')
})
