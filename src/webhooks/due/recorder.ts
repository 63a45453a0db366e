// Records the results of attempts, many at a time.
import type { Sql } from '#/db/client.ts'
import { classify } from '#/db/failure.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { sleep } from '#/kernel/time.ts'
import { recordAttempts, type AttemptResult } from './queries.ts'

const batchMax = 512

/** No caller waits for these writes: a short pause gathers many results in one write. */
const gatherMs = 10

export type Recorder = {
  record(result: AttemptResult): void
  /** Resolves when everything is written or the writing failed. After a failure the claims run out and all is sent again. */
  close(): Promise<void>
}

export function createRecorder(sql: Sql, log: Log, retryMs = 500): Recorder {
  const waiting: AttemptResult[] = []
  let draining: Promise<void> | undefined
  let closing = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < batchMax && !closing) await sleep(gatherMs)
      const batch = waiting.splice(0, batchMax)
      try {
        // Sorted by key, so that two workers that write the same deliveries cannot deadlock.
        await write(batch.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1)))
      } catch (error) {
        log.warn({ error: messageOf(error), attempts: batch.length }, 'attempts cannot be recorded right now')
        if (closing) break
        waiting.unshift(...batch)
        await sleep(retryMs)
      }
    }
    draining = undefined
  }

  /**
   * Writes the results, in halves when they are too many at once. A result that the database refuses, or at which it fails, is left out:
   * its delivery is due again when its lease ends.
   */
  async function write(results: readonly AttemptResult[]): Promise<void> {
    try {
      await recordAttempts(sql, results)
    } catch (error) {
      const failure = classify(error)
      const middle = results.length >> 1
      const isDivisible = failure === 'poison' || failure === 'doubtful' || (failure === 'late' && middle > 0)
      if (!isDivisible) throw error
      if (middle === 0) {
        log.error(
          { deliveryId: results[0]?.deliveryId, error: messageOf(error) },
          'an attempt was not recorded',
        )
        return
      }
      await write(results.slice(0, middle))
      await write(results.slice(middle))
    }
  }

  return {
    record(result) {
      waiting.push(result)
      draining ??= drain()
    },
    async close() {
      closing = true
      if (waiting.length > 0) draining ??= drain()
      await draining
    },
  }
}
