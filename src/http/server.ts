// The HTTP server of the API: reads requests, passes them to the table of routes, and writes answers and problems. Decides nothing
// about money.
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { connectionOptions, edgeOptions, setUpEdge, type Edge } from '#/edge/server.ts'
import { must } from '#/kernel/check.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { isUuid } from '#/kernel/id.ts'
import { findUncleanText, toJson } from '#/kernel/json.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import { createDoor, type Door } from './auth.ts'
import { refuseCardNumberAsKey, refuseCardNumbers } from './card-numbers.ts'
import type { HttpDeps } from './deps.ts'
import { methodNotAllowed, sendNothingHere, sendProblem } from './errors.ts'
import { isJsonType, readJsonBody } from './json-body.ts'
import { noteCalls } from './note-call.ts'
import { describeApi } from './openapi.ts'
import { queryOf, readQuery, waitMaxSeconds } from './query.ts'
import type { Answer, Call, Route } from './route.ts'
import { routes } from './routes.ts'
import { asideKeyword, documentedKeyword } from './schema-words.ts'

const bodyBytesMax = 65_536

/** Longer than a lane tries to reach the database, so that its own answer comes first. */
const patienceMs = 15_000

/** The same, for a request that waits for something to happen. */
const waitingPatienceMs = waitMaxSeconds * secondMs + patienceMs

/** The API's server, not listening yet. */
export function createServer(deps: HttpDeps): FastifyInstance {
  const server = Fastify({
    ...edgeOptions(deps),
    http: connectionOptions(deps),
    bodyLimit: bodyBytesMax,
    frameworkErrors: (error, request, reply) => {
      void sendProblem(deps, error, request, reply)
    },
    ajv: {
      // Bodies are checked as they are: no value is converted, dropped or filled in.
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        keywords: [asideKeyword, documentedKeyword],
      },
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, readBody)
  for (const type of new Set(routes.flatMap(({ reads }) => reads?.type ?? [])))
    server.addContentTypeParser(type, { parseAs: 'buffer' }, readOtherBody)
  server.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply))
  const edge = setUpEdge(server, deps)
  server.setNotFoundHandler((request, reply) => sendNothingHere(deps, edge, request, reply))
  server.decorateRequest('identity', null)
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
  const door = createDoor(deps)
  for (const each of routes) register(server, deps, { door, edge }, each)
  registerOpen(server, deps)
  return server
}

const noQuery = queryOf({})

type Entrance = { readonly door: Door; readonly edge: Edge }

function register(server: FastifyInstance, deps: HttpDeps, entrance: Entrance, each: Route): void {
  const query = each.query ?? noQuery
  const note = noteCalls(deps, each.path)
  server.route({
    method: each.method,
    url: each.path.replace('{id}', ':id'),
    ...(each.bodyBytesMax === undefined ? {} : { bodyLimit: each.bodyBytesMax }),
    config: { reads: each.reads, mayWait: each.mayWait === true },
    schema: {
      querystring: query,
      ...(each.body === undefined ? {} : { body: each.body }),
      response: { [each.status]: each.answer },
    },
    onRequest: (request, reply, done) => enter(entrance, each, request, reply, done),
    ...(note === undefined
      ? {}
      : {
          onResponse: (request, reply, done) => {
            note(request, reply)
            done()
          },
        }),
    preValidation: (request, _reply, done) => {
      request.query = readQuery(query, cleanQuery(request))
      // Without bytes there is no body; the value null is an invalid body.
      if (each.bodyOptional === true && request.body === undefined) request.body = {}
      done()
    },
    handler: async (request, reply) => {
      let answer: Answer
      try {
        answer = await each.handle(deps, callOf(request, reply))
        // The key may have ended while the request waited.
        if (each.mayWait === true) await entrance.door.identify(request)
      } finally {
        // The framework answers nobody who has gone, and calls no hook.
        if (reply.raw.destroyed) note?.(request, reply)
      }
      if (answer.headers !== undefined) reply.headers(answer.headers)
      reply.code(each.status)
      if (!('stream' in answer)) return answer.record
      // HEAD on a stream needs only the headers, so the stream is not read.
      if (request.method === 'HEAD') answer.stream.destroy()
      return reply.send(request.method === 'HEAD' ? Readable.from([]) : answer.stream)
    },
  })
}

function callOf(request: FastifyRequest, reply: FastifyReply): Call<unknown, unknown> {
  const { merchant, keyId } = request.getDecorator<Identity>('identity')
  return {
    merchant,
    keyId,
    id: idOf(request),
    query: request.query,
    body: request.body,
    idempotencyKey: idempotencyKeyOf(request),
    acceptLanguage: request.headers['accept-language'],
    whenGone: (listener) => {
      if (reply.raw.closed) listener()
      else reply.raw.once('close', listener)
    },
  }
}

