// The SQL that writes events and their deliveries, and reads events. Deliveries are read in delivery-queries.ts; the worker's own SQL is
// in due/queries.ts.
import { list, recordSeparator, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import { must } from '#/kernel/check.ts'
import type { DeliveryId, EndpointId, EventId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { EventType, Subscriber } from './event.ts'

// ---- Written by the transaction that changes the state

type Counter = {
  readonly merchantId: MerchantId
  readonly sequence: bigint
  readonly endpoints: readonly Subscriber[] | null
}

/**
 * Moves each merchant's counter on by its count. Returns the last number of each range, and the merchant's endpoints; null when it
 * has none.
 */
export function advanceCounters(
  tx: Tx,
  counts: ReadonlyMap<MerchantId, bigint>,
): Promise<readonly Counter[]> {
  return tx<Counter[]>`
    with advanced as (
      insert into event_counter (merchant_id, sequence)
      select * from unnest(${list([...counts.keys()])}::uuid[], ${list([...counts.values()])}::bigint[])
      on conflict (merchant_id) do update set sequence = event_counter.sequence + excluded.sequence
      returning merchant_id, sequence
    )
    select merchant_id as "merchantId", sequence,
           (select json_agg(json_build_object('id', id, 'url', url, 'types', event_types))
              from webhook_endpoint as endpoint
             where endpoint.merchant_id = advanced.merchant_id and endpoint.status <> 'DELETED') as endpoints
      from advanced`
}

export type NewEvent = {
  readonly merchantId: MerchantId
  readonly sequence: bigint
  readonly id: EventId
  readonly type: EventType
  readonly mode: Mode
  readonly resourceId: string
  readonly body: string
  readonly deliveries: readonly {
    readonly id: DeliveryId
    readonly url: string
    readonly origin: string
    /** Absent: the URL is that of a payment or a withdrawal. */
    readonly endpointId?: EndpointId
  }[]
}

/** Writes the events and their deliveries, due at once. */
export async function insertEvents(
  tx: Tx,
  events: readonly NewEvent[],
  moment: { readonly batch: bigint; readonly at: Date },
): Promise<void> {
  const deliveries = events.flatMap(({ merchantId, sequence, deliveries: each }) =>
    each.map((delivery) => ({ merchantId, sequence, ...delivery })),
  )
  await Promise.all([
    tx`
      insert into event (merchant_id, sequence, id, type, mode, resource_id, body, batch, at)
      select unnest(${list(events.map((each) => each.merchantId))}::uuid[]),
             unnest(${list(events.map((each) => each.sequence))}::bigint[]),
             unnest(${list(events.map((each) => each.id))}::uuid[]),
             unnest(${list(events.map((each) => each.type))}::text[]),
             unnest(${list(events.map((each) => each.mode))}::text[]),
             unnest(${list(events.map((each) => each.resourceId))}::uuid[]),
             unnest(string_to_array(${events.map((each) => each.body).join(recordSeparator)}, ${recordSeparator})),
             ${moment.batch}::bigint, ${moment.at}::timestamptz`,
    deliveries.length > 0 && insertDeliveries(tx, deliveries, moment),
  ])
}

type NewDelivery = NewEvent['deliveries'][number] & Pick<NewEvent, 'merchantId' | 'sequence'>

async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  { batch }: { readonly batch: bigint },
): Promise<void> {
  await tx`
    with new as (
      select unnest(${list(deliveries.map((each) => each.merchantId))}::uuid[]) as merchant_id,
             unnest(${list(deliveries.map((each) => each.id))}::uuid[]) as id,
             unnest(${list(deliveries.map((each) => each.sequence))}::bigint[]) as sequence,
             unnest(${list(deliveries.map((each) => each.url))}::text[]) as url,
             unnest(${list(deliveries.map((each) => each.origin))}::text[]) as origin,
             unnest(${list(deliveries.map((each) => each.endpointId))}::uuid[]) as endpoint_id
    ), due as (
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select merchant_id, id, sequence, origin, ${dueNow(tx)}, ${batch}::bigint from new
    )
    insert into delivery (merchant_id, id, event_sequence, url, origin, endpoint_id)
    select merchant_id, id, sequence, url, origin, endpoint_id from new`
}

// ---- What merchants read

export type EventRow = {
  readonly id: EventId
  readonly sequence: bigint
  readonly type: EventType
  readonly resourceId: string
  readonly body: string
  readonly at: Date
}

export type EventPage = {
  readonly events: readonly EventRow[]
  /** The reader has read up to this number: besides the events of the page there is none for it. */
  readonly readTo: bigint
}

/** The merchant's events after number `after`, oldest first. Numbers have no gaps, so no event can appear in between later. */
export async function listEvents(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly after: bigint; readonly limit: number; readonly types?: readonly EventType[] },
): Promise<EventPage> {
  const { types, after, limit } = page
  const { events, last } =
    types === undefined
      ? { events: await listAnyEvents(sql, merchantId, page), last: after }
      : await listEventsOf(sql, merchantId, { ...page, types })
  const end = events.at(-1)?.sequence ?? after
  return { events, readTo: events.length < limit && last > end ? last : end }
}

