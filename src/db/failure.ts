// The meaning of a database error for the present work, by its SQLSTATE class (PostgreSQL, appendix A).
import postgres from 'postgres'
import { InvariantError } from '#/kernel/check.ts'

/**
 * - `poison`: the data cannot be written (22, 23, 54), or our own code threw: one of the items is bad.
 * - `again`: the same work may succeed now (40 serialisation, 55 lock not available).
 * - `late`: a statement took longer than allowed (57014): a smaller part of the work may be in time.
 * - `lost`: the server or the connection is gone (08, 53, the rest of 57, any FATAL, or no answer).
 */
export type Failure = 'poison' | 'again' | 'late' | 'lost'

export function classify(error: unknown): Failure {
  if (error instanceof postgres.PostgresError) {
    if (error.code === '57014') return 'late'
    // With these severities the server ends the connection itself, for any reason.
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return 'lost'
    const family = error.code.slice(0, 2)
    if (family === '40' || family === '55') return 'again'
    if (family === '08' || family === '57' || family === '53') return 'lost'
    return 'poison'
  }
  if (error instanceof InvariantError) return 'poison'
  return isConnectionError(error) ? 'lost' : 'poison'
}

/** Codes of postgres.js and of the operating system for a missing or lost connection. */
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
  'ETIMEDOUT',
])

/** Whether `error` says that the database could not be reached or the connection broke. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  // The Unix socket of a server that does not run is missing.
  if (error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return typeof error.code === 'string' && connectionCodes.has(error.code)
}
