// Schemas as openapi.json has them: plain JSON, with a reference in place of each schema that has a title.
import type { TSchema } from 'typebox'
import { asideKeyword, documentedKeyword, emptyKeyword } from '#/contract/words.ts'
import { invariant } from '#/kernel/check.ts'
import { canonicalJson } from '#/kernel/json.ts'

export type Json = Readonly<Record<string, unknown>>

export type Shapes = {
  /** The schema for one place of the document. */
  of(schema: TSchema): Json
  /** Every schema with a title that `of` was called with so far, by its title. */
  named(): Json
}

/** Collects the named schemas of one document. Two different schemas of the same name are a fault in our code. */
export function collectShapes(): Shapes {
  const definitions = new Map<string, Json>()
  /** The same schema stands at many places: a problem's in every operation. */
  const shapes = new Map<TSchema, Json>()

  function of(schema: TSchema): Json {
    const shape = shapes.get(schema) ?? shapeOf(schema)
    shapes.set(schema, shape)
    return shape
  }

  function shapeOf(schema: TSchema): Json {
    const { [documentedKeyword]: documented, [emptyKeyword]: _empty, ...checked } = schema as Json
    const { title, [asideKeyword]: aside, ...rest } = { ...checked, ...(documented as Json | undefined) }
    const shape = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, partOf(key, value)]))
    if (typeof title !== 'string') return shape
    define(title, shape)
    const ref = { $ref: `#/components/schemas/${title}` }
    return aside === undefined ? ref : { ...ref, description: aside }
  }

  function partOf(key: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => partOf('', each))
    if (typeof value === 'object' && value !== null) return key === 'properties' ? fieldsOf(value) : of(value)
    return key === 'maximum' || key === 'minimum' ? exact(value) : value
  }

  /** By name: a field may be called title, or have the name of another keyword of JSON Schema. */
  function fieldsOf(value: object): Json {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, partOf('', each)]))
  }

  function define(title: string, shape: Json): void {
    const defined = definitions.get(title)
    invariant(
      defined === undefined || canonicalJson(plain(defined)) === canonicalJson(plain(shape)),
      `two schemas of the API are called ${title}`,
    )
    definitions.set(title, shape)
  }

  return {
    of,
    named: () => Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The exact bound: 2^63 − 1 is not a JavaScript number, and is written as 2^63 in the schemas. */
function exact(bound: unknown): unknown {
  if (typeof bound !== 'number' || Number.isSafeInteger(bound)) return bound
  return bound === 2 ** 63 ? 2n ** 63n - 1n : BigInt(bound)
}

function plain(shape: Json): unknown {
  return JSON.parse(
    JSON.stringify(shape, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}` : each)),
  )
}