function listAnyEvents(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly after: bigint; readonly limit: number },
): Promise<readonly EventRow[]> {
  return sql<EventRow[]>`
    select id, sequence, type, resource_id as "resourceId", body, at
      from event
     where merchant_id = ${merchantId} and sequence > ${page.after}
     order by sequence
     limit ${page.limit}`
}

/**
 * Reads each type by itself, in the index by type, because some types are rare. `last`: the number of the merchant's last event of any
 * type, read at the same moment. Where no event is found, the only row has no event and carries `last`.
 */
async function listEventsOf(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly after: bigint; readonly limit: number; readonly types: readonly EventType[] },
): Promise<{ readonly events: readonly EventRow[]; readonly last: bigint }> {
  type Nothing = { readonly [Name in keyof EventRow]: null }
  const rows = await sql<((EventRow | Nothing) & { last: bigint })[]>`
    select event.id, event.sequence, event.type, event.resource_id as "resourceId", event.body, event.at, counter.last
      from (select coalesce((select sequence from event_counter where merchant_id = ${merchantId}), 0) as last) as counter
      left join (
        select found.sequence
          from unnest(${list([...new Set(page.types)])}::text[]) as wanted (type)
         cross join lateral (
           select event.sequence
             from event
            where event.merchant_id = ${merchantId} and event.type = wanted.type and event.sequence > ${page.after}
            order by event.type, event.sequence
            limit ${page.limit}
         ) as found
         order by found.sequence
         limit ${page.limit}
      ) as page on true
      left join event on event.merchant_id = ${merchantId} and event.sequence = page.sequence
     order by event.sequence`
  const events = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { events, last: rows[0]?.last ?? 0n }
}

/** The numbers of the last events of these merchants, as far as they have any. */
export function selectLastSequences(
  sql: Sql,
  merchantIds: readonly MerchantId[],
): Promise<readonly { readonly merchantId: MerchantId; readonly sequence: bigint }[]> {
  return sql<{ merchantId: MerchantId; sequence: bigint }[]>`
    select merchant_id as "merchantId", sequence
      from event_counter
     where merchant_id = any (${list(merchantIds)}::uuid[])`
}

