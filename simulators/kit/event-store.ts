// Events in their order, kept in a journal, and the state that they make, live or replayed. Tasks for later, and how far the
// clock was advanced, are events too: the event store keeps those for every simulator.
import { now } from './clock.ts'
import { openMemory, type Memory } from './memory.ts'

/** An event with its place in the order of all. */
export type Recorded<Event> = { readonly sequence: number; readonly event: Event }

/** The events that an event store records itself. */
export type OwnEvent<Task> =
  | {
      readonly type: 'task.scheduled'
      readonly at: number
      readonly task: number
      readonly dueAt: number
      readonly what: Task
      readonly name?: string
    }
  | { readonly type: 'task.ended'; readonly at: number; readonly task: number }
  | { readonly type: 'clock.advanced'; readonly at: number; readonly byMs: number }

export type Scheduled<Task> = { readonly dueAt: number; readonly what: Task }

/** Tasks for later, by number. `dueAt` is by the event store's clock. */
export type Tasks<Task> = {
  /**
   * In milliseconds since 1970: the machine's time plus what the clock was advanced by. Only tasks use it; instants that
   * callers see are the machine's, since the callers' clocks were not advanced.
   */
  clock(): number
  /** How far the clock was advanced, in milliseconds. */
  ahead(): number
  readonly tasks: ReadonlyMap<number, Scheduled<Task>>
  /** Records a task that falls due `delayMs` from now, and returns its number. It replaces a task of the same name. */
  schedule(delayMs: number, what: Task, name?: string): number
  /** Records that the task is done. */
  end(task: number): void
  /** Drops the task of this name, if there is one. */
  cancel(name: string): void
  /** Advances the clock by `ms`, so every waiting task falls due that much earlier. */
  advance(ms: number): void
  /** `listener` is called for each scheduled task, and without a number when the clock was advanced. */
  onChange(listener: (task?: number) => void): void
}

export type EventStore<State, Event, Task> = Memory<Event> &
  Tasks<Task> & {
    readonly state: State
    /** The last events, oldest first. */
    recent(): readonly Recorded<Event | OwnEvent<Task>>[]
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
  const log = createLog<Event | OwnEvent<Task>>(options.remembered)
  const desk = createDesk<Task>()
  const memory = await openMemory<Event | OwnEvent<Task>>(dir, seed, (event) => {
    if (isOwn<Task>(event)) desk.apply(event)
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
    ahead: desk.ahead,
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
    advance: (byMs) => {
      record({ type: 'clock.advanced', at: now(), byMs })
      onChange()
    },
    onChange: (listener) => (onChange = listener),
    recent: log.all,
  }
}

const ownTypes: ReadonlySet<unknown> = new Set(['task.scheduled', 'task.ended', 'clock.advanced'])

/** Returns the entry; throws when it is missing. Events are checked before they are recorded, so an entry that an event refers to is there. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The journal names something that is not there.')
  return value
}

export function isOwn<Task>(event: object): event is OwnEvent<Task> {
  return 'type' in event && ownTypes.has(event.type)
}

function createDesk<Task>() {
  const tasks = new Map<number, Scheduled<Task>>()
  const names = new Map<string, number>()
  const nameOf = new Map<number, string>()
  let last = 0
  let ahead = 0
  const drop = (task: number) => {
    tasks.delete(task)
    names.delete(nameOf.get(task) ?? '')
    nameOf.delete(task)
  }
  return {
    tasks,
    ahead: () => ahead,
    last: () => last,
    named: (name: string) => names.get(name),
    apply: (event: OwnEvent<Task>) => {
      if (event.type === 'clock.advanced') ahead += event.byMs
      else if (event.type === 'task.ended') drop(event.task)
      else {
        const { task, dueAt, what, name } = event
        last = task
        if (name !== undefined) {
          drop(names.get(name) ?? 0)
          names.set(name, task)
          nameOf.set(task, name)
        }
        tasks.set(task, { dueAt, what })
      }
    },
    clear: () => {
      for (const map of [tasks, names, nameOf]) map.clear()
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
