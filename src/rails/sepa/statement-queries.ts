// The SQL of the bank's files: what was handed in, the statements in order, and every movement once.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Matched } from './entry.ts'
import type { EntryFact } from './fact.ts'

/** Makes imports into one account wait for each other until the transaction ends. */
export async function lockAccount(tx: Tx, connection: ConnectionId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('sepa account ' || ${connection}::text, 0))`
}

export type FileRow = {
  readonly connection: ConnectionId
  readonly sha256: Buffer
  readonly message: string
  readonly name: string
  readonly state: 'IMPORTED' | 'REFUSED'
  readonly reason: string | null
  readonly entries: number
  /** What a report about a file of payments does not say clearly, and a person asks the bank. */
  readonly raised?: string | null | undefined
  readonly handedInBy: string
  readonly createdAt: Date
}

export type NewFile = Omit<FileRow, 'createdAt'> & {
  readonly bytes: Buffer
  /** The file of payments that it is about. */
  readonly about?: string
}

export async function isImported(tx: Tx, connection: ConnectionId, sha256: Buffer): Promise<boolean> {
  const [row] = await tx<{ imported: boolean }[]>`
    select exists (select 1 from sepa_file
                    where connection = ${connection} and sha256 = ${sha256} and state = 'IMPORTED') as imported`
  return row?.imported === true
}

/** Stores a file. A refused file that comes again gets its new result; an imported one is never replaced. */
export async function writeFile(tx: Sql | Tx, file: NewFile): Promise<void> {
  const {
    connection,
    sha256,
    message,
    name,
    bytes,
    state,
    reason,
    entries,
    handedInBy,
    about = null,
    raised = null,
  } = file
  await tx`
    insert into sepa_file (connection, sha256, message, name, bytes, state, reason, entries, handed_in_by, about, raised, all_currencies,
                           created_at)
    values (${connection}, ${sha256}, ${message}, ${name}, ${bytes}, ${state}, ${reason}, ${entries}, ${handedInBy}, ${about},
            ${raised}, true, clock_timestamp())
    on conflict (connection, sha256) do update
       set state = excluded.state, reason = excluded.reason, name = excluded.name, entries = excluded.entries,
           handed_in_by = excluded.handed_in_by, all_currencies = true, created_at = excluded.created_at
     where sepa_file.state = 'REFUSED'`
}

/** The newest files, newest first. */
export async function selectFiles(sql: Sql, limit: number): Promise<readonly FileRow[]> {
  return sql<FileRow[]>`
    select connection, sha256, message, name, state, reason, raised, entries, handed_in_by as "handedInBy", created_at as "createdAt"
      from sepa_file
     order by created_at desc, connection, sha256
     limit ${limit}`
}

export type StatementRow = {
  readonly number: number
  readonly currency: string
  readonly bankId: string
  readonly openingMinor: bigint
  readonly closingMinor: bigint
  /** ISO 8601. */
  readonly closedOn: string
}

/** One account number covers several currencies, and the statements of each follow on one another. */
export type CurrencyOfAccount = { readonly connection: ConnectionId; readonly currency: string }

function statementColumns(sql: Sql | Tx) {
  return sql`number, currency, bank_id as "bankId", opening_minor as "openingMinor", closing_minor as "closingMinor",
             closed_on::text as "closedOn"`
}

export async function selectLastStatement(
  tx: Sql | Tx,
  { connection, currency }: CurrencyOfAccount,
): Promise<StatementRow | undefined> {
  const [row] = await tx<StatementRow[]>`
    select ${statementColumns(tx)} from sepa_statement
     where connection = ${connection} and currency = ${currency}
     order by number desc
     limit 1`
  return row
}

/** The number of the newest statement of the account, in whatever currency; 0 before the first. */
export async function selectLastNumber(tx: Tx, connection: ConnectionId): Promise<number> {
  const [row] = await tx<{ number: number }[]>`
    select number from sepa_statement where connection = ${connection} order by number desc limit 1`
  return row?.number ?? 0
}

export async function selectStatement(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  bankId: string,
): Promise<StatementRow | undefined> {
  const [row] = await tx<StatementRow[]>`
    select ${statementColumns(tx)} from sepa_statement
     where connection = ${connection} and currency = ${currency} and bank_id = ${bankId}`
  return row
}

/** The statements of this currency on both sides of this one. */
export async function selectNeighbours(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  number: number,
): Promise<{ readonly before?: StatementRow; readonly next?: StatementRow }> {
  const of = tx`select ${statementColumns(tx)} from sepa_statement where connection = ${connection} and currency = ${currency}`
  const [before] = await tx<StatementRow[]>`${of} and number < ${number} order by number desc limit 1`
  const [next] = await tx<StatementRow[]>`${of} and number > ${number} order by number limit 1`
  return { ...(before && { before }), ...(next && { next }) }
}

/** Whether no statement of this currency is before it. */
export async function isFirstStatement(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  number: number,
): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (select from sepa_statement
                    where connection = ${connection} and currency = ${currency} and number < ${number}) as found`
  return row?.found !== true
}

