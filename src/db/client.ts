// The only client of PostgreSQL. Parsers of numbers and times are set here.
import postgres from 'postgres'
import { must } from '#/kernel/check.ts'
import { parseJson } from '#/kernel/json.ts'
import { secondMs } from '#/kernel/time.ts'
import { addressOf, type Address } from './address.ts'
import { isCutWait, isReadOnly, notReplicated } from './failure.ts'
import { lengthened } from './limits.ts'
import { loginOf } from './login.ts'
import { primaryOf, type Primary } from './primary.ts'
import { createSockets, type Server } from './socket.ts'
import {
  arrayText,
  arrayTypes,
  type Element,
  type List,
  type Types,
  mended,
  type Attendance,
} from './statement.ts'
import { createTransactions, usualSpanMs, type ClientEvents } from './transaction.ts'

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
  /**
   * Called with the time that each transaction waited for a connection, for metrics. Statements outside of a transaction wait
   * in the driver, where the time is not measured.
   */
  readonly onWait?: ((ms: number) => void) | undefined
}

/**
 * Creates a pool of connections to `url` (address.ts has its forms). It connects at the first query and relies on no session
 * state, so a pooler in transaction mode may be in between.
 * - `begin` rejects when its connection is lost. No statement of that transaction is ever sent on another connection.
 * - Of several servers only the primary is used. When another server becomes the primary, what waits for the old one is
 *   rejected.
 */
export function connect(url: string, options: SqlOptions = {}): Sql {
  const max = options.max ?? 10
  const address = addressOf(url)
  const primary = address.isPrimaryOnly ? primaryOf(address) : undefined
  const open = openerOf(address, primary, options)
  const unanswered = new Set<(error: Error) => void>()
  const statements = createStatements((onClose) =>
    open(Math.max(1, Math.ceil(max / 2)), {
      onClose,
      // The warning does not say which statement it belongs to, but that one has no answer yet.
      onCutWait: () => {
        for (const reject of unanswered) reject(notReplicated())
      },
    }),
  )
  const transactions = createTransactions((events) => open(1, events), {
    max: Math.max(1, Math.floor(max / 2)),
    spanMs:
      options.transactionSeconds === undefined
        ? lengthened(usualSpanMs)
        : options.transactionSeconds * secondMs,
    onWait: options.onWait,
    ...(primary === undefined ? {} : { attend: primary.attend }),
  })
  const begin = <T>(first: string | Work<T>, second?: Work<T>): Promise<T> =>
    typeof first === 'string'
      ? transactions.begin(first, must(second, 'a transaction does something'))
      : transactions.begin('', first)
  const end = async (how: { timeout?: number } = {}): Promise<void> => {
    await Promise.all([statements.end(how), transactions.end(how)])
  }
  const attendance = attendanceOf(statements, primary, unanswered)
  return new Proxy(statements.current(), {
    apply: (_target, self, args): unknown =>
      mended(Reflect.apply(statements.current(), self, args) as unknown, attendance),
    get(_target, name): unknown {
      if (name === 'begin') return begin
      if (name === 'end') return end
      if (name === 'unsafe')
        return (...args: Parameters<Sql['unsafe']>) =>
          mended(statements.current().unsafe(...args), attendance)
      return Reflect.get(statements.current(), name)
    },
  })
}

