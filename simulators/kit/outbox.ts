// Webhooks on their way: one after the other to each receiver, tried again when they fail, and spoiled when told to.
// They survive a restart.
import type { SimClock } from './sim-clock.ts'
import type { Store, Table } from './store.ts'

/** Seconds before the second, third … attempt. After the last one it is given up. */
const retrySeconds = [1, 2, 4, 8, 16, 32, 64] as const
const lateSeconds = 10
/** How long a webhook waits for another to go first. */
const holdSeconds = 5
const timerMax = 2 ** 31 - 1

export const webhookModes = ['normal', 'drop', 'duplicate', 'reorder', 'delay', 'bad_signature'] as const
/**
 * How webhooks go from now on. `drop`: none is sent. `duplicate`: each twice. `reorder`: of two the second goes first.
 * `delay`: ten seconds late. `bad_signature`: what is sent while it holds is signed with a key that is not the receiver's.
 */
export type WebhookMode = (typeof webhookModes)[number]

export type Outbox<T> = {
  /** `receiver`: whose turn it is is decided for each by itself. */
  post(receiver: string, letter: T): void
  mode(): WebhookMode
  setMode(mode: WebhookMode): void
  /** How many are still to go. */
  waiting(): number
  /** From now on letters go out. */
  start(): void
  /** Settles when no letter is under way. */
  stop(): Promise<void>
}

export type OutboxWiring<T> = {
  readonly store: Store
  readonly clock: SimClock
  /** So many seconds of the simulator's own waiting, in milliseconds. */
  readonly span: (seconds: number) => number
  /** Sends one; answers what went wrong. `isForged`: with a signature that is not right. The signal says: leave it. */
  readonly send: (
    letter: T,
    how: { readonly isForged: boolean; readonly signal: AbortSignal },
  ) => Promise<string | undefined>
  /** How a letter went, for people: `error` absent when it was taken. */
  readonly told: (letter: T, result: { readonly error?: string; readonly isLast: boolean }) => void
}

type Waiting<T> = {
  readonly id: string
  readonly number: number
  readonly receiver: string
  readonly letter: T
  readonly tried: number
  readonly dueAt: number
  /** Lets another go first. */
  readonly held?: true
}

export function createOutbox<T>(wiring: OutboxWiring<T>): Outbox<T> {
  const { store, clock, span } = wiring
  const modes = store.table<WebhookMode>('#webhooks')
  const mode = () => modes.get('mode') ?? 'normal'
  const queue = createQueue<T>(wiring)
  const carrier = createCarrier(wiring, queue, () => mode() === 'bad_signature')
  return {
    post: (receiver, letter) => {
      const how = mode()
      if (how === 'drop') return
      const at = clock.dueTime()
      const holds = how === 'reorder' && queue.held(receiver).length === 0
      const dueAt = holds ? at + span(holdSeconds) : how === 'delay' ? at + span(lateSeconds) : at
      const times = how === 'duplicate' ? 2 : 1
      for (let n = 0; n < times; n++)
        queue.add({ receiver, letter, tried: 0, dueAt, ...(holds ? { held: true } : {}) })
      // When the turn is over: what happens together is told in the order in which it happened.
      setImmediate(carrier.wake, receiver)
    },
    mode,
    setMode: (wanted) => void modes.put('mode', wanted),
    waiting: () => queue.size(),
    start: carrier.start,
    stop: carrier.stop,
  }
}

type Queue<T> = {
  size(): number
  has(id: string): boolean
  add(letter: Omit<Waiting<T>, 'id' | 'number'>): void
  drop(id: string): void
  /** What is due first at a receiver. */
  first(receiver: string): Waiting<T> | undefined
  held(receiver: string): readonly Waiting<T>[]
  receivers(): ReadonlySet<string>
}

function createQueue<T>({ store }: Pick<OutboxWiring<T>, 'store'>): Queue<T> {
  const waiting = store.table<Waiting<T>>('#outbox')
  return {
    size: () => waiting.size,
    has: (id) => waiting.get(id) !== undefined,
    add: (letter) => {
      const number = store.next('#outbox')
      waiting.put(`${number}`, { id: `${number}`, number, ...letter })
    },
    drop: (id) => waiting.drop(id),
    first: (receiver) => firstOf(waiting, receiver),
    held: (receiver) => [...waiting.all()].filter((each) => each.receiver === receiver && each.held === true),
    receivers: () => new Set([...waiting.all()].map((each) => each.receiver)),
  }
}

/** Carries what is due, one letter at a time to each receiver. */
function createCarrier<T>(wiring: OutboxWiring<T>, queue: Queue<T>, isForged: () => boolean) {
  const { store, clock, span, send, told } = wiring
  const pumps = new Map<string, Promise<void>>()
  const timers = new Map<string, NodeJS.Timeout>()
  const stopping = new AbortController()
  let isRunning = false
  const wake = (receiver: string): void => {
    if (!isRunning || pumps.has(receiver)) return
    clearTimeout(timers.get(receiver))
    const first = queue.first(receiver)
    if (first === undefined) return
    const wait = first.dueAt - clock.dueTime()
    if (wait > 0) {
      timers.set(receiver, setTimeout(wake, Math.min(wait, timerMax), receiver))
      return
    }
    const going = carry(first).finally(() => {
      pumps.delete(receiver)
      wake(receiver)
    })
    pumps.set(receiver, going)
  }
  const carry = async ({ id, receiver, letter, tried, held }: Waiting<T>): Promise<void> => {
    await store.kept()
    const error = await send(letter, { isForged: isForged(), signal: stopping.signal })
    if (!queue.has(id) || stopping.signal.aborted) return
    const seconds = error === undefined ? undefined : retrySeconds[tried]
    store.together(() => {
      queue.drop(id)
      if (seconds !== undefined)
        queue.add({ receiver, letter, tried: tried + 1, dueAt: clock.dueTime() + span(seconds) })
      if (held === undefined) letGo(receiver)
    })
    told(letter, { ...(error === undefined ? {} : { error }), isLast: seconds === undefined })
  }
  /** Those that let another go first: it has gone. */
  const letGo = (receiver: string) => {
    for (const { id, letter, tried } of queue.held(receiver)) {
      queue.drop(id)
      queue.add({ receiver, letter, tried, dueAt: clock.dueTime() })
    }
  }
  const wakeAll = () => {
    for (const receiver of queue.receivers()) wake(receiver)
  }
  clock.onAdvance(wakeAll)
  return {
    wake,
    start: () => {
      isRunning = true
      wakeAll()
    },
    stop: async () => {
      isRunning = false
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(pumps.values())
    },
  }
}

function firstOf<T>(waiting: Table<Waiting<T>>, receiver: string): Waiting<T> | undefined {
  let first: Waiting<T> | undefined
  for (const each of waiting.all()) {
    if (each.receiver !== receiver) continue
    const isEarlier =
      first === undefined ||
      each.dueAt < first.dueAt ||
      (each.dueAt === first.dueAt && each.number < first.number)
    if (isEarlier) first = each
  }
  return first
}
