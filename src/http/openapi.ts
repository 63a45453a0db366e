// openapi.json, made of the table of routes: the schemas that check and write are the ones that are published.
import type { TSchema } from 'typebox'
import { problems, problemUrl, type ProblemCode } from '#/kernel/error.ts'
import { eventTypes } from '#/webhooks/event.ts'
import { examples } from './examples.ts'
import type { Route } from './route.ts'
import { event, named as namedSchemas, payment, problem, problemCodes } from './schemas.ts'
import { namedWalletSchemas } from './wallet-schemas.ts'
import { namedWithdrawalSchemas, withdrawal } from './withdrawal-schemas.ts'

/** The schemas that have a name of their own here. */
const named = new Map([...namedSchemas, ...namedWalletSchemas, ...namedWithdrawalSchemas])

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 document of these routes. The same routes make the same document, to the byte. */
export function describeApi(routes: readonly Route[]): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const each of routes) {
    const operations = (paths[each.path] ??= {})
    operations[each.method.toLowerCase()] = operationOf(each)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vintem',
      version: '1.0.0',
      description: intro,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    security: [{ apikey: [] }],
    paths: { ...paths, ...openPaths },
    webhooks: Object.fromEntries(webhookTypes.map((type) => [type, webhookOf(type)])),
    components: {
      securitySchemes: { apikey: { type: 'apiKey', in: 'header', name: 'apikey' } },
      schemas: Object.fromEntries([...named].map(([schema, name]) => [name, published(schema, true)])),
      examples: Object.fromEntries(problemCodes.map((code) => [code, { value: exampleOf(code) }])),
    },
  }
}

const intro = [
  'Amounts are integers of minor units (cents). Instants are ISO 8601 in UTC. What does not apply is absent, never null; in a request a field that is null is taken as absent.',
  'New fields may be added to any object: ignore those that you do not know.',
  'Errors are application/problem+json; decide by `code` alone.',
].join('\n\n')

function operationOf(each: Route): Json {
  const { operationId, summary, description, scope } = each
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [each.path.split('/')[2] ?? 'other'],
    'x-scope': scope,
    ...parametersOf(each),
    ...bodyOf(each),
    responses: { [String(each.status)]: successOf(each), ...problemsOf(each) },
  }
}

function parametersOf({ path, query, method, body }: Route): Json {
  const fields = query === undefined ? {} : asObject(published(query, true)['properties'])
  const inQuery = Object.entries(fields).map(([name, schema]) => {
    const { description, ...rest } = asObject(schema)
    return { name, in: 'query', ...(description === undefined ? {} : { description }), schema: rest }
  })
  const inPath = path.includes('{id}')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]
    : []
  const keyed =
    method === 'POST' && body !== undefined && 'idempotencyKey' in asObject(asObject(body)['properties'])
  const inHeader = keyed
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Does what the field idempotencyKey does. When both are sent they must agree.',
          schema: { type: 'string' },
        },
      ]
    : []
  const parameters = [...inPath, ...inQuery, ...inHeader]
  return parameters.length === 0 ? {} : { parameters }
}

function bodyOf({ body, bodyOptional, operationId }: Route): Json {
  if (body === undefined) return {}
  const example = examples.bodies[operationId]
  const content = { schema: published(body), ...(example === undefined ? {} : { example }) }
  return { requestBody: { required: bodyOptional !== true, content: { 'application/json': content } } }
}

function successOf({ answer, status, headers, streams, operationId }: Route): Json {
  const example = examples.answers[operationId]
  const described = Object.entries(headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    description: status === 202 ? 'Accepted.' : status === 201 ? 'Created.' : 'Found.',
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
    content: {
      'application/json': { schema: published(answer), ...(example === undefined ? {} : { example }) },
      ...(streams === undefined
        ? {}
        : { [streams.type]: { schema: { type: 'string', description: streams.description } } }),
    },
  }
}

