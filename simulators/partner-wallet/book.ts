// Changes the state and keeps the change. Everything that happens in the wallet passes through here, live or read again.
import * as kit from '../kit/book.ts'
import type { Happening, Task } from './events.ts'
import { apply, emptyState, type State } from './state.ts'

export type Book = kit.Book<State, Happening, Task>

/** Opens the book in `dir`. Without a `seed` its own goes on, and a new book takes a random one. */
export function openBook(dir: string, seed: number | undefined): Promise<Book> {
  return kit.openBook<State, Happening, Task>({ dir, seed, state: emptyState(), apply, remembered: 5000 })
}
