// The SQL of what is kept of the movements that a file reports.
import { type Sql, list } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { EntryFact } from '#/rails/sepa/fact.ts'
import type { Sought } from '#/rails/sepa/sought.ts'
import type { AccountRow } from './sepa-queries.ts'

/** A kept movement, as far as a reported one is compared with it. */
export type KeptEntry = {
  readonly reference: string
  readonly part: number
  readonly credit: boolean
  readonly minor: bigint
  readonly currency: string
  readonly bookedOn: string
  readonly kind: string
  readonly statement: number | null
  readonly fact: EntryFact
  readonly names: readonly string[]
  /** Of a movement that is or was held: the one that it is like. */
  readonly likeReference: string | null
  readonly likePart: number | null
  readonly file: Buffer
  /** The correction of its statement has it not, or it is what took that back. */
  readonly corrected: boolean
}

/**
 * The kept movements in this currency that are of one of these days, or have one of these names and amounts: more than an import would look
 * at, so that one which an import overlooks is seen.
 */
export async function selectLikely(
  sql: Sql,
  { id }: AccountRow,
  currency: string,
  sought: readonly Sought[],
): Promise<readonly KeptEntry[]> {
  if (sought.length === 0) return []
  const days = [...new Set(sought.map(({ bookedOn }) => bookedOn))]
  const amounts = [...new Set(sought.map(({ minor }) => minor))]
  const names = [...new Set(sought.flatMap(({ ids, references }) => [...ids, ...references]))]
  return sql<KeptEntry[]>`
    with likely as (
      select reference, part from sepa_entry
       where connection = ${id} and booked_on = any (${list(days)}::text[]::date[])
       union
      select reference, part from sepa_entry
       where connection = ${id} and reference = any (${list(names)}::text[]) and amount_minor = any (${list(amounts)}::bigint[])
       union
      -- Written so that the index of names alone is used.
      select reference, part from sepa_entry
       where names && ${list(names)}::text[] and connection is not distinct from ${id} and amount_minor = any (${list(amounts)}::bigint[])
    )
    select entry.reference, entry.part, entry.credit, entry.amount_minor as minor, entry.currency,
           entry.booked_on::text as "bookedOn", entry.kind, entry.statement, entry.fact, entry.names,
           entry.like_reference as "likeReference", entry.like_part as "likePart", entry.file_sha256 as file, entry.corrected
      from likely
      join sepa_entry as entry
        on entry.connection = ${id} and entry.reference = likely.reference and entry.part = likely.part
     where entry.currency = ${currency}
     order by entry.booked_on, entry.reference, entry.part`
}

export type ForeignRow = {
  readonly currency: string
  readonly reference: string
  readonly credit: boolean
  readonly amount: string
  readonly bookedOn: string
  readonly fact: EntryFact
  readonly isImported: boolean
}

function columns(sql: Sql) {
  return sql`entry.currency, entry.reference, entry.credit, entry.amount,
             entry.booked_on::text as "bookedOn", entry.fact,
             exists (select from sepa_file as file
                      where file.connection = entry.connection and file.sha256 = entry.file_sha256
                        and file.state = 'IMPORTED') as "isImported"`
}

/** What is kept under these names. */
export async function selectForeignOf(
  sql: Sql,
  { id }: AccountRow,
  names: readonly Pick<ForeignRow, 'currency' | 'reference'>[],
): Promise<readonly ForeignRow[]> {
  return sql<ForeignRow[]>`
    select ${columns(sql)}
      from ${rowsOf(sql, 'wanted', names, { currency: 'text', reference: 'text' })}
      join sepa_foreign as entry
        on entry.connection = ${id} and entry.currency = wanted.currency and entry.reference = wanted.reference`
}

/** The next page of the account's entries, by key. */
export async function selectForeignPage(
  sql: Sql,
  { id }: AccountRow,
  after: ForeignRow | undefined,
  limit: number,
): Promise<readonly ForeignRow[]> {
  const { currency = '', reference = '', credit = false, amount = '' } = after ?? {}
  return sql<ForeignRow[]>`
    select ${columns(sql)} from sepa_foreign as entry
     where entry.connection = ${id}
       and (entry.currency, entry.reference, entry.credit, entry.amount) > (${currency}, ${reference}, ${credit}, ${amount})
     order by entry.currency, entry.reference, entry.credit, entry.amount
     limit ${limit}`
}
