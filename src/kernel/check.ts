// Our own faults. A broken invariant stops the present work; it never means that the caller was wrong.

/** Thrown when our own code is wrong. The response is 500 without details, and an operator is alerted. */
export class InvariantError extends Error {
  override name = 'InvariantError'
}

/** Throws when `condition` is false. `message` names the invariant that was broken. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** Returns the value. Throws InvariantError when there is none. */
export function must<T>(value: T | null | undefined, message: string): T {
  invariant(value !== undefined && value !== null, message)
  return value
}
