// Events, newest first. The API numbers them without gaps and lists them forward, so the newest number is found by a search, and pages are
// windows before it.
import { get } from '../../api/client.ts'
import type { Page } from '../../api/records.ts'
import type { NumberedEvent } from './delivered-events.ts'

const eventsPage = 50
const readMax = 100
/** So many numbers are asked for at once while the newest is searched. */
const probes = 6
/** A window that holds few events of the wanted types grows, up to this many numbers. */
const windowMax = 100_000
/** So many windows are looked at for one page; then it is shown as it is, and goes on at a press. */
const windowsMax = 12

type Read = { readonly merchantId: string; readonly signal: AbortSignal }

/** The number of the newest event; 0 without one. */
export async function newestSequence({ merchantId, signal }: Read): Promise<number> {
  const isThere = async (sequence: number) => {
    const query = { after: sequence - 1, limit: 1 }
    return (await get<Page<NumberedEvent>>(`/m/${merchantId}/events`, query, signal)).data.length > 0
  }
  let low = 0
  let high = 1
  // Up by powers, then between the last that is there and the first that is not.
  for (;;) {
    const points = Array.from({ length: probes }, (_, index) => high * 2 ** index)
    const found = await Promise.all(points.map(isThere))
    const missing = found.indexOf(false)
    low = missing === 0 ? low : (points[(missing < 0 ? probes : missing) - 1] ?? low)
    high = points[missing < 0 ? probes - 1 : missing] ?? high
    if (missing >= 0) break
    high *= 2
  }
  while (high - low > 1) {
    const step = Math.max(1, Math.floor((high - low) / (probes + 1)))
    const points = Array.from({ length: probes }, (_, index) => low + step * (index + 1)).filter(
      (point) => point < high,
    )
    const found = await Promise.all(points.map(isThere))
    const missing = found.indexOf(false)
    low = points[(missing < 0 ? points.length : missing) - 1] ?? low
    high = missing < 0 ? high : (points[missing] ?? high)
  }
  return low
}

export type EventsBack = {
  /** Newest first. */
  readonly data: readonly NumberedEvent[]
  /** Where the next page begins. Absent: there is nothing before. */
  readonly nextCursor?: string
}

/** The events before the number `before`, of these types. */
export async function eventsBefore(
  read: Read,
  before: number,
  types: string | undefined,
): Promise<EventsBack> {
  const data: NumberedEvent[] = []
  let end = before
  let size = eventsPage
  for (let windows = 0; end > 1 && data.length < eventsPage && windows < windowsMax; windows += 1) {
    const start = Math.max(1, end - size)
    const found = await between(read, start, end, types)
    data.push(...found.toReversed())
    end = start
    if (found.length < eventsPage / 2) size = Math.min(windowMax, size * 8)
  }
  // A window can hold more than a page: the rest comes with the next.
  const shown = data.slice(0, eventsPage)
  const last = shown.length < data.length ? (shown.at(-1)?.sequence ?? end) : end
  return { data: shown, ...(last > 1 ? { nextCursor: String(last) } : {}) }
}

/** All events with a number from `start` up to before `end`; of a large window the newest are not left out. */
async function between(
  { merchantId, signal }: Read,
  start: number,
  end: number,
  types: string | undefined,
): Promise<NumberedEvent[]> {
  const found: NumberedEvent[] = []
  let after = start - 1
  for (;;) {
    const query = { after, limit: readMax, types }
    const page = await get<Page<NumberedEvent>>(`/m/${merchantId}/events`, query, signal)
    found.push(...page.data.filter(({ sequence }) => sequence < end))
    const last = page.data.at(-1)
    if (last === undefined || page.nextCursor === undefined || last.sequence >= end - 1) return found
    after = last.sequence
  }
}
