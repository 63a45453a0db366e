// The parts of a connection, each described once by a schema: its fields, their shapes and defaults, and the faults of values
// that do not fit. The schema reads the operator's file, and later the stored connection.
import { X509Certificate } from 'node:crypto'
import { Type as T, type Static, type TObject, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Checked, FieldFault } from '#/kernel/error.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * What the schema of a field states besides its shape.
 * - `fault`: the message for a value that does not fit.
 * - `file`: how a file that is given in place of the value is read.
 * - `connectionOf`: the value is the id of a connection of this method.
 */
export type FieldOptions = {
  readonly fault?: string
  readonly file?: BufferEncoding
  readonly connectionOf?: string
}

/** A text of this shape. */
export function shaped(shape: RegExp, fault: string, options: { readonly default?: string } = {}) {
  return T.String({ pattern: shape.source, fault, ...options })
}

export function text(options: FieldOptions = {}) {
  return T.String({ fault: 'This is to be a text.', ...options })
}

/**
 * The address of a provider. Plain HTTP is allowed for this machine only: elsewhere it would expose keys on the way, and others
 * could change what we order.
 */
export function providerUrl(options: { readonly default?: string } = {}) {
  const url = T.String({ fault: 'This is to be an https:// URL.', ...options })
  return T.Refine(url, isProviderUrl)
}

function isProviderUrl(value: string): boolean {
  const url = URL.parse(value)
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && isThisMachine(url.hostname)
}

/** Certificates in PEM, or a file of them. */
export function certificate() {
  return T.Refine(T.String({ fault: 'This is no certificate in PEM.', file: 'utf8' }), isCertificate)
}

export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

type Parts = Readonly<Record<string, TObject>>

/** Adds a fault at a pointer, such as `/settings/pixKey`. */
export type Complain = (pointer: string, message: string) => void

type Read<Schemas extends Parts> = { readonly [Name in keyof Schemas]: Readonly<Static<Schemas[Name]>> }
type PartlyRead<Schemas extends Parts> = {
  readonly [Name in keyof Schemas]: Readonly<Partial<Static<Schemas[Name]>>>
}

export type ReadParts<Schemas extends Parts> = Checked<{ readonly parts: Read<Schemas> }>

/**
 * Reads each part of a connection by its schema, with the defaults of the fields that were left out. Finds all faults at once, each
 * at `/part/field`; no fault contains a secret. `more` finds faults of several fields together; the parts that it receives lack
 * each value that does not fit its schema.
 */
export function readParts<Schemas extends Parts>(
  schemas: Schemas,
  given: { readonly [Name in keyof Schemas]: Fields },
  more: (parts: PartlyRead<Schemas>, complain: Complain) => void = () => {},
): ReadParts<Schemas> {
  const faults: FieldFault[] = []
  const complain: Complain = (pointer, message) => void faults.push({ pointer, code: 'invalid', message })
  const read: Record<string, unknown> = {}
  for (const [name, { properties }] of Object.entries(schemas)) {
    const fields = Object.entries(properties).map(([field, schema]) => [
      field,
      readField(schema, given[name]?.[field], (at, message) => complain(`/${name}/${field}${at}`, message)),
    ])
    read[name] = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  more(read as PartlyRead<Schemas>, complain)
  return faults.length > 0 ? { ok: false, faults } : { ok: true, parts: read as Read<Schemas> }
}

/** An empty text counts as absent: forms and templates of files leave one where nothing was entered. */
function readField(schema: TSchema, given: unknown, complain: Complain): unknown {
  const { default: byDefault, fault = 'This does not fit.' } = schema as {
    readonly default?: unknown
    readonly fault?: string
  }
  if (given === undefined || given === null || given === '') {
    if (byDefault === undefined && !T.IsOptional(schema)) complain('', 'This is needed.')
    return byDefault
  }
  if (!T.IsArray(schema) || !Array.isArray(given)) {
    if (Value.Check(schema, given)) return given
    complain('', fault)
    return undefined
  }
  const wrong = given.flatMap((each: unknown, index) => (Value.Check(schema.items, each) ? [] : [index]))
  const { fault: faultOfItem = fault } = schema.items as { readonly fault?: string }
  for (const index of wrong) complain(`/${index}`, faultOfItem)
  if (wrong.length > 0) return undefined
  if (Value.Check(schema, given)) return given
  complain('', fault)
  return undefined
}
