// Group commit. Concurrent items queue while the previous commit runs and are then written together, so the cost of a
// commit is shared by all that arrived in between. Nothing ever waits for company: an idle lane starts at once.
import { AppError } from '#/kernel/error.ts'

/** What became of one item: its own verdict, or its own error. One bad item never fails its neighbours. */
export type Settled<Verdict> =
  | { readonly ok: true; readonly verdict: Verdict }
  | { readonly ok: false; readonly error: unknown }

export type LaneOptions<Item, Verdict> = {
  readonly name: string
  /** At most this many items, and about this many bytes, go into one commit. */
  readonly itemsMax: number
  readonly bytesMax: number
  /** Beyond this many waiting items, newcomers are refused at once. */
  readonly queueMax: number
  readonly bytesOf: (item: Item) => number
  /** Writes the items together and answers for each, in their order. A rejection is the answer for all of them. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Settled<Verdict>[]>
}

export type Lane<Item, Verdict> = {
  /** Resolves after the commit that holds the item. Rejects with `unavailable` when the queue is full. */
  submit(item: Item): Promise<Verdict>
  /** Items waiting now. */
  depth(): number
  /** Refuses new items and resolves when the last commit is through. */
  close(): Promise<void>
}

type Waiting<Item, Verdict> = {
  readonly item: Item
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: unknown) => void
}

export function createLane<Item, Verdict>(options: LaneOptions<Item, Verdict>): Lane<Item, Verdict> {
  let queue: Waiting<Item, Verdict>[] = []
  let running: Promise<void> | undefined
  let closed = false

  async function drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) {
      const batch = takeBatch()
      await commitBatch(options, batch)
    }
    running = undefined
  }

  function takeBatch(): readonly Waiting<Item, Verdict>[] {
    let bytes = 0
    let count = 0
    while (count < queue.length && count < options.itemsMax) {
      const waiting = queue[count]
      if (waiting === undefined) break
      bytes += options.bytesOf(waiting.item)
      if (count > 0 && bytes > options.bytesMax) break
      count += 1
    }
    const batch = queue.slice(0, count)
    queue = queue.slice(count)
    return batch
  }

  return {
    submit(item) {
      if (closed || queue.length >= options.queueMax) return Promise.reject(overloaded(options.name, closed))
      return new Promise<Verdict>((resolve, reject) => {
        queue.push({ item, resolve, reject })
        running ??= drain()
      })
    },
    depth: () => queue.length,
    async close() {
      closed = true
      await running
    },
  }
}

async function commitBatch<Item, Verdict>(
  options: LaneOptions<Item, Verdict>,
  batch: readonly Waiting<Item, Verdict>[],
): Promise<void> {
  try {
    const settled = await options.commit(batch.map((waiting) => waiting.item))
    for (const [index, waiting] of batch.entries()) {
      const answer = settled[index]
      if (answer?.ok) waiting.resolve(answer.verdict)
      else waiting.reject(answer?.error ?? new Error(`the ${options.name} lane lost an answer`))
    }
  } catch (error) {
    for (const waiting of batch) waiting.reject(error)
  }
}

function overloaded(name: string, closed: boolean): AppError {
  const detail = closed ? `The ${name} lane is closing.` : `Too much work is waiting in the ${name} lane.`
  return new AppError('unavailable', detail, { retryAfterMs: 1_000 })
}
