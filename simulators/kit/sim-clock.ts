// The machine's clock, and what is to be done later, which can be made to come sooner.
import { now } from './clock.ts'
import type { Store } from './store.ts'

const timerMax = 2 ** 31 - 1

export type SimClock = {
  /** The machine's, in milliseconds since 1970: what calls are judged by, and what objects show. */
  now(): number
  seconds(): number
  /**
   * The same and all that was skipped, in milliseconds. Only what is put off until later goes by it: the others, whose clocks
   * were not put forward, would not be understood any more.
   */
  dueTime(): number
  /** Skips so much of what everything that is put off still has to wait, and tells those who wait. */
  advance(seconds: number): void
  onAdvance(listener: () => void): void
}

/** The machine's clock, and what was skipped, which a restart remembers. */
export function createSimClock(store: Store): SimClock {
  const ahead = store.table<number>('#ahead')
  const listeners: (() => void)[] = []
  return {
    now,
    seconds: () => Math.floor(now() / 1000),
    dueTime: () => now() + (ahead.get('ms') ?? 0),
    advance: (seconds) => {
      ahead.put('ms', (ahead.get('ms') ?? 0) + seconds * 1000)
      for (const listener of listeners) listener()
    },
    onAdvance: (listener) => void listeners.push(listener),
  }
}

/** What is to be done later, each under a name of its own. A restart goes on with what was left. */
export type Agenda<T> = {
  /** In so many milliseconds. Replaces what was planned under that name. */
  plan(name: string, afterMs: number, what: T): void
  drop(name: string): void
  /** From now on `perform` is called with what is due; what is due already at once. */
  start(perform: (what: T) => void): void
  stop(): void
}

type Planned<T> = { readonly dueAt: number; readonly what: T }

export function createAgenda<T>(store: Store, clock: SimClock): Agenda<T> {
  const table = store.table<Planned<T>>('#agenda')
  let perform: ((what: T) => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let armedFor = Infinity
  const arm = (dueAt: number) => {
    if (perform === undefined || dueAt >= armedFor) return
    clearTimeout(timer)
    armedFor = dueAt
    timer = setTimeout(run, Math.min(Math.max(0, dueAt - clock.dueTime()), timerMax))
  }
  const run = () => {
    armedFor = Infinity
    for (;;) {
      const first = earliest(table.entries())
      if (first === undefined || perform === undefined) return
      const [name, { dueAt, what }] = first
      if (dueAt > clock.dueTime()) return arm(dueAt)
      const work = perform
      store.together(() => {
        table.drop(name)
        work(what)
      })
    }
  }
  clock.onAdvance(run)
  return {
    plan: (name, afterMs, what) => {
      const dueAt = clock.dueTime() + afterMs
      table.put(name, { dueAt, what })
      arm(dueAt)
    },
    drop: (name) => table.drop(name),
    start: (work) => {
      perform = work
      run()
    },
    stop: () => {
      perform = undefined
      clearTimeout(timer)
    },
  }
}

function earliest<T>(entries: Iterable<readonly [string, Planned<T>]>) {
  let first: readonly [string, Planned<T>] | undefined
  for (const entry of entries) if (first === undefined || entry[1].dueAt < first[1].dueAt) first = entry
  return first
}
