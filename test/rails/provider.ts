// For tests: a provider that answers as the test chooses.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Reply = {
  readonly status: number
  /** A text as it is, else JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** No answer comes and the connection ends. */
  readonly cut?: boolean
}

export type TestProvider = {
  readonly url: string
  /** Calls that came, in order. */
  readonly calls: Call[]
  stop(): Promise<void>
}

/** Answers as `reply` says. Used for providers, and as the receiver of our own calls. `tls`: over https. */
export async function startTestProvider(
  reply: (call: Call) => Reply | Promise<Reply>,
  tls?: ServerOptions,
): Promise<TestProvider> {
  const calls: Call[] = []
  const answerer: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const call = { method, path, headers, body: Buffer.concat(parts) }
      calls.push(call)
      void Promise.resolve(reply(call)).then(({ status, body = '', cut, headers: more }) => {
        if (cut === true) return void request.socket.destroy()
        response.writeHead(status, { 'content-type': 'application/json', ...more })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
    })
  }
  const server = tls === undefined ? createServer(answerer) : createTlsServer(tls, answerer)
  // Longer than any caller keeps a connection: none is closed in the moment in which it is used.
  server.keepAliveTimeout = 60_000
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
