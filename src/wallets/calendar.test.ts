// Calendars against transitions that the zones really had (IANA time zone database).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '#/kernel/time.ts'
import { spansBefore, spansOf, startOfDay, zoneOf, type Interval } from './calendar.ts'

const at = (text: string) => new Date(text)

function spans(interval: Interval, zone: string, from: string, to: string) {
  return spansOf({ interval, zone }, { from: at(from), to: at(to) }, 400).map(
    ({ date, from: start, to: end }) => ({
      date,
      from: start.toISOString(),
      hours: (end.getTime() - start.getTime()) / hourMs,
    }),
  )
}

test('a day is as long as its zone made it', () => {
  // Brazil put the clock forward at midnight of 4 November 2018, and back at midnight of 18 February 2018.
  assert.deepEqual(spans('DAY', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-05T12:00:00Z'), [
    { date: '2018-11-03', from: '2018-11-03T03:00:00.000Z', hours: 24 },
    { date: '2018-11-04', from: '2018-11-04T03:00:00.000Z', hours: 23 },
    { date: '2018-11-05', from: '2018-11-05T02:00:00.000Z', hours: 24 },
  ])
  assert.deepEqual(spans('DAY', 'America/Sao_Paulo', '2018-02-17T12:00:00Z', '2018-02-18T12:00:00Z'), [
    { date: '2018-02-17', from: '2018-02-17T02:00:00.000Z', hours: 25 },
    { date: '2018-02-18', from: '2018-02-18T03:00:00.000Z', hours: 24 },
  ])
  assert.deepEqual(
    [
      ...spans('DAY', 'Europe/Lisbon', '2026-03-29T12:00:00Z', '2026-03-29T13:00:00Z'),
      ...spans('DAY', 'Europe/Lisbon', '2026-10-25T12:00:00Z', '2026-10-25T13:00:00Z'),
      ...spans('DAY', 'Asia/Kathmandu', '2026-10-25T12:00:00Z', '2026-10-25T13:00:00Z'),
      // Half an hour of daylight saving.
      ...spans('DAY', 'Australia/Lord_Howe', '2026-04-04T14:00:00Z', '2026-04-04T14:30:00Z'),
    ],
    [
      { date: '2026-03-29', from: '2026-03-29T00:00:00.000Z', hours: 23 },
      { date: '2026-10-25', from: '2026-10-24T23:00:00.000Z', hours: 25 },
      { date: '2026-10-25', from: '2026-10-24T18:15:00.000Z', hours: 24 },
      { date: '2026-04-05', from: '2026-04-04T13:00:00.000Z', hours: 24.5 },
    ],
  )
})

test('a day that the zone skipped does not exist', () => {
  // Samoa crossed the date line: after 29 December 2011 came the 31st.
  assert.deepEqual(
    spans('DAY', 'Pacific/Apia', '2011-12-29T20:00:00Z', '2011-12-31T20:00:00Z').map(({ date }) => date),
    ['2011-12-29', '2011-12-31', '2012-01-01'],
  )
})

test('of the minutes that a zone repeated after midnight only the later day is shown', () => {
  // Newfoundland put the clock back at 00:01 of 7 November 2010: 02:45 UTC is 23:15 of the day that had ended.
  assert.deepEqual(
    spans('DAY', 'America/St_Johns', '2010-11-07T02:45:00Z', '2010-11-07T12:00:00Z').map(({ date }) => date),
    ['2010-11-07'],
  )
})

test('weeks begin on Monday, months on the first, and a span covers what it touches', () => {
  assert.deepEqual(spans('WEEK', 'UTC', '2026-11-01T00:00:00Z', '2026-11-09T00:00:00.001Z'), [
    { date: '2026-10-26', from: '2026-10-26T00:00:00.000Z', hours: 168 },
    { date: '2026-11-02', from: '2026-11-02T00:00:00.000Z', hours: 168 },
    { date: '2026-11-09', from: '2026-11-09T00:00:00.000Z', hours: 168 },
  ])
  assert.deepEqual(spans('WEEK', 'UTC', '2026-11-02T00:00:00Z', '2026-11-09T00:00:00Z').length, 1)
  assert.deepEqual(
    spans('MONTH', 'Europe/Lisbon', '2026-01-31T12:00:00Z', '2026-04-01T00:00:00Z').map(
      (each) => each.hours / 24,
    ),
    [31, 28, 31 - 1 / 24, 30],
  )
})

test('at most the requested number of spans, none of an empty span, and those before now', () => {
  const days = { interval: 'DAY', zone: 'UTC' } as const
  const ever = { from: at('0001-01-01T00:00:00Z'), to: at('9999-12-31T00:00:00Z') }
  assert.equal(spansOf(days, ever, 401).length, 401)
  assert.deepEqual(spans('DAY', 'UTC', '2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z'), [])
  assert.deepEqual(spans('DAY', 'UTC', '2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z'), [])
  assert.equal(
    spansBefore({ interval: 'MONTH', zone: 'Asia/Kathmandu' }, at('2026-11-30T20:00:00Z'), 11).toISOString(),
    '2025-12-31T18:15:00.000Z',
  )
})

test('only names of the IANA database are zones', () => {
  assert.equal(zoneOf('america/sao_paulo'), 'America/Sao_Paulo')
  assert.equal(zoneOf('UTC'), 'UTC')
  for (const bad of ['', 'Mars/Base', '+03:00', '2026-01-01T00:00[UTC]', 'America/Sao Paulo', '../etc'])
    assert.equal(zoneOf(bad), undefined, bad)
  assert.equal(startOfDay('2026-02-30', 'UTC'), undefined)
  assert.equal(startOfDay('2018-11-04', 'America/Sao_Paulo')?.toISOString(), '2018-11-04T03:00:00.000Z')
})
