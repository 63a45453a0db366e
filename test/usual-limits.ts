// A test of what the database's limits do has them as they usually are; a test run lengthens them for everything else.
import { lengthenLimits } from '#/db/limits.ts'

/** The usual limits until the end of the block. */
export function usualLimits(): Disposable {
  const before = lengthenLimits(1)
  return { [Symbol.dispose]: () => void lengthenLimits(before) }
}
