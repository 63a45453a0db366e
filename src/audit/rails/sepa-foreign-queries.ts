// The SQL of the inspection of money in currencies that the books do not have.
import type { Sql } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { EntryFact } from '#/rails/sepa/fact.ts'
import type { AccountRow } from './sepa-queries.ts'

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
