// The text fields of all request bodies of the API and of the dashboard's own routes whose schema lets markup in, and what is written there.
import { sentences } from '#/checkout/sentences.ts'
import { dashboardRoutes } from '#/dashboard/routes.ts'
import { routes } from '#/http/routes.ts'

/** `operationId /pointer`; `*` stands for the items of a list. */
export type FieldName = string

/** What would make an element, from the longest to the shortest: the first runs a script too. A field gets the first that its schema lets in. */
export const hostile = {
  image: '<img src=x onerror=alert(1)>',
  bold: '<b class=hostile>x',
  tag: '<i/id=hostile>',
  email: '<img/src=x/onerror=alert(1)>@example.com',
  url: 'http://localhost:9/?<img/src=x/onerror=alert(1)>',
} as const

/** Finds whatever one of them has become. */
export const hostileElements = 'img[src="x"], [onerror], .hostile, #hostile'

type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly const?: unknown
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  /** What the code checks besides the schema. */
  readonly documented?: Schema
}

/** Every field that lets one of them in, also of the form that a payer fills in. */
export function fieldsForMarkup(): readonly FieldName[] {
  const ofCalls = [...routes, ...dashboardRoutes].flatMap(({ operationId, body }) =>
    body === undefined ? [] : fieldsOfBody(operationId, body as Schema),
  )
  // The form has no schema. Each of its fields has a label.
  const ofForm = Object.keys(sentences.en.fields).map((name) => `payerForm /${name}`)
  return [...ofCalls, ...ofForm].toSorted()
}

/** The fields of one body. Throws when the schema has a part that is not looked into, or lets in fields that it does not name. */
export function fieldsOfBody(operationId: string, body: Schema): readonly FieldName[] {
  const found = new Set<FieldName>()
  walk(body, '', (pointer) => found.add(`${operationId} ${pointer}`))
  return [...found]
}

/** The words that `walk` looks into, and those that add no text to what it finds. */
const understood = new Set(
  `type enum const maxLength minLength pattern format properties patternProperties additionalProperties items anyOf oneOf allOf documented emptyIsAbsent
   required minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties propertyNames
   title description default examples deprecated contentEncoding aside`.split(/\s+/),
)

function walk(given: Schema, pointer: string, add: (pointer: string) => void): void {
  const fault = notUnderstood(given)
  if (fault !== undefined) throw new Error(`${pointer}: ${fault} is not understood`)
  // What the code checks besides can only narrow what the schema lets in.
  const schema = { ...given, ...given.documented, properties: given.properties ?? {} }
  if (schema.type === 'string' && letsMarkupIn(schema)) add(pointer)
  for (const [name, each] of Object.entries(schema.properties)) walk(each, `${pointer}/${name}`, add)
  for (const each of Object.values(given.patternProperties ?? {})) walk(each, `${pointer}/*`, add)
  const { additionalProperties: more, items } = given
  if (typeof more === 'object') walk(more, `${pointer}/*`, add)
  // Anything may stand there.
  if (more === true) add(`${pointer}/*`)
  if (items !== undefined) walk(items, `${pointer}/*`, add)
  for (const each of [...(given.anyOf ?? []), ...(given.oneOf ?? []), ...(given.allOf ?? [])])
    walk(each, pointer, add)
}

function notUnderstood(schema: Schema): string | undefined {
  const { type, additionalProperties, items, anyOf, oneOf, allOf } = schema
  const word = Object.keys(schema).find((each) => !understood.has(each))
  if (word !== undefined) return word
  if (Array.isArray(type)) return 'a list of types'
  if (type === 'object' && additionalProperties === undefined) return 'an object that is not closed'
  if (type === 'array' && items === undefined) return 'a list of anything'
  const saysWhat = [type, anyOf, oneOf, allOf].some((each) => each !== undefined)
  return saysWhat || 'enum' in schema || 'const' in schema ? undefined : 'a field of any type'
}

function letsMarkupIn({ maxLength = Number.POSITIVE_INFINITY, pattern, format, ...schema }: Schema): boolean {
  if ('enum' in schema || 'const' in schema || (format !== undefined && format !== 'uri')) return false
  return Object.values(hostile).some(
    (text) => text.length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text)),
  )
}

/** The fields of a body that hold one of them. */
export function fieldsIn(operationId: string, body: unknown): readonly FieldName[] {
  const found = new Set<FieldName>()
  const collect = (value: unknown, pointer: string): void => {
    if (typeof value === 'string') {
      if (Object.values<string>(hostile).includes(value)) found.add(`${operationId} ${pointer}`)
    } else if (Array.isArray(value)) for (const each of value) collect(each, `${pointer}/*`)
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) {
        collect(each, `${pointer}/${name}`)
        collect(each, `${pointer}/*`)
      }
  }
  collect(body, '')
  return [...found]
}
