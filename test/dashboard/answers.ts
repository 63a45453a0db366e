// Compares the answers of the dashboard's server with the schemas of its routes, whenever a test calls it. Fastify silently leaves out
// fields that the schema lacks, so the value that a handler returns is compared too: such a field is a fault of the handler or the schema.
import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Schema from 'typebox/schema'
import { statusOf } from '#/dashboard/route.ts'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { urlOf } from '#/dashboard/server.ts'
import type { Sql } from '#/db/client.ts'
import { routes as apiRoutes } from '#/http/routes.ts'
import { toJson } from '#/kernel/json.ts'

export type AnswerWatch = {
  /** What was wrong since the last call. */
  takeFaults(): readonly string[]
  /** The own routes that were answered with success, by operationId. A list counts when it has a row. */
  readonly answered: ReadonlySet<string>
  /** The ids of requests that own routes carried out which change something, by operationId. */
  readonly acts: ReadonlyMap<string, readonly string[]>
}

type Watched = {
  readonly operationId: string
  readonly status: number
  readonly answer: object | undefined
  /** Answers of the API may leave fields out: `Answer.record` of its routes. */
  readonly isOwn: boolean
}

const keyOf = (method: string, url: string) => `${method} ${url}`

const watched: ReadonlyMap<string, Watched> = new Map<string, Watched>([
  ...apiRoutes.map(({ method, path, operationId, status, answer }): [string, Watched] => [
    keyOf(method, `/api/m/:merchant${path.slice('/v1'.length).replace('{id}', ':id')}`),
    { operationId, status, answer, isOwn: false },
  ]),
  ...dashboardRoutes.map((route): [string, Watched] => [
    keyOf(route.method, urlOf(route)),
    { operationId: route.operationId, status: statusOf(route), answer: route.answer, isOwn: true },
  ]),
])

const unaudited: ReadonlySet<string> = new Set(
  dashboardRoutes.flatMap((route) => (route.unaudited === undefined ? [] : [route.operationId])),
)

/** Watches a server that does not listen yet. */
export function watchAnswers(server: FastifyInstance): AnswerWatch {
  const faults: string[] = []
  const answered = new Set<string>()
  const acts = new Map<string, string[]>()
  const note = (where: string, found: readonly string[]) => {
    faults.push(...found.map((fault) => `${where}: ${fault}`))
  }
  server.addHook('preSerialization', (request, reply, payload, done) => {
    const route = routeOf(request)
    if (route?.isOwn === true && route.status === reply.statusCode && route.answer !== undefined)
      note(`${route.operationId} returns`, faultsOf(strict(route.answer), JSON.parse(toJson(payload))))
    done(null, payload)
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    const route = routeOf(request)
    const text = textOf(payload, reply.getHeader('content-encoding'))
    if (route?.status === reply.statusCode) {
      if (route.isOwn && request.method !== 'GET')
        acts.set(route.operationId, [...(acts.get(route.operationId) ?? []), request.id])
      if (route.isOwn && !isEmptyList(text)) answered.add(route.operationId)
      const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
      if (route.answer === undefined) {
        if (payload !== undefined && payload !== null && payload !== '')
          note(route.operationId, ['its answer has a body, which nothing describes'])
      } else if (route.isOwn || isJson)
        note(
          `${route.operationId} answers`,
          text === undefined ? ['not JSON'] : faultsOf(route.answer, JSON.parse(text)),
        )
    }
    done(null, payload)
  })
  return { takeFaults: () => faults.splice(0), answered, acts }
}

/** The text of an answer: large ones are compressed by now. Undefined for a stream, and for no body. */
function textOf(payload: unknown, encoding: unknown): string | undefined {
  if (typeof payload === 'string') return payload
  if (!Buffer.isBuffer(payload)) return undefined
  if (encoding === 'br') return brotliDecompressSync(payload).toString('utf8')
  return (encoding === 'gzip' ? gunzipSync(payload) : payload).toString('utf8')
}

function isEmptyList(text: string | undefined): boolean {
  return text?.startsWith('{"data":[]') === true
}

/**
 * Fails unless each of these operations was answered with success, and each that changes something left a row in the audit log, written
 * in its request.
 */
export async function requireShown(
  sql: Sql,
  { answered, acts }: AnswerWatch,
  shows: readonly string[],
): Promise<void> {
  assert.deepEqual(
    shows.filter((operationId) => !answered.has(operationId)),
    [],
    'was not answered with success, or with an empty list',
  )
  const ids = shows.flatMap((operationId) => acts.get(operationId) ?? [])
  const rows = await sql<{ id: string }[]>`
    select distinct request_id as id from audit_log where request_id = any(${ids}::text[])`
  const written = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    shows.filter(
      (operationId) =>
        acts.has(operationId) &&
        !unaudited.has(operationId) &&
        !acts.get(operationId)?.some((id) => written.has(id)),
    ),
    [],
    'left no row in the audit log',
  )
}

function routeOf({ method, routeOptions }: FastifyRequest): Watched | undefined {
  return watched.get(keyOf(method, routeOptions.url ?? ''))
}

const validators = new WeakMap<object, ReturnType<typeof Schema.Compile>>()

function faultsOf(schema: object, value: unknown): readonly string[] {
  const validator = validators.get(schema) ?? Schema.Compile(schema as Schema.XSchema)
  validators.set(schema, validator)
  if (validator.Check(value)) return []
  const [, errors] = validator.Errors(value)
  const messages = errors.map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
  return [`${messages.join('; ')} in ${JSON.stringify(value).slice(0, 500)}`]
}

const stricts = new WeakMap<object, object>()

/** The same schema without room for fields that it does not name. */
function strict(schema: object): object {
  const made = stricts.get(schema) ?? (closed(schema) as object)
  stricts.set(schema, made)
  return made
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, closed(each)]))
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}
