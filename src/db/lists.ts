// Lists of what a merchant made, newest first, however much there is and however rare what is asked for.
import { firstIdAt, type MerchantId } from '#/kernel/id.ts'
import { addMs, minuteMs } from '#/kernel/time.ts'
import { list, type Sql, type Tx } from './client.ts'

/** The instant of an id and the one of its row are read one after the other; between them a clock may be set. */
const idSlackMs = minuteMs

/** `from` is inclusive, `to` is exclusive. */
export type Span = { readonly from?: Date; readonly to?: Date }

/**
 * A condition on rows of a table that has `id` and `created_at`. The instant decides; the id, which begins with almost the
 * same one, lets an index find the place.
 */
export function createdWithin(sql: Sql | Tx, table: string, { from, to }: Span) {
  const first = from && firstIdAt(addMs(from, -idSlackMs))
  const end = to && firstIdAt(addMs(to, idSlackMs))
  return sql`
    ${from === undefined ? sql`` : sql`and ${sql(table)}.created_at >= ${from} and ${sql(table)}.id >= ${first ?? null}`}
    ${to === undefined ? sql`` : sql`and ${sql(table)}.created_at < ${to} and ${sql(table)}.id < ${end ?? null}`}`
}

/** A column that says of which kind a row is: what is wanted of it, if anything, and every kind that there is. */
export type Kind = {
  readonly column: string
  readonly wanted: string | undefined
  readonly all: readonly string[]
}

/**
 * The ids of a merchant's newest rows of the wanted kinds, `limit` at most: `select id …`. `within`: more conditions, which
 * do not leave out much. Where a kind is wanted, each combination of kinds that fits is looked up by itself, because the
 * planner does not know which are rare: the table has an index of the merchant, these columns in this order, and the id.
 */
export function newestIds(
  sql: Sql | Tx,
  table: string,
  wish: {
    readonly merchantId: MerchantId
    readonly kinds: readonly Kind[]
    readonly within: ReturnType<typeof createdWithin>
    /** Whether `within` leaves only a few rows, by an index of its own: then the kinds are only compared. */
    readonly isNarrow?: boolean
    readonly limit: number
  },
) {
  const { merchantId, within, limit, isNarrow } = wish
  const kinds = wish.kinds.filter(({ wanted }) => isNarrow !== true || wanted !== undefined)
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
  // Ordered by the kinds too, which have one value each: so no other index than theirs gives this order.
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
