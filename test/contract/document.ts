// Reads the committed openapi.json and checks whether an answer fits it. The validator is another one than the server's, so that they
// do not share a mistake.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Schema from 'typebox/schema'
import type { Answer } from './world.ts'

type Json = Readonly<Record<string, unknown>>

/** As it is committed, to the byte. */
export const text = readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8')

export const document = JSON.parse(text) as Json

/** What is at the path. It goes on behind a reference, unless the path itself asks for `$ref`. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((each, name) => {
    if (typeof each !== 'object' || each === null) return undefined
    const found = (each as Json)[name]
    const ref = (each as Json)['$ref']
    return found === undefined && typeof ref === 'string'
      ? at(document, ...ref.split('/').slice(1), name)
      : found
  }, value)
}

const compiled = new Map<unknown, ReturnType<typeof Schema.Compile>>()

/** Whether the value fits the schema of the document. */
export function fits(schema: object, value: unknown): boolean {
  return validatorOf(schema).Check(value)
}

function validatorOf(schema: object): ReturnType<typeof Schema.Compile> {
  const validator =
    compiled.get(schema) ??
    Schema.Compile({ ...schema, components: document['components'] } as Schema.XSchema)
  compiled.set(schema, validator)
  return validator
}

/** Fails unless the value fits the schema of the document. */
export function assertFits(schema: unknown, value: unknown, where: string): void {
  assert.ok(typeof schema === 'object' && schema !== null, `${where} has no schema`)
  const validator = validatorOf(schema)
  if (validator.Check(value)) return
  const [, errors] = validator.Errors(value)
  const faults = errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  assert.fail(`${where}: ${faults} in ${JSON.stringify(value).slice(0, 1_000)}`)
}

/** Fails unless the document has this answer for the operation: the status, the media type, and the body's schema. */
export function assertDocumented(method: string, path: string, answer: Answer): void {
  const where = `${method} ${path} ${answer.status}`
  const response = at(document, 'paths', path, method.toLowerCase(), 'responses', String(answer.status))
  assert.ok(response !== undefined, `${where} is not in openapi.json: ${answer.text.slice(0, 300)}`)
  const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
  const content = at(response, 'content', type)
  assert.ok(content !== undefined, `${where} is not described as ${type}`)
  const isJson = type.endsWith('json')
  assertFits(at(content, 'schema'), isJson ? answer.body : answer.text, where)
  if (answer.status < 400) return
  const codes = Object.keys(at(content, 'examples') as Json)
  assert.ok(
    codes.includes(String(answer.body['code'])),
    `${where} does not name the code ${String(answer.body['code'])}`,
  )
}
