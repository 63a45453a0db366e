// What an error of the database means to the person at the terminal: one sentence, and what to do.
import postgres from 'postgres'
import { isConnectionError } from '#/db/failure.ts'
import { messageOf } from '#/kernel/error.ts'

/** Undefined: it is no error that a person can remove. */
export function explainDatabaseError(error: unknown): string | undefined {
  if (error instanceof postgres.PostgresError) return explainAnswer(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Node's sentence when the server ends the connection instead of answering with a certificate: it offers no encryption.
  if (error instanceof Error && error.message.includes('before secure TLS connection'))
    return 'The database offers no encrypted connection, and sslmode in DATABASE_URL demands one. Set ssl = on at the server, or write sslmode=disable if nobody can read the network between.'
  if (tlsCodes.test(code))
    return `The encrypted connection to the database failed (${code}). Correct sslmode and sslrootcert in DATABASE_URL, or the certificate of the server.`
  if (isConnectionError(error))
    return `The database cannot be reached (${messageOf(error)}). Start it with npm start, or set DATABASE_URL.`
  return undefined
}

/** SQLSTATE (PostgreSQL, appendix A). */
function explainAnswer({ code, message, severity }: postgres.PostgresError): string | undefined {
  if (code === '42P01') return 'The database does not have the tables of this release. Run ./vintem migrate.'
  if (code === '28P01' || code === '28000')
    return `The database refuses the role (${message}). Correct user and password in DATABASE_URL or DATABASE_OWNER_URL; @ : / ? # % are written as %40 %3A %2F %3F %23 %25.`
  if (code === '3D000')
    return `There is no such database (${message}). Correct its name in DATABASE_URL, or create it.`
  if (code === '42501')
    return `The role lacks a right (${message}). Run ./vintem migrate, or use the owner's role in DATABASE_OWNER_URL.`
  // The severity tells it from a lock that is not free.
  if (code === '55000' && severity === 'FATAL')
    return `The database accepts no connections (${message}). Its cell moves, or has moved: name the new server in DATABASE_URL, see ./vintem cell list.`
  if (code.startsWith('08') || code.startsWith('53') || code.startsWith('57'))
    return `The database refuses the connection (${message}). Correct DATABASE_URL, or try again when it is ready.`
  return undefined
}

/** Of Node's TLS, and of OpenSSL below it. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA|EPROTO$|HOSTNAME_MISMATCH)/
