// Values generated from the API's own schemas: those that fit, and changes of them that do not.
import type { TSchema } from 'typebox'
import { anyCharacter } from '../any-character.ts'
import { fc } from '../chance.ts'
import { fits } from './document.ts'

export type Json = Readonly<Record<string, unknown>>

/** One for all: each arbitrary of graphemes makes a table of all of them. */
const grapheme = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })

const start = fc.constantFrom('2026-11-21', '2026-11-21T00:00:00Z', '2026-04-31', '2023-02-29')
const end = fc.constantFrom('2026-11-22', '2030-01-01T00:00:00.000Z', '2030-02-30T00:00:00Z', 'tomorrow')
const webhookUrl = fc.constantFrom(
  'https://shop.example.com/hook?x=1',
  'https://a-1.pay.shop.example.com:8443/in/hook?x=1&y=%20',
  'http://127.0.0.1:9/',
  'https://[::1]/',
)

/** Values of fields that a schema cannot describe, by the name of the field. */
const special: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  currency: fc.constantFrom('USDT', 'USD', 'BRL', 'EUR', 'XYZ'),
  customerEmail: fc.constantFrom('ana@example.com', 'a@b'),
  webhookUrl,
  url: webhookUrl,
  metadata: fc.dictionary(cleanText(20), fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }).map(clean), {
    maxKeys: 5,
  }),
  cursor: fc.constantFrom('WyJhIl0', 'x'),
  // No call of a test waits for long.
  wait: fc.constantFrom(-1, 0, 1, 31),
  from: start,
  since: start,
  to: end,
  until: end,
  at: fc.constantFrom('2026-11-21', '2030-01-01T00:00:00.000Z', '0001-01-01'),
  timeZone: fc.constantFrom('America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Apia', 'Mars/Base'),
}

function cleanText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: grapheme, maxLength }).map((text) => String(clean(text)))
}

/** Without characters that no JSON body may hold here. */
function clean(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll('\0', '').toWellFormed().replaceAll('__proto__', 'proto')
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [String(clean(key)), clean(each)]))
}

/** Values that fit the schema, field by field: what `if` and `not` say about several fields is left to a filter. */
export function fitting(schema: TSchema, name = ''): fc.Arbitrary<unknown> {
  const specialValues = special[name]
  const json = schema as Json
  if (typeof json['pattern'] === 'string') return matching(json, specialValues)
  const texts = json['additionalProperties'] as Json | undefined
  if (json['type'] === 'object' && texts?.['type'] === 'string') return fittingTexts(json)
  if (specialValues !== undefined) return specialValues
  if ('const' in json) return fc.constant(json['const'])
  if (Array.isArray(json['enum'])) return fc.constantFrom(...(json['enum'] as readonly unknown[]))
  switch (json['type']) {
    case 'object':
      return fittingObject(json)
    case 'array': {
      const wanted = json['contains'] as Json | undefined
      if (wanted !== undefined && 'const' in wanted) return fc.constant([wanted['const']])
      return fc.uniqueArray(fittingItem(json['items'] as TSchema), {
        minLength: Number(json['minItems'] ?? 0),
        maxLength: Math.min(Number(json['maxItems'] ?? 5), 5),
      })
    }
    case 'integer':
      return fc.integer({ min: Number(json['minimum']), max: Number(json['maximum']) })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return json['format'] === 'uuid' ? fc.uuid() : textOf(json)
    default:
      return fc.constant(null)
  }
}

/** Nearly all fit the whole schema: otherwise hardly any list of them would. */
function fittingItem(schema: TSchema): fc.Arbitrary<unknown> {
  const items = fc.oneof(...waysThrough(schema).map((way) => fitting(way)))
  return fc.oneof(
    { arbitrary: items.filter((item) => fits(schema, item)), weight: 15 },
    { arbitrary: items, weight: 1 },
  )
}

/**
 * The schemas that result when each `if` is replaced by one of its branches: one schema for each combination. A value of such a schema
 * mostly fits the original schema. For schemas of objects whose conditions concern their own fields.
 */
