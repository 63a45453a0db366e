// How much a test does. `npm test` keeps to the quick counts; `npm run test:soak` does the full ones.
import { test } from 'node:test'

/** Whether this is a soak run. */
export const isSoak = process.env.VINTEM_SOAK === '1'

/** The count for this kind of run. */
export function count({ quick, soak }: { readonly quick: number; readonly soak: number }): number {
  return isSoak ? soak : quick
}

/** A test that only the soak runs: the quick run tests its rule elsewhere, or by a neighbour that costs less. */
export function soakTest(name: string, body: () => void | Promise<void>): void {
  if (isSoak) void test(name, body)
}
