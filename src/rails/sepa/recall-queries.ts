// The SQL of credits that a bank takes back.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { rowsOf } from '#/db/rows.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Credit } from './entry.ts'
import type { EntryFact } from './fact.ts'

/**
 * What identifies the credits that a debit may be about. `own`: names that only one transfer has. `shared`: names that several may
 * have; then the amount must be the same.
 */
export type CreditQuery = {
  readonly minor: bigint
  readonly currency: string
  readonly own: readonly string[]
  readonly shared: readonly string[]
}

/** A debit that matches this many credits by a name is not clear in any case. */
export const creditsMax = 50

function creditColumns(sql: Tx) {
  return sql`entry.reference, entry.part, entry.amount_minor as minor, entry.currency, entry.booked_on::text as "bookedOn",
             entry.kind, entry.fact, entry.names, entry.merchant_id as "merchantId", entry.payment_id as "paymentId",
             entry.attempt_id as "attemptId",
             (entry.amount_minor - coalesce((select sum(recall.amount_minor) from sepa_entry as recall
                                              where recall.connection = entry.connection and recall.of_reference = entry.reference
                                                and recall.of_part = entry.part), 0))::bigint as "leftMinor"`
}

function isCredit(sql: Tx) {
  return sql`entry.credit and entry.kind in ('PAID', 'UNATTRIBUTED', 'PROPOSED')`
}

/** For each of these debits, the credits of the account that it may be about; the newest first. */
export async function selectCredits(
  tx: Tx,
  connection: ConnectionId,
  debits: readonly CreditQuery[],
): Promise<readonly (readonly Credit[])[]> {
  if (debits.length === 0) return []
  const rows = await tx<(Credit & { readonly place: number })[]>`
    with wanted as (
      select place::integer as place, minor, currency, array(select json_array_elements_text(own::json)) as own,
             array(select json_array_elements_text(shared::json)) as shared
        from unnest(${list(debits.map(({ minor }) => minor))}::bigint[], ${list(debits.map(({ currency }) => currency))}::text[],
                    ${list(debits.map(({ own }) => JSON.stringify(own)))}::text[],
                    ${list(debits.map(({ shared }) => JSON.stringify(shared)))}::text[]) with ordinality
             as given (minor, currency, own, shared, place)
    )
    select wanted.place, ${creditColumns(tx)}
      from wanted
     cross join lateral (
       (select reference, part from sepa_entry as entry
         where entry.connection = ${connection} and entry.reference = any (wanted.own) and ${isCredit(tx)} limit ${creditsMax})
        union
       -- Written so that the index of names alone is used: few movements have one name.
       (select reference, part from sepa_entry as entry
         where entry.names && wanted.own and entry.connection is not distinct from ${connection} and ${isCredit(tx)} limit ${creditsMax})
        union
       (select reference, part from sepa_entry as entry
         where entry.names && wanted.shared and entry.connection is not distinct from ${connection} and ${isCredit(tx)}
           and entry.amount_minor = wanted.minor limit ${creditsMax})
     ) as found
      join sepa_entry as entry
        on entry.connection = ${connection} and entry.reference = found.reference and entry.part = found.part
       and entry.currency = wanted.currency
     order by wanted.place, entry.booked_on desc, entry.reference desc, entry.part desc`
  return debits.map((_, at) => rows.filter(({ place }) => place === at + 1))
}

/** One credit of the account, for a person who says that a debit takes it back. */
export async function selectCredit(
  tx: Tx,
  connection: ConnectionId,
  { reference, part, currency }: Pick<Credit, 'reference' | 'part' | 'currency'>,
): Promise<Credit | undefined> {
  const [row] = await tx<Credit[]>`
    select ${creditColumns(tx)} from sepa_entry as entry
     where entry.connection = ${connection} and entry.reference = ${reference} and entry.part = ${part}
       and entry.currency = ${currency} and ${isCredit(tx)}`
  return row
}

/** Ends proposals whose money the bank took back: they go to suspense as unattributed, and the recall takes them from there. */
export async function endProposals(
  tx: Tx,
  connection: ConnectionId,
  credits: readonly Pick<Credit, 'reference' | 'part'>[],
): Promise<void> {
  await tx`
    update sepa_entry as entry set kind = 'UNATTRIBUTED'
      from ${rowsOf(tx, 'wanted', credits, { reference: 'text', part: 'integer' })}
     where entry.connection = ${connection} and entry.reference = wanted.reference and entry.part = wanted.part
       and entry.kind = 'PROPOSED'`
}

export type UnclearRow = {
  readonly connection: ConnectionId
  readonly reference: string
  readonly part: number
  readonly minor: bigint
  readonly currency: Currency
  readonly bookedOn: string
  readonly fact: EntryFact
  /** The names by which it may refer to a credit. */
  readonly names: readonly string[]
}

function unclearColumns(sql: Sql | Tx) {
  return sql`connection, reference, part, amount_minor as minor, currency, booked_on::text as "bookedOn", fact, names`
}

/** The oldest debits that take back a credit which a person has to name. */
export async function selectUnclear(sql: Sql, limit: number): Promise<readonly UnclearRow[]> {
  return sql<UnclearRow[]>`
    select ${unclearColumns(sql)} from sepa_entry
     where kind = 'UNCLEAR'
     order by created_at, connection, reference, part
     limit ${limit}`
}

/** Locks the debit and returns it, if nobody has decided it yet. */
export async function lockUnclear(
  tx: Tx,
  { connection, reference, part }: Pick<UnclearRow, 'connection' | 'reference' | 'part'>,
): Promise<UnclearRow | undefined> {
  const [row] = await tx<UnclearRow[]>`
    select ${unclearColumns(tx)} from sepa_entry
     where connection = ${connection} and reference = ${reference} and part = ${part} and kind = 'UNCLEAR'
       for update`
  return row
}

/** Decides a debit: it takes back this credit, or none. */
export async function decideUnclear(
  tx: Tx,
  { connection, reference, part }: Pick<UnclearRow, 'connection' | 'reference' | 'part'>,
  of: Pick<Credit, 'reference' | 'part'> | undefined,
): Promise<void> {
  await tx`
    update sepa_entry set kind = ${of === undefined ? 'OTHER' : 'RECALL'}, of_reference = ${of?.reference ?? null},
                          of_part = ${of?.part ?? null}
     where connection = ${connection} and reference = ${reference} and part = ${part} and kind = 'UNCLEAR'`
}
