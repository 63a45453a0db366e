// Tells open pages what changes at a merchant: each of its events, by number, type and record, as server-sent events. A page reads the
// record itself where it needs it. Every member may follow; of records that their role does not see they are told nothing.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { startEventStream, type EventStream } from '#/kernel/event-stream.ts'
import { messageOf } from '#/kernel/error.ts'
import { toJson } from '#/kernel/json.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import type { Permission } from '#/people/roles.ts'
import type { EventType } from '#/webhooks/event.ts'
import { listEvents, selectLastSequences, type EventRow } from '#/webhooks/queries.ts'
import type { DashboardDeps } from './deps.ts'
import type { MerchantCaller, MerchantDoor } from './merchant-entrance.ts'

/** How long a stream goes on before its session is looked up again. Longer than the readers' own polls, which else never find anything. */
const lookEveryMs = 0.9 * secondMs
const pingEveryMs = 15 * secondMs
const pageSize = 100

export function serveLive(server: FastifyInstance, deps: DashboardDeps, door: MerchantDoor): void {
  const closing = new AbortController()
  server.addHook('preClose', (done) => {
    closing.abort()
    done()
  })
  server.get('/api/m/:merchant/live', async (request, reply) => {
    const caller = await door.identify(request)
    const from = await startOf(deps, request, caller)
    const stream = startEventStream(reply.raw, reply.getHeaders())
    reply.hijack()
    follow(deps, { door, request, caller, stream, from, signal: closing.signal })
      .catch((error: unknown) => deps.http.log.debug({ error: messageOf(error) }, 'a live stream ended'))
      .finally(() => stream.end())
  })
}

/** After the last event that the page has seen, or after the newest one. */
async function startOf(
  { http }: DashboardDeps,
  { headers }: FastifyRequest,
  { merchant }: MerchantCaller,
): Promise<bigint> {
  const seen = headers['last-event-id']
  if (typeof seen === 'string' && /^\d{1,15}$/.test(seen)) return BigInt(seen)
  const [last] = await selectLastSequences(http.sql, [merchant.id])
  return last?.sequence ?? 0n
}

type Following = {
  readonly door: MerchantDoor
  readonly request: FastifyRequest
  readonly caller: MerchantCaller
  readonly stream: EventStream
  readonly from: bigint
  readonly signal: AbortSignal
}

/** Sends what happens until the page or the session is gone. */
async function follow(
  { http }: DashboardDeps,
  { door, request, caller, stream, from, signal }: Following,
): Promise<void> {
  const { merchant, keyId } = caller
  const gone = new AbortController()
  stream.onEnd(() => gone.abort())
  const over = AbortSignal.any([signal, gone.signal])
  let at = from
  let pingedAt = monotonicMs()
  while (!over.aborted) {
    const waited = await http.waitingReaders.wait({
      merchantId: merchant.id,
      keyId,
      from: at,
      waitMs: lookEveryMs,
      whenGone: (listener) => stream.onEnd(listener),
    })
    // Throws when the session, or the membership, has ended. The role may be another one by now.
    const { permissions } = await door.identify(request)
    at = waited.readTo > at ? waited.readTo : at
    if (waited.hasNews) {
      const { events, readTo } = await listEvents(http.sql, merchant.id, { after: at, limit: pageSize })
      for (const event of events)
        if (maySee(permissions, event)) stream.send(toJson(newsOf(event)), String(event.sequence))
      at = readTo
    }
    if (monotonicMs() - pingedAt < pingEveryMs) continue
    stream.ping()
    pingedAt = monotonicMs()
  }
}

/** Who sees the record that an event is about. */
const permissionOf: Readonly<Record<SubjectKind, Permission>> = {
  payment: 'payments:read',
  refund: 'payments:read',
  dispute: 'payments:read',
  withdrawal: 'withdrawals:read',
  wallet: 'wallets:read',
  transfer: 'wallets:read',
  webhook_endpoint: 'webhooks:read',
}

/** `payment.completed` is about a payment. */
type SubjectKind = EventType extends infer Type
  ? Type extends `${infer Kind}.${string}`
    ? Kind
    : never
  : never

function kindOf({ type }: Pick<EventRow, 'type'>): SubjectKind {
  return type.split('.')[0] as SubjectKind
}

/** Who sees webhooks sees every event there. */
function maySee(permissions: ReadonlySet<Permission>, event: EventRow): boolean {
  return permissions.has('webhooks:read') || permissions.has(permissionOf[kindOf(event)])
}

function newsOf({ sequence, type, resourceId }: EventRow) {
  return { number: sequence, type, subject: { kind: kindOf({ type }), id: resourceId } }
}
