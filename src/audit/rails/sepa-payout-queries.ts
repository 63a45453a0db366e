// The SQL of the inspections of payouts by bank transfer: files of payments, the payouts in them, what they pay, and what banks said.
import { minId } from '#/audit/records-queries.ts'
import { type Sql, type Tx, list } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { RefundStatus } from '#/refunds/refund.ts'

export type PayoutRow = {
  readonly reference: string
  readonly minor: bigint
  readonly iban: string
  readonly beneficiary: string
  readonly state: 'WAITING' | 'BATCHED' | 'DONE' | 'REFUSED'
  readonly batchId: string | null
  readonly returnedMinor: bigint
}

function payoutColumns(sql: Sql | Tx) {
  return sql`payout.reference, payout.amount_minor as minor, payout.iban, payout.beneficiary, payout.state,
             payout.batch_id as "batchId", payout.returned_minor as "returnedMinor"`
}

export type BatchRow = {
  readonly id: string
  readonly connection: ConnectionId
  readonly messageId: string
  readonly bytes: Buffer
  readonly payouts: number
  readonly sumMinor: bigint
  /** The account that its connection names. */
  readonly iban: string | null
}

/** The next page of files of payments, by key, with their bytes: a file of a thousand payments has half a megabyte. */
export async function selectBatches(
  sql: Sql,
  after: BatchRow | undefined,
  limit: number,
): Promise<readonly BatchRow[]> {
  return sql<BatchRow[]>`
    select batch.id, batch.connection, batch.message_id as "messageId", batch.bytes, batch.payouts,
           batch.sum_minor as "sumMinor", connection.settings ->> 'iban' as iban
      from (select * from sepa_batch where id > ${after?.id ?? minId} order by id limit ${limit}) as batch
      left join connection on connection.id = batch.connection
     order by batch.id`
}

/** The payouts that are in this file by their rows, and those that its bytes name. */
export async function selectPayoutsOf(
  sql: Sql,
  batchId: string,
  references: readonly string[],
): Promise<readonly PayoutRow[]> {
  return sql<PayoutRow[]>`
    select ${payoutColumns(sql)} from sepa_payout as payout where payout.batch_id = ${batchId}
     union
    select ${payoutColumns(sql)} from sepa_payout as payout
     where payout.reference = any (${list(references)}::text[])`
}

/** The payouts of the file of this name. Undefined: there is none on the account. */
export async function selectPayoutsOfMessage(
  sql: Sql,
  connection: ConnectionId,
  messageId: string,
): Promise<readonly PayoutRow[] | undefined> {
  const rows = await sql<(PayoutRow | { readonly reference: null })[]>`
    select ${payoutColumns(sql)}
      from sepa_batch as batch
      left join sepa_payout as payout on payout.batch_id = batch.id
     where batch.message_id = ${messageId} and batch.connection = ${connection}`
  if (rows.length === 0) return undefined
  return rows.filter((row): row is PayoutRow => row.reference !== null)
}

/** The reports of the bank about this file. */
export async function selectReports(sql: Sql, messageId: string): Promise<readonly Buffer[]> {
  const rows = await sql<{ bytes: Buffer }[]>`
    select bytes from sepa_file where about = ${messageId} and state = 'IMPORTED' order by created_at`
  return rows.map(({ bytes }) => bytes)
}

export type OrderedRow = PayoutRow & {
  readonly connection: ConnectionId
  readonly messageId: string | null
  /** What it pays: a withdrawal or a refund. Null: nothing of that key. */
  readonly of: 'withdrawal' | 'refund' | null
  readonly status: string | null
  readonly orderedMinor: bigint | null
  /** Null for a refund, which has no destination of its own. */
  readonly orderedIban: string | null
  readonly orderedReference: string | null
  readonly isOnAccount: boolean
  readonly isEndedByHand: boolean
  /** What the bank's statements and notifications say of it. */
  readonly leftMinor: bigint
  readonly backMinor: bigint
  /** What the account of the provider has because of it, up to the cut. */
  readonly heldMinor: bigint
}

/** The next page of payouts, by reference, each with what ordered it and what the bank said, all at one instant. */
export async function selectOrdered(
  tx: Tx,
  after: string | undefined,
  { upTo, limit }: { readonly upTo: bigint; readonly limit: number },
): Promise<readonly OrderedRow[]> {
  return tx<OrderedRow[]>`
    select payout.connection, ${payoutColumns(tx)}, batch.message_id as "messageId",
           case when withdrawal.id is not null then 'withdrawal' when refund.id is not null then 'refund' end as of,
           coalesce(withdrawal.status, refund.status) as status,
           coalesce(withdrawal.amount_minor, refund.amount_minor) as "orderedMinor",
           withdrawal.destination #>> '{fields,iban}' as "orderedIban", withdrawal.reference as "orderedReference",
           coalesce(coalesce(withdrawal.connection, refund.connection) = payout.connection, false) as "isOnAccount",
           withdrawal.note is not null as "isEndedByHand",
           coalesce(reported.left_minor, 0)::bigint as "leftMinor", coalesce(reported.back_minor, 0)::bigint as "backMinor",
           coalesce((select sum(case when transfer.debit = held.id then transfer.minor else -transfer.minor end)
                       from transfer
                       join account as held on held.mode = payer.mode and held.name = 'provider:' || payer.id || ':EUR'
                                           and held.id in (transfer.debit, transfer.credit)
                      where transfer.subject = payout.payout_id and transfer.number <= ${upTo}), 0)::bigint as "heldMinor"
      from (select * from sepa_payout where reference > ${after ?? ''} order by reference limit ${limit}) as payout
      join connection as payer on payer.id = payout.connection
      left join sepa_batch as batch on batch.id = payout.batch_id
      left join withdrawal on withdrawal.merchant_id = payout.merchant_id and withdrawal.id = payout.payout_id
      left join refund on refund.merchant_id = payout.merchant_id and refund.id = payout.payout_id
      left join lateral (
        select sum(entry.amount_minor) filter (where entry.kind = 'SENT') as left_minor,
               sum(entry.amount_minor) filter (where entry.kind = 'RETURNED') as back_minor
          from sepa_entry as entry
         -- Written so that the index of names alone is used: few movements have one name.
         where entry.names @> array[payout.reference] and entry.connection is not distinct from payout.connection
      ) as reported on true
     order by payout.reference`
}

