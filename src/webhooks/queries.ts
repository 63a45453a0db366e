// All SQL of the webhooks. What the books' transaction writes takes whole arrays; what the worker claims, it claims
// endpoint by endpoint.
import type { Sql, Tx } from '#/db/client.ts'
import type { DeliveryId, EventId, MerchantId } from '#/kernel/id.ts'
import type { DeliveryStatus, Endpoint, EventMode, EventType } from './event.ts'

// ---- Written by the transaction that changes the state

/** Moves each merchant's counter on by its count. Answers the last number of each range. */
export function advanceCounters(
  tx: Tx,
  counts: ReadonlyMap<MerchantId, bigint>,
): Promise<readonly { merchantId: MerchantId; sequence: bigint }[]> {
  return tx<{ merchantId: MerchantId; sequence: bigint }[]>`
    insert into event_counter (merchant_id, sequence)
    select * from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[])
    on conflict (merchant_id) do update set sequence = event_counter.sequence + excluded.sequence
    returning merchant_id as "merchantId", sequence`
}

type NewEvent = {
  readonly merchantId: MerchantId
  readonly sequence: bigint
  readonly id: EventId
  readonly type: EventType
  readonly mode: EventMode
  readonly resourceId: string
  readonly body: string
}
type NewDelivery = {
  readonly merchantId: MerchantId
  readonly sequence: bigint
  readonly id: DeliveryId
  readonly url: string
  readonly origin: string
}

/** In one statement: the events, their deliveries, and these due at once. */
export async function insertEvents(
  tx: Tx,
  events: readonly NewEvent[],
  deliveries: readonly NewDelivery[],
  moment: { readonly batch: bigint; readonly at: Date },
): Promise<void> {
  await tx`
    with sent as (
      select *
        from unnest(${deliveries.map((each) => each.merchantId)}::uuid[], ${deliveries.map((each) => each.id)}::uuid[],
                    ${deliveries.map((each) => each.sequence)}::bigint[], ${deliveries.map((each) => each.url)}::text[],
                    ${deliveries.map((each) => each.origin)}::text[]) as t (merchant_id, id, event_sequence, url, origin)
    ), recorded as (
      insert into delivery (merchant_id, id, event_sequence, url, origin)
      select merchant_id, id, event_sequence, url, origin from sent
    ), due as (
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select merchant_id, id, event_sequence, origin, ${moment.at}::timestamptz, ${moment.batch}::bigint from sent
    )
    insert into event (merchant_id, sequence, id, type, mode, resource_id, body, batch, at)
    select *, ${moment.batch}::bigint, ${moment.at}::timestamptz
      from unnest(${events.map((each) => each.merchantId)}::uuid[], ${events.map((each) => each.sequence)}::bigint[],
                  ${events.map((each) => each.id)}::uuid[], ${events.map((each) => each.type)}::text[],
                  ${events.map((each) => each.mode)}::text[], ${events.map((each) => each.resourceId)}::uuid[],
                  ${events.map((each) => each.body)}::text[])`
}

// ---- The worker: what is due, claiming it, and what became of it

/**
 * The planner must step through the index of endpoints even where the table looks tiny: a plan made while the queue
 * was empty is kept, and would read all of it for every endpoint when it is long. Local to the transaction.
 */
const stepByIndex = `set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off`

/** Runs one statement under `stepByIndex`. */
function stepping<Row>(sql: Sql, query: (tx: Tx) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  return sql.begin(async (tx): Promise<readonly Row[]> => {
    const [, rows] = await Promise.all([tx.unsafe(stepByIndex), query(tx)])
    return rows
  }) as Promise<readonly Row[]>
}

/** The number of the newest batch that left a delivery which nobody has tried yet; zero when there is none. */
export async function newestBatch(sql: Sql): Promise<bigint> {
  const [row] = await stepping(
    sql,
    (tx) => tx<{ batch: bigint }[]>`
      select batch from delivery_due where lease is null and failures = 0 order by batch desc limit 1`,
  )
  return row?.batch ?? 0n
}

/** Endpoints with a delivery that a batch after `batch` left and that nobody has tried yet, among the oldest such. */
export function newEndpoints(sql: Sql, batch: bigint, limit: number): Promise<readonly (Endpoint & { batch: bigint })[]> {
  return stepping(
    sql,
    (tx) => tx<(Endpoint & { batch: bigint })[]>`
      select merchant_id as "merchantId", origin, max(batch) as batch
        from (
          select merchant_id, origin, batch from delivery_due
           where lease is null and failures = 0 and batch > ${batch}
           order by batch limit ${limit}
        ) as fresh
       group by merchant_id, origin`,
  )
}

/** The endpoint before all others. */
export const firstEndpoint: Endpoint = {
  merchantId: '00000000-0000-0000-0000-000000000000' as MerchantId,
  origin: '',
}

