// The SQL of money in currencies that the books do not have: it waits for a person.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ConnectionId, Id } from '#/kernel/id.ts'
import type { EntryFact } from './fact.ts'
import type { ForeignEntry } from './movement.ts'

export type ForeignId = Id<'sepa-foreign'>

export type ForeignRow = {
  readonly id: ForeignId
  readonly connection: ConnectionId
  readonly currency: string
  readonly reference: string
  readonly credit: boolean
  /** A decimal, as the bank wrote it. */
  readonly amount: string
  readonly bookedOn: string
  readonly fact: EntryFact
  readonly createdAt: Date
}

function columns(sql: Sql | Tx) {
  return sql`id, connection, currency, reference, credit, amount, booked_on::text as "bookedOn", fact, created_at as "createdAt"`
}

/** The stored entries of these names. */
export async function selectNamed(
  tx: Sql | Tx,
  connection: ConnectionId,
  names: readonly { readonly currency: string; readonly references: readonly string[] }[],
): Promise<readonly ForeignRow[]> {
  const wanted = names.flatMap(({ currency, references }) =>
    references.map((reference) => ({ currency, reference })),
  )
  const wantedRows = rowsOf(tx, 'wanted', wanted, { currency: 'text', reference: 'text' })
  return tx<ForeignRow[]>`
    select ${columns(tx)} from sepa_foreign
     where connection = ${connection}
       and (currency, reference) in (select currency, reference
                                       from ${wantedRows})
     order by id`
}

/** Stores those of these entries that are new, and returns their number. `fact`: what the bank said of it, for a person, as JSON. */
export async function insertForeign(
  tx: Tx,
  { connection, file }: { readonly connection: ConnectionId; readonly file: Buffer },
  entries: readonly (ForeignEntry & { readonly id: ForeignId; readonly fact: string })[],
): Promise<number> {
  const { count } = await tx`
    insert into sepa_foreign (id, connection, currency, reference, credit, amount, booked_on, fact, file_sha256, created_at)
    select id, ${connection}, currency, reference, credit, amount, booked_on::date, fact::json, ${file}, clock_timestamp()
      from unnest(${list(entries.map((each) => each.id))}::uuid[], ${list(entries.map((each) => each.currency))}::text[],
                  ${list(entries.map((each) => each.reference))}::text[], ${list(entries.map((each) => each.isCredit))}::boolean[],
                  ${list(entries.map((each) => each.amount))}::text[], ${list(entries.map((each) => each.bookedOn))}::text[],
                  ${list(entries.map((each) => each.fact))}::text[])
           as new (id, currency, reference, credit, amount, booked_on, fact)
        on conflict (connection, currency, reference, credit, amount) do nothing`
  return count
}

/** The oldest that wait for a person. `after`: the last of the page before. */
export async function selectWaitingForeign(
  sql: Sql,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<readonly ForeignRow[]> {
  return sql<ForeignRow[]>`
    select ${columns(sql)} from sepa_foreign
     where decided_at is null ${after === undefined ? sql`` : sql`and id > ${after}::uuid`}
     order by id
     limit ${limit}`
}

/** Ends one once. Undefined when there is none, or it was decided before. */
export async function decideForeign(
  tx: Tx,
  id: ForeignId,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<ForeignRow | undefined> {
  const [row] = await tx<ForeignRow[]>`
    update sepa_foreign set decided_at = clock_timestamp(), decided_by = ${by}, reason = ${reason}
     where id = ${id} and decided_at is null
    returning ${columns(tx)}`
  return row
}
