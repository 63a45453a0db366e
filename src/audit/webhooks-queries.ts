// The SQL of the inspections of events and deliveries.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { DeliveryId, EndpointId, EventId, MerchantId } from '#/kernel/id.ts'
import type { EventType } from '#/webhooks/event.ts'

const minId = '00000000-0000-0000-0000-000000000000'

export type EventKey = { readonly merchantId: MerchantId; readonly sequence: bigint }

export type EventRow = EventKey & {
  readonly id: EventId
  readonly type: string
  readonly mode: string
  readonly resourceId: string
  readonly body: string
  readonly batch: bigint
  readonly at: Date
  /** The time of its batch; null when there is no such batch. */
  readonly batchAt: Date | null
  /** Null when there is no such merchant. */
  readonly merchantMode: string | null
}

export function selectEvents(
  tx: Tx,
  after: EventKey | undefined,
  limit: number,
): Promise<readonly EventRow[]> {
  const { merchantId = minId, sequence = -1n } = after ?? {}
  return tx<EventRow[]>`
    select event.merchant_id as "merchantId", event.sequence, event.id, event.type, event.mode,
           event.resource_id as "resourceId", event.body, event.batch, event.at, batch.at as "batchAt",
           merchant.mode as "merchantMode"
      from (select * from event where (merchant_id, sequence) > (${merchantId}, ${sequence})
             order by merchant_id, sequence limit ${limit}) as event
      left join batch on batch.number = event.batch
      left join merchant on merchant.id = event.merchant_id
     order by event.merchant_id, event.sequence`
}

export type DeliveryRow = EventKey & {
  readonly id: DeliveryId
  /** Null: the URL is that of a payment or a withdrawal. */
  readonly endpointId: EndpointId | null
  /** Null when there is no such endpoint of its merchant. */
  readonly endpointStatus: string | null
  /** The endpoint is deleted, and all that was due for it is canceled. */
  readonly isCleared: boolean | null
  readonly url: string
  readonly origin: string
  readonly status: string
  readonly isDue: boolean
  readonly wasTried: boolean
  readonly hasSucceeded: boolean
}

/** The deliveries of these events and their results, at one instant. */
export function selectDeliveriesOf(tx: Tx, events: readonly EventKey[]): Promise<readonly DeliveryRow[]> {
  return tx<DeliveryRow[]>`
    select delivery.merchant_id as "merchantId", delivery.event_sequence as sequence, delivery.id, delivery.url,
           delivery.origin, delivery.status, delivery.endpoint_id as "endpointId", endpoint.status as "endpointStatus",
           endpoint.is_cleared as "isCleared",
           coalesce((select due.event_sequence = delivery.event_sequence
                            and due.origin in (delivery.origin,
                                               'recovery:' || coalesce(delivery.endpoint_id::text, delivery.origin))
                       from delivery_due as due
                      where due.merchant_id = delivery.merchant_id and due.delivery_id = delivery.id), false) as "isDue",
           exists (select from delivery_attempt as attempt
                    where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id) as "wasTried",
           exists (select from delivery_attempt as attempt
                    where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id
                      and attempt.response_status between 200 and 299) as "hasSucceeded"
      from unnest(${list(events.map((each) => each.merchantId))}::uuid[], ${list(events.map((each) => each.sequence))}::bigint[])
           as wanted (merchant_id, event_sequence)
      join delivery using (merchant_id, event_sequence)
      left join webhook_endpoint as endpoint
             on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id`
}

export type EndpointRow = {
  readonly merchantId: MerchantId
  readonly id: EndpointId
  /** Null: all. */
  readonly types: readonly string[] | null
  /** Since when it takes these types. */
  readonly since: Date
}

/** The endpoints of these merchants that are not deleted. */
export function selectEndpoints(tx: Tx, merchants: readonly MerchantId[]): Promise<readonly EndpointRow[]> {
  return tx<EndpointRow[]>`
    select merchant_id as "merchantId", id, event_types as types, event_types_since as since
      from webhook_endpoint
     where merchant_id = any (${list(merchants)}::uuid[]) and status <> 'DELETED'`
}

/** Numbers that a restore may have lost: those between the two. */
export type GapRow = {
  readonly merchantId: MerchantId
  readonly lastNumber: bigint
  readonly firstNumber: bigint
}

export function selectGaps(tx: Tx, merchants: readonly MerchantId[]): Promise<readonly GapRow[]> {
  return tx<GapRow[]>`
    select merchant_id as "merchantId", last_number as "lastNumber", first_number as "firstNumber"
      from event_gap
     where merchant_id = any (${list(merchants)}::uuid[])`
}

type CounterRow = {
  readonly merchantId: MerchantId
  readonly counted: bigint | null
  readonly last: bigint | null
  /** It jumped over what a restore lost, and the event that tells so is still to come. */
  readonly hasJumped: boolean
}

/** The counters of these merchants and their last events, at one instant. */
export function selectCounters(sql: Sql, merchants: readonly MerchantId[]): Promise<readonly CounterRow[]> {
  return sql<CounterRow[]>`
    select wanted.id as "merchantId", event_counter.sequence as counted,
           (select max(sequence) from event where merchant_id = wanted.id) as last,
           exists (select from event_gap
                    where event_gap.merchant_id = wanted.id and first_number = event_counter.sequence + 1
                      and last_number = coalesce((select max(sequence) from event where merchant_id = wanted.id), 0)
                  ) as "hasJumped"
      from unnest(${list(merchants)}::uuid[]) as wanted (id)
      left join event_counter on event_counter.merchant_id = wanted.id`
}

