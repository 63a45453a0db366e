// Changes the state and keeps the change. Everything that happens in the wallet passes through here, live or read again.
import { join } from 'node:path'
import { now } from '../kit/clock.ts'
import { openJournal } from '../kit/journal.ts'
import { freshSeed } from '../kit/seed.ts'
import type { Happening, Task } from './events.ts'
import { apply, emptyState, type State } from './state.ts'

const remembered = 5000

type Line = readonly Happening[] | { readonly seed: number }

/** An event with its place in the order of all. */
export type Told = { readonly sequence: number; readonly event: Happening }

export type Book = {
  readonly state: State
  readonly seed: number
  /**
   * The wallet's clock, in milliseconds: the machine's, and what it was advanced by. Only what is put off until later goes
   * by it; instants that merchants see are the machine's.
   */
  clock(): number
  /** What `record`s are made inside happened together: all of them survive a crash, or none. */
  together<T>(work: () => T): T
  record(event: Happening): void
  /** Records a task that falls due `delayMs` from now, and says its number. */
  schedule(delayMs: number, what: Task): number
  /** Told of every task as it is scheduled. */
  onScheduled(listener: (task: number) => void): void
  /** The last events, oldest first. */
  recent(): readonly Told[]
  kept(): Promise<void> | undefined
  close(): Promise<void>
}

/** Opens the book in `dir`. Without a `seed` its own goes on, and a new book takes a random one. */
export async function openBook(dir: string, seed: number | undefined): Promise<Book> {
  const state = emptyState()
  let told: Told[] = []
  let sequence = 0
  const keep = (event: Happening) => {
    apply(state, event)
    sequence += 1
    told.push({ sequence, event })
    if (told.length >= 2 * remembered) told = told.slice(-remembered)
  }
  let own: number | undefined
  const journal = await openJournal(join(dir, 'journal.jsonl'), (line) => {
    const read = JSON.parse(line) as Line
    if ('seed' in read) own = read.seed
    else for (const event of read) keep(event)
  })
  const used = seed ?? own ?? freshSeed()
  if (used !== own) journal.append(JSON.stringify({ seed: used } satisfies Line))
  let group: Happening[] | undefined
  let onScheduled: (task: number) => void = () => undefined
  const clock = () => now() + state.ahead
  const record = (event: Happening) => {
    keep(event)
    if (group === undefined) journal.append(JSON.stringify([event]))
    else group.push(event)
  }
  return {
    state,
    seed: used,
    clock,
    together: (work) => {
      if (group !== undefined) return work()
      const mine: Happening[] = []
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
      const task = state.counts.tasks + 1
      record({ type: 'task.scheduled', at: now(), task, dueAt: clock() + delayMs, what })
      onScheduled(task)
      return task
    },
    onScheduled: (listener) => (onScheduled = listener),
    recent: () => told,
    kept: journal.kept,
    close: journal.close,
  }
}