/** One response for each status, with an example for each code that it can carry. */
function problemsOf(each: Route): Json {
  const byStatus = Map.groupBy(codesOf(each), (code) => problems[code].status)
  const statuses = [...byStatus.keys()].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [String(status), problemResponse(byStatus.get(status) ?? [])]),
  )
}

/** The codes that a route can answer with. */
function codesOf({ path, query, body, problems: own }: Route): readonly ProblemCode[] {
  return [
    ...(query !== undefined || body !== undefined ? (['invalid_request'] as const) : []),
    'unauthenticated',
    'forbidden',
    ...(path.includes('{id}') || path.endsWith('/statement') ? (['not_found'] as const) : []),
    ...(own ?? []),
    ...(body === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    'rate_limited',
    'internal',
    'unavailable',
  ]
}

function problemResponse(codes: readonly ProblemCode[]): Json {
  const waits = codes.some((code) => problems[code].status === 429 || problems[code].status === 503)
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    ...(waits
      ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } }
      : {}),
    content: {
      'application/problem+json': {
        schema: published(problem),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

function exampleOf(code: ProblemCode): Json {
  const { status, title } = problems[code]
  const requestId = '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f'
  return { type: problemUrl(code), title, status, code, detail: `${title}.`, requestId }
}

// ---- What needs no key

const readinessBody = {
  'application/json': {
    schema: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: ['ready', 'degraded', 'not_ready'] },
        checks: { type: 'object', additionalProperties: { type: 'boolean' } },
        reasons: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['status', 'checks'],
    },
  },
}

const openPaths: Json = {
  '/health/live': { get: healthOf('getLiveness', 'Whether the process runs', {}) },
  '/health/ready': {
    get: healthOf('getReadiness', 'Whether requests are welcome', {
      '200': {
        description: 'Yes; `degraded`: but for a part, which `checks` names and `reasons` explains.',
        content: readinessBody,
      },
      '503': { description: 'Not now; `checks` says why.', content: readinessBody },
    }),
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenapi',
      summary: 'Get this document',
      tags: ['about'],
      security: [],
      responses: {
        '200': {
          description: 'OpenAPI 3.1.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
}

function healthOf(operationId: string, summary: string, more: Json): Json {
  const content = {
    'application/json': { schema: { type: 'object', properties: { status: { type: 'string' } } } },
  }
  return {
    operationId,
    summary,
    tags: ['about'],
    security: [],
    responses: { '200': { description: 'Yes.', content }, ...more },
  }
}

// ---- What we send

/** The events that are sent to a payment's webhookUrl today. */
const webhookTypes = eventTypes.filter((type) => /^(?:payment|withdrawal)\./.test(type))

function webhookOf(type: string): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const narrowed = {
    type: 'object',
    properties: {
      type: { const: type },
      data: published(type.startsWith('payment.') ? payment : withdrawal),
    },
  }
  return {
    post: {
      operationId: `on_${type.replace('.', '_')}`,
      summary: `Sent to webhookUrl: ${type}`,
      description:
        'Answer 2xx. Anything else, or no answer within 15 seconds, is tried again for about three days.',
      security: [],
      parameters: [
        header('webhook-id', 'The id of the event: the same in every attempt.'),
        header('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
        header('webhook-signature', 'Standard Webhooks 1.0.0: `v1,` and the base64 of an HMAC-SHA256.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { allOf: [published(event), narrowed] } } },
      },
      responses: { '2XX': { description: 'Received.' } },
    },
  }
}

// ---- Schemas

/** The schema as plain JSON, with a reference in place of each schema that has a name. `open`: not the outermost. */
function published(schema: TSchema, open?: true): Json {
  const name = named.get(schema)
  if (name !== undefined && open !== true) return { $ref: `#/components/schemas/${name}` }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, publishedPart(value)]))
}

function publishedPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publishedPart)
  return typeof value === 'object' && value !== null ? published(value) : value
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
