// Lists of a merchant's records, newest first. They are fast for any number of records, also when few match the filter.
import { firstIdAt, type MerchantId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { list, type Sql, type Tx } from './client.ts'

/** The instants of an id and of its row are read one after the other; a clock may be set in between. */
const idSlackMs = minuteMs

/** `from` is inclusive, `to` is exclusive. */
export type Span = { readonly from?: Date; readonly to?: Date }

/**
 * A condition on rows of a table that has `id` and `created_at`. `created_at` decides; the id starts with almost the same
 * instant, so an index on it finds the place.
 */
export function createdWithin(sql: Sql | Tx, table: string, { from, to }: Span) {
  const first = from && firstIdAt(addMs(from, -idSlackMs))
  const end = to && firstIdAt(addMs(to, idSlackMs))
  return sql`
    ${from === undefined ? sql`` : sql`and ${sql(table)}.created_at >= ${from} and ${sql(table)}.id >= ${first ?? null}`}
    ${to === undefined ? sql`` : sql`and ${sql(table)}.created_at < ${to} and ${sql(table)}.id < ${end ?? null}`}`
}

/** A column with the kind of a row: the wanted value, if any, and all possible values. */
export type Kind = {
  readonly column: string
  readonly wanted: string | undefined
  readonly all: readonly string[]
}

/**
 * The ids of a merchant's newest rows of the wanted kinds, at most `limit`: `select id …`. `within`: further conditions, which
 * most rows fulfil. If a kind is wanted, each matching combination of kinds is looked up separately, because the planner does
 * not know which are rare. The table must have an index on the merchant, these columns in this order, and the id.
 */
export function newestIds(
  sql: Sql | Tx,
  table: string,
  filter: {
    readonly merchantId: MerchantId
    readonly kinds: readonly Kind[]
    readonly within: ReturnType<typeof createdWithin>
    /** Whether `within` selects only a few rows, by an index of its own: then the kinds are only compared. */
    readonly isNarrow?: boolean
    readonly limit: number
  },
) {
  const { merchantId, within, limit, isNarrow } = filter
  const kinds = filter.kinds.filter(({ wanted }) => isNarrow !== true || wanted !== undefined)
  const columns = kinds.map(({ column }) => sql`${sql(table)}.${sql(column)}`)
  const values = kinds.map(({ wanted }) => wanted ?? null)
  const newest = (conditions: Fragment, order: Fragment) => sql`
    select ${sql(table)}.id from ${sql(table)}
     where ${sql(table)}.merchant_id = ${merchantId} ${conditions} ${within}
     order by ${order} ${sql(table)}.id desc
     limit ${limit}`
  const none = sql``
  const all = (each: (column: Fragment, nth: number) => Fragment) =>
    columns.reduce((before, column, nth) => sql`${before} ${each(column, nth)}`, none)
  if (isNarrow === true)
    return newest(
      all((column, nth) => sql`and ${column} = ${values[nth] ?? null}`),
      none,
    )
  if (kinds.every(({ wanted }) => wanted === undefined)) return newest(none, none)
  const one = (nth: number) => sql`${sql(`kind_${nth}`)}.one`
  const kindsOf = ({ wanted, all: known }: Kind) => list(wanted === undefined ? known : [wanted])
  const tables = kinds.reduce(
    (before, kind, nth) =>
      sql`${before} unnest(${kindsOf(kind)}::text[]) as ${sql(`kind_${nth}`)} (one) cross join`,
    none,
  )
  // Also ordered by the kinds, which have one value each, so that only the index on the kinds gives this order.
  const found = newest(
    all((column, nth) => sql`and ${column} = ${one(nth)}`),
    all((column) => sql`${column} desc,`),
  )
  return sql`
    select found.id
      from ${tables} lateral (${found}) as found
     order by found.id desc
     limit ${limit}`
}

type Fragment = ReturnType<typeof createdWithin>
