// The SQL of the work that endpoints need behind the API: held deliveries are started, those of deleted endpoints are canceled.
import type { Sql, Tx } from '#/db/client.ts'
import { afterDueInOrder, dueIn, dueInOrder, dueNow } from '#/db/due.ts'
import type { EndpointId, MerchantId } from '#/kernel/id.ts'
import { originOfEndpoint, originOfRecovery } from '#/webhooks/event.ts'

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
