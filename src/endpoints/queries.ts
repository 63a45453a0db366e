// The SQL of webhook endpoints, of the API and of workers. What events and deliveries need of them is in webhooks/.
import { list, type Sql, type Tx } from '#/db/client.ts'
import { afterDueInOrder, dueIn, dueInOrder, dueNow, type IsDue } from '#/db/due.ts'
import { rowsOf } from '#/db/rows.ts'
import { must } from '#/kernel/check.ts'
import type { EndpointId, MerchantId } from '#/kernel/id.ts'
import { type EventType, originOfEndpoint, originOfRecovery } from '#/webhooks/event.ts'
import type { DisabledReason, Endpoint } from './endpoint.ts'

const columns = (sql: Sql | Tx) => sql`
  endpoint.merchant_id as "merchantId", endpoint.id, merchant.mode, endpoint.url, endpoint.event_types as "eventTypes",
  endpoint.description, endpoint.status, endpoint.disabled_reason as "disabledReason",
  endpoint.disabled_at as "disabledAt", coalesce(endpoint.failing_since, failing.since) as "failingSince",
  case when endpoint.previous_until > ${dueNow(sql)} then endpoint.previous_until end as "previousSecretUntil",
  endpoint.created_at as "createdAt", endpoint.version`

const withFailing = (sql: Sql | Tx) => sql`
  webhook_endpoint as endpoint
  join merchant on merchant.id = endpoint.merchant_id
  left join webhook_endpoint_failing as failing
         on failing.merchant_id = endpoint.merchant_id and failing.endpoint_id = endpoint.id`

/** The merchant's endpoints that are not deleted, oldest first. */
export function selectEndpoints(
  sql: Sql,
  merchantId: MerchantId,
  page: { readonly after?: EndpointId; readonly limit: number },
): Promise<readonly Endpoint[]> {
  const after = page.after === undefined ? sql`` : sql`and endpoint.id > ${page.after}`
  return sql<Endpoint[]>`
    select ${columns(sql)} from ${withFailing(sql)}
     where endpoint.merchant_id = ${merchantId} and endpoint.status <> 'DELETED' ${after}
     order by endpoint.id limit ${page.limit}`
}

/** The endpoint, unless it is deleted. */
export async function selectEndpoint(
  sql: Sql | Tx,
  merchantId: MerchantId,
  id: EndpointId,
): Promise<Endpoint | undefined> {
  const [row] = await sql<Endpoint[]>`
    select ${columns(sql)} from ${withFailing(sql)}
     where endpoint.merchant_id = ${merchantId} and endpoint.id = ${id} and endpoint.status <> 'DELETED'`
  return row
}

/** These endpoints, unless they are deleted. */
export function selectEndpointsById(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly id: EndpointId }[],
): Promise<readonly Endpoint[]> {
  return tx<Endpoint[]>`
    select ${columns(tx)}
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join (${withFailing(tx)}) on endpoint.merchant_id = wanted.merchant_id and endpoint.id = wanted.id
     where endpoint.status <> 'DELETED'`
}

/** Serialises what must be counted before it is written: one transaction at a time creates endpoints of a merchant. */
export async function lockMerchant(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx`select 1 from merchant where id = ${merchantId} for no key update`
}

/** How many endpoints the merchant has that are not deleted. */
export async function countEndpoints(tx: Tx, merchantId: MerchantId): Promise<number> {
  const [row] = await tx<{ endpoints: number }[]>`
    select count(*)::int as endpoints from webhook_endpoint where merchant_id = ${merchantId} and status <> 'DELETED'`
  return must(row, 'a count has a row').endpoints
}

/** What a key created before, deleted or not. */
export async function selectByKey(
  tx: Tx,
  merchantId: MerchantId,
  key: string,
): Promise<(Endpoint & { readonly fingerprint: Buffer }) | undefined> {
  const [row] = await tx<(Endpoint & { fingerprint: Buffer })[]>`
    select ${columns(tx)}, endpoint.fingerprint from ${withFailing(tx)}
     where endpoint.merchant_id = ${merchantId} and endpoint.idempotency_key = ${key}`
  return row
}

