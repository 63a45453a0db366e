// All SQL of disputes. Writes accept arrays; every read for a merchant names it.
import { disputeStatuses } from '#/contract/disputes.ts'
import { list, type Sql, type Tx } from '#/db/client.ts'
import { newestIds } from '#/db/lists.ts'
import { rowsOf, valuesOf } from '#/db/rows.ts'
import { invariant } from '#/kernel/check.ts'
import type { ConnectionId, DisputeId, Id, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import type { PieceRef } from '#/rails/attempt.ts'
import type { DisputeOrder } from '#/rails/disputes.ts'
import type { Method } from '#/rails/method.ts'
import { type Dispute, type DisputeStatus } from './dispute.ts'

type DisputeRow = {
  merchant_id: MerchantId
  id: DisputeId
  mode: Mode
  payment_id: PaymentId | null
  unmatched_id: Id<'unmatched'> | null
  connection: ConnectionId
  provider_ref: string
  paid_ref: string
  wallet_id: WalletId
  kind: Dispute['kind']
  status: DisputeStatus
  is_taken: boolean
  round: number
  amount_minor: bigint
  fee_minor: bigint
  currency: Currency
  reason: string | null
  evidence_due_at: Date | null
  version: number
  created_at: Date
  closed_at: Date | null
}

function columns(sql: Sql | Tx) {
  return sql`dispute.merchant_id, dispute.id, merchant.mode, dispute.payment_id, dispute.unmatched_id, dispute.connection, dispute.provider_ref,
             dispute.paid_ref, dispute.wallet_id, dispute.kind, dispute.status, dispute.is_taken, dispute.round, dispute.amount_minor,
             dispute.fee_minor, dispute.currency, dispute.reason, dispute.evidence_due_at, dispute.version,
             dispute.created_at, dispute.closed_at`
}

/** The disputes with these names at these connections. */
export async function selectByRefs(
  tx: Tx,
  refs: readonly { readonly connection: ConnectionId; readonly providerRef: string }[],
): Promise<readonly Dispute[]> {
  const rows = await tx<DisputeRow[]>`
    select ${columns(tx)}
      from ${rowsOf(tx, 'wanted', refs, { connection: 'text', provider_ref: 'text' })}
      join dispute using (connection, provider_ref)
      join merchant on merchant.id = dispute.merchant_id`
  return rows.map(toDispute)
}

export type DisputeFilter = {
  readonly id?: DisputeId
  readonly paymentId?: string
  readonly status?: string
  readonly currency?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** Only disputes opened before this one. */
  readonly before?: DisputeId
  readonly limit: number
}

/** One page of a merchant's disputes, newest first. */
export async function listDisputes(
  sql: Sql,
  merchantId: MerchantId,
  filter: DisputeFilter,
): Promise<readonly Dispute[]> {
  const within = sql`
    ${filter.id === undefined ? sql`` : sql`and dispute.id = ${filter.id}`}
    ${filter.paymentId === undefined ? sql`` : sql`and dispute.payment_id = ${filter.paymentId}`}`
  const isNarrow = filter.id !== undefined || filter.paymentId !== undefined
  const kinds = [
    { column: 'currency', value: filter.currency, all: Object.keys(currencies) },
    { column: 'status', value: filter.status, all: disputeStatuses },
  ]
  const rows = await sql<DisputeRow[]>`
    select ${columns(sql)}
      from (${newestIds(sql, 'dispute', { merchantId, kinds, span: filter, within, isNarrow, limit: filter.limit })}) as page
      join dispute on dispute.merchant_id = ${merchantId} and dispute.id = page.id
      join merchant on merchant.id = dispute.merchant_id
     order by dispute.id desc`
  return rows.map(toDispute)
}

/** The disputes of these pieces. */
export async function selectByPieces(tx: Tx, pieces: readonly PieceRef[]): Promise<readonly Dispute[]> {
  const rows = await tx<DisputeRow[]>`
    select distinct ${columns(tx)}
      from unnest(${list(pieces.map((each) => each.merchantId))}::uuid[],
                  ${list(pieces.map((each) => each.paymentId))}::uuid[],
                  ${list(pieces.map((each) => each.connection))}::text[],
                  ${list(pieces.map((each) => each.paidRef))}::text[])
           as wanted (merchant_id, payment_id, connection, paid_ref)
      join dispute using (merchant_id, payment_id, connection, paid_ref)
      join merchant on merchant.id = dispute.merchant_id`
  return rows.map(toDispute)
}

/** The attempt whose money is disputed, found by a receipt of the dispute. Only for disputes of a payment. */
export async function selectDisputedAttempt(
  sql: Sql,
  { merchantId, connection, providerRef }: Dispute,
  paymentId: PaymentId,
): Promise<(DisputeOrder['attempt'] & { readonly method: Method }) | undefined> {
  const [row] = await sql<(DisputeOrder['attempt'] & { method: Method })[]>`
    select attempt.id, attempt.merchant_id as "merchantId", attempt.payment_id as "paymentId", attempt.method
      from receipt
      join attempt on attempt.merchant_id = receipt.merchant_id and attempt.id = receipt.attempt_id
     where receipt.connection = ${connection} and receipt.provider_ref = ${providerRef}
       and receipt.merchant_id = ${merchantId} and receipt.payment_id = ${paymentId}
     limit 1`
  return row
}

/** Inserts new disputes and updates existing ones. If there are several versions of one, the last one counts. */
export async function writeDisputes(tx: Tx, versions: readonly Dispute[]): Promise<void> {
  const disputes = [...new Map(versions.map((dispute) => [dispute.id, dispute])).values()]
  const values = valuesOf(tx, disputes, {
    merchant_id: 'uuid',
    id: 'uuid',
    payment_id: 'uuid',
    unmatched_id: 'uuid',
    connection: 'text',
    provider_ref: 'text',
    paid_ref: 'text',
    wallet_id: 'uuid',
    kind: 'text',
    status: 'text',
    is_taken: 'boolean',
    round: 'integer',
    amount_minor: 'bigint',
    fee_minor: 'bigint',
    currency: 'text',
    reason: 'text',
    evidence_due_at: 'timestamptz',
    version: 'integer',
    created_at: 'timestamptz',
    closed_at: 'timestamptz',
  })
  const result = await tx`
    insert into dispute ${values}
        on conflict (merchant_id, id) do update
       set status = excluded.status, is_taken = excluded.is_taken, round = excluded.round, fee_minor = excluded.fee_minor,
           version = excluded.version, closed_at = excluded.closed_at`
  invariant(result.count === disputes.length, 'every dispute that changed is written')
}

function toDispute(row: DisputeRow): Dispute {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    mode: row.mode,
    connection: row.connection,
    providerRef: row.provider_ref,
    paidRef: row.paid_ref,
    walletId: row.wallet_id,
    kind: row.kind,
    status: row.status,
    isTaken: row.is_taken,
    round: row.round,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    currency: row.currency,
    version: row.version,
    createdAt: row.created_at,
    ...(row.payment_id === null ? {} : { paymentId: row.payment_id }),
    ...(row.unmatched_id === null ? {} : { unmatchedId: row.unmatched_id }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.evidence_due_at === null ? {} : { evidenceDueAt: row.evidence_due_at }),
    ...(row.closed_at === null ? {} : { closedAt: row.closed_at }),
  }
}
