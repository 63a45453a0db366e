// The SQL of the inspections of bank files: accounts, files, statements and movements, and what the books have of each movement.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'

/** An account at a bank, as its connection names it. */
export type AccountRow = { readonly id: ConnectionId; readonly mode: string; readonly iban: string | null }

export async function selectAccounts(sql: Sql): Promise<readonly AccountRow[]> {
  return sql<AccountRow[]>`
    select id, mode, settings ->> 'iban' as iban from connection where method = 'SEPA_TRANSFER' order by id`
}

export type FileRow = {
  readonly sha256: Buffer
  readonly message: string
  readonly name: string
  readonly state: string
  readonly about: string | null
  /** Whether it was imported by a program that keeps what is in other currencies than EUR. */
  readonly allCurrencies: boolean
}

/** The next page of an account's files, by key, without their bytes. */
export async function selectFiles(
  sql: Sql,
  { id }: AccountRow,
  after: FileRow | undefined,
  limit: number,
): Promise<readonly FileRow[]> {
  return sql<FileRow[]>`
    select sha256, message, name, state, about, all_currencies as "allCurrencies"
      from sepa_file
     where connection = ${id} and sha256 > ${after?.sha256 ?? Buffer.alloc(0)}
     order by sha256
     limit ${limit}`
}

/** One file. It may have some megabytes. */
export async function selectFileBytes(
  sql: Sql,
  { id }: AccountRow,
  sha256: Buffer,
): Promise<(Pick<FileRow, 'state' | 'allCurrencies'> & { readonly bytes: Buffer }) | undefined> {
  const [row] = await sql<(Pick<FileRow, 'state' | 'allCurrencies'> & { bytes: Buffer })[]>`
    select state, bytes, all_currencies as "allCurrencies" from sepa_file where connection = ${id} and sha256 = ${sha256}`
  return row
}

export type StatementRow = {
  readonly number: number
  readonly currency: string
  readonly bankId: string
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  readonly closedOn: string
  readonly file: Buffer
}

function statementColumns(sql: Sql) {
  return sql`number, currency, bank_id as "bankId", opening_minor as "openingMinor", closing_minor as "closingMinor",
             closed_on::text as "closedOn", file_sha256 as file`
}

/** The next page of an account's statements, in their order. */
export async function selectStatements(
  sql: Sql,
  { id }: AccountRow,
  after: StatementRow | undefined,
  limit: number,
): Promise<readonly StatementRow[]> {
  return sql<StatementRow[]>`
    select ${statementColumns(sql)} from sepa_statement
     where connection = ${id} and number > ${after?.number ?? 0}
     order by number
     limit ${limit}`
}

/** The statement in this currency that the bank calls this. */
export async function selectStatementOf(
  sql: Sql,
  { id }: AccountRow,
  { id: bankId, currency }: { readonly id: string; readonly currency: string },
): Promise<StatementRow | undefined> {
  const [row] = await sql<StatementRow[]>`
    select ${statementColumns(sql)} from sepa_statement
     where connection = ${id} and currency = ${currency} and bank_id = ${bankId}`
  return row
}

export type MovementRow = {
  readonly reference: string
  readonly part: number
  readonly credit: boolean
  readonly minor: bigint
  readonly currency: string
  readonly bookedOn: string
  readonly statement: number | null
  readonly file: Buffer
  /** A person has decided that it is another movement, or has still to decide whether one of a statement is it. */
  readonly isAnswered: boolean
  /** The correction of its statement has it not, or it is what took that back. */
  readonly corrected: boolean
}

function movementColumns(sql: Sql) {
  return sql`reference, part, credit, amount_minor as minor, currency, booked_on::text as "bookedOn", statement,
             file_sha256 as file, corrected,
             kind = 'SAME' or exists (select from sepa_entry as held
                                       where held.connection = entry.connection and held.like_reference = entry.reference
                                         and held.like_part = entry.part and held.kind = 'HELD'
                                         and held.statement is not null) as "isAnswered"`
}

/** The next page of the movements of a statement, by key. */
export async function selectStated(
  sql: Sql,
  { id }: AccountRow,
  { number }: Pick<StatementRow, 'number'>,
  after: MovementRow | undefined,
  limit: number,
): Promise<readonly MovementRow[]> {
  return sql<MovementRow[]>`
    select ${movementColumns(sql)} from sepa_entry as entry
     where connection = ${id} and statement = ${number}
       and (reference, part) > (${after?.reference ?? ''}, ${after?.part ?? -1})
     order by reference, part
     limit ${limit}`
}

