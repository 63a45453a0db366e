// Names as banks' files and codes write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '../../../test/any-character.ts'
import { fc } from '../../../test/chance.ts'
import { hasLetters, inAscii, inSepaLatin } from './latin.ts'

test('names of every alphabet of Europe keep their letters', () => {
  for (const [name, written] of [
    ['Γεώργιος', 'Georgios'],
    ['Юрий', 'Yuriy'],
    ['Игорь', 'Igor'],
    ['Đorđe Đoković', 'Dorde Dokovic'],
    ['Œuvres', 'Oeuvres'],
    ['Weiß', 'Weiss'],
    ['Øystein Łukasz Işık', 'Oystein Lukasz Isik'],
    ['გიორგი', 'giorgi'],
    ['Müller & Söhne', 'Muller + Sohne'],
    ['O’Neill – Café', "O'Neill - Cafe"],
    ['50 €', '50 EUR'],
  ] as const)
    assert.equal(inSepaLatin(name, 70), written)
})

test('what no bank takes becomes what it means, or nothing', () => {
  assert.equal(inSepaLatin('//INV 7// 8/', 140), 'INV 7/ 8')
  assert.equal(inSepaLatin('a / / b', 140), 'a / b')
  assert.equal(inSepaLatin('ana@example.com; [7]', 140), 'ana(at)example.com, (7)')
  assert.equal(inSepaLatin('Ana 🎉 50%', 140), 'Ana 50.')
  // The cut does not leave a slash behind.
  assert.equal(inSepaLatin('abc/def', 4), 'abc')
  assert.equal(inAscii('São\nJoão 東京'), 'Sao Joao')
})

test('a name without a letter that a file takes is none', () => {
  for (const name of ['', '…', '🎉', '12', '&', '山田太郎', 'محمد', '///'])
    assert.equal(hasLetters(name, 70), false, name)
  for (const name of ['Ω', 'Юрий', 'ß', 'A']) assert.equal(hasLetters(name, 70), true, name)
})

test('any text comes out in the characters of SEPA, without a slash at an edge or two together', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.integer({ min: 1, max: 140 }),
      (text, max) => {
        const written = inSepaLatin(text, max)
        assert.match(written, /^[A-Za-z0-9/\-?:().,'+ ]*$/)
        assert.ok(written.length <= max)
        assert.doesNotMatch(written, /^\/|\/$|\/\//)
      },
    ),
  )
})