export function waysThrough(schema: TSchema): readonly TSchema[] {
  const { if: condition, then, else: otherwise, ...rest } = { ...schema } as Json
  if (condition === undefined) return [schema]
  const met = joined(joined(rest, condition as Json), (then ?? {}) as Json)
  const unmet = joined(remaining(rest, condition as Json), (otherwise ?? {}) as Json)
  const ways = isPossible(unmet) ? [met, unmet] : [met]
  return ways.flatMap((way) => waysThrough(way as TSchema))
}

/** Both schemas of one object at once. */
function joined(one: Json, other: Json): Json {
  const fields = fieldsOf(one)
  for (const [name, json] of Object.entries(fieldsOf(other))) fields[name] = { ...fields[name], ...json }
  const required = [one['required'], other['required']].flatMap((each) => (each ?? []) as readonly string[])
  const nots = [one['not'], other['not']].filter((each) => each !== undefined)
  return {
    ...one,
    ...other,
    properties: fields,
    required: [...new Set(required)],
    ...(nots.length === 2 ? { not: { anyOf: nots } } : {}),
  }
}

/** The schema of an object without those values of its enumerations that the condition names. */
function remaining(schema: Json, condition: Json): Json {
  const fields = fieldsOf(schema)
  for (const [name, json] of Object.entries(fieldsOf(condition))) {
    const values = fields[name]?.['enum']
    if (Array.isArray(values))
      fields[name] = { ...fields[name], enum: values.filter((value) => value !== json['const']) }
  }
  return { ...schema, properties: fields }
}

function isPossible(schema: Json): boolean {
  return Object.values(fieldsOf(schema)).every(
    ({ enum: values }) => !Array.isArray(values) || values.length > 0,
  )
}

function fieldsOf(schema: Json): Record<string, Json> {
  return { ...(schema['properties'] as Readonly<Record<string, Json>> | undefined) }
}

/**
 * Texts that match the pattern, within the bounds of its length, and special values of the field. A text that is not a URI, such as a text
 * with ] in its query, is left out: we and browsers accept it, but the document does not allow clients to send it.
 */
function matching(json: Json, specialValues: fc.Arbitrary<unknown> | undefined): fc.Arbitrary<unknown> {
  const pattern = new RegExp(String(json['pattern']))
  const [min, max] = [Number(json['minLength'] ?? 0), Number(json['maxLength'] ?? Infinity)]
  const texts = textsMatching(pattern)
    .map((text) => (text.length > 60 ? text : String(clean(text))))
    .filter((text) => text.length >= min && Array.from(text).length <= max && pattern.test(text))
    .filter((text) => json['format'] !== 'uri' || fits(json, text))
  return specialValues === undefined ? texts : fc.oneof(texts, specialValues)
}

const byPattern = new Map<string, fc.Arbitrary<string>>()

/** A longer pattern, such as that of a URL, repeats what repeats: its texts would take seconds each if both were often. */
const longPattern = 60

/** One for each pattern: a class of characters that is not in a pattern makes a table of all others. */
function textsMatching(pattern: RegExp): fc.Arbitrary<string> {
  const size = pattern.source.length > longPattern ? 'xsmall' : 'small'
  const texts = byPattern.get(pattern.source) ?? fc.stringMatching(pattern, { size })
  byPattern.set(pattern.source, texts)
  return texts
}

function textOf(json: Json): fc.Arbitrary<string> {
  const min = Number(json['minLength'] ?? 0)
  const max = Number(json['maxLength'] ?? 50)
  return cleanText(Math.min(max, 60)).map((text) =>
    Array.from(text).length < min ? 'x'.repeat(min) : Array.from(text).slice(0, max).join(''),
  )
}

/** An object of texts by any name, as a query has it. */
function fittingTexts(json: Json): fc.Arbitrary<unknown> {
  const name = textOf((json['propertyNames'] ?? {}) as Json)
  return fc.dictionary(name, cleanText(20), { maxKeys: Number(json['maxProperties'] ?? 5) })
}

/** The text of a query: a field that is an object is written as `name[key]=value`. */
export function searchOf(fields: Json): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)])
      : [[name, String(value)]],
  )
  return new URLSearchParams(pairs).toString()
}

