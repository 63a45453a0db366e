// The SQL of who a movement is: the stored ones that a reported one may be, and the names that are free.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { EntryFact } from './fact.ts'
import type { Sought } from './sought.ts'
import type { CurrencyOfAccount } from './statement-queries.ts'

/** A stored movement, as far as a reported one is compared with it. */
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
}

function columns(tx: Sql | Tx) {
  return tx`entry.reference, entry.part, entry.credit, entry.amount_minor as minor, entry.currency,
            entry.booked_on::text as "bookedOn", entry.kind, entry.statement, entry.fact, entry.names,
            entry.like_reference as "likeReference", entry.like_part as "likePart",
            entry.file_sha256 as file`
}

/** The stored movements that these may be: of one of their identifiers, with the day or the amount; or of the day and the amount. */
export async function selectCandidates(
  tx: Sql | Tx,
  { connection, currency }: CurrencyOfAccount,
  sought: readonly Sought[],
): Promise<readonly KeptEntry[]> {
  if (sought.length === 0) return []
  return tx<KeptEntry[]>`
    with wanted as (
      select day::date as day, minor, array(select json_array_elements_text(ids::json)) as ids,
             array(select json_array_elements_text(refs::json)) as refs
        from unnest(${list(sought.map((each) => each.bookedOn))}::text[], ${list(sought.map((each) => each.minor))}::bigint[],
                    ${list(sought.map((each) => JSON.stringify(each.ids)))}::text[],
                    ${list(sought.map((each) => JSON.stringify(each.references)))}::text[]) as given (day, minor, ids, refs)
    ), found as (
      select distinct each.reference, each.part
        from wanted
       cross join lateral (
         (select reference, part from sepa_entry as entry
           where entry.connection = ${connection} and entry.reference = any (wanted.refs)
             and (entry.booked_on = wanted.day or entry.amount_minor = wanted.minor))
          union
         -- Written so that the index of names alone is used.
         (select reference, part from sepa_entry as entry
           where entry.names && wanted.ids and entry.connection is not distinct from ${connection}
             and (entry.booked_on = wanted.day or entry.amount_minor = wanted.minor))
          union
         (select reference, part from sepa_entry as entry
           where entry.connection = ${connection} and entry.booked_on = wanted.day and entry.amount_minor = wanted.minor)
       ) as each
    )
    select ${columns(tx)}
      from found
      join sepa_entry as entry
        on entry.connection = ${connection} and entry.reference = found.reference and entry.part = found.part
     where entry.currency = ${currency} and not entry.corrected
     order by entry.booked_on, entry.reference, entry.part`
}

/** All movements of a statement, and those that a person decided to be one of it. */
export async function selectOfStatement(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  statement: number,
): Promise<readonly KeptEntry[]> {
  return tx<KeptEntry[]>`
    select ${columns(tx)} from sepa_entry as entry
     where entry.connection = ${connection} and entry.statement = ${statement} and entry.currency = ${currency}
       and not entry.corrected
     order by entry.booked_on, entry.reference, entry.part`
}

/** Those of these names that entries of the account have. */
export async function selectTaken(
  tx: Tx,
  connection: ConnectionId,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ reference: string }[]>`
    select distinct reference from sepa_entry
     where connection = ${connection} and reference = any (${list(references)}::text[])`
  return new Set(rows.map(({ reference }) => reference))
}

/** Adds the statement to movements that were known only from a notification, and returns what they moved. */
export async function stateEntries(
  tx: Tx,
  connection: ConnectionId,
  entries: readonly Pick<KeptEntry, 'reference' | 'part'>[],
  statement: number,
): Promise<readonly Pick<KeptEntry, 'credit' | 'minor'>[]> {
  return tx<Pick<KeptEntry, 'credit' | 'minor'>[]>`
    update sepa_entry as entry set statement = ${statement}
      from ${rowsOf(tx, 'stated', entries, { reference: 'text', part: 'integer' })}
     where entry.connection = ${connection} and entry.reference = stated.reference and entry.part = stated.part
       and entry.statement is null and entry.kind <> 'SAME'
    returning entry.credit, entry.amount_minor as minor`
}
