// What all our HTTP servers do alike, whatever they serve: an id for each request, HEAD wherever there is GET, 405 with the
// methods that there are, no robots, and a clear word to whoever sends no HTTP.
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { createProxyWarning } from '#/kernel/network.ts'
import { refuseSocket } from './refusal.ts'

/** As long as a whole request may take to come. */
const requestTimeoutMs = 30_000

export type EdgeOptions = {
  /** Proxies in front whose word on the caller's address is believed: addresses or networks. None unless told. */
  readonly trustProxy?: readonly string[]
  /** Milliseconds for a whole request to come; 30 seconds unless told. */
  readonly requestTimeoutMs?: number
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
 * Node's own options of every server: how often connections are looked through for requests that do not come. Headers have
 * as long as all of a request: with a longer time of theirs Node would take the two times for each other.
 */
export function connectionOptions({ requestTimeoutMs: timeoutMs = requestTimeoutMs }: EdgeOptions = {}) {
  return { headersTimeout: timeoutMs, connectionsCheckingInterval: Math.min(5_000, timeoutMs) }
}

/** The caller's own id of the request, when it is a plain one; else ours. */
function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : newId()
}

/** `isOne`: the path of one address alone, which comes before those of many. */
type Place = { readonly at: RegExp; readonly isOne: boolean; readonly method: string }

export type Edge = {
  /** The methods that the address of a request takes; none when nothing is there. */
  allowedAt(request: FastifyRequest): readonly string[]
}

/**
 * Adds what all servers have. To be called before any route is registered. `log`: where to warn of proxies that nobody named;
 * for a server to which the caller's address means nothing it is left out.
 */
export function openEdge(
  server: FastifyInstance,
  { log, trustProxy }: EdgeOptions & { readonly log?: Log } = {},
): Edge {
  const warnOfProxy = log === undefined ? undefined : createProxyWarning(log, trustProxy ?? [])
  const places: Place[] = []
  server.addHook('onRoute', ({ url, method }) => {
    const place = { at: patternOf(url), isOne: !url.includes(':') }
    for (const each of [method].flat()) places.push({ ...place, method: each })
  })
  server.addHook('onRequest', (request, reply, done) => {
    warnOfProxy?.(request)
    reply.header('x-request-id', request.id)
    // The framework refuses a QUERY without a content type (RFC 10008 §2) before it finds that the address takes none.
    if (request.is404 && request.method === 'QUERY') request.headers['content-type'] ??= 'text/plain'
    done()
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

/** The paths of a route. A segment with a colon is any one. */
function patternOf(url: string): RegExp {
  const segments = url
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)))
  return new RegExp(`^${segments.join('/')}$`)
}
