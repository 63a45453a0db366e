// The database's clock, as this process knows it. Instants that are told, and ends that are counted from them, are by this
// clock and not by the machine's own, because what is due is decided by the database's (due.ts). It is read again and again
// and goes on by itself in between.
import { AppError, messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs, sleep, systemClock, type Clock } from '#/kernel/time.ts'
import type { Sql } from './client.ts'

export type DatabaseClock = Clock & {
  /**
   * Throws `unavailable` while the database's clock is ahead of the machine's by more than 5 s: nothing may be written then
   * whose end is counted from now.
   */
  readonly mustAgree: () => void
  /** Called each time that the database's clock was seen to have gone back by more than 5 s, as after a failover. */
  readonly onBack: (listener: () => void) => void
  readonly close: () => Promise<void>
}

const apartMaxMs = 5 * secondMs
const readEveryMs = secondMs
const alarmEveryMs = minuteMs

export type DatabaseClockOptions = {
  readonly sql: Sql
  readonly log: Log
  /** The machine's own. */
  readonly own?: Clock
  readonly readEveryMs?: number
}

/** Reads the database's clock, and follows it until it is closed. Rejects when the database is away now. */
export async function followDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { sql, log, own = systemClock } = options
  const closing = new AbortController()
  const listeners: (() => void)[] = []
  /** The database's clock less the monotonic one. */
  let offsetMs = own.now().getTime() - monotonicMs()
  let isKnown = false
  let isApart = false
  let alarmAtMs = 0

  /** The clock said `read` at some moment between `askedMs` and `answeredMs`. */
  function take(read: number, askedMs: number, answeredMs: number): void {
    isApart = read - own.now().getTime() > apartMaxMs
    if (isApart) {
      alarm(read)
      return
    }
    // What fits what is known teaches nothing: only the answer took a while.
    const [least, most] = [read - answeredMs, read - askedMs]
    const hasGoneBack = isKnown && offsetMs - most > apartMaxMs
    isKnown = true
    offsetMs = Math.min(Math.max(offsetMs, least), most)
    if (!hasGoneBack) return
    log.error({ databaseClock: new Date(read) }, 'the clock of the database went back')
    for (const listener of listeners) listener()
  }

  function alarm(read: number): void {
    if (monotonicMs() < alarmAtMs) return
    alarmAtMs = monotonicMs() + alarmEveryMs
    const clocks = { databaseClock: new Date(read), ownClock: own.now() }
    log.error(clocks, 'the clock of the database is ahead of this machine’s: nothing new is taken')
  }

  async function read(): Promise<void> {
    const askedMs = monotonicMs()
    const [row] = await sql<{ now: Date }[]>`select date_trunc('milliseconds', clock_timestamp()) as now`
    if (row !== undefined) take(row.now.getTime(), askedMs, monotonicMs())
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
    async close() {
      closing.abort()
      await following
    },
  }
}
