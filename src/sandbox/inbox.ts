// The sandbox's own webhook receiver, for developers who have no server yet. It keeps the exact bytes of what arrives, and whether
// the signature is valid. It plays a small merchant's server, so it has only the secret.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sql } from '#/db/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import { isOwnHost, isOwnOrigin, refuseHost, refuseOrigin } from './own-host.ts'
import { keepWebhook } from './queries.ts'
import { isGenuine } from './verify-webhook.ts'

/** Its path, below the API's address. */
export const inboxPath = '/sandbox/inbox'

/** Far above the largest event: metadata has at most 8 KiB. */
const bodyLimit = 65_536

export type InboxDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly merchantId: MerchantId
  /** The URL of the sandbox: requests to any other host are refused. */
  readonly apiUrl: string
  /** The merchant's webhook secrets in force. */
  readonly secretsOf: (merchantId: MerchantId) => Promise<readonly Buffer[]>
}

/**
 * Adds `POST /sandbox/inbox`, which answers 204 to every request of a program on this machine: a webhook that cannot be verified is
 * kept too, and marked. A page of another site is refused. The body is read raw, in a scope of its own, so that the API's parser is
 * not affected.
 */
export function registerInbox(server: FastifyInstance, deps: InboxDeps): void {
  void server.register((scope, _options, done) => {
    // Before anything is read.
    scope.addHook('onRequest', (request, reply, next) => {
      if (!isOwnHost(request, deps.apiUrl)) return void refuseHost(reply, deps.apiUrl)
      if (!isOwnOrigin(request, deps.apiUrl)) return void refuseOrigin(reply)
      next()
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, parsed) =>
      parsed(null, body),
    )
    scope.post(inboxPath, { bodyLimit }, async (request, reply) => {
      await keep(deps, request)
      return reply.code(204).send()
    })
    done()
  })
}

async function keep(deps: InboxDeps, request: FastifyRequest): Promise<void> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const { headers } = request
  const receivedAt = deps.clock.now()
  const verified = isGenuine(await deps.secretsOf(deps.merchantId), { headers, body }, receivedAt)
  await keepWebhook(deps.sql, { id: newId(), receivedAt, headers, body, verified })
}
