import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTaxIdOf, plainTaxId } from './foreign-tax-id.ts'

test('a tax id is one of its country alone, by that country’s check digits', () => {
  // The examples of each authority's own documents, as python-stdnum collects them.
  const valid = [
    ['PT', '501 964 843', '501964843'],
    ['ES', '12345678Z', '12345678Z'],
    ['ES', 'x-1234567-l', 'X1234567L'],
    ['NL', '111222333', '111222333'],
    ['BE', '85.07.30-033 28', '85073003328'],
    ['DE', '36 574 261 809', '36574261809'],
    ['BR', '390.533.447-05', '39053344705'],
  ] as const
  for (const [country, text, plain] of valid) assert.equal(parseTaxIdOf(country, text), plain, country)
  const wrong = [
    ['PT', '501964844'],
    ['ES', '12345678A'],
    ['BR', '501964843'],
    ['PT', '390.533.447-05'],
    ['PT', ''],
    ['DE', '3'.repeat(40)],
  ] as const
  for (const [country, text] of wrong)
    assert.equal(parseTaxIdOf(country, text), undefined, `${country} ${text}`)
})

test('of a country without known rules any letters and digits are taken, without their mask', () => {
  assert.equal(parseTaxIdOf('AQ', 'ab-12.34'), 'AB1234')
  assert.equal(parseTaxIdOf('AQ', 'a?b'), undefined)
  assert.equal(plainTaxId('390.533.447-05'), '39053344705')
  assert.equal(plainTaxId('501 964 843'), '501964843')
})
