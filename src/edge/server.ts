// The common behaviour of all our HTTP servers: an id for each request, HEAD wherever there is GET, 405 with the allowed
// methods, no robots, and a clear response to callers that send no HTTP.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import { inContext, readTrace, type Context } from '#/kernel/context.ts'
import { problems, problemUrl, type ProblemCode } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createProxyWarning } from '#/kernel/network.ts'
import { monotonicMs } from '#/kernel/time.ts'
import type { Drain } from './drain.ts'

/** The time limit for receiving a whole request. */
const requestTimeoutMs = 30_000

export type EdgeOptions = {
  /** Addresses or networks of proxies that are trusted to report the caller's address. Default: none. */
  readonly trustProxy?: readonly string[]
  /** The time limit for receiving a whole request. Default: 30 seconds. */
  readonly requestTimeoutMs?: number
  /** Called for each request that ended, for metrics. */
  readonly onRequestEnd?: ((ended: EndedRequest) => void) | undefined
  /** Ends the server with the others of the process. Absent: it ends by itself. */
  readonly drain?: Drain
}

/** One of our servers, as metrics and log name it. */
export type ServerName = 'api' | 'checkout' | 'dashboard' | 'callbacks'

export type EndedRequest = {
  readonly server: ServerName
  /** As our own table writes it. Undefined: there is no such route. */
  readonly route: string | undefined
  readonly method: string
  /** 499: the caller had gone before there was an answer. */
  readonly status: number
  readonly ms: number
}

/** The framework's options of every server. */
export function edgeOptions(options: EdgeOptions = {}) {
  const timeoutMs = options.requestTimeoutMs ?? requestTimeoutMs
  return {
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    requestTimeout: timeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    clientErrorHandler: refuseSocket,
  } as const satisfies FastifyServerOptions
}

/**
 * Node's own options of every server: how often it checks connections for requests that timed out. Headers have the same time
 * limit as the whole request, because Node swaps the two limits when that of the headers is longer.
 */
export function connectionOptions({ requestTimeoutMs: timeoutMs = requestTimeoutMs }: EdgeOptions = {}) {
  return { headersTimeout: timeoutMs, connectionsCheckingInterval: Math.min(5_000, timeoutMs) }
}

/** The caller's id of the request if it has the allowed form, else a new one. */
function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : newId()
}

/** `isOne`: the route has no parameter, so it takes precedence over routes that have one. */
type Place = { readonly at: RegExp; readonly isOne: boolean; readonly method: string }

export type Edge = {
  /** The methods that the path of a request allows; empty when it has no route. */
  allowedAt(request: FastifyRequest): readonly string[]
}

/**
 * Adds the common behaviour. Must be called before any route is registered. `usesAddress`: whether the server uses the caller's address,
 * and so warns of proxies that are not configured.
 */
export function setUpEdge(
  server: FastifyInstance,
  {
    name,
    log,
    trustProxy,
    onRequestEnd,
    drain,
    usesAddress = true,
  }: EdgeOptions & { readonly name: ServerName; readonly log: Log; readonly usesAddress?: boolean },
): Edge {
  const warnOfProxy = usesAddress ? createProxyWarning(log, trustProxy ?? []) : undefined
  const end = (ended: EndedRequest, { id }: FastifyRequest) => {
    onRequestEnd?.(ended)
    // The route and not the address: that may hold a name, an e-mail address or the token of a page.
    log.info({ requestId: id, ...ended, ms: Math.round(ended.ms) }, 'request')
  }
  followRequests(server, name, end)
  const places: Place[] = []
  drain?.add(server)
  server.addHook('onRoute', ({ url, method }) => {
    const place = { at: patternOf(url), isOne: !url.includes(':') }
    for (const each of [method].flat()) places.push({ ...place, method: each })
  })
  server.addHook('onRequest', (request, reply, done) => {
    warnOfProxy?.(request)
    reply.header('x-request-id', request.id)
    // The framework refuses a QUERY without a content type (RFC 10008 §2) before it finds that the path does not allow QUERY.
    if (request.is404 && request.method === 'QUERY') request.headers['content-type'] ??= 'text/plain'
    done()
  })
  let isEnding = false
  server.addHook('preClose', (done) => {
    isEnding = true
    done()
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    // Without it, the connection of an answer that was still to come would stay open, and with it the server.
    if (isEnding || drain?.isClosing()) reply.header('connection', 'close')
    done(null, payload)
  })
  server.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
  )
  return {
    allowedAt({ url }) {
      const [path = ''] = url.split('?')
      const found = places.filter(({ at }) => at.test(path))
      const exact = found.filter(({ isOne }) => isOne)
      const methods = (exact.length > 0 ? exact : found).map(({ method }) => method)
      return [...new Set(methods)].toSorted()
    },
  }
}

/** The context of each request, which is lost while its body is read, and its end, also when the caller goes. */
function followRequests(
  server: FastifyInstance,
  name: ServerName,
  onEnd: (ended: EndedRequest, request: FastifyRequest) => void,
): void {
  const contexts = new WeakMap<FastifyRequest, Context>()
  server.addHook('onRequest', (request, reply, done) => {
    const beganMs = monotonicMs()
    reply.raw.once('close', () => onEnd(endedOf(name, request, reply, monotonicMs() - beganMs), request))
    const trace = readTrace(request.headers['traceparent'])
    const context = { requestId: request.id, ...given({ trace }) }
    contexts.set(request, context)
    inContext(context, done)
  })
  server.addHook('preValidation', (request, _reply, done) => inContext(contexts.get(request) ?? {}, done))
}

function endedOf(server: ServerName, request: FastifyRequest, reply: FastifyReply, ms: number): EndedRequest {
  const { method, is404, routeOptions } = request
  const status = reply.raw.headersSent ? reply.raw.statusCode : 499
  return { server, route: is404 ? undefined : routeOptions.url, method, status, ms }
}

/** Matches the paths of a route. A segment with a colon matches any segment. */
function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)))
  return new RegExp(`^${segments.join('/')}$`)
}

// The response when there is no valid request: the bytes are not HTTP, the headers are too long, or the request times out.

const refusals: Readonly<Record<string, { readonly code: ProblemCode; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The headers have at most 16 KiB in all.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'No whole request came in time.' },
}

/** For a server's `clientError`: responds with the problem and closes the connection. */
function refuseSocket(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.end(rawProblem(error.code))
  else socket.destroy()
}

function rawProblem(cause: string | undefined): string {
  const { code, detail } = refusals[cause ?? ''] ?? {
    code: 'invalid_request' as const,
    detail: 'This is not HTTP that we can read.',
  }
  const { status, title } = problems[code]
  const requestId = newId()
  const body = JSON.stringify({ type: problemUrl(code), title, status, code, detail, requestId })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

// Whether a request comes from the machine of the server.

/** Proxies write one of these when they pass a request on: standard ones, and those of nginx, of load balancers and of CDNs. */
const ofProxies = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/

/** Whether it came over the loopback address, and through no proxy. */
export function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isProxied = Object.keys(headers).some((name) => ofProxies.test(name))
  return !isProxied && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
}
