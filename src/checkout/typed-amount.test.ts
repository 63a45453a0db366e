import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTypedAmount } from './typed-amount.ts'

test('amounts are read as people of both conventions write them', () => {
  for (const [typed, minor] of [
    ['10', 1_000],
    ['10,5', 1_050],
    ['10.50', 1_050],
    ['0,01', 1],
    [',50', undefined],
    ['1.234', 123_400],
    ['1,234', 123_400],
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['1.234.567,89', 123_456_789],
    ['R$ 1.234,56', 123_456],
    ['€12', 1_200],
    [' 1 234,56 ', 123_456],
  ] as const)
    assert.equal(readTypedAmount(typed), minor, typed)
})

test('what is no amount is none', () => {
  for (const typed of [
    '',
    '0',
    '0,00',
    '-5',
    '1e3',
    '12.34.56',
    '1.23,45.6',
    '１０',
    '1234567890123',
    'NaN',
    '1,2345',
  ])
    assert.equal(readTypedAmount(typed), undefined, typed)
})
