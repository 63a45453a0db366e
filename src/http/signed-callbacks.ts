// Callbacks that their providers sign. They arrive at the API's server: the signature over the raw bytes proves who sent them, and the
// provider's id of the event makes each count once. The truth is queried afterwards, as for every callback.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from '#/db/client.ts'
import { awaitReplication } from '#/db/replication-queries.ts'
import { AppError, messageOf, ProviderError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import { addMs, hourMs, secondMs } from '#/kernel/time.ts'
import type { Method } from '#/rails/method.ts'
import type { SignedCallback, SignedCallbacks } from '#/rails/rail.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { deleteCallbackEvents, insertCallbackEvent } from '#/settlement/queries.ts'
import { bodyBytesMax, type CallbackDeps } from './callbacks.ts'

/** Longer than any provider repeats an event, and far longer than any signature is accepted. */
const rememberedMs = 45 * 24 * hourMs

/**
 * `POST /callbacks/{method}/{connection}` for each rail whose provider signs. It answers:
 * - 200 with the body that the provider expects, the first time and every other;
 * - 400 when the signature is forged, old or missing: nothing is stored;
 * - 503 when the provider's keys cannot be loaded, so that the callback comes again.
 */
export function serveSignedCallbacks(server: FastifyInstance, deps: CallbackDeps): void {
  const forget = createForgetting(deps)
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    for (const { method, callbacks } of deps.rails.values()) {
      if (callbacks?.by !== 'SIGNATURE') continue
      const path = `/callbacks/${method.toLowerCase().replaceAll('_', '-')}/:connection`
      scope.post(path, async (request, reply) => {
        const callback = callbackOf(deps, method, request)
        const eventId = await verify(deps, callbacks, callback)
        if (await keep(deps, method, callback, eventId)) {
          deps.onSignal()
          await forget()
        } else await awaitReplication(deps.sql)
        const { answer } = callbacks
        return answer === undefined
          ? reply.code(200).send()
          : reply.code(200).type('application/json').send(answer)
      })
    }
  })
}

function callbackOf(
  { connections, clock }: CallbackDeps,
  method: Method,
  request: FastifyRequest,
): SignedCallback {
  const { connection: id } = request.params as { readonly connection: ConnectionId }
  const connection = connections.find(id)
  if (connection?.method !== method) throw new AppError('not_found', 'There is nothing here.')
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return { connection: connection.id, headers: request.headers, body, receivedAt: clock.now() }
}

/** The provider's id of the event. */
async function verify(
  { log }: CallbackDeps,
  { verify: isSigned }: SignedCallbacks,
  callback: SignedCallback,
): Promise<string> {
  const { connection } = callback
  const verdict = await isSigned(callback).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ connection, error: messageOf(error) }, 'a callback cannot be verified now')
    const detail = 'The signature cannot be verified now. Send it again.'
    throw new AppError('provider_unavailable', detail, { cause: error, retryAfterMs: 10 * secondMs })
  })
  if (verdict.ok) return verdict.eventId
  log.warn({ connection, reason: verdict.reason }, 'a callback was refused')
  throw new AppError('invalid_request', `The callback is not believed: ${verdict.reason}.`)
}

/** Whether it is new. An event's id is stored in the transaction that stores its signal. */
async function keep(
  { sql }: CallbackDeps,
  method: Method,
  { connection, body, receivedAt }: SignedCallback,
  eventId: string,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    if (!(await insertCallbackEvent(tx, connection, eventId, receivedAt))) return false
    await insertSignals(tx, [{ method, connection, body }], receivedAt)
    return true
  })
}

/**
 * After every `keptBetween` new events up to `forgottenAtOnce` old ones are deleted. That is more than came, so the table does not grow.
 */
const keptBetween = 20
const forgottenAtOnce = 1_000

/** Deletes old events as new ones come, fifty for each new one, so that none stays long after its time. */
function createForgetting({ sql, clock, log }: { readonly sql: Sql } & Pick<CallbackDeps, 'clock' | 'log'>) {
  let kept = 0
  return async () => {
    kept += 1
    if (kept % keptBetween !== 1) return
    const before = addMs(clock.now(), -rememberedMs)
    await deleteCallbackEvents(sql, before, forgottenAtOnce).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'old callbacks could not be deleted')
    })
  }
}
