// SEPA's countries, with the examples of the IBAN registry (ISO 13616).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries, isCountry } from '#/kernel/country.ts'
import { sepaCountries } from './countries.ts'
import { normalIban } from './settings.ts'

test('accounts of the countries that joined last are reached, as the others are', () => {
  for (const iban of [
    'AL47212110090000000235698741',
    'MD24AG000225100013104168',
    'ME25505000012345678951',
    'MK07250120000058984',
    'RS35260005601001611379',
    'DE89370400440532013000',
    'PT50000201231234567890154',
    'GI75NWBK000000007099453',
    'VA59001123000012345678',
  ])
    assert.equal(normalIban(iban.replaceAll(/(.{4})/g, '$1 ').toLowerCase()), iban)
  assert.equal(sepaCountries.size, 42, '41 countries, and Gibraltar')
})

test('accounts elsewhere are not, and neither is one whose check digits do not fit', () => {
  for (const iban of [
    'TR330006100519786457841326',
    'BR1800360305000010009795493C1',
    'XK051212012345678906',
    'AL48212110090000000235698741',
  ])
    assert.equal(normalIban(iban), undefined, iban)
})

test('a payer may live in any country of the world', () => {
  assert.ok(countries.length >= 249, `${countries.length}`)
  assert.deepEqual(countries, [...new Set(countries)].toSorted())
  for (const each of ['BR', 'PT', 'AL', 'UA', 'JP', 'ZA', 'AX', 'XK']) assert.ok(isCountry(each), each)
  for (const each of ['ZZ', 'UK', 'EU', 'br', '']) assert.ok(!isCountry(each), each)
})
