// Searches a merchant's records by a value: newest first, page by page. A page costs about the same however many records there
// are, and however few of them fulfil all conditions: one index leads to candidates, and at most a fixed number of them is
// read.
import { invariant } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { list, type Fragment, type Sql } from './client.ts'
import { createdBetween, greatestId, idsWithin, leastId, type Span } from './lists.ts'

/** What an index is on, between the merchant and the id. */
export type SearchKey = {
  /** The indexed column or expression, as the index has it. */
  readonly indexed: Fragment
  /** The values to search for, as an array of the key's type. */
  readonly values: Fragment
  /** The condition of a partial index. */
  readonly where?: Fragment
}

/** Makes `select id …` of the newest candidates: rows of the table, or of one beside it, within the span. */
export type Candidates = (limit: number) => Fragment

/** The newest rows of a table with one of these values, by the index on them. */
export function byKey(
  sql: Sql,
  table: string,
  {
    merchantId,
    key,
    span,
  }: { readonly merchantId: MerchantId; readonly key: SearchKey; readonly span: Span },
): Candidates {
  const { indexed, values, where = sql`true` } = key
  const [first, end] = idsWithin(span)
  // Value and id are compared and ordered as one row, so that only this index fits the condition and the order. With `indexed =
  // value` the planner might read all of the merchant's rows by their ids instead, when its statistics do not know the value.
  return (limit) => sql`
    select found.id
      from unnest(${values}) as wanted (one) cross join lateral (
        select ${sql(table)}.id from ${sql(table)}
         where ${sql(table)}.merchant_id = ${merchantId} and ${where}
           and row (${indexed}, ${sql(table)}.id) >= row (wanted.one, ${first}::uuid)
           and row (${indexed}, ${sql(table)}.id) < row (wanted.one, ${end}::uuid)
           ${createdBetween(sql, table, span)}
         order by ${indexed} desc, ${sql(table)}.id desc
         limit ${limit}) as found
     order by found.id desc
     limit ${limit}`
}

/** Of these ids, the newest within the span. */
export function amongIds(sql: Sql, ids: readonly string[], span: Span): Candidates {
  const [first, end] = idsWithin(span)
  return (limit) => sql`
    select given.id from unnest(${list(ids)}::uuid[]) as given (id)
     where given.id >= ${first} and given.id < ${end}
     order by given.id desc
     limit ${limit}`
}

/** An index on the merchant, a text and an id, where records are found by the beginning of the text. */
export type TextIndex = {
  readonly table: string
  /** The indexed expression, in the collation C, as the index has it. */
  readonly indexed: Fragment
  /** The column of the ids after it. */
  readonly id: string
  /** The condition of a partial index. */
  readonly where: Fragment
}

/**
 * The ids of at most `limit` records whose text begins with `prefix`: texts in their order, so that the text that is the prefix itself comes
 * first, and of each text the newest. The index is read from text to text, so a text that many records have costs no more than its part of
 * the page. `prefix`: an expression in the collation C, of which no letter is a wildcard.
 */
export function byBeginning(
  sql: Sql,
  { table, indexed, id, where }: TextIndex,
  {
    merchantId,
    prefix,
    limit,
  }: { readonly merchantId: MerchantId; readonly prefix: Fragment; readonly limit: number },
): Fragment {
  const [from, column] = [sql(table), sql(`${table}.${id}`)]
  // The largest character: every text that begins with the prefix lies before it.
  const end = sql`(${prefix} || chr(1114111)) collate "C"`
  // Text and id are compared and ordered as one row, so that only this index fits the condition and the order.
  const first = (after: Fragment) => sql`
    select ${indexed} from ${from}
     where ${from}.merchant_id = ${merchantId} and ${where}
       and row (${indexed}, ${column}) ${after}
       and row (${indexed}, ${column}) < row (${end}, ${leastId}::uuid)
     order by ${indexed}, ${column}
     limit 1`
  return sql`
    with recursive beginning (one, nth) as (
      select (${first(sql`>= row (${prefix}, ${leastId}::uuid)`)}), 1
      union all
      select (${first(sql`> row (beginning.one, ${greatestId}::uuid)`)}), beginning.nth + 1
        from beginning where beginning.one is not null and beginning.nth < ${limit}
    )
    select found.id
      from beginning cross join lateral (
        select ${column} as id from ${from}
         where ${from}.merchant_id = ${merchantId} and ${where}
           and row (${indexed}, ${column}) >= row (beginning.one, ${leastId}::uuid)
           and row (${indexed}, ${column}) <= row (beginning.one, ${greatestId}::uuid)
         order by ${indexed} desc, ${column} desc
         limit ${limit}) as found
     order by beginning.nth, found.id desc
     limit ${limit}`
}

