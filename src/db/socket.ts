// The socket under a connection to PostgreSQL.
import { connect, type Socket } from 'node:net'

/** Where the driver says that the server is. Of several hosts each new socket takes the next one. */
export type Servers = {
  readonly host: readonly string[]
  readonly port: readonly number[]
  readonly path?: string | false
}

/**
 * Opens a socket for the driver. When the other side takes the connection and closes it without a word, as a port
 * forwarder does while its server is away, that is an error: the driver alone would try again at once, for ever.
 */
export function createSockets(): (servers: Servers) => Socket {
  let opened = 0
  return ({ host, port, path }) => {
    const turn = opened++ % Math.max(1, host.length)
    const target = path ? { path } : { host: host[turn] ?? 'localhost', port: port[turn] ?? 5432 }
    const socket = connect({ ...target, noDelay: true })
    // The driver names the host to TLS by this.
    const named = Object.assign(socket, 'host' in target ? { host: target.host } : {})
    named.once('close', (hadError: boolean) => {
      if (!hadError && named.bytesRead === 0) named.emit('error', closedAtOnce())
    })
    return named
  }
}

function closedAtOnce(): Error {
  return Object.assign(new Error('the database closed the connection without a word'), { code: 'ECONNRESET' })
}
