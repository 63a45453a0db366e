// The SQL of recoveries.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueInOrder, dueNow, type IsDue } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { DeliveryId, EndpointId, MerchantId, RecoveryId } from '#/kernel/id.ts'
import { originOfEndpoint, originOfRecovery, recoveryPrefix } from '#/webhooks/event.ts'
import type { Recovery } from './recovery.ts'

const columns = (sql: Sql | Tx) => sql`
  merchant_id as "merchantId", id, endpoint_id as "endpointId", status, after_sequence as "afterSequence",
  through_sequence as "throughSequence", reached_sequence as "reachedSequence", types,
  include_delivered as "includeDelivered", deliveries, created_at as "createdAt", ended_at as "endedAt"`

/** Inserts a recovery. Returns false when one is running for the same endpoint. */
export async function insertRecovery(
  tx: Tx,
  recovery: Pick<
    Recovery,
    'merchantId' | 'id' | 'endpointId' | 'afterSequence' | 'throughSequence' | 'types' | 'includeDelivered'
  >,
): Promise<boolean> {
  const { merchantId, id, endpointId, afterSequence, throughSequence, types, includeDelivered } = recovery
  const { count } = await tx`
    insert into webhook_recovery
           (merchant_id, id, endpoint_id, after_sequence, through_sequence, reached_sequence, types, include_delivered,
            status, due_at, created_at)
    values (${merchantId}, ${id}, ${endpointId}, ${afterSequence}, ${throughSequence}, ${afterSequence},
            ${types === null ? null : list(types)}::text[], ${includeDelivered}, 'RUNNING', ${dueNow(tx)}, ${dueNow(tx)})
        on conflict do nothing`
  return count === 1
}

/** The recovery that is running for the endpoint, or for the URLs of payments. */
export async function selectRunning(
  tx: Tx,
  merchantId: MerchantId,
  endpointId: EndpointId | null,
): Promise<RecoveryId | undefined> {
  const [row] = await tx<{ id: RecoveryId }[]>`
    select id from webhook_recovery
     where merchant_id = ${merchantId} and status = 'RUNNING' and endpoint_id is not distinct from ${endpointId}::uuid`
  return row?.id
}

export async function selectRecovery(
  sql: Sql | Tx,
  merchantId: MerchantId,
  id: RecoveryId,
): Promise<Recovery | undefined> {
  const [row] = await sql<Recovery[]>`
    select ${columns(sql)} from webhook_recovery where merchant_id = ${merchantId} and id = ${id}`
  return row
}

/** The merchant's recoveries, newest first. */
export function listRecoveries(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly before?: RecoveryId; readonly limit: number },
): Promise<readonly Recovery[]> {
  const before = page.before === undefined ? sql`` : sql`and id < ${page.before}`
  return sql<Recovery[]>`
    select ${columns(sql)} from webhook_recovery
     where merchant_id = ${merchantId} ${before} order by id desc limit ${page.limit}`
}

