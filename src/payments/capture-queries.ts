// All SQL of authorisations: which are open, and the orders to capture or void them.
import type { Sql, Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import type { Claim } from '#/jobs/claim.ts'
import { chosen, type DueTable, someDue } from '#/jobs/due-queries.ts'
import type { Slots } from '#/jobs/slots.ts'
import type { AttemptId, ConnectionId, Id, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import { traceOf, type KeptAttempt } from './attempt-queries.ts'

/** An order to capture or void an authorisation. It changes only when it ends. */
export type AuthorisationOrder = {
  /** A new order of the same attempt, after a refusal, has a new id. Null for orders from before orders had ids. */
  readonly id: Id<'authorisation-order'> | null
  readonly merchantId: MerchantId
  readonly attemptId: AttemptId
  readonly paymentId: PaymentId
  readonly kind: 'CAPTURE' | 'VOID'
  /** Of a CAPTURE. */
  readonly amountMinor: bigint | null
  readonly authorisedMinor: bigint
  /** Whether the merchant requested it. If not, the authorisation is unwanted. */
  readonly isRequested: boolean
  readonly hasEnded: boolean
}

function orderColumns(sql: Sql | Tx) {
  return sql`ordered.id, ordered.merchant_id as "merchantId", ordered.attempt_id as "attemptId", ordered.payment_id as "paymentId",
             ordered.kind, ordered.amount_minor as "amountMinor", ordered.authorised_minor as "authorisedMinor",
             ordered.is_asked as "isRequested", ordered.ended_at is not null as "hasEnded"`
}

/** The orders of these attempts, including ended ones. */
export function selectOrders(
  tx: Tx,
  attempts: readonly { readonly merchantId: MerchantId; readonly id: AttemptId }[],
): Promise<readonly AuthorisationOrder[]> {
  return tx<AuthorisationOrder[]>`
    select ${orderColumns(tx)}
      from authorisation_order as ordered
      join (select distinct *
              from ${rowsOf(tx, 'ref', attempts, { merchant_id: 'uuid', attempt_id: ['uuid', (each) => each.id] })}) as wanted
        using (merchant_id, attempt_id)`
}

/** The same for all attempts of these payments. */
export function selectOrdersOf(tx: Tx, refs: readonly PaymentRef[]): Promise<readonly AuthorisationOrder[]> {
  return tx<AuthorisationOrder[]>`
    select ${orderColumns(tx)}
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join attempt using (merchant_id, payment_id)
      join authorisation_order as ordered on ordered.merchant_id = attempt.merchant_id and ordered.attempt_id = attempt.id
     order by ordered.created_at, ordered.attempt_id`
}

/** An open authorisation: the amount that the provider holds for us. */
export type OpenAuthorisation = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly connection: ConnectionId
  readonly authorisedMinor: bigint
}

/** Authorisations that were booked and have not ended. */
function openAuthorisations(sql: Sql | Tx) {
  return sql`
    receipt.outcome = 'authorised' and receipt.booked_minor > 0
      and not exists (select from receipt as ending
                       where ending.connection = receipt.connection and ending.pending_ref = receipt.pending_ref
                         and ending.outcome in ('voided', 'paid'))`
}

/** The open authorisations of these payments, in the order in which they came. */
export function selectOpenAuthorisations(
  tx: Tx,
  refs: readonly PaymentRef[],
): Promise<readonly OpenAuthorisation[]> {
  return tx<OpenAuthorisation[]>`
    select receipt.merchant_id as "merchantId", receipt.payment_id as "paymentId", receipt.attempt_id as "attemptId",
           receipt.connection, receipt.booked_minor as "authorisedMinor"
      from ${rowsOf(tx, 'wanted', refs, { merchant_id: 'uuid', payment_id: 'uuid' })}
      join receipt using (merchant_id, payment_id)
     where ${openAuthorisations(tx)}
     order by receipt.payment_id, receipt.ordinal`
}

export type NewOrder = AuthorisationOrder & { readonly connection: ConnectionId }

/** Stores orders that are due later, because the caller carries them out now. */
export async function insertOrders(
  tx: Tx,
  orders: readonly NewOrder[],
  { at, waitMs }: { readonly at: Date; readonly waitMs: number },
): Promise<void> {
  await tx`
    insert into authorisation_order (merchant_id, attempt_id, payment_id, id, connection, kind, amount_minor,
                                     authorised_minor, is_asked, due_at, created_at)
    select new.*, true, ${dueIn(tx, waitMs)}, ${at}::timestamptz
      from ${rowsOf(tx, 'new', orders, {
        merchant_id: 'uuid',
        attempt_id: 'uuid',
        payment_id: 'uuid',
        id: 'uuid',
        connection: 'text',
        kind: 'text',
        amount_minor: 'bigint',
        authorised_minor: 'bigint',
      })}`
}

/** Stores orders to void unwanted authorisations at once: that of an attempt, or all open ones of a payment. */
export async function insertUnwanted(
  tx: Tx,
  unwanted: readonly (PaymentRef & { readonly attemptId?: AttemptId })[],
  at: Date,
): Promise<void> {
  await tx`
    insert into authorisation_order (merchant_id, attempt_id, payment_id, id, connection, kind, authorised_minor, is_asked,
                                     due_at, created_at)
    select distinct on (receipt.merchant_id, receipt.attempt_id) receipt.merchant_id, receipt.attempt_id,
           receipt.payment_id, gen_random_uuid(), receipt.connection, 'VOID', receipt.booked_minor, false,
           ${dueNow(tx)}, ${at}::timestamptz
      from ${rowsOf(tx, 'wanted', unwanted, { merchant_id: 'uuid', payment_id: 'uuid', attempt_id: 'uuid' })}
      join receipt on receipt.merchant_id = wanted.merchant_id and receipt.payment_id = wanted.payment_id
                  and receipt.attempt_id = coalesce(wanted.attempt_id, receipt.attempt_id)
     where ${openAuthorisations(tx)}
     order by receipt.merchant_id, receipt.attempt_id, receipt.ordinal
        on conflict do nothing`
}

type AttemptKey = { readonly merchantId: MerchantId; readonly id: AttemptId }

/** These authorisations have ended, by their order or otherwise. */
export async function endOrders(tx: Tx, attempts: readonly AttemptKey[], at: Date): Promise<void> {
  await tx`
    update authorisation_order
       set ended_at = ${at}
      from ${rowsOf(tx, 'ended', attempts, { merchant_id: 'uuid', attempt_id: ['uuid', (each) => each.id] })}
     where authorisation_order.merchant_id = ended.merchant_id
       and authorisation_order.attempt_id = ended.attempt_id and authorisation_order.ended_at is null`
}

/** A claimed order that the provider refused without doing anything. */
export type RefusedOrder = {
  readonly merchantId: MerchantId
  readonly attemptId: AttemptId
  readonly orderId: AuthorisationOrder['id']
  readonly claimed: number
}

/** Locks those of these orders that no other process has claimed since, until the transaction ends. */
export async function lockOrders(tx: Tx, refused: readonly RefusedOrder[]): Promise<ReadonlySet<string>> {
  const rows = await tx<Omit<RefusedOrder, 'merchantId'>[]>`
    select ordered.attempt_id as "attemptId", ordered.id as "orderId", ordered.sends as claimed
      from ${refusedOrders(tx, refused)}
      join authorisation_order as ordered on ${isThatOrder(tx)} and ordered.sends = refused.claimed
     order by ordered.merchant_id, ordered.attempt_id
       for update of ordered`
  return new Set(rows.map(orderKey))
}

/** The key of one claim of an order. */
export function orderKey({ attemptId, orderId, claimed }: Omit<RefusedOrder, 'merchantId'>): string {
  return `${attemptId}/${orderId}/${claimed}`
}

/** The provider refused these and did nothing: something else may be requested. */
export async function deleteOrders(tx: Tx, refused: readonly RefusedOrder[]): Promise<void> {
  await tx`
    delete from authorisation_order as ordered using ${refusedOrders(tx, refused)} where ${isThatOrder(tx)}`
}

function refusedOrders(tx: Tx, refused: readonly RefusedOrder[]) {
  const columns = { merchant_id: 'uuid', attempt_id: 'uuid', order_id: 'uuid', claimed: 'integer' } as const
  return rowsOf(tx, 'refused', refused, columns)
}

function isThatOrder(tx: Tx) {
  return tx`ordered.merchant_id = refused.merchant_id and ordered.attempt_id = refused.attempt_id
            and ordered.id is not distinct from refused.order_id and ordered.ended_at is null`
}

/** Orders whose end is not known, each with the time at which its provider is asked next. */
const orderDue: DueTable = { name: 'authorisation_order', isListed: (sql) => sql`due.ended_at is null` }

export const isOrderDue = someDue(orderDue)

export type DueOrder = {
  readonly order: AuthorisationOrder
  readonly attempt: OpenedAttempt
  readonly claim: Claim
  /** By the database's clock. */
  readonly claimedAt: Date
}

/** Claims due orders for `leaseMs`. */
export async function claimOrders(
  sql: Sql | Tx,
  slots: Slots,
  leaseMs: number,
): Promise<readonly DueOrder[]> {
  const rows = await sql<OrderRow[]>`
    with recursive ${chosen(sql, orderDue, slots)}, claimed as (
      update authorisation_order
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, sends = sends + 1
       where ctid = any (array(select ctid from chosen))
      returning *
    ) ${claimedOrders(sql)}`
  return rows.map(toDue)
}

/** Claims this order at once for the caller, if it has not ended. */
export async function claimOrder(
  sql: Sql | Tx,
  { merchantId, attemptId, id }: Pick<AuthorisationOrder, 'merchantId' | 'attemptId' | 'id'>,
  leaseMs: number,
): Promise<DueOrder | undefined> {
  const [row] = await sql<OrderRow[]>`
    with claimed as (
      update authorisation_order
         set due_at = ${dueIn(sql, leaseMs)}, lease_until = ${dueIn(sql, leaseMs)}, sends = sends + 1
       where merchant_id = ${merchantId} and attempt_id = ${attemptId} and id is not distinct from ${id}::uuid
         and ended_at is null
      returning *
    ) ${claimedOrders(sql)}`
  return row === undefined ? undefined : toDue(row)
}

function claimedOrders(sql: Sql | Tx) {
  return sql`
    select ${orderColumns(sql)}, ordered.sends, ordered.connection as lane, ${traceOf('attempt', sql)} as trace, ${dueNow(sql)} as "claimedAt",
           attempt.method, attempt.connection, attempt.amount_minor as "attemptMinor", attempt.currency, attempt.artifacts
      from claimed as ordered
      join attempt on attempt.merchant_id = ordered.merchant_id and attempt.id = ordered.attempt_id`
}

type OrderRow = AuthorisationOrder &
  Pick<KeptAttempt, 'method' | 'connection' | 'currency' | 'artifacts'> & {
    readonly sends: number
    readonly lane: string
    readonly trace: string | null
    readonly claimedAt: Date
    readonly attemptMinor: bigint
  }

function toDue(row: OrderRow): DueOrder {
  const { sends, lane, trace, claimedAt, method, connection, currency, artifacts, attemptMinor, ...order } =
    row
  const { merchantId, paymentId, attemptId: id } = order
  const amount = { minor: attemptMinor, currency }
  return {
    order,
    claim: { id, connection: lane, number: sends, trace },
    claimedAt,
    attempt: { id, merchantId, paymentId, method, connection, amount, artifacts: artifacts ?? {} },
  }
}

/** Makes it due in `waitMs`. False when another process has claimed it since, or it has ended. */
export async function postponeOrder(
  sql: Sql | Tx,
  { order: { merchantId, attemptId, id }, claim }: DueOrder,
  waitMs: number,
): Promise<boolean> {
  const result = await sql`
    update authorisation_order set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and attempt_id = ${attemptId} and id is not distinct from ${id}::uuid
       and sends = ${claim.number} and ended_at is null`
  return result.count === 1
}
