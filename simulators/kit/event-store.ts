// Events in their order, kept in a journal, and the state that follows from them, live or replayed. The tasks for later, and the
// advances of accounts, are events too: the event store keeps those for every simulator.
import { now } from './clock.ts'
import { openMemory, type Memory } from './memory.ts'

/** An event with its place in the order of all. */
export type Recorded<Event> = { readonly sequence: number; readonly event: Event }

/** The events whose facts are said by type: those of one type, or all. */
export type EventsOf<Facts, Type extends keyof Facts = keyof Facts> = {
  [Each in Type]: { readonly type: Each; readonly at: number } & Readonly<Facts[Each]>
}[Type]

/** The events that an event store records itself. */
export type StoreEvent<Task> =
  | {
      readonly type: 'task.scheduled'
      readonly at: number
      readonly task: number
      readonly dueAt: number
      readonly what: Task
      readonly name?: string
    }
  | { readonly type: 'task.ended'; readonly at: number; readonly task: number }
  | (Advance & { readonly type: 'account.advanced'; readonly at: number })
  // Of earlier versions, in which one clock counted for every account.
  | { readonly type: 'clock.advanced'; readonly at: number; readonly byMs: number }

export type Scheduled<Task> = { readonly dueAt: number; readonly what: Task }

/** An advance: the future of an account came closer by a span of time. */
export type Advance = {
  readonly account: string
  /** The caller's name of it: the same one counts once. */
  readonly id: string
  readonly byMs: number
  /** The tasks that moved. */
  readonly tasks: readonly number[]
  /** How many objects of each kind moved. */
  readonly moved: Readonly<Record<string, number>>
}

/** How many of an account's last advances are remembered by id. */
const advancesMax = 1_000

/** Tasks for later, by number. `dueAt` is by the event store's clock. */
export type Tasks<Task> = {
  /**
   * Milliseconds since 1970: the machine's time, plus the advances of the one clock that an earlier version had. Only tasks, and
   * dates that callers cannot see, use it.
   */
  clock(): number
  readonly tasks: ReadonlyMap<number, Scheduled<Task>>
  /** Records a task that falls due `delayMs` from now, and returns its number. It replaces a task of the same name. */
  schedule(delayMs: number, what: Task, name?: string): number
  /** Records that the task is done. */
  end(task: number): void
  /** Drops the task of this name, if there is one. */
  cancel(name: string): void
  /** Records an advance: its tasks fall due that much earlier. Call `settle` after the group in which it is recorded. */
  advance(advance: Advance): void
  /** Runs what has fallen due by an advance. */
  settle(): void
  /** The account's advance with this id; undefined also when it was forgotten. */
  advanceOf(account: string, id: string): Advance | undefined
  /** How many advances the account ever had. */
  advances(account: string): number
  /** `listener` is called for each scheduled task, and without a number when tasks moved. */
  onChange(listener: (task?: number) => void): void
}

export type EventStore<State, Event, Task> = Memory<Event> &
  Tasks<Task> & {
    readonly state: State
    /** The last events, oldest first. */
    recent(): readonly Recorded<Event | StoreEvent<Task>>[]
  }

type Options<State, Event> = {
  readonly dir: string
  /** Default: the stored seed, or a random one for a new event store. */
  readonly seed: number | undefined
  /** The state before the first event; `apply` changes it. */
  readonly state: State
  readonly apply: (state: State, event: Event) => void
  /** Whether an event drops all tasks. */
  readonly forgets?: (event: Event) => boolean
  /** How many of the last events are kept in memory. */
  readonly remembered: number
}

