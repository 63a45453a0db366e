// Events in their order, kept in a journal, and the state that they make, live or read again. For simulators whose state is
// best thought of as what happened; one that thinks in objects keeps a store.
import { openMemory, type Memory } from './memory.ts'

/** An event with its place in the order of all. */
export type Told<Event> = { readonly sequence: number; readonly event: Event }

export type Book<State, Event, Task> = Memory<Event> & {
  readonly state: State
  /** Records a task that falls due `delayMs` from now, and says its number. */
  schedule(delayMs: number, what: Task): number
  /** Told of every task as it is scheduled. */
  onScheduled(listener: (task: number) => void): void
  /** The last events, oldest first. */
  recent(): readonly Told<Event>[]
}

type Options<State, Event, Task> = {
  readonly dir: string
  /** Without one the book's own goes on, and a new book takes a random one. */
  readonly seed: number | undefined
  /** As it is before anything happened; `apply` changes it. */
  readonly state: State
  readonly apply: (state: State, event: Event) => void
  /** The event that says that a task of this number falls due so much later. */
  readonly scheduled: (task: number, delayMs: number, what: Task) => Event
  /** How many tasks there have been. */
  readonly tasksOf: (state: State) => number
  /** How many of the last events can be looked at. */
  readonly remembered: number
}

/** Opens the book in `dir` and reads what it has. */
export async function openBook<State, Event, Task>(
  options: Options<State, Event, Task>,
): Promise<Book<State, Event, Task>> {
  const { dir, seed, state, apply, scheduled, tasksOf } = options
  const log = createLog<Event>(options.remembered)
  const memory = await openMemory<Event>(dir, seed, (event) => {
    apply(state, event)
    log.add(event)
  })
  let onScheduled: (task: number) => void = () => undefined
  return {
    ...memory,
    state,
    schedule: (delayMs, what) => {
      const task = tasksOf(state) + 1
      memory.record(scheduled(task, delayMs, what))
      onScheduled(task)
      return task
    },
    onScheduled: (listener) => (onScheduled = listener),
    recent: log.all,
  }
}

function createLog<Event>(remembered: number) {
  let events: Told<Event>[] = []
  let sequence = 0
  return {
    add: (event: Event) => {
      sequence += 1
      events.push({ sequence, event })
      if (events.length >= 2 * remembered) events = events.slice(-remembered)
    },
    all: (): readonly Told<Event>[] => events,
  }
}
