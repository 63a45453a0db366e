// Arrays in PostgreSQL's text format. The driver could query each server for its array types, but it would do so on every new
// connection, and a connection that dies during that query ends the process.

import { parseJson } from '#/kernel/json.ts'

export type Element = string | number | bigint | boolean | Date | Buffer | null | undefined

/** An array as a parameter: the driver calls `toString` when it sends the statement. */
export type List = { readonly values: readonly Element[]; readonly toString: () => string }

/** The types of parameters besides the driver's own. */
export type Types = { bigint: bigint; list: List }

/** The driver's definition of a type, by numbers of pg_type. */
type DriverType = {
  readonly to: number
  readonly from: number[]
  readonly serialize: (value: unknown) => string
  readonly parse: (text: string) => unknown
}

const asItIs = (text: string): unknown => text

/** How an element is read, by the number of its array type in pg_type. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  1000: (text) => text === 't', // boolean[]
  1001: (text) => Buffer.from(text.slice(2), 'hex'), // bytea[]
  1005: Number, // smallint[]
  1007: Number, // integer[]
  1016: BigInt, // bigint[]
  1022: Number, // double precision[]
  1009: asItIs, // text[]
  1003: asItIs, // name[]
  1015: asItIs, // varchar[]
  1231: asItIs, // numeric[]
  2951: asItIs, // uuid[]
  1185: (text) => new Date(text), // timestamptz[]
  199: parseJson, // json[]
  3807: (text): unknown => JSON.parse(text), // jsonb[]
}

/** For the driver's option `types`. */
export const arrayTypes: Readonly<Record<string, DriverType>> = Object.fromEntries(
  Object.entries(readers).map(([number, read]) => [
    `array${number}`,
    {
      to: Number(number),
      from: [Number(number)],
      serialize: (value: unknown) => (Array.isArray(value) ? arrayText(value) : String(value)),
      parse: (text: string) => parseArray(text).map((each) => (each === null ? null : read(each))),
    },
  ]),
)

/** An array in text: bytea as hex, instants as ISO 8601, NULL for null and undefined. One pass, because batches have many long arrays. */
export function arrayText(values: readonly Element[]): string {
  let text = '{'
  for (const value of values) text += text === '{' ? elementText(value) : `,${elementText(value)}`
  return `${text}}`
}

function elementText(value: Element): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Date) return `"${instantText(value)}"`
  return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : String(value)
}

/** The instants of a batch are often equal, and formatting one costs ten times as much as any other element. */
let lastInstant = { ms: Number.NaN, text: '' }

function instantText(at: Date): string {
  const ms = at.getTime()
  if (ms !== lastInstant.ms) lastInstant = { ms, text: at.toISOString() }
  return lastInstant.text
}

/** JSON quotes as arrays do, and faster than our own code, except for control characters and unpaired surrogates. */
function quoted(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`
  // Outside of this range JSON writes escapes that an array does not have.
  const isPlain = !/[^\u0020-\ud7ff\ue000-\uffff]/.test(text)
  return isPlain ? JSON.stringify(text) : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Reads an array of one dimension (PostgreSQL manual, 8.15.6). */
function parseArray(text: string): readonly (string | null)[] {
  const elements: (string | null)[] = []
  const element = /"((?:[^"\\]|\\[^])*)"|([^",{}]+)/g
  for (const [, quoted, bare] of text.matchAll(element)) {
    if (quoted !== undefined) elements.push(quoted.replaceAll(/\\([^])/g, '$1'))
    else elements.push(bare === 'NULL' ? null : (bare ?? ''))
  }
  return elements
}
