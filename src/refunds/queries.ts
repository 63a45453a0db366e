// All SQL of refunds, except that of due-queries.ts and find-queries.ts. Writes accept arrays; every read for a merchant names it.
import { refundStatuses } from '#/contract/refunds.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { newestIds } from '#/db/lists.ts'
import { fromRow, rowsOf, type RowOf } from '#/db/rows.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId } from '#/kernel/id.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import type { PaymentRef, PieceRef } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import type { EarlierRefund } from '#/rails/rail.ts'
import type { Refund, RefundRequest } from './refund.ts'

export type NewRefund = Refund & {
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Buffer
  readonly request: RefundRequest
  /** Of the call that requests it. */
  readonly trace?: string | undefined
}

export async function insertRefunds(tx: Tx, refunds: readonly NewRefund[]): Promise<void> {
  await tx`
    insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor,
                        currency, status, reason, metadata, destination, unreleased_minor, idempotency_key, fingerprint, request, created_at,
                        payout_type, requested_by, approval_required, trace)
    select *
      from unnest(${list(refunds.map((each) => each.merchantId))}::uuid[], ${list(refunds.map((each) => each.id))}::uuid[],
                  ${list(refunds.map((each) => each.paymentId))}::uuid[], ${list(refunds.map((each) => each.attemptId))}::uuid[],
                  ${list(refunds.map((each) => each.method))}::text[], ${list(refunds.map((each) => each.connection))}::text[],
                  ${list(refunds.map((each) => each.paidRef))}::text[], ${list(refunds.map((each) => each.walletId))}::uuid[],
                  ${list(refunds.map((each) => each.amountMinor))}::bigint[],
                  ${list(refunds.map((each) => each.currency))}::text[], ${list(refunds.map((each) => each.status))}::text[],
                  ${list(refunds.map((each) => each.reason))}::text[],
                  ${list(refunds.map((each) => JSON.stringify(each.metadata)))}::text[]::json[],
                  ${list(refunds.map((each) => JSON.stringify(each.destination)))}::text[]::json[],
                  ${list(refunds.map((each) => each.unreleasedMinor))}::bigint[],
                  ${list(refunds.map((each) => each.idempotencyKey))}::text[],
                  ${list(refunds.map((each) => each.fingerprint))}::text[]::bytea[],
                  ${list(refunds.map((each) => JSON.stringify(each.request)))}::text[]::json[],
                  ${list(refunds.map((each) => each.createdAt))}::timestamptz[],
                  ${list(refunds.map((each) => each.payoutType))}::text[],
                  ${list(refunds.map((each) => each.requestedBy))}::uuid[],
                  ${list(refunds.map((each) => each.approvalRequired))}::boolean[],
                  ${list(refunds.map((each) => each.trace))}::text[])`
}

/** Makes these refunds due now; those whose money is disputed wait for the end of the dispute. */
export async function insertDue(
  tx: Tx,
  refunds: readonly Pick<Refund, 'merchantId' | 'id' | 'paymentId' | 'connection' | 'paidRef'>[],
): Promise<void> {
  await tx`
    insert into refund_due (merchant_id, refund_id, connection, due_at)
    select merchant_id, id, connection,
           case when exists (select from dispute
                              where dispute.merchant_id = new.merchant_id and dispute.payment_id = new.payment_id
                                and dispute.connection = new.connection and dispute.paid_ref = new.paid_ref
                                and dispute.status = 'OPEN')
             then 'infinity' else ${dueNow(tx)} end
      from ${rowsOf(tx, 'new', refunds, { ...pieceColumns, id: 'uuid' })}`
}

/** A row of the table, as `columns` selects it. */
export type RefundRow = RowOf<Refund>

/** The columns of a `RefundRow`, from `refund` joined with `merchant`. */
export function columns(sql: Sql | Tx) {
  return sql`refund.merchant_id, refund.id, merchant.mode, refund.payment_id, refund.attempt_id, refund.method,
             refund.connection, refund.paid_ref, refund.wallet_id, refund.amount_minor, refund.unreleased_minor, refund.is_held_back, refund.currency, refund.status,
             refund.reason, refund.metadata, refund.failure, refund.destination, refund.tx_hash, refund.version, refund.created_at, refund.completed_at,
             refund.payout_type, refund.requested_by, refund.decided_by, refund.approval_required`
}

export type StoredRefundKey = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly refund: Refund
  readonly request: RefundRequest
}

/** The refunds that were made before with these pairs of merchant and key. */
export async function selectByKeys(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly key: string }[],
): Promise<readonly StoredRefundKey[]> {
  const rows = await tx<(RefundRow & { key: string; fingerprint: Buffer; request: RefundRequest })[]>`
    select refund.idempotency_key as key, refund.fingerprint, refund.request, ${columns(tx)}
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', key: 'text' })}
      join refund on refund.merchant_id = wanted.merchant_id and refund.idempotency_key = wanted.key
      join merchant on merchant.id = refund.merchant_id`
  return rows.map(({ key, fingerprint, request, ...row }) => ({
    key,
    fingerprint,
    request,
    refund: toRefund(row),
  }))
}

