// The SQL that notes which endpoints only fail. While endpoints work, it writes nothing.
import { list, type Tx } from '#/db/client.ts'
import { dueNow } from '#/db/due.ts'
import type { EndpointId, MerchantId } from '#/kernel/id.ts'
import type { DeliveryStatus } from '../event.ts'

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
