// This process's estimate of the database's clock. Instants in answers, and the times that are computed from them, use this
// clock and not the machine's, because the database's clock decides what is due (due.ts). The database's clock is read
// periodically; between two readings the estimate advances with the monotonic clock.
import { AppError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs, sleep, systemClock, type Clock } from '#/kernel/time.ts'
import type { Sql } from './client.ts'

export type DatabaseClock = Clock & {
  /**
   * Throws `unavailable` while the database's clock is more than 5 s ahead of the machine's: then nothing may be written with a
   * deadline that is computed from now.
   */
  readonly mustAgree: () => void
  /** Adds a listener that is called whenever the database's clock went back by more than 5 s, as after a failover. */
  readonly onBack: (listener: () => void) => void
  /** The database's clock less the machine's, as last read. */
  readonly skewMs: () => number
  readonly close: () => Promise<void>
}

const apartMaxMs = 5 * secondMs
const readEveryMs = secondMs
const alarmEveryMs = minuteMs

export type DatabaseClockOptions = {
  readonly sql: Sql
  readonly log: Log
  /** The machine's clock. */
  readonly machineClock?: Clock
  readonly readEveryMs?: number
}

/** Reads the database's clock, and follows it until it is closed. Rejects when the database is not reachable now. */
export async function followDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { sql, log, machineClock: localClock = systemClock } = options
  const closing = new AbortController()
  const listeners: (() => void)[] = []
  /** The database's clock less the monotonic one. */
  let offsetMs = localClock.now().getTime() - monotonicMs()
  let wasRead = false
  let isApart = false
  let skewMs = 0
  let alarmAtMs = 0

  /** Adjusts the offset. The database's clock showed `read` at a moment between `sentMs` and `answeredMs`. */
  function adjust(read: number, sentMs: number, answeredMs: number): void {
    // The half of the round trip is the best guess of the moment at which the database answered.
    skewMs = read + (answeredMs - sentMs) / 2 - localClock.now().getTime()
    isApart = read - localClock.now().getTime() > apartMaxMs
    if (isApart) {
      alarm(read)
      return
    }
    // An offset within these bounds is kept: the difference may be the delay of the answer.
    const [least, most] = [read - answeredMs, read - sentMs]
    const hasGoneBack = wasRead && offsetMs - most > apartMaxMs
    wasRead = true
    offsetMs = Math.min(Math.max(offsetMs, least), most)
    if (!hasGoneBack) return
    log.error({ databaseClock: new Date(read) }, 'the clock of the database went back')
    for (const listener of listeners) listener()
  }

  function alarm(read: number): void {
    if (monotonicMs() < alarmAtMs) return
    alarmAtMs = monotonicMs() + alarmEveryMs
    const clocks = { databaseClock: new Date(read), ownClock: localClock.now() }
    log.error(clocks, 'the clock of the database is ahead of this machine’s: requests that write are refused')
  }

  async function read(): Promise<void> {
    const sentMs = monotonicMs()
    const [row] = await sql<{ now: Date }[]>`select date_trunc('milliseconds', clock_timestamp()) as now`
    if (row !== undefined) adjust(row.now.getTime(), sentMs, monotonicMs())
  }

  async function follow(): Promise<void> {
    for (;;) {
      await sleep(options.readEveryMs ?? readEveryMs, closing.signal)
      if (closing.signal.aborted) return
      await read().catch((error: unknown) => {
        log.debug({ error: messageOf(error) }, 'the clock of the database could not be read')
      })
    }
  }

  await read()
  const following = follow()
  return {
    now: () => new Date(Math.round(offsetMs + monotonicMs())),
    mustAgree() {
      if (!isApart) return
      const detail = 'The clocks of two machines differ. The same call, with the same key, may be sent again.'
      throw new AppError('unavailable', detail, { retryAfterMs: secondMs })
    },
    onBack: (listener) => void listeners.push(listener),
    skewMs: () => skewMs,
    async close() {
      closing.abort()
      await following
    },
  }
}
