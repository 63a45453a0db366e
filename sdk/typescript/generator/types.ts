// Schemas → types in TypeScript.
import { enumsOf, nameOf, schemasInUse, type Document, type Schema } from '../../generator/document.ts'

export type Scope = {
  readonly open: boolean
  readonly enums: ReadonlySet<string>
  /** A field that does not apply is absent: it is never written as undefined. */
  readonly exact?: boolean
  /** The type of a whole number. Default: number. */
  readonly integer?: (schema: Schema) => string
}

/** The text of `types.ts`. Throws at a schema that it cannot express. */
export function writeTypes(document: Document): string {
  const enums = enumsOf(document)
  const parts = schemasInUse(document).map(
    ({ name, schema, isOpen }) =>
      `${docOf(schema.description, '')}export type ${name} = ${typeOf(schema, { open: isOpen, enums }, '')}\n`,
  )
  return [header, ...parts].join('\n')
}

const header = `// Made by generator/types.ts from openapi.json. Do not edit: npm run sdk writes it again.

/** Of an enumeration in an answer: a later version of the service may add values. */
export type Open<T extends string> = T | (string & {})
`

/** The type of a schema in TypeScript. Names stand for themselves. */
export function typeOf(schema: Schema, scope: Scope, indent: string): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return scope.open && scope.enums.has(name) ? `Open<${name}>` : name
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'")
  const union = schema.enum?.map((value) => `'${value}'`).join(' | ')
  if (union !== undefined) return scope.open ? `Open<${union}>` : union
  if (schema.properties !== undefined || schema.type === 'object') return objectOf(schema, scope, indent)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, scope, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
      return scope.integer?.(schema) ?? 'number'
    case 'number':
      return 'number'
    case 'array': {
      const item = typeOf(schema.items ?? {}, scope, indent)
      return /^[\w.]+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`
    }
    case undefined:
      break
  }
  return 'unknown'
}

/** The choice of `oneOf: [{required: […]}, …]` between fields stays a rule of the service: the type has all of them as optional. */
function objectOf(schema: Schema, scope: Scope, indent: string): string {
  const { properties = {}, patternProperties = {} } = schema
  const additionalProperties = Object.values(patternProperties)[0] ?? schema.additionalProperties
  const required = new Set(schema.required)
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const optional = required.has(name) ? '' : '?'
    const type = typeOf(field, scope, inner)
    const orUndefined = optional === '' || scope.exact === true ? '' : ' | undefined'
    return `${docOf(field.description, inner)}${inner}readonly ${key}${optional}: ${type}${orUndefined}\n`
  })
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`
  const value =
    typeof additionalProperties === 'object' ? typeOf(additionalProperties, scope, indent) : 'unknown'
  return additionalProperties === false
    ? 'Readonly<Record<string, never>>'
    : `Readonly<Record<string, ${value}>>`
}

/** A description as a comment of one line or several. */
export function docOf(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
