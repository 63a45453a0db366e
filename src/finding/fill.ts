// The worker behind metadata keys. It fills in the records that existed before a key was declared, oldest first, in batches. The
// transaction of a batch also notes how far it came, so a worker that dies loses nothing. It works half of the time, and each merchant has
// one slot, so a merchant with many records delays neither traffic nor other merchants. It also deletes the values of keys that were taken
// from the list.
import type { Sql } from '#/db/client.ts'
import { dueWorker, type DueWorker } from '#/jobs/worker.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import { earlyEnd, settledMs as usualSettledMs } from './metadata-key.ts'
import * as queries from './queries.ts'
import type { DueKey } from './queries.ts'

/** Records of one transaction. */
const usualBatch = 500
/** After this time other keys that are due have their turn. */
const turnMs = 5 * secondMs
const leaseMs = minuteMs
const backoffMs = 10 * secondMs

/** Less than every hash. */
const leastHash = -(2 ** 31)

export type FillerOptions = {
  readonly sql: Sql
  readonly log: Log
  /** For tests: small batches, and no wait for transactions that do not know a key. */
  readonly batch?: number
  readonly settledMs?: number
}

/** Fills in and clears away as keys become due. */
export function createMetadataFiller(options: FillerOptions): DueWorker {
  const { sql, log } = options
  return dueWorker<DueKey>({
    name: 'metadata key',
    log,
    leaseMs,
    concurrency: { each: 1, total: 4 },
    isDue: queries.isKeyDue,
    claim: (slots, forMs) => queries.claimKeys(sql, slots, forMs),
    run: (key) => (key.status === 'FILLING' ? fill(options, key) : clear(options, key)),
    postpone: (key, waitMs) => queries.postponeKey(sql, key, waitMs),
    // How often a key was claimed says how many turns it had, not how often it failed.
    backoff: () => backoffMs,
  })
}

async function fill(options: FillerOptions, key: DueKey): Promise<'done'> {
  const { sql, batch = usualBatch, settledMs = usualSettledMs } = options
  const early = earlyEnd(key.changedAt)
  const endMs = monotonicMs() + turnMs
  while (monotonicMs() < endMs) {
    const startMs = monotonicMs()
    const filled = await sql.begin((tx) => queries.fillNext(tx, key, { limit: batch, settledMs, early }))
    if (filled === undefined) return 'done'
    if (filled.records < batch) {
      if (filled.isLate) await queries.finishKey(sql, key)
      else await queries.postponeKey(sql, key, settledMs)
      return 'done'
    }
    await sleep(monotonicMs() - startMs)
  }
  await queries.postponeKey(sql, key, 0)
  return 'done'
}

async function clear({ sql, batch = usualBatch }: FillerOptions, key: DueKey): Promise<'done'> {
  const endMs = monotonicMs() + turnMs
  let after = leastHash
  while (monotonicMs() < endMs) {
    const startMs = monotonicMs()
    const { count, last } = await sql.begin((tx) => queries.deleteValues(tx, key, { limit: batch, after }))
    if (count < batch) {
      await queries.deleteKey(sql, key)
      return 'done'
    }
    after = last
    await sleep(monotonicMs() - startMs)
  }
  await queries.postponeKey(sql, key, 0)
  return 'done'
}
