// What endpoints need behind the API, in small transactions: deliveries that a disabled endpoint held are started in order when it is
// enabled, and those of a deleted one are canceled. Any number of workers may do it side by side, and die half way.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import type { EndpointKey } from './work-queries.ts'
import * as queries from './work-queries.ts'

export type UpkeepDeps = { readonly sql: Sql; readonly log: Log }

/** Deliveries in one transaction. */
const batchMax = 1_000
/** Endpoints or recoveries in one round. */
export const roundMax = 100
/** Longer than any transaction of ours lasts: one may have read the endpoint before it was deleted. */
const longestTransactionMs = minuteMs

/** A worker's rounds over endpoints of one kind: `poll` does a batch for each of the next ones, and returns how many deliveries changed. */
export type Upkeep = { poll(): Promise<number> }

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
export function createRounds<Key>(
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
