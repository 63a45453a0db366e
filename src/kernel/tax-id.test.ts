import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'
import { fc } from '../../test/chance.ts'
import { parseTaxId } from './tax-id.ts'

test('a CPF, a CNPJ and an alphanumeric CNPJ are read with and without their mask', () => {
  const company = { kind: 'CNPJ', number: '12ABC34501DE35' }
  assert.deepEqual(parseTaxId('12ABC34501DE35'), company)
  assert.deepEqual(parseTaxId(' 12.abc.345/01de-35 '), company)
  assert.deepEqual(parseTaxId('529.982.247-25'), { kind: 'CPF', number: '52998224725' })
  assert.deepEqual(parseTaxId('52998224725'), { kind: 'CPF', number: '52998224725' })
  assert.deepEqual(parseTaxId('11.222.333/0001-81'), { kind: 'CNPJ', number: '11222333000181' })
})

test('wrong check digits, all digits the same, and stray characters are invalid', () => {
  const wrong = ['52998224726', '11111111111', '11222333000182', '12ABC34501DE36', '12ABC34501DEAB', '']
  const stray = [
    '529x982.247-25',
    '5299822472',
    '529982247255',
    '11222333/000181x',
    '529 982 247 25',
    '１1222333000181',
  ]
  for (const text of [...wrong, ...stray]) assert.equal(parseTaxId(text), undefined, text)
})

test('any fourteen or eleven characters get the same verdict as by another implementation', () => {
  const cnpj = fc.stringMatching(/^[0-9A-Z]{12}\d\d$/)
  const near = fc.tuple(
    fc.constantFrom('12ABC34501DE', '112223330001', 'Q0SLFMBD7VX4'),
    fc.stringMatching(/^\d\d$/),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        cnpj,
        near.map((parts) => parts.join('')),
      ),
      (text) => {
        assert.equal(parseTaxId(text) !== undefined, isValidCnpj(text, { version: 2 }))
      },
    ),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.stringMatching(/^5299822[0-9]{4}$/), (text) => {
      assert.equal(parseTaxId(text) !== undefined, isValidCpf(text))
    }),
    { numRuns: 500 },
  )
})
