// One look at the database instead of a poll for each kind of work: a statement asks all rooms of the process whether something of theirs
// is due, by the database's clock, and wakes only those. A room that is woken claims as ever, so the glance decides nothing.
import type { Sql } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs, sleep } from '#/kernel/time.ts'
import { selectDueNow } from './due-queries.ts'

export type Room = {
  readonly name: string
  readonly isDue: IsDue
  readonly wake: () => void
}

export type Glance = {
  /** Wakes the room from now on whenever something of it is due. Returns how long the room may sleep without being woken. */
  watch(room: Room): number
  close(): Promise<void>
}

/** The longest time between two looks: so long does work wait of which nothing in its process tells. */
const everyMs = secondMs / 2
/**
 * How long a room sleeps that is never woken. It bounds what a mistake in a condition can delay; a test shows that each condition sees what
 * its room claims.
 */
const restMs = minuteMs

/**
 * Looks for as long as a room is watched, until it is closed. When a look fails, every room is woken and finds out for itself, as if there
 * was no glance.
 */
export function openGlance({ sql, log }: { readonly sql: Sql; readonly log: Log }): Glance {
  const rooms: Room[] = []
  const closing = new AbortController()
  let looking: Promise<void> | undefined

  async function look(): Promise<readonly Room[]> {
    const watched = [...rooms]
    try {
      const are = await selectDueNow(
        sql,
        watched.map(({ isDue }) => isDue),
      )
      return watched.filter((_, index) => are[index] !== false)
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'cannot look for due work: every part looks for itself')
      return watched
    }
  }

  async function keepLooking(): Promise<void> {
    for (;;) {
      await sleep(everyMs, closing.signal)
      if (closing.signal.aborted) return
      for (const { wake } of await look()) wake()
    }
  }

  return {
    watch(room) {
      rooms.push(room)
      looking ??= keepLooking()
      return restMs
    },
    async close() {
      closing.abort()
      await looking
    },
  }
}
