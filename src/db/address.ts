// Reads the URL of a database: one server, a Unix socket, or several servers of which one is the primary.
import { join } from 'node:path'
import { StartError } from './failure.ts'
import { loginOf } from './login.ts'
import type { Server } from './socket.ts'

export type Address = {
  /** The URL for the driver, with the first server only. */
  readonly url: string
  readonly servers: readonly [Server, ...Server[]]
  /** Only the primary is used. The servers before and after it may be its standbys. */
  readonly isPrimaryOnly: boolean
}

const usualPort = 5432

/**
 * Parses the URL as libpq does (PostgreSQL, 34.1.1.2). Throws StartError.
 * - Several servers are separated by commas, each with its port. The driver accepts them only without brackets.
 * - `?host=` with an absolute folder is a Unix socket, whose name contains the port. The driver does not know this form.
 */
export function addressOf(text: string): Address {
  const [, start = '', authority = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(text) ?? []
  const [first = '', ...others] = authority.split(',')
  // What follows would be taken for a host, and named in an error, although it is a part of the password.
  if (`${authority}${rest}`.includes('@'))
    throw new StartError(
      'The URL of a database has an @ after its host: the name or the password before it is not encoded.',
      'Write @ : / ? # % of a name or a password as %40 %3A %2F %3F %23 %25.',
    )
  if (start === '' || !URL.canParse(start + first + rest))
    throw new StartError(
      'This is not the URL of a PostgreSQL.',
      'Write postgres://user:password@host:5432/database.',
    )
  const url = new URL(start + first + rest)
  const sessionAttrs = url.searchParams.get('target_session_attrs')
  if (sessionAttrs !== null && sessionAttrs !== 'primary') throw notPrimary(sessionAttrs)
  url.searchParams.delete('target_session_attrs')
  const folder = url.searchParams.get('host')
  if (folder?.startsWith('/') === true) url.searchParams.delete('host')
  loginOf(url)
  if (folder?.startsWith('/') === true) {
    const path = join(folder, `.s.PGSQL.${url.port || usualPort}`)
    return { url: url.href, servers: [{ path }], isPrimaryOnly: sessionAttrs !== null }
  }
  return {
    url: url.href,
    servers: [serverOf(first), ...others.map(serverOf)],
    isPrimaryOnly: others.length > 0 || sessionAttrs !== null,
  }
}

function serverOf(text: string): Server {
  const [, name = '', port] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (name === '')
    throw new StartError(
      'The URL of a database has no host, or a port that is no number.',
      'Write host:port,host:port. In a name or a password, / is %2F, ? is %3F and # is %23.',
    )
  return { host: decodeURIComponent(name.replace(/^\[|\]$/g, '')), port: Number(port ?? usualPort) }
}

function notPrimary(sessionAttrs: string): StartError {
  const reason =
    sessionAttrs === 'read-write'
      ? 'It accepts every server whose transactions may write by default, and the driver does not notice that a standby cannot write.'
      : 'All work needs the server that accepts writes: what a standby answers may be older than what was acknowledged.'
  return new StartError(
    `target_session_attrs=${sessionAttrs} is not supported. ${reason}`,
    'Write target_session_attrs=primary, or leave it out: with several hosts it is the default.',
  )
}
