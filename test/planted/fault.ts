// A planted fault: one line of the product, changed as by mistake, and the test that must notice.
// The soak runs all of the lists beside this file. A fault that no test notices is a hole in the tests.

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
  'banks',
  'cells',
] as const
export type PlantedRoom = (typeof rooms)[number]

export type Fault = {
  readonly room: PlantedRoom
  /** The effect of the fault, for a reader. */
  readonly what: string
  /** From the root of the tree. */
  readonly file: string
  /** A piece of that file that occurs in it once, and its replacement. */
  readonly find: string
  readonly put: string
  /** The test file that fails then. */
  readonly caughtBy: string
}
