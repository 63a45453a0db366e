// Our own faults. A broken invariant stops the present work; it never means that the caller was wrong.

/** Thrown when our own code is wrong. The response is 500 without details, and an operator is alerted. */
export class InvariantError extends Error {
  override name = 'InvariantError'
  constructor(message: string) {
    super(message)
    failures += 1
  }
}

let failures = 0

/** How many invariants were broken in this process since it started. */
export function invariantFailures(): number {
  return failures
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
