// Serves one route of the table: identifies the caller, checks query and body against the route's schemas, and writes the answer. The API's
// server and the dashboard's both use it; they differ only in who calls.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { awaitReplication } from '#/db/replication-queries.ts'
import type { Edge } from '#/edge/server.ts'
import { AppError, messageOf } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isUuid } from '#/kernel/id.ts'
import { findUncleanText } from '#/kernel/json.ts'
import { refuseCardNumberAsKey } from './card-numbers.ts'
import type { HttpDeps } from './deps.ts'
import { methodNotAllowed } from './errors.ts'
import { checkBodyType } from './json-server.ts'
import type { NoteCall } from './note-call.ts'
import { queryOf, readQuery } from './query.ts'
import type { Answer, Call, Caller, Route } from './route.ts'
import { withoutEmpty } from './without-empty.ts'

const noQuery = queryOf({})

/** How a server identifies callers and decides which routes they may call. */
export type Entrance<Identified extends Caller> = {
  /** Returns who calls. Throws the caller's fault, such as 401. Returns no promise when memory is enough. */
  identify(request: FastifyRequest): Identified | Promise<Identified>
  /** Throws where the caller may not call this route, such as 403. */
  admit(caller: Identified, route: Route, request: FastifyRequest, reply: FastifyReply): void | Promise<void>
  /** Throws where the caller may not call it with this body, which fits the route's schema. Absent: every body is admitted. */
  admitBody?(caller: Identified, route: Route, body: unknown): void
  originOf(caller: Identified, request: FastifyRequest): Call<unknown, unknown>['origin']
  readonly deps: HttpDeps
  /** Notes calls of the route. Absent: they are not noted. */
  readonly note?: NoteCall | undefined
}

/** Serves `route` at `url`, in which `:id` stands for the id. The decorator `caller` of each request is the known caller. */
export function mountRoute<Identified extends Caller>(
  server: FastifyInstance,
  route: Route,
  {
    url,
    edge,
    entrance,
  }: { readonly url: string; readonly edge: Edge; readonly entrance: Entrance<Identified> },
): void {
  const query = route.query ?? noQuery
  const { note } = entrance
  server.route({
    method: route.method,
    url,
    ...given({ bodyLimit: route.bodyBytesMax }),
    config: { reads: route.reads, mayWait: route.mayWait === true },
    schema: {
      querystring: query,
      ...given({ body: route.body }),
      response: { [route.status]: route.answer },
    },
    onRequest: (request, reply, done) => enter({ edge, entrance }, route, { request, reply }, done),
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
      if (route.bodyOptional === true && request.body === undefined) request.body = {}
      request.body = withoutEmpty(route.body, request.body)
      done()
    },
    handler: async (request, reply) => {
      let answer: Answer
      try {
        entrance.admitBody?.(request.getDecorator<Identified>('caller'), route, request.body)
        const call = callOf(entrance, request, reply)
        const { deps } = entrance
        answer = await route.handle(deps, call)
        if ('isReplayed' in answer && answer.isReplayed) {
          reply.header('idempotent-replayed', 'true')
          await awaitReplication(deps.sql)
        }
        // The caller's rights may have ended while the request waited.
        if (route.mayWait === true) await entrance.identify(request)
      } finally {
        // When the caller has hung up, the framework sends no answer and calls no hook.
        if (reply.raw.destroyed) note?.(request, reply)
      }
      if (answer.headers !== undefined) reply.headers(answer.headers)
      reply.code(route.status)
      if (!('stream' in answer)) return answer.record
      // HEAD on a stream needs only the headers, so the stream is not read.
      if (request.method === 'HEAD') answer.stream.destroy()
      return reply.send(request.method === 'HEAD' ? Readable.from([]) : answer.stream)
    },
  })
}

function callOf<Identified extends Caller>(
  entrance: Entrance<Identified>,
  request: FastifyRequest,
  reply: FastifyReply,
): Call<unknown, unknown> {
  const caller = request.getDecorator<Identified>('caller')
  return {
    merchant: caller.merchant,
    keyId: caller.keyId,
    origin: entrance.originOf(caller, request),
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

/** Checks the caller before the body. Runs synchronously when the caller is in memory. */
function enter<Identified extends Caller>(
  { edge, entrance }: { readonly edge: Edge; readonly entrance: Entrance<Identified> },
  route: Route,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  done: (error?: Error) => void,
): void {
  const pass = () => {
    checkBodyType(request, route.reads?.type)
    done()
  }
  const admit = (caller: Identified): void | Promise<void> => {
    // Set first: the merchant reads in the request log what was refused, too.
    request.setDecorator('caller', caller)
    return entrance.admit(caller, route, request, reply)
  }
  const fail = (error: unknown) => done(error instanceof Error ? error : new Error(messageOf(error)))
  try {
    refuseMethod(edge, request, reply)
    const caller = entrance.identify(request)
    const admitted = caller instanceof Promise ? caller.then(admit) : admit(caller)
    if (admitted instanceof Promise) admitted.then(pass).catch(fail)
    else pass()
  } catch (error) {
    fail(error)
  }
}

/** Answers 405 when the text in the place of the id is the path of another route, which has other methods. */
function refuseMethod(edge: Edge, request: FastifyRequest, reply: FastifyReply): void {
  const { id } = request.params as { readonly id?: string }
  if (id === undefined || isUuid(id.toLowerCase())) return
  const allowed = edge.allowedAt(request)
  // Without methods there is no other route, so the text is checked as an id.
  if (allowed.length === 0 || allowed.includes(request.method)) return
  reply.header('allow', allowed.join(', '))
  throw methodNotAllowed(request.method, allowed)
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

/** The header Idempotency-Key, bare or in quotes as the draft standard writes it (draft-ietf-httpapi-idempotency-key-header-07). */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
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
