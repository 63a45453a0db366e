// Finds receivers that may have due deliveries, in two ways. The first reads what new batches left: exact and cheap. The second
// walks over all receivers with anything pending, and so also finds retries, what was sent again by hand, and what a dead worker
// had claimed.
import type { Sql } from '#/db/client.ts'
import { monotonicMs } from '#/kernel/time.ts'
import type { Receiver } from '../event.ts'
import * as queries from './queries.ts'

/** Untried deliveries read in one poll. The walk finds the receivers of the rest. */
const newMax = 5_000

/** Receivers stepped through in one walk. With more of them pending, the next walk goes on from there. */
const stepsMax = 2_000

export type Discovery = {
  /** Milliseconds until the next poll is due; zero: now. */
  dueInMs(): number
  /** Makes the next poll due now. */
  soon(): void
  poll(): Promise<readonly Receiver[]>
}

export function createDiscovery(sql: Sql, pollMs: number): Discovery {
  let batch: bigint | undefined
  let position = queries.firstReceiver
  let walkAtMs = 0
  let isRequested = false

  async function findNew(): Promise<readonly Receiver[]> {
    const since = batch ?? (await queries.newestBatch(sql))
    const receivers = await queries.newReceivers(sql, since, newMax)
    // Closed receivers count too: otherwise each poll would read their deliveries again, and these would hide newer ones.
    batch = receivers.reduce((newest, each) => (each.batch > newest ? each.batch : newest), since)
    return receivers.filter(({ isOpen }) => isOpen)
  }

  async function walk(): Promise<readonly Receiver[]> {
    const steps = await queries.stepReceivers(sql, position, stepsMax)
    position = steps.length < stepsMax ? queries.firstReceiver : (steps.at(-1) ?? queries.firstReceiver)
    return steps.filter(({ isDue }) => isDue)
  }

  return {
    dueInMs: () => (isRequested ? 0 : Math.max(0, walkAtMs - monotonicMs())),
    soon: () => {
      isRequested = true
    },
    async poll() {
      isRequested = false
      // New batches first: the very first poll must note the newest batch before the walk covers everything before it.
      const fresh = await findNew()
      if (monotonicMs() < walkAtMs) return fresh
      walkAtMs = monotonicMs() + pollMs
      return [...fresh, ...(await walk())]
    },
  }
}
