// Spans of time as ISO 8601 writes them, without months and years, whose lengths differ.
import { dayMs, hourMs, minuteMs, secondMs } from './time.ts'

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
