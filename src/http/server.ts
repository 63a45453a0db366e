// The HTTP server of the API: reads requests, lets the table of routes answer them, and writes answers and problems.
// Decides nothing about money.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { AppError, messageOf } from '#/kernel/error.ts'
import { isUuid, newId } from '#/kernel/id.ts'
import { findUncleanText, toJson } from '#/kernel/json.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import { createDoor, type Door } from './auth.ts'
import { refuseCardNumbers } from './card-numbers.ts'
import type { HttpDeps } from './deps.ts'
import { rawProblem, sendProblem } from './errors.ts'
import { isJsonType, readJsonBody } from './json-body.ts'
import { describeApi } from './openapi.ts'
import { queryOf, readQuery } from './query.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { asideKeyword, documentedKeyword } from './schema-words.ts'

const bodyBytesMax = 65_536

/** Longer than a lane tries to reach the database, so that its own answer comes first. */
const patienceMs = 15_000

/** The API's server, not listening yet. */
export function createServer(deps: HttpDeps): FastifyInstance {
  const server = Fastify({
    bodyLimit: bodyBytesMax,
    trustProxy: deps.trustProxy === undefined ? false : [...deps.trustProxy],
    requestTimeout: 30_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    frameworkErrors: (error, request, reply) => {
      void sendProblem(deps, error, request, reply)
    },
    clientErrorHandler: refuseSocket,
    ajv: {
      // Bodies are what they are: nothing is turned into something else, dropped or filled in.
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
  server.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    return sendProblem(deps, new AppError('not_found', 'There is nothing at this address.'), request, reply)
  })
  server.decorateRequest('identity', null)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  endOverdue(server, deps)
  const door = createDoor(deps)
  for (const each of routes) register(server, deps, door, each)
  registerOpen(server, deps)
  return server
}

/** The caller's own id of the request, when it is a plain one; else ours. */
function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : newId()
}

const noQuery = queryOf({})

function register(server: FastifyInstance, deps: HttpDeps, door: Door, each: Route): void {
  const query = each.query ?? noQuery
  server.route({
    method: each.method,
    url: each.path.replace('{id}', ':id'),
    schema: {
      querystring: query,
      ...(each.body === undefined ? {} : { body: each.body }),
      response: { [each.status]: each.answer },
    },
    onRequest: (request, reply, done) => enter(door, each, request, reply, done),
    preValidation: (request, _reply, done) => {
      request.query = readQuery(query, cleanQuery(request))
      // No bytes are no body; the value null is one, and a wrong one.
      if (each.bodyOptional === true && request.body === undefined) request.body = {}
      done()
    },
    handler: async (request, reply) => {
      const identity = request.getDecorator<Identity>('identity')
      const answer = await each.handle(deps, {
        merchant: identity.merchant,
        keyId: identity.keyId,
        id: idOf(request),
        query: request.query,
        body: request.body,
        idempotencyKey: idempotencyKeyOf(request),
      })
      if (answer.headers !== undefined) reply.headers(answer.headers)
      reply.code(each.status)
      return 'stream' in answer ? reply.send(answer.stream) : answer.record
    },
  })
}

/** Who is calling comes before what was sent. Stays synchronous for a key that is known. */
function enter(
  door: Door,
  { scope }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const pass = (identity: Identity) => {
    request.setDecorator('identity', identity)
    checkBodyType(request)
    done()
  }
  const fail = (error: unknown) => done(error instanceof Error ? error : new Error(messageOf(error)))
  try {
    const identity = door.open(request, reply, scope)
    if (identity instanceof Promise) identity.then(pass).catch(fail)
    else pass(identity)
  } catch (error) {
    fail(error)
  }
}

/** A body is JSON in UTF-8, not compressed, or it is none of ours. */
function checkBodyType({ headers }: FastifyRequest): void {
  const type = headers['content-type']
  const encoding = headers['content-encoding'] ?? 'identity'
  if ((type === undefined || isJsonType(type)) && encoding === 'identity') return
  throw new AppError('unsupported_media_type', 'Send the body as application/json, in UTF-8, not compressed.')
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

function cleanQuery({ query }: FastifyRequest): Readonly<Record<string, unknown>> {
  const raw = query as Readonly<Record<string, unknown>>
  const pointer = findUncleanText(raw)
  if (pointer === undefined) return raw
  const fault = { pointer, code: 'unclean_text', message: 'holds a NUL or half a surrogate pair' }
  throw new AppError('invalid_request', 'The query cannot be read.', { errors: [fault] })
}

/** The id of the path. What is no UUID names nothing. */
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
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  const fault = { pointer: '', code: 'malformed', message: 'has 1 to 255 printable ASCII characters' }
  throw new AppError('invalid_request', 'The header Idempotency-Key is malformed.', { errors: [fault] })
}

/**
 * Answers 503 to what nobody answers, such as when the database accepts connections and is silent. One look at all
 * requests each second: a timer for each of them would cost more than reading it.
 */
function endOverdue(server: FastifyInstance, deps: HttpDeps): void {
  const waiting = new Map<FastifyReply, number>()
  server.addHook('onRequest', (_request, reply, done) => {
    waiting.set(reply, monotonicMs())
    done()
  })
  server.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply)
    done()
  })
  const timer = setInterval(() => {
    const before = monotonicMs() - patienceMs
    for (const [reply, sinceMs] of waiting) {
      // In the order of arrival: what follows is younger.
      if (sinceMs > before) return
      waiting.delete(reply)
      const late = new AppError(
        'unavailable',
        'The answer takes too long. The same call, with the same key, may be sent again.',
      )
      // A stream may take its time once it has begun.
      if (!reply.sent && !reply.raw.headersSent) void sendProblem(deps, late, reply.request, reply)
    }
  }, secondMs)
  timer.unref()
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer)
    done()
  })
}

/** For bytes that are no HTTP: there is no request to answer. */
function refuseSocket(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.end(rawProblem(newId()))
  else socket.destroy()
}

/** What anybody may ask: whether we live, whether we are ready, and what the API is. */
function registerOpen(server: FastifyInstance, deps: HttpDeps): void {
  const document = toJson(describeApi(routes))
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document))
  server.get('/health/live', async () => ({ status: 'ok' }))
  server.get('/health/ready', async (_request, reply) => {
    const checks = await deps.ready()
    const ok = checks.every((check) => check.ok)
    reply.code(ok ? 200 : 503)
    if (!ok) reply.header('retry-after', '1')
    return {
      status: ok ? 'ready' : 'not_ready',
      checks: Object.fromEntries(checks.map(({ name, ok }) => [name, ok])),
    }
  })
}
