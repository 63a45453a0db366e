// Webhooks on their way: letters that an event store keeps as tasks, sent when they are due, and again when they fail.
import type { Scheduled, Tasks } from './event-store.ts'

/** How long a letter waits for another to go first. */
const holdSeconds = 5

/** One letter on its way, as an event store keeps it. */
export type Delivery<Letter> = Letter & {
  readonly do: 'deliver'
  /** The number of earlier attempts. */
  readonly tried: number
  /** Waits until another letter to the same receiver has gone first. */
  readonly held?: true
}

export function isDelivery<Letter>(what: object): what is Delivery<Letter> {
  return 'do' in what && what.do === 'deliver'
}

/** How a letter is sent: how many times, how late; `reorders`: of two letters the second goes first. */
export type Plan = { readonly times?: number; readonly delayMs?: number; readonly reorders?: boolean }

export const webhookModes = ['normal', 'drop', 'duplicate', 'reorder', 'delay', 'bad_signature'] as const
/**
 * How webhooks are sent from now on:
 * - `drop`: none is sent
 * - `duplicate`: each is sent twice
 * - `reorder`: of two, the second is sent first
 * - `delay`: late
 * - `bad_signature`: signed with a key that is not the receiver's, for as long as the mode is set
 */
export type WebhookMode = (typeof webhookModes)[number]

/** How a letter is sent in this mode; undefined: not at all. */
export function planOf(mode: WebhookMode, lateMs: number): Plan | undefined {
  switch (mode) {
    case 'drop':
      return undefined
    case 'duplicate':
      return { times: 2 }
    case 'reorder':
      return { reorders: true }
    case 'delay':
      return { delayMs: lateMs }
    case 'normal':
    case 'bad_signature':
      return {}
  }
}

export type Outbox<Letter> = {
  /** Queues a letter, and returns the numbers of its deliveries. Call it inside `eventStore.together`. */
  post(letter: Letter, plan?: Plan): readonly number[]
  /** One attempt of a delivery. Settles when it was answered, and the result is recorded. */
  attempt(task: number): Promise<void>
  /** How many deliveries are waiting. */
  waiting(): number
  /** Stops sending. Settles when no letter is under way; one that was cut off is sent again after a restart. */
  stop(): Promise<void>
}

/** The result of the `tried`th attempt: `error` is absent when it was accepted; `isLast`: there is no further one. */
export type Result = { readonly tried: number; readonly error?: string; readonly isLast: boolean }

export type OutboxWiring<Letter> = {
  readonly eventStore: Pick<Tasks<Delivery<Letter>>, 'schedule' | 'end'> & {
    readonly tasks: ReadonlyMap<number, Scheduled<object>>
    together<T>(work: () => T): T
    kept(): Promise<void> | undefined
  }
  /** The receiver of a letter. Each receiver has a queue of its own. */
  readonly receiverOf: (letter: Letter) => string
  /** How many letters may be under way to one receiver. */
  readonly atOnce: number
  /** Seconds before the second, third … attempt. After the last one it is given up. */
  readonly retrySeconds: readonly number[]
  /** Converts seconds of the simulator's own waiting to milliseconds. */
  readonly span: (seconds: number) => number
  /** Sends a letter. Returns what went wrong. Stops when the signal is aborted. */
  readonly send: (letter: Letter, signal: AbortSignal) => Promise<string | undefined>
  /** Records the result of an attempt. */
  readonly report: (letter: Letter, result: Result) => void
}

export function createOutbox<Letter extends object>(wiring: OutboxWiring<Letter>): Outbox<Letter> {
  const { eventStore, receiverOf, span } = wiring
  const queue = createQueue(wiring)
  const { attempt, stop } = createCarrier(wiring, queue)
  return {
    post: (letter, { times = 1, delayMs = 0, reorders = false } = {}) => {
      const holds = reorders && queue.heldFor(receiverOf(letter)).length === 0
      const delivery = { ...letter, do: 'deliver', tried: 0, ...(holds ? { held: true } : {}) } as const
      const tasks = Array.from({ length: times }, () =>
        eventStore.schedule(holds ? span(holdSeconds) : delayMs, delivery as Delivery<Letter>),
      )
      if (holds) for (const task of tasks) queue.held.add(task)
      return tasks
    },
    attempt,
    waiting: () => [...eventStore.tasks.values()].filter(({ what }) => isDelivery<Letter>(what)).length,
    stop,
  }
}