export type NewEndpoint = Pick<Endpoint, 'merchantId' | 'id' | 'url' | 'eventTypes' | 'description'> & {
  readonly sealed: Buffer
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Buffer | undefined
}

export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<void> {
  const { merchantId, id, url, eventTypes, description, sealed, idempotencyKey, fingerprint } = endpoint
  await tx`
    insert into webhook_endpoint
           (merchant_id, id, url, event_types, event_types_since, description, status, secret, idempotency_key,
            fingerprint, created_at)
    values (${merchantId}, ${id}, ${url}, ${typesOf(eventTypes)}::text[], ${dueNow(tx)}, ${description}, 'ENABLED',
            ${sealed}, ${idempotencyKey ?? null}, ${fingerprint ?? null}, ${dueNow(tx)})`
}

function typesOf(types: readonly EventType[] | null) {
  return types === null ? null : list(types)
}

/** The endpoint, locked until the transaction ends, unless it is deleted. */
export async function lockEndpoint(
  tx: Tx,
  merchantId: MerchantId,
  id: EndpointId,
): Promise<Endpoint | undefined> {
  await tx`select 1 from webhook_endpoint where merchant_id = ${merchantId} and id = ${id} for update`
  return selectEndpoint(tx, merchantId, id)
}

/** What a change sets. Absent: it stays. */
export type EndpointChange = {
  readonly url?: string
  readonly eventTypes?: readonly EventType[] | null
  readonly description?: string | null
  readonly status?: 'STARTING' | 'DISABLED'
}

/** Writes a change of a locked endpoint. Another URL, or enabling it again, deletes the record of its earlier failures. */
export async function updateEndpoint(tx: Tx, before: Endpoint, change: EndpointChange): Promise<void> {
  const { merchantId, id } = before
  const after = { ...before, ...change }
  await tx`
    update webhook_endpoint
       set version = version + 1, url = ${after.url}, description = ${after.description}, event_types = ${typesOf(after.eventTypes)}::text[],
           event_types_since = case when ${change.eventTypes === undefined} then event_types_since else ${dueNow(tx)} end
     where merchant_id = ${merchantId} and id = ${id}`
  if (change.status !== undefined) await setStatus(tx, before, change.status)
  if (after.url !== before.url || change.status === 'STARTING') await forgetFailures(tx, before)
}

async function setStatus(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
  status: 'STARTING' | 'DISABLED',
): Promise<void> {
  const isDisabled = status === 'DISABLED'
  await tx`
    update webhook_endpoint
       set status = ${status}, failing_since = null, disabled_reason = ${isDisabled ? 'REQUESTED' : null},
           disabled_at = case when ${isDisabled} then ${dueNow(tx)} end
     where merchant_id = ${merchantId} and id = ${id}`
}

/** A new start: nothing has failed yet. */
export async function forgetFailures(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
): Promise<void> {
  await tx`delete from webhook_endpoint_failing where merchant_id = ${merchantId} and endpoint_id = ${id}`
}

/** Makes a new sealed secret the present one; the one before signs for `overlapMs` more. */
export async function replaceSecret(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
  sealed: Buffer,
  overlapMs: number,
): Promise<void> {
  const overlaps = overlapMs > 0
  await tx`
    update webhook_endpoint
       set secret_previous = case when ${overlaps} then secret end,
           previous_until = case when ${overlaps} then ${dueIn(tx, overlapMs)} end, secret = ${sealed},
           version = version + 1
     where merchant_id = ${merchantId} and id = ${id}`
}

/** Deletes a locked endpoint for its merchant: its row stays for its deliveries, its secrets do not. */
export async function markDeleted(
  tx: Tx,
  { merchantId, id }: Pick<Endpoint, 'merchantId' | 'id'>,
): Promise<void> {
  await tx`
    update webhook_endpoint
       set status = 'DELETED', deleted_at = ${dueNow(tx)}, disabled_reason = null, disabled_at = null,
           failing_since = null, secret = '', secret_previous = null, previous_until = null,
           version = version + 1
     where merchant_id = ${merchantId} and id = ${id}`
  await tx`
    update webhook_recovery set status = 'CANCELED', ended_at = ${dueNow(tx)}
     where merchant_id = ${merchantId} and endpoint_id = ${id} and status = 'RUNNING'`
}

