// The only file that reads the machine's clock. All other code gets a Clock.

export type Clock = { readonly now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only by `advance`: for tests. */
type TestClock = Clock & { advance: (ms: number) => void }

export function testClock(startAt: Date): TestClock {
  let at = startAt.getTime()
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms
    },
  }
}

/** `at` moved by `ms` milliseconds. */
export function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

/** The day of `at` in UTC, such as 2026-11-22: limits count by it. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** Parses an instant in ISO 8601 with a zone. Undefined when there is no such instant, such as on 31 April. */
export function parseInstant(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  const day = text.slice(0, 10)
  // JavaScript reads a day that a month does not have as one of the next month, and 24:00 as the next day's midnight.
  const isDay = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  const at = new Date(text)
  return !isDay || text.startsWith('T24', 10) || Number.isNaN(at.getTime()) ? undefined : at
}

/** The instant of a count of seconds since 1970, as chains write it. */
export function unixSeconds(seconds: bigint): Date {
  return new Date(Number(seconds) * 1_000)
}

export const secondMs = 1_000
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Waits `ms`, or until `signal` is aborted. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Milliseconds of a clock that never goes back: only for measuring durations. */
export function monotonicMs(): number {
  return performance.now()
}

// Spans of time as ISO 8601 writes them, without months and years, whose lengths differ.

const whole = '[0-9]{1,9}'
const date = `(?:${whole}W(?:${whole}D)?|${whole}D)`
const time = `T(?:${whole}H(?:${whole}M)?(?:${whole}S)?|${whole}M(?:${whole}S)?|${whole}S)`

/** As a regular expression of JSON Schema: weeks, days, hours, minutes and seconds in this order, at least one of them. */
export const durationPattern = `^P(?:${date}(?:${time})?|${time})$`

const parts = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** The milliseconds of a duration such as P2D or PT1H30M. A day has 24 hours. Undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const found = new RegExp(durationPattern).test(text) ? parts.exec(text) : null
  if (found === null) return undefined
  const units = [7 * dayMs, dayMs, hourMs, minuteMs, secondMs]
  return units.reduce((sum, unit, index) => sum + unit * Number(found[index + 1] ?? 0), 0)
}
