// The SQL of payouts by bank transfer: each waits for a file, and ends by what the bank says.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { IsDue } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { Id, ConnectionId } from '#/kernel/id.ts'
import type { PayoutOrder } from '#/rails/payout-rail.ts'

export type PayoutState = 'WAITING' | 'BATCHED' | 'DONE' | 'REFUSED'

export type PayoutKind = 'WITHDRAWAL' | 'REFUND'

export type PayoutRow = {
  readonly reference: string
  readonly connection: ConnectionId
  readonly minor: bigint
  readonly iban: string
  readonly beneficiary: string
  readonly note: string | null
  readonly state: PayoutState
  readonly batchId: Id<'sepa-batch'> | null
  readonly reason: string | null
  readonly returnedMinor: bigint
  readonly changedAt: Date
}

function columns(sql: Sql | Tx) {
  return sql`reference, connection, amount_minor as minor, iban, beneficiary, note, state, batch_id as "batchId", reason,
             returned_minor as "returnedMinor", changed_at as "changedAt"`
}

/** Queues a payout once: a second order of the same reference changes nothing. */
export async function queuePayout(
  sql: Sql,
  { reference, connection, id, merchantId, amount, description }: PayoutOrder,
  to: { readonly kind: PayoutKind; readonly iban: string; readonly beneficiary: string },
): Promise<void> {
  await sql`
    insert into sepa_payout (reference, connection, kind, payout_id, merchant_id, amount_minor, iban, beneficiary, note, state,
                             created_at, changed_at)
    values (${reference}, ${connection}, ${to.kind}, ${id}, ${merchantId}, ${amount.minor}, ${to.iban}, ${to.beneficiary},
            ${description ?? null}, 'WAITING', clock_timestamp(), clock_timestamp())
    on conflict (reference) do nothing`
}

export async function selectPayout(sql: Sql, reference: string): Promise<PayoutRow | undefined> {
  const [row] = await sql<PayoutRow[]>`select ${columns(sql)} from sepa_payout where reference = ${reference}`
  return row
}

/** Withdrawals whose payout’s state changed in this span, by reference. */
export async function selectChanged(
  sql: Sql,
  connection: ConnectionId,
  {
    from,
    to,
    after,
    limit,
  }: { readonly from: Date; readonly to: Date; readonly after: string; readonly limit: number },
): Promise<readonly PayoutRow[]> {
  return sql<PayoutRow[]>`
    select ${columns(sql)} from sepa_payout
     where connection = ${connection} and changed_at >= ${from} and changed_at <= ${to} and reference > ${after}
       and kind = 'WITHDRAWAL'
     order by reference
     limit ${limit}`
}

/**
 * Locks payouts that wait for a file; another transaction that makes a file waits for this one. Leaves out for ever a payout whose
 * withdrawal or refund a person has ended meanwhile, and until the freeze ends a payout whose money is frozen. `after`: the last reference of
 * the page before.
 */