/**
 * Steps through the endpoints that have anything pending, from the one after `after`, at most `limit` of them, each
 * with the time its first is due. A step costs the same whether one delivery waits there or a million.
 */
export function stepEndpoints(
  sql: Sql,
  after: Endpoint,
  limit: number,
): Promise<readonly (Endpoint & { dueAt: Date })[]> {
  return stepping(
    sql,
    (tx) => tx<(Endpoint & { dueAt: Date })[]>`
      with recursive step as (
        (
          select merchant_id, origin, due_at, 1 as nth from delivery_due
           where (merchant_id, origin) > (${after.merchantId}::uuid, ${after.origin})
           order by merchant_id, origin, due_at limit 1
        )
        union all
        select following.*, step.nth + 1
          from step
         cross join lateral (
           select merchant_id, origin, due_at from delivery_due
            where (merchant_id, origin) > (step.merchant_id, step.origin)
            order by merchant_id, origin, due_at limit 1
         ) as following
         where step.nth < ${limit}
      )
      select merchant_id as "merchantId", origin, due_at as "dueAt" from step`,
  )
}

export type Turn = { readonly endpoint: Endpoint; readonly slots: number }

export type ClaimedDelivery = Endpoint & {
  readonly id: DeliveryId
  readonly lease: string
  readonly failures: number
  readonly url: string
  readonly eventId: EventId
  readonly mode: EventMode
  readonly body: string
}

/**
 * Claims for each turn's endpoint the deliveries that have been due longest, at most its slots, and holds them until
 * `until`. What another worker claims at this moment is passed over, not waited for.
 */
export function claimDue(
  sql: Sql,
  turns: readonly Turn[],
  lease: string,
  moment: { readonly now: Date; readonly until: Date },
): Promise<readonly ClaimedDelivery[]> {
  return stepping(
    sql,
    (tx) => tx<ClaimedDelivery[]>`
      with turn as (
        select *
          from unnest(${turns.map(({ endpoint }) => endpoint.merchantId)}::uuid[],
                      ${turns.map(({ endpoint }) => endpoint.origin)}::text[], ${turns.map(({ slots }) => slots)}::int[])
               as t (merchant_id, origin, slots)
      ), chosen as materialized (
        select due.ctid
          from turn
         cross join lateral (
           select ctid from delivery_due
            where merchant_id = turn.merchant_id and origin = turn.origin and due_at <= ${moment.now}
            order by due_at limit turn.slots for update skip locked
         ) as due
      ), claimed as (
        update delivery_due set due_at = ${moment.until}, lease = ${lease}
         where ctid = any (array(select ctid from chosen))
        returning merchant_id, delivery_id, event_sequence, failures
      )
      select claimed.merchant_id as "merchantId", claimed.delivery_id as id, claimed.failures, ${lease} as lease,
             delivery.url, delivery.origin, event.id as "eventId", event.mode, event.body
        from claimed
       cross join lateral (
         select url, origin from delivery
          where merchant_id = claimed.merchant_id and id = claimed.delivery_id limit 1
       ) as delivery
       cross join lateral (
         select id, mode, body from event
          where merchant_id = claimed.merchant_id and sequence = claimed.event_sequence limit 1
       ) as event`,
  )
}

export type AttemptResult = {
  readonly merchantId: MerchantId
  readonly deliveryId: DeliveryId
  readonly lease: string
  readonly id: string
  readonly at: Date
  readonly durationMs: number
  readonly responseStatus: number | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly status: DeliveryStatus
  /** When to try again, while PENDING. */
  readonly dueAt: Date | null
}

/**
 * Writes what became of attempts. The attempt is kept in any case; the delivery moves only where the claim still holds,
 * so an answer that comes after the lease, or after the merchant asked to send again, changes nothing else.
 */
export async function recordAttempts(sql: Sql, results: readonly AttemptResult[]): Promise<void> {
  await sql`
    with result as (
      select *
        from unnest(${results.map((each) => each.merchantId)}::uuid[], ${results.map((each) => each.deliveryId)}::uuid[],
                    ${results.map((each) => each.lease)}::uuid[], ${results.map((each) => each.id)}::uuid[],
                    ${results.map((each) => each.at)}::timestamptz[], ${results.map((each) => each.durationMs)}::int[],
                    ${results.map((each) => each.responseStatus)}::int[],
                    ${results.map((each) => each.responseBody)}::text[], ${results.map((each) => each.error)}::text[],
                    ${results.map((each) => each.status)}::text[], ${results.map((each) => each.dueAt)}::timestamptz[])
             as t (merchant_id, delivery_id, lease, id, at, duration_ms, response_status, response_body, error, status, due_at)
    ), kept as (
      insert into delivery_attempt (merchant_id, delivery_id, id, at, duration_ms, response_status, response_body, error)
      select merchant_id, delivery_id, id, at, duration_ms, response_status, response_body, error from result
      on conflict do nothing
    ), later as (
      update delivery_due set due_at = result.due_at, lease = null, failures = delivery_due.failures + 1
        from result
       where delivery_due.merchant_id = result.merchant_id and delivery_due.delivery_id = result.delivery_id
         and delivery_due.lease = result.lease and result.status = 'PENDING'
    ), done as (
      delete from delivery_due using result
       where delivery_due.merchant_id = result.merchant_id and delivery_due.delivery_id = result.delivery_id
         and delivery_due.lease = result.lease and result.status <> 'PENDING'
      returning result.merchant_id, result.delivery_id, result.status
    )
    update delivery set status = done.status
      from done
     where delivery.merchant_id = done.merchant_id and delivery.id = done.delivery_id`
}

