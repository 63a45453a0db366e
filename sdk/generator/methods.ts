// Operations → the methods of a client, whatever its language: how they are called, what they take, what they return.
import {
  answerOf,
  bodyOf,
  nameOf,
  type Document,
  type Operation,
  type Parameter,
  type Schema,
} from './document.ts'

export type Method = {
  readonly operationId: string
  /** The resource, as the document's tag: `payment-links`. */
  readonly group: string
  /** In camelCase. */
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly doc: string
  /** The names of the ids in the path, in its order. */
  readonly ids: readonly string[]
  readonly body: Schema | undefined
  /** Whether the body has a field that must be given. */
  readonly needsBody: boolean
  /** Without the cursor of pages, which carry it themselves. */
  readonly query: readonly Parameter[]
  readonly answer: Schema | undefined
  /** The name of the type of a record, when the operation lists records on pages. */
  readonly item: string | undefined
  readonly takesKey: boolean
  /** The body must have an idempotency key of the caller's: one that the client makes would be another one after a restart. */
  readonly needsKey: boolean
}

/** Formats for spreadsheets are not JSON: the clients' `request` has them. */
const leftOut = new Set(['format'])

/** The methods by resource, in the order of the document. Throws when two have the same name. */
export function methodsOf(document: Document): ReadonlyMap<string, readonly Method[]> {
  const methods = Object.entries(document.paths).flatMap(([path, verbs]) =>
    path.startsWith('/v1/')
      ? Object.entries(verbs).map(([verb, operation]) => methodOf(document, verb, path, operation))
      : [],
  )
  const groups = Map.groupBy(methods, ({ group }) => group)
  for (const [group, all] of groups) assertDistinct(group, all)
  return groups
}

function methodOf(document: Document, verb: string, path: string, operation: Operation): Method {
  const { operationId, summary, description, parameters = [] } = operation
  const [group = ''] = operation.tags ?? []
  const body = bodyOf(operation)
  const item = itemOf(document, operation)
  const { required = [] } = schemaBehind(document, body) ?? {}
  return {
    operationId,
    group,
    name: nameIn(group, operationId),
    verb: verb.toUpperCase(),
    path,
    doc: [summary, description].filter(Boolean).join('. ').replace('..', '.'),
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    body,
    needsBody: required.length > 0,
    query: parameters.filter(
      ({ in: place, name }) =>
        place === 'query' && !leftOut.has(name) && !(item !== undefined && name === 'cursor'),
    ),
    answer: answerOf(operation),
    item,
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    needsKey: required.includes('idempotencyKey'),
  }
}

/**
 * `createPayment` of payments is `create`, `listPaymentDeposits` is `listDeposits`, `pingWebhookEndpoint` of webhook endpoints is `ping`.
 */
function nameIn(group: string, operationId: string): string {
  const plural = group.split('-').map(capital).join('')
  const singular = plural
    .replace(/ies$/, 'y')
    .replace(/(ch)es$/, '$1')
    .replace(/s$/, '')
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? []
  const named = rest.replace(/^Api(?=Key)/, '')
  const shorter = [plural, singular].find((noun) => named.startsWith(noun))
  return shorter === undefined ? `${verb}${named}` : `${verb}${named.slice(shorter.length)}`
}

function assertDistinct(group: string, methods: readonly Method[]): void {
  for (const [name, same] of Map.groupBy(methods, (method) => method.name))
    if (same.length > 1)
      throw new Error(
        `${group}.${name} is the name of ${same.map(({ operationId }) => operationId).join(' and ')}`,
      )
}

function itemOf(document: Document, operation: Operation): string | undefined {
  if (!(operation.parameters ?? []).some(({ name }) => name === 'cursor')) return undefined
  const items = schemaBehind(document, answerOf(operation))?.properties?.['data']?.items
  return items?.$ref === undefined ? undefined : nameOf(items.$ref)
}

function schemaBehind(document: Document, schema: Schema | undefined): Schema | undefined {
  return schema?.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)]
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
