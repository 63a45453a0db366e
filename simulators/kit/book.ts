// What a simulator remembers: events in their order, each applied to a state and kept in a journal, live or read again.
import { join } from 'node:path'
import { openJournal } from './journal.ts'
import { freshSeed } from './seed.ts'

/** An event with its place in the order of all. */
export type Told<Event> = { readonly sequence: number; readonly event: Event }

export type Book<State, Event, Task> = {
  readonly state: State
  readonly seed: number
  /** What `record`s are made inside happened together: all of them survive a crash, or none. */
  together<T>(work: () => T): T
  record(event: Event): void
  /** Records a task that falls due `delayMs` from now, and says its number. */
  schedule(delayMs: number, what: Task): number
  /** Told of every task as it is scheduled. */
  onScheduled(listener: (task: number) => void): void
  /** The last events, oldest first. */
  recent(): readonly Told<Event>[]
  kept(): Promise<void> | undefined
  close(): Promise<void>
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

type Line<Event> = readonly Event[] | { readonly seed: number }

/** Opens the book in `dir` and reads what it has. */
export async function openBook<State, Event, Task>(
  options: Options<State, Event, Task>,
): Promise<Book<State, Event, Task>> {
  const { dir, seed, state, apply, scheduled, tasksOf } = options
  const log = createLog<Event>(options.remembered)
  const keep = (event: Event) => {
    apply(state, event)
    log.add(event)
  }
  let own: number | undefined
  const journal = await openJournal(join(dir, 'journal.jsonl'), (text) => {
    const line = JSON.parse(text) as Line<Event>
    if ('seed' in line) own = line.seed
    else for (const event of line) keep(event)
  })
  const used = seed ?? own ?? freshSeed()
  if (used !== own) journal.append(JSON.stringify({ seed: used } satisfies Line<Event>))
  let group: Event[] | undefined
  let onScheduled: (task: number) => void = () => undefined
  const record = (event: Event) => {
    keep(event)
    if (group === undefined) journal.append(JSON.stringify([event]))
    else group.push(event)
  }
  return {
    state,
    seed: used,
    together: (work) => {
      if (group !== undefined) return work()
      const mine: Event[] = []
      group = mine
      try {
        return work()
      } finally {
        group = undefined
        if (mine.length > 0) journal.append(JSON.stringify(mine))
      }
    },
    record,
    schedule: (delayMs, what) => {
      const task = tasksOf(state) + 1
      record(scheduled(task, delayMs, what))
      onScheduled(task)
      return task
    },
    onScheduled: (listener) => (onScheduled = listener),
    recent: log.all,
    kept: journal.kept,
    close: journal.close,
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