export async function lockWaiting(
  tx: Tx,
  connection: ConnectionId,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly (PayoutRow & { readonly payoutId: string })[]> {
  return tx<(PayoutRow & { payoutId: string })[]>`
    select ${columns(tx)}, payout_id as "payoutId" from sepa_payout as payout
     where connection = ${connection} and state = 'WAITING' and reference > ${after}
       and case kind
             when 'WITHDRAWAL' then exists (select from withdrawal
                                             where withdrawal.merchant_id = payout.merchant_id and withdrawal.id = payout.payout_id
                                               and withdrawal.status = 'PROCESSING')
             else exists (select from refund
                           where refund.merchant_id = payout.merchant_id and refund.id = payout.payout_id
                             and refund.status = 'PENDING')
           end
       and not is_frozen(merchant_id, 'SEPA')
     order by reference
     limit ${limit}
       for update of payout`
}

export type Batch = {
  readonly id: Id<'sepa-batch'>
  readonly connection: ConnectionId
  readonly messageId: string
  readonly payouts: number
  readonly sumMinor: bigint
  readonly madeBy: string
  readonly createdAt: Date
  readonly takenBy: string | null
  readonly takenAt: Date | null
}

export async function insertBatch(
  tx: Tx,
  batch: Omit<Batch, 'createdAt' | 'takenBy' | 'takenAt'> & { readonly bytes: Buffer },
  references: readonly string[],
): Promise<void> {
  const { id, connection, messageId, bytes, payouts, sumMinor, madeBy } = batch
  await tx`
    insert into sepa_batch (id, connection, message_id, bytes, payouts, sum_minor, made_by, created_at)
    values (${id}, ${connection}, ${messageId}, ${bytes}, ${payouts}, ${sumMinor}, ${madeBy}, clock_timestamp())`
  await tx`
    update sepa_payout set state = 'BATCHED', batch_id = ${id}, changed_at = clock_timestamp()
     where reference = any (${list(references)}::text[]) and state = 'WAITING'`
}

export async function selectBatches(sql: Sql, limit: number): Promise<readonly Batch[]> {
  return sql<Batch[]>`
    select id, connection, message_id as "messageId", payouts, sum_minor as "sumMinor", made_by as "madeBy",
           created_at as "createdAt", taken_by as "takenBy", taken_at as "takenAt"
      from sepa_batch
     order by created_at desc, id
     limit ${limit}`
}

/** Of each of these accounts, the oldest file that nobody has taken. */
export function selectUntaken(
  sql: Sql,
  connections: readonly ConnectionId[],
): Promise<readonly { readonly connection: ConnectionId; readonly id: Id<'sepa-batch'> }[]> {
  return sql<{ connection: ConnectionId; id: Id<'sepa-batch'> }[]>`
    select given.connection, oldest.id
      from unnest(${list(connections)}::text[]) as given (connection)
           cross join lateral (select id from sepa_batch
                                where sepa_batch.connection = given.connection and taken_at is null
                                order by created_at, id
                                limit 1) as oldest`
}

/** The bytes of a file, for the sandbox, which hands it in before it counts as taken. */
export async function selectBatchBytes(sql: Sql, id: Id<'sepa-batch'>): Promise<Buffer | undefined> {
  const [row] = await sql<{ bytes: Buffer }[]>`select bytes from sepa_batch where id = ${id}`
  return row?.bytes
}

/** Of these accounts, those on which a payout waits for a file. */
export async function selectAccountsWithWaiting(
  sql: Sql,
  connections: readonly ConnectionId[],
): Promise<readonly ConnectionId[]> {
  if (connections.length === 0) return []
  const rows = await sql<{ connection: ConnectionId }[]>`
    select connection from unnest(${list(connections)}::text[]) as given (connection)
     where exists (select from sepa_payout as payout
                    where payout.connection = given.connection and payout.state = 'WAITING')`
  return rows.map((row) => row.connection)
}

/** Whether a payout waits for its file, or a file for the bank. */
export const isAnyFileDue: IsDue = (sql) => sql`
  (exists (select from sepa_batch where taken_at is null) or exists (select from sepa_payout where state = 'WAITING'))`

/** Marks a file as taken, once. Undefined: there is none, or it was taken before. */
export async function takeBatch(
  tx: Tx,
  id: Id<'sepa-batch'>,
  by: string,
): Promise<{ readonly bytes: Buffer; readonly messageId: string } | undefined> {
  const [row] = await tx<{ bytes: Buffer; messageId: string }[]>`
    update sepa_batch set taken_by = ${by}, taken_at = clock_timestamp()
     where id = ${id} and taken_at is null
    returning bytes, message_id as "messageId"`
  return row
}

export type Ended = { readonly reference: string; readonly minor: bigint; readonly part: 'left' | 'returned' }

export type OurPayout = Pick<PayoutRow, 'reference' | 'minor' | 'returnedMinor' | 'state'> & {
  readonly kind: PayoutKind
}

/** The payouts of the files of these names on this account. */
export async function selectOfFiles(
  tx: Tx,
  connection: ConnectionId,
  messageIds: readonly string[],
): Promise<readonly (OurPayout & { readonly messageId: string })[]> {
  if (messageIds.length === 0) return []
  return tx<(OurPayout & { messageId: string })[]>`
    select batch.message_id as "messageId", payout.reference, payout.kind, payout.amount_minor as minor,
           payout.returned_minor as "returnedMinor", payout.state
      from sepa_batch as batch
      join sepa_payout as payout on payout.batch_id = batch.id
     where batch.message_id = any (${list(messageIds)}::text[]) and batch.connection = ${connection}
     order by payout.reference`
}

/** Of these references, those of payouts on this account, by the reference in small letters: banks change capitals. */
export async function selectOurs(
  tx: Tx,
  connection: ConnectionId,
  references: readonly string[],
): Promise<ReadonlyMap<string, OurPayout>> {
  if (references.length === 0) return new Map()
  const rows = await tx<OurPayout[]>`
    select reference, kind, amount_minor as minor, returned_minor as "returnedMinor", state from sepa_payout
     where connection = ${connection}
       and reference = any (${list(references.flatMap((each) => [each, each.toLowerCase()]))}::text[])`
  return new Map(rows.map((row) => [row.reference.toLowerCase(), row]))
}

/**
 * Fails a payout that is in no file. Waits for a transaction that is making a file, and returns false when the payout went into
 * that file.
 */
export async function stopWaiting(tx: Tx, subject: string, reason: string): Promise<boolean> {
  const result = await tx`
    update sepa_payout set state = 'REFUSED', reason = ${reason}, changed_at = clock_timestamp()
     where payout_id = ${subject} and state = 'WAITING'`
  return result.count === 1
}

/** How far the payout of a withdrawal or refund is. */
export type FileStanding = { readonly subject: string; readonly state: PayoutState }

export function selectStandings(sql: Sql, subjects: readonly string[]): Promise<readonly FileStanding[]> {
  return sql<FileStanding[]>`
    select payout_id as subject, state from sepa_payout where payout_id = any (${list(subjects)}::uuid[])`
}

/** Writes what a statement reports of payouts: the money left, or came back. */
export async function writeEnds(tx: Tx, connection: ConnectionId, ends: readonly Ended[]): Promise<void> {
  await tx`
    update sepa_payout as payout
       set state = 'DONE', returned_minor = least(payout.amount_minor, payout.returned_minor + reported.returned),
           changed_at = clock_timestamp()
      from (select reference, coalesce(sum(minor) filter (where part = 'returned'), 0)::bigint as returned
              from ${rowsOf(tx, 'reported', ends, { reference: 'text', minor: 'bigint', part: 'text' })}
             group by reference) as reported
     where payout.connection = ${connection} and payout.reference = reported.reference`
}

/** Writes what the bank's report refuses: some payouts of the file, or all. A payout that has left stays DONE. */
export async function writeRefusals(
  tx: Tx,
  messageId: string,
  refused: { readonly references: readonly string[]; readonly isWhole: boolean; readonly reason: string },
): Promise<number> {
  const result = await tx`
    update sepa_payout as payout set state = 'REFUSED', reason = ${refused.reason}, changed_at = clock_timestamp()
      from sepa_batch as batch
     where batch.message_id = ${messageId} and payout.batch_id = batch.id and payout.state = 'BATCHED'
       and (${refused.isWhole} or payout.reference = any (${list(refused.references)}::text[]))`
  return result.count
}

/** How many payouts of the file have no end yet. */
export async function countUnended(tx: Tx, messageId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count
      from sepa_batch as batch join sepa_payout as payout on payout.batch_id = batch.id
     where batch.message_id = ${messageId} and payout.state = 'BATCHED'`
  return row?.count ?? 0
}

export async function selectBatchConnection(
  tx: Sql | Tx,
  messageId: string,
): Promise<ConnectionId | undefined> {
  const [row] = await tx<{ connection: ConnectionId }[]>`
    select connection from sepa_batch where message_id = ${messageId}`
  return row?.connection
}
