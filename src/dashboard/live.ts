// Tells open pages what changes at a merchant: each event, by number, type and record, as server-sent events. A page that needs the record
// reads it itself. Every member may follow, but gets no events about records that their role may not read.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messageOf } from '#/kernel/error.ts'
import { startEventStream, type EventStream } from '#/kernel/event-stream.ts'
import { toJson } from '#/kernel/json.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import type { Permission } from '#/people/roles.ts'
import type { EventType } from '#/webhooks/event.ts'
import { listEvents, selectSequenceBefore, type EventRow } from '#/webhooks/queries.ts'
import type { DashboardDeps } from './deps.ts'
import type { MerchantCaller, MemberAuth } from './merchant-entrance.ts'
import type { OpenStreams } from './open-streams.ts'

const pingEveryMs = 15 * secondMs
const pageSize = 100
/**
 * Events from this span before the opening of a stream are sent too, because the page was read before its stream was opened. Pages are read
 * within this time.
 */
const lookBackMs = 30 * secondMs

export function serveLive(
  server: FastifyInstance,
  deps: DashboardDeps,
  { memberAuth, streams }: { readonly memberAuth: MemberAuth; readonly streams: OpenStreams },
): void {
  const closing = new AbortController()
  server.addHook('preClose', (done) => {
    closing.abort()
    done()
  })
  server.get('/api/m/:merchant/live', async (request, reply) => {
    const caller = await memberAuth.identify(request)
    const from = await startOf(deps, request, caller)
    const stream = startEventStream(reply.raw, reply.getHeaders())
    reply.hijack()
    const watched = { sessionId: caller.visitor.id, merchantId: caller.merchant.id }
    const leave = streams.add({ ...watched, end: () => stream.end() })
    // A session or membership may have ended since the caller was identified.
    void streams.check()
    follow(deps, { memberAuth, request, caller, stream, from, signal: closing.signal })
      .catch((error: unknown) => deps.http.log.debug({ error: messageOf(error) }, 'a live stream ended'))
      .finally(() => {
        leave()
        stream.end()
      })
  })
}

/** After the last event that the page has seen, or a little before now. */
async function startOf(
  { http }: DashboardDeps,
  { headers }: FastifyRequest,
  { merchant }: MerchantCaller,
): Promise<bigint> {
  const lastEventId = headers['last-event-id']
  if (typeof lastEventId === 'string' && /^\d{1,15}$/.test(lastEventId)) return BigInt(lastEventId)
  return selectSequenceBefore(http.sql, merchant.id, { ms: lookBackMs, limit: pageSize })
}

type Following = {
  readonly memberAuth: MemberAuth
  readonly request: FastifyRequest
  readonly caller: MerchantCaller
  readonly stream: EventStream
  readonly from: bigint
  readonly signal: AbortSignal
}

/** Sends what happens until the stream has ended. */
async function follow(
  { http }: DashboardDeps,
  { memberAuth, request, caller, stream, from, signal }: Following,
): Promise<void> {
  const { merchant, keyId } = caller
  const gone = new AbortController()
  stream.onEnd(() => gone.abort())
  const over = AbortSignal.any([signal, gone.signal])
  let leave = (): void => undefined
  over.addEventListener('abort', () => leave())
  let at = from
  while (!over.aborted) {
    const beganAt = monotonicMs()
    const { hasNews, readTo } = await http.waitingReaders.wait({
      merchantId: merchant.id,
      keyId,
      from: at,
      waitMs: pingEveryMs,
      whenGone(listener) {
        leave = listener
        if (over.aborted) listener()
      },
    })
    // Without an event the wait ends early only when the reader has gone.
    if (over.aborted || (!hasNews && monotonicMs() - beganAt < pingEveryMs / 2)) return
    at = readTo > at ? readTo : at
    if (!hasNews) {
      stream.ping()
      continue
    }
    // The role may be another one by now. Throws when the session, or the membership, has ended.
    const { permissions } = await memberAuth.identify(request)
    const page = await listEvents(http.sql, merchant.id, { after: at, limit: pageSize })
    for (const event of page.events)
      if (maySee(permissions, event)) stream.send(toJson(newsOf(event)), String(event.sequence))
    at = page.readTo
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
  transfer_grant: 'wallets:read',
  share: 'wallets:read',
  webhook_endpoint: 'webhooks:read',
  service: 'webhooks:read',
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
