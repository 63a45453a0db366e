// Commits a batch in spite of errors of the database:
// - tries again when the same batch may succeed;
// - splits the batch when an item is poison, when the batch took too long, or when the server failed at it and at three more tries;
// - fails with 503 when there was no result for too long.
import { AppError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { classify } from './failure.ts'
import type { Settled } from './lane.ts'

export type Persistence<Item, Verdict> = {
  /** Commits the items once. `giveUpAt` is an instant of the monotonic clock. */
  readonly commit: (items: readonly Item[], giveUpAt: number) => Promise<readonly Settled<Verdict>[]>
  readonly log: Log
  /** How long to retry while the database is not reachable. */
  readonly patienceMs: number
  /** The name of an item in the log. */
  readonly nameOf: (item: Item) => string
}

/**
 * An item that was alone in its transaction took too long, or the server failed. The item is the cause only if other items were
 * committed meanwhile: otherwise the disk may be slow or broken.
 */
export class FailedAlone extends AppError {
  override name = 'FailedAlone'
  constructor(cause: unknown) {
    super('unavailable', notNow, { cause, retryAfterMs: 1_000 })
  }
}

const notNow = 'This could not be written now. The same call, with the same key, may be sent again.'

/** How often the same batch is sent while the server fails: once, and three times again. */
const doubtfulTriesMax = 4

/** Returns the verdict or the error of each item, in their order. Rejects when no item has a result. */
export async function commitPersistently<Item, Verdict>(
  persistence: Persistence<Item, Verdict>,
  items: readonly Item[],
): Promise<readonly Settled<Verdict>[]> {
  try {
    return await commitWhole(persistence, items)
  } catch (error) {
    if (!isDivisible(error)) throw error
    return commitInParts(persistence, items, error)
  }
}

/** Whether the whole failed in a way that a part of it may not. */
function isDivisible(error: unknown): boolean {
  return !(error instanceof AppError) && ['late', 'doubtful'].includes(classify(error))
}

/** Throws what is divisible: `late` at once, `doubtful` after three more tries. */
async function commitWhole<Item, Verdict>(
  persistence: Persistence<Item, Verdict>,
  items: readonly Item[],
): Promise<readonly Settled<Verdict>[]> {
  const giveUpAt = monotonicMs() + persistence.patienceMs
  let doubtfulTries = 0
  for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 500)) {
    try {
      return await persistence.commit(items, giveUpAt)
    } catch (error) {
      if (error instanceof AppError) throw error
      const failure = classify(error)
      if (failure === 'doubtful') doubtfulTries += 1
      if (failure === 'late' || doubtfulTries === doubtfulTriesMax) throw error
      if (failure === 'poison') return isolate(persistence, items, error)
      persistence.log.warn({ failure, error: messageOf(error) }, 'a batch is tried again')
      if (monotonicMs() > giveUpAt) throw unavailable(error)
      await sleep(waitMs)
    }
  }
}

/** After this many failed parts the rest fails with 503, because its callers no longer wait. */
const failedPartsMax = 16

/**
 * Halves a batch that took too long or at which the server failed, and again each half with the same failure, the larger parts
 * first: so the good parts are committed before the search for the cause continues. When no part was committed for
 * `patienceMs`, the database is the cause, and the rest fails with 503.
 */
async function commitInParts<Item, Verdict>(
  persistence: Persistence<Item, Verdict>,
  items: readonly Item[],
  error: unknown,
): Promise<readonly Settled<Verdict>[]> {
  const settled: Settled<Verdict>[] = []
  const parts: Part[] = halvesOf({ from: 0, to: items.length })
  let failures = 1
  let lastCommitAt = monotonicMs()
  const fill = ({ from, to }: Part, failed: unknown) => {
    for (let index = from; index < to; index += 1) settled[index] = { ok: false, error: failed }
  }
  const fillAlone = (part: Part, cause: unknown) => {
    for (const item of items.slice(part.from, part.to))
      persistence.log.error(
        { item: persistence.nameOf(item), error: messageOf(cause) },
        'an item failed alone',
      )
    fill(part, new FailedAlone(cause))
  }
  if (parts.length === 0) fillAlone({ from: 0, to: items.length }, error)
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const isStuck = monotonicMs() - lastCommitAt > persistence.patienceMs
    if (isStuck || failures >= failedPartsMax) {
      fill(part, unavailable(error))
      continue
    }
    try {
      const verdicts = await commitWhole(persistence, items.slice(part.from, part.to))
      lastCommitAt = monotonicMs()
      for (const [index, verdict] of verdicts.entries()) settled[part.from + index] = verdict
    } catch (failed) {
      const isDivided = isDivisible(failed)
      const halves = isDivided ? halvesOf(part) : []
      if (isDivided) failures += 1
      if (halves.length === 0 && isDivided) fillAlone(part, failed)
      else if (halves.length === 0) fill(part, failed)
      parts.push(...halves)
    }
  }
  persistence.log.warn(
    { items: items.length, failures, error: messageOf(error) },
    'a batch was written in parts',
  )
  return settled
}

/** The items from index `from` up to, but without, `to`. */
type Part = { readonly from: number; readonly to: number }

function halvesOf({ from, to }: Part): Part[] {
  const middle = (from + to) >> 1
  return middle === from
    ? []
    : [
        { from, to: middle },
        { from: middle, to },
      ]
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
    persistence.log.error(
      { item: name, error: messageOf(error) },
      'an item cannot be written: a person must look at it',
    )
    return [{ ok: false, error }]
  }
  const middle = items.length >> 1
  const first = await commitHalf(persistence, items.slice(0, middle))
  return [...first, ...(await commitHalf(persistence, items.slice(middle)))]
}

/** If a half has no result, only its own items fail: the other half keeps its verdicts. */
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