/** Creates clients of the driver, whose connections close as soon as they are ended with a time limit of zero. */
function openerOf({ url, servers }: Address, primary: Primary | undefined, options: SqlOptions) {
  const findServer = () => primary?.find() ?? Promise.resolve(servers[0])
  return (connections: number, { onClose, onCutWait }: ClientEvents): Sql => {
    const sockets = createSockets(findServer)
    const login = loginOf(new URL(url))
    const driverOptions = {
      ...login,
      host: serverName(servers[0]),
      max: connections,
      idle_timeout: 60,
      connect_timeout:
        options.connectTimeoutSeconds ?? login.connect_timeout ?? lengthened(primary === undefined ? 10 : 2),
      types: { ...arrayTypes, ...exactTypes, ...types },
      fetch_types: false,
      onnotice: (notice: postgres.Notice) => {
        if (isCutWait(notice)) onCutWait()
      },
      onclose: onClose,
      // The driver's README documents this option, its types lack it.
      socket: sockets.open,
      ...(primary === undefined ? {} : { target_session_attrs: 'primary' as const }),
      // Settings that a pooler in transaction mode keeps for each client. What else a role may have set, session.ts checks.
      connection: {
        ...login.connection,
        application_name: options.applicationName ?? 'vintem',
        TimeZone: 'UTC',
        DateStyle: 'ISO, MDY',
      },
    }
    // `list` needs no entry in `types`: the cast after the parameter gives the driver its type.
    const client = postgres(driverOptions) as Sql
    const unwatch = primary?.watch(sockets.leaveOthers)
    const { end } = client
    client.end = (how) => {
      unwatch?.()
      if (how?.timeout === 0) sockets.end()
      return end(how)
    }
    return client
  }
}

/** For the driver's messages: the sockets are ours. */
function serverName(server: Server): string {
  return 'path' in server ? 'localhost' : server.host
}

/** Watches single statements: rejects a statement whose server is gone, and replaces a server that takes no writes. */
function attendanceOf(
  statements: Statements,
  primary: Primary | undefined,
  unanswered: Set<(error: Error) => void>,
): Attendance {
  const failed = (error: unknown) => {
    if (!isReadOnly(error)) return
    primary?.doubt()
    statements.replace()
  }
  const begin: Attendance['begin'] = (reject) => {
    unanswered.add(reject)
    const leave = primary?.attend((error) => {
      statements.replace()
      reject(error)
    })
    return () => {
      unanswered.delete(reject)
      leave?.()
    }
  }
  return { failed, begin }
}

type Work<T> = (tx: postgres.TransactionSql<Types>) => T | Promise<T>

/** How long running statements may continue in a pool that lost a connection. */
const retirementMs = 10 * secondMs

type Statements = {
  readonly current: () => Sql
  /** Opens another pool, and ends this one when its running statements have had time to end. */
  replace(): void
  end(how: { timeout?: number }): Promise<void>
}

/**
 * The pool for single statements. It is replaced as soon as one of its connections closes: if a connection closes while a
 * statement is being sent, it can never be used again, and the driver does not notice.
 */
function createStatements(open: (onClose: () => void) => Sql): Statements {
  const retired = new Set<Sql>()
  let isEnded = false
  let pool = openPool()

  function openPool(): Sql {
    const created = open(() => {
      if (created === pool) replace()
    })
    return created
  }

  function replace(): void {
    if (isEnded) return
    const old = pool
    pool = openPool()
    retired.add(old)
    setTimeout(() => {
      retired.delete(old)
      old.end({ timeout: 0 }).catch(() => {})
    }, retirementMs).unref()
  }

  return {
    current: () => pool,
    replace,
    async end(how): Promise<void> {
      isEnded = true
      await Promise.all([pool, ...retired].map((each) => each.end(how)))
    },
  }
}

/**
 * Values as an array parameter. The cast after it gives its type: `${list(ids)}::uuid[]`. Null and undefined values are NULL.
 * Write rows of many columns as `select unnest(…), unnest(…)`: an `unnest` of many arrays after `from` costs three times as
 * much, because it stores each column separately first.
 * The text is made when its statement is sent, so the database works on the first of several statements while the next one is
 * formatted.
 */
export function list(values: readonly Element[]): List {
  return { values, toString: () => arrayText(values) }
}

/** Lets this transaction end before its commit is on the disk: a crash of the database may lose it. */
export async function waitForNoDisk(tx: Tx): Promise<void> {
  await tx`select set_config('synchronous_commit', 'off', true)`
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
