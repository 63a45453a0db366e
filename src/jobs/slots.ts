// How many items of each connection may be under way. Counted in memory. A provider that hangs occupies only a few slots, and
// the other connections have the rest.
import { secondMs } from '#/kernel/time.ts'

/**
 * The slots of a worker: at most `each` of one connection, and `total` of all. `eachOf`: the number for a connection that needs
 * more than `each`; it has them from the start.
 */
export type Concurrency = {
  readonly each: number
  readonly total: number
  readonly eachOf?: (connection: string) => number | undefined
}

/** The free slots: at most `total`; per connection the number in `byConnection`, or `each` if it is not in there. */
export type Slots = {
  readonly total: number
  readonly each: number
  readonly byConnection: readonly { readonly connection: string; readonly slots: number }[]
}

export type SlotPool = {
  free(): Slots
  /** Whether a connection has no free slot. */
  isFull(): boolean
  occupy(connection: string): void
  /** `ms`: the duration of the item. */
  release(connection: string, ms: number): void
}

/** The number of slots that a connection has at first, and at least. */
const slotsAtFirst = 4
/** Each item quicker than `quickMs` adds one slot to its connection; each one slower than `slowMs` halves its slots. */
const quickMs = 2 * secondMs
const slowMs = 10 * secondMs
/** The number of connections whose slots are remembered. */
const rememberedMax = 1_000

type Standing = { window: number; used: number }

export function createSlotPool({ each, total, eachOf = () => undefined }: Concurrency): SlotPool {
  const first = Math.min(slotsAtFirst, each)
  // Not an LRU library: a connection with items under way must not be dropped.
  const standings = new Map<string, Standing>()
  let count = 0
  const slotsOf = (connection: string, { window, used }: Standing) =>
    Math.max(0, (eachOf(connection) ?? window) - used)

  /** Moves the connection to the end of the map, so that the first one is the one that was used longest ago. */
  function use(connection: string): Standing {
    const standing = standings.get(connection) ?? { window: first, used: 0 }
    standings.delete(connection)
    standings.set(connection, standing)
    for (const [oldest, { used }] of standings) {
      if (standings.size <= rememberedMax) break
      if (used > 0) continue
      standings.delete(oldest)
    }
    return standing
  }

  return {
    free: () => ({
      total: total - count,
      each: first,
      byConnection: [...standings].map(([connection, standing]) => ({
        connection,
        slots: slotsOf(connection, standing),
      })),
    }),
    isFull: () =>
      count >= total || [...standings].some(([connection, standing]) => slotsOf(connection, standing) === 0),
    occupy(connection) {
      use(connection).used += 1
      count += 1
    },
    release(connection, ms) {
      const standing = use(connection)
      standing.used -= 1
      count -= 1
      if (ms < quickMs) standing.window = Math.min(each, standing.window + 1)
      if (ms >= slowMs) standing.window = Math.max(first, standing.window >> 1)
    },
  }
}
