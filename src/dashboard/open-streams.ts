// The live streams that are open here. A session that was ended, or a membership, ends its streams: at once where it was ended by a request to
// this process, else at the next look. One query looks after all of them.
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
  /** Ends the streams of what has ended by now. Never rejects. */
  readonly check: () => Promise<void>
}

/** For what was ended by another process. */
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
      // Nobody knows whether they may go on. Their pages come back.
      log.warn({ error: messageOf(error) }, 'live streams are ended: their sessions cannot be looked up')
      for (const { end } of watched) end()
    } finally {
      running -= 1
    }
  }

  return {
    add(stream) {
      open.add(stream)
      // A database that is slow is asked one thing at a time.
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
