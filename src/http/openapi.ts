// openapi.json, generated from the table of routes: the schemas that check and write are the ones that are published.
import { eventTypes } from '#/contract/events.ts'
import * as patterns from '#/contract/patterns.ts'
import { eventMeanings, eventShapes, webhookEvent } from '#/contract/webhook-events.ts'
import { must } from '#/kernel/check.ts'
import { problems, type ProblemCode } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { type EventType } from '#/webhooks/event.ts'
import { isRefusedWhenClosed } from './account-acts.ts'
import { eventExample } from './event-catalogue.ts'
import { describeOpenPaths } from './openapi-open.ts'
import { collectProblemAnswers, type ProblemAnswers } from './openapi-problems.ts'
import { collectShapes, type Json, type Shapes } from './openapi-shapes.ts'
import type { Route } from './route.ts'

/** The OpenAPI 3.1 document of these routes. The same routes make the same document, to the byte; write it with toJson. */
export function describeApi(routes: readonly Route[]): Json {
  const shapes = collectShapes()
  const answers = collectProblemAnswers(shapes)
  const paths: Record<string, Record<string, Json>> = {}
  for (const each of routes) {
    const operations = (paths[each.path] ??= {})
    operations[each.method.toLowerCase()] = operationOf(shapes, answers, each)
  }
  const openPaths = describeOpenPaths(shapes, answers)
  const tagged = new Set<string>([...routes.map(tagOf), 'about'])
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, webhookOf(shapes, type)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vintem',
      version: '1.0.0',
      description: intro,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    security: [{ apikey: [] }, { bearer: [] }],
    tags: Object.entries(tags)
      .filter(([name]) => tagged.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...openPaths },
    webhooks,
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key. A request carries it once.' },
      },
      schemas: shapes.named(),
      responses: answers.named(),
      examples: answers.examples(),
    },
  }
}

const intro = [
  'Amounts are integers of minor units (cents), of 64 bits. Instants are ISO 8601 in UTC. A field that does not apply is absent, never null; in a request a null field counts as absent.',
  'New fields may be added to any object, and new values to any enumeration in an answer: ignore those that you do not know.',
  'Errors are application/problem+json; decide by `code` alone.',
].join('\n\n')

const tags = {
  payments: 'What your customers are to pay.',
  'payment-links': 'Pages to share; each use of one makes a payment.',
  refunds: 'Money of payments that goes back.',
  disputes: 'Payers who want their money back.',
  wallets: 'Your money, by currency, and what moved it.',
  transfers: 'Money between your own wallets, and with those of sub-accounts.',
  'transfer-grants': 'Sub-accounts that let their parent take money.',
  withdrawals: 'Money that leaves.',
  'payout-schedules': 'Wallets that pay out by themselves.',
  'withdrawal-batches': 'Many withdrawals that are accepted together.',
  requests: 'Your last calls, and what was answered.',
  me: 'Your key: whose it is, and what it may do.',
  settings: 'What you decide for all your payments.',
  keys: 'Your API keys.',
  'sub-accounts': 'Merchants whose parent you are.',
  shares: 'What sub-accounts get of payments.',
  events: 'What changed, in order.',
  'event-types': 'What can change.',
  'metadata-keys': 'Your own fields that payments and withdrawals are found by.',
  'webhook-endpoints': 'URLs that get your events.',
  'webhook-recoveries': 'Events that are sent again.',
  deliveries: 'Events on their way to your URLs.',
  sandbox: 'What only merchants of the sandbox have.',
  about: 'Health, and this document. No key is needed.',
} as const satisfies Record<string, string>

type Tag = keyof typeof tags

/** By the last part of the path that names a collection: the refunds of a payment are refunds. */
function tagOf({ path }: Route): Tag {
  const collections = path.split('/').filter((part): part is Tag => Object.hasOwn(tags, part))
  const [first] = collections
  return first === 'sandbox' ? first : must(collections.at(-1), `${path} begins with a tag`)
}

function operationOf(shapes: Shapes, answers: ProblemAnswers, each: Route): Json {
  const { operationId, summary, description, scope } = each
  return {
    operationId,
    summary,
    description,
    tags: [tagOf(each)],
    ...(scope === undefined ? {} : { 'x-scope': scope }),
    ...parametersOf(shapes, each),
    ...bodyOf(shapes, each),
    ...callbacksOf(shapes, each),
    responses: { [String(each.status)]: successOf(shapes, each), ...problemsOf(answers, each) },
  }
}