// ---- Disabled by us

/** Endpoints that have only failed for so long, or with such an answer, that they are to be disabled, the longest due first. */
export function selectToDisable(
  sql: Sql,
  limit: number,
): Promise<readonly { merchantId: MerchantId; id: EndpointId }[]> {
  return sql<{ merchantId: MerchantId; id: EndpointId }[]>`
    select merchant_id as "merchantId", endpoint_id as id
      from webhook_endpoint_failing
     where disable_at <= ${dueNow(sql)}
     order by disable_at limit ${limit}`
}

export const isDisablingDue: IsDue = (sql) =>
  sql`exists (select from webhook_endpoint_failing where disable_at <= ${dueNow(sql)})`

export type Failing = Endpoint & {
  readonly since: Date
  readonly attempts: bigint
  readonly isGone: boolean
}

/** Those of these endpoints that are still to be disabled, locked; one that is not enabled any more comes with its status. */
export function lockFailing(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly id: EndpointId }[],
): Promise<readonly Failing[]> {
  return tx<Failing[]>`
    select ${columns(tx)}, failing.since, failing.attempts, failing.is_gone as "isGone"
      from ${rowsOf(tx, 'wanted', keys, { merchant_id: 'uuid', id: 'uuid' })}
      join webhook_endpoint as endpoint on endpoint.merchant_id = wanted.merchant_id and endpoint.id = wanted.id
      join merchant on merchant.id = endpoint.merchant_id
      join webhook_endpoint_failing as failing
        on failing.merchant_id = endpoint.merchant_id and failing.endpoint_id = endpoint.id
     where failing.disable_at <= ${dueNow(tx)}
     order by endpoint.id
       for update of endpoint, failing`
}

/** Disables locked endpoints. */
export async function disableFailing(
  tx: Tx,
  disabled: readonly (Pick<Endpoint, 'merchantId' | 'id'> & {
    readonly reason: DisabledReason
    readonly at: Date
    readonly since: Date
  })[],
): Promise<void> {
  await tx`
    update webhook_endpoint as endpoint
       set status = 'DISABLED', disabled_reason = disabled.reason, disabled_at = disabled.at, failing_since = disabled.since,
           version = version + 1
      from unnest(${list(disabled.map((each) => each.merchantId))}::uuid[], ${list(disabled.map((each) => each.id))}::uuid[],
                  ${list(disabled.map((each) => each.reason))}::text[], ${list(disabled.map((each) => each.at))}::timestamptz[],
                  ${list(disabled.map((each) => each.since))}::timestamptz[])
           as disabled (merchant_id, id, reason, at, since)
     where endpoint.merchant_id = disabled.merchant_id and endpoint.id = disabled.id`
}

/** Forgets what failed at these endpoints: they are disabled or deleted. */
export async function deleteFailing(
  tx: Tx,
  keys: readonly { readonly merchantId: MerchantId; readonly id: EndpointId }[],
): Promise<void> {
  await tx`
    delete from webhook_endpoint_failing as failing
     using ${rowsOf(tx, 'gone', keys, { merchant_id: 'uuid', id: 'uuid' })}
     where failing.merchant_id = gone.merchant_id and failing.endpoint_id = gone.id`
}

// The SQL of the work that endpoints need behind the API: held deliveries are started, those of deleted endpoints are canceled.

export type EndpointKey = { readonly merchantId: MerchantId; readonly id: EndpointId }

/** Sorts before every endpoint. */
const firstKey: EndpointKey = {
  merchantId: '00000000-0000-0000-0000-000000000000' as MerchantId,
  id: '00000000-0000-0000-0000-000000000000' as EndpointId,
}

