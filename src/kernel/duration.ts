// Spans of time as ISO 8601 writes them, without months and years, whose lengths differ.
import { hourMs, minuteMs, secondMs } from './time.ts'

const dayMs = 24 * hourMs

/** As a regular expression of JSON Schema: the parts in their order, at least one of them. */
export const durationPattern =
  '^P(?=\\d|T\\d)(?:\\d{1,9}W)?(?:\\d{1,9}D)?(?:T(?=\\d)(?:\\d{1,9}H)?(?:\\d{1,9}M)?(?:\\d{1,9}S)?)?$'

const parts = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** The milliseconds of a duration such as P2D or PT1H30M. A day has 24 hours. Undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const found = new RegExp(durationPattern).test(text) ? parts.exec(text) : null
  if (found === null) return undefined
  const units = [7 * dayMs, dayMs, hourMs, minuteMs, secondMs]
  return units.reduce((sum, unit, index) => sum + unit * Number(found[index + 1] ?? 0), 0)
}
