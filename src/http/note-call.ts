// What the request log gets of a request: never its body, its query or its headers, but for the id of the request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '#/kernel/id.ts'
import type { HttpDeps } from './deps.ts'
import { problemIn } from './errors.ts'
import type { Caller } from './route.ts'

/** Notes a call of a route once it has been answered, or once its caller has gone. */
export type NoteCall = (request: FastifyRequest, reply: FastifyReply) => void

/** Undefined: there is no request log. A request without an accepted key has no merchant, and is not noted. */
export function noteCalls(
  { clock, requestLog }: Pick<HttpDeps, 'clock' | 'requestLog'>,
  path: string,
): NoteCall | undefined {
  if (requestLog === undefined) return undefined
  const hasId = path.includes('{id}')
  return (request, reply) => {
    const caller = request.getDecorator<Caller | null>('caller')
    if (caller === null) return
    const durationMs = Math.round(reply.elapsedTime)
    const status = reply.raw.headersSent ? reply.raw.statusCode : undefined
    requestLog.note({
      merchantId: caller.merchant.id,
      keyId: caller.keyId,
      receivedAtMs: clock.now().getTime() - durationMs,
      durationMs,
      method: request.method,
      path: hasId ? withId(path, request.params as { readonly id?: string }) : path,
      status,
      code: status !== undefined && status >= 400 ? problemIn(reply) : undefined,
      requestId: request.id,
    })
  }
}

/** The path as it was called. In the place of an id there may be anything, such as an e-mail address: only a UUID is kept. */
function withId(path: string, { id = '' }: { readonly id?: string }): string {
  const lower = id.toLowerCase()
  return isUuid(lower) ? path.replace('{id}', lower) : path
}
