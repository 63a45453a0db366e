// A planted fault: one line of the product, changed as somebody could change it by mistake, and the test that has to notice.
// The lists beside this file are run whole in the soak. A fault that no test notices is a hole in the tests.

/** Where money can be lost; every room has faults. */
export const rooms = [
  'ledger',
  'settlement',
  'refunds',
  'disputes',
  'withdrawals',
  'fees',
  'keys',
  'webhooks',
  'watcher',
  'treasury',
] as const
export type PlantedRoom = (typeof rooms)[number]

export type Fault = {
  readonly room: PlantedRoom
  /** What goes wrong with it, for a reader. */
  readonly what: string
  /** From the root of the tree. */
  readonly file: string
  /** A piece of that file that stands in it once, and what takes its place. */
  readonly find: string
  readonly put: string
  /** The test file that fails then. */
  readonly caughtBy: string
}
