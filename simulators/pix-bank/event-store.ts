// Changes the state and keeps the change. Every event of the bank passes through here, live or replayed.
import * as kit from '../kit/event-store.ts'
import type { Happening, Task } from './events.ts'
import { apply, emptyState, type State } from './state.ts'

export type EventStore = kit.EventStore<State, Happening, Task>

/** Opens the event store in `dir`. `seed`: default the stored one, or a random one for a new event store. */
export function openEventStore(dir: string, seed: number | undefined): Promise<EventStore> {
  return kit.openEventStore<State, Happening, Task>({
    dir,
    seed,
    state: emptyState(),
    apply,
    forgets: ({ type }) => type === 'reset',
    remembered: 20_000,
  })
}
