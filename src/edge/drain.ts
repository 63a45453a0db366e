// How a process ends without losing a request. It reports that it is not ready while it still serves, until every balancer in front
// has noticed; then its servers end together.
import { secondMs, sleep } from '#/kernel/time.ts'

export type Drain = {
  /** Whether the process is leaving: balancers should send nothing here from now on. */
  isDraining(): boolean
  /** Whether answers end their connections: callers that keep one open open the next one elsewhere. */
  isClosing(): boolean
  /** A server that ends with the others. */
  add(server: Endable): void
  /**
   * Serves on for `seconds`, then ends all servers at once: long polls are answered, streams are closed, and every request that
   * came is answered. When all have ended, rejects with the error of a server, if there was one.
   */
  run(seconds: number): Promise<void>
}

/** Its `close` may be called again: then it waits for the same end. */
type Endable = { close(): PromiseLike<unknown> }

export function createDrain(): Drain {
  const servers = new Set<Endable>()
  let state: 'serving' | 'draining' | 'closing' = 'serving'
  return {
    isDraining: () => state !== 'serving',
    isClosing: () => state === 'closing',
    add: (server) => servers.add(server),
    async run(seconds) {
      state = 'draining'
      const halfMs = (seconds * secondMs) / 2
      await sleep(halfMs)
      // A balancer of connections moves none that is open: those callers are sent away by the answer to their next request.
      state = 'closing'
      await sleep(halfMs)
      const ends = await Promise.allSettled([...servers].map((server) => server.close()))
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}