/** Gives back what was claimed and not sent: due at once, no attempt counted. */
export async function releaseClaims(sql: Sql, leases: readonly string[], now: Date): Promise<void> {
  await sql`
    update delivery_due set due_at = ${now}, lease = null
     where lease = any (${leases}::uuid[])`
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

/** The merchant's events after number `after`, oldest first. Numbers have no gaps, so nothing can slip in between later. */
export function listEvents(
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

export async function getEvent(sql: Sql, merchantId: MerchantId, id: EventId): Promise<EventRow | undefined> {
  const [row] = await sql<EventRow[]>`
    select id, sequence, type, resource_id as "resourceId", body, at
      from event
     where merchant_id = ${merchantId} and id = ${id}`
  return row
}

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
  readonly url: string
  readonly status: DeliveryStatus
  /** Absent when nothing is due, and while an attempt is under way. */
  readonly nextAttemptAt: Date | null
  /** Oldest first; of very many, the last ones. */
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
  const before = page.cursor === undefined ? sql`` : sql`and id < ${page.cursor}`
  const found = await sql<{ id: DeliveryId }[]>`
    select id from delivery
     where merchant_id = ${merchantId} ${ofEvent} ${before}
     order by id desc
     limit ${page.limit + 1}`
  const data = await selectDeliveries(sql, merchantId, found.slice(0, page.limit).map(({ id }) => id))
  const last = data.at(-1)
  return found.length > page.limit && last !== undefined ? { data, nextCursor: last.id } : { data }
}

export async function getDelivery(sql: Sql, merchantId: MerchantId, id: DeliveryId): Promise<DeliveryRow | undefined> {
  const [row] = await selectDeliveries(sql, merchantId, [id])
  return row
}

/** At most this many attempts of a delivery are shown: the newest. */
const attemptsShown = 50

async function selectDeliveries(sql: Sql, merchantId: MerchantId, ids: readonly DeliveryId[]): Promise<readonly DeliveryRow[]> {
  if (ids.length === 0) return []
  const [rows, attempts] = await Promise.all([
    sql<Omit<DeliveryRow, 'attempts'>[]>`
      select delivery.id, event.id as "eventId", delivery.url, delivery.status,
             case when due.lease is null then due.due_at end as "nextAttemptAt"
        from delivery
        join event on event.merchant_id = delivery.merchant_id and event.sequence = delivery.event_sequence
        left join delivery_due as due on due.merchant_id = delivery.merchant_id and due.delivery_id = delivery.id
       where delivery.merchant_id = ${merchantId} and delivery.id = any (${ids}::uuid[])
       order by delivery.id desc`,
    sql<(AttemptRow & { deliveryId: DeliveryId })[]>`
      select attempt.*
        from unnest(${ids}::uuid[]) as wanted (id)
       cross join lateral (
         select delivery_id as "deliveryId", id, at, duration_ms as "durationMs", response_status as "responseStatus",
                response_body as "responseBody", error
           from delivery_attempt
          where merchant_id = ${merchantId} and delivery_id = wanted.id
          order by id desc
          limit ${attemptsShown}
       ) as attempt
       order by attempt.id`,
  ])
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  return rows.map((row) => ({ ...row, attempts: byDelivery.get(row.id) ?? [] }))
}

/**
 * Makes a delivery due now, whatever became of it before: a new round of attempts, its history kept. Answers false when
 * the merchant has no such delivery. Locks in the worker's order, what is due first.
 */
export async function resend(sql: Sql, merchantId: MerchantId, id: DeliveryId, now: Date): Promise<boolean> {
  return sql.begin(async (tx) => {
    await tx`select 1 from delivery_due where merchant_id = ${merchantId} and delivery_id = ${id} for update`
    const due = await tx`
      with reopened as (
        update delivery set status = 'PENDING'
         where merchant_id = ${merchantId} and id = ${id}
        returning merchant_id, id, event_sequence, origin
      )
      insert into delivery_due (merchant_id, delivery_id, event_sequence, origin, due_at, batch)
      select merchant_id, id, event_sequence, origin, ${now}::timestamptz, 0 from reopened
      on conflict (merchant_id, delivery_id) do update set due_at = excluded.due_at, lease = null, failures = 0`
    return due.count === 1
  })
}
