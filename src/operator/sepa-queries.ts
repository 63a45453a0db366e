// The SQL of the console's lists of bank files: what was handed in, typos of payers, and files of payments. Times in a page's cursor are in
// microseconds, as the database keeps them.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { ConnectionId, Id, MerchantId } from '#/kernel/id.ts'
import type { Batch } from '#/rails/sepa/payout-queries.ts'
import type { FileRow, ProposalRow } from '#/rails/sepa/statement-queries.ts'

/** Where a page goes on: the time of its last row, and what tells rows of that time apart. */
export type After = { readonly atUs: string; readonly parts: readonly string[] }

function micros(sql: Sql) {
  return sql`(extract(epoch from created_at) * 1000000)::bigint::text as "atUs"`
}

function instantOf(sql: Sql, atUs: string) {
  return sql`(timestamptz 'epoch' + ${atUs}::bigint * interval '1 microsecond')`
}

/** One page of the files of banks, newest first. */
export function selectFilePage(
  sql: Sql,
  {
    state,
    after,
    limit,
  }: { readonly state?: FileRow['state']; readonly after?: After; readonly limit: number },
): Promise<readonly (FileRow & { readonly atUs: string })[]> {
  const [connection = '', digest = ''] = after?.parts ?? []
  return sql<(FileRow & { atUs: string })[]>`
    select connection, sha256, message, name, state, reason, raised, entries, handed_in_by as "handedInBy", created_at as "createdAt",
           ${micros(sql)}
      from sepa_file
     where ${state === undefined ? sql`true` : state === 'REFUSED' ? sql`state = 'REFUSED'` : sql`state = 'IMPORTED'`}
           ${
             after === undefined
               ? sql``
               : sql`and created_at <= ${instantOf(sql, after.atUs)}
                     and (created_at < ${instantOf(sql, after.atUs)} or (connection, sha256) > (${connection}, ${Buffer.from(digest, 'hex')}::bytea))`
           }
     order by created_at desc, connection, sha256
     limit ${limit}`
}

/** One page of the typos that wait for a person, oldest first. */
export function selectProposalPage(
  sql: Sql,
  { after, limit }: { readonly after?: After; readonly limit: number },
): Promise<readonly (ProposalRow & { readonly atUs: string })[]> {
  const [connection = '', reference = '', part = '0'] = after?.parts ?? []
  return sql<(ProposalRow & { atUs: string })[]>`
    select connection, reference, part, amount_minor as minor, currency, booked_on::text as "bookedOn", fact,
           merchant_id as "merchantId", payment_id as "paymentId", attempt_id as "attemptId", created_at as "createdAt",
           ${micros(sql)}
      from sepa_entry
     where kind = 'PROPOSED'
           ${
             after === undefined
               ? sql``
               : sql`and (created_at, connection, reference, part) > (${instantOf(sql, after.atUs)}, ${connection}, ${reference}, ${Number(part)}::integer)`
           }
     order by created_at, connection, reference, part
     limit ${limit}`
}

/** To whom money of these movements was credited out of suspense. */
export async function selectCreditedFrom(
  sql: Sql | Tx,
  connection: ConnectionId,
  movements: readonly string[],
): Promise<readonly MerchantId[]> {
  const rows = await sql<{ merchantId: MerchantId }[]>`
    select distinct wallet.merchant_id as "merchantId"
      from unmatched join wallet on wallet.id = unmatched.wallet_id
     where unmatched.connection = ${connection} and unmatched.provider_ref = any (${list(movements)}::text[])`
  return rows.map(({ merchantId }) => merchantId)
}

