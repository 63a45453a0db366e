// Tables of named values: an event store whose events are changes of tables. For a simulator whose state is a set of objects. A
// simulator whose state follows from what happened defines events of its own.
import { openEventStore, type EventStore } from './event-store.ts'
import { seededText } from './seed.ts'

export type Table<T> = {
  readonly size: number
  get(id: string): T | undefined
  /** In the order in which they were first put. */
  all(): Iterable<T>
  entries(): Iterable<readonly [string, T]>
  /** Values are never changed in place: a change is another value. */
  put(id: string, value: T): T
  drop(id: string): void
}

type Tables = ReadonlyMap<string, ReadonlyMap<string, unknown>>

export type Store<Task> = Omit<EventStore<Tables, Change, Task>, 'record' | 'recent' | 'state'> & {
  table<T>(name: string): Table<T>
  /** The next number of a kind, from 1. */
  next(kind: string): number
  /** The next name of a kind: letters and digits, from the seed. */
  name(kind: string, length: number): string
}

/** A table, an id, and its value; without a value it was dropped. */
type Change = readonly [table: string, id: string, value?: unknown]

const counts = '#counts'

/** Opens the store in `dir`. `seed`: default the stored one, or a random one for a new store. */
export async function openStore<Task>(dir: string, seed?: number): Promise<Store<Task>> {
  const tables = new Map<string, Map<string, unknown>>()
  const tableOf = (name: string): Map<string, unknown> => {
    const table = tables.get(name) ?? new Map<string, unknown>()
    tables.set(name, table)
    return table
  }
  const {
    record,
    recent: _,
    state: __,
    ...others
  } = await openEventStore<Tables, Change, Task>({
    dir,
    seed,
    state: tables,
    apply: (___, change) => apply(tableOf(change[0]), change),
    remembered: 1,
  })
  const next = (kind: string): number => {
    const last = (tableOf(counts).get(kind) as number | undefined) ?? 0
    record([counts, kind, last + 1])
    return last + 1
  }
  return {
    ...others,
    table: <T>(name: string) => tableView<T>(name, tableOf(name) as Map<string, T>, record),
    next,
    name: (kind, length) => seededText(others.seed, kind, next(kind), length),
  }
}

function apply(table: Map<string, unknown>, change: Change): void {
  if (change.length === 2) table.delete(change[1])
  else table.set(change[1], change[2])
}

function tableView<T>(name: string, map: ReadonlyMap<string, T>, record: (change: Change) => void): Table<T> {
  return {
    get size() {
      return map.size
    },
    get: (id) => map.get(id),
    all: () => map.values(),
    entries: () => map.entries(),
    put: (id, value) => {
      record([name, id, value])
      return value
    },
    drop: (id) => {
      if (map.has(id)) record([name, id])
    },
  }
}
