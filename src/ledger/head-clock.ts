// The instant of a batch: the database's clock, read under the head's lock, but never before the instant of the previous batch.
// So if the clock were ahead for a moment, the books would stay ahead. A batch is therefore refused before the head moves when
// the database's clock is too far ahead of our own. Which of the two clocks is wrong is unknown here.
import { AppError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, minuteMs, secondMs, systemClock, type Clock } from '#/kernel/time.ts'
import type { HeadRow } from './queries.ts'

/** The clocks may differ by this much: many times the difference of synchronised machines, and little enough to do no harm. */
const apartMaxMs = 5 * secondMs
/** The time between two alarms of one kind. */
const alarmEveryMs = minuteMs

export type HeadClock = {
  /**
   * The instant of the batch after `head`. Throws `unavailable` while the database's clock is more than 5 s ahead of our own:
   * nothing was written, and the same call may be sent again. Our own clock may be ahead by any amount, because no decision
   * depends on it.
   */
  instantAfter(head: Pick<HeadRow, 'lastAt' | 'now'>): Date
}

export function createHeadClock({
  cell,
  log,
  clock = systemClock,
}: {
  readonly cell: string
  readonly log: Log
  readonly clock?: Clock
}): HeadClock {
  const alarms = new Map<string, number>()

  function alarm(what: string, level: 'error' | 'warn', clocks: Readonly<Record<string, Date>>): void {
    const lastMs = alarms.get(what)
    if (lastMs !== undefined && monotonicMs() - lastMs < alarmEveryMs) return
    alarms.set(what, monotonicMs())
    log[level]({ cell, ...clocks }, what)
  }

  return {
    instantAfter({ lastAt, now }) {
      const local = clock.now()
      const clocks = { databaseClock: now, ownClock: local }
      const aheadMs = now.getTime() - local.getTime()
      if (aheadMs > apartMaxMs) {
        alarm('the clock of the database is ahead of this machine’s: no money moves', 'error', clocks)
        const detail =
          'The clocks of two machines differ. The same call, with the same key, may be sent again.'
        throw new AppError('unavailable', detail, { retryAfterMs: secondMs })
      }
      if (aheadMs < -apartMaxMs) alarm('the clock of this machine is ahead of the database’s', 'warn', clocks)
      if (lastAt.getTime() - now.getTime() > apartMaxMs)
        alarm(
          'the books are ahead of the clock: their instant does not advance until the clock has caught up',
          'error',
          {
            lastBatchAt: lastAt,
            ...clocks,
          },
        )
      return new Date(Math.max(now.getTime(), lastAt.getTime()))
    },
  }
}