/** The number of the merchant's newest event that is older than `ms`, or after which there are `limit` events; 0 without one. */
export async function selectSequenceBefore(
  sql: Sql,
  merchantId: MerchantId,
  { ms, limit }: { readonly ms: number; readonly limit: number },
): Promise<bigint> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select coalesce(
             max(sequence) filter (where at < now() - ${ms}::bigint * interval '1 millisecond'),
             min(sequence) - 1,
             0
           ) as sequence
      from (
        select sequence, at from event where merchant_id = ${merchantId} order by sequence desc limit ${limit}
      ) as newest`
  return row?.sequence ?? 0n
}

const greatestSequence = 2n ** 63n - 1n

export type EventNews = Pick<EventRow, 'sequence' | 'type'> & { readonly merchantId: MerchantId }

/** The types of each merchant's events after a number, oldest first, at most `limit` of each merchant. */
export function selectTypesAfter(
  sql: Sql,
  wanted: readonly { readonly merchantId: MerchantId; readonly after: bigint }[],
  limit: number,
): Promise<readonly EventNews[]> {
  return sql<EventNews[]>`
    select wanted.merchant_id as "merchantId", found.sequence, found.type
      from unnest(${list(wanted.map((each) => each.merchantId))}::uuid[], ${list(wanted.map((each) => each.after))}::bigint[])
           as wanted (merchant_id, after)
     cross join lateral (
       select event.sequence, event.type
         from event
        -- Compared as one row, so that only the primary key gives range and order: the index by type would be read whole.
        where row (event.merchant_id, event.sequence) > row (wanted.merchant_id, wanted.after)
          and row (event.merchant_id, event.sequence) <= row (wanted.merchant_id, ${greatestSequence}::bigint)
        order by event.merchant_id, event.sequence
        limit ${limit}
     ) as found
     order by wanted.merchant_id, found.sequence`
}

/** What events are searched by. */
export type EventFilter = {
  readonly type?: EventType
  /** The id of an event, or of the record that events are about. */
  readonly subject?: string
  /** Numbers of events: from this one, up to before that one. */
  readonly from?: bigint
  readonly before?: bigint
}

/** The most events of a record that are scanned for one page of those of a type, because few may fit. */
const scannedMax = 1_000

/**
 * The merchant's events that fit, newest first, and the number before which the next page continues. A page of one type of a record's
 * events may have fewer than `limit` events, or none, and still a next page.
 */
export async function searchEvents(
  sql: Sql,
  merchantId: MerchantId,
  filter: EventFilter,
  limit: number,
): Promise<{ readonly events: readonly EventRow[]; readonly next?: bigint }> {
  const { type, subject } = filter
  const scanLimit = type === undefined || subject === undefined ? limit + 1 : scannedMax
  const scan =
    subject === undefined
      ? ofMerchant(sql, merchantId, filter, scanLimit)
      : ofSubject(sql, merchantId, { ...filter, subject }, scanLimit)
  const scanned = await sql<Pick<EventRow, 'sequence' | 'type'>[]>`${scan}`
  const fitting = scanned.filter((event) => type === undefined || event.type === type)
  const shown = fitting.slice(0, limit).map(({ sequence }) => sequence)
  const events =
    shown.length === 0
      ? []
      : await sql<EventRow[]>`
    select id, sequence, type, resource_id as "resourceId", body, at
      from event
     where merchant_id = ${merchantId} and sequence = any (${list(shown)}::bigint[])
     order by sequence desc`
  const next =
    fitting.length > limit
      ? shown.at(-1)
      : scanned.length === scanLimit
        ? scanned.at(-1)?.sequence
        : undefined
  return next === undefined ? { events } : { events, next }
}

function ofMerchant(
  sql: Sql,
  merchantId: MerchantId,
  { type, from = 0n, before = greatestSequence }: EventFilter,
  scanLimit: number,
): Fragment {
  if (type === undefined)
    return sql`
      select sequence, type from event
       where merchant_id = ${merchantId} and sequence >= ${from} and sequence < ${before}
       order by sequence desc
       limit ${scanLimit}`
  // Compared as one row, so that only the index by type gives both range and order: a type may be common, with all its events far back.
  return sql`
    select sequence, type from event
     where merchant_id = ${merchantId}
       and row (type, sequence) >= row (${type}::text, ${from}::bigint) and row (type, sequence) < row (${type}::text, ${before}::bigint)
     order by type desc, sequence desc
     limit ${scanLimit}`
}

function ofSubject(
  sql: Sql,
  merchantId: MerchantId,
  { subject, from = 0n, before = greatestSequence }: EventFilter & { readonly subject: string },
  scanLimit: number,
): Fragment {
  return sql`
    (select sequence, type from event
      where merchant_id = ${merchantId} and id = ${subject}::uuid and sequence >= ${from} and sequence < ${before})
     union
    (select sequence, type from event
      where resource_id = ${subject}::uuid and merchant_id = ${merchantId} and sequence >= ${from} and sequence < ${before}
      order by sequence desc
      limit ${scanLimit})
     order by sequence desc
     limit ${scanLimit}`
}

export async function getEvent(sql: Sql, merchantId: MerchantId, id: EventId): Promise<EventRow | undefined> {
  const [row] = await sql<EventRow[]>`
    select id, sequence, type, resource_id as "resourceId", body, at
      from event
     where merchant_id = ${merchantId} and id = ${id}`
  return row
}

/**
 * The number of the merchant's first event that is not older than an instant, or the next number to come. Numbers and instants both grow,
 * so a binary search finds it.
 */
export async function firstSequenceSince(sql: Sql, merchantId: MerchantId, at: Date): Promise<bigint> {
  const [row] = await sql<{ sequence: bigint }[]>`
    with recursive search (older, newer) as (
      select 0::bigint, coalesce((select sequence from event_counter where merchant_id = ${merchantId}), 0) + 1
      union all
      select case when is_older then middle else older end, case when is_older then newer else middle end
        from (
          select older, newer, (older + newer) / 2 as middle,
                 -- The time of the next event: after a restore some numbers have no event.
                 coalesce((select event.at < ${at} from event
                            where merchant_id = ${merchantId} and sequence >= (older + newer) / 2
                            order by sequence limit 1), true) as is_older
            from search
           where newer - older > 1
        ) as half
    )
    select min(newer) as sequence from search`
  return must(row, 'a minimum has a row').sequence
}
