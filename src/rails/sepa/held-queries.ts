// The SQL of movements that are held: each is shown beside the one that it is like, and decided once.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { EntryFact } from './fact.ts'
import type { NewEntry } from './statement-queries.ts'

export type HeldRow = {
  readonly connection: ConnectionId
  readonly reference: string
  readonly part: number
  readonly credit: boolean
  readonly minor: bigint
  readonly currency: Currency
  readonly bookedOn: string
  readonly statement: number | null
  readonly fact: EntryFact
  readonly file: Buffer
  /** The movement that it is like; null where it is like none that is stored. */
  readonly likeReference: string | null
  readonly likePart: number | null
  readonly likeCredit: boolean | null
  readonly likeMinor: bigint | null
  readonly likeBookedOn: string | null
  readonly likeStatement: number | null
  readonly likeFact: EntryFact | null
}

function columns(sql: Sql | Tx) {
  return sql`entry.connection, entry.reference, entry.part, entry.credit, entry.amount_minor as minor, entry.currency,
             entry.booked_on::text as "bookedOn", entry.statement, entry.fact, entry.file_sha256 as file,
             entry.like_reference as "likeReference", entry.like_part as "likePart", other.credit as "likeCredit",
             other.amount_minor as "likeMinor", other.booked_on::text as "likeBookedOn", other.statement as "likeStatement",
             other.fact as "likeFact"`
}

function beside(sql: Sql | Tx) {
  return sql`left join sepa_entry as other
               on other.connection = entry.connection and other.reference = entry.like_reference and other.part = entry.like_part`
}

/** Where a page goes on: the last row of the one before it, its time in microseconds, as the database keeps them. */
export type AfterHeld = Pick<HeldRow, 'connection' | 'reference' | 'part'> & { readonly atUs: string }

/** One page of the movements that are held, oldest first. */
export async function selectHeld(
  sql: Sql,
  { after, limit }: { readonly after?: AfterHeld; readonly limit: number },
): Promise<readonly (HeldRow & { readonly atUs: string; readonly createdAt: Date })[]> {
  return sql<(HeldRow & { readonly atUs: string; readonly createdAt: Date })[]>`
    select ${columns(sql)}, entry.created_at as "createdAt",
           (extract(epoch from entry.created_at) * 1000000)::bigint::text as "atUs"
      from (select * from sepa_entry
             where kind = 'HELD'
                   ${
                     after === undefined
                       ? sql``
                       : sql`and (created_at, connection, reference, part)
                             > (timestamptz 'epoch' + ${after.atUs}::bigint * interval '1 microsecond', ${after.connection},
                                ${after.reference}, ${after.part}::integer)`
                   }
             order by created_at, connection, reference, part limit ${limit}) as entry
      ${beside(sql)}
     order by entry.created_at, entry.connection, entry.reference, entry.part`
}

/** Locks the movement and returns it, if nobody has decided it yet. */
export async function lockHeld(
  tx: Tx,
  { connection, reference, part }: Pick<HeldRow, 'connection' | 'reference' | 'part'>,
): Promise<HeldRow | undefined> {
  const [row] = await tx<HeldRow[]>`
    select ${columns(tx)} from sepa_entry as entry ${beside(tx)}
     where entry.connection = ${connection} and entry.reference = ${reference} and entry.part = ${part} and entry.kind = 'HELD'
       for update of entry`
  return row
}

/** It is the movement that it is like, which gets its statement. */
export async function endAsSame(tx: Tx, row: HeldRow): Promise<void> {
  const { connection, reference, part, statement, likeReference, likePart } = row
  await tx`
    update sepa_entry set statement = ${statement}
     where connection = ${connection} and reference = ${likeReference} and part = ${likePart} and statement is null`
  await tx`
    update sepa_entry set kind = 'SAME', statement = null
     where connection = ${connection} and reference = ${reference} and part = ${part} and kind = 'HELD'`
}

/** It is another movement: how it was matched is written as if it had not been held. */
export async function endAsOther(
  tx: Tx,
  connection: ConnectionId,
  { reference, part, fact, matched, names }: NewEntry,
): Promise<void> {
  const owner = 'owner' in matched ? matched.owner : undefined
  const of = matched.kind === 'RECALL' ? matched.credit : undefined
  await tx`
    update sepa_entry
       set kind = ${matched.kind}, fact = ${fact}::text::json, names = ${list(names)}::text[],
           merchant_id = ${owner?.merchantId ?? null}, payment_id = ${owner?.paymentId ?? null},
           attempt_id = ${owner?.id ?? null}, of_reference = ${of?.reference ?? null}, of_part = ${of?.part ?? null}
     where connection = ${connection} and reference = ${reference} and part = ${part} and kind = 'HELD'`
}
