// How much a test does: `npm test` uses the quick counts, `npm run test:soak` the full ones.
import { test } from 'node:test'

/** A soak does this part of its full counts: 10 is a tenth of them. */
const soakPart = Number(process.env.VINTEM_SOAK ?? 0)

/** Whether this is a soak run. */
export const isSoak = soakPart > 0

/** The count for this kind of run. A soak never does less than the quick run. */
export function count({ quick, soak }: { readonly quick: number; readonly soak: number }): number {
  return isSoak ? Math.max(quick, Math.ceil(soak / soakPart)) : quick
}

/** A test that only the soak runs: the quick run tests its rule elsewhere, or by a cheaper variant. */
export function soakTest(name: string, body: () => void | Promise<void>): void {
  if (isSoak) void test(name, body)
}

/** Every `parts`-th of all, from the `from`-th on: a fixed part for the quick run. The soak takes all. */
export function partOf<Each>(all: readonly Each[], parts: number, from = 0): readonly Each[] {
  return isSoak ? all : all.filter((_, index) => index % parts === from)
}
