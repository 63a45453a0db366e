// Days as each language writes them, what is read as a day, and the weeks of a calendar.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  addDays,
  addMonths,
  dateHint,
  dateText,
  isDay,
  placeInWeek,
  readDate,
  today,
  weekStart,
  weeksOf,
} from '../../web/dashboard/kit/date-text.ts'

test('a day is written in the order of the language, and its form is said', () => {
  const written = (['pt-BR', 'es', 'en'] as const).map((locale) => [
    dateText('2026-03-05', locale),
    dateHint(locale),
  ])
  assert.deepEqual(written, [
    ['05/03/2026', 'dd/mm/aaaa'],
    ['05/03/2026', 'dd/mm/aaaa'],
    ['03/05/2026', 'mm/dd/yyyy'],
  ])
})

test('what is written is read back, in each language, for each day of four years', () => {
  for (let day = '2024-01-01'; day < '2028-01-01'; day = addDays(day, 1))
    for (const locale of ['pt-BR', 'es', 'en'] as const)
      assert.equal(readDate(dateText(day, locale), locale), day)
})

test('other ways to write a day are understood, and those with two meanings only once nobody writes on', () => {
  for (const text of ['5/3/2026', '05-03-2026', '05.03.2026', ' 5 / 3 / 2026 ', '2026-03-05'])
    assert.equal(readDate(text, 'pt-BR'), '2026-03-05', text)
  assert.equal(readDate('3/5/2026', 'en'), '2026-03-05')
  for (const text of ['05/03/26', '05032026']) {
    assert.equal(readDate(text, 'es'), undefined, text)
    assert.equal(readDate(text, 'es', true), '2026-03-05', text)
  }
})

test('what is no day is none', () => {
  const none = ['', 'x', '31/02/2026', '29/02/2026', '00/01/2026', '10/13/2026', '1/1', '1/1/1', '1/1/202']
  for (const text of [...none, '01/01/20266', '1/1/2026/1', '-1/1/2026', '2026-02-30', '٠١/٠١/٢٠٢٦'])
    for (const isFinal of [false, true]) assert.equal(readDate(text, 'pt-BR', isFinal), undefined, text)
  assert.equal(readDate('13/10/2026', 'en'), undefined)
  assert.ok(isDay('2024-02-29') && !isDay('2023-02-29') && !isDay('2024-2-29'))
})

test('weeks begin with the day of the language, also where the browser does not say it', () => {
  const locales = ['pt-BR', 'en', 'es'] as const
  assert.deepEqual(
    locales.map((locale) => weekStart(locale)),
    [7, 7, 1],
  )
  assert.deepEqual(
    locales.map((locale) => weekStart(locale, {})),
    [7, 7, 1],
  )
  assert.equal(weekStart('en', { weekInfo: { firstDay: 1 } }), 1)
  assert.equal(weekStart('es', { getWeekInfo: () => ({ firstDay: 6 }) }), 6)
})

test('a month has each of its days once, in its place of the week', () => {
  for (const start of [1, 6, 7])
    for (let month = '2024-01-15'; month < '2027-01-01'; month = addMonths(month, 1)) {
      const weeks = weeksOf(month, start)
      const days = weeks.flat().filter((day) => day !== undefined)
      assert.equal(days[0], `${month.slice(0, 8)}01`)
      assert.equal(addDays(days.at(-1) ?? '', 1), addMonths(`${month.slice(0, 8)}01`, 1))
      assert.equal(new Set(days).size, days.length)
      assert.ok(weeks.every((week) => week.length === 7))
      const places = weeks.flatMap((week) => week.map((day, place) => ({ day, place })))
      for (const { day, place } of places) if (day !== undefined) assert.equal(placeInWeek(day, start), place)
    }
})

test('a month later is the same day, or the last one of the month', () => {
  assert.equal(addMonths('2026-01-31', 1), '2026-02-28')
  assert.equal(addMonths('2024-02-29', 12), '2025-02-28')
  assert.equal(addMonths('2026-01-15', -1), '2025-12-15')
  assert.equal(addMonths('2026-03-31', -13), '2025-02-28')
})

test('today is that of the account’s time zone', () => {
  const [east, west] = [today('Pacific/Kiritimati'), today('Pacific/Pago_Pago')]
  assert.ok(isDay(east) && isDay(west))
  assert.ok(east === addDays(west, 1) || east === addDays(west, 2), `${east} ${west}`)
})

test('no page has the browser’s own field for days: it is written in the browser’s language, not the account’s', () => {
  const web = join(import.meta.dirname, '../../web')
  const own = /\btype\s*[:=]\s*\{?\s*["'`](?:date|datetime-local|month|week)["'`]/
  assert.ok(
    ['<input type="date" />', "{ type: 'datetime-local' }", "type={'month'}"].every((text) => own.test(text)),
  )
  const files = globSync('*/**/*.{ts,tsx}', { cwd: web, exclude: ['dist-*/**'] })
  assert.ok(files.length > 200, `${files.length} files`)
  assert.deepEqual(
    files.filter((file) => own.test(readFileSync(join(web, file), 'utf8'))),
    [],
  )
})
