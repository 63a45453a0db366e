// A small HTTP server: routes by segments, JSON in and out. The same for APIs and for control calls.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const bodyMax = 256 * 1024

export type Call = {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly socket: Socket
}

export type Reply = {
  readonly status: number
  /** Text and bytes are sent as they are, all else as JSON. */
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Cuts the connection instead of answering, or after half of the answer. */
  readonly cut?: 'all' | 'half'
}

export type Route = {
  readonly method: string
  /** Segments; one that starts with a colon is a parameter. */
  readonly path: string
  /** The largest body, in bytes. Default: 256 KiB. */
  readonly bodyBytesMax?: number
  handle(call: Call): Reply | Promise<Reply>
}

export type Serving = {
  readonly routes: readonly Route[]
  /** The answer to an error. */
  failed(error: unknown, call: Call): Reply
  /** The answer for a path that no route has. */
  missing(call: Call): Reply
  /** May replace the work, or spoil its answer. */
  around?(call: Call, work: () => Promise<Reply>): Promise<Reply>
  /** Awaited before any answer is sent. */
  kept(): Promise<void> | undefined
}

export function listenerOf(serving: Serving): RequestListener {
  const routes = [...serving.routes, robots].map((route) => ({ route, segments: route.path.split('/') }))
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const head = headOf(request)
    const found = match(routes, head)
    const body = head.method === 'GET' ? Buffer.alloc(0) : await readBody(request, found?.route.bodyBytesMax)
    if (body === undefined) return send(response, request.socket, { status: 413 })
    const call = { ...head, body }
    const work = async (): Promise<Reply> => {
      if (found === undefined) return serving.missing(call)
      return await found.route.handle({ ...call, params: found.params })
    }
    let reply: Reply
    try {
      reply = await (serving.around === undefined ? work() : serving.around(call, work))
    } catch (error) {
      reply = serving.failed(error, call)
    }
    await serving.kept()
    send(response, request.socket, reply)
  }
  return (request, response) => {
    // A caller may go away while its call is read or answered: that is no error.
    answer(request, response).catch(() => request.socket.destroy())
  }
}

/** Keeps search engines away from every path of a simulator. */
const robots: Route = {
  method: 'GET',
  path: '/robots.txt',
  handle: () => ({ status: 200, body: 'User-agent: *\nDisallow: /\n' }),
}

function headOf(request: IncomingMessage): Omit<Call, 'body'> {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return {
    // HEAD is GET whose answer has no body; the server leaves it out.
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path: mark === -1 ? url : url.slice(0, mark),
    params: {},
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers: request.headers,
    socket: request.socket,
  }
}

function readBody(request: IncomingMessage, bytesMax = bodyMax): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bytesMax) chunks.push(chunk)
    })
    request.on('end', () => resolve(size > bytesMax ? undefined : Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the caller went away')))
  })
}

type Compiled = { readonly route: Route; readonly segments: readonly string[] }

function match(routes: readonly Compiled[], call: Pick<Call, 'method' | 'path'>) {
  const parts = call.path.split('/')
  for (const { route, segments } of routes) {
    if (route.method !== call.method || segments.length !== parts.length) continue
    const params = paramsOf(segments, parts)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

function paramsOf(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) {
    const part = parts[i] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== part) return undefined
      continue
    }
    const value = decode(part)
    if (value === undefined || value === '') return undefined
    params[segment.slice(1)] = value
  }
  return params
}

function decode(part: string): string | undefined {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, socket: Socket, reply: Reply): void {
  if (reply.cut === 'all') {
    socket.destroy()
    return
  }
  const [bytes, usual] = bytesOf(reply.body)
  const type = reply.type ?? usual
  const headers: Record<string, string | number> = { 'content-length': bytes.length, ...reply.headers }
  if (bytes.length > 0) headers['content-type'] = type
  response.writeHead(reply.status, headers)
  if (reply.cut === 'half') response.write(bytes.subarray(0, bytes.length >> 1), () => socket.destroy())
  else response.end(bytes)
}

function bytesOf(body: unknown): [Buffer, string] {
  if (body === undefined) return [Buffer.alloc(0), '']
  if (Buffer.isBuffer(body)) return [body, 'application/octet-stream']
  if (typeof body === 'string') return [Buffer.from(body), 'text/plain; charset=utf-8']
  return [Buffer.from(JSON.stringify(body)), 'application/json']
}
