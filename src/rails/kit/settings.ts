// What a connection is made of, described once by a schema for each of its parts: the fields that a file may have, their
// shapes, what stands for one that is left out, and what is wrong with one that does not fit. The schema reads the operator's
// file, and later what was kept of it.
import { Type as T, type Static, type TObject, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { FieldFault } from '#/kernel/error.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What is wrong with a field. `file`: how a file that stands in its place is read. Both are options of a schema. */
type FieldOptions = { readonly fault: string; readonly file?: BufferEncoding }

/** A text of this shape. */
export function shaped(shape: RegExp, fault: string, options: { readonly default?: string } = {}) {
  return T.String({ pattern: shape.source, fault, ...options })
}

/** Any text. */
export function text(options: { readonly file?: BufferEncoding } = {}) {
  return T.String({ fault: 'This is to be a text.', ...options } satisfies FieldOptions)
}

/**
 * The address of a provider. Plain HTTP would show keys to everyone on the way, and let them change what is ordered, so it is
 * for this machine alone.
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

/** Of a host in a URL. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

/** Reads the parts of a connection, and collects what is wrong with them. No fault repeats a secret. */
export type SettingsReader = {
  readonly faults: FieldFault[]
  complain(pointer: string, message: string): void
  /**
   * The fields of one part, which stands at `pointer`: those that fit, and what stands for those that were left out. A field
   * that does not fit is missing in the answer, and has a fault.
   */
  read<Part extends TObject>(part: Part, fields: Fields, pointer: string): Partial<Static<Part>>
}

export function createSettingsReader(): SettingsReader {
  const faults: FieldFault[] = []
  const complain = (pointer: string, message: string) =>
    void faults.push({ pointer, code: 'invalid', message })
  return {
    faults,
    complain,
    read<Part extends TObject>(part: Part, fields: Fields, pointer: string) {
      const read = Object.entries(part.properties).map(([name, schema]) => [
        name,
        readField(schema, fields[name], (at, message) => complain(`${pointer}/${name}${at}`, message)),
      ])
      const fitting: unknown = Object.fromEntries(read.filter(([, value]) => value !== undefined))
      return fitting as Partial<Static<Part>>
    },
  }
}

/** Whether nothing is wrong, which the compiler then takes for every field being there that has to be. */
export function isWhole<Part>(faults: readonly FieldFault[], _part: Partial<Part>): _part is Part {
  return faults.length === 0
}

/** An empty text is none: forms and templates of files leave one where nothing was said. */
function readField(schema: TSchema, given: unknown, complain: (at: string, message: string) => void): unknown {
  const { default: usual, fault = 'This does not fit.' } = schema as {
    readonly default?: unknown
    readonly fault?: string
  }
  if (given === undefined || given === null || given === '') {
    if (usual === undefined && !T.IsOptional(schema)) complain('', 'This is needed.')
    return usual
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
