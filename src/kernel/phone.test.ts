import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePhone } from './phone.ts'

test('a number with its country code is taken anywhere, without its punctuation', () => {
  for (const country of [undefined, 'PT', 'FR'])
    assert.equal(parsePhone('00351 912-345.678', country), '+351912345678')
})

test('a national number is taken where its country is known', () => {
  const numbers = [
    ['PT', '912 345 678', '+351912345678'],
    ['BR', '(11) 91234-5678', '+5511912345678'],
    ['BR', '011 3234-5678', '+551132345678'],
    ['ES', '612 34 56 78', '+34612345678'],
    ['NL', '06 12345678', '+31612345678'],
    ['BE', '0470 12 34 56', '+32470123456'],
  ] as const
  for (const [country, text, e164] of numbers) assert.equal(parsePhone(text, country), e164)
  const wrong = [
    [undefined, '912345678'],
    ['FR', '912345678'],
    ['PT', '812345678'],
    ['PT', '91234567'],
    ['BR', '91234-5678'],
    ['PT', '+0912345678'],
  ] as const
  for (const [country, text] of wrong)
    assert.equal(parsePhone(text, country), undefined, `${country} ${text}`)
})
