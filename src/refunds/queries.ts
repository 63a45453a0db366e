// All SQL of refunds. Writes take whole arrays; every read of a merchant names the merchant.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { createdWithin, newestIds } from '#/db/lists.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId, RefundId, WalletId } from '#/kernel/id.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import type { EarlierRefund, Method, Mode, PaymentRef } from '#/rails/rail.ts'
import { refundStatuses, type Refund, type RefundRequest, type RefundStatus } from './refund.ts'

export type NewRefund = Refund & {
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Buffer
  readonly request: RefundRequest
}

export async function insertRefunds(tx: Tx, refunds: readonly NewRefund[]): Promise<void> {
  await tx`
    insert into refund (merchant_id, id, payment_id, attempt_id, method, connection, paid_ref, wallet_id, amount_minor,
                        currency, status, reason, metadata, destination, unreleased_minor, idempotency_key, fingerprint, request, created_at)
    select *
      from unnest(${list(refunds.map((each) => each.merchantId))}::uuid[], ${list(refunds.map((each) => each.id))}::uuid[],
                  ${list(refunds.map((each) => each.paymentId))}::uuid[], ${list(refunds.map((each) => each.attemptId))}::uuid[],
                  ${list(refunds.map((each) => each.method))}::text[], ${list(refunds.map((each) => each.connection))}::text[],
                  ${list(refunds.map((each) => each.paidRef))}::text[], ${list(refunds.map((each) => each.walletId))}::uuid[],
                  ${list(refunds.map((each) => each.amountMinor))}::bigint[],
                  ${list(refunds.map((each) => each.currency))}::text[], ${list(refunds.map((each) => each.status))}::text[],
                  ${list(refunds.map((each) => each.reason))}::text[],
                  ${list(refunds.map((each) => each.metadata && JSON.stringify(each.metadata)))}::text[]::json[],
                  ${list(refunds.map((each) => each.destination && JSON.stringify(each.destination)))}::text[]::json[],
                  ${list(refunds.map((each) => each.unreleasedMinor))}::bigint[],
                  ${list(refunds.map((each) => each.idempotencyKey))}::text[],
                  ${list(refunds.map((each) => each.fingerprint))}::text[]::bytea[],
                  ${list(refunds.map((each) => JSON.stringify(each.request)))}::text[]::json[],
                  ${list(refunds.map((each) => each.createdAt))}::timestamptz[])`
}

/** Notes that providers are to be asked for these refunds. */
export async function insertDue(
  tx: Tx,
  refunds: readonly Pick<Refund, 'merchantId' | 'id'>[],
): Promise<void> {
  await tx`
    insert into refund_due (merchant_id, refund_id, due_at)
    select merchant_id, id, ${dueNow(tx)}
      from unnest(${list(refunds.map((each) => each.merchantId))}::uuid[], ${list(refunds.map((each) => each.id))}::uuid[])
           as new (merchant_id, id)`
}

type RefundRow = {
  merchant_id: MerchantId
  id: RefundId
  mode: Mode
  payment_id: PaymentId
  attempt_id: AttemptId
  method: Method
  connection: ConnectionId
  paid_ref: string
  wallet_id: WalletId
  amount_minor: bigint
  unreleased_minor: bigint
  currency: Currency
  status: RefundStatus
  reason: string | null
  metadata: Record<string, unknown> | null
  failure: { code: string; message: string } | null
  destination: Record<string, string> | null
  tx_hash: string | null
  version: number
  created_at: Date
  completed_at: Date | null
}

function columns(sql: Sql | Tx) {
  return sql`refund.merchant_id, refund.id, merchant.mode, refund.payment_id, refund.attempt_id, refund.method,
             refund.connection, refund.paid_ref, refund.wallet_id, refund.amount_minor, refund.unreleased_minor, refund.currency, refund.status,
             refund.reason, refund.metadata, refund.failure, refund.destination, refund.tx_hash, refund.version, refund.created_at, refund.completed_at`
}

