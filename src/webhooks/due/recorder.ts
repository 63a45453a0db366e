// Writes what became of attempts, many at a time: whatever was answered while the last write ran goes into the next.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { sleep } from '#/kernel/time.ts'
import { recordAttempts, type AttemptResult } from './queries.ts'

const batchMax = 512
const lingerMs = 10

export type Recorder = {
  record(result: AttemptResult): void
  /** Resolves when everything is written, or when it could not be: then the claims run out and it is all sent again. */
  close(): Promise<void>
}

export function createRecorder(sql: Sql, log: Log, retryMs = 500): Recorder {
  const waiting: AttemptResult[] = []
  let draining: Promise<void> | undefined
  let closing = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < batchMax && !closing) await sleep(lingerMs)
      const batch = waiting.splice(0, batchMax)
      try {
        // In the order of keys, so that two workers that write about the same deliveries cannot lock each other out.
        await recordAttempts(
          sql,
          batch.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1)),
        )
      } catch (error) {
        log.warn({ error: messageOf(error), attempts: batch.length }, 'attempts were not recorded')
        if (closing) return
        waiting.unshift(...batch)
        await sleep(retryMs)
      }
    }
  }

  function start(): void {
    draining ??= drain().finally(() => {
      draining = undefined
    })
  }

  return {
    record(result) {
      waiting.push(result)
      start()
    },
    async close() {
      closing = true
      if (waiting.length > 0) start()
      await draining
    },
  }
}
