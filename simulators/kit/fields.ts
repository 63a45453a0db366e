// Reads the fields of a JSON body, which may be of any type.
import type { Call } from './http.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The fields of a JSON object; undefined for any other body. */
export function fieldsOf(call: Call): Fields | undefined {
  try {
    return asFields(JSON.parse(call.body.toString('utf8')))
  } catch {
    return undefined
  }
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

export function asText(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= max ? value : undefined
}

export function asInteger(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : undefined
}
