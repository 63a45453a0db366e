// All SQL of authorisations: which are open, and what is to be done to them.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow } from '#/db/due.ts'
import type { AttemptId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { OpenedAttempt, PaymentRef } from '#/rails/rail.ts'
import { toAttempt, type KeptAttempt } from './attempt-queries.ts'

/** What is to be done to an authorisation. Only its end changes it. */
export type AuthorisationOrder = {
  readonly merchantId: MerchantId
  readonly attemptId: AttemptId
  readonly paymentId: PaymentId
  readonly kind: 'CAPTURE' | 'VOID'
  /** Of a capture. */
  readonly amountMinor: bigint | null
  readonly authorisedMinor: bigint
  /** Whether the merchant asked for it; else nobody wants the authorisation any more. */
  readonly isAsked: boolean
  readonly hasEnded: boolean
}

function orderColumns(sql: Sql | Tx) {
  return sql`ordered.merchant_id as "merchantId", ordered.attempt_id as "attemptId", ordered.payment_id as "paymentId",
             ordered.kind, ordered.amount_minor as "amountMinor", ordered.authorised_minor as "authorisedMinor",
             ordered.is_asked as "isAsked", ordered.ended_at is not null as "hasEnded"`
}

/** What is or was to be done to the authorisations of these attempts. */
export function selectOrders(
  tx: Tx,
  attempts: readonly { readonly merchantId: MerchantId; readonly id: AttemptId }[],
): Promise<readonly AuthorisationOrder[]> {
  return tx<AuthorisationOrder[]>`
    select ${orderColumns(tx)}
      from authorisation_order as ordered
      join (select distinct *
              from unnest(${list(attempts.map((each) => each.merchantId))}::uuid[],
                          ${list(attempts.map((each) => each.id))}::uuid[]) as ref (merchant_id, attempt_id)) as wanted
        using (merchant_id, attempt_id)`
}

/** The same, of all attempts of these payments. */
export function selectOrdersOf(tx: Tx, refs: readonly PaymentRef[]): Promise<readonly AuthorisationOrder[]> {
  return tx<AuthorisationOrder[]>`
    select ${orderColumns(tx)}
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join attempt using (merchant_id, payment_id)
      join authorisation_order as ordered on ordered.merchant_id = attempt.merchant_id and ordered.attempt_id = attempt.id
     order by ordered.created_at, ordered.attempt_id`
}

/** An authorisation that stands: the provider holds so much for us. */
export type OpenAuthorisation = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly attemptId: AttemptId
  readonly authorisedMinor: bigint
}

/** Authorisations that were booked and that nothing has ended. */
function openAuthorisations(sql: Sql | Tx) {
  return sql`
    receipt.outcome = 'authorised' and receipt.booked_minor > 0
      and not exists (select from receipt as ending
                       where ending.connection = receipt.connection and ending.pending_ref = receipt.pending_ref
                         and ending.outcome in ('voided', 'paid'))`
}

/** What is authorised for these payments now, in the order in which it came. */
export function selectOpenAuthorisations(
  tx: Tx,
  refs: readonly PaymentRef[],
): Promise<readonly OpenAuthorisation[]> {
  return tx<OpenAuthorisation[]>`
    select receipt.merchant_id as "merchantId", receipt.payment_id as "paymentId", receipt.attempt_id as "attemptId",
           receipt.booked_minor as "authorisedMinor"
      from unnest(${list(refs.map((each) => each.merchantId))}::uuid[], ${list(refs.map((each) => each.paymentId))}::uuid[])
           as wanted (merchant_id, payment_id)
      join receipt using (merchant_id, payment_id)
     where ${openAuthorisations(tx)}
     order by receipt.payment_id, receipt.ordinal`
}

/** Keeps what is to be done, due later: who asks does it now. */
export async function insertOrders(
  tx: Tx,
  orders: readonly AuthorisationOrder[],
  { at, waitMs }: { readonly at: Date; readonly waitMs: number },
): Promise<void> {
  await tx`
    insert into authorisation_order (merchant_id, attempt_id, payment_id, kind, amount_minor, authorised_minor, is_asked,
                                     due_at, created_at)
    select merchant_id, attempt_id, payment_id, kind, amount_minor, authorised_minor, true, ${dueIn(tx, waitMs)},
           ${at}::timestamptz
      from unnest(${list(orders.map((each) => each.merchantId))}::uuid[],
                  ${list(orders.map((each) => each.attemptId))}::uuid[],
                  ${list(orders.map((each) => each.paymentId))}::uuid[], ${list(orders.map((each) => each.kind))}::text[],
                  ${list(orders.map((each) => each.amountMinor))}::bigint[],
                  ${list(orders.map((each) => each.authorisedMinor))}::bigint[])
           as new (merchant_id, attempt_id, payment_id, kind, amount_minor, authorised_minor)`
}

