// The SQL that reads deliveries with their attempts, and makes one due again.
import { list, type Fragment, type Sql, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { DeliveryId, EndpointId, EventId, MerchantId } from '#/kernel/id.ts'
import type { DeliveryStatus, EventType } from './event.ts'
import type { EventRow } from './queries.ts'

export type AttemptRow = {
  readonly at: Date
  readonly durationMs: number
  readonly responseStatus: number | null
  readonly responseBody: string | null
  readonly error: string | null
}

export type DeliveryRow = {
  readonly id: DeliveryId
  readonly eventId: EventId
  /** Null: the URL is that of a payment or a withdrawal. */
  readonly endpointId: EndpointId | null
  readonly url: string
  readonly status: DeliveryStatus
  /** Null when nothing is due, while an attempt is under way, and while its endpoint is disabled. Its turn may come later. */
  readonly nextAttemptAt: Date | null
  /** Oldest first. When there are very many: the newest. */
  readonly attempts: readonly AttemptRow[]
}

/** The merchant's deliveries, newest first: of one event, or of all. `cursor`: the id of the last one of the page before. */
export async function listDeliveries(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly eventId?: EventId; readonly limit: number; readonly cursor?: DeliveryId },
): Promise<{ readonly data: readonly DeliveryRow[]; readonly nextCursor?: DeliveryId }> {
  const ofEvent =
    page.eventId === undefined
      ? sql``
      : sql`and event_sequence = (select sequence from event where merchant_id = ${merchantId} and id = ${page.eventId})`
  const before =
    page.cursor === undefined
      ? sql``
      : sql`and (event_sequence, id) < (
          select event_sequence, id from delivery where merchant_id = ${merchantId} and id = ${page.cursor})`
  const found = await sql<{ id: DeliveryId }[]>`
    select id from delivery
     where merchant_id = ${merchantId} ${ofEvent} ${before}
     order by event_sequence desc, id desc
     limit ${page.limit + 1}`
  const data = await selectDeliveries(
    sql,
    merchantId,
    found.slice(0, page.limit).map(({ id }) => id),
  )
  const last = data.at(-1)
  return found.length > page.limit && last !== undefined ? { data, nextCursor: last.id } : { data }
}

/** What deliveries are searched by. */
export type DeliveryFilter = {
  readonly endpointId?: EndpointId
  readonly status?: DeliveryStatus
  readonly type?: EventType
  /** The id of an event, or of the record that events are about. */
  readonly subject?: string
  /** To this host, in lower case. */
  readonly host?: string
  /** Of events from this number on, and of events before that one. */
  readonly from?: bigint
  readonly before?: bigint
}

/** A place in the list of all deliveries, newest first: after this one. */
export type DeliveryPosition = { readonly sequence: bigint; readonly id: DeliveryId }

/** The most deliveries that are scanned for one page of those with a status, a type or a host, because few may fit. */
const scannedMax = 1_000

/**
 * The merchant's deliveries that fit, newest first. With a status, a type or a host a page may have fewer than `limit` deliveries, or none,
 * and still a position from which the next page continues.
 */
