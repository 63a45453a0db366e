// Counts the calls to the providers of connections in memory, and adds them to the figures in the database every few seconds: a call costs
// nothing more. What a process had not added when it was killed is lost; these are figures for people, not facts of money.
import type { Sql } from '#/db/client.ts'
import { messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { secondMs } from '#/kernel/time.ts'
import { addCalls, deleteOldHealth, type CallSums } from './connection-queries.ts'

/** One call of a provider that has ended. `fault`: why its answer was of no use. */
export type EndedCall = { readonly ms: number; readonly fault?: string }

export type CallWatch = {
  /** Counts calls of this connection. */
  readonly of: (connection: ConnectionId) => (call: EndedCall) => void
  /** Adds what was counted since the last time. Never rejects. */
  flush(): Promise<void>
  close(): Promise<void>
}

const everyMs = 10 * secondMs
const errorMax = 200

export function openCallWatch({ sql, log }: { readonly sql: Sql; readonly log: Log }): CallWatch {
  let counted = new Map<ConnectionId, CallSums>()
  const flush = async () => {
    if (counted.size === 0) return
    const sums = [...counted.values()]
    counted = new Map()
    try {
      await addCalls(sql, sums)
      await deleteOldHealth(sql)
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'the figures of connections were not added')
    }
  }
  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()
  return {
    of: (connection) => (call) => counted.set(connection, plus(connection, counted.get(connection), call)),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function plus(connection: ConnectionId, before: CallSums | undefined, { ms, fault }: EndedCall): CallSums {
  const { calls = 0, errors = 0, totalMs = 0, longestMs = 0 } = before ?? {}
  const took = Math.max(0, Math.round(ms))
  const lastError = fault === undefined ? before?.lastError : fault.replaceAll('\0', ' ').slice(0, errorMax)
  return {
    connection,
    calls: calls + 1,
    errors: errors + (fault === undefined ? 0 : 1),
    totalMs: totalMs + took,
    longestMs: Math.max(longestMs, took),
    ...given({ lastError }),
  }
}
