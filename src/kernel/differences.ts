// What differs between two requests that have the same idempotency key.
import type { FieldFault } from './error.ts'
import { canonicalJson } from './json.ts'

/** Which fields of the body differ from the first call's. */
export function differences(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): readonly FieldFault[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names]
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null))
    .map((name) => ({ pointer: `/${name}`, code: 'differs', message: wasMessage(before[name]) }))
}

function wasMessage(value: unknown): string {
  if (value === undefined) return 'was absent'
  return `was ${canonicalJson(value).slice(0, 200)}`
}