export async function insertStatement(
  tx: Tx,
  connection: ConnectionId,
  row: StatementRow & { readonly file: Buffer },
): Promise<void> {
  await tx`
    insert into sepa_statement (connection, number, currency, bank_id, opening_minor, closing_minor, closed_on, file_sha256)
    values (${connection}, ${row.number}, ${row.currency}, ${row.bankId}, ${row.openingMinor}, ${row.closingMinor},
            ${row.closedOn}::text::date, ${row.file})`
}

export type NewEntry = {
  readonly reference: string
  readonly part: number
  readonly credit: boolean
  readonly minor: bigint
  readonly currency: string
  readonly bookedOn: string
  /** What the bank's file says of it, for a person, as JSON. */
  readonly fact: string
  readonly matched: Matched
  readonly statement: number | null
  readonly file: Buffer
  /** The names by which a later movement may refer to it. */
  readonly names: readonly string[]
}

export async function insertEntries(
  tx: Tx,
  connection: ConnectionId,
  rows: readonly NewEntry[],
): Promise<void> {
  const owners = rows.map(({ matched }) => ('owner' in matched ? matched.owner : undefined))
  const of = rows.map(({ matched }) => (matched.kind === 'RECALL' ? matched.credit : undefined))
  const like = rows.map(({ matched }) => ('like' in matched ? matched.like : undefined))
  await tx`
    insert into sepa_entry (connection, reference, part, credit, amount_minor, currency, booked_on, fact, kind, merchant_id,
                            payment_id, attempt_id, statement, file_sha256, names, of_reference, of_part, like_reference, like_part,
                            created_at)
    select ${connection}, reference, part, credit, minor, currency, booked_on::date, fact::json, kind, merchant_id, payment_id,
           attempt_id, statement, file, array(select json_array_elements_text(names::json)), of_reference, of_part,
           like_reference, like_part, clock_timestamp()
      from unnest(${list(rows.map((each) => each.reference))}::text[], ${list(rows.map((each) => each.part))}::integer[],
                  ${list(rows.map((each) => each.credit))}::boolean[], ${list(rows.map((each) => each.minor))}::bigint[],
                  ${list(rows.map((each) => each.currency))}::text[], ${list(rows.map((each) => each.bookedOn))}::text[],
                  ${list(rows.map((each) => each.fact))}::text[], ${list(rows.map((each) => each.matched.kind))}::text[],
                  ${list(owners.map((each) => each?.merchantId ?? null))}::uuid[],
                  ${list(owners.map((each) => each?.paymentId ?? null))}::uuid[],
                  ${list(owners.map((each) => each?.id ?? null))}::uuid[],
                  ${list(rows.map((each) => each.statement))}::integer[], ${list(rows.map((each) => each.file))}::bytea[],
                  ${list(rows.map((each) => JSON.stringify(each.names)))}::text[],
                  ${list(of.map((each) => each?.reference ?? null))}::text[], ${list(of.map((each) => each?.part ?? null))}::integer[],
                  ${list(like.map((each) => each?.reference ?? null))}::text[], ${list(like.map((each) => each?.part ?? null))}::integer[])
           as new (reference, part, credit, minor, currency, booked_on, fact, kind, merchant_id, payment_id, attempt_id, statement,
                   file, names, of_reference, of_part, like_reference, like_part)`
}

/** Adds the first statement to earlier movements, because its opening balance includes them. */
export async function stateEarlier(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  { before, statement }: { readonly before: string; readonly statement: number },
): Promise<void> {
  await tx`
    update sepa_entry set statement = ${statement}
     where connection = ${connection} and currency = ${currency} and statement is null and booked_on < ${before}::text::date
       and kind <> 'SAME'`
}

