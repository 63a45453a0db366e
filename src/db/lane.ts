// Group commit. Concurrent items queue while the previous commit runs and are then written together, so all of them share the
// cost of one commit. The lane never delays a commit to collect more items: an idle lane starts at once.
import { AppError } from '#/kernel/error.ts'
import { monotonicMs } from '#/kernel/time.ts'

/** The result of one item: its own verdict, or its own error. A bad item does not fail the others of its batch. */
export type Settled<Verdict> =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly error: unknown }

/** `waitedMs`: how long the item that came first had waited. */
export type EndedBatch = {
  readonly items: number
  readonly waitedMs: number
  readonly commitMs: number
  readonly isCommitted: boolean
}

export type LaneOptions<Item, Verdict> = {
  readonly name: string
  /** Limits of one commit: items, and approximate bytes. */
  readonly itemsMax: number
  readonly bytesMax: number
  /** Limits of waiting items and their approximate bytes. Beyond them, new items are refused at once. */
  readonly queueMax: number
  readonly queueBytesMax?: number
  /** How many commits may run at a time, for items that commute. Default: 1, so that each commit sees what the earlier ones wrote. */
  readonly commitsMax?: number
  readonly bytesOf: (item: Item) => number
  /** The most crowded items (of a burst) in one commit: `alone` when no other items wait, `beside` when some do. */
  readonly crowd?: { readonly alone: number; readonly beside: number }
  /** The maximum weight of a commit: the approximate size of what it writes, in any unit. A single item may weigh more. */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number }
  /** Called after each commit, for metrics. */
  readonly onBatch?: ((batch: EndedBatch) => void) | undefined
  /** Writes the items together and returns a result for each, in their order. A rejection fails all of them. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Settled<Verdict>[]>
}

export type Lane<Item, Verdict> = {
  /**
   * Resolves after the commit with the item. Rejects with `unavailable` when the queue is full. The number of crowded items in a
   * commit is limited, so that others get most of it.
   */
  submit(item: Item, from?: { readonly isCrowded: boolean }): Promise<Verdict>
  /** Items waiting now. */
  depth(): number
  /** Refuses new items, and resolves after the last commit. */
  close(): Promise<void>
}

type Waiting<Item, Verdict> = {
  readonly item: Item
  readonly bytes: number
  readonly weight: number
  readonly sinceMs: number
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

export function createLane<Item, Verdict>(options: LaneOptions<Item, Verdict>): Lane<Item, Verdict> {
  const queueBytesMax = options.queueBytesMax ?? 64 * options.bytesMax
  const weightMax = options.weight?.max ?? Number.POSITIVE_INFINITY
  const crowd = options.crowd ?? { alone: options.itemsMax, beside: options.itemsMax }
  const queues = { usual: [] as Waiting<Item, Verdict>[], crowded: [] as Waiting<Item, Verdict>[] }
  const depth = () => queues.usual.length + queues.crowded.length
  let queueBytes = 0
  const drains: (Promise<void> | undefined)[] = Array.from({ length: options.commitsMax ?? 1 })
  let closed = false

  function start(): void {
    const free = drains.indexOf(undefined)
    if (free >= 0) drains[free] = drain(free)
  }

  async function drain(place: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (depth() > 0) {
      const batch = nextBatch()
      await commitBatch(options, batch)
    }
    drains[place] = undefined
  }

  function nextBatch(): readonly Waiting<Item, Verdict>[] {
    const batch: Waiting<Item, Verdict>[] = []
    let bytes = 0
    let weight = 0
    const addFrom = (name: keyof typeof queues, most: number) => {
      let count = 0
      for (const waiting of queues[name]) {
        const isTooMuch = bytes + waiting.bytes > options.bytesMax || weight + waiting.weight > weightMax
        if (count >= most || (batch.length > 0 && isTooMuch)) break
        batch.push(waiting)
        bytes += waiting.bytes
        weight += waiting.weight
        count += 1
      }
      queues[name] = queues[name].slice(count)
    }
    // Takes the few allowed crowded items first: other items would fill the commit and leave no place for them.
    addFrom('crowded', queues.usual.length === 0 ? crowd.alone : crowd.beside)
    addFrom('usual', options.itemsMax - batch.length)
    queueBytes -= bytes
    return batch
  }

  return {
    async submit(item, from) {
      // Weighed here, so that an error in weighing fails this call and does not end the lane.
      const bytes = options.bytesOf(item)
      const weight = options.weight?.of(item) ?? 0
      const isFull = depth() >= options.queueMax || (depth() > 0 && queueBytes + bytes > queueBytesMax)
      if (closed || isFull) throw overloaded(options.name, closed)
      return new Promise<Verdict>((resolve, reject) => {
        const waiting = { item, bytes, weight, sinceMs: monotonicMs(), resolve, reject }
        queues[from?.isCrowded === true ? 'crowded' : 'usual'].push(waiting)
        queueBytes += bytes
        start()
      })
    },
    depth,
    async close() {
      closed = true
      await Promise.all(drains.filter((draining) => draining !== undefined))
    },
  }
}

async function commitBatch<Item, Verdict>(
  options: LaneOptions<Item, Verdict>,
  batch: readonly Waiting<Item, Verdict>[],
): Promise<void> {
  const startedMs = monotonicMs()
  let isCommitted = false
  try {
    const settled = await options.commit(batch.map((waiting) => waiting.item))
    isCommitted = true
    for (const [index, waiting] of batch.entries()) {
      const answer = settled[index]
      if (answer?.ok) waiting.resolve(answer.verdict)
      else waiting.reject(answer?.error ?? new Error(`the ${options.name} lane lost an answer`))
    }
  } catch (error) {
    for (const waiting of batch) waiting.reject(error)
  } finally {
    const firstMs = Math.min(...batch.map(({ sinceMs }) => sinceMs))
    const commitMs = monotonicMs() - startedMs
    options.onBatch?.({ items: batch.length, waitedMs: startedMs - firstMs, commitMs, isCommitted })
  }
}

function overloaded(name: string, closed: boolean): AppError {
  const detail = closed ? `The ${name} lane is closing.` : `Too much work is waiting in the ${name} lane.`
  return new AppError('unavailable', detail, { retryAfterMs: 1_000 })
}
