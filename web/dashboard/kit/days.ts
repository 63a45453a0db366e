// Days of a time zone as instants, for the spans of lists.

const hour = 3_600_000
const day = 24 * hour

/** The instant at which the day begins in the time zone, `later` days after it. Undefined when it is no day. */
export function startOfDay(date: string, later: number, timeZone: string): string | undefined {
  const noon = Date.parse(`${date}T12:00:00Z`)
  if (Number.isNaN(noon)) return undefined
  const dayText = new Date(noon + later * day).toISOString().slice(0, 10)
  const midnight = Date.parse(`${dayText}T00:00:00Z`)
  // The offset of the zone differs by the day, so it is computed for that very midnight.
  const first = midnight - offsetAt(midnight, timeZone)
  return new Date(midnight - offsetAt(first, timeZone)).toISOString()
}

/** The days of a filter in the reader's time zone, as a span of instants: it ends when the day after its last one begins. */
export function spanOf(
  { from, to }: Readonly<Record<string, string | undefined>>,
  timeZone: string,
): { readonly from: string | undefined; readonly to: string | undefined } {
  return {
    from: from === undefined ? undefined : startOfDay(from, 0, timeZone),
    to: to === undefined ? undefined : startOfDay(to, 1, timeZone),
  }
}

/** How far the zone's clock is ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0)
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
    instant
  )
}
