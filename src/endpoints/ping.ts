// Pings an endpoint: an event that goes to it alone, so that its merchant sees whether it receives and verifies.
import type { EndpointId, EventId, MerchantId } from '#/kernel/id.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { endpointRecord, type Endpoint } from './endpoint.ts'
import * as queries from './queries.ts'

export type PingItem = {
  readonly merchantId: MerchantId
  readonly id: EndpointId
  /** The id of the event. */
  readonly eventId: EventId
}

export type PingVerdict = { readonly kind: 'pinged' | 'not_found' | 'disabled' }

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
