// The query of a URL. Everything in it is text, so numbers and instants are parsed here, explicitly.
import { Type as T, type TSchema } from 'typebox'
import * as patterns from '#/contract/patterns.ts'
import { currency, documented, instantIn } from '#/contract/words.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type Id } from '#/kernel/id.ts'
import { whole } from '#/kernel/schema.ts'
import { parseInstant } from '#/kernel/time.ts'
import { zoneOf } from '#/wallets/calendar.ts'

const cursor = T.Optional(
  documented(
    T.String({ minLength: 1, maxLength: 512, description: 'The `nextCursor` of the page before.' }),
    { pattern: patterns.cursor },
  ),
)
const limit = T.Optional(documented(whole(1, 100, 'Rows on a page.'), { default: 50 }))

/** Every list accepts these. */
export const paging = { limit, cursor }

export const pageSize = 50

/** The longest `wait`. */
export const waitMaxSeconds = 30

/** For lists: rows of one currency. */
export const ofCurrency = T.Optional(currency)

export const span = {
  from: instantIn('From this instant on (ISO 8601; a date alone is its midnight in UTC).'),
  to: instantIn('Until before this instant.'),
}

/** A time zone; `readZone` reads it. */
export const ofTimeZone = (description: string) =>
  T.Optional(
    documented(T.String({ minLength: 1, maxLength: 64, description, examples: ['America/Sao_Paulo'] }), {
      pattern: patterns.timeZone,
    }),
  )

/** The zone by its name in the IANA database; UTC where none is given. */
export function readZone(name = 'UTC'): string {
  const zone = zoneOf(name)
  if (zone !== undefined) return zone
  const message = 'must be a name of the IANA time zone database, such as America/Sao_Paulo'
  throw new AppError('invalid_request', `There is no time zone ${name.slice(0, 64)}.`, {
    faults: [{ pointer: '/timeZone', code: 'not_allowed', message }],
  })
}

/** A query of these fields and no others. */
export function queryOf<Fields extends Record<string, TSchema>>(fields: Fields) {
  return T.Object(fields, { additionalProperties: false })
}

/**
 * The query with its whole numbers parsed, and `name[key]=value` gathered into the object `name`. A text that is no number stays text,
 * and the schema refuses it; the schema also refuses a field that is given twice.
 */
export function readQuery(
  schema: TSchema,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields = propertiesOf(schema)
  const query = new Map<string, unknown>()
  const gathered = new Map<string, Map<string, unknown>>()
  for (const [given, value] of Object.entries(raw)) {
    const [, name = '', key = ''] = /^([^[]+)\[(.*)\]$/s.exec(given) ?? []
    if (!isOfType(fields[name], 'object'))
      query.set(given, isOfType(fields[given], 'integer') ? asInteger(value) : value)
    else gathered.set(name, (gathered.get(name) ?? new Map<string, unknown>()).set(key, value))
  }
  // When `name` itself is also in the query, its text stays, and the schema refuses it.
  for (const [name, values] of gathered) if (!query.has(name)) query.set(name, Object.fromEntries(values))
  return Object.fromEntries(query)
}

function propertiesOf(schema: TSchema): Readonly<Record<string, unknown>> {
  return 'properties' in schema ? (schema.properties as Readonly<Record<string, unknown>>) : {}
}

function isOfType(schema: unknown, type: string): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === type
}

function asInteger(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
}

/** The instants of a span. 400 when one cannot be read, or has a year that the database does not know. */
export function readSpan(query: { readonly from?: string | undefined; readonly to?: string | undefined }): {
  readonly from?: Date
  readonly to?: Date
} {
  const from = readInstant('from', query.from)
  const to = readInstant('to', query.to)
  return { ...given({ from, to }) }
}

/** The instant of one field. 400 when it cannot be read, or has a year that the database does not know. */
export function readInstant(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const at = parseInstant(text)
  const year = at?.getUTCFullYear() ?? 0
  if (year >= 1 && year <= 9_999) return at
  const fault = {
    pointer: `/${name}`,
    code: 'malformed',
    message: 'must be an instant such as 2026-11-21T02:03:04Z',
  }
  throw new AppError('invalid_request', `${name} is no instant.`, { faults: [fault] })
}

/** One page out of `limit + 1` rows: the last row only shows that there is another page. */
export function pageOf<Row extends { readonly id: string }, Shown>(
  found: readonly Row[],
  limit: number,
  recordOf: (row: Row) => Shown,
): { readonly data: readonly Shown[]; readonly nextCursor?: string } {
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const data = page.map(recordOf)
  return found.length > limit && last !== undefined ? { data, nextCursor: writeCursor([last.id]) } : { data }
}

type Asked = { readonly cursor?: string; readonly limit?: number }

type Read<Row, Last extends 'after' | 'before'> = (
  page: { readonly limit: number } & { readonly [Name in Last]?: Id<never> },
) => Promise<readonly Row[]>

/** The page that is asked for, of a list whose ids grow: it goes on after the last one. `read` reads one row more than the page has. */
export async function pageAfter<Row extends { readonly id: string }, Shown>(
  { cursor, limit = pageSize }: Asked,
  read: Read<Row, 'after'>,
  recordOf: (row: Row) => Shown,
) {
  return pageOf(await read({ limit: limit + 1, ...given({ after: readLastId(cursor) }) }), limit, recordOf)
}

/** The same of a list whose newest row is the first. */
export async function pageBefore<Row extends { readonly id: string }, Shown>(
  { cursor, limit = pageSize }: Asked,
  read: Read<Row, 'before'>,
  recordOf: (row: Row) => Shown,
) {
  return pageOf(await read({ limit: limit + 1, ...given({ before: readLastId(cursor) }) }), limit, recordOf)
}

/** An id that a caller wrote, in the small letters that the database has. */
export function lowered<Of extends string = string>(id: Of | string | undefined): Of | undefined {
  return id?.toLowerCase() as Of | undefined
}

/** One page that says itself where the list goes on. */
export function pageTo<Row, Shown>(
  { rows, next }: { readonly rows: readonly Row[]; readonly next?: string | undefined },
  recordOf: (row: Row) => Shown,
): { readonly data: readonly Shown[]; readonly nextCursor?: string } {
  const data = rows.map(recordOf)
  return next === undefined ? { data } : { data, nextCursor: writeCursor([next]) }
}

/** The position where the list goes on: opaque to callers, so that its content may change. */
export function writeCursor(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The id of the last row of the page before, where `pageOf` or `pageTo` wrote the cursor. `never`: of whatever the page lists. */
export function readLastId(cursor: string | undefined): Id<never> | undefined {
  return cursor === undefined ? undefined : (readCursor(cursor, isUuid)[0] as Id<never>)
}

/** The parts that `writeCursor` was called with, if each is valid. 400 when the cursor is not one of ours. */
export function readCursor(
  text: string,
  ...checks: readonly ((part: string) => boolean)[]
): readonly string[] {
  const parts = partsOf(text)
  if (parts.length === checks.length && checks.every((check, index) => check(parts[index] ?? '')))
    return parts
  throw unknownCursor()
}

export function unknownCursor(): AppError {
  const fault = {
    pointer: '/cursor',
    code: 'malformed',
    message: 'must be the nextCursor of a page of this list',
  }
  return new AppError('invalid_request', 'This cursor is not one of ours.', { faults: [fault] })
}

function partsOf(text: string): readonly string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : []
  } catch {
    return []
  }
}