/** Opens the event store in `dir` and replays its events. */
export async function openEventStore<State, Event extends object, Task>(
  options: Options<State, Event>,
): Promise<EventStore<State, Event, Task>> {
  const { dir, seed, state, apply, forgets } = options
  const log = createLog<Event | StoreEvent<Task>>(options.remembered)
  const desk = createDesk<Task>()
  const memory = await openMemory<Event | StoreEvent<Task>>(dir, seed, (event) => {
    if (isStoreEvent<Task>(event)) desk.apply(event)
    else {
      apply(state, event)
      if (forgets?.(event) === true) desk.clear()
    }
    log.add(event)
  })
  const { record } = memory
  const clock = () => now() + desk.ahead()
  let onChange: (task?: number) => void = () => undefined
  return {
    ...memory,
    state,
    clock,
    tasks: desk.tasks,
    schedule: (delayMs, what, name) => {
      const task = desk.last() + 1
      const named = name === undefined ? {} : { name }
      record({ type: 'task.scheduled', at: now(), task, dueAt: clock() + delayMs, what, ...named })
      onChange(task)
      return task
    },
    end: (task) => {
      if (desk.tasks.has(task)) record({ type: 'task.ended', at: now(), task })
    },
    cancel: (name) => {
      const task = desk.named(name)
      if (task !== undefined) record({ type: 'task.ended', at: now(), task })
    },
    advance: (advance) => record({ type: 'account.advanced', at: now(), ...advance }),
    settle: () => onChange(),
    advanceOf: desk.advanceOf,
    advances: desk.advances,
    onChange: (listener) => (onChange = listener),
    recent: log.all,
  }
}

const storeEventTypes: ReadonlySet<unknown> = new Set([
  'task.scheduled',
  'task.ended',
  'account.advanced',
  'clock.advanced',
])

/**
 * Returns the entry; throws when it is missing. Events are checked before they are recorded, so every entry that an event names
 * exists.
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The journal names something that is not there.')
  return value
}

export function isStoreEvent<Task>(event: object): event is StoreEvent<Task> {
  return 'type' in event && storeEventTypes.has(event.type)
}

function createDesk<Task>() {
  const tasks = new Map<number, Scheduled<Task>>()
  const names = new Map<string, number>()
  const nameOf = new Map<number, string>()
  const { remember, ...advances } = createAdvances()
  let last = 0
  let ahead = 0
  const drop = (task: number) => {
    tasks.delete(task)
    names.delete(nameOf.get(task) ?? '')
    nameOf.delete(task)
  }
  const add = ({
    task,
    dueAt,
    what,
    name,
  }: Extract<StoreEvent<Task>, { readonly type: 'task.scheduled' }>) => {
    last = task
    if (name !== undefined) {
      drop(names.get(name) ?? 0)
      names.set(name, task)
      nameOf.set(task, name)
    }
    tasks.set(task, { dueAt, what })
  }
  const advance = (event: Extract<StoreEvent<Task>, { readonly type: 'account.advanced' }>) => {
    const { type: _, at: __, ...made } = event
    for (const task of made.tasks) {
      const { dueAt, what } = present(tasks.get(task))
      tasks.set(task, { dueAt: dueAt - made.byMs, what })
    }
    remember(made)
  }
  return {
    tasks,
    ahead: () => ahead,
    last: () => last,
    named: (name: string) => names.get(name),
    ...advances,
    apply: (event: StoreEvent<Task>) => {
      switch (event.type) {
        case 'task.scheduled':
          return add(event)
        case 'task.ended':
          return drop(event.task)
        case 'account.advanced':
          return advance(event)
        case 'clock.advanced':
          ahead += event.byMs
      }
    },
    clear: () => {
      for (const map of [tasks, names, nameOf]) map.clear()
    },
  }
}

/** The advances of each account: how many there were, and the last ones by id. */
function createAdvances() {
  const byAccount = new Map<string, { count: number; readonly last: Map<string, Advance> }>()
  return {
    advanceOf: (account: string, id: string) => byAccount.get(account)?.last.get(id),
    advances: (account: string) => byAccount.get(account)?.count ?? 0,
    remember: (advance: Advance) => {
      const found = byAccount.get(advance.account) ?? { count: 0, last: new Map<string, Advance>() }
      byAccount.set(advance.account, found)
      found.count += 1
      found.last.set(advance.id, advance)
      const [oldest] = found.last.keys()
      if (found.last.size > advancesMax && oldest !== undefined) found.last.delete(oldest)
    },
  }
}

function createLog<Event>(remembered: number) {
  let events: Recorded<Event>[] = []
  let sequence = 0
  return {
    add: (event: Event) => {
      sequence += 1
      events.push({ sequence, event })
      if (events.length >= 2 * remembered) events = events.slice(-remembered)
    },
    all: (): readonly Recorded<Event>[] => events,
  }
}