function fittingObject(json: Json): fc.Arbitrary<Json> {
  const forbidden = forbiddenBy(json['not'])
  const properties = Object.entries((json['properties'] ?? {}) as Readonly<Record<string, TSchema>>).filter(
    ([name]) => !forbidden.includes(name),
  )
  const required = (json['required'] ?? []) as readonly string[]
  const fields = Object.fromEntries(properties.map(([name, schema]) => [name, fitting(schema, name)]))
  return fc.record(fields, { requiredKeys: [...required] }).map((value) => ({ ...value }))
}

/** The fields that must not be there: of `not` with `required`, or with any of several. */
function forbiddenBy(not: unknown): readonly string[] {
  const { required, anyOf } = (not ?? {}) as {
    readonly required?: readonly string[]
    readonly anyOf?: readonly unknown[]
  }
  if (anyOf !== undefined) return anyOf.flatMap(forbiddenBy)
  return required?.length === 1 ? required : []
}

/** A value that fits, changed in one place so that it does not: as the text to send. */
export function unfitting(schema: TSchema): fc.Arbitrary<string> {
  const json = schema as Json
  const names = Object.keys(json['properties'] ?? {})
  const required = (json['required'] ?? []) as readonly string[]
  const changes = [
    ...required.map((name) => fc.constant(without(name))),
    ...names.map((name) =>
      wrongValues(((json['properties'] ?? {}) as Readonly<Record<string, TSchema>>)[name])
        // For an optional field null means absent.
        .filter((text) => text !== 'null' || required.includes(name))
        .map((text) => withText(name, text)),
    ),
    fc
      .string({ minLength: 1 })
      .filter((name) => !names.includes(name))
      .map((name) => withText(name, '1')),
    fc.constantFrom('[]', 'null', '1', '"x"', '{', '', '[{}]').map((text) => () => text),
  ]
  return fc.tuple(fitting(schema), fc.oneof(...changes)).map(([value, change]) => change(value as Json))
}

type Change = (value: Json) => string

function without(name: string): Change {
  return (value) =>
    JSON.stringify(Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)))
}

/** The value with a field of this very text. */
function withText(name: string, text: string): Change {
  return (value) => {
    const rest = Object.entries(value).filter(([each]) => each !== name)
    const members = [
      ...rest.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`),
      `${JSON.stringify(name)}:${text}`,
    ]
    return `{${members.join(',')}}`
  }
}

/** Texts of JSON values that do not fit the schema. */
function wrongValues(schema: TSchema | undefined): fc.Arbitrary<string> {
  const json = (schema ?? {}) as Json
  const unclean = [
    '"\\u0000"',
    '"\\ud800"',
    '{"__proto__":1}',
    '{"a":"\\udfff"}',
    `${'['.repeat(50)}${']'.repeat(50)}`,
  ]
  const wrong = {
    integer: ['"1"', '1.5', '-1', '0', '1e400', 'true', 'null', '[]', '{}', '9007199254740992', '1e-3'],
    string: ['1', 'null', 'true', '[]', '{}', `"${'x'.repeat(3_000)}"`, '""'],
    array: ['"x"', 'null', '{}', '[1]', '["NOPE"]', '[null]', '[]', '["CRYPTO","CRYPTO"]'],
    boolean: ['0', '"true"', 'null', '[]', '{}'],
    object: ['1', '"x"', 'null', '[]', `{"a":"${'x'.repeat(9_000)}"}`],
  } as const
  const type = String(json['type']) as keyof typeof wrong
  const texts = Array.isArray(json['enum']) ? ['"NOPE"', '1', 'null', '""'] : wrong[type]
  // An empty text fits where the schema has no lower bound and its pattern none either.
  const pattern = typeof json['pattern'] === 'string' ? json['pattern'] : ''
  const mayBeEmpty = type === 'string' && Number(json['minLength'] ?? 0) === 0 && new RegExp(pattern).test('')
  return fc.constantFrom(...texts.filter((text) => text !== '""' || !mayBeEmpty), ...unclean)
}