export async function searchDeliveries(
  sql: Sql,
  merchantId: MerchantId,
  filter: DeliveryFilter,
  page: { readonly limit: number; readonly after?: DeliveryPosition },
): Promise<{ readonly data: readonly DeliveryRow[]; readonly next?: DeliveryPosition }> {
  const { status, type, host, subject } = filter
  const { limit, after } = page
  const scanLimit = [status, type, host].every((each) => each === undefined) ? limit + 1 : scannedMax
  const part = (value: unknown, condition: Fragment) => (value === undefined ? sql`` : condition)
  const scanned = await sql<(DeliveryPosition & { fits: boolean })[]>`
    select delivery.event_sequence as sequence, delivery.id,
           ${status === undefined ? sql`true` : sql`delivery.status = ${status}`}
           and ${
             type === undefined
               ? sql`true`
               : sql`exists (select from event
                              where event.merchant_id = ${merchantId} and event.sequence = delivery.event_sequence
                                and event.type = ${type})`
           }
           and ${host === undefined ? sql`true` : sql`${hostOf(sql)} = ${host}`} as fits
      from (
        select event_sequence, id, status, url from delivery
         where merchant_id = ${merchantId}
               ${part(filter.endpointId, sql`and endpoint_id = ${filter.endpointId ?? ''}`)}
               ${part(subject, sql`and event_sequence = any (array(${sequencesOf(sql, merchantId, subject ?? '')}))`)}
               ${part(filter.from, sql`and event_sequence >= ${filter.from ?? 0n}`)}
               ${part(filter.before, sql`and event_sequence < ${filter.before ?? 0n}`)}
               ${part(after, sql`and (event_sequence, id) < (${after?.sequence ?? 0n}, ${after?.id ?? ''})`)}
         order by event_sequence desc, id desc
         limit ${scanLimit}
      ) as delivery
     order by delivery.event_sequence desc, delivery.id desc`
  const fitting = scanned.filter(({ fits }) => fits)
  const shown = fitting.slice(0, limit)
  const data = await selectDeliveries(
    sql,
    merchantId,
    shown.map(({ id }) => id),
  )
  const next =
    fitting.length > limit ? shown.at(-1) : scanned.length === scanLimit ? scanned.at(-1) : undefined
  return next === undefined ? { data } : { data, next }
}

/** The most events of one record whose deliveries are searched: the newest. */
const eventsOfRecordMax = 1_000

function sequencesOf(sql: Sql, merchantId: MerchantId, id: string) {
  return sql`
    (select sequence from event where merchant_id = ${merchantId} and id = ${id}::uuid)
     union
    (select sequence from event where resource_id = ${id}::uuid and merchant_id = ${merchantId}
      order by sequence desc limit ${eventsOfRecordMax})`
}

/** The host of a delivery's address, without its port. */
function hostOf(sql: Sql) {
  return sql`lower(substring(delivery.url from '^[A-Za-z]+://(?:[^/?#@]*@)?([^/:?#]+)'))`
}

export type LatestDelivery = Pick<DeliveryRow, 'id' | 'url' | 'status'> &
  Pick<EventRow, 'type' | 'resourceId' | 'at'> & {
    /** The latest five, newest first. */
    readonly attempts: readonly Omit<AttemptRow, 'responseBody'>[]
  }

