// The live streams that are open in this process. When a session or a membership has ended, its streams are closed: at once when a request
// to this process ended it, otherwise at the next check. One query checks all streams.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import type { Watched } from '#/people/session-queries.ts'
import { findEnded } from '#/people/sessions.ts'

export type OpenStream = Watched & { readonly end: () => void }

export type OpenStreams = {
  /** Watches the stream until the returned function is called. */
  readonly add: (stream: OpenStream) => () => void
  /** Checks the sessions and memberships of all streams, and closes the streams of those that have ended. Never rejects. */
  readonly check: () => Promise<void>
}

/** How often sessions and memberships are checked that another process may have ended. */
const usualCheckEveryMs = 0.9 * secondMs

export function createOpenStreams({
  sql,
  log,
  checkEveryMs = usualCheckEveryMs,
}: {
  readonly sql: Sql
  readonly log: Log
  readonly checkEveryMs?: number
}): OpenStreams {
  const open = new Set<OpenStream>()
  let timer: NodeJS.Timeout | undefined
  let running = 0

  async function check(): Promise<void> {
    if (open.size === 0) return
    const watched = [...open]
    running += 1
    try {
      for (const { end } of await findEnded({ sql }, watched)) end()
    } catch (error) {
      // Whether they may go on is unknown, so they are closed. Their pages connect again.
      log.warn({ error: messageOf(error) }, 'live streams are ended: their sessions cannot be looked up')
      for (const { end } of watched) end()
    } finally {
      running -= 1
    }
  }

  return {
    add(stream) {
      open.add(stream)
      // One check at a time, also when the database is slow.
      timer ??= setInterval(() => void (running === 0 && check()), checkEveryMs)
      return () => {
        open.delete(stream)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    check,
  }
}
