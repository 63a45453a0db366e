// The SQL of the inspection of notified events, by their numbers.
import { list, type Sql, type Tx } from '#/db/client.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { EventType } from '#/webhooks/event.ts'

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
export function selectEvents(
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
