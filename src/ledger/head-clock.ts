// Which instant a batch gets. It is the database's clock, read under the head's lock, and never before the batch before it.
// So a clock that is ahead for a moment would keep the books ahead for good: what differs too much from our own clock is
// refused before the head moves. Which of the two is wrong, nobody knows here.
import { AppError } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, minuteMs, secondMs, systemClock, type Clock } from '#/kernel/time.ts'
import type { HeadRow } from './queries.ts'

/** So far may clocks be apart: many times what machines differ that keep their time, and less than harms. */
const apartMaxMs = 5 * secondMs
/** Between two alarms of one sort. */
const alarmEveryMs = minuteMs

export type HeadClock = {
  /**
   * The instant of the batch after `head`. Throws `unavailable` while the database's clock is ahead of our own by more than
   * 5 s: nothing was written, and the same call may be sent again. Our own clock may be ahead as far as it likes, because
   * nothing is decided by it.
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
      const own = clock.now()
      const clocks = { databaseClock: now, ownClock: own }
      const aheadMs = now.getTime() - own.getTime()
      if (aheadMs > apartMaxMs) {
        alarm('the clock of the database is ahead of this machine’s: no money moves', 'error', clocks)
        const detail =
          'The clocks of two machines differ. The same call, with the same key, may be sent again.'
        throw new AppError('unavailable', detail, { retryAfterMs: secondMs })
      }
      if (aheadMs < -apartMaxMs) alarm('the clock of this machine is ahead of the database’s', 'warn', clocks)
      if (lastAt.getTime() - now.getTime() > apartMaxMs)
        alarm('the books are ahead of the clock: they stand still until it has caught up', 'error', {
          lastBatchAt: lastAt,
          ...clocks,
        })
      return now > lastAt ? now : lastAt
    },
  }
}
