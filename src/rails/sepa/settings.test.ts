// The operator's file of a SEPA connection, and its faults.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSepaSettings, sepaFaults } from './settings.ts'

const settings = { iban: 'PT50000201231234567890154', beneficiary: 'Loja da Ana' }
const pointersOf = (more: object, secrets: object = {}) =>
  sepaFaults({ settings: { ...settings, ...more }, secrets: { ...secrets } }).map(({ pointer }) => pointer)

test('an account and its holder are enough; a key is for programs that hand files in', () => {
  assert.deepEqual(checkSepaSettings(settings, {}), { ok: true, settings })
  const callbackKey = 'k'.repeat(32)
  const whole = { ...settings, bic: 'CGDIPTPL' }
  assert.deepEqual(checkSepaSettings(whole, { callbackKey }), { ok: true, settings: whole, callbackKey })
})

test('the holder has 1 to 70 characters in one line, and a letter or digit that files take', () => {
  for (const beneficiary of ['A', '7', 'Å', 'Ж', 'a b', 'x'.repeat(70)])
    assert.deepEqual(pointersOf({ beneficiary }), [], beneficiary)
  for (const beneficiary of [
    '',
    'x'.repeat(71),
    ' A',
    'A ',
    'A\nB',
    'A\u0000B',
    '...',
    '中',
    // Each of these signs is three in a file, so the letter is its 71st.
    `${'…'.repeat(23)}-A`,
  ])
    assert.deepEqual(pointersOf({ beneficiary }), ['/settings/beneficiary'], beneficiary)
})

test('an account is an IBAN of a SEPA country as files have it, and its bank a BIC', () => {
  for (const iban of [
    '',
    'PT50 0002 0123 1234 5678 9015 4',
    'pt50000201231234567890154',
    'TR330006100519786457841326',
  ])
    assert.deepEqual(pointersOf({ iban }), ['/settings/iban'], iban)
  for (const bic of ['CGDI', 'CGDIPTPLX']) assert.deepEqual(pointersOf({ bic }), ['/settings/bic'], bic)
})

test('a key has 32 to 128 characters, and no fault repeats it', () => {
  for (const length of [32, 128]) assert.deepEqual(pointersOf({}, { callbackKey: 'k'.repeat(length) }), [])
  for (const callbackKey of ['k'.repeat(31), 'k'.repeat(129), `${'k'.repeat(32)} k`]) {
    const faults = sepaFaults({ settings, secrets: { callbackKey } })
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['/secrets/callbackKey'],
    )
    assert.ok(!JSON.stringify(faults).includes('kkk'))
  }
})
