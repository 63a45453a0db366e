// Sends the live part of the page to every browser that has it open, by server-sent events (HTML, 9.2). It always sends the whole
// part, so a browser that missed an event is current again with the next one.
import type { FastifyReply } from 'fastify'
import { messageOf } from '#/kernel/error.ts'
import { startEventStream, type EventStream } from '#/kernel/event-stream.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'

export type Feed = {
  /** Answers with a stream that lasts until the browser disconnects or the feed is closed. */
  readonly join: (reply: FastifyReply) => Promise<void>
  readonly close: () => void
}

/** A browser opens one stream for each tab; no person has more than this. */
const readersMax = 32
const everyMs = 500
const breathEveryMs = 15_000

/** A feed of `read()`, which is called twice a second while a stream is open, and not at all otherwise. */
export function createFeed(read: () => Promise<string>, log: Log): Feed {
  const readers = new Map<EventStream, string>()
  const closing = new AbortController()
  let running = false

  async function run(): Promise<void> {
    running = true
    let breathedAt = monotonicMs()
    while (readers.size > 0 && !closing.signal.aborted) {
      const text = await read().catch((error: unknown) => {
        log.warn({ error: messageOf(error) }, 'the welcome page cannot be brought up to date')
        return undefined
      })
      if (text !== undefined) sendChanged(text)
      if (monotonicMs() - breathedAt > breathEveryMs) {
        for (const stream of readers.keys()) stream.ping()
        breathedAt = monotonicMs()
      }
      await sleep(everyMs, closing.signal)
    }
    running = false
  }

  function sendChanged(text: string): void {
    for (const [stream, sent] of readers) {
      if (sent === text || stream.isBehind()) continue
      stream.send(text)
      readers.set(stream, text)
    }
  }

  return {
    async join(reply) {
      if (readers.size >= readersMax || closing.signal.aborted) {
        await reply.code(503).header('retry-after', '5').type('text/plain').send('Too many pages are open.\n')
        return
      }
      reply.hijack()
      const stream = startEventStream(reply.raw, reply.getHeaders())
      readers.set(stream, '')
      stream.onEnd(() => readers.delete(stream))
      if (!running) void run()
    },
    close() {
      closing.abort()
      for (const stream of readers.keys()) stream.end()
      readers.clear()
    },
  }
}
