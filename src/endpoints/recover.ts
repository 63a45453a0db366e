// The work of recoveries. Each batch scans up to 500 events and makes due what is to be sent again, in one transaction that also stores how
// far the recovery is. So a worker may die at any moment, and two workers never do the same batch. These deliveries wait under a receiver
// of their own, to which one send at a time is made: in order, and beside new deliveries.
import type { Sql } from '#/db/client.ts'
import { newId, type DeliveryId } from '#/kernel/id.ts'
import { secondMs } from '#/kernel/time.ts'
import * as queries from './recovery-queries.ts'
import type { RecoveryKey } from './recovery-queries.ts'
import { createRounds, roundMax, type Upkeep, type UpkeepDeps } from './upkeep.ts'

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
    (after) => queries.selectWork(sql, after, roundMax),
    (key) => advance(sql, key, sizes),
  )
}

/** Does one batch. Returns how many events it scanned. */
function advance(sql: Sql, key: RecoveryKey, { batch, waiting }: Sizes): Promise<number> {
  return sql.begin(async (tx) => {
    const recovery = await queries.lockRunning(tx, key)
    if (recovery === undefined) return 0
    const { merchantId, endpointId } = recovery
    if (endpointId === null) {
      const { scanned, made } = await queries.advanceToUrls(tx, recovery, batch)
      if (made > 0) await queries.restRecovery(tx, key, restMs)
      return scanned
    }
    if ((await queries.countWaiting(tx, merchantId, endpointId, waiting)) >= waiting) return 0
    const ids = Array.from({ length: batch }, (): DeliveryId => newId())
    return (await queries.advanceToEndpoint(tx, { ...recovery, endpointId }, batch, ids)).scanned
  })
}
