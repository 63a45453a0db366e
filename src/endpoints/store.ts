// Merchants create, change and delete webhook endpoints. These are settings: they write no event and need no lane.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type ApiKeyId, type EndpointId, type MerchantId, type EventId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256, type KeyRing } from '#/kernel/secret.ts'
import { hourMs } from '#/kernel/time.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import { originOf, type By } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { EventType, EventDraft } from '#/webhooks/event.ts'
import { newEndpointSecret } from '#/webhooks/sign.ts'
import { type Endpoint, endpointRecord } from './endpoint.ts'
import * as queries from './queries.ts'
import type { EndpointChange } from './queries.ts'

type EndpointDeps = {
  readonly sql: Sql
  /** Encrypts the secrets at rest. */
  readonly sealKey: KeyRing
}

/** Who asks, and for which merchant. */
export type EndpointCaller = {
  readonly merchantId: MerchantId
  readonly keyId: ApiKeyId
  readonly origin?: By
}

export type EndpointRequest = {
  readonly url: string
  /** Null: all. */
  readonly eventTypes: readonly EventType[] | null
  readonly description: string | null
}

/** Every event of a merchant is written once for each of its endpoints, in the transaction that changes the state. */
export const endpointsMax = 100

type Creation =
  | { readonly kind: 'created'; readonly endpoint: Endpoint; readonly secret: Buffer }
  | { readonly kind: 'replayed'; readonly endpoint: Endpoint }
  /** The key created this endpoint before, with another request. */
  | { readonly kind: 'conflict'; readonly endpoint: Endpoint }
  /** The key created this endpoint before, and it was deleted. */
  | { readonly kind: 'deleted'; readonly endpoint: Endpoint }
  | { readonly kind: 'too_many' }

/** Creates an endpoint. Its secret is returned here and can never be read again. */
export async function createEndpoint(
  { sql, sealKey }: EndpointDeps,
  caller: EndpointCaller,
  request: EndpointRequest,
  idempotencyKey?: string,
): Promise<Creation> {
  const { merchantId } = caller
  const fingerprint = sha256(canonicalJson(request))
  const id: EndpointId = newId()
  return sql.begin(async (tx): Promise<Creation> => {
    await queries.lockMerchant(tx, merchantId)
    const earlier =
      idempotencyKey === undefined ? undefined : await queries.selectByKey(tx, merchantId, idempotencyKey)
    if (earlier !== undefined) return repeated(earlier, fingerprint)
    if ((await queries.countEndpoints(tx, merchantId)) >= endpointsMax) return { kind: 'too_many' }
    const { secret, sealed } = newEndpointSecret(sealKey, id)
    const kept = idempotencyKey === undefined ? undefined : fingerprint
    await queries.insertEndpoint(tx, {
      ...request,
      merchantId,
      id,
      sealed,
      idempotencyKey,
      fingerprint: kept,
    })
    await audit(tx, caller, 'create', id, { after: { ...request } })
    const endpoint = must(await queries.selectEndpoint(tx, merchantId, id), 'it was inserted')
    return { kind: 'created', endpoint, secret }
  })
}

function repeated(earlier: Endpoint & { readonly fingerprint: Buffer }, fingerprint: Buffer): Creation {
  const { fingerprint: before, ...endpoint } = earlier
  if (!before.equals(fingerprint)) return { kind: 'conflict', endpoint }
  return { kind: endpoint.status === 'DELETED' ? 'deleted' : 'replayed', endpoint }
}

/**
 * Changes an endpoint; undefined when there is none. An endpoint that is enabled becomes STARTING: a worker puts the held deliveries into
 * their order and then enables it. A status that it has already does not change.
 */
export function changeEndpoint(
  { sql }: Pick<EndpointDeps, 'sql'>,
  caller: EndpointCaller,
  id: EndpointId,
  requested: Omit<EndpointChange, 'status'> & { readonly status?: 'ENABLED' | 'DISABLED' },
): Promise<Endpoint | undefined> {
  const { merchantId } = caller
  return sql.begin(async (tx) => {
    const before = await queries.lockEndpoint(tx, merchantId, id)
    if (before === undefined) return undefined
    const change = changeOf(before, requested)
    if (Object.keys(change).length === 0) return before
    await queries.updateEndpoint(tx, before, change)
    const names = Object.keys(change) as (keyof EndpointChange)[]
    const pick = (from: EndpointChange | Endpoint) =>
      Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
    await audit(tx, caller, 'change', id, { before: pick(before), after: pick(change) })
    return queries.selectEndpoint(tx, merchantId, id)
  })
}

