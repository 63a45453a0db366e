// How many items of each connection may be under way. Pure bookkeeping in memory, so that a provider that hangs holds a few
// slots and leaves the others to everybody else.
import { secondMs } from '#/kernel/time.ts'

/**
 * The slots of a worker: at most so many of one connection, and so many in all. `eachOf`: what a connection has that is known to
 * need more; it has them at once.
 */
export type Concurrency = {
  readonly each: number
  readonly total: number
  readonly eachOf?: (connection: string) => number | undefined
}

/** The slots that are free: at most `total`; of each connection as many as `own` says of it, of any other `each`. */
export type Slots = {
  readonly total: number
  readonly each: number
  readonly own: readonly { readonly connection: string; readonly slots: number }[]
}

export type SlotPool = {
  free(): Slots
  /** Whether somebody has to wait for a slot. */
  isFull(): boolean
  occupy(connection: string): void
  /** `ms`: how long the item took. */
  release(connection: string, ms: number): void
}

/** A connection has so many slots at first, and never fewer. */
const slotsAtFirst = 4
/** Each item that took less gives its connection one slot more, each that took longer than the other takes half of them. */
const quickMs = 2 * secondMs
const slowMs = 10 * secondMs
/** Of so many connections it is remembered how quick they were. */
const rememberedMax = 1_000

type Standing = { window: number; used: number }

export function createSlotPool({ each, total, eachOf = () => undefined }: Concurrency): SlotPool {
  const first = Math.min(slotsAtFirst, each)
  // No LRU library: a connection with items under way must not be dropped, however long ago it was used.
  const standings = new Map<string, Standing>()
  let count = 0
  const slotsOf = (connection: string, { window, used }: Standing) =>
    Math.max(0, (eachOf(connection) ?? window) - used)

  /** The one that was used last is the last in the map. */
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
      own: [...standings].map(([connection, standing]) => ({
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
