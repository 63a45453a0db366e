// Operations → the client's methods: a table that the client reads at run time, and the type of what it makes of it.
import {
  answerOf,
  bodyOf,
  nameOf,
  type Document,
  type Operation,
  type Parameter,
  type Schema,
} from './document.ts'
import { docOf, typeOf } from './types.ts'

type Method = {
  readonly group: string
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly operation: Operation
}

/** Formats for spreadsheets are not JSON: `client.request` has them. */
const leftOut = new Set(['format'])

/** The text of `operations.ts`, and how many methods it has. */
export function writeOperations(document: Document): { readonly text: string; readonly count: number } {
  const methods = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => methodOf(verb, path, operation) ?? []),
  )
  const groups = [...Map.groupBy(methods, ({ group }) => group)]
  for (const [group, all] of groups) assertDistinct(group, all)
  const signatures = groups.map(
    ([group, all]) =>
      `  readonly ${group}: {\n${all.map((each) => signatureOf(document, each)).join('')}  }\n`,
  )
  const rows = groups.map(
    ([group, all]) => `  ${group}: {\n${all.map((each) => rowOf(document, each)).join('')}  },\n`,
  )
  return { text: textOf(document, signatures, rows), count: methods.length }
}

function methodOf(verb: string, path: string, operation: Operation): Method | undefined {
  const [tag = ''] = operation.tags ?? []
  if (!path.startsWith('/v1/')) return undefined
  return { group: camel(tag), name: nameIn(tag, operation.operationId), verb, path, operation }
}

/**
 * `createPayment` of payments is `create`, `listPaymentDeposits` is `listDeposits`, `pingWebhookEndpoint` of webhook endpoints is `ping`.
 */
function nameIn(tag: string, operationId: string): string {
  const plural = tag.split('-').map(capital).join('')
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
        `${group}.${name} is the name of ${same.map(({ operation }) => operation.operationId).join(' and ')}`,
      )
}

function signatureOf(document: Document, method: Method): string {
  const { operation } = method
  const closed = { open: false, enums: new Set<string>() }
  const all = operation.parameters ?? []
  const body = bodyOf(operation)
  const query = queryOf(document, operation)
  const answer = answerOf(operation)
  const bodyType = body === undefined ? '' : typeOf(body, closed, '    ')
  const parts = [
    ...all.filter((each) => each.in === 'path').map(({ name }) => `${name}: string`),
    ...(body === undefined
      ? []
      : [`body${needsBody(document, body) ? '' : '?'}: ${bodyWithKey(method, bodyType)}`]),
    ...(query.length === 0
      ? []
      : [
          `query?: {${query.map(({ name, schema }) => ` readonly ${name}?: ${typeOf(schema, closed, '')} | undefined`).join(';')} }`,
        ]),
    'options?: CallOptions',
  ]
  const item = itemOf(document, operation)
  const result =
    item === undefined
      ? `Promise<${answer === undefined ? 'void' : typeOf(answer, closed, '')}>`
      : `Pages<${item}>`
  const doc = docOf(
    [operation.summary, operation.description].filter(Boolean).join('. ').replace('..', '.'),
    '    ',
  )
  return `${doc}    readonly ${method.name}: (${parts.join(', ')}) => ${result}\n`
}

/** A payment needs an idempotency key of the caller: one that the client makes would be another one after a restart. */
function bodyWithKey({ operation }: Method, type: string): string {
  return operation.operationId === 'createPayment' ? `${type} & { readonly idempotencyKey: string }` : type
}

function needsBody(document: Document, body: Schema): boolean {
  const schema = body.$ref === undefined ? body : document.components.schemas[nameOf(body.$ref)]
  return (schema?.required?.length ?? 0) > 0
}

/** Pages carry their cursor themselves. */
function queryOf(document: Document, operation: Operation): readonly Parameter[] {
  const isPaged = itemOf(document, operation) !== undefined
  return (operation.parameters ?? []).filter(
    ({ in: place, name }) => place === 'query' && !leftOut.has(name) && !(isPaged && name === 'cursor'),
  )
}

/** The type of the items when the operation lists them on pages. */
function itemOf(document: Document, operation: Operation): string | undefined {
  if (!(operation.parameters ?? []).some(({ name }) => name === 'cursor')) return undefined
  const { $ref } = answerOf(operation) ?? {}
  const items =
    $ref === undefined ? undefined : document.components.schemas[nameOf($ref)]?.properties?.['data']?.items
  return items?.$ref === undefined ? undefined : nameOf(items.$ref)
}

function rowOf(document: Document, method: Method): string {
  const { operation } = method
  const hasKey = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key')
  const facts = [
    `verb: '${method.verb.toUpperCase()}'`,
    `path: '${method.path}'`,
    ...(bodyOf(operation) === undefined ? [] : ['body: true']),
    ...(queryOf(document, operation).length === 0 ? [] : ['query: true']),
    ...(itemOf(document, operation) === undefined ? [] : ['pages: true']),
    ...(hasKey ? ['key: true'] : []),
  ]
  return `    ${method.name}: { ${facts.join(', ')} },\n`
}

function textOf(document: Document, signatures: readonly string[], rows: readonly string[]): string {
  const used = signatures.join('')
  const names = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b(?!:)`).test(used),
  )
  return `// Made by generator/operations.ts from openapi.json. Do not edit: npm run sdk writes it again.
import type { CallOptions, OperationRow } from '../call.ts'
import type { Pages } from '../pages.ts'
import type {
${names.map((name) => `  ${name},\n`).join('')}} from './types.ts'

/** The client's methods, by resource. */
export type Resources = {
${used}}

/** What a call of each method needs. */
export const operations: { readonly [Group in keyof Resources]: { readonly [Name in keyof Resources[Group]]: OperationRow } } = {
${rows.join('')}}
`
}

function camel(tag: string): string {
  return tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
