// Events in their order, kept in a journal, and the state that they make, live or read again. What is put off until later,
// and how far time was put forward, are events too: the event store keeps those for every simulator.
import { now } from './clock.ts'
import { openMemory, type Memory } from './memory.ts'

/** An event with its place in the order of all. */
export type Recorded<Event> = { readonly sequence: number; readonly event: Event }

/** What an event store records by itself. */
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

/** What is put off until later, by number. `dueAt` is of the event store's clock. */
export type Tasks<Task> = {
  /**
   * In milliseconds since 1970: the machine's, and what it was put forward by. Only what is put off until later goes by it;
   * instants that callers see are the machine's, since their clocks were not put forward.
   */
  clock(): number
  /** How far it was put forward, in milliseconds. */
  ahead(): number
  readonly tasks: ReadonlyMap<number, Scheduled<Task>>
  /** Records a task that falls due `delayMs` from now, and answers its number. It takes the place of another of its name. */
  schedule(delayMs: number, what: Task, name?: string): number
  /** It is done. */
  end(task: number): void
  /** It is not to be done any more, if there is one of this name. */
  cancel(name: string): void
  /** Skips so much of what every task still has to wait. */
  advance(ms: number): void
  /** Notified of each task that is scheduled, and without a number when the clock was put forward. */
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
  /** Without one the event store's own goes on, and a new event store takes a random one. */
  readonly seed: number | undefined
  /** As it is before anything happened; `apply` changes it. */
  readonly state: State
  readonly apply: (state: State, event: Event) => void
  /** Whether nothing is put off any more after an event. */
  readonly forgets?: (event: Event) => boolean
  /** How many of the last events can be looked at. */
  readonly remembered: number
}

/** Opens the event store in `dir` and reads what it has. */
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

/** What an event names is there: nothing is recorded that was not checked before. */
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