export type StoredRefundKey = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly refund: Refund
  readonly request: RefundRequest
}

/** The refunds that these (merchant, key) pairs made before. */
export async function selectByKeys(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly key: string }[],
): Promise<readonly StoredRefundKey[]> {
  const rows = await tx<(RefundRow & { key: string; fingerprint: Buffer; request: RefundRequest })[]>`
    select refund.idempotency_key as key, refund.fingerprint, refund.request, ${columns(tx)}
      from unnest(${list(keys.map((each) => each.merchantId))}::uuid[], ${list(keys.map((each) => each.key))}::text[])
           as wanted (merchant_id, key)
      join refund on refund.merchant_id = wanted.merchant_id and refund.idempotency_key = wanted.key
      join merchant on merchant.id = refund.merchant_id`
  return rows.map((row) => ({
    key: row.key,
    fingerprint: row.fingerprint,
    request: row.request,
    refund: toRefund(row),
  }))
}

/** These refunds: a provider names nothing but their ids. */
export async function selectRefundsById(tx: Tx, ids: readonly RefundId[]): Promise<readonly Refund[]> {
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
  /** Only refunds asked for before this one. */
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
    ${filter.before === undefined ? sql`` : sql`and refund.id < ${filter.before}`}
    ${filter.paymentId === undefined ? sql`` : sql`and refund.payment_id = ${filter.paymentId}`}
    ${createdWithin(sql, 'refund', filter)}`
  const isNarrow = filter.id !== undefined || filter.paymentId !== undefined
  const kinds = [
    { column: 'currency', wanted: filter.currency, all: Object.keys(currencies) },
    { column: 'status', wanted: filter.status, all: refundStatuses },
  ]
  const rows = await sql<RefundRow[]>`
    select ${columns(sql)}
      from (${newestIds(sql, 'refund', { merchantId, kinds, within, isNarrow, limit: filter.limit })}) as page
      join refund on refund.merchant_id = ${merchantId} and refund.id = page.id
      join merchant on merchant.id = refund.merchant_id
     order by refund.id desc`
  return rows.map(toRefund)
}

/** One arrival of money for a payment, and what of it has neither gone back nor is disputed. */
export type Piece = {
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly method: Method
  readonly connection: ConnectionId
  readonly paidRef: string
  readonly happenedAt: Date
  readonly leftMinor: bigint
}

export function selectPieces(tx: Tx, refs: readonly PaymentRef[]): Promise<readonly Piece[]> {
  return tx<Piece[]>`
    select receipt.payment_id as "paymentId", receipt.attempt_id as "attemptId", attempt.method, receipt.connection,
           receipt.provider_ref as "paidRef", receipt.happened_at as "happenedAt",
           receipt.booked_minor
             - coalesce((select sum(refund.amount_minor) from refund
                          where refund.merchant_id = receipt.merchant_id and refund.payment_id = receipt.payment_id
                            and refund.connection = receipt.connection and refund.paid_ref = receipt.provider_ref
                            and refund.status <> 'FAILED'), 0)::bigint
             - coalesce((select sum(dispute.amount_minor) from dispute
                          where dispute.merchant_id = receipt.merchant_id and dispute.payment_id = receipt.payment_id
                            and dispute.connection = receipt.connection and dispute.paid_ref = receipt.provider_ref
                            and dispute.status <> 'WON'), 0)::bigint as "leftMinor"
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join receipt using (merchant_id, payment_id)
      join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
     where receipt.outcome = 'paid'`
}

/** Writes what can change of a refund, and takes those whose end is known from the list of those to be asked for. */
export async function writeRefunds(tx: Tx, versions: readonly Refund[]): Promise<void> {
  const refunds = [...new Map(versions.map((refund) => [refund.id, refund])).values()]
  await tx`
    update refund
       set status = new.status, failure = new.failure, tx_hash = new.tx_hash, version = new.version,
           completed_at = new.completed_at
      from unnest(${list(refunds.map((each) => each.merchantId))}::uuid[], ${list(refunds.map((each) => each.id))}::uuid[],
                  ${list(refunds.map((each) => each.status))}::text[],
                  ${list(refunds.map((each) => each.failure && JSON.stringify(each.failure)))}::text[]::json[],
                  ${list(refunds.map((each) => each.txHash))}::text[],
                  ${list(refunds.map((each) => each.version))}::integer[],
                  ${list(refunds.map((each) => each.completedAt))}::timestamptz[])
           as new (merchant_id, id, status, failure, tx_hash, version, completed_at)
     where refund.merchant_id = new.merchant_id and refund.id = new.id`
  await tx`
    delete from refund_due
     using unnest(${list(refunds.map((each) => each.merchantId))}::uuid[], ${list(refunds.map((each) => each.id))}::uuid[])
           as ended (merchant_id, id)
     where refund_due.merchant_id = ended.merchant_id and refund_due.refund_id = ended.id`
}

export type DueRefund = { readonly refund: Refund; readonly sends: number }

/** Takes the refunds whose provider is to be asked, for `leaseMs`. Of what is frozen only those that may have been sent. */
export async function claimDue(sql: Sql, leaseMs: number, limit: number): Promise<readonly DueRefund[]> {
  const rows = await sql<(RefundRow & { sends: number })[]>`
    with taken as (
      update refund_due
         set due_at = ${dueIn(sql, leaseMs)}, sends = sends + 1
       where (merchant_id, refund_id) in (
               select merchant_id, refund_id from refund_due
                where due_at <= ${dueNow(sql)}
                  and (sends > 0 or not is_frozen(merchant_id, (select method from refund where refund.merchant_id = refund_due.merchant_id and id = refund_id)))
                order by due_at limit ${limit} for update skip locked)
      returning merchant_id, refund_id, sends
    )
    select ${columns(sql)}, taken.sends
      from taken
      join refund on refund.merchant_id = taken.merchant_id and refund.id = taken.refund_id
      join merchant on merchant.id = refund.merchant_id`
  return rows.map(({ sends, ...row }) => ({ refund: toRefund(row), sends }))
}

/** It was taken, for the first time, and not sent: it waits as if it had not been taken. */
export async function releaseDue(
  sql: Sql,
  { merchantId, id }: Pick<Refund, 'merchantId' | 'id'>,
  waitMs: number,
): Promise<void> {
  await sql`
    update refund_due set due_at = ${dueIn(sql, waitMs)}, sends = 0
     where merchant_id = ${merchantId} and refund_id = ${id} and sends = 1`
}

export async function postponeDue(
  sql: Sql,
  { merchantId, id }: Pick<Refund, 'merchantId' | 'id'>,
  waitMs: number,
): Promise<void> {
  await sql`
    update refund_due set due_at = ${dueIn(sql, waitMs)} where merchant_id = ${merchantId} and refund_id = ${id}`
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

/** These refunds are asked for now and not later. Answers how many were waiting. */
export async function hastenDue(sql: Sql, ids: readonly string[]): Promise<number> {
  const result = await sql`
    update refund_due set due_at = ${dueNow(sql)}
     where refund_id = any (${list(ids)}::uuid[]) and due_at > ${dueNow(sql)}`
  return result.count
}

function toRefund(row: RefundRow): Refund {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    mode: row.mode,
    paymentId: row.payment_id,
    attemptId: row.attempt_id,
    method: row.method,
    connection: row.connection,
    paidRef: row.paid_ref,
    walletId: row.wallet_id,
    amountMinor: row.amount_minor,
    unreleasedMinor: row.unreleased_minor,
    currency: row.currency,
    status: row.status,
    version: row.version,
    createdAt: row.created_at,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.metadata === null ? {} : { metadata: row.metadata }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    ...(row.destination === null ? {} : { destination: row.destination }),
    ...(row.tx_hash === null ? {} : { txHash: row.tx_hash }),
    ...(row.completed_at === null ? {} : { completedAt: row.completed_at }),
  }
}