/**
 * Returns a movement that a notification reported, booked up to this day, and that no statement has. Where a statement has one that is
 * held because it is like it, a person decides whether it is that one.
 */
export async function selectUnstated(
  tx: Tx,
  { connection, currency }: CurrencyOfAccount,
  until: string,
): Promise<{ readonly reference: string; readonly bookedOn: string } | undefined> {
  const [row] = await tx<{ reference: string; bookedOn: string }[]>`
    select reference, booked_on::text as "bookedOn"
      from sepa_entry as entry
     where connection = ${connection} and currency = ${currency} and statement is null and booked_on <= ${until}::text::date
       and kind <> 'SAME'
       and not exists (select from sepa_entry as held
                        where held.connection = entry.connection and held.like_reference = entry.reference
                          and held.like_part = entry.part and held.statement is not null)
     order by booked_on, reference
     limit 1`
  return row
}

/**
 * The balance of each currency that the bank has reported: the last closing balance, and what it notified since. Without proposals and
 * what is held, which the books do not have until a person has decided. Of a currency without a statement: all that was notified.
 */
export async function selectReportedBalances(
  sql: Sql,
  connection: ConnectionId,
): Promise<readonly { readonly currency: Currency; readonly minor: bigint; readonly isStated: boolean }[]> {
  return sql<{ currency: Currency; minor: bigint; isStated: boolean }[]>`
    select own.currency, stated.minor is not null as "isStated",
           coalesce(stated.minor, 0)
           + coalesce((select sum(case when credit then amount_minor else -amount_minor end)
                         from sepa_entry as entry
                        where entry.connection = ${connection} and entry.currency = own.currency and entry.statement is null
                          and entry.kind <> 'SAME'), 0)::bigint
           - coalesce((select sum(case when credit then amount_minor else -amount_minor end)
                         from sepa_entry as entry
                        where entry.connection = ${connection} and entry.currency = own.currency and entry.kind = 'HELD'), 0)::bigint
           - case when own.currency = 'EUR' then
               coalesce((select sum(amount_minor) from sepa_entry as entry
                          where entry.connection = ${connection} and entry.kind = 'PROPOSED'), 0)::bigint else 0 end
           as minor
      from unnest(${list(['EUR', 'USD', 'BRL'])}::text[]) as own (currency)
      left join lateral (select closing_minor as minor from sepa_statement
                          -- A range and an order of two columns, so that the index by currency is used: most accounts have no
                          -- statement in most currencies, and a search by number alone would read all of EUR.
                          where connection = ${connection} and currency >= own.currency and currency <= own.currency
                          order by currency desc, number desc limit 1) as stated on true
     where stated.minor is not null
        or exists (select from sepa_entry as entry
                    where entry.connection = ${connection} and entry.currency = own.currency and entry.statement is null)`
}

export type ProposalRow = {
  readonly connection: ConnectionId
  readonly reference: string
  readonly part: number
  readonly minor: bigint
  readonly currency: Currency
  readonly bookedOn: string
  readonly fact: EntryFact
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly createdAt: Date
}

/** The oldest typos that wait for a person. */
export async function selectProposals(sql: Sql, limit: number): Promise<readonly ProposalRow[]> {
  return sql<ProposalRow[]>`
    select connection, reference, part, amount_minor as minor, currency, booked_on::text as "bookedOn", fact,
           merchant_id as "merchantId", payment_id as "paymentId", attempt_id as "attemptId", created_at as "createdAt"
      from sepa_entry
     where kind = 'PROPOSED'
     order by created_at, connection, reference, part
     limit ${limit}`
}

/** Decides a proposal once. Undefined when there is none, or it was decided before. */
export async function decideProposal(
  tx: Tx,
  { connection, reference, part }: Pick<ProposalRow, 'connection' | 'reference' | 'part'>,
  kind: 'PAID' | 'UNATTRIBUTED',
): Promise<ProposalRow | undefined> {
  const [row] = await tx<ProposalRow[]>`
    update sepa_entry set kind = ${kind}
     where connection = ${connection} and reference = ${reference} and part = ${part} and kind = 'PROPOSED'
    returning connection, reference, part, amount_minor as minor, currency, booked_on::text as "bookedOn", fact,
              merchant_id as "merchantId", payment_id as "paymentId", attempt_id as "attemptId", created_at as "createdAt"`
  return row
}
