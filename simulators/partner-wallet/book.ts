// Changes the state and keeps the change. Everything that happens in the wallet passes through here, live or read again.
import * as kit from '../kit/book.ts'
import { now } from '../kit/clock.ts'
import type { Happening, Task } from './events.ts'
import { apply, emptyState, type State } from './state.ts'

export type Book = kit.Book<State, Happening, Task> & {
  /**
   * The wallet's clock, in milliseconds: the machine's, and what it was advanced by. Only what is put off until later goes
   * by it; instants that merchants see are the machine's.
   */
  clock(): number
}

/** Opens the book in `dir`. Without a `seed` its own goes on, and a new book takes a random one. */
export async function openBook(dir: string, seed: number | undefined): Promise<Book> {
  const state = emptyState()
  const clock = () => now() + state.ahead
  const book = await kit.openBook<State, Happening, Task>({
    dir,
    seed,
    state,
    apply,
    scheduled: (task, delayMs, what) => ({
      type: 'task.scheduled',
      at: now(),
      task,
      dueAt: clock() + delayMs,
      what,
    }),
    tasksOf: ({ counts }) => counts.tasks,
    remembered: 5000,
  })
  return { ...book, clock }
}
