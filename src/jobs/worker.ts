// The only runner of durable work: a worker claims due rows for the time of a lease, and calls a provider for each. When a
// worker died or was stopped, another worker claims its rows after the lease. Claims are numbered, so the earlier worker can no
// longer change the row (claim.ts).
import type { IsDue } from '#/db/due.ts'
import { inTrace } from '#/kernel/context.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { hideTexts } from '#/kernel/private.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import { createWakeUp } from '#/kernel/wake-up.ts'
import type { Claim } from './claim.ts'
import { isEitherDue } from './due-queries.ts'
import { createSlotPool, type Concurrency, type Slots } from './slots.ts'

export type DueWork<Item extends { readonly claim: Claim }> = {
  /** The name of an item in the log: `refund`, `attempt`. */
  readonly name: string
  readonly log: Log
  /** How long an item belongs to the worker that claimed it. */
  readonly leaseMs: number
  /** Claims due rows, limited to the free slots. */
  readonly claim: (slots: Slots, leaseMs: number) => Promise<readonly Item[]>
  /** What the glance asks for this worker: whether `claim` may find something. */
  readonly isDue: IsDue
  /** `done`: nothing is left to do, or `run` already set the next time. `later`, or an exception: the item is postponed. */
  readonly run: (item: Item) => Promise<'done' | 'later'>
  /** The texts of the item that a provider may repeat in an error: they are not logged. Default: none. */
  readonly privateTexts?: (item: Item) => unknown
  /** Makes it due again in `waitMs`. False when another worker has claimed it since. */
  readonly postpone: (item: Item, waitMs: number) => Promise<boolean>
  /** How long to wait after this many claims. Default: `usualBackoff`. */
  readonly backoff?: (claims: number) => number
  readonly concurrency?: Concurrency
  /** How often to poll without a wake-up. Default: 1 s. */
  readonly pollMs?: number
}

export type DueWorker = {
  /**
   * Works until `signal` is aborted, and resolves when all claimed items have ended. `restMs`: how long to sleep after a claim that found
   * nothing, where a glance wakes the worker.
   */
  run(signal: AbortSignal, restMs?: number): Promise<void>
  readonly isDue: IsDue
  /** Something may be due: claims at once. */
  wake(): void
  /** Claims the due items of all connections once, and waits until they end. Returns how many it claimed. */
  once(): Promise<number>
}

const usualConcurrency: Concurrency = { each: 50, total: 2_000 }

/** 1 s, 2 s, 4 s … five minutes. */
export function usualBackoff(claims: number): number {
  return Math.min(2 ** Math.min(claims - 1, 20) * secondMs, 5 * minuteMs)
}

export function dueWorker<Item extends { readonly claim: Claim }>(work: DueWork<Item>): DueWorker {
  const { name, log, leaseMs, isDue, pollMs = secondMs } = work
  const { concurrency = usualConcurrency } = work
  const pool = createSlotPool(concurrency)
  const underWay = new Set<Promise<void>>()
  const wakeUp = createWakeUp()
  /** Whether a due item may be waiting for a slot. */
  let isFull = false

  function start(item: Item, claimedMs: number): Promise<void> {
    const { connection } = item.claim
    pool.occupy(connection)
    const startedMs = monotonicMs()
    const running = attempt(work, item, claimedMs).finally(() => {
      pool.release(connection, monotonicMs() - startedMs)
      underWay.delete(running)
      if (isFull) wakeUp.wake()
    })
    underWay.add(running)
    return running
  }

  async function claim(slots: Slots): Promise<readonly Promise<void>[]> {
    if (slots.total <= 0) return []
    // Measured before the call, so that our lease ends before the database's.
    const claimedMs = monotonicMs()
    const items = await work.claim(slots, leaseMs)
    const started = items.map((item) => start(item, claimedMs))
    isFull = pool.isFull()
    return started
  }

  return {
    isDue,
    async run(signal, restMs = pollMs) {
      signal.addEventListener('abort', wakeUp.wake, { once: true })
      while (!signal.aborted) {
        wakeUp.reset()
        const claimed = await claim(pool.free()).catch((error: unknown) => {
          log.warn({ work: name, error: messageOf(error) }, 'due rows cannot be claimed')
          return []
        })
        if (claimed.length === 0) await wakeUp.wait(restMs)
        // Items that end now release their slots before the next claim, which then fills all of these slots at once.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await Promise.all(underWay)
    },
    wake: wakeUp.wake,
    async once() {
      const { total } = concurrency
      const claimed = await claim({ total, each: total, byConnection: [] })
      await Promise.all(claimed)
      return claimed.length
    },
  }
}

/** Workers that are run, woken and watched as one. */
export function together(workers: readonly DueWorker[]): DueWorker {
  return {
    isDue: isEitherDue(workers.map(({ isDue }) => isDue)),
    run: async (signal, restMs) => {
      await Promise.all(workers.map((worker) => worker.run(signal, restMs)))
    },
    wake: () => workers.forEach((worker) => worker.wake()),
    once: async () => {
      const counts = await Promise.all(workers.map((worker) => worker.once()))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/** Never rejects: after a failure the item is tried again, at the latest when the lease is over. */
async function attempt<Item extends { readonly claim: Claim }>(
  work: DueWork<Item>,
  item: Item,
  claimedMs: number,
): Promise<void> {
  const { name, log, backoff = usualBackoff } = work
  const { id, number } = item.claim
  const named = { [name]: id, claim: number }
  if (monotonicMs() - claimedMs >= work.leaseMs)
    return log.warn(named, 'the lease was over before the item could start: the next worker claims it')
  try {
    const next = await inTrace(item.claim.trace, () => work.run(item)).catch((error: unknown) => {
      const reason = hideTexts(messageOf(error), work.privateTexts?.(item))
      log.warn({ ...named, error: reason }, 'the item failed: it is tried again later')
      return 'later' as const
    })
    if (next === 'done') return
    if (!(await work.postpone(item, backoff(number))))
      log.warn(named, 'another worker has claimed it since, and decides when it is due again')
  } catch (error) {
    log.warn(
      { ...named, error: messageOf(error) },
      'the item could not be postponed: the next worker claims it',
    )
  }
}