/** These refunds. No merchant is given, because providers report only the ids. */
export async function selectRefundsById(tx: Sql | Tx, ids: readonly RefundId[]): Promise<readonly Refund[]> {
  const rows = await tx<RefundRow[]>`
    select ${columns(tx)}
      from refund
      join merchant on merchant.id = refund.merchant_id
     where refund.id = any (${list(ids)}::uuid[])`
  return rows.map(toRefund)
}

export type RefundFilter = {
  readonly id?: RefundId
  readonly paymentId?: string
  readonly status?: string
  readonly currency?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Only refunds requested before this one. */
  readonly before?: RefundId
  readonly limit: number
}

/** One page of a merchant's refunds, newest first. */
export async function listRefunds(
  sql: Sql,
  merchantId: MerchantId,
  filter: RefundFilter,
): Promise<readonly Refund[]> {
  const within = sql`
    ${filter.id === undefined ? sql`` : sql`and refund.id = ${filter.id}`}
    ${filter.paymentId === undefined ? sql`` : sql`and refund.payment_id = ${filter.paymentId}`}`
  const isNarrow = filter.id !== undefined || filter.paymentId !== undefined
  const kinds = [
    { column: 'currency', value: filter.currency, all: Object.keys(currencies) },
    { column: 'status', value: filter.status, all: refundStatuses },
  ]
  const rows = await sql<RefundRow[]>`
    select ${columns(sql)}
      from (${newestIds(sql, 'refund', { merchantId, kinds, span: filter, within, isNarrow, limit: filter.limit })}) as page
      join refund on refund.merchant_id = ${merchantId} and refund.id = page.id
      join merchant on merchant.id = refund.merchant_id
     order by refund.id desc`
  return rows.map(toRefund)
}

/** One piece of a payment, and how much of it is neither refunded nor disputed. */
export type Piece = {
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly method: Method
  readonly connection: ConnectionId
  readonly paidRef: string
  /** As in the books. */
  readonly currency: Currency
  /** The number of the receipt among those of the payment. */
  readonly ordinal: number
  readonly happenedAt: Date
  /** How far a sandbox's clock was moved since it was recorded: its rail's window ends so much earlier. */
  readonly movedMs: number
  readonly leftMinor: bigint
  /** Whether the payment was PAID before it came. */
  readonly isDuplicate: boolean
}

/** At most this number of a payment's first receipts are read, and as many of its last ones. */
const receiptsMax = 1_000

/** The pieces of these payments. Only a payment's first and last receipts are read, however many there are. */
export function selectPieces(tx: Sql | Tx, refs: readonly PaymentRef[]): Promise<readonly Piece[]> {
  const some = (order: ReturnType<typeof tx>) => tx`
    (select ordinal, attempt_id, connection, provider_ref, currency, happened_at, recorded_at, is_duplicate, booked_minor, outcome
       from receipt
      where receipt.merchant_id = wanted.merchant_id and receipt.payment_id = wanted.payment_id
      order by ${order} limit ${receiptsMax})`
  return tx<Piece[]>`
    with wanted as (
      select * from ${rowsOf(tx, 'each', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
    ), gone as (
      select merchant_id, payment_id, connection, paid_ref, sum(amount_minor) as minor
        from (select merchant_id, payment_id, connection, paid_ref, amount_minor
                from wanted join refund using (merchant_id, payment_id) where refund.status <> 'FAILED'
               union all
              select merchant_id, payment_id, connection, paid_ref, amount_minor
                from wanted join dispute using (merchant_id, payment_id) where dispute.status <> 'WON') as each
       group by merchant_id, payment_id, connection, paid_ref
    )
    select wanted.payment_id as "paymentId", piece.attempt_id as "attemptId", attempt.method, piece.connection,
           piece.provider_ref as "paidRef", piece.currency, piece.ordinal, piece.happened_at as "happenedAt",
           moved_ms_since(wanted.merchant_id, piece.recorded_at)::float8 as "movedMs",
           coalesce(piece.is_duplicate, piece.recorded_at > payment.paid_at, false) as "isDuplicate",
           piece.booked_minor - coalesce(gone.minor, 0)::bigint as "leftMinor"
      from wanted
     cross join lateral (${some(tx`ordinal`)} union ${some(tx`ordinal desc`)}) as piece
      join payment on payment.merchant_id = wanted.merchant_id and payment.id = wanted.payment_id
      join attempt on attempt.merchant_id = wanted.merchant_id and attempt.id = piece.attempt_id
      left join gone on gone.merchant_id = wanted.merchant_id and gone.payment_id = wanted.payment_id
                    and gone.connection = piece.connection and gone.paid_ref = piece.provider_ref
     where piece.outcome = 'paid'`
}

/** How many refunds each of these payments has, in any state. Payments without refunds are left out. */
export function countRefunds(
  tx: Tx,
  refs: readonly PaymentRef[],
): Promise<readonly { readonly paymentId: PaymentId; readonly count: number }[]> {
  return tx<{ paymentId: PaymentId; count: number }[]>`
    select payment_id as "paymentId", count(*)::integer as count
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join refund using (merchant_id, payment_id)
     group by payment_id`
}

