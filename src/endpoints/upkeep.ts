// What endpoints need behind the API, in small transactions: deliveries that a disabled endpoint held are started in order when it is
// enabled, and those of a deleted one are canceled. Any number of workers may do it side by side, and die half way.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { newId, type DeliveryId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs, secondMs } from '#/kernel/time.ts'
import type { EndpointKey } from './queries.ts'
import * as queries from './queries.ts'
import * as recoveries from './recovery-queries.ts'
import type { RecoveryKey } from './recovery-queries.ts'

type UpkeepDeps = { readonly sql: Sql; readonly log: Log }

/** Deliveries in one transaction. */
const batchMax = 1_000
/** Endpoints or recoveries in one round. */
const roundMax = 100
/** Longer than any transaction of ours lasts: one may have read the endpoint before it was deleted. */
const longestTransactionMs = minuteMs

/** A worker's rounds over endpoints of one kind: `poll` does a batch for each of the next ones, and returns how many deliveries changed. */
type Upkeep = { poll(): Promise<number> }

/** Starts what was held for endpoints that were enabled, `batch` deliveries at a time. */
export function createStarter({ sql, log }: UpkeepDeps, batch = batchMax): Upkeep {
  return createRounds<EndpointKey>(
    log,
    (after) => queries.selectStarting(sql, after, roundMax),
    (key) => startHeld(sql, key, batch),
  )
}

/** The endpoint is ENABLED when nothing is left to put in order: from then on its deliveries are sent. */
function startHeld(sql: Sql, key: EndpointKey, batch: number): Promise<number> {
  return sql.begin(async (tx) => {
    if (!(await queries.lockStarting(tx, key))) return 0
    const ordered = await queries.orderHeld(tx, key, batch)
    if (ordered < batch) await queries.enable(tx, key)
    return ordered
  })
}

/** Cancels what is due for deleted endpoints, `batch` deliveries at a time. */
export function createCanceler({ sql, log }: UpkeepDeps, batch = batchMax): Upkeep {
  return createRounds<EndpointKey>(
    log,
    (after) => queries.selectToClear(sql, after, roundMax),
    async (key) => {
      const canceled = await queries.cancelDue(sql, key, batch)
      if (canceled === 0) await queries.markCleared(sql, key, longestTransactionMs)
      return canceled
    },
  )
}

/** Takes the endpoints page by page, so that an endpoint at which the work fails does not delay those after it. */
function createRounds<Key>(
  log: Log,
  select: (after: Key | undefined) => Promise<readonly Key[]>,
  work: (key: Key) => Promise<number>,
): Upkeep {
  let position: Key | undefined
  return {
    async poll() {
      const keys = await select(position)
      position = keys.length < roundMax ? undefined : keys.at(-1)
      let done = 0
      for (const key of keys) {
        try {
          done += await work(key)
        } catch (error) {
          log.warn({ key, error: messageOf(error) }, 'work for webhook endpoints failed; it is tried again')
        }
      }
      return done
    },
  }
}

// The work of recoveries. Each batch scans up to 500 events and makes due what is to be sent again, in one transaction that also stores how
// far the recovery is. So a worker may die at any moment, and two workers never do the same batch. These deliveries wait under a receiver
// of their own, to which one send at a time is made: in order, and beside new deliveries.

type Sizes = {
  /** Events in one batch. */
  readonly batch: number
  /** No further batch while this many wait for an endpoint. */
  readonly waiting: number
}

const usual: Sizes = { batch: 500, waiting: 500 }

/**
 * The pause between two batches of a recovery to the URLs of payments, when the first made deliveries due. These go to many hosts, one of
 * which may hang: so batches are paced by time, and not by how many deliveries wait.
 */
const restMs = secondMs

/** Goes on with the recoveries that are running. */
export function createRecoverer({ sql, log }: UpkeepDeps, sizes = usual): Upkeep {
  return createRounds<RecoveryKey>(
    log,
    (after) => recoveries.selectWork(sql, after, roundMax),
    (key) => advance(sql, key, sizes),
  )
}

/** Does one batch. Returns how many events it scanned. */
function advance(sql: Sql, key: RecoveryKey, { batch, waiting }: Sizes): Promise<number> {
  return sql.begin(async (tx) => {
    const recovery = await recoveries.lockRunning(tx, key)
    if (recovery === undefined) return 0
    const { merchantId, endpointId } = recovery
    if (endpointId === null) {
      const { scanned, made } = await recoveries.advanceToUrls(tx, recovery, batch)
      if (made > 0) await recoveries.restRecovery(tx, key, restMs)
      return scanned
    }
    if ((await recoveries.countWaiting(tx, merchantId, endpointId, waiting)) >= waiting) return 0
    const ids = Array.from({ length: batch }, (): DeliveryId => newId())
    return (await recoveries.advanceToEndpoint(tx, { ...recovery, endpointId }, batch, ids)).scanned
  })
}
