// The machine's clock, and how instants are written.

export function now(): number {
  return Date.now()
}

/** Whole seconds since 1970. */
export function seconds(): number {
  return Math.floor(now() / 1000)
}

/** RFC 3339 in UTC with milliseconds. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}

/** Milliseconds of an RFC 3339 instant; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i.test(text))
    return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