/** The next page of movements that no statement has. */
export async function selectUnstated(
  sql: Sql,
  { id }: AccountRow,
  after: MovementRow | undefined,
  limit: number,
): Promise<readonly MovementRow[]> {
  const { currency = '', bookedOn = '-infinity', reference = '', part = -1 } = after ?? {}
  return sql<MovementRow[]>`
    select ${movementColumns(sql)} from sepa_entry as entry
     where connection = ${id} and statement is null
       and (currency, booked_on, reference, part) > (${currency}, ${bookedOn}::text::date, ${reference}, ${part})
     order by currency, booked_on, reference, part
     limit ${limit}`
}

/** A movement beside what the books have of it. */
export type BookedRow = {
  readonly reference: string
  readonly part: number
  readonly credit: boolean
  readonly minor: bigint
  readonly currency: string
  readonly kind: string
  readonly attemptId: string | null
  readonly endToEndId: string | null
  /** Whether its file was imported. */
  readonly isImported: boolean
  /** The attempt of the reference that it quotes. */
  readonly quotedAttempt: string | null
  /** Its receipt, and its row in suspense. */
  readonly countedFor: string | null
  readonly countedMinor: bigint | null
  readonly suspendedMinor: bigint | null
  readonly bookedCurrency: string | null
  /** The payout of ours that it names. */
  readonly payoutState: string | null
  /** The movement that it is like, signed. */
  readonly likeMinor: bigint | null
  /** The credit that it takes back, and all that was taken back of that. */
  readonly ofMinor: bigint | null
  readonly ofKind: string | null
  readonly ofCurrency: string | null
  readonly recalledMinor: bigint | null
  /** The names of that credit: by this row, and by what was settled. */
  readonly ofRef: string | null
  readonly settledRef: string | null
  /** What the account of the provider has because of it, up to the cut. */
  readonly heldMinor: bigint
}

/**
 * The name of a movement. A bank's own name that ends like the name of a part gets its part too, so that no two movements have
 * one name. As in rails/sepa/receipts.ts.
 */
function nameOf(sql: Sql | Tx, table: string) {
  const row = sql(table)
  return sql`case when ${row}.part = 0 and ${row}.reference !~ '/[0-9]{1,6}$' then ${row}.reference
                  else ${row}.reference || '/' || ${row}.part end`
}

/** The name of the account that has the money of a movement: one for each currency. */
function heldName(tx: Tx) {
  return tx`'provider:' || entry.connection || ':' || entry.currency`
}

/** The sum that a subject moved on that account, up to a transfer; `of`: the name of the subject's column. */
function movedOf(tx: Tx, of: string, { upTo }: { readonly upTo: bigint }) {
  return tx`
    (select sum(case when transfer.debit = held.id then transfer.minor else -transfer.minor end)
       from transfer
       join account as held on held.mode = connection.mode and held.name = ${heldName(tx)}
                           and held.id in (transfer.debit, transfer.credit)
      where transfer.subject = ${tx(of)} and transfer.number <= ${upTo})`
}