/** The merchant's latest deliveries with their events, newest first: for a page that shows activity. */
export async function latestDeliveries(
  sql: Sql,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly LatestDelivery[]> {
  type AttemptJson = Omit<LatestDelivery['attempts'][number], 'at'> & { readonly at: string }
  const rows = await sql<
    (Omit<LatestDelivery, 'attempts'> & { readonly attempts: readonly AttemptJson[] })[]
  >`
    select delivery.id, delivery.url, delivery.status, event.type, event.resource_id as "resourceId", event.at,
           coalesce((
             select json_agg(latest)
               from (select at, duration_ms as "durationMs", response_status as "responseStatus", error
                       from delivery_attempt
                      where merchant_id = ${merchantId} and delivery_id = delivery.id
                      order by id desc
                      limit 5) as latest), '[]') as attempts
      from (select id, url, status, event_sequence from delivery
             where merchant_id = ${merchantId}
             order by event_sequence desc, id desc
             limit ${limit}) as delivery
      join event on event.merchant_id = ${merchantId} and event.sequence = delivery.event_sequence
     order by delivery.event_sequence desc, delivery.id desc`
  return rows.map(({ attempts, ...row }) => ({
    ...row,
    attempts: attempts.map((each) => ({ ...each, at: new Date(each.at) })),
  }))
}

export async function getDelivery(
  sql: Sql,
  merchantId: MerchantId,
  id: DeliveryId,
): Promise<DeliveryRow | undefined> {
  const [row] = await selectDeliveries(sql, merchantId, [id])
  return row
}

/** The most attempts shown of a delivery: the newest. */
const attemptsShown = 50

/** A delivery with one of its attempts, or without one while there is none. */
type Line = Omit<DeliveryRow, 'attempts'> & (AttemptRow | { readonly [Name in keyof AttemptRow]: null })

/** One statement, so that each delivery and its attempts are of one moment. */
async function selectDeliveries(
  sql: Sql,
  merchantId: MerchantId,
  ids: readonly DeliveryId[],
): Promise<readonly DeliveryRow[]> {
  if (ids.length === 0) return []
  const lines = await sql<Line[]>`
    select delivery.id, event.id as "eventId", delivery.endpoint_id as "endpointId", delivery.status,
           case when delivery.status = 'PENDING' then coalesce(endpoint.url, delivery.url) else delivery.url end as url,
           case when due.due_at is not null and due.lease is null
                 and (delivery.endpoint_id is null or endpoint.status = 'ENABLED')
                then greatest(due.due_at, event.at) end as "nextAttemptAt",
           attempt.at, attempt.duration_ms as "durationMs", attempt.response_status as "responseStatus",
           attempt.response_body as "responseBody", attempt.error
      from delivery
      join event on event.merchant_id = delivery.merchant_id and event.sequence = delivery.event_sequence
      left join delivery_due as due on due.merchant_id = delivery.merchant_id and due.delivery_id = delivery.id
      left join webhook_endpoint as endpoint
             on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
      left join lateral (
        select id, at, duration_ms, response_status, response_body, error
          from delivery_attempt
         where merchant_id = delivery.merchant_id and delivery_id = delivery.id
         order by at desc, id desc
         limit ${attemptsShown}
      ) as attempt on true
     where delivery.merchant_id = ${merchantId} and delivery.id = any (${list(ids)}::uuid[])
     order by delivery.event_sequence desc, delivery.id desc, attempt.at, attempt.id`
  return [...Map.groupBy(lines, ({ id }) => id).values()].flatMap(deliveryOf)
}

function deliveryOf(lines: readonly Line[]): readonly DeliveryRow[] {
  const [first] = lines
  if (first === undefined) return []
  const { id, eventId, endpointId, url, status, nextAttemptAt } = first
  const attempts = lines.flatMap((line) => (line.at === null ? [] : [attemptOf(line)]))
  return [{ id, eventId, endpointId, url, status, nextAttemptAt, attempts }]
}

function attemptOf({ at, durationMs, responseStatus, responseBody, error }: AttemptRow): AttemptRow {
  return { at, durationMs, responseStatus, responseBody, error }
}

/**
 * Makes a delivery due now, in any state: it gets a new round of attempts and keeps its history. What a disabled endpoint holds stays held.
 * Locks rows in the same order as the worker: the first due first. `beside`: what is written in the same transaction.
 */
export async function resend(
  sql: Sql,
  merchantId: MerchantId,
  id: DeliveryId,
  beside?: (tx: Tx) => Promise<void>,
): Promise<'resent' | 'not_found' | 'endpoint_deleted'> {
  return sql.begin(async (tx) => {
    await tx`select 1 from delivery_due where merchant_id = ${merchantId} and delivery_id = ${id} for update`
    const [found] = await tx<{ isOver: boolean }[]>`
      select coalesce(endpoint.status = 'DELETED', false) as "isOver"
        from delivery
        left join webhook_endpoint as endpoint
               on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
       where delivery.merchant_id = ${merchantId} and delivery.id = ${id}`
    if (found === undefined) return 'not_found'
    if (found.isOver) return 'endpoint_deleted'
    await tx`
      with reopened as (
        update delivery set status = 'PENDING'
         where merchant_id = ${merchantId} and id = ${id}
        returning merchant_id, id, event_sequence, origin
      )
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select merchant_id, id, event_sequence, origin, ${dueNow(tx)}, 0 from reopened
      on conflict (merchant_id, delivery_id) do update set due_at = excluded.due_at, lease = null, failures = 0`
    await beside?.(tx)
    return 'resent'
  })
}
