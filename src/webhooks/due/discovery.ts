// Finds endpoints that something may be due for. Two looks: what new batches left, which is exact and cheap, and a walk
// over all endpoints with anything pending, which is the truth: it finds retries, what was sent again by hand, and what
// a dead worker held.
import type { Sql } from '#/db/client.ts'
import { monotonicMs } from '#/kernel/time.ts'
import type { Endpoint } from '../event.ts'
import * as queries from './queries.ts'

/** Untried deliveries read in one look. Beyond, the walk finds their endpoints. */
const newMax = 5_000

/** Endpoints stepped through in one walk. With more of them pending, the next walk goes on from there. */
const stepsMax = 2_000

export type Discovery = {
  /** Milliseconds until there is a reason to look; zero: now. */
  dueInMs(): number
  /** There is a reason now. */
  soon(): void
  look(): Promise<readonly Endpoint[]>
}

export function createDiscovery(sql: Sql, pollMs: number): Discovery {
  let batch: bigint | undefined
  let position = queries.firstEndpoint
  let walkAtMs = 0
  let asked = false

  async function lookAtNew(): Promise<readonly Endpoint[]> {
    const since = batch ?? (await queries.newestBatch(sql))
    const endpoints = await queries.newEndpoints(sql, since, newMax)
    batch = endpoints.reduce((newest, each) => (each.batch > newest ? each.batch : newest), since)
    return endpoints
  }

  async function walk(): Promise<readonly Endpoint[]> {
    const steps = await queries.stepEndpoints(sql, position, stepsMax)
    position = steps.length < stepsMax ? queries.firstEndpoint : (steps.at(-1) ?? queries.firstEndpoint)
    return steps.filter(({ isDue }) => isDue)
  }

  return {
    dueInMs: () => (asked ? 0 : Math.max(0, walkAtMs - monotonicMs())),
    soon: () => {
      asked = true
    },
    async look() {
      asked = false
      // New ones first: the very first look must note the newest batch before it walks over everything before it.
      const fresh = await lookAtNew()
      if (monotonicMs() < walkAtMs) return fresh
      walkAtMs = monotonicMs() + pollMs
      return [...fresh, ...(await walk())]
    },
  }
}
