// The only client of PostgreSQL. Parsers of numbers and times are set here.
import postgres from 'postgres'
import { must } from '#/kernel/check.ts'
import { parseJson } from '#/kernel/json.ts'
import { secondMs } from '#/kernel/time.ts'
import { arrayText, arrayTypes, type Element, type List, type Types } from './arrays.ts'
import { addressOf, createSockets } from './socket.ts'
import { mended } from './statement.ts'
import { createTransactions, usualSpanMs } from './transaction.ts'

/** `bigint` columns arrive as bigint, never as a rounded number. */
const types = { bigint: postgres.BigInt }

/** Numbers in a `json` column keep their exact value. 114 is the type's number in pg_type. */
const exactTypes: typeof arrayTypes = {
  json: { to: 114, from: [114], serialize: (value: unknown) => JSON.stringify(value), parse: parseJson },
}

export type Sql = postgres.Sql<Types>
/** Runs queries: a pool, or the connection of a transaction. */
export type Tx = postgres.ISql<Types>
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export type SqlOptions = {
  /** The maximum of connections, half of them for transactions; at least one of each. */
  readonly max?: number
  readonly applicationName?: string
  /** Seconds to wait for a connection. */
  readonly connectTimeoutSeconds?: number
  /** A transaction that takes longer loses its connection. Zero: no limit. */
  readonly transactionSeconds?: number
  /** Is told how long each transaction waited for a connection, for metrics. Statements outside of one wait in the driver, unseen. */
  readonly onWait?: ((ms: number) => void) | undefined
}

/**
 * Creates a pool of connections to `url`, over a Unix socket if the URL has `?host=` with a folder. It connects at the first query, and relies on no session state, so a pooler in
 * transaction mode may stand between. `begin` rejects when its connection is lost, and no statement of that transaction is ever
 * sent on another connection.
 */
export function connect(url: string, options: SqlOptions = {}): Sql {
  const max = options.max ?? 10
  const { server, path } = addressOf(url)
  const driverOptions = {
    idle_timeout: 60,
    connect_timeout: options.connectTimeoutSeconds ?? 10,
    types: { ...arrayTypes, ...exactTypes, ...types },
    fetch_types: false,
    ...(path === undefined ? {} : { path }),
    onnotice: () => {},
    // The driver's README documents this option, its types lack it.
    socket: createSockets(),
    connection: { application_name: options.applicationName ?? 'vintem', TimeZone: 'UTC' },
  }
  const open = (connections: number, onclose: () => void): Sql =>
    // `list` needs no entry in `types`: the cast after the parameter gives the driver its type.
    postgres(server, { ...driverOptions, max: connections, onclose }) as Sql
  const statements = createStatements((onClose) => open(Math.max(1, Math.ceil(max / 2)), onClose))
  const transactions = createTransactions((onClose) => open(1, onClose), {
    max: Math.max(1, Math.floor(max / 2)),
    spanMs: options.transactionSeconds === undefined ? usualSpanMs : options.transactionSeconds * secondMs,
    onWait: options.onWait,
  })
  const begin = <T>(first: string | Work<T>, second?: Work<T>): Promise<T> =>
    typeof first === 'string'
      ? transactions.begin(first, must(second, 'a transaction does something'))
      : transactions.begin('', first)
  const end = async (how: { timeout?: number } = {}): Promise<void> => {
    await Promise.all([statements.end(how), transactions.end(how)])
  }
  return new Proxy(statements.current(), {
    apply: (_target, self, args): unknown =>
      mended(Reflect.apply(statements.current(), self, args) as unknown),
    get(_target, name): unknown {
      if (name === 'begin') return begin
      if (name === 'end') return end
      if (name === 'unsafe')
        return (...args: Parameters<Sql['unsafe']>) => mended(statements.current().unsafe(...args))
      return Reflect.get(statements.current(), name)
    },
  })
}

type Work<T> = (tx: postgres.TransactionSql<Types>) => T | Promise<T>

/** How long running statements may continue in a pool that lost a connection. */
const retirementMs = 10 * secondMs

/**
 * The pool for single statements. It is replaced as soon as one of its connections closes: a connection that closes while a
 * statement is being sent can never be used again, and the driver does not notice.
 */
function createStatements(open: (onClose: () => void) => Sql) {
  const retired = new Set<Sql>()
  let isEnded = false
  let pool = openPool()

  function openPool(): Sql {
    const created = open(() => {
      if (created !== pool || isEnded) return
      pool = openPool()
      retired.add(created)
      setTimeout(() => {
        retired.delete(created)
        created.end({ timeout: 0 }).catch(() => {})
      }, retirementMs).unref()
    })
    return created
  }

  return {
    current: () => pool,
    async end(how: { timeout?: number }): Promise<void> {
      isEnded = true
      await Promise.all([pool, ...retired].map((each) => each.end(how)))
    },
  }
}

/**
 * Values as an array parameter. The cast after it gives its type: `${list(ids)}::uuid[]`. Null and undefined values are NULL.
 * Write rows of many columns as `select unnest(…), unnest(…)`: an `unnest` of many arrays after `from` costs three times as
 * much, because it stores each column separately first. The text is made when its statement is sent, so the database works on
 * the first of several statements while the next one is formatted.
 */
export function list(values: readonly Element[]): List {
  return { values, toString: () => arrayText(values) }
}

/** The separator of JSON texts by RFC 7464. They never contain it, so `string_to_array` splits them without escapes. */
export const recordSeparator = '\x1e'

/**
 * Long byte strings as one parameter, at a third of the cost of an array. Use it with `unnest` of `starts` and `lengths`, and
 * `substring(${bytes}::bytea from start for length)`.
 */
export function pack(values: readonly Buffer[]): {
  readonly bytes: Buffer
  readonly starts: List
  readonly lengths: List
} {
  let next = 1
  const starts = values.map(({ length }) => (next += length) - length)
  return {
    bytes: Buffer.concat(values),
    starts: list(starts),
    lengths: list(values.map(({ length }) => length)),
  }
}
