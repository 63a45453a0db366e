// The one door to PostgreSQL. Number and time parsers are set here and nowhere else.
import postgres from 'postgres'
import { must } from '#/kernel/check.ts'
import { parseJson } from '#/kernel/json.ts'
import { secondMs } from '#/kernel/time.ts'
import { arrayText, arrayTypes, type Element, type List, type Types } from './arrays.ts'
import { createSockets } from './socket.ts'
import { mended } from './statement.ts'
import { createTransactions, usualSpanMs } from './transaction.ts'

/** `bigint` columns arrive as bigint, never as a rounded number. */
const types = { bigint: postgres.BigInt }

/** No number in a `json` column is changed. 114 is its number in pg_type. */
const exactTypes: typeof arrayTypes = {
  json: { to: 114, from: [114], serialize: (value: unknown) => JSON.stringify(value), parse: parseJson },
}

export type Sql = postgres.Sql<Types>
/** Anything a query can be written with: a pool, or the connection of an open transaction. */
export type Tx = postgres.ISql<Types>

export type SqlOptions = {
  /** Connections at most, half of them for transactions; at least one of each. */
  readonly max?: number
  readonly applicationName?: string
  /** Seconds to wait for a connection. */
  readonly connectTimeoutSeconds?: number
  /** A transaction that takes longer loses its connection. Zero: no limit. */
  readonly transactionSeconds?: number
}

/**
 * A pool of connections to `url`. Nothing is connected until the first query, and no session state is relied on,
 * so a pooler in transaction mode may stand between. `begin` rejects when its connection is lost, and nothing of such a
 * transaction is ever sent on another connection.
 */
export function connect(url: string, options: SqlOptions = {}): Sql {
  const max = options.max ?? 10
  const driverOptions = {
    idle_timeout: 60,
    connect_timeout: options.connectTimeoutSeconds ?? 10,
    types: { ...arrayTypes, ...exactTypes, ...types },
    fetch_types: false,
    onnotice: () => {},
    // The driver's types do not know this option; its README does.
    socket: createSockets(),
    connection: { application_name: options.applicationName ?? 'vintem', TimeZone: 'UTC' },
  }
  const open = (connections: number, onclose: () => void): Sql =>
    // Lists need no entry of their own among the types: the cast behind one tells the driver how to write it.
    postgres(url, { ...driverOptions, max: connections, onclose }) as Sql
  const statements = createStatements((onClose) => open(Math.max(1, Math.ceil(max / 2)), onClose))
  const transactions = createTransactions((onClose) => open(1, onClose), {
    max: Math.max(1, Math.floor(max / 2)),
    spanMs: options.transactionSeconds === undefined ? usualSpanMs : options.transactionSeconds * secondMs,
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

/** How long statements of a pool that lost a connection may still take. */
const retirementMs = 10 * secondMs

/**
 * The pool for single statements: replaced whole as soon as one of its connections closes. A connection that closes while
 * a statement is on its way out can never be used again, and the driver does not notice.
 */
function createStatements(open: (onClose: () => void) => Sql) {
  const retired = new Set<Sql>()
  let isEnded = false
  let pool = openPool()

  function openPool(): Sql {
    const opened = open(() => {
      if (opened !== pool || isEnded) return
      pool = openPool()
      retired.add(opened)
      setTimeout(() => {
        retired.delete(opened)
        opened.end({ timeout: 0 }).catch(() => {})
      }, retirementMs).unref()
    })
    return opened
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
 * Values as an array parameter, which the cast behind it gives its type: `${list(ids)}::uuid[]`. Absent values are NULL.
 * Rows of many columns are a `select unnest(…), unnest(…)`: an `unnest` of many arrays after `from` costs three times as
 * much, because it keeps each column in a store of its own first. The text is made when its statement is sent, so the
 * database is at work on the first of several statements while the next one is still being written down.
 */
export function list(values: readonly Element[]): List {
  return { values, toString: () => arrayText(values) }
}

/** Between JSON texts, as RFC 7464 has it: they never contain it, so `string_to_array` takes them as they are. */
export const recordSeparator = '\x1e'

/**
 * Long byte strings as one parameter, which costs a third of an array of them: for `unnest` of `starts` and `lengths`, and
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
