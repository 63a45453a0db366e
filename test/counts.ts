// How much a test does. `npm test` keeps to the quick counts; `npm run test:soak` does the full ones.

/** Whether this is a soak run. */
export const isSoak = process.env.VINTEM_SOAK === '1'

/** The count for this kind of run. */
export function count({ quick, soak }: { readonly quick: number; readonly soak: number }): number {
  return isSoak ? soak : quick
}
