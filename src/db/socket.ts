// The socket under a connection to PostgreSQL.
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'

/** The servers by the driver's options. Each new socket connects to the next of several hosts. */
export type Servers = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false
}

/**
 * The Unix socket of a URL that ends in `?host=` and an absolute folder, as libpq reads it (PostgreSQL, 32.1.1): the socket's name
 * contains the port of the URL, 5432 if it has none. The driver does not know this form, so `server` is the URL without `host`.
 * Every other URL is returned as it is.
 */
export function addressOf(url: string): { readonly server: string; readonly path?: string } {
  const host = new URLSearchParams(url.split('?')[1]).get('host')
  if (host?.startsWith('/') !== true) return { server: url }
  const server = new URL(url)
  server.searchParams.delete('host')
  return { server: server.href, path: join(host, `.s.PGSQL.${server.port || '5432'}`) }
}

/**
 * As soon as a socket reports that its buffer is full, the driver sends one statement at a time and waits for each answer. A batch
 * is a few statements of some hundred kilobytes that must follow one another without a pause.
 */
const unsentBytesMax = 16 * 1_048_576

/**
 * Opens sockets for the driver. When the other side accepts the connection and closes it without a response, as a port forwarder
 * does while its server is down, that is an error: the driver alone would retry at once, without end.
 */
export function createSockets(): (servers: Servers) => Socket {
  let sockets = 0
  return ({ host, port, path }) => {
    const turn = sockets++ % Math.max(1, host.length)
    const target = path ? { path } : { host: host[turn] ?? 'localhost', port: port[turn] ?? 5432 }
    const options = { ...target, noDelay: true, highWaterMark: unsentBytesMax }
    const socket = connect(options)
    // The driver passes this host name to TLS.
    const named = Object.assign(socket, 'host' in target ? { host: target.host } : {})
    named.once('close', (hadError: boolean) => {
      if (!hadError && named.bytesRead === 0) named.emit('error', closedAtOnce())
    })
    return named
  }
}

function closedAtOnce(): Error {
  return Object.assign(new Error('the database closed the connection without a response'), {
    code: 'ECONNRESET',
  })
}
