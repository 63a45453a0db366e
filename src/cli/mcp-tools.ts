// What an agent may call, made of the API's own description. Reads, and in a sandbox what a developer tries there. No tool moves money out:
// refunds, withdrawals, transfers, schedules and whatever makes keys or receivers of events are not in the lists.
import { readFileSync } from 'node:fs'
import { given } from '#/kernel/given.ts'

export type Tool = {
  /** The operation's id, such as `getPayment`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly method: 'GET' | 'POST'
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  /** The path and query of a call, and its body. Unknown arguments go to the body, where the API refuses them. */
  request(args: Readonly<Record<string, unknown>>): { readonly path: string; readonly body?: unknown }
}

type JsonSchema = Readonly<Record<string, unknown>>

const reads = [
  'getMe',
  'listPayments',
  'getPayment',
  'explainPayment',
  'listPaymentDeposits',
  'listPaymentShares',
  'listRefunds',
  'getRefund',
  'explainRefund',
  'listDisputes',
  'getDispute',
  'listWithdrawals',
  'getWithdrawal',
  'explainWithdrawal',
  'listWallets',
  'getWallet',
  'getBalance',
  'getStatement',
  'getSummary',
  'listTransfers',
  'listEvents',
  'getEvent',
  'listEventTypes',
  'searchDeliveries',
  'getDelivery',
  'listWebhookEndpoints',
  'listRequests',
  'listPaymentLinks',
  'listSubAccounts',
] as const

/** With a key of a sandbox only. */
const inSandbox = [
  'createPayment',
  'cancelPayment',
  'paySandboxPayment',
  'advanceSandboxClock',
  'getSandboxClock',
  'createRehearsal',
  'getRehearsal',
  'pingWebhookEndpoint',
  'resendDelivery',
] as const

type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } }
  }
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The tools for a key of this mode. */
export function toolsFor(mode: 'LIVE' | 'SANDBOX'): readonly Tool[] {
  const document = JSON.parse(
    readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
  ) as Document
  const operationIds = new Set<string>(mode === 'SANDBOX' ? [...reads, ...inSandbox] : reads)
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => operationIds.has(operation.operationId))
      .map(([verb, operation]) => toolOf(document, verb === 'get' ? 'GET' : 'POST', path, operation)),
  )
}

function toolOf(document: Document, method: 'GET' | 'POST', path: string, operation: Operation): Tool {
  const parameters = (operation.parameters ?? []).filter(
    (each) => each.in !== 'header' && each.name !== 'format',
  )
  const body = operation.requestBody?.content['application/json'].schema
  const bodySchema = body === undefined ? {} : simplify(document, body)
  const properties = {
    ...Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...simplify(document, schema), ...given({ description }) },
      ]),
    ),
    ...(bodySchema['properties'] as JsonSchema | undefined),
  }
  const required = [
    ...parameters.filter((each) => each.required === true).map(({ name }) => name),
    ...((bodySchema['required'] as readonly string[] | undefined) ?? []),
  ]
  const names = { path: inPlace(parameters, 'path'), query: inPlace(parameters, 'query') }
  return {
    name: operation.operationId,
    title: operation.summary,
    description: [operation.summary, operation.description].filter((text) => text !== undefined).join('. '),
    method,
    inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
    request: (args) => requestOf(path, names, body !== undefined, args),
  }
}

function inPlace(parameters: readonly { readonly name: string; readonly in: string }[], place: string) {
  return new Set(parameters.filter((each) => each.in === place).map(({ name }) => name))
}

function requestOf(
  path: string,
  names: { readonly path: ReadonlySet<string>; readonly query: ReadonlySet<string> },
  hasBody: boolean,
  args: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly body?: unknown } {
  const search = new URLSearchParams()
  const body: Record<string, unknown> = {}
  let full = path
  for (const [name, value] of Object.entries(args)) {
    if (names.path.has(name)) full = full.replace(`{${name}}`, encodeURIComponent(textOf(value)))
    else if (!names.query.has(name)) body[name] = value
    else if (isPlainObject(value))
      for (const [key, each] of Object.entries(value)) search.append(`${name}[${key}]`, textOf(each))
    else search.append(name, textOf(value))
  }
  const query = search.size === 0 ? '' : `?${search.toString()}`
  return { path: `${full}${query}`, ...(hasBody ? { body } : {}) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const kept = new Set([
  'type',
  'description',
  'enum',
  'const',
  'required',
  'minimum',
  'maximum',
  'additionalProperties',
])

/** A schema without references, patterns and conditions: an agent needs to know what to send, and the API checks it. */
function simplify(document: Document, schema: JsonSchema, depth = 0): JsonSchema {
  const ref = schema['$ref']
  if (typeof ref === 'string') {
    const named = document.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}
    return { ...simplify(document, named, depth), ...plainOf(schema) }
  }
  const { properties, items, anyOf, oneOf } = schema
  const choices = ((anyOf ?? oneOf) as readonly JsonSchema[] | undefined)?.filter(
    (each) => 'type' in each || '$ref' in each,
  )
  return {
    ...plainOf(schema),
    ...(isPlainObject(properties) && depth < 4
      ? { properties: mapValues(properties, (each) => simplify(document, each as JsonSchema, depth + 1)) }
      : {}),
    ...(isPlainObject(items) ? { items: simplify(document, items, depth + 1) } : {}),
    ...(choices === undefined || choices.length === 0
      ? {}
      : { anyOf: choices.map((each) => simplify(document, each, depth + 1)) }),
  }
}

function plainOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => kept.has(key) && key !== 'additionalProperties'),
  )
}

function mapValues(object: JsonSchema, map: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}

function isPlainObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
