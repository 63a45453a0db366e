import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateCnpj, generateCpf, getPixKeyInfo } from '@brazilian-utils/brazilian-utils'
import { pixKeyTypes } from '#/contract/withdrawals.ts'
import { fc } from '../../../test/chance.ts'
import { parsePixKey, pixKeyTypeOf, type PixKeyType } from './pix-key.ts'

const keyOf = (type: PixKeyType, text: string) => {
  const parsed = parsePixKey(type, text)
  return parsed.ok ? parsed.key : undefined
}

test('published keys have their normal form', () => {
  // DICT API 1.8.0 (BACEN) and Instrução Normativa RFB 2229/2024.
  assert.equal(keyOf('PHONE', '+5561912345678'), '+5561912345678')
  assert.equal(keyOf('PHONE', '+55 (61) 91234-5678'), '+5561912345678')
  assert.equal(keyOf('EVP', '123e4567-e12b-12d1-a456-426655440000'), '123e4567-e12b-12d1-a456-426655440000')
  assert.equal(keyOf('EVP', '123E4567-E12B-12D1-A456-426655440000'), '123e4567-e12b-12d1-a456-426655440000')
  assert.equal(keyOf('CNPJ', '12.ABC.345/01DE-35'), '12ABC34501DE35')
  assert.equal(keyOf('CNPJ', '12abc34501de35'), '12ABC34501DE35')
  assert.equal(keyOf('CPF', '111.444.777-35'), '11144477735')
  assert.equal(keyOf('EMAIL', ' Ana@Example.COM '), 'ana@example.com')
})

test('a key is never accepted as one of another type', () => {
  const samples: Readonly<Record<PixKeyType, string>> = {
    CPF: '11144477735',
    CNPJ: '12ABC34501DE35',
    PHONE: '+5561912345678',
    EMAIL: 'ana@example.com',
    EVP: '123e4567-e12b-12d1-a456-426655440000',
  }
  for (const type of pixKeyTypes)
    for (const other of pixKeyTypes)
      assert.equal(parsePixKey(type, samples[other]).ok, type === other, `${samples[other]} as ${type}`)
  // Eleven digits may be either: the type decides.
  assert.equal(keyOf('PHONE', '11987654321'), '+5511987654321')
})

test('a phone without its country is Brazilian, and RANDOM is another word for EVP', () => {
  for (const text of ['61912345678', '(61) 91234-5678', '5561912345678', '+55 61 91234 5678'])
    assert.equal(keyOf('PHONE', text), '+5561912345678', text)
  // The area code 55, without a country code.
  assert.equal(keyOf('PHONE', '55991234567'), '+5555991234567')
  for (const text of ['912345678', '061912345678', '15551234567', '6133334444'])
    assert.equal(keyOf('PHONE', text), undefined, text)
  assert.deepEqual(['RANDOM', 'EVP', 'random', undefined].map(pixKeyTypeOf), [
    'EVP',
    'EVP',
    undefined,
    undefined,
  ])
})

test('an invalid key has a message with the expected form', () => {
  const wrong: readonly (readonly [PixKeyType, string])[] = [
    ['CPF', '11144477734'],
    ['CPF', '11111111111'],
    ['CPF', ''],
    ['CNPJ', '12ABC34501DE36'],
    ['PHONE', '+556133334444'],
    ['PHONE', '+5500999999999'],
    ['PHONE', '+5523912345678'],
    ['PHONE', '+15551234567'],
    ['PHONE', '+55619123456789'],
    ['EMAIL', 'a@b'],
    ['EMAIL', 'a%b@example.com'],
    ['EMAIL', 'josé@example.com'],
    ['EMAIL', `${'a'.repeat(66)}@example.com`],
    ['EMAIL', 'a@b@example.com'],
    ['EMAIL', 'a@example.com@b'],
    ['EMAIL', '.a@example.com'],
    ['EVP', '123e4567e12b12d1a456426655440000'],
  ]
  for (const [type, text] of wrong) {
    const parsed = parsePixKey(type, text)
    assert.ok(!parsed.ok, `${type} ${text}`)
    assert.match(parsed.message, /^is no /)
  }
  assert.equal(keyOf('EMAIL', `${'a'.repeat(65)}@example.com`)?.length, 77)
})

test('the same keys as another implementation, for any input', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
  const phones = fc.tuple(digits(2), digits(8)).map(([area, rest]) => `+55${area}9${rest}`)
  const mails = fc
    .tuple(
      fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_+-]{1,40}$/),
      fc.stringMatching(/^[a-z0-9]{1,36}\.[a-z]{2,5}$/),
    )
    .map(([before, after]) => `${before}@${after}`)
  const taxIds = fc.boolean().map((isCompany) => (isCompany ? generateCnpj() : generateCpf()))
  const samples = fc.oneof(digits(11), digits(14), taxIds, phones, mails, fc.uuid())
  let accepted = 0
  fc.assert(
    fc.property(samples, (text) => {
      const theirs = getPixKeyInfo(text)
      const type = typeOf(text)
      const ours = keyOf(type, text)
      if (ours !== undefined) accepted += 1
      // The other implementation guesses the type; the results are compared only where it guesses the given type.
      if (theirs !== null && theirs.type.toUpperCase() !== type) return
      assert.equal(ours, theirs?.value, text)
    }),
    { numRuns: 3_000 },
  )
  assert.ok(accepted > 500, `${accepted} keys`)
})

function typeOf(text: string): PixKeyType {
  if (text.startsWith('+')) return 'PHONE'
  if (text.includes('@')) return 'EMAIL'
  if (text.length === 36) return 'EVP'
  return text.length === 11 ? 'CPF' : 'CNPJ'
}