/** What nobody wants any more is to be let go at once: of an attempt, or all that is open of a payment. */
export async function insertUnwanted(
  tx: Tx,
  unwanted: readonly (PaymentRef & { readonly attemptId?: AttemptId })[],
  at: Date,
): Promise<void> {
  await tx`
    insert into authorisation_order (merchant_id, attempt_id, payment_id, kind, authorised_minor, is_asked, due_at,
                                     created_at)
    select distinct on (receipt.merchant_id, receipt.attempt_id) receipt.merchant_id, receipt.attempt_id,
           receipt.payment_id, 'VOID', receipt.booked_minor, false, ${dueNow(tx)}, ${at}::timestamptz
      from unnest(${list(unwanted.map((each) => each.merchantId))}::uuid[],
                  ${list(unwanted.map((each) => each.paymentId))}::uuid[],
                  ${list(unwanted.map((each) => each.attemptId))}::uuid[]) as wanted (merchant_id, payment_id, attempt_id)
      join receipt on receipt.merchant_id = wanted.merchant_id and receipt.payment_id = wanted.payment_id
                  and receipt.attempt_id = coalesce(wanted.attempt_id, receipt.attempt_id)
     where ${openAuthorisations(tx)}
     order by receipt.merchant_id, receipt.attempt_id, receipt.ordinal
        on conflict do nothing`
}

type AttemptKey = { readonly merchantId: MerchantId; readonly id: AttemptId }

/** These authorisations have ended, as asked or otherwise. */
export async function endOrders(tx: Tx, attempts: readonly AttemptKey[], at: Date): Promise<void> {
  await tx`
    update authorisation_order
       set ended_at = ${at}
      from unnest(${list(attempts.map((each) => each.merchantId))}::uuid[], ${list(attempts.map((each) => each.id))}::uuid[])
           as ended (merchant_id, attempt_id)
     where authorisation_order.merchant_id = ended.merchant_id
       and authorisation_order.attempt_id = ended.attempt_id and authorisation_order.ended_at is null`
}

/** The provider refused these: nothing happened, and another thing may be asked for. */
export async function deleteOrders(
  tx: Tx,
  orders: readonly { readonly merchantId: MerchantId; readonly attemptId: AttemptId }[],
): Promise<void> {
  await tx`
    delete from authorisation_order
     using unnest(${list(orders.map((each) => each.merchantId))}::uuid[],
                  ${list(orders.map((each) => each.attemptId))}::uuid[]) as refused (merchant_id, attempt_id)
     where authorisation_order.merchant_id = refused.merchant_id
       and authorisation_order.attempt_id = refused.attempt_id and authorisation_order.ended_at is null`
}

export type DueOrder = {
  readonly order: AuthorisationOrder
  readonly attempt: OpenedAttempt
  readonly sends: number
}

/** Takes the orders whose provider is to be asked, for `leaseMs`. */
export async function claimOrders(sql: Sql, leaseMs: number, limit: number): Promise<readonly DueOrder[]> {
  const rows = await sql<OrderRow[]>`
    with taken as (
      update authorisation_order
         set due_at = ${dueIn(sql, leaseMs)}, sends = sends + 1
       where (merchant_id, attempt_id) in (
               select merchant_id, attempt_id from authorisation_order
                where ended_at is null and due_at <= ${dueNow(sql)}
                order by due_at limit ${limit} for update skip locked)
      returning *
    )
    select ${orderColumns(sql)}, ordered.sends, ${attemptColumns(sql)}
      from taken as ordered
      join attempt on attempt.merchant_id = ordered.merchant_id and attempt.id = ordered.attempt_id`
  return rows.map(toDue)
}

/** One that is still to be done, with its attempt. */
export async function selectOrder(
  sql: Sql,
  { merchantId, attemptId }: Pick<AuthorisationOrder, 'merchantId' | 'attemptId'>,
): Promise<DueOrder | undefined> {
  const [row] = await sql<OrderRow[]>`
    select ${orderColumns(sql)}, ordered.sends, ${attemptColumns(sql)}
      from authorisation_order as ordered
      join attempt on attempt.merchant_id = ordered.merchant_id and attempt.id = ordered.attempt_id
     where ordered.merchant_id = ${merchantId} and ordered.attempt_id = ${attemptId} and ordered.ended_at is null`
  return row === undefined ? undefined : toDue(row)
}

type OrderRow = AuthorisationOrder &
  Pick<KeptAttempt, 'method' | 'connection' | 'currency' | 'artifacts'> & {
    readonly sends: number
    readonly attemptMinor: bigint
  }

function attemptColumns(sql: Sql) {
  return sql`attempt.method, attempt.connection, attempt.amount_minor as "attemptMinor", attempt.currency,
             attempt.artifacts`
}

function toDue(row: OrderRow): DueOrder {
  const { sends, method, connection, currency, artifacts, attemptMinor, ...order } = row
  const { merchantId, paymentId, attemptId: id } = order
  const kept = {
    id,
    merchantId,
    paymentId,
    method,
    connection,
    amountMinor: attemptMinor,
    currency,
    artifacts,
  }
  return { order, sends, attempt: { ...toAttempt(kept), artifacts: artifacts ?? {} } }
}

export async function postponeOrder(
  sql: Sql,
  { merchantId, attemptId }: Pick<AuthorisationOrder, 'merchantId' | 'attemptId'>,
  waitMs: number,
): Promise<void> {
  await sql`
    update authorisation_order set due_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and attempt_id = ${attemptId} and ended_at is null`
}
