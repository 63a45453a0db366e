// How a rail whose facts are in tables of its own puts them into the inbox.
import type { Clock } from '#/kernel/time.ts'
import type { KeepSignals } from '#/rails/rail.ts'
import { insertSignals } from './inbox-queries.ts'

/** `clock`: when they were received. */
export function signalKeeper(clock: Clock): KeepSignals {
  return (tx, method, connection, bodies) =>
    insertSignals(
      tx,
      bodies.map((body) => ({ method, connection, body })),
      clock.now(),
    )
}
