// How to log in at a server of a database's URL: who, which database, and with which encryption. The parameters mean what they mean to
// libpq (PostgreSQL, 34.1.2 and 34.19). The driver would take an unknown one for a setting of the server.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { StartError } from './failure.ts'

/** Options of the driver. */
export type Login = {
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly ssl: false | 'require' | 'prefer' | ConnectionOptions
  readonly sslnegotiation?: 'direct'
  readonly prepare?: boolean
  readonly max_pipeline?: number
  readonly connect_timeout?: number
  /** What the server is told at the start. */
  readonly connection: Readonly<Record<string, string>>
}

const known = new Set([
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'channel_binding',
  'gssencmode',
  'application_name',
  'connect_timeout',
  'search_path',
  'options',
  // Of the driver.
  'prepare',
  'max_pipeline',
])

/** Reads the URL of one server. Throws StartError, which names no part of the password. */
export function loginOf(url: URL): Login {
  const query = url.searchParams
  const unknown = [...query.keys()].find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new StartError(
      `The URL of the database has the parameter ${unknown}, which is not supported.`,
      `Leave it out. Supported are ${[...known].join(', ')}, host and target_session_attrs.`,
    )
  const ssl = encryptionOf(url)
  requireBinding(query.get('channel_binding'), ssl)
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(decoded)
  return {
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(database ? { database } : {}),
    ssl,
    ...(query.get('sslnegotiation') === 'direct' ? { sslnegotiation: 'direct' } : {}),
    ...(query.get('prepare') === 'false' ? { prepare: false } : {}),
    ...numberOf(query, 'max_pipeline'),
    ...numberOf(query, 'connect_timeout'),
    connection: Object.fromEntries(
      ['search_path', 'options'].flatMap((name) => {
        const value = query.get(name)
        return value === null ? [] : [[name, value] as const]
      }),
    ),
  }
}

/** A name or a password without its percent codes. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StartError(
      'The URL of the database has a % that begins no code of a character.',
      'Write a % of a name or a password as %25.',
    )
  }
}

/**
 * - `require` encrypts and believes any certificate, unless `sslrootcert` is given: then it is `verify-ca`.
 * - `verify-ca` wants a certificate of an authority, `verify-full` also the server's name in it. Without `sslrootcert` the authorities are
 *   those that Node knows; libpq would look for a file in the home directory.
 * - Without `sslmode` the connection is not encrypted.
 */
function encryptionOf({ hostname, searchParams: query }: URL): Login['ssl'] {
  const root = query.get('sslrootcert')
  const given = query.get('sslmode') ?? (query.get('ssl') === 'true' ? 'require' : undefined)
  const mode = given ?? (root === 'system' ? 'verify-full' : root === null ? 'disable' : 'verify-ca')
  const wanted = mode === 'require' && root !== null ? 'verify-ca' : mode
  if (root === 'system' && mode !== 'verify-full')
    throw new StartError(
      `sslrootcert=system does not go with sslmode=${mode}: any holder of any certificate would be believed.`,
      'Write sslmode=verify-full.',
    )
  if (wanted === 'disable') return false
  if (wanted === 'allow' || wanted === 'prefer') return 'prefer'
  if (wanted !== 'require' && wanted !== 'verify-ca' && wanted !== 'verify-full')
    throw new StartError(
      `sslmode=${mode} is not supported.`,
      'Write disable, prefer, require, verify-ca or verify-full.',
    )
  const own = {
    ...fileOf(query, 'sslcert', 'cert'),
    ...fileOf(query, 'sslkey', 'key'),
  }
  if (wanted === 'require')
    return Object.keys(own).length === 0 ? 'require' : { ...own, rejectUnauthorized: false }
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    ...own,
    ...(root === 'system' ? {} : fileOf(query, 'sslrootcert', 'ca')),
    // Node compares the certificate with this where it cannot send a name.
    ...(isIP(host) === 0 ? {} : { host }),
    ...(wanted === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    rejectUnauthorized: true,
  }
}

function fileOf(query: URLSearchParams, parameter: string, option: 'ca' | 'cert' | 'key') {
  const file = query.get(parameter)
  if (file === null) return {}
  try {
    return { [option]: readFileSync(file, 'utf8') }
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new StartError(
      `The file of ${parameter} cannot be read (${code}).`,
      `Correct ${parameter} in the URL.`,
    )
  }
}

/**
 * The driver binds no channel. What that protects against, somebody in between with another certificate, `verify-ca` and `verify-full`
 * notice as well; weaker modes do not.
 */
function requireBinding(wanted: string | null, ssl: Login['ssl']): void {
  if (wanted !== 'require' || (typeof ssl === 'object' && ssl.rejectUnauthorized === true)) return
  throw new StartError(
    'channel_binding=require needs a server whose certificate is checked, because this driver binds no channel.',
    'Write sslmode=verify-full, which notices the same attack.',
  )
}

function numberOf(query: URLSearchParams, name: 'max_pipeline' | 'connect_timeout') {
  const text = query.get(name)
  if (text === null) return {}
  if (!/^\d{1,6}$/.test(text))
    throw new StartError(`${name} in the URL of the database is no number.`, `Correct ${name}.`)
  return { [name]: Number(text) }
}
