// The one door to PostgreSQL. Number and time parsers are set here and nowhere else.
import postgres from 'postgres'

/** `bigint` columns arrive as bigint, never as a rounded number. */
const types = { bigint: postgres.BigInt }
type Types = { bigint: bigint }

export type Sql = postgres.Sql<Types>
/** Anything a query can be written with: a pool, or the connection of an open transaction. */
export type Tx = postgres.ISql<Types>
export type ReservedSql = postgres.ReservedSql<Types>

export type SqlOptions = {
  readonly max?: number
  readonly applicationName?: string
  /** Seconds to wait for a connection. */
  readonly connectTimeoutSeconds?: number
}

/**
 * A pool of connections to `url`. Nothing is connected until the first query, and no session state is relied on,
 * so a pooler in transaction mode may stand between.
 */
export function connect(url: string, options: SqlOptions = {}): Sql {
  return postgres(url, {
    max: options.max ?? 10,
    idle_timeout: 60,
    connect_timeout: options.connectTimeoutSeconds ?? 10,
    types,
    onnotice: () => {},
    connection: { application_name: options.applicationName ?? 'vintem', TimeZone: 'UTC' },
  })
}

type Element = string | number | bigint | boolean | Date | Buffer | null | undefined

/**
 * Values for an array parameter, in the text form that PostgreSQL reads (bytea as hex, instants as ISO 8601), absent ones
 * as NULL. The driver would take the type of the first element for the type of the whole array. Where it has a form of
 * its own for the elements (bytea, json, boolean), the parameter is cast from text: `${list(x)}::text[]::bytea[]`.
 */
export function list(values: readonly Element[]): (string | null)[] {
  return values.map((value) => {
    if (value === null || value === undefined) return null
    if (value instanceof Date) return value.toISOString()
    if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
    return String(value)
  })
}
