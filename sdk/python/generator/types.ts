// Schemas → types in Python: TypedDicts with the API's own field names, and Literals.
import {
  enumsOf,
  nameOf,
  schemasInUse,
  type Document,
  type NamedSchema,
  type Schema,
} from '../../generator/document.ts'

/** The enumerations that are open in what is written; none where a request is written. */
export type OpenEnums = ReadonlySet<string>

const header = `# Made by sdk/python/generator/types.ts from openapi.json. Do not edit: npm run sdk writes it again.
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, Union

from typing_extensions import NotRequired, TypedDict
`

/** The text of `types.py`. Literals come first and unions last, so that every alias is a value when the module is loaded. */
export function writePythonTypes(document: Document): string {
  const enums = enumsOf(document)
  const all = schemasInUse(document).filter(({ schema }) => hasFields(schema))
  const isUnion = ({ schema }: NamedSchema) => schema.type === undefined && schema.oneOf !== undefined
  const aliases = all.filter(({ schema }) => schema.enum !== undefined)
  const unions = all.filter(isUnion)
  const records = all.filter((each) => !aliases.includes(each) && !isUnion(each))
  return [
    header,
    ...aliases.map(({ name, schema }) => aliasOf(name, literalOf(schema.enum ?? []), schema)),
    ...records.map((each) => recordOf(each, each.isOpen ? enums : new Set())),
    ...unions.map(({ name, schema }) =>
      aliasOf(name, `Union[${(schema.oneOf ?? []).map(({ $ref = '' }) => nameOf($ref)).join(', ')}]`, schema),
    ),
  ].join('\n')
}

/** A body without fields is no argument of its method, so it needs no type. */
export function hasFields({ properties, additionalProperties, type }: Schema): boolean {
  return type !== 'object' || Object.keys(properties ?? {}).length > 0 || additionalProperties !== false
}

/** The type of a schema in Python. Names stand for themselves. Throws at a schema that it cannot express. */
export function pythonTypeOf(schema: Schema, open: OpenEnums): string {
  const orText = (type: string, isEnum: boolean) => (isEnum && open.size > 0 ? `${type} | str` : type)
  if (schema.$ref !== undefined) return orText(nameOf(schema.$ref), open.has(nameOf(schema.$ref)))
  if (schema.const !== undefined) return literalOf([schema.const])
  if (schema.enum !== undefined) return orText(literalOf(schema.enum), true)
  const choices = schema.anyOf ?? schema.oneOf
  switch (schema.type) {
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'array':
      return `list[${pythonTypeOf(schema.items ?? {}, open)}]`
    case 'object':
      return mapOf(schema, open)
    case undefined:
      break
  }
  return choices === undefined ? 'object' : choices.map((each) => pythonTypeOf(each, open)).join(' | ')
}

function mapOf(
  { properties = {}, patternProperties = {}, additionalProperties }: Schema,
  open: OpenEnums,
): string {
  if (Object.keys(properties).length > 0)
    throw new Error(`an object without a name: ${Object.keys(properties).join(', ')}`)
  const value = Object.values(patternProperties)[0] ?? additionalProperties
  return `Mapping[str, ${typeof value === 'object' ? pythonTypeOf(value, open) : 'object'}]`
}

function recordOf({ name, schema, isRequested, isOpen }: NamedSchema, open: OpenEnums): string {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return aliasOf(name, pythonTypeOf(schema, open), schema)
  const required = new Set(schema.required)
  const types = fields.map(([field, each]) => {
    const type = pythonTypeOf(each, open)
    if (required.has(field)) return [field, type, each] as const
    // In a request null counts as absent.
    const mayBeNone = isRequested && !isOpen && !/\bNone$/.test(type)
    return [field, `NotRequired[${type}${mayBeNone ? ' | None' : ''}]`, each] as const
  })
  if (fields.every(([field]) => isPythonName(field)))
    return [
      `\nclass ${name}(TypedDict):\n${docstring(schema.description, '    ', '\n')}`,
      ...types.map(
        ([field, type, { description }]) => `    ${field}: ${type}\n${docstring(description, '    ')}`,
      ),
    ].join('')
  // A class cannot have a field that is a word of the language.
  return [
    `\n${name} = TypedDict(\n    "${name}",\n    {\n`,
    ...types.map(
      ([field, type, { description }]) =>
        `${comment(description)}        "${field}": ${JSON.stringify(type)},\n`,
    ),
    `    },\n)\n${docstring(schema.description, '')}`,
  ].join('')
}

function aliasOf(name: string, type: string, { description }: Schema): string {
  return `${name}: TypeAlias = ${type}\n${docstring(description, '')}`
}

function literalOf(values: readonly (string | boolean)[]): string {
  const each = values.map((value) =>
    typeof value === 'string' ? JSON.stringify(value) : value ? 'True' : 'False',
  )
  return `Literal[${each.join(', ')}]`
}

function comment(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  return text
    .split('\n')
    .map((line) => `        # ${line}\n`)
    .join('')
}

/** A description as a docstring, which editors show for classes, fields and aliases alike. */
export function docstring(text: string | undefined, indent: string, after = ''): string {
  if (text === undefined || text === '') return ''
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')
  const lines = safe.split('\n').map((line, nth) => (nth === 0 || line === '' ? line : indent + line))
  return `${indent}"""${lines.join('\n')}${lines.length > 1 ? `\n${indent}` : ''}"""\n${after}`
}

/** Python's `keyword.kwlist`, without None, True and False. */
const words = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** Whether a field or an argument may have this name. */
export function isPythonName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !words.has(name)
}
