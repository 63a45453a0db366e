// A planted fault: a deliberate mistake in one line of the product, and the test that must detect it. The soak plants the faults of all
// lists beside this file. A fault that no test detects shows that a test is missing.

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
  'acts',
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
