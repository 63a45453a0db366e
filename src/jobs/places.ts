// How many items of each connection may be under way. Pure bookkeeping in memory, so that a provider that hangs holds a few
// places and leaves the others to everybody else.
import { secondMs } from '#/kernel/time.ts'

/**
 * The places of a worker: at most so many of one connection, and so many in all. `eachOf`: what a connection has that is known to
 * need more; it has them at once.
 */
export type Concurrency = {
  readonly each: number
  readonly total: number
  readonly eachOf?: (connection: string) => number | undefined
}

/** The places that are free: at most `total`; of each connection as many as `own` says of it, of any other `each`. */
export type Places = {
  readonly total: number
  readonly each: number
  readonly own: readonly { readonly connection: string; readonly places: number }[]
}

export type PlaceBook = {
  free(): Places
  /** Whether somebody has to wait for a place. */
  isFull(): boolean
  take(connection: string): void
  /** `ms`: how long the item took. */
  giveBack(connection: string, ms: number): void
}

/** A connection has so many places at first, and never fewer. */
const placesAtFirst = 4
/** Each item that took less gives its connection one place more, each that took longer than the other takes half of them. */
const quickMs = 2 * secondMs
const slowMs = 10 * secondMs
/** Of so many connections it is remembered how quick they were. */
const rememberedMax = 1_000

type Standing = { window: number; taken: number }

export function createPlaceBook({ each, total, eachOf = () => undefined }: Concurrency): PlaceBook {
  const first = Math.min(placesAtFirst, each)
  const standings = new Map<string, Standing>()
  let count = 0
  const placesOf = (connection: string, { window, taken }: Standing) =>
    Math.max(0, (eachOf(connection) ?? window) - taken)

  /** The one that was used last is the last in the map. */
  function use(connection: string): Standing {
    const standing = standings.get(connection) ?? { window: first, taken: 0 }
    standings.delete(connection)
    standings.set(connection, standing)
    for (const [oldest, { taken }] of standings) {
      if (standings.size <= rememberedMax) break
      if (taken > 0) continue
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
        places: placesOf(connection, standing),
      })),
    }),
    isFull: () =>
      count >= total || [...standings].some(([connection, standing]) => placesOf(connection, standing) === 0),
    take(connection) {
      use(connection).taken += 1
      count += 1
    },
    giveBack(connection, ms) {
      const standing = use(connection)
      standing.taken -= 1
      count -= 1
      if (ms < quickMs) standing.window = Math.min(each, standing.window + 1)
      if (ms >= slowMs) standing.window = Math.max(first, standing.window >> 1)
    },
  }
}
