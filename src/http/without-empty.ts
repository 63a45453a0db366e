// Leaves out of a body what its caller sent only because a field had no value.
import type { TSchema } from 'typebox'
import { emptyKeyword } from '#/contract/words.ts'

type Shape = { readonly properties?: Readonly<Record<string, Field>> }
type Field = TSchema & Shape & { readonly [emptyKeyword]?: true }

/** The body without empty texts in the fields that say so in the schema, and without null in the objects that have such fields. */
export function withoutEmpty(schema: TSchema | undefined, body: unknown): unknown {
  const fields = fieldsOf(schema)
  if (fields === undefined || !hasMarks(fields) || typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body
  const kept = Object.entries(body as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isAbsent = value === null || (value === '' && field?.[emptyKeyword] === true)
    return isAbsent ? [] : [[name, withoutEmpty(field, value)] as const]
  })
  return Object.fromEntries(kept)
}

function fieldsOf(schema: Shape | undefined): Shape['properties'] {
  return schema?.properties
}

/** Bodies of most routes have none and are not copied. */
function hasMarks(fields: Readonly<Record<string, Field>>): boolean {
  const known = marked.get(fields)
  if (known !== undefined) return known
  const found = Object.values(fields).some(
    (field) => field[emptyKeyword] === true || hasMarks((field as Shape).properties ?? {}),
  )
  marked.set(fields, found)
  return found
}
const marked = new WeakMap<object, boolean>()
