// Webhook endpoints over HTTP: a site, tenants with endpoints, events of any type, and workers that deliver them.
import { given } from '#/kernel/given.ts'
import { newId, type EndpointId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import { runnable, type RunnableKind } from '#/ledger/kind.ts'
import { createDeliverer, type DelivererOptions } from '#/webhooks/deliver.ts'
import type { EventDraft, EventType } from '#/webhooks/event.ts'
import { openEndpointSecret } from '#/webhooks/sign.ts'
import { assertDocumented } from './contract/document.ts'
import { endpointSealKey, openApiWorld, type Answer, type Tenant } from './contract/world.ts'
import { eventually } from './eventually.ts'
import { loopbackPolicy } from './webhooks.ts'

export type Row = Readonly<Record<string, unknown>>

export type EndpointWorld = Awaited<ReturnType<typeof openEndpointWorld>>

/** Announces a draft, and changes nothing else. */
const announcing: RunnableKind<EventDraft, undefined, EventDraft> = runnable<
  EventDraft,
  undefined,
  never,
  undefined,
  EventDraft
>({
  name: 'announce',
  load: () => Promise.resolve(undefined),
  decide: (_view, draft) => ({ verdict: undefined, events: [draft] }),
  write: () => Promise.resolve(),
})

export async function openEndpointWorld() {
  const base = await openApiWorld()
  const api = await base.openApi()
  const { sql, lane } = base

  /** Calls one route, and compares the answer with the document. */
  async function ask(
    tenant: Pick<Tenant, 'key'>,
    method: string,
    path: string,
    more: {
      readonly id?: unknown
      readonly query?: string
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<Answer> {
    const { id, query = '', body, headers = {} } = more
    const answer = await api.ask(method, path.replace('{id}', String(id)) + query, {
      key: tenant.key,
      headers,
      ...given({ body }),
    })
    assertDocumented(method, path, answer)
    return answer
  }

  return {
    base,
    ask,
    create: (tenant: Pick<Tenant, 'key'>, body: Row, headers = {}) =>
      ask(tenant, 'POST', '/v1/webhook-endpoints', { body, headers }),
    read: async (tenant: Tenant, id: unknown) =>
      (await ask(tenant, 'GET', '/v1/webhook-endpoints/{id}', { id })).body,
    change: (tenant: Tenant, id: unknown, body: Row) =>
      ask(tenant, 'PATCH', '/v1/webhook-endpoints/{id}', { id, body }),
    /** Announces events of the tenant, each in a batch of its own or together with others, in order. */
    async tell(
      tenant: Tenant,
      events: number,
      more: { readonly type?: EventType; readonly webhookUrl?: string } = {},
    ): Promise<void> {
      const { type = 'wallet.created', ...to } = more
      await Promise.all(
        Array.from({ length: events }, (_, n) => {
          const resourceId = newId()
          const data = { id: resourceId, n }
          return lane.submit(announcing, {
            merchantId: tenant.id,
            mode: tenant.mode,
            type,
            resourceId,
            data,
            ...to,
          })
        }),
      )
    },
    /** Starts a worker that polls often. It stops when disposed of. */
    deliver(more: Partial<DelivererOptions> = {}): AsyncDisposable {
      const deliverer = createDeliverer({
        sql,
        clock: systemClock,
        log: silentLog,
        secretsOf: async () => [Buffer.alloc(24, 1)],
        openSecret: (id, sealed) => openEndpointSecret(endpointSealKey, id, sealed),
        policy: { LIVE: loopbackPolicy, SANDBOX: loopbackPolicy },
        pollMs: 20,
        graceMs: 200,
        ...more,
      })
      const stop = new AbortController()
      const running = deliverer.run(stop.signal)
      return {
        async [Symbol.asyncDispose]() {
          stop.abort()
          await running
        },
      }
    },
    close: () => base.close(),
    /** The endpoint's deliveries in the order of their events, as soon as `enough` holds for them. */
    async deliveriesTo(
      id: unknown,
      enough: (rows: readonly DeliveryFacts[]) => boolean = () => true,
    ): Promise<readonly DeliveryFacts[]> {
      let rows: readonly DeliveryFacts[] = []
      await eventually('the deliveries are in the state that was waited for', async () => {
        rows = await sql<DeliveryFacts[]>`
          select delivery.status, event.type, delivery.event_sequence::int as sequence, due.due_at as "dueAt",
                 (select count(*)::int from delivery_attempt as attempt
                   where attempt.merchant_id = delivery.merchant_id and attempt.delivery_id = delivery.id) as attempts
            from delivery
            join event on event.merchant_id = delivery.merchant_id and event.sequence = delivery.event_sequence
            left join delivery_due as due on due.merchant_id = delivery.merchant_id and due.delivery_id = delivery.id
           where delivery.endpoint_id = ${String(id) as EndpointId}
           order by delivery.event_sequence, delivery.id`
        return enough(rows)
      })
      return rows
    },
  }
}

export type DeliveryFacts = {
  readonly status: string
  readonly type: EventType
  readonly sequence: number
  readonly dueAt: Date | null
  readonly attempts: number
}