/** Checks the API key before the body. Runs synchronously when the key is in memory. */
function enter(
  { door, edge }: Entrance,
  { scope, reads }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const pass = (identity: Identity) => {
    // Set first: the merchant reads in the request log what was refused, too.
    request.setDecorator('identity', identity)
    door.admit(identity, request, reply, scope)
    checkBodyType(request, reads?.type)
    done()
  }
  const fail = (error: unknown) => done(error instanceof Error ? error : new Error(messageOf(error)))
  try {
    refuseMethod(edge, request, reply)
    const identity = door.identify(request)
    if (identity instanceof Promise) identity.then(pass).catch(fail)
    else pass(identity)
  } catch (error) {
    fail(error)
  }
}

/** A text in the place of an id may be another route's path, with other methods. */
function refuseMethod(edge: Edge, request: FastifyRequest, reply: FastifyReply): void {
  const { id } = request.params as { readonly id?: string }
  if (id === undefined || isUuid(id.toLowerCase())) return
  const allowed = edge.allowedAt(request)
  if (allowed.includes(request.method)) return
  reply.header('allow', allowed.join(', '))
  throw methodNotAllowed(request.method, allowed)
}

/** Refuses every body that is compressed, or is neither JSON in UTF-8 nor of the other type that the route reads. */
function checkBodyType({ headers }: FastifyRequest, other: string | undefined): void {
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

function cleanQuery({ query }: FastifyRequest): Readonly<Record<string, unknown>> {
  const raw = query as Readonly<Record<string, unknown>>
  const pointer = findUncleanText(raw)
  if (pointer === undefined) return raw
  const fault = { pointer, code: 'unclean_text', message: 'holds a NUL or half a surrogate pair' }
  throw new AppError('invalid_request', 'The query cannot be read.', { faults: [fault] })
}

/** The id of the path. 404 for a text that is no UUID. */
function idOf({ params }: FastifyRequest): string {
  const { id } = params as { readonly id?: string }
  if (id === undefined) return ''
  const lower = id.toLowerCase()
  if (!isUuid(lower)) throw new AppError('not_found', 'No id looks like this.')
  return lower
}

/** Bare, or in quotes as the draft standard writes it (draft-ietf-httpapi-idempotency-key-header-07). */
function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key']
  if (typeof header !== 'string') return undefined
  const key = /^"([^"\\]*)"$/.exec(header)?.[1] ?? header
  if (/^[\x20-\x7e]{1,255}$/.test(key)) {
    refuseCardNumberAsKey(key)
    return key
  }
  const fault = { pointer: '', code: 'malformed', message: 'has 1 to 255 printable ASCII characters' }
  throw new AppError('invalid_request', 'The header Idempotency-Key is malformed.', { faults: [fault] })
}

/**
 * Answers 503 to requests that have no answer in time, such as when the database accepts connections and is silent. All requests are
 * checked once a second: a timer for each would cost more than reading it.
 */
function endOverdue(server: FastifyInstance, deps: HttpDeps): void {
  const usual = new Map<FastifyReply, number>()
  const long = new Map<FastifyReply, number>()
  server.addHook('onRequest', (request, reply, done) => {
    const { mayWait } = request.routeOptions.config as { readonly mayWait?: boolean }
    const isLong = mayWait === true && 'wait' in (request.query as object)
    ;(isLong ? long : usual).set(reply, monotonicMs())
    done()
  })
  // Without the header, a connection whose answer is still to come would stay open, and with it the server.
  server.addHook('preClose', (done) => {
    for (const reply of [...usual.keys(), ...long.keys()])
      if (!reply.raw.headersSent) reply.header('connection', 'close')
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

/** The routes without a key: liveness, readiness, and the document of the API. */
function registerOpen(server: FastifyInstance, deps: HttpDeps): void {
  const document = toJson(describeApi(routes))
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document))
  server.get('/health/live', async () => ({ status: 'ok' }))
  server.get('/health/ready', async (_request, reply) => {
    const checks = await deps.ready()
    const failing = checks.filter((check) => !check.ok)
    const isWelcome = failing.every(({ isPart }) => isPart === true)
    reply.code(isWelcome ? 200 : 503)
    if (!isWelcome) reply.header('retry-after', '1')
    const reasons = failing.flatMap(({ name, reason }) =>
      reason === undefined ? [] : [[name, reason] as const],
    )
    return {
      status: !isWelcome ? 'not_ready' : failing.length > 0 ? 'degraded' : 'ready',
      checks: Object.fromEntries(checks.map(({ name, ok }) => [name, ok])),
      ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
    }
  })
}