export type UnqueuedRow = {
  readonly merchantId: string
  readonly id: string
  readonly connection: ConnectionId
  readonly isEndedByHand: boolean
  /** What the account of the provider has because of it, up to the cut. */
  readonly heldMinor: bigint
}

/** The next page of withdrawals by bank transfer that are COMPLETED and have no payout, by key. A person can end one before it is queued. */
export async function selectUnqueued(
  tx: Tx,
  after: Pick<UnqueuedRow, 'merchantId' | 'id'> | undefined,
  { upTo, limit }: { readonly upTo: bigint; readonly limit: number },
): Promise<readonly UnqueuedRow[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return tx<UnqueuedRow[]>`
    select withdrawal.merchant_id as "merchantId", withdrawal.id, withdrawal.connection,
           withdrawal.note is not null as "isEndedByHand",
           coalesce((select sum(case when transfer.debit = held.id then transfer.minor else -transfer.minor end)
                       from transfer
                       join account as held on held.mode = merchant.mode
                                           and held.name = 'provider:' || withdrawal.connection || ':EUR'
                                           and held.id in (transfer.debit, transfer.credit)
                      where transfer.subject = withdrawal.id and transfer.number <= ${upTo}), 0)::bigint as "heldMinor"
      from withdrawal
      join merchant on merchant.id = withdrawal.merchant_id
     where withdrawal.type = 'SEPA' and withdrawal.status = 'COMPLETED'
       and (withdrawal.merchant_id, withdrawal.id) > (${merchantId}, ${id})
       and not exists (select from sepa_payout as payout where payout.reference = withdrawal.reference)
     order by withdrawal.merchant_id, withdrawal.id
     limit ${limit}`
}

/** The payout of a refund, with the refund that it names and the sender of the money that this gives back. */
export type RefundPayoutRow = {
  readonly reference: string
  readonly id: string
  readonly connection: string
  readonly minor: bigint
  readonly iban: string
  readonly beneficiary: string
  readonly state: string
  readonly returnedMinor: bigint
  /** Null: there is no such refund. */
  readonly status: RefundStatus | null
  readonly isOfRefund: boolean
  readonly destination: Readonly<Record<string, string>> | null
  readonly requestedIban: string | null
  readonly senderIban: string | null
}

/** The next page of payouts of refunds, by reference. */
export function selectRefundPayouts(
  tx: Sql | Tx,
  after: string,
  limit: number,
): Promise<readonly RefundPayoutRow[]> {
  return tx<RefundPayoutRow[]>`
    select payout.reference, payout.payout_id as id, payout.connection, payout.amount_minor as minor, payout.iban, payout.beneficiary,
           payout.state, payout.returned_minor as "returnedMinor", refund.status,
           coalesce(refund.connection = payout.connection and refund.amount_minor = payout.amount_minor
                    and refund.payout_type = 'SEPA', false) as "isOfRefund",
           refund.destination, refund.request ->> 'iban' as "requestedIban", sender.iban as "senderIban"
      from sepa_payout as payout
      left join refund on refund.merchant_id = payout.merchant_id and refund.id = payout.payout_id
      left join lateral (
        select entry.fact -> 'party' ->> 'iban' as iban
          from (values (refund.paid_ref, 0),
                       (substring(refund.paid_ref from '^(.+)/[0-9]{1,6}$'),
                        substring(refund.paid_ref from '^.+/([0-9]{1,6})$')::integer)) as named (reference, part)
          join sepa_entry as entry
            on entry.connection = refund.connection and entry.reference = named.reference and entry.part = named.part
         where entry.kind = 'PAID' and entry.credit
         limit 1) as sender on true
     where payout.kind = 'REFUND' and payout.reference > ${after}
     order by payout.reference
     limit ${limit}`
}

/** Those of these payouts about which a signal waits to be settled. */
export async function selectSignaled(
  tx: Sql | Tx,
  connections: readonly string[],
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const bodies = references.map((refund) => Buffer.from(JSON.stringify({ refund })))
  const rows = await tx<{ reference: string }[]>`
    select wanted.reference
      from unnest(${list(references)}::text[], ${list(bodies)}::text[]::bytea[]) as wanted (reference, body)
      join inbox on inbox.body = wanted.body
     where inbox.method = 'SEPA_TRANSFER' and inbox.connection = any (${list(connections)}::text[])`
  return new Set(rows.map(({ reference }) => reference))
}
