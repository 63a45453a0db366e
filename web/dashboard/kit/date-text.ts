// Days as the account's language writes them, and the months of a calendar. A day is a text such as `2026-11-30`, the same in every time zone.
import type { Locale } from '#/kernel/language.ts'

type Part = 'day' | 'month' | 'year'

const dayMs = 86_400_000
const isoForm = /^\d{4}-\d{2}-\d{2}$/

/** In which order a language writes a day's parts, and what stands between them. */
type Form = { readonly order: readonly Part[]; readonly between: string }

const forms = new Map<Locale, Form>()

function formOf(locale: Locale): Form {
  const form = forms.get(locale) ?? readForm(locale)
  forms.set(locale, form)
  return form
}

function readForm(locale: Locale): Form {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(0)
  const isPart = (type: string): type is Part => type === 'day' || type === 'month' || type === 'year'
  return {
    order: parts.map(({ type }) => type).filter(isPart),
    between: parts.find(({ type }) => type === 'literal')?.value ?? '/',
  }
}

/** Whether the text is a day of the calendar: the 31st of February is none. */
export function isDay(text: string): boolean {
  if (!isoForm.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && isoOf(at) === text
}

/** `30/11/2026` in Portuguese and Spanish, `11/30/2026` in English. */
export function dateText(day: string, locale: Locale): string {
  const { order, between } = formOf(locale)
  const [year = '', month = '', date = ''] = day.split('-')
  const values: Readonly<Record<Part, string>> = { year, month, day: date }
  return order.map((part) => values[part]).join(between)
}

/** How a day is to be written: `dd/mm/aaaa`. */
export function dateHint(locale: Locale): string {
  const { order, between } = formOf(locale)
  const letters: Readonly<Record<Part, string>> = {
    day: 'dd',
    month: 'mm',
    year: locale === 'en' ? 'yyyy' : 'aaaa',
  }
  return order.map((part) => letters[part]).join(between)
}

/**
 * The day that a text names, with or without leading zeros, between points, hyphens or slashes; also `2026-11-30`. Undefined when it names none.
 * `isFinal`: nobody writes on, so two digits are a year of this century, and digits alone are a whole day.
 */
export function readDate(text: string, locale: Locale, isFinal = false): string | undefined {
  const plain = text.trim()
  if (isDay(plain)) return plain
  const { order } = formOf(locale)
  const digits = isFinal && /^\d{8}$/.test(plain) ? cut(plain, order) : undefined
  const pieces = digits ?? plain.split(/\s*[./-]\s*/)
  if (pieces.length !== 3 || !pieces.every((piece) => /^\d{1,4}$/.test(piece))) return undefined
  const value = (part: Part) => pieces[order.indexOf(part)] ?? ''
  const [year, month, day] = [value('year'), value('month'), value('day')]
  const century = isFinal && year.length === 2 ? '20' : ''
  const found = `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(found) ? found : undefined
}

function cut(digits: string, order: readonly Part[]): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const part of order) {
    const length = part === 'year' ? 4 : 2
    pieces.push(digits.slice(at, at + length))
    at += length
  }
  return pieces
}

// The calendar.

/** The day that it is now in the time zone. */
export function today(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date())
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

export function addDays(day: string, days: number): string {
  return isoOf(Date.parse(`${day}T00:00:00Z`) + days * dayMs)
}

/** The same day of another month, or that month's last. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return addDays(isoOf(first.getTime()), Math.min(date, last) - 1)
}

/** Where the browser does not say it: Brazil begins with Sunday, as the United States, Spain with Monday. */
const firstDays: Readonly<Record<Locale, number>> = { 'pt-BR': 7, en: 7, es: 1 }

/** What a browser says of a language's weeks, in the older and the newer form, or not at all. */
type Weeks = {
  readonly weekInfo?: { readonly firstDay: number }
  readonly getWeekInfo?: () => { readonly firstDay: number }
}

/** The day with which a week begins: 1 is Monday, 7 is Sunday. */
export function weekStart(locale: Locale, known: Weeks = new Intl.Locale(locale)): number {
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? firstDays[locale]
}

/** How many days the day is behind the beginning of its week. */
export function placeInWeek(day: string, start: number): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() - start + 7) % 7
}

/** The weeks of the day's month. Days of the months beside it are absent. */
export function weeksOf(day: string, start: number): readonly (readonly (string | undefined)[])[] {
  const first = `${day.slice(0, 8)}01`
  const weeks: (string | undefined)[][] = []
  for (let at = addDays(first, -placeInWeek(first, start)); at.slice(0, 7) <= day.slice(0, 7);) {
    const week: (string | undefined)[] = []
    for (let nth = 0; nth < 7; nth += 1) {
      week.push(at.slice(0, 7) === day.slice(0, 7) ? at : undefined)
      at = addDays(at, 1)
    }
    weeks.push(week)
  }
  return weeks
}

function isoOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
