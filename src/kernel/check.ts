// Our own faults. A broken invariant stops the work at hand; it is never a verdict on the caller.

/** Thrown when our own code broke a promise. Answered with 500 and paged; never shown to a caller in detail. */
export class InvariantError extends Error {
  override name = 'InvariantError'
}

/** Stops when `condition` is false. `message` says which promise was broken. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** The value, or a broken invariant when there is none. */
export function must<T>(value: T | null | undefined, message: string): T {
  invariant(value !== undefined && value !== null, message)
  return value
}