/** The refunds of these pieces, in any state. */
export async function selectByPieces(tx: Tx, pieces: readonly PieceRef[]): Promise<readonly Refund[]> {
  const rows = await tx<RefundRow[]>`
    select distinct on (refund.id) ${columns(tx)}
      from ${rowsOf(tx, 'wanted', pieces, pieceColumns)}
      join refund using (merchant_id, payment_id, connection, paid_ref)
      join merchant on merchant.id = refund.merchant_id
     order by refund.id`
  return rows.map(toRefund)
}

/** Locks those of them that no worker has claimed for sending, until the transaction ends. */
export async function lockUnsent(tx: Tx, pieces: readonly PieceRef[]): Promise<ReadonlySet<RefundId>> {
  const rows = await tx<{ id: RefundId }[]>`
    select due.refund_id as id
      from refund_due as due
     where due.sends = 0
       and (due.merchant_id, due.refund_id) in (
             select refund.merchant_id, refund.id
               from ${rowsOf(tx, 'wanted', pieces, pieceColumns)}
               join refund using (merchant_id, payment_id, connection, paid_ref))
     order by due.merchant_id, due.refund_id
       for update`
  return new Set(rows.map(({ id }) => id))
}

const pieceColumns = {
  merchant_id: 'uuid',
  payment_id: 'uuid',
  connection: 'text',
  paid_ref: 'text',
} as const

/**
 * Writes the columns that can change. A refund that has ended or waits for a person is removed from `refund_due`. Of the
 * others, a refund that is held back is not due; the rest is due now.
 */
export async function writeRefunds(tx: Tx, versions: readonly Refund[]): Promise<void> {
  const refunds = [...new Map(versions.map((refund) => [refund.id, refund])).values()]
  await tx`
    update refund
       set status = new.status, failure = new.failure, tx_hash = new.tx_hash, version = new.version,
           completed_at = new.completed_at, is_held_back = new.is_held_back, unreleased_minor = new.unreleased_minor,
           decided_by = new.decided_by, approval_required = new.approval_required
      from unnest(${list(refunds.map((each) => each.merchantId))}::uuid[], ${list(refunds.map((each) => each.id))}::uuid[],
                  ${list(refunds.map((each) => each.status))}::text[],
                  ${list(refunds.map((each) => each.isHeldBack))}::text[]::boolean[],
                  ${list(refunds.map((each) => each.unreleasedMinor))}::bigint[],
                  ${list(refunds.map((each) => JSON.stringify(each.failure)))}::text[]::json[],
                  ${list(refunds.map((each) => each.txHash))}::text[],
                  ${list(refunds.map((each) => each.version))}::integer[],
                  ${list(refunds.map((each) => each.completedAt))}::timestamptz[],
                  ${list(refunds.map((each) => each.decidedBy))}::uuid[],
                  ${list(refunds.map((each) => each.approvalRequired))}::text[]::boolean[])
           as new (merchant_id, id, status, is_held_back, unreleased_minor, failure, tx_hash, version, completed_at, decided_by,
                   approval_required)
     where refund.merchant_id = new.merchant_id and refund.id = new.id`
  const [waiting, ended] = [
    refunds.filter(({ status, approvalRequired }) => status === 'PENDING' && !approvalRequired),
    refunds.filter(({ status, approvalRequired }) => status !== 'PENDING' || approvalRequired),
  ]
  await tx`
    delete from refund_due
     using ${rowsOf(tx, 'ended', ended, { merchant_id: 'uuid', id: 'uuid' })}
     where refund_due.merchant_id = ended.merchant_id and refund_due.refund_id = ended.id`
  if (waiting.length === 0) return
  await tx`
    update refund_due
       set due_at = case when is_held_back then 'infinity' else ${dueNow(tx)} end
      from ${rowsOf(tx, 'waiting', waiting, { merchant_id: 'uuid', id: 'uuid', is_held_back: 'boolean' })}
     where refund_due.merchant_id = waiting.merchant_id and refund_due.refund_id = waiting.id`
}

/** Refunds of the same money that were accepted before this one, oldest first. */
export function selectEarlier(sql: Sql, refund: Refund): Promise<readonly EarlierRefund[]> {
  const { merchantId, paymentId, connection, paidRef, createdAt, id } = refund
  return sql<EarlierRefund[]>`
    select id, status
      from refund
     where merchant_id = ${merchantId} and payment_id = ${paymentId} and connection = ${connection}
       and paid_ref = ${paidRef} and (created_at, id) < (${createdAt}, ${id})
     order by created_at, id`
}

/** The refund of a row. */
export function toRefund(row: RefundRow): Refund {
  return fromRow(row)
}

/** Those of these refunds that had left before a restore took them back to an earlier state. */
export async function selectDeparted(tx: Tx, ids: readonly RefundId[]): Promise<ReadonlySet<RefundId>> {
  const rows = await tx<{ id: RefundId }[]>`
    select id from refund where id = any (${list(ids)}::uuid[]) and left_before_restore`
  return new Set(rows.map(({ id }) => id))
}