/** The fields that differ from what the endpoint has. */
function changeOf(before: Endpoint, requested: Parameters<typeof changeEndpoint>[3]): EndpointChange {
  const { url, eventTypes, description, status } = requested
  const differs = (was: unknown, is: unknown) => is !== undefined && canonicalJson(was) !== canonicalJson(is)
  const isEnabled = before.status !== 'DISABLED'
  return {
    ...(url !== undefined && url !== before.url ? { url } : {}),
    ...(eventTypes !== undefined && differs(before.eventTypes, eventTypes) ? { eventTypes } : {}),
    ...(description !== undefined && description !== before.description ? { description } : {}),
    ...(status === 'ENABLED' && !isEnabled ? { status: 'STARTING' } : {}),
    ...(status === 'DISABLED' && isEnabled ? { status: 'DISABLED' } : {}),
  }
}

/** Gives the endpoint a new secret; the one before signs for `overlapHours` more. Undefined when there is no such endpoint. */
export function rollSecret(
  { sql, sealKey }: EndpointDeps,
  caller: EndpointCaller,
  id: EndpointId,
  overlapHours: number,
): Promise<{ readonly endpoint: Endpoint; readonly secret: Buffer } | undefined> {
  const { merchantId } = caller
  const { secret, sealed } = newEndpointSecret(sealKey, id)
  return sql.begin(async (tx) => {
    const before = await queries.lockEndpoint(tx, merchantId, id)
    if (before === undefined) return undefined
    await queries.replaceSecret(tx, before, sealed, overlapHours * hourMs)
    await audit(tx, caller, 'roll_secret', id, { after: { overlapHours } })
    const endpoint = must(await queries.selectEndpoint(tx, merchantId, id), 'it is locked')
    return { endpoint, secret }
  })
}

/** Deletes an endpoint; undefined when there is none. A worker then cancels what was still to be sent to it. */
export function deleteEndpoint(
  { sql }: Pick<EndpointDeps, 'sql'>,
  caller: EndpointCaller,
  id: EndpointId,
): Promise<Endpoint | undefined> {
  return sql.begin(async (tx) => {
    const before = await queries.lockEndpoint(tx, caller.merchantId, id)
    if (before === undefined) return undefined
    await queries.markDeleted(tx, before)
    await queries.forgetFailures(tx, before)
    await audit(tx, caller, 'delete', id, { before: { url: before.url } })
    const over = { disabledReason: null, disabledAt: null, failingSince: null, previousSecretUntil: null }
    return { ...before, ...over, status: 'DELETED', version: before.version + 1 }
  })
}

async function audit(
  tx: Tx,
  { merchantId, keyId, origin }: EndpointCaller,
  verb: 'create' | 'change' | 'roll_secret' | 'delete',
  id: EndpointId,
  what: {
    readonly before?: Readonly<Record<string, unknown>>
    readonly after?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const entry = {
    ...originOf(keyId, origin),
    action: `webhook_endpoint.${verb}`,
    subject: `webhook_endpoint:${id}`,
    merchantId,
  }
  await writeAudit(tx, [{ ...entry, ...what }])
}

// Pings an endpoint: an event that goes to it alone, so that its merchant sees whether it receives and verifies.

type PingItem = {
  readonly merchantId: MerchantId
  readonly id: EndpointId
  /** The id of the event. */
  readonly eventId: EventId
}

type PingVerdict = { readonly kind: 'pinged' | 'not_found' | 'disabled' }

/** As a kind of work for the ledger lane, where every event is written. */
export const pingKind: RunnableKind<PingItem, PingVerdict, EventDraft> = runnable<
  PingItem,
  ReadonlyMap<EndpointId, Endpoint>,
  never,
  PingVerdict,
  EventDraft
>({
  name: 'ping a webhook endpoint',
  async load({ tx }, items) {
    const found = await queries.selectEndpointsById(tx, items)
    return new Map(found.map((endpoint) => [endpoint.id, endpoint]))
  },
  decide(endpoints, { merchantId, id, eventId }) {
    const endpoint = endpoints.get(id)
    if (endpoint?.merchantId !== merchantId) return { verdict: { kind: 'not_found' } }
    if (endpoint.status === 'DISABLED') return { verdict: { kind: 'disabled' } }
    const ping: EventDraft = {
      merchantId,
      mode: endpoint.mode,
      type: 'webhook_endpoint.ping',
      resourceId: id,
      id: eventId,
      data: endpointRecord(endpoint),
      endpoints: { only: id },
    }
    return { verdict: { kind: 'pinged' }, events: [ping] }
  },
  write: () => Promise.resolve(),
})
