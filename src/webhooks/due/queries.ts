// All SQL of the worker that sends deliveries: finds, claims, records and releases them, receiver by receiver.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { dueIn, dueNow, type IsDue } from '#/db/due.ts'
import type { DeliveryId, EndpointId, EventId, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { DeliveryStatus, Receiver } from '../event.ts'

/**
 * Forces the planner to use the indexes, also where the tables look tiny. A plan made while the queue was empty is kept, and would
 * read the whole queue for every receiver when it is long. Local to the transaction.
 */
const byIndex = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort']
  .map((each) => `set local enable_${each} = off`)
  .join('; ')

/** A claim need not reach the disk: after a crash of the database the delivery is sent again, as at-least-once allows. */
const forgettable = 'set local synchronous_commit = off'

/** Runs one statement in a transaction with these settings. */
async function stepping<Row>(
  sql: Sql,
  query: (tx: Tx) => Promise<readonly Row[]>,
  settings = byIndex,
): Promise<readonly Row[]> {
  let rows: readonly Row[] = []
  await sql.begin(async (tx) => {
    ;[, rows] = await Promise.all([tx.unsafe(settings), query(tx)])
  })
  return rows
}

/** The endpoint that the origin of a row names; null when it is that of a URL. */
const endpointIn = (sql: Sql | Tx, row: string) => sql`
  case when ${sql(row)}.origin ~ '^(endpoint|recovery):[0-9a-f-]{36}$' then right(${sql(row)}.origin, 36)::uuid end`

/** Whether anything may be sent to a receiver now: what a disabled or deleted endpoint has waits. One look-up by primary key. */
const isOpen = (sql: Sql | Tx, row: string) => sql`
  (${endpointIn(sql, row)} is null
   or exists (select from webhook_endpoint as endpoint
               where endpoint.merchant_id = ${sql(row)}.merchant_id
                 and endpoint.id = ${endpointIn(sql, row)} and endpoint.status = 'ENABLED'))`

/** Whether any delivery is pending, also one that is due later: the steps through the receivers tell, once a second. */
export const isAnyPending: IsDue = (sql) => sql`exists (select from delivery_due)`

/** The number of the newest batch that left an untried delivery; zero when there is none. */
export async function newestBatch(sql: Sql): Promise<bigint> {
  const [row] = await stepping(
    sql,
    (tx) => tx<{ batch: bigint }[]>`
      select batch from delivery_due where lease is null and failures = 0 order by batch desc limit 1`,
  )
  return row?.batch ?? 0n
}

/** Receivers with an untried delivery that a batch after `batch` left, from the oldest such deliveries, and whether each is open. */
export function newReceivers(
  sql: Sql,
  batch: bigint,
  limit: number,
): Promise<readonly (Receiver & { batch: bigint; isOpen: boolean })[]> {
  return stepping(
    sql,
    (tx) => tx<(Receiver & { batch: bigint; isOpen: boolean })[]>`
      select merchant_id as "merchantId", origin, batch, ${isOpen(tx, 'fresh')} as "isOpen"
        from (
          select merchant_id, origin, max(batch) as batch
            from (
              select merchant_id, origin, batch from delivery_due
               where lease is null and failures = 0 and batch > ${batch}
               order by batch limit ${limit}
            ) as untried
           group by merchant_id, origin
        ) as fresh`,
  )
}

/** Sorts before every receiver. */
export const firstReceiver: Receiver = {
  merchantId: '00000000-0000-0000-0000-000000000000' as MerchantId,
  origin: '',
}

/**
 * Steps through the receivers that have pending deliveries, at most `limit` of them, beginning after `after`. For each it tells whether its
 * first delivery is due and may be sent. A step costs the same for one waiting delivery as for a million.
 */
export function stepReceivers(
  sql: Sql,
  after: Receiver,
  limit: number,
): Promise<readonly (Receiver & { isDue: boolean })[]> {
  return stepping(
    sql,
    (tx) => tx<(Receiver & { isDue: boolean })[]>`
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
      select merchant_id as "merchantId", origin, due_at <= ${dueNow(tx)} and ${isOpen(tx, 'step')} as "isDue" from step`,
  )
}

export type Turn = { readonly receiver: Receiver; readonly slots: number }

export type ClaimedDelivery = Receiver & {
  readonly id: DeliveryId
  readonly lease: string
  readonly failures: number
  readonly url: string
  /** The endpoint to whose URL it goes. Null: the URL of a payment or a withdrawal, with the secret of the merchant. */
  readonly endpointId: EndpointId | null
  /** The endpoint's, encrypted: the present one, and the one before while it still signs. */
  readonly secret: Buffer | null
  readonly secretBefore: Buffer | null
  readonly eventId: EventId
  readonly mode: Mode
  readonly body: string
  /** Of the call that made the payment, refund or withdrawal that the event is about; of a refund without one, its payment's. */
  readonly trace: string | null
}

/**
 * Claims for each turn's receiver, if it is open, the deliveries that have been due longest, at most its slots, for `leaseMs`. Skips,
 * without waiting, what another worker is claiming at this moment. A delivery to an endpoint goes to the URL that the endpoint has now.
 */
export function claimDue(
  sql: Sql,
  turns: readonly Turn[],
  lease: string,
  leaseMs: number,
): Promise<readonly ClaimedDelivery[]> {
  return stepping(
    sql,
    (tx) => tx<ClaimedDelivery[]>`
      with turn as (
        select *
          from unnest(${list(turns.map(({ receiver }) => receiver.merchantId))}::uuid[],
                      ${list(turns.map(({ receiver }) => receiver.origin))}::text[], ${list(turns.map(({ slots }) => slots))}::int[])
               as t (merchant_id, origin, slots)
         where ${isOpen(tx, 't')}
      ), chosen as materialized (
        select due.ctid
          from turn
         cross join lateral (
           select ctid from delivery_due
            where merchant_id = turn.merchant_id and origin = turn.origin and due_at <= ${dueNow(tx)}
            order by due_at limit turn.slots for update skip locked
         ) as due
      ), claimed as (
        update delivery_due set due_at = ${dueIn(tx, leaseMs)}, lease = ${lease}
         where ctid = any (array(select ctid from chosen))
        returning merchant_id, delivery_id, event_sequence, origin, failures
      )
      select claimed.merchant_id as "merchantId", claimed.delivery_id as id, claimed.origin, claimed.failures,
             ${lease} as lease, coalesce(endpoint.url, delivery.url) as url, delivery.endpoint_id as "endpointId",
             endpoint.secret, endpoint."secretBefore", event.id as "eventId", event.mode, event.body, origin.trace
        from claimed
       cross join lateral (
         select url, endpoint_id from delivery
          where merchant_id = claimed.merchant_id and id = claimed.delivery_id limit 1
       ) as delivery
       cross join lateral (
         select id, mode, body, type, resource_id from event
          where merchant_id = claimed.merchant_id and sequence = claimed.event_sequence limit 1
       ) as event
        left join lateral (
         select url, secret, case when previous_until > ${dueNow(tx)} then secret_previous end as "secretBefore"
           from webhook_endpoint
          where merchant_id = claimed.merchant_id and id = delivery.endpoint_id limit 1
       ) as endpoint on true
        left join lateral (
         select case when event.type like 'payment.%' then (
                       select trace from payment
                        where payment.merchant_id = claimed.merchant_id and payment.id = event.resource_id)
                     when event.type like 'refund.%' then (
                       select coalesce(refund.trace, (
                                select trace from payment
                                 where payment.merchant_id = refund.merchant_id and payment.id = refund.payment_id))
                         from refund
                        where refund.merchant_id = claimed.merchant_id and refund.id = event.resource_id)
                     when event.type like 'withdrawal.%' then (
                       select trace from withdrawal
                        where withdrawal.merchant_id = claimed.merchant_id and withdrawal.id = event.resource_id)
                end as trace
       ) as origin on true`,
    `${byIndex}; ${forgettable}`,
  )
}

export type AttemptResult = {
  readonly merchantId: MerchantId
  readonly deliveryId: DeliveryId
  readonly lease: string
  /** The endpoint that was tried, and its URL then. Null: the URL of a payment or a withdrawal. */
  readonly endpoint: { readonly id: EndpointId; readonly url: string } | null
  readonly id: string
  readonly at: Date
  readonly durationMs: number
  readonly responseStatus: number | null
  readonly responseBody: string | null
  readonly error: string | null
  readonly status: DeliveryStatus
  /** How long to wait before the next attempt, while PENDING. */
  readonly waitMs: number | null
}

/**
 * Records the results of attempts. Each attempt is kept in any case. The delivery changes only where the claim still holds, so an
 * answer that comes after the lease, or after the merchant sent the delivery again, changes nothing else. Also notes which endpoints
 * only fail.
 */
export async function recordAttempts(sql: Sql, results: readonly AttemptResult[]): Promise<void> {
  await stepping(sql, async (tx) => {
    const [rows] = await Promise.all([recordEach(tx, results), noteHealth(tx, results)])
    return rows
  })
}

function recordEach(tx: Tx, results: readonly AttemptResult[]) {
  return tx`
    with result as (
      select *
        from unnest(${list(results.map((each) => each.merchantId))}::uuid[], ${list(results.map((each) => each.deliveryId))}::uuid[],
                    ${list(results.map((each) => each.lease))}::uuid[], ${list(results.map((each) => each.id))}::uuid[],
                    ${list(results.map((each) => each.at))}::timestamptz[], ${list(results.map((each) => each.durationMs))}::int[],
                    ${list(results.map((each) => each.responseStatus))}::int[],
                    ${list(results.map((each) => each.responseBody))}::text[], ${list(results.map((each) => each.error))}::text[],
                    ${list(results.map((each) => each.status))}::text[], ${list(results.map((each) => each.waitMs))}::float8[],
                    ${list(results.map((each) => each.endpoint?.url))}::text[])
             as t (merchant_id, delivery_id, lease, id, at, duration_ms, response_status, response_body, error, status, wait_ms, url)
    ), kept as (
      insert into delivery_attempt (merchant_id, delivery_id, id, at, duration_ms, response_status, response_body, error)
      select merchant_id, delivery_id, id, at, duration_ms, response_status, response_body, error from result
      on conflict do nothing
    ), later as (
      update delivery_due set due_at = ${dueNow(tx)} + result.wait_ms * interval '1 millisecond', lease = null,
             failures = delivery_due.failures + 1
        from result
       where delivery_due.merchant_id = result.merchant_id and delivery_due.delivery_id = result.delivery_id
         and delivery_due.lease = result.lease and result.status = 'PENDING'
    ), done as (
      delete from delivery_due using result
       where delivery_due.merchant_id = result.merchant_id and delivery_due.delivery_id = result.delivery_id
         and delivery_due.lease = result.lease and result.status <> 'PENDING'
      returning result.merchant_id, result.delivery_id, result.status, result.url
    )
    update delivery set status = done.status, url = coalesce(done.url, delivery.url)
      from done
     where delivery.merchant_id = done.merchant_id and delivery.id = done.delivery_id`
}

/** Releases what was claimed and not sent: due at once, no attempt counted. */
export async function releaseClaims(
  sql: Sql,
  claims: readonly Pick<ClaimedDelivery, 'merchantId' | 'id' | 'lease'>[],
): Promise<void> {
  await sql`
    update delivery_due set due_at = ${dueNow(sql)}, lease = null
      from unnest(${list(claims.map((each) => each.merchantId))}::uuid[], ${list(claims.map((each) => each.id))}::uuid[],
                  ${list(claims.map((each) => each.lease))}::uuid[]) as claim (merchant_id, delivery_id, lease)
     where delivery_due.merchant_id = claim.merchant_id and delivery_due.delivery_id = claim.delivery_id
       and delivery_due.lease = claim.lease`
}

// The SQL that notes which endpoints only fail. While endpoints work, it writes nothing.

/** The result of an attempt, as far as endpoints are concerned. */
type Result = {
  readonly merchantId: MerchantId
  /** Null: it was not at an endpoint. */
  readonly endpoint: { readonly id: EndpointId; readonly url: string } | null
  readonly status: DeliveryStatus
  readonly responseStatus: number | null
}

/** How an endpoint did in some attempts. */
type Tried = {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  /** The URL that was tried. */
  readonly url: string
  readonly hasSucceeded: boolean
  readonly failures: number
  readonly isGone: boolean
}

/** An endpoint is disabled when it has only failed for this long, with at least this many failures. */
const failingHours = 5 * 24
const failuresMin = 20

/**
 * Notes for each endpoint that was tried whether it only fails: a success deletes all failures before it. A failure at a URL that the
 * endpoint no longer has does not count. Locks rows in the order of their ids, so that two workers that note the same endpoints wait for
 * one another and never deadlock.
 */
export async function noteHealth(tx: Tx, results: readonly Result[]): Promise<void> {
  const tried = summarise(results)
  if (tried.length === 0) return
  await tx`
    with tried as (
      select *
        from unnest(${list(tried.map((each) => each.merchantId))}::uuid[], ${list(tried.map((each) => each.endpointId))}::uuid[],
                    ${list(tried.map((each) => each.url))}::text[], ${list(tried.map((each) => each.hasSucceeded))}::boolean[],
                    ${list(tried.map((each) => each.failures))}::bigint[], ${list(tried.map((each) => each.isGone))}::boolean[])
             as t (merchant_id, endpoint_id, url, has_succeeded, failures, is_gone)
    ), locked as materialized (
      select failing.merchant_id, failing.endpoint_id, tried.has_succeeded
        from tried
        join webhook_endpoint_failing as failing using (merchant_id, endpoint_id)
       order by endpoint_id
         for update of failing
    ), recovered as (
      delete from webhook_endpoint_failing as failing
       using locked
       where failing.merchant_id = locked.merchant_id and failing.endpoint_id = locked.endpoint_id and locked.has_succeeded
    )
    insert into webhook_endpoint_failing as failing (merchant_id, endpoint_id, since, attempts, is_gone, disable_at)
    select bad.merchant_id, bad.endpoint_id, ${dueNow(tx)}, bad.failures, bad.is_gone,
           case when bad.is_gone then ${dueNow(tx)}
                when bad.failures >= ${failuresMin} then ${dueNow(tx)} + ${failingHours}::int * interval '1 hour' end
      from tried as bad
      join webhook_endpoint as endpoint
        on endpoint.merchant_id = bad.merchant_id and endpoint.id = bad.endpoint_id and endpoint.url = bad.url
       and endpoint.status in ('ENABLED', 'STARTING')
     where not bad.has_succeeded and (select count(*) from locked) >= 0
     order by bad.endpoint_id
        on conflict (merchant_id, endpoint_id)
        do update set attempts = failing.attempts + excluded.attempts, is_gone = failing.is_gone or excluded.is_gone,
                      disable_at = case when failing.is_gone or excluded.is_gone then least(failing.disable_at, ${dueNow(tx)})
                                        when failing.attempts + excluded.attempts >= ${failuresMin}
                                        then failing.since + ${failingHours}::int * interval '1 hour'
                                               - moved_ms_since(failing.merchant_id, failing.since) * interval '1 millisecond' end`
}

/** An endpoint that succeeded and failed in one batch of results counts as good: it does not only fail. */
function summarise(results: readonly Result[]): readonly Tried[] {
  const ofEndpoint = Map.groupBy(results, ({ endpoint }) => endpoint?.id)
  return [...ofEndpoint].flatMap(([endpointId, each]) => {
    const last = each.at(-1)
    const endpoint = last?.endpoint ?? null
    if (endpointId === undefined || last === undefined || endpoint === null) return []
    const failures = each.filter(({ status }) => status !== 'DELIVERED')
    return [
      {
        merchantId: last.merchantId,
        endpointId,
        url: endpoint.url,
        hasSucceeded: failures.length < each.length,
        failures: failures.length,
        isGone: failures.some(({ responseStatus }) => responseStatus === 410),
      },
    ]
  })
}
