// Months of the calendar, as texts such as 2026-11.

/** How many months before the present one are offered. */
const offered = 24

/** The present month in the time zone. */
export function monthNow(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
  }).formatToParts()
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}`
}

/** The month so many months later. */
export function otherMonth(month: string, later: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + later, 1)).toISOString().slice(0, 7)
}

/** The last day of the month: 2026-11-30. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** The present month and those before it, newest first; also the chosen one, where it lies further back. */
export function monthsBack(present: string, chosen: string): readonly string[] {
  const months = Array.from({ length: offered }, (_, back) => otherMonth(present, -back))
  return months.includes(chosen) ? months : [...months, chosen]
}

/** `novembro de 2026` */
export function nameOfMonth(month: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-15T12:00:00Z`),
  )
}
