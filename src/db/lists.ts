// Lists of a merchant's records, newest first. They are fast for any number of records, also when few match the filter.
import { firstIdAt, type MerchantId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { list, type Fragment, type Sql, type Tx } from './client.ts'

/** The instants of an id and of its row are read one after the other; a clock may be set in between. */
const idSlackMs = minuteMs

/** `from` is inclusive, `to` is exclusive; `before` is the cursor: only rows with a lower id. */
export type Span = { readonly from?: Date; readonly to?: Date; readonly before?: string }

/**
 * A condition on rows of a table that has `id` and `created_at`. `created_at` decides; the id starts with almost the same
 * instant, so an index on it finds the place.
 */
export function createdWithin(sql: Sql | Tx, table: string, span: Span) {
  const { from, to, before } = span
  const [first, last] = idsWithin(span)
  return sql`
    ${from === undefined ? sql`` : sql`and ${sql(table)}.id >= ${first}`}
    ${to === undefined ? sql`` : sql`and ${sql(table)}.id < ${last}`}
    ${before === undefined ? sql`` : sql`and ${sql(table)}.id < ${before}`}
    ${createdBetween(sql, table, span)}`
}

/** The part of it that decides. */
export function createdBetween(sql: Sql | Tx, table: string, { from, to }: Span) {
  return sql`
    ${from === undefined ? sql`` : sql`and ${sql(table)}.created_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and ${sql(table)}.created_at < ${to}`}`
}

/** Every row of the span has an id from the first of these on, and before the second. */
export function idsWithin({ from, to, before }: Span): readonly [first: string, end: string] {
  const first = from === undefined ? leastId : firstIdAt(addMs(from, -idSlackMs))
  const end = to === undefined ? greatestId : firstIdAt(addMs(to, idSlackMs))
  const cursor = before?.toLowerCase() ?? greatestId
  return [first, cursor < end ? cursor : end]
}

/** Before and after every id. */
export const leastId = '00000000-0000-0000-0000-000000000000'
export const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A column with the kind of a row: the value that the filter requires, if any, and all possible values. */
export type Kind = {
  readonly column: string
  /** Default: text. */
  readonly type?: 'uuid'
  readonly value: string | undefined
  readonly all: readonly string[]
}

/**
 * The ids of a merchant's newest rows with these values of the kinds, at most `limit`: `select id …`. `within`: further
 * conditions, which most rows fulfil. If a kind has a value, each matching combination of kinds is looked up separately,
 * because the planner does not know which are rare. The table must have an index on the merchant, these columns in this order,
 * and the id.
 */
export function newestIds(
  sql: Sql | Tx,
  table: string,
  filter: {
    readonly merchantId: MerchantId
    readonly kinds: readonly Kind[]
    readonly span: Span
    readonly within: Fragment
    /** Whether `within` selects only a few rows, by an index of its own: then the kinds are only compared. */
    readonly isNarrow?: boolean
    readonly limit: number
  },
) {
  const { kinds, span, limit } = filter
  const newest = (conditions: Fragment, order: Fragment) => sql`
    select ${sql(table)}.id from ${sql(table)}
     where ${sql(table)}.merchant_id = ${filter.merchantId} ${conditions} ${filter.within}
     order by ${order} ${sql(table)}.id desc
     limit ${limit}`
  const given = kinds.filter((kind) => kind.value !== undefined)
  if (filter.isNarrow === true || given.length === 0) {
    const equal = given.map((kind) => sql`and ${sql(table)}.${sql(kind.column)} = ${kind.value ?? null}`)
    return newest(sql`${[createdWithin(sql, table, span), ...equal]}`, sql``)
  }
  const columns = kinds.map(({ column }) => sql`${sql(table)}.${sql(column)},`)
  const values = kinds.map((_, nth) => sql`${sql(`kind_${nth}`)}.one,`)
  const tables = kinds.map(
    (kind, nth) => sql`
      unnest(${list(kind.value === undefined ? kind.all : [kind.value])}::${kind.type === 'uuid' ? sql`uuid[]` : sql`text[]`})
        as ${sql(`kind_${nth}`)} (one) cross join`,
  )
  const descending = kinds.map(({ column }) => sql`${sql(table)}.${sql(column)} desc,`)
  const [first, end] = idsWithin(span)
  // The kinds and the id are compared as one row and ordered as one row, so that only the index on the kinds fits this
  // condition and this order. With `kind = value` the planner leaves the kind out of the order. Then it might read the index on
  // the id alone, until it finds a kind that its statistics do not know.
  const found = newest(
    sql`
      and row (${columns} ${sql(table)}.id) >= row (${values} ${first}::uuid)
      and row (${columns} ${sql(table)}.id) < row (${values} ${end}::uuid)
      ${createdBetween(sql, table, span)}`,
    sql`${descending}`,
  )
  return sql`
    select found.id
      from ${tables} lateral (${found}) as found
     order by found.id desc
     limit ${limit}`
}
