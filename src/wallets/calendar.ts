// Days, weeks and months as people in a time zone count them: some days have 23 or 25 hours, some do not exist, and some
// offsets are not whole hours.
import type { intervals } from '#/contract/wallets.ts'
import { must } from '#/kernel/check.ts'
import { addMs, unixSeconds } from '#/kernel/time.ts'

export type Interval = (typeof intervals)[number]

/** One day, week or month of a calendar. */
export type CalendarSpan = {
  /** Its first day. */
  readonly date: string
  /** Inclusive. */
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
}

/** The name of a zone as the IANA database writes it, or undefined when there is no such zone. */
export function zoneOf(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return undefined
  }
}

/** The first instant of a day such as 2026-11-21, or undefined when the date does not exist in the calendar. */
export function startOfDay(date: string, zone: string): Date | undefined {
  try {
    return startOf(Temporal.PlainDate.from(date, { overflow: 'reject' }), zone)
  } catch {
    return undefined
  }
}

/**
 * The days, weeks (from Monday, ISO 8601) or months that touch the span, each of them whole; at most
 * `limit`. They follow each other without a gap. A day that a zone skipped, as Samoa did once, is left out.
 */
export function spansOf(
  { interval, zone }: { readonly interval: Interval; readonly zone: string },
  { from, to }: { readonly from: Date; readonly to: Date },
  limit: number,
): readonly CalendarSpan[] {
  const first = firstDayOf(interval, dateOf(from, zone))
  const found: CalendarSpan[] = []
  for (let nth = 0; found.length < limit; nth += 1) {
    const [date, next] = [moved(first, interval, nth), moved(first, interval, nth + 1)]
    const span = { date: date.toString(), from: startOf(date, zone), to: startOf(next, zone) }
    if (span.from >= to) break
    // Where a zone repeats the last minutes of a day after midnight, the date alone is ambiguous.
    if (span.from < span.to && span.to > from) found.push(span)
  }
  return found
}

/** The start of the span that lies `count` spans before the span of the instant. */
export function spansBefore(
  { interval, zone }: { readonly interval: Interval; readonly zone: string },
  at: Date,
  count: number,
): Date {
  return startOf(moved(firstDayOf(interval, dateOf(at, zone)), interval, -count), zone)
}

function dateOf(at: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate()
}

function firstDayOf(interval: Interval, date: Temporal.PlainDate): Temporal.PlainDate {
  if (interval === 'DAY') return date
  if (interval === 'WEEK') return date.subtract({ days: date.dayOfWeek - 1 })
  return date.with({ day: 1 })
}

const units = { DAY: 'days', WEEK: 'weeks', MONTH: 'months' } as const

function moved(date: Temporal.PlainDate, interval: Interval, count: number): Temporal.PlainDate {
  return date.add({ [units[interval]]: count })
}

function startOf(date: Temporal.PlainDate, zone: string): Date {
  const { epochMilliseconds } = date.toZonedDateTime(zone)
  return addMs(unixSeconds(0n), must(epochMilliseconds, 'a day has a start'))
}
