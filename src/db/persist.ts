// Commits a batch whatever the database does: again when it may work now, apart when one of the items is poison, and
// with 503 when nothing can be decided for too long.
import { AppError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { classify } from './failure.ts'
import type { Settled } from './lane.ts'

export type Persistence<Item, Verdict> = {
  /** Commits the items once. `giveUpAt` is an instant of the monotonic clock. */
  readonly commit: (items: readonly Item[], giveUpAt: number) => Promise<readonly Settled<Verdict>[]>
  readonly log: Log
  /** How long to try for an answer while the database is away. */
  readonly patienceMs: number
  /** What a log line calls an item. */
  readonly nameOf: (item: Item) => string
}

export async function commitPersistently<Item, Verdict>(
  persistence: Persistence<Item, Verdict>,
  items: readonly Item[],
): Promise<readonly Settled<Verdict>[]> {
  const giveUpAt = monotonicMs() + persistence.patienceMs
  for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
    try {
      return await persistence.commit(items, giveUpAt)
    } catch (error) {
      if (error instanceof AppError) throw error
      const failure = classify(error)
      if (failure === 'poison') return isolate(persistence, items, error)
      persistence.log.warn({ failure, error: messageOf(error) }, 'a batch is tried again')
      if (monotonicMs() > giveUpAt) throw unavailable(error)
      await sleep(waitMs)
    }
  }
}

/** Halves the batch until the item that cannot be written is alone; everything else is committed without it. */
async function isolate<Item, Verdict>(
  persistence: Persistence<Item, Verdict>,
  items: readonly Item[],
  error: unknown,
): Promise<readonly Settled<Verdict>[]> {
  const [only, ...others] = items
  if (only === undefined) return []
  if (others.length === 0) {
    const name = persistence.nameOf(only)
    persistence.log.error({ item: name, error: messageOf(error) }, 'an item cannot be written: look at it')
    return [{ ok: false, error }]
  }
  const middle = items.length >> 1
  const first = await commitHalf(persistence, items.slice(0, middle))
  return [...first, ...(await commitHalf(persistence, items.slice(middle)))]
}

/** A half that cannot be decided says so for its own items: the other half keeps its verdicts. */
async function commitHalf<Item, Verdict>(
  persistence: Persistence<Item, Verdict>,
  items: readonly Item[],
): Promise<readonly Settled<Verdict>[]> {
  try {
    return await commitPersistently(persistence, items)
  } catch (error) {
    return items.map(() => ({ ok: false, error }))
  }
}

export function unavailable(cause: unknown): AppError {
  const detail =
    'The database cannot be reached right now. The same call, with the same key, may be sent again.'
  return new AppError('unavailable', detail, { cause, retryAfterMs: 1_000 })
}
