// Merchants create and cancel recoveries; the work is in upkeep.ts.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type EndpointId, type MerchantId, type RecoveryId } from '#/kernel/id.ts'
import { toJsonInteger } from '#/kernel/money.ts'
import { originOf } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { EventType } from '#/webhooks/event.ts'
import { firstSequenceSince } from '#/webhooks/queries.ts'
import { lockEndpoint } from './queries.ts'
import * as queries from './recovery-queries.ts'
import type { Recovery } from './recovery.ts'
import type { EndpointCaller } from './store.ts'

export type RecoveryRequest = {
  readonly endpointId?: EndpointId
  /** The first event is the one after this number, or the first that is not older than the instant. */
  readonly start: { readonly afterSequence: bigint } | { readonly since: Date }
  /** The last event has this number, or is the last that is older than the instant. Absent: the newest one. */
  readonly end?: { readonly throughSequence: bigint } | { readonly until: Date }
  readonly types?: readonly EventType[]
  readonly includeDelivered: boolean
}

export type RecoveryVerdict =
  | { readonly kind: 'created'; readonly recovery: Recovery }
  | { readonly kind: 'not_found' | 'disabled' }
  /** The endpoint does not take these types. */
  | { readonly kind: 'not_taken'; readonly types: readonly EventType[] }
  /** One at a time for each endpoint: this one runs. */
  | { readonly kind: 'running'; readonly id: RecoveryId }

/** Creates a recovery. Instants become numbers of events now, so what is announced later is never part of it. */
export async function createRecovery(
  { sql }: { readonly sql: Sql },
  caller: EndpointCaller,
  request: RecoveryRequest,
): Promise<RecoveryVerdict> {
  const { merchantId } = caller
  const { endpointId = null, types = null, includeDelivered } = request
  const span = await spanOf(sql, merchantId, request)
  const id: RecoveryId = newId()
  return sql.begin(async (tx): Promise<RecoveryVerdict> => {
    if (endpointId !== null) {
      // Locked, so that it cannot be deleted beside this.
      const endpoint = await lockEndpoint(tx, merchantId, endpointId)
      if (endpoint === undefined) return { kind: 'not_found' }
      if (endpoint.status === 'DISABLED') return { kind: 'disabled' }
      const { eventTypes: taken } = endpoint
      const others = taken === null ? [] : (types ?? []).filter((type) => !taken.includes(type))
      if (others.length > 0) return { kind: 'not_taken', types: others }
    }
    const order = { merchantId, id, endpointId, types, includeDelivered, ...span }
    if (!(await queries.insertRecovery(tx, order))) {
      const running = await queries.selectRunning(tx, merchantId, endpointId)
      // It has ended just now: the caller may ask again.
      return { kind: 'running', id: running ?? id }
    }
    await writeAudit(tx, [
      {
        ...originOf(caller.keyId, caller.origin),
        action: 'webhook_recovery.create',
        subject: `webhook_recovery:${id}`,
        merchantId,
        after: {
          endpointId,
          types,
          includeDelivered,
          afterSequence: toJsonInteger(span.afterSequence),
          throughSequence: toJsonInteger(span.throughSequence),
        },
      },
    ])
    const recovery = must(await queries.selectRecovery(tx, merchantId, id), 'it was inserted')
    return { kind: 'created', recovery }
  })
}

/** The numbers of the events from the start to the end, as far as there are events. */
async function spanOf(
  sql: Sql,
  merchantId: MerchantId,
  { start, end }: RecoveryRequest,
): Promise<{ readonly afterSequence: bigint; readonly throughSequence: bigint }> {
  const before = async (at: Date) => (await firstSequenceSince(sql, merchantId, at)) - 1n
  const afterSequence = 'since' in start ? await before(start.since) : start.afterSequence
  const last = await queries.selectLastSequence(sql, merchantId)
  const requested = end === undefined ? last : 'until' in end ? await before(end.until) : end.throughSequence
  const through = requested < last ? requested : last
  return { afterSequence, throughSequence: through > afterSequence ? through : afterSequence }
}

export type CancelVerdict =
  | { readonly kind: 'canceled'; readonly recovery: Recovery }
  | { readonly kind: 'not_found' | 'done' }

/** Stops a recovery; one that was canceled before stays as it is. */
export function cancelRecovery(
  { sql }: { readonly sql: Sql },
  { merchantId, keyId, origin }: EndpointCaller,
  id: RecoveryId,
): Promise<CancelVerdict> {
  return sql.begin(async (tx): Promise<CancelVerdict> => {
    const isCanceled = await queries.markCanceled(tx, merchantId, id)
    const recovery = await queries.selectRecovery(tx, merchantId, id)
    if (recovery === undefined) return { kind: 'not_found' }
    if (recovery.status === 'DONE') return { kind: 'done' }
    if (isCanceled) {
      const action = 'webhook_recovery.cancel'
      const subject = `webhook_recovery:${id}`
      await writeAudit(tx, [{ ...originOf(keyId, origin), action, subject, merchantId }])
    }
    return { kind: 'canceled', recovery }
  })
}