function parametersOf(shapes: Shapes, { path, query, method, body }: Route): Json {
  const fields = query === undefined ? {} : asObject(shapes.of(query)['properties'])
  const inQuery = Object.entries(fields).map(([name, schema]) => {
    const { description, ...rest } = asObject(schema)
    return {
      name,
      in: 'query',
      ...given({ description }),
      // An object is sent as `name[key]=value`.
      ...(rest['type'] === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema: rest,
    }
  })
  const inPath = path.includes('{id}')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]
    : []
  const keyed =
    method === 'POST' && body !== undefined && 'idempotencyKey' in asObject(asObject(body)['properties'])
  const inHeader = keyed ? [idempotencyHeader] : []
  const parameters = [...inPath, ...inQuery, ...inHeader]
  return parameters.length === 0 ? {} : { parameters }
}

const idempotencyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same as the field idempotencyKey. With both, they must agree.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: patterns.idempotencyHeader },
}

function bodyOf(shapes: Shapes, { body, bodyOptional, exampleBody: example, reads }: Route): Json {
  if (body === undefined) return {}
  const content = { schema: shapes.of(body), ...given({ example }) }
  const other =
    reads === undefined
      ? {}
      : {
          [reads.type]: {
            schema: { type: 'string', description: reads.description },
            example: reads.example,
          },
        }
  return {
    requestBody: { required: bodyOptional !== true, content: { 'application/json': content, ...other } },
  }
}

/** The callbacks of a route whose body names a URL: the same as under `webhooks`, for generators that read it here. */
function callbacksOf(shapes: Shapes, { body, operationId }: Route): Json {
  if (body === undefined || !('webhookUrl' in asObject(asObject(body)['properties']))) return {}
  const name = `${operationId}Webhook`
  const post = {
    operationId: name,
    summary: 'An event, sent to webhookUrl',
    description: 'The types, and when each is sent, are listed under `webhooks`.',
    security: [],
    parameters: webhookHeaders,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: shapes.of(webhookEvent) } },
    },
    responses: received,
  }
  return { callbacks: { [name]: { '{$request.body#/webhookUrl}': { post } } } }
}

function successOf(shapes: Shapes, { answer, example, status, headers, streams }: Route): Json {
  const described = Object.entries(headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    description: status === 202 ? 'Accepted.' : status === 201 ? 'Created.' : 'Found.',
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
    content: {
      'application/json': { schema: shapes.of(answer), ...given({ example }) },
      ...(streams === undefined
        ? {}
        : { [streams.type]: { schema: { type: 'string', description: streams.description } } }),
    },
  }
}

/** One answer for each status, with the codes that it can carry. */
function problemsOf(answers: ProblemAnswers, each: Route): Json {
  const byStatus = [...Map.groupBy(codesOf(each), (code) => problems[code].status)]
  return Object.fromEntries(
    byStatus.toSorted(([a], [b]) => a - b).map(([status, codes]) => [String(status), answers.of(codes)]),
  )
}

/** The codes that a route can answer with. Every route refuses an unknown parameter. */
function codesOf(each: Route): readonly ProblemCode[] {
  const { path, body, problems: ofRoute } = each
  const codes: readonly ProblemCode[] = [
    'invalid_request',
    'unauthenticated',
    'forbidden',
    'address_not_allowed',
    ...(path.includes('{id}') || path.endsWith('/statement') ? (['not_found'] as const) : []),
    ...(ofRoute ?? []),
    // A closed sub-account is called by the header.
    ...(isRefusedWhenClosed(each) ? (['invalid_state'] as const) : []),
    ...(body === undefined ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    'rate_limited',
    'internal',
    'unavailable',
  ]
  return [...new Set(codes)]
}

function webhookOf(shapes: Shapes, type: EventType): Json {
  return {
    post: {
      operationId: `on_${type.replace('.', '_')}`,
      summary: `Sent to your URLs: ${type}`,
      description: `${eventMeanings[type]} Answer 2xx. Anything else, or no answer within 15 seconds, is tried again for about three days.`,
      security: [],
      parameters: webhookHeaders,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: shapes.of(eventShapes[type]), example: eventExample(type) },
        },
      },
      responses: received,
    },
  }
}

const webhookHeaders = [
  webhookHeader('webhook-id', 'The id of the event: the same in every attempt.'),
  webhookHeader('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
  webhookHeader('webhook-signature', 'Standard Webhooks 1.0.0: `v1,` and the base64 of an HMAC-SHA256.'),
]

function webhookHeader(name: string, description: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

const received: Json = {
  '2XX': { description: 'Received.' },
  '4XX': { description: 'Not received: it is sent again.' },
  '5XX': { description: 'Not received: it is sent again.' },
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
