// A wrapper for every query of the driver. A query is a promise that the driver sends at the first `then`; until then it can be
// a part of another query. So callers get a proxy of the driver's object that replaces only `then`, `catch` and `finally`. They
// are not replaced on the promise itself: as soon as one promise has its own `then`, V8 gives up its fast path for `then`, and
// all promises of the process become slower.
import { parseJson } from '#/kernel/json.ts'

/** Sends the query, and calls one of the callbacks when the driver settles it. */
type Send = (onResult: (result: unknown) => void, onError: (error: unknown) => void) => void

/**
 * Returns the same query with another result: at the first `then`, `answer` is called to make the result, and it calls `send`
 * to send the query. A value that is no query, such as an identifier or a list of values, is returned unchanged.
 */
export function answeredBy<Made>(made: Made, answer: (send: Send) => Promise<unknown>): Made {
  if (!(made instanceof Promise)) return made
  let waiting: Promise<unknown> | undefined
  const answered = () => (waiting ??= answer((onResult, onError) => void made.then(onResult, onError)))
  return new Proxy(made, {
    get(query, name): unknown {
      if (name === 'then') return (...on: Parameters<typeof made.then>) => answered().then(...on)
      if (name === 'catch') return (...on: Parameters<typeof made.catch>) => answered().catch(...on)
      if (name === 'finally') return (...on: Parameters<typeof made.finally>) => answered().finally(...on)
      const member: unknown = Reflect.get(query, name, query)
      return typeof member === 'function' ? member.bind(query) : member
    },
  })
}

/** Called for each statement outside of transactions. */
export type Attendance = {
  /** Called when the statement is sent. `cut` makes it fail without an answer. Returns a function that is called at its end. */
  readonly begin: (cut: (error: Error) => void) => () => void
  readonly failed: (error: unknown) => void
}

/** The query, with holes removed from its result. */
export function mended<Made>(made: Made, { begin, failed }: Attendance): Made {
  return answeredBy(made, (send) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const end = begin(reject)
    send(
      (result) => {
        end()
        resolve(withoutHoles(result))
      },
      (error) => {
        end()
        failed(error)
        reject(error)
      },
    )
    return promise
  })
}

/**
 * Removes holes from the start of a result. When a query fails after its first rows, the driver keeps its row count, and so
 * leaves that many holes at the start of the next result on the connection.
 */
export function withoutHoles(result: unknown): unknown {
  fillHoles(result)
  return result
}

function fillHoles(result: unknown): void {
  if (!Array.isArray(result) || result.length === 0) return
  const rows: unknown[] = result
  let holes = 0
  while (holes < rows.length && !(holes in rows)) holes += 1
  if (holes > 0) rows.splice(0, holes)
  // Each of several statements in one query has a result of its own.
  if (Array.isArray(rows[0])) for (const each of rows) fillHoles(each)
}

// Arrays in PostgreSQL's text format. The driver could query each server for its array types, but it would do so on every new
// connection, and a connection that dies during that query ends the process.

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
