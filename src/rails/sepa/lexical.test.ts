// The spellings that XML Schema allows, and those that it does not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { booleanOf, dayIn, decimalOf, ibanIn } from './lexical.ts'

test('an indicator has two spellings of each value, and any other is refused', () => {
  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const)
    assert.equal(booleanOf(text, 'RvslInd', !value), value)
  assert.equal(booleanOf(undefined, 'RvslInd', true), true)
  for (const text of ['TRUE', 'yes', '01', ''])
    assert.throws(() => booleanOf(text, 'RvslInd', false), /neither true nor false/)
  assert.throws(() => booleanOf('x'.repeat(21), 'RvslInd', false), /RvslInd is x{20},/)
})

test('a decimal is the same number in every spelling', () => {
  for (const text of ['45', '45.', '45.0', '+45.00', '0000000000000000000000045.00', '45.0000000'])
    assert.deepEqual(decimalOf(text), { whole: '45', fraction: '' }, text)
  assert.deepEqual(decimalOf('.5'), { whole: '0', fraction: '5' })
  assert.deepEqual(decimalOf(`${'0'.repeat(98)}45`), { whole: '45', fraction: '' })
  assert.deepEqual(decimalOf('1.12345'), { whole: '1', fraction: '12345' })
  assert.deepEqual(decimalOf('123456789012345678'), { whole: '123456789012345678', fraction: '' })
  assert.deepEqual(decimalOf('-0.00'), { whole: '0', fraction: '' })
  for (const text of [
    '',
    '.',
    '-1',
    '-0.5',
    `${'0'.repeat(99)}45`,
    '1,5',
    '1e3',
    '4 5',
    '0x1',
    '1.123456',
    '1234567890123456789',
    '1'.repeat(200),
  ])
    assert.equal(decimalOf(text), undefined, text)
})

test('a day is one that there is, whatever its time zone', () => {
  for (const [text, day] of [
    ['2028-02-29', '2028-02-29'],
    ['1970-01-01', '1970-01-01'],
    ['2026-01-02Z', '2026-01-02'],
    ['2026-01-02+05:00', '2026-01-02'],
    ['2026-01-02T23:59:59.999-11:00', '2026-01-02'],
    ['2026-12-31T24:00:00', '2027-01-01'],
  ] as const)
    assert.equal(dayIn(text), day, text)
  for (const text of [
    '2027-02-30',
    '2027-02-29',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '0001-01-01',
    '1969-12-31',
    '26-01-01',
    '2026-1-1',
    '20260101',
    '2026-01-015',
    '',
  ])
    assert.equal(dayIn(text), undefined, text)
})

test('an IBAN is compared without its spaces and capitals', () => {
  assert.equal(ibanIn(' pt50 0002 0123 1234\n5678 9015 4 '), 'PT50000201231234567890154')
})