export function selectCounterOwners(sql: Sql, after: MerchantId | undefined, limit: number) {
  return sql<{ merchantId: MerchantId }[]>`
    select merchant_id as "merchantId" from event_counter
     where merchant_id > ${after ?? minId} order by merchant_id limit ${limit}`
}

type DeliveryKey = { readonly merchantId: MerchantId; readonly id: DeliveryId }

/** The next page of deliveries, by key, with whether the event of each exists. */
export function selectDeliveryEvents(
  sql: Sql,
  after: DeliveryKey | undefined,
  limit: number,
): Promise<readonly (DeliveryKey & { hasEvent: boolean })[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<(DeliveryKey & { hasEvent: boolean })[]>`
    select delivery.merchant_id as "merchantId", delivery.id, event.id is not null as "hasEvent"
      from (select * from delivery
             -- The condition on the URL selects the index that has it. By another one all deliveries of a merchant would be sorted.
             where (merchant_id, id) > (${merchantId}, ${id}) and url <> ''
             order by merchant_id, id limit ${limit}) as delivery
      left join event on event.merchant_id = delivery.merchant_id and event.sequence = delivery.event_sequence
     order by delivery.merchant_id, delivery.id`
}

/** The next page of due rows, with whether a pending delivery belongs to each. */
export function selectDueDeliveries(
  sql: Sql,
  after: DeliveryKey | undefined,
  limit: number,
): Promise<readonly (DeliveryKey & { isWaiting: boolean })[]> {
  const { merchantId = minId, id = minId } = after ?? {}
  return sql<(DeliveryKey & { isWaiting: boolean })[]>`
    select due.merchant_id as "merchantId", due.delivery_id as id,
           coalesce(delivery.status = 'PENDING', false) as "isWaiting"
      from (select * from delivery_due
             where (merchant_id, delivery_id) > (${merchantId}, ${id})
             order by merchant_id, delivery_id limit ${limit}) as due
      left join delivery on delivery.merchant_id = due.merchant_id and delivery.id = due.delivery_id
     order by due.merchant_id, due.delivery_id`
}

export type NotifiedEvent = {
  readonly merchantId: MerchantId
  readonly sequence: bigint
  readonly type: EventType
  readonly resourceId: string
  readonly body: string
  readonly at: Date
  /** The URL of its record that it is delivered to; null when there is none. */
  readonly url: string | null
  /** Its body was erased in part: the fields that are left must be true. */
  readonly isErased: boolean
}

/** The next page of events, by merchant and number, whose types begin with one of these topics. */
export function selectNotifiedEvents(
  tx: Tx,
  after: NotifiedEvent | undefined,
  { topics, limit }: { readonly topics: readonly string[]; readonly limit: number },
): Promise<readonly NotifiedEvent[]> {
  const { merchantId = '00000000-0000-0000-0000-000000000000', sequence = 0n } = after ?? {}
  return tx<NotifiedEvent[]>`
    select event.merchant_id as "merchantId", event.sequence, event.type, event.resource_id as "resourceId", event.body,
           event.at,
           (select min(delivery.url) from delivery
             where delivery.merchant_id = event.merchant_id and delivery.event_sequence = event.sequence
               and delivery.endpoint_id is null) as url,
           erased.key is not null as "isErased"
      from (select * from event
             where (merchant_id, sequence) > (${merchantId}, ${sequence})
               and split_part(type, '.', 1) = any (${list(topics)}::text[])
             order by merchant_id, sequence limit ${limit}) as event
      left join erased on erased.merchant_id = event.merchant_id and erased.place = 'event.body' and erased.key = event.sequence::text
     order by event.merchant_id, event.sequence`
}

/** The first event of the merchant with at least this number. */
export async function selectEventAt(
  sql: Sql,
  merchantId: MerchantId,
  sequence: bigint,
): Promise<{ readonly sequence: bigint; readonly at: Date } | undefined> {
  const [row] = await sql<{ sequence: bigint; at: Date }[]>`
    select sequence, at from event where merchant_id = ${merchantId} and sequence >= ${sequence} order by sequence limit 1`
  return row
}

export async function selectLastSequence(sql: Sql, merchantId: MerchantId): Promise<bigint> {
  const [row] = await sql<{ last: bigint }[]>`
    select coalesce(max(sequence), 0) as last from event where merchant_id = ${merchantId}`
  return row?.last ?? 0n
}

/** The merchant's events after a number, without their bodies. */
export function selectEventTypes(
  sql: Sql,
  merchantId: MerchantId,
  after: bigint,
  limit: number,
): Promise<readonly { sequence: bigint; type: EventType; resourceId: string }[]> {
  return sql<{ sequence: bigint; type: EventType; resourceId: string }[]>`
    select sequence, type, resource_id as "resourceId" from event
     where merchant_id = ${merchantId} and sequence > ${after} order by sequence limit ${limit}`
}
