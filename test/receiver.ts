// A merchant's server on 127.0.0.1: accepts webhooks, keeps them, and answers as the test chooses.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Call = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
export type Reply = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type Receiver = AsyncDisposable & {
  readonly origin: string
  readonly calls: readonly Call[]
  /** Connections that were made. */
  readonly connections: number
  /** The most calls that were open at the same time. */
  readonly openMax: number
  /** Resolves as soon as `enough` holds, which is checked after each call. Rejects after 20 seconds. */
  until(enough: (calls: readonly Call[]) => boolean): Promise<void>
}

/** `answer` may return nothing: the call then hangs until the receiver is closed. */
export async function startReceiver(
  answer: (call: Call, count: number) => Reply | undefined | Promise<Reply | undefined> = () => ({}),
): Promise<Receiver> {
  const calls: Call[] = []
  const watchers = new Set<() => void>()
  const open = { now: 0, max: 0 }
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    open.max = Math.max(open.max, (open.now += 1))
    response.on('close', () => (open.now -= 1))
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
    const call = { path: request.url ?? '', headers: request.headers, body }
    calls.push(call)
    for (const watch of watchers) watch()
    const reply = await answer(call, calls.length)
    if (reply !== undefined)
      response.writeHead(reply.status ?? 200, { ...reply.headers }).end(reply.body ?? 'ok')
  }
  // A caller that goes away in the middle is no fault of the receiver's.
  const server = createServer((request, response) => void receive(request, response).catch(() => {}))
  // Longer than any caller keeps a connection: none is closed in the moment in which it is used.
  server.keepAliveTimeout = 60_000
  let connections = 0
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    get connections() {
      return connections
    },
    get openMax() {
      return open.max
    },
    until: (enough) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`only ${calls.length} calls came`)), 20_000)
        const watch = () => {
          if (!enough(calls)) return
          watchers.delete(watch)
          clearTimeout(timer)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
