import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationMs } from './time.ts'

const dayMs = 86_400_000

test('weeks, days, hours, minutes and seconds add up; a day has 24 hours', () => {
  const known: readonly (readonly [string, number])[] = [
    ['P2D', 2 * dayMs],
    ['P1W', 7 * dayMs],
    ['P1W1D', 8 * dayMs],
    ['PT1H', 3_600_000],
    ['P1DT12H', 1.5 * dayMs],
    ['PT90M', 5_400_000],
    ['PT0S', 0],
    ['P1W2DT3H4M5S', 788_645_000],
  ]
  for (const [text, ms] of known) assert.equal(durationMs(text), ms, text)
})

test('months, years, fractions, signs and empty parts are no duration here', () => {
  for (const text of [
    '',
    'P',
    'PT',
    'P1DT',
    'P1M',
    'P1Y',
    'P1D1W',
    'PT1M1H',
    'P0.5D',
    '-P1D',
    'P-1D',
    'p1d',
    'P1D ',
    'P1234567890D',
  ])
    assert.equal(durationMs(text), undefined, text)
})
