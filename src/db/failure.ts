// The meaning of a database error for the present work, by its SQLSTATE class (PostgreSQL, appendix A).
import postgres from 'postgres'
import { InvariantError } from '#/kernel/check.ts'
import { messageOf } from '#/kernel/error.ts'

/**
 * - `poison`: the data cannot be written (22, 23, 54), or our own code threw: one of the items is bad.
 * - `again`: the same work may succeed now (40 serialisation, 55 lock not available).
 * - `late`: a statement took longer than allowed (57014): a smaller part of the work may be in time.
 * - `lost`: the server or the connection is gone (08, 53, the rest of 57, any FATAL, or no answer), or the server takes no
 *   writes because it is no longer the primary (25006), or a COMMIT did not wait for the synchronous standby.
 * - `stale`: what this connection has prepared is not what the server has now. The same work may succeed on a new connection.
 * - `doubtful`: the server failed (58 system error, XX internal error), or a COMMIT failed. The work may be the cause or not.
 */
export type Failure = 'poison' | 'again' | 'late' | 'lost' | 'stale' | 'doubtful'

/**
 * A COMMIT was answered with an error, and the batch is not in the database. Causes: a constraint that is checked at the end,
 * or a server that is about to stop.
 */
export class CommitFailed extends Error {
  override name = 'CommitFailed'
  constructor(cause: unknown) {
    super(`the commit failed: ${messageOf(cause)}`, { cause })
  }
}

/** The connection was lost or discarded. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'ETIMEDOUT' | 'NO_PRIMARY' | 'NOT_REPLICATED'
  constructor(message: string, code: ConnectionLost['code']) {
    super(message)
    this.code = code
  }
}

/**
 * Whether a message of the server says that a COMMIT no longer waits for its synchronous standby, as after `pg_cancel_backend`. The
 * server then answers the COMMIT with success and this warning (PostgreSQL, src/backend/replication/syncrep.c).
 */
export function isCutWait({ routine }: { readonly routine?: string }): boolean {
  return routine === 'SyncRepWaitForLSN'
}

/** What was written is on this server alone, so a failover may lose it. */
export function notReplicated(): ConnectionLost {
  return new ConnectionLost('the wait for the synchronous standby was cancelled', 'NOT_REPLICATED')
}

export function classify(error: unknown): Failure {
  if (error instanceof CommitFailed) {
    const failure = classify(error.cause)
    return failure === 'poison' ? 'doubtful' : failure
  }
  if (error instanceof postgres.PostgresError) return classifyAnswer(error)
  if (error instanceof InvariantError) return 'poison'
  return isConnectionError(error) ? 'lost' : 'poison'
}

function classifyAnswer(error: postgres.PostgresError): Failure {
  const { code } = error
  if (code === '57014') return 'late'
  // With these severities the server ends the connection itself, for any reason.
  if (error.severity === 'FATAL' || error.severity === 'PANIC') return 'lost'
  // read_only_sql_transaction: a standby, or a former primary that follows another one (manual, 26.4.1).
  if (code === '25006') return 'lost'
  if (staleCodes.has(code) || isStalePlan(error)) return 'stale'
  const family = code.slice(0, 2)
  if (family === '40' || family === '55') return 'again'
  if (family === '08' || family === '57' || family === '53') return 'lost'
  if (family === '58' || family === 'XX') return 'doubtful'
  return 'poison'
}

/**
 * - 25P02 in_failed_sql_transaction: the driver answers a stale plan by sending the statement again, which a transaction refuses.
 * - 26000 invalid_sql_statement_name, 42P05 duplicate_prepared_statement: a pooler has given us another server connection (PgBouncer,
 *   `max_prepared_statements`), or somebody has sent DISCARD ALL or DEALLOCATE.
 */
const staleCodes: ReadonlySet<string> = new Set(['25P02', '26000', '42P05'])

/** "cached plan must not change result type" (PostgreSQL, src/backend/utils/cache/plancache.c): a migration changed a table. */
function isStalePlan({ code, routine }: postgres.PostgresError): boolean {
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Whether the connection on which this failed should not be used again. */
export function spendsConnection(error: unknown): boolean {
  const failure = classify(error)
  return failure === 'stale' || isConnectionError(error) || isReadOnly(error)
}

/** Whether the server refused it because it takes no writes. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '25006'
}

/** Codes of postgres.js, of the operating system and our own for a missing or lost connection. */
const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'CONNECTION_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'NO_PRIMARY',
  'NOT_REPLICATED',
])

/** Whether `error` says that the database could not be reached or the connection broke. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  // The Unix socket of a server that does not run is missing.
  if (error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return typeof error.code === 'string' && connectionCodes.has(error.code)
}

// The reason why the program could not start, for the person at the terminal.

/** The start failed for a reason that a person can remove. Printed as two lines: `message`, then `remedy`. */
export class StartError extends Error {
  override name = 'StartError'
  /** What to do about it, as one sentence. */
  readonly remedy: string

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.remedy = remedy
  }
}
