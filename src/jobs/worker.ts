// The one runner of durable work: rows that are due are taken for the time of a lease, and a provider is asked for each. A row
// whose worker died, or stood still, is taken again when its lease is over; its takes are counted, and what the earlier
// worker says then changes nothing (take.ts).
import { createWakeUp } from '#/kernel/wake-up.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs } from '#/kernel/time.ts'
import { createSlotPool, type Concurrency, type Slots } from './slots.ts'
import type { Claim } from './claim.ts'

export type DueWork<Item extends { readonly claim: Claim }> = {
  /** What an item is called in the log: `refund`, `attempt`. */
  readonly name: string
  readonly log: Log
  /** How long an item is left to the worker that took it. */
  readonly leaseMs: number
  /** Takes what is due, at most what there are slots for. */
  readonly claim: (slots: Slots, leaseMs: number) => Promise<readonly Item[]>
  /** `done`: nothing is left to do, or what is left has its own time. An item that fails is one for later. */
  readonly run: (item: Item) => Promise<'done' | 'later'>
  /** Makes it due again in `waitMs`. False when somebody else has taken it since. */
  readonly postpone: (item: Item, waitMs: number) => Promise<boolean>
  /** How long to wait after so many takes. */
  readonly backoff?: (takes: number) => number
  readonly concurrency?: Concurrency
  /** How often to look without being woken. */
  readonly pollMs?: number
}

export type DueWorker = {
  /** Works until `signal` is aborted, and resolves when all that was taken is through. */
  run(signal: AbortSignal): Promise<void>
  /** There is something new: look now. */
  wake(): void
  /** Takes the due items of all connections once, and waits until they end. Answers how many it took. */
  once(): Promise<number>
}

const usualConcurrency: Concurrency = { each: 50, total: 2_000 }

/** 1 s, 2 s, 4 s … five minutes. */
export function usualBackoff(takes: number): number {
  return Math.min(2 ** Math.min(takes - 1, 20) * secondMs, 5 * minuteMs)
}

export function dueWorker<Item extends { readonly claim: Claim }>(work: DueWork<Item>): DueWorker {
  const { name, log, leaseMs, pollMs = secondMs } = work
  const { concurrency = usualConcurrency } = work
  const pool = createSlotPool(concurrency)
  const underWay = new Set<Promise<void>>()
  const wakeUp = createWakeUp()
  /** Whether something may be due that had no slot. */
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
    async run(signal) {
      signal.addEventListener('abort', wakeUp.wake, { once: true })
      while (!signal.aborted) {
        wakeUp.reset()
        const taken = await claim(pool.free()).catch((error: unknown) => {
          log.warn({ work: name, error: messageOf(error) }, 'what is due cannot be read')
          return []
        })
        if (taken.length === 0) await wakeUp.wait(pollMs)
        // Items that ended together give their slots back together: one claim fills them all.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await Promise.all(underWay)
    },
    wake: wakeUp.wake,
    async once() {
      const { total } = concurrency
      const taken = await claim({ total, each: total, own: [] })
      await Promise.all(taken)
      return taken.length
    },
  }
}

/** Never rejects: what goes wrong is tried again, at the latest when the lease is over. */
async function attempt<Item extends { readonly claim: Claim }>(
  work: DueWork<Item>,
  item: Item,
  claimedMs: number,
): Promise<void> {
  const { name, log, backoff = usualBackoff } = work
  const { id, number } = item.claim
  const named = { [name]: id, claim: number }
  if (monotonicMs() - claimedMs >= work.leaseMs)
    return log.warn(named, 'its lease was over before it could begin: it is left to the next worker')
  try {
    const next = await work.run(item).catch((error: unknown) => {
      log.warn({ ...named, error: messageOf(error) }, 'it has not ended: it is tried again later')
      return 'later' as const
    })
    if (next === 'done') return
    if (!(await work.postpone(item, backoff(number))))
      log.warn(named, 'another worker has taken it since, and says when it is due again')
  } catch (error) {
    log.warn({ ...named, error: messageOf(error) }, 'it is left to the next worker')
  }
}
