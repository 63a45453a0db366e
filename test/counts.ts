// How much a test does: `npm test` uses the quick counts, `npm run test:soak` the full ones.
import { test } from 'node:test'

/** Whether this is a soak run. */
export const isSoak = process.env.VINTEM_SOAK === '1'

/** The count for this kind of run. */
export function count({ quick, soak }: { readonly quick: number; readonly soak: number }): number {
  return isSoak ? soak : quick
}

/** A test that only the soak runs: the quick run tests its rule elsewhere, or by a cheaper variant. */
export function soakTest(name: string, body: () => void | Promise<void>): void {
  if (isSoak) void test(name, body)
}

/** One of `parts` equal parts of all: another each day (UTC), so that the quick run has seen all after as many days. The soak takes all. */
export function turnOf<Each>(all: readonly Each[], parts: number, ahead = 0): readonly Each[] {
  const day = Math.floor(Date.now() / 86_400_000)
  return all.filter((_, index) => index % parts === (day + ahead) % parts)
}