/** One page of the files of payments, newest first. */
export function selectBatchPage(
  sql: Sql,
  { after, limit }: { readonly after?: After; readonly limit: number },
): Promise<readonly (Batch & { readonly atUs: string })[]> {
  const [id = ''] = after?.parts ?? []
  return sql<(Batch & { atUs: string })[]>`
    select id, connection, message_id as "messageId", payouts, sum_minor as "sumMinor", made_by as "madeBy", created_at as "createdAt",
           taken_by as "takenBy", taken_at as "takenAt", ${micros(sql)}
      from sepa_batch
     where true
           ${
             after === undefined
               ? sql``
               : sql`and created_at <= ${instantOf(sql, after.atUs)} and (created_at < ${instantOf(sql, after.atUs)} or id > ${id}::uuid)`
           }
     order by created_at desc, id
     limit ${limit}`
}

export type WaitingPayouts = {
  readonly connection: ConnectionId
  /** As far as they were counted. */
  readonly payouts: number
  readonly minor: bigint
}

/** Of these accounts, those with payouts that wait for a file. Those whose withdrawal a person has ended meanwhile are never in a file. */
export function selectWaitingPayouts(
  sql: Sql,
  connections: readonly ConnectionId[],
  most: number,
): Promise<readonly WaitingPayouts[]> {
  return sql<WaitingPayouts[]>`
    select given.connection, count(*)::integer as payouts, sum(waiting.minor)::bigint as minor
      from unnest(${list(connections)}::text[]) as given (connection)
           cross join lateral (select amount_minor as minor
                                 from sepa_payout as payout
                                where payout.connection = given.connection and payout.state = 'WAITING'
                                  and not exists (select from withdrawal
                                                   where withdrawal.merchant_id = payout.merchant_id
                                                     and withdrawal.id = payout.payout_id and withdrawal.status <> 'PROCESSING')
                                limit ${most}) as waiting
     group by given.connection
     order by given.connection`
}

/** Notes the key that the person who takes a file gave to this download. */
export async function writeTaking(tx: Tx, id: Id<'sepa-batch'>, key: string): Promise<void> {
  await tx`update sepa_batch set taken_key = ${key} where id = ${id}`
}

/** The bytes of a file that this person took under this key. */
export async function selectTaking(
  sql: Sql,
  { id, key, by }: { readonly id: Id<'sepa-batch'>; readonly key: string; readonly by: string },
): Promise<Buffer | undefined> {
  const [row] = await sql<{ bytes: Buffer }[]>`
    select bytes from sepa_batch where id = ${id} and taken_key = ${key} and taken_by = ${by}`
  return row?.bytes
}

export async function selectBatchExists(sql: Sql, id: Id<'sepa-batch'>): Promise<boolean> {
  const [row] = await sql<
    { found: boolean }[]
  >`select exists (select from sepa_batch where id = ${id}) as found`
  return row?.found === true
}

/** How long before a debit the bank booked the credit that it takes back: a payer may recall for 13 months. */
const recallDays = 400

/**
 * Merchants who have money of a credit that this debit may take back, when it names none: any of its account and currency that is large
 * enough, booked to a payment or credited out of suspense.
 */
export async function selectPossiblyTaken(
  sql: Sql | Tx,
  connection: ConnectionId,
  {
    minor,
    currency,
    bookedOn,
  }: { readonly minor: bigint; readonly currency: string; readonly bookedOn: string },
): Promise<readonly MerchantId[]> {
  const rows = await sql<{ merchantId: MerchantId }[]>`
    select merchant_id as "merchantId" from sepa_entry
     where connection = ${connection} and currency = ${currency} and credit and merchant_id is not null
       and kind in ('PAID', 'PROPOSED') and amount_minor >= ${minor}
       and booked_on between ${bookedOn}::text::date - ${recallDays}::integer and ${bookedOn}::text::date
     union
    select wallet.merchant_id
      from unmatched join wallet on wallet.id = unmatched.wallet_id
     where unmatched.connection = ${connection} and unmatched.currency = ${currency} and unmatched.amount_minor >= ${minor}
       and unmatched.recorded_at >= ${bookedOn}::text::date - ${recallDays}::integer`
  return rows.map(({ merchantId }) => merchantId)
}