/** The number of the merchant's last event. */
export async function selectLastSequence(sql: Sql, merchantId: MerchantId): Promise<bigint> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence from event_counter where merchant_id = ${merchantId}`
  return row?.sequence ?? 0n
}

/** Stops a running recovery. Returns whether it was running. */
export async function markCanceled(tx: Tx, merchantId: MerchantId, id: RecoveryId): Promise<boolean> {
  const { count } = await tx`
    update webhook_recovery set status = 'CANCELED', ended_at = ${dueNow(tx)}
     where merchant_id = ${merchantId} and id = ${id} and status = 'RUNNING'`
  return count === 1
}

// ---- The work

export type RecoveryKey = { readonly merchantId: MerchantId; readonly id: RecoveryId }

/** The next recoveries after a key that have something to do now: not those of an endpoint to which nothing is sent. */
export function selectWork(
  sql: Sql,
  after: RecoveryKey | undefined,
  limit: number,
): Promise<readonly RecoveryKey[]> {
  const { merchantId, id } = after ?? { merchantId: zero, id: zero }
  return sql<RecoveryKey[]>`
    select recovery.merchant_id as "merchantId", recovery.id
      from webhook_recovery as recovery
      left join webhook_endpoint as endpoint
             on endpoint.merchant_id = recovery.merchant_id and endpoint.id = recovery.endpoint_id
     where recovery.status = 'RUNNING' and (recovery.merchant_id, recovery.id) > (${merchantId}, ${id})
       and recovery.due_at <= ${dueNow(sql)} and (recovery.endpoint_id is null or endpoint.status = 'ENABLED')
     order by recovery.merchant_id, recovery.id limit ${limit}`
}

/** Whether a recovery is due, those to an endpoint that is not enabled included. */
export const isRecoveryDue: IsDue = (sql) =>
  sql`exists (select from webhook_recovery where status = 'RUNNING' and due_at <= ${dueNow(sql)})`

const zero = '00000000-0000-0000-0000-000000000000'

/** Locks the recovery, if it has something to do now. Waits for a worker that does a batch of it. */
export async function lockRunning(tx: Tx, { merchantId, id }: RecoveryKey): Promise<Recovery | undefined> {
  const [row] = await tx<Recovery[]>`
    select ${columns(tx)} from webhook_recovery
     where merchant_id = ${merchantId} and id = ${id} and status = 'RUNNING' and due_at <= ${dueNow(tx)}
       for update`
  return row
}

/** How many deliveries of recoveries wait for the endpoint, counted up to `most`. */
export async function countWaiting(
  tx: Tx,
  merchantId: MerchantId,
  endpointId: EndpointId,
  most: number,
): Promise<number> {
  const [row] = await tx<{ waiting: number }[]>`
    select count(*)::int as waiting
      from (select from delivery_due
             where merchant_id = ${merchantId} and origin = ${originOfRecovery({ endpointId })} limit ${most}) as counted`
  return row?.waiting ?? 0
}

export type Advance = {
  /** Events that were scanned. */
  readonly scanned: number
  /** Deliveries that were made due. */
  readonly made: number
}

const scanning = (tx: Tx, { merchantId, reachedSequence, throughSequence }: Recovery, limit: number) => tx`
  scanned as materialized (
    select sequence, type from event
     where merchant_id = ${merchantId} and sequence > ${reachedSequence} and sequence <= ${throughSequence}
     order by sequence limit ${limit}
  )`

const hasType = (tx: Tx, { types }: Recovery) =>
  types === null ? tx`true` : tx`scanned.type = any (${list(types)}::text[])`

const reopenable = ({ includeDelivered }: Recovery) =>
  list(includeDelivered ? ['EXHAUSTED', 'DELIVERED'] : ['EXHAUSTED'])

const noting = (tx: Tx, { merchantId, id, throughSequence }: Recovery, limit: number) => tx`
  update webhook_recovery as recovery
     set reached_sequence = progress.reached, deliveries = deliveries + progress.made,
         status = case when progress.reached >= ${throughSequence} then 'DONE' else status end,
         ended_at = case when progress.reached >= ${throughSequence} then ${dueNow(tx)} end
    from (
      select (select count(*) from scanned)::int as scanned, (select count(*) from due)::int as made,
             case when (select count(*) from scanned) < ${limit} then ${throughSequence}::bigint
                  else (select max(sequence) from scanned) end as reached
    ) as progress
   where merchant_id = ${merchantId} and id = ${id}
  returning progress.scanned, progress.made`

/**
 * Does the next batch of a locked recovery to an endpoint. Of the next events it makes those due that the endpoint takes and whose delivery
 * is EXHAUSTED (or DELIVERED, where the recovery includes these) or does not exist. They wait under a receiver of their own, in the order
 * of their sequence. `ids`: for new deliveries, as many as the limit.
 */
export async function advanceToEndpoint(
  tx: Tx,
  recovery: Recovery & { readonly endpointId: EndpointId },
  limit: number,
  ids: readonly DeliveryId[],
): Promise<Advance> {
  const { merchantId, endpointId } = recovery
  const [row] = await tx<Advance[]>`
    with ${scanning(tx, recovery, limit)}, chosen as (
      select scanned.sequence, endpoint.url, delivery.id
        from scanned
        join webhook_endpoint as endpoint
          on endpoint.merchant_id = ${merchantId} and endpoint.id = ${endpointId} and endpoint.status <> 'DELETED'
         and (endpoint.event_types is null or scanned.type = any (endpoint.event_types))
        left join delivery
               on delivery.merchant_id = ${merchantId} and delivery.endpoint_id = ${endpointId}
              and delivery.event_sequence = scanned.sequence
       where ${hasType(tx, recovery)} and scanned.type <> 'webhook_endpoint.ping'
         and not (scanned.type = 'webhook_endpoint.disabled'
                  and exists (select from event where event.merchant_id = ${merchantId}
                                 and event.sequence = scanned.sequence and event.resource_id = ${endpointId}))
    ), reopened as (
      update delivery set status = 'PENDING'
        from chosen
       where delivery.merchant_id = ${merchantId} and delivery.id = chosen.id
         and delivery.status = any (${reopenable(recovery)}::text[])
      returning delivery.id, delivery.event_sequence
    ), missing as (
      select sequence, url, row_number() over (order by sequence) as nth from chosen where id is null
    ), made as (
      insert into delivery (merchant_id, id, event_sequence, url, origin, endpoint_id)
      select ${merchantId}, fresh.id, missing.sequence, missing.url, ${originOfEndpoint(endpointId)}, ${endpointId}
        from missing
        join unnest(${list(ids)}::uuid[]) with ordinality as fresh (id, nth) using (nth)
      returning id, event_sequence
    ), due as (
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select ${merchantId}, id, event_sequence, ${originOfRecovery({ endpointId })}, ${dueInOrder(tx, 'event_sequence')}, 0
        from (select * from reopened union all select * from made) as again
          on conflict do nothing
      returning delivery_id
    )
    ${noting(tx, recovery, limit)}`
  return must(row, 'it is locked')
}

/**
 * Does the next batch of a locked recovery to the URLs of payments and withdrawals: of the next events it makes those due whose delivery is
 * EXHAUSTED, or DELIVERED where the recovery includes these.
 */
export async function advanceToUrls(tx: Tx, recovery: Recovery, limit: number): Promise<Advance> {
  const { merchantId } = recovery
  const [row] = await tx<Advance[]>`
    with ${scanning(tx, recovery, limit)}, reopened as (
      update delivery set status = 'PENDING'
        from scanned
       where delivery.merchant_id = ${merchantId} and delivery.event_sequence = scanned.sequence
         and delivery.endpoint_id is null and ${hasType(tx, recovery)}
         and delivery.status = any (${reopenable(recovery)}::text[])
      returning delivery.id, delivery.event_sequence, delivery.origin
    ), due as (
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select ${merchantId}, id, event_sequence, ${recoveryPrefix} || origin, ${dueInOrder(tx, 'event_sequence')}, 0
        from reopened
          on conflict do nothing
      returning delivery_id
    )
    ${noting(tx, recovery, limit)}`
  return must(row, 'it is locked')
}

/** Lets a recovery rest before its next batch. */
export async function restRecovery(tx: Tx, { merchantId, id }: RecoveryKey, restMs: number): Promise<void> {
  await tx`
    update webhook_recovery set due_at = ${dueIn(tx, restMs)} where merchant_id = ${merchantId} and id = ${id}`
}