/** The next page of an account's movements, by key, each with what was settled for it, all at one instant. */
export async function selectBooked(
  tx: Tx,
  { id }: AccountRow,
  range: {
    readonly after: Pick<BookedRow, 'reference' | 'part'> | undefined
    readonly upTo: bigint
    readonly limit: number
  },
): Promise<readonly BookedRow[]> {
  const { reference = '', part = -1 } = range.after ?? {}
  return tx<BookedRow[]>`
    select entry.reference, entry.part, entry.credit, entry.amount_minor as minor, entry.currency, entry.kind,
           entry.attempt_id as "attemptId", entry.fact ->> 'endToEndId' as "endToEndId",
           coalesce(file.state = 'IMPORTED', false) as "isImported", owner.attempt_id as "quotedAttempt",
           receipt.attempt_id as "countedFor", receipt.booked_minor as "countedMinor",
           unmatched.amount_minor as "suspendedMinor",
           case when entry.fact ->> 'ofFile' is null then payout.state else
             (select case when bool_and(each.state = 'DONE') and sum(each.amount_minor) = entry.amount_minor then 'DONE'
                          else 'not all of its sum' end
                from sepa_payout as each where each.reference = any (entry.names) and each.connection = entry.connection) end
           as "payoutState",
           credit.amount_minor as "ofMinor", credit.kind as "ofKind", credit.currency as "ofCurrency",
           coalesce(receipt.currency, unmatched.currency) as "bookedCurrency",
           case when other.credit then other.amount_minor else -other.amount_minor end as "likeMinor",
           (select sum(recall.amount_minor)::bigint from sepa_entry as recall
             where recall.connection = entry.connection and recall.of_reference = entry.of_reference
               and recall.of_part = entry.of_part) as "recalledMinor",
           ${nameOf(tx, 'credit')} as "ofRef", coalesce(dispute.paid_ref, lost.about_ref) as "settledRef",
           (coalesce((select sum(transfer.minor)
                        from transfer join account as held on held.id = transfer.debit
                       where transfer.subject = receipt.payment_id and transfer.number <= ${range.upTo}
                         and split_part(transfer.step, '.', 1) = receipt.ordinal::text
                         and held.mode = connection.mode and held.name = ${heldName(tx)}), 0)
            + coalesce(${movedOf(tx, 'unmatched.id', range)}, 0)
            + coalesce(${movedOf(tx, 'dispute.id', range)}, 0))::bigint as "heldMinor"
      from (select entry.*, ${nameOf(tx, 'entry')} as name from sepa_entry as entry
             where entry.connection = ${id} and (entry.reference, entry.part) > (${reference}, ${part})
             order by entry.reference, entry.part limit ${range.limit}) as entry
      join connection on connection.id = entry.connection
      left join sepa_file as file on file.connection = entry.connection and file.sha256 = entry.file_sha256
      left join sepa_reference as owner
        on owner.reference = entry.fact ->> 'quoted' and owner.connection = entry.connection
      left join receipt on receipt.connection = entry.connection and receipt.provider_ref = entry.name
                       and receipt.outcome = 'paid' and receipt.occurrence = 1
      left join unmatched on unmatched.connection = entry.connection and unmatched.provider_ref = entry.name
                         and unmatched.outcome = 'paid' and unmatched.occurrence = 1
      left join unmatched as lost on lost.connection = entry.connection and lost.provider_ref = entry.name
                                 and lost.outcome = 'dispute_lost' and lost.occurrence = 1
      left join dispute on dispute.connection = entry.connection and dispute.provider_ref = entry.name
      left join sepa_payout as payout
        on payout.reference = lower(entry.fact ->> 'endToEndId') and payout.connection = entry.connection
      left join sepa_entry as credit
        on credit.connection = entry.connection and credit.reference = entry.of_reference and credit.part = entry.of_part
       and credit.credit
      left join sepa_entry as other
        on other.connection = entry.connection and other.reference = entry.like_reference and other.part = entry.like_part
     order by entry.reference, entry.part`
}

/** Those of these movements of which a signal waits in the inbox. By the start of their JSON, as rails/sepa/import.ts writes it. */
export async function selectWaiting(
  tx: Tx,
  { id }: AccountRow,
  movements: readonly Pick<BookedRow, 'reference' | 'part'>[],
): Promise<ReadonlySet<string>> {
  const texts = movements.map(
    ({ reference, part }) => `{"reference":${JSON.stringify(reference)},"part":${part},`,
  )
  const rows = await tx<{ place: number }[]>`
    select distinct wanted.place::integer as place
      from unnest(${list(texts)}::text[]) with ordinality as wanted (text, place)
      join inbox on inbox.connection = ${id} and position(convert_to(wanted.text, 'UTF8') in inbox.body) > 0`
  const places = new Set(rows.map(({ place }) => place))
  return new Set(
    movements.flatMap(({ reference, part }, at) => (places.has(at + 1) ? [`${reference}|${part}`] : [])),
  )
}

export type ReceiptRow = {
  readonly providerRef: string
  readonly minor: bigint
  /** The movement of that name: what it moved, and how it was matched. */
  readonly reportedMinor: bigint | null
  readonly kind: string | null
}

/** The next page of an account's receipts of money, counted or in suspense, each with the movement that it is of. */
export async function selectReceipts(
  sql: Sql,
  { id }: AccountRow,
  after: ReceiptRow | undefined,
  limit: number,
): Promise<readonly ReceiptRow[]> {
  const { providerRef = '' } = after ?? {}
  const isNext = sql`connection = ${id} and provider_ref > ${providerRef} and outcome = 'paid'`
  return sql<ReceiptRow[]>`
    select kept.provider_ref as "providerRef", kept.minor, entry.amount_minor as "reportedMinor", entry.kind
      from (
        (select provider_ref, booked_minor as minor from receipt where ${isNext} order by provider_ref limit ${limit})
        union all
        (select provider_ref, amount_minor from unmatched where ${isNext} order by provider_ref limit ${limit})
      ) as kept
     cross join lateral (select regexp_match(kept.provider_ref, '^(.*)/([0-9]{1,6})$') as parts) as name
      left join sepa_entry as entry
        on entry.connection = ${id} and entry.credit
       and entry.reference = coalesce(name.parts[1], kept.provider_ref)
       and entry.part = coalesce(name.parts[2]::integer, 0)
     order by kept.provider_ref
     limit ${limit}`
}