/** A filter in two forms: as candidates that lead to rows, and as a condition on each row. */
export type Lead = { readonly candidates: Candidates; readonly condition: Fragment }

/** One page out of `limit + 1` rows: the last row only shows that there are more. */
export function pageOfRows<Row extends { readonly id: string }>(
  found: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly next?: Row['id'] } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, ...(found.length > limit && last !== undefined ? { next: last.id } : {}) }
}

export type Search = {
  readonly merchantId: MerchantId
  readonly span: Span
  /** At least one. The one with the fewest candidates leads to the rows. */
  readonly leads: readonly Lead[]
  /** Further conditions that every row of the result fulfils. */
  readonly kinds: readonly Fragment[]
  readonly limit: number
}

export type SearchPage<Id extends string> = {
  readonly ids: readonly Id[]
  /** Where the search continues: only records before this one. Absent at the end. */
  readonly next?: Id
}

/**
 * So many candidates are read for one page. If few of them fulfil the conditions, the page is short and says where to continue.
 */
export const candidatesMax = 500

/** One page of the rows of the table that fulfil the conditions. */
export async function searchPage<Id extends string>(
  sql: Sql,
  table: string,
  { merchantId, span, leads, kinds, limit }: Search,
): Promise<SearchPage<Id>> {
  // With one condition alone nearly every candidate fulfils it, so no more are read than the page needs.
  const most = leads.length + kinds.length === 1 ? limit + 1 : Math.max(limit + 1, candidatesMax)
  const { candidates } = await fewest(sql, leads, most)
  // Also the condition of the index that leads: an index on hashes may lead to other values.
  const conditions = [...leads.map(({ condition }) => condition), ...kinds].map((each) => sql`and ${each}`)
  const rows = await sql<{ id: Id; fits: boolean }[]>`
    select candidate.id, (true ${conditions} ${createdBetween(sql, table, span)}) is true as fits
      from (${candidates(most)}) as candidate
      left join ${sql(table)} on ${sql(table)}.merchant_id = ${merchantId} and ${sql(table)}.id = candidate.id
     order by candidate.id desc`
  const fitting = rows.filter(({ fits }) => fits).map(({ id }) => id)
  const ids = fitting.slice(0, limit)
  const next = fitting.length > limit ? ids.at(-1) : rows.length === most ? rows.at(-1)?.id : undefined
  return { ids, ...given({ next }) }
}

/** The lead with the fewest candidates, counted up to `most`; of several that have so many, the first. */
async function fewest(sql: Sql, leads: readonly Lead[], most: number): Promise<Lead> {
  const [first] = leads
  invariant(first !== undefined, 'a search has a lead')
  if (leads.length === 1) return first
  const counts = leads.map(
    ({ candidates }, nth) => sql`
      union all select ${nth}::integer as nth, count(*)::integer as count from (${candidates(most)}) as candidate`,
  )
  const rows = await sql<{ nth: number }[]>`
    select nth from (select -1 as nth, 0 as count where false ${counts}) as counted order by count, nth limit 1`
  return leads[rows[0]?.nth ?? 0] ?? first
}