/** The next endpoints after a key that were enabled and whose held deliveries are not in order yet. */
export function selectStarting(
  sql: Sql,
  after: EndpointKey = firstKey,
  limit: number,
): Promise<readonly EndpointKey[]> {
  return sql<EndpointKey[]>`
    select merchant_id as "merchantId", id from webhook_endpoint
     where status = 'STARTING' and (merchant_id, id) > (${after.merchantId}, ${after.id})
     order by merchant_id, id limit ${limit}`
}

export const isAnyStarting: IsDue = (sql) =>
  sql`exists (select from webhook_endpoint where status = 'STARTING')`

/** The next deleted endpoints after a key for which something may be due. */
export function selectToClear(
  sql: Sql,
  after: EndpointKey = firstKey,
  limit: number,
): Promise<readonly EndpointKey[]> {
  return sql<EndpointKey[]>`
    select merchant_id as "merchantId", id from webhook_endpoint
     where status = 'DELETED' and not is_cleared and (merchant_id, id) > (${after.merchantId}, ${after.id})
     order by merchant_id, id limit ${limit}`
}

export const isAnyToClear: IsDue = (sql) =>
  sql`exists (select from webhook_endpoint where status = 'DELETED' and not is_cleared)`

/** Locks the endpoint if it is STARTING. Returns whether it is. */
export async function lockStarting(tx: Tx, { merchantId, id }: EndpointKey): Promise<boolean> {
  const rows = await tx`
    select 1 from webhook_endpoint
     where merchant_id = ${merchantId} and id = ${id} and status = 'STARTING' for no key update`
  return rows.length === 1
}

/** Puts the next held deliveries of an endpoint into their order, each with a new round of attempts. Returns how many. */
export async function orderHeld(tx: Tx, { merchantId, id }: EndpointKey, limit: number): Promise<number> {
  const { count } = await tx`
    with held as materialized (
      select ctid from delivery_due
       where merchant_id = ${merchantId} and origin = ${originOfEndpoint(id)} and due_at >= ${afterDueInOrder(tx)}
       order by due_at limit ${limit} for update
    )
    update delivery_due set due_at = ${dueInOrder(tx, 'event_sequence')}, failures = 0, lease = null
     where ctid = any (array(select ctid from held))`
  return count
}

/** Enables a locked endpoint. */
export async function enable(tx: Tx, { merchantId, id }: EndpointKey): Promise<void> {
  await tx`update webhook_endpoint set status = 'ENABLED' where merchant_id = ${merchantId} and id = ${id}`
}

/** Cancels the next deliveries that are due for a deleted endpoint. Returns how many. */
export async function cancelDue(sql: Sql, { merchantId, id }: EndpointKey, limit: number): Promise<number> {
  const { count } = await sql`
    with chosen as materialized (
      select ctid from delivery_due
       where merchant_id = ${merchantId} and origin in (${originOfEndpoint(id)}, ${originOfRecovery({ endpointId: id })})
       limit ${limit} for update
    ), gone as (
      delete from delivery_due where ctid = any (array(select ctid from chosen)) returning merchant_id, delivery_id
    )
    update delivery set status = 'CANCELED'
      from gone
     where delivery.merchant_id = gone.merchant_id and delivery.id = gone.delivery_id and delivery.status = 'PENDING'`
  return count
}

/** Notes that nothing is due for a deleted endpoint, if no transaction that began before its deletion can still be open. */
export async function markCleared(
  sql: Sql,
  { merchantId, id }: EndpointKey,
  longestTransactionMs: number,
): Promise<void> {
  await sql`
    update webhook_endpoint set is_cleared = true
     where merchant_id = ${merchantId} and id = ${id} and status = 'DELETED'
       and deleted_at < ${dueIn(sql, -longestTransactionMs)} and deleted_at < ${dueNow(sql)}`
}

/** Checks a failing endpoint again after a while, because it could not be disabled. */
export async function postponeDisabling(
  sql: Sql,
  { merchantId, id }: EndpointKey,
  waitMs: number,
): Promise<void> {
  await sql`
    update webhook_endpoint_failing set disable_at = ${dueIn(sql, waitMs)}
     where merchant_id = ${merchantId} and endpoint_id = ${id} and disable_at is not null`
}
