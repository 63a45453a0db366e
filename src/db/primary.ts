// Finds the primary among the servers of one URL. The driver's own search is not used (postgres.js 3.4.9, src/connection.js):
// it tries a refusing or read-only server again at once and without end, and after a server that does not answer it does not
// try the next.
import postgres from 'postgres'
import { messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import type { Address } from './address.ts'
import { ConnectionLost } from './failure.ts'
import { loginOf } from './login.ts'
import { createSockets, type Server } from './socket.ts'

/** How long one server may take to say whether it is the primary. */
const serverMs = 2 * secondMs

/** For so long the primary that was found is used without a query, because many connections are opened at the same time. */
const freshMs = 500

/** After so long without an answer to a statement we query whether its server is still the primary. */
const silenceMs = 4 * secondMs

export type Primary = {
  /**
   * Returns the primary; queries the last primary first. Rejects when none of the servers is the primary, with the reason of
   * each.
   */
  find(): Promise<Server>
  /** The next `find` queries the servers again. */
  doubt(): void
  /** Calls `onChange` when another server is the primary. Returns a function that stops this. */
  watch(onChange: (server: Server) => void): () => void
  /**
   * Watches work that begins now: calls `cut` when it gets no answer and no server is the primary. Returns a function that ends
   * the watch.
   */
  attend(cut: (error: ConnectionLost) => void): () => void
}

type Work = { readonly since: number; readonly cut: (error: ConnectionLost) => void }

/**
 * One for each URL in a process: all clients with the same URL share what one of them finds, and each URL is queried with its
 * own credentials.
 */
const primaries = new Map<string, Primary>()

export function primaryOf(address: Address): Primary {
  const name = JSON.stringify([address.url, address.servers])
  const primary = primaries.get(name) ?? createPrimary(address)
  primaries.set(name, primary)
  return primary
}

function createPrimary(address: Address): Primary {
  let good = address.servers[0]
  let goodAt = Number.NEGATIVE_INFINITY
  let search: Promise<Server> | undefined
  const watchers = new Set<(server: Server) => void>()
  const works = new Set<Work>()
  let timer: NodeJS.Timeout | undefined

  async function searchAll(): Promise<Server> {
    const reasons = new Map<Server, unknown>()
    for (const server of [good, ...address.servers.filter((each) => each !== good)]) {
      try {
        await askPrimary(address.url, server)
      } catch (error) {
        reasons.set(server, error)
        continue
      }
      goodAt = monotonicMs()
      if (server !== good) {
        good = server
        for (const onChange of watchers) onChange(server)
      }
      return server
    }
    throw noPrimary(reasons)
  }

  function find(): Promise<Server> {
    if (monotonicMs() - goodAt < freshMs) return Promise.resolve(good)
    search ??= searchAll().finally(() => (search = undefined))
    return search
  }

  /** Queries the servers only while some work waits for long, so an idle server gets no queries. */
  async function checkWorks(): Promise<void> {
    const [oldest] = works
    if (oldest === undefined || monotonicMs() - oldest.since < silenceMs) return
    try {
      await find()
    } catch (error) {
      const old = [...works].filter(({ since }) => monotonicMs() - since >= silenceMs)
      for (const work of old) work.cut(new ConnectionLost(messageOf(error), 'NO_PRIMARY'))
    }
  }

  return {
    find,
    doubt() {
      goodAt = Number.NEGATIVE_INFINITY
    },
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
    attend(cut) {
      const work = { since: monotonicMs(), cut }
      works.add(work)
      timer ??= setInterval(() => void checkWorks(), secondMs).unref()
      return () => {
        works.delete(work)
        if (works.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** Resolves when the server says that it is not a standby. */
async function askPrimary(url: string, server: Server): Promise<void> {
  const sockets = createSockets(() => Promise.resolve(server))
  // The driver's README documents `socket`, its types lack it.
  const options = { max: 1, fetch_types: false, onnotice: () => {}, socket: sockets.open }
  const sql = postgres({
    ...loginOf(new URL(url)),
    ...options,
    host: 'path' in server ? 'localhost' : server.host,
    prepare: false,
  })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no answer within 2 s')), serverMs)
  try {
    const [row] = await Promise.race([sql`select pg_is_in_recovery() as standby`, late.promise])
    if (row?.['standby'] !== false) throw new Error('it is a standby')
  } finally {
    clearTimeout(timer)
    sockets.end()
    sql.end({ timeout: 0 }).catch(() => {})
  }
}

/** If every server refuses us, such as for a wrong password, the server's own error says more. */
function noPrimary(reasons: ReadonlyMap<Server, unknown>): unknown {
  const errors = [...reasons.values()]
  if (errors.every((error) => error instanceof postgres.PostgresError)) return errors[0]
  const texts = [...reasons].map(([server, error]) => `${nameOf(server)}: ${messageOf(error)}`)
  return new ConnectionLost(`no server is the primary (${texts.join('; ')})`, 'NO_PRIMARY')
}

function nameOf(server: Server): string {
  return 'path' in server ? server.path : `${server.host}:${server.port}`
}