/** The deliveries among an event store's tasks. */
function createQueue<Letter extends object>({ eventStore, receiverOf }: OutboxWiring<Letter>) {
  const find = (task: number): Delivery<Letter> | undefined => {
    const what = eventStore.tasks.get(task)?.what
    return what !== undefined && isDelivery<Letter>(what) ? what : undefined
  }
  const held = new Set([...eventStore.tasks.keys()].filter((task) => find(task)?.held === true))
  return {
    find,
    /** Those that let another go first. */
    held,
    heldFor: (receiver: string): readonly number[] =>
      [...held].filter((task) => {
        const delivery = find(task)
        return delivery !== undefined && receiverOf(delivery) === receiver
      }),
  }
}

type Queue<Letter extends object> = ReturnType<typeof createQueue<Letter>>

/** Sends deliveries that are due, and records their results. */
function createCarrier<Letter extends object>(
  { eventStore, receiverOf, atOnce, retrySeconds, span, send, report }: OutboxWiring<Letter>,
  { find, held, heldFor }: Queue<Letter>,
): Pick<Outbox<Letter>, 'attempt' | 'stop'> {
  const turns = createTurns(atOnce)
  const underWay = new Map<number, Promise<void>>()
  const stopping = new AbortController()

  const carry = async (task: number, receiver: string): Promise<void> => {
    await turns.acquire(receiver)
    try {
      const delivery = find(task)
      if (delivery === undefined || stopping.signal.aborted) return
      // The event that caused the letter must be in the file before the letter is sent.
      await eventStore.kept()
      const error = await send(delivery, stopping.signal)
      // The task may be gone: the simulator was reset meanwhile.
      if (!stopping.signal.aborted && find(task) !== undefined) settle(task, delivery, error)
    } finally {
      turns.give(receiver)
    }
  }
  const settle = (task: number, delivery: Delivery<Letter>, error: string | undefined): void => {
    const { held: wasHeld, tried, ...letter } = delivery
    const seconds = error === undefined ? undefined : retrySeconds[tried]
    const failed = error === undefined ? {} : { error }
    eventStore.together(() => {
      report(delivery, { tried: tried + 1, ...failed, isLast: seconds === undefined })
      eventStore.end(task)
      if (seconds !== undefined)
        eventStore.schedule(span(seconds), { ...letter, tried: tried + 1 } as Delivery<Letter>)
    })
    held.delete(task)
    // Those that let this one go first.
    if (wasHeld === undefined) for (const other of heldFor(receiverOf(delivery))) void attempt(other)
  }
  const attempt = (task: number): Promise<void> => {
    const delivery = find(task)
    if (delivery === undefined) return Promise.resolve()
    const going =
      underWay.get(task) ??
      carry(task, receiverOf(delivery)).finally(() => {
        underWay.delete(task)
      })
    underWay.set(task, going)
    return going
  }
  return {
    attempt,
    stop: async () => {
      stopping.abort()
      await Promise.all(underWay.values())
    },
  }
}

/** Limits how many are under way to each receiver; the others wait, first come, first served. */
function createTurns(atOnce: number) {
  const inUse = new Map<string, number>()
  const queues = new Map<string, (() => void)[]>()
  return {
    acquire: (receiver: string): Promise<void> | undefined => {
      const count = inUse.get(receiver) ?? 0
      if (count < atOnce) {
        inUse.set(receiver, count + 1)
        return undefined
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      queues.set(receiver, [...(queues.get(receiver) ?? []), resolve])
      return promise
    },
    give: (receiver: string): void => {
      const next = queues.get(receiver)?.shift()
      if (next !== undefined) return next()
      const left = (inUse.get(receiver) ?? 1) - 1
      if (left === 0) {
        inUse.delete(receiver)
        queues.delete(receiver)
      } else inUse.set(receiver, left)
    },
  }
}

const timeoutMs = 10_000

type WebhookCall = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Cancels the call. */
  readonly signal: AbortSignal
}

/** Returns what went wrong: the fault that `faultOf` finds in the answer, or that there was none within ten seconds. */
export async function post(
  url: string,
  { headers, body, signal }: WebhookCall,
  faultOf: (status: number, text: string) => string | undefined,
): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    return faultOf(answer.status, await answer.text())
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  }
}
