// What verify says of vouchers that were shown. The vectors are published ones, as in rails/acquirer/check-digits.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { voucherArtifacts } from './local.ts'

const voucher = (fields: Readonly<Record<string, string>>, amountMinor: bigint) =>
  voucherArtifacts.fault({ voucher: fields }, amountMinor)

test('a Multibanco reference belongs to its entity and its amount', () => {
  const right = { entity: '90150', reference: '123123451' }
  assert.equal(voucher(right, 43_211n), undefined)
  const fault = 'has a reference that does not belong to its entity and amount'
  assert.equal(voucher(right, 43_212n), fault)
  assert.equal(voucher({ ...right, entity: '90151' }, 43_211n), fault)
  assert.equal(voucher({ ...right, reference: '123123415' }, 43_211n), fault)
  assert.equal(voucher({ entity: '90150' }, 43_211n), fault)
})

test('a boleto’s line belongs to its bar code and its amount', () => {
  const right = {
    line: '10492006506100010004200997263900989810000021403',
    barcode: '10499898100000214032006561000100040099726390',
  }
  assert.equal(voucher(right, 21_403n), undefined)
  assert.equal(voucher(right, 21_404n), 'has a line of another amount')
  const other = '23797404300001240200448056168623793601105800'
  assert.equal(
    voucher({ ...right, barcode: other }, 21_403n),
    'has a line that does not belong to its bar code',
  )
})

test('an attempt without a voucher has no fault', () => {
  assert.equal(voucherArtifacts.fault({}, 1n), undefined)
})
