// An HTTP server that reads and writes JSON as the API does: bodies, problems, and an end for requests that have no answer in time.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { asideKeyword, documentedKeyword, emptyKeyword } from '#/contract/words.ts'
import { connectionOptions, edgeOptions, setUpEdge, type Edge, type ServerName } from '#/edge/server.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import { refuseCardNumbers } from './card-numbers.ts'
import type { HttpDeps } from './deps.ts'
import { sendNothingHere, sendProblem } from './errors.ts'
import { isJsonType, readJsonBody } from './json-body.ts'
import { lateCompilers } from './late-compilers.ts'
import { waitMaxSeconds } from './query.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const bodyBytesMax = 65_536

/** Longer than a lane tries to reach the database, so that its own answer comes first. */
const patienceMs = 15_000

/** The same, for a request that waits for something to happen. */
const waitingPatienceMs = waitMaxSeconds * secondMs + patienceMs

export type JsonServerDeps = Pick<
  HttpDeps,
  'log' | 'trustProxy' | 'requestTimeoutMs' | 'onRequestEnd' | 'drain' | 'waitingReaders'
>

/** A server without routes, not listening yet. */
export function createJsonServer(
  deps: JsonServerDeps,
  name: ServerName,
): {
  readonly server: FastifyInstance
  readonly edge: Edge
} {
  const server = Fastify({
    ...edgeOptions(deps),
    http: connectionOptions(deps),
    bodyLimit: bodyBytesMax,
    frameworkErrors: (error, request, reply) => {
      void sendProblem(deps, error, request, reply)
    },
    schemaController: { compilersFactory: lateCompilers },
    ajv: {
      // Bodies are checked as they are: no value is converted, dropped or filled in.
      customOptions: {
        coerceTypes: false,
        // Faults carry the value and the names that would be right: see did-you-mean.ts.
        verbose: true,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        keywords: [asideKeyword, documentedKeyword, emptyKeyword],
      },
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, readBody)
  for (const type of new Set(routes.flatMap(({ reads }) => reads?.type ?? [])))
    server.addContentTypeParser(type, { parseAs: 'buffer' }, readOtherBody)
  server.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply))
  const edge = setUpEdge(server, { ...deps, name })
  server.setNotFoundHandler((request, reply) => sendNothingHere(deps, edge, request, reply))
  server.decorateRequest('caller', null)
  server.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  endOverdue(server, deps)
  server.addHook('preClose', (done) => {
    deps.waitingReaders.close()
    done()
  })
  return { server, edge }
}

/** Refuses every body that is compressed, or is neither JSON in UTF-8 nor of the other type that the route reads. */
export function checkBodyType({ headers }: FastifyRequest, other: string | undefined): void {
  const type = headers['content-type']
  const encoding = headers['content-encoding'] ?? 'identity'
  const isRead = type === undefined || isJsonType(type) || type.split(';')[0]?.trim().toLowerCase() === other
  if (isRead && encoding === 'identity') return
  const types = other === undefined ? 'application/json' : `application/json or ${other}`
  throw new AppError('unsupported_media_type', `Send the body as ${types}, in UTF-8, not compressed.`)
}

function readBody(
  _request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    const body = readJsonBody(bytes)
    refuseCardNumbers(bytes.toString('latin1'), body)
    done(null, body)
  } catch (error) {
    done(error instanceof Error ? error : new Error(messageOf(error)))
  }
}

/** A body of the other media type that the route reads. `checkBodyType` has refused other routes. */
function readOtherBody(
  { routeOptions }: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    const { reads } = routeOptions.config as Pick<Route, 'reads'>
    const body = must(reads, 'the route reads this type').read(bytes)
    refuseCardNumbers(bytes.toString('latin1'), body)
    done(null, body)
  } catch (error) {
    done(error instanceof Error ? error : new Error(messageOf(error)))
  }
}

/**
 * Answers 503 to requests that have no answer in time, such as when the database accepts connections and does not answer. All requests are
 * checked once a second: a timer for each request would cost more than reading the request.
 */
function endOverdue(server: FastifyInstance, deps: JsonServerDeps): void {
  const usual = new Map<FastifyReply, number>()
  const long = new Map<FastifyReply, number>()
  server.addHook('onRequest', (request, reply, done) => {
    const { mayWait } = request.routeOptions.config as { readonly mayWait?: boolean }
    const isLong = mayWait === true && 'wait' in (request.query as object)
    ;(isLong ? long : usual).set(reply, monotonicMs())
    done()
  })
  server.addHook('onResponse', (_request, reply, done) => {
    usual.delete(reply)
    long.delete(reply)
    done()
  })
  const endOlder = (waiting: Map<FastifyReply, number>, than: number) => {
    const before = monotonicMs() - than
    for (const [reply, sinceMs] of waiting) {
      // In the order of arrival: the rest is younger.
      if (sinceMs > before) return
      waiting.delete(reply)
      const late = new AppError(
        'unavailable',
        'The answer takes too long. The same call, with the same key, may be sent again.',
      )
      // A stream that has started may go on without a limit.
      if (!reply.sent && !reply.raw.headersSent) void sendProblem(deps, late, reply.request, reply)
    }
  }
  const timer = setInterval(() => {
    endOlder(usual, patienceMs)
    endOlder(long, waitingPatienceMs)
  }, secondMs)
  timer.unref()
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer)
    done()
  })
}
