// The socket under a connection to PostgreSQL.
import { connect, Socket } from 'node:net'
import { secondMs } from '#/kernel/time.ts'

/** A server: a host and a port, or the path of a Unix socket. */
export type Server = { readonly host: string; readonly port: number } | { readonly path: string }

/**
 * As soon as a socket reports that its buffer is full, the driver sends one statement at a time and waits for each answer. A batch
 * is a few statements of some hundred kilobytes that must follow one another without a pause.
 */
const unsentBytesMax = 16 * 1_048_576

/** How long a server may take to close a connection that we have ended. One whose machine is gone never does. */
const farewellMs = 2 * secondMs

export type Sockets = {
  /** The driver's option `socket`. It never rejects, because the driver would never use that connection again: the socket fails instead. */
  readonly open: () => Promise<Socket>
  /** From now on no connection is opened; those that are open are destroyed unless they close within two seconds. */
  readonly end: () => void
  /** Destroys the connections to other servers: what waits there is not answered by the primary any more. */
  readonly leaveOthers: (primary: Server) => void
}

/**
 * Opens sockets for one client of the driver. When the other side accepts the connection and closes it without a response, as a
 * port forwarder does while its server is not running, that is an error: without it the driver would retry at once, without
 * end.
 */
export function createSockets(findServer: () => Promise<Server>): Sockets {
  const sockets = new Map<Socket, Server>()
  let isEnded = false
  return {
    async open() {
      try {
        const server = await findServer()
        if (isEnded) return failing(withCode('the database client was ended', 'CONNECTION_ENDED'))
        const socket = openSocket(server)
        sockets.set(socket, server)
        return socket.once('close', () => sockets.delete(socket))
      } catch (error) {
        return failing(error)
      }
    },
    end() {
      isEnded = true
      setTimeout(() => [...sockets.keys()].forEach((socket) => socket.destroy()), farewellMs).unref()
    },
    leaveOthers(primary) {
      for (const [socket, server] of sockets)
        if (server !== primary)
          socket.destroy(withCode('another server is the primary now', 'CONNECTION_CLOSED'))
    },
  }
}

/** A connection to `server`, with the name that the driver passes to TLS. */
function openSocket(server: Server): Socket {
  const options = { ...server, noDelay: true, highWaterMark: unsentBytesMax }
  const named = Object.assign(connect(options), 'host' in server ? { host: server.host } : {})
  return named.once('close', (hadError: boolean) => {
    if (!hadError && named.bytesRead === 0)
      named.emit('error', withCode('the database closed the connection without a response', 'ECONNRESET'))
  })
}

/** A socket that fails as soon as the driver listens to it. */
function failing(error: unknown): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(error instanceof Error ? error : new Error(String(error))))
  return socket
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}
