// The HTTP server of the API: reads requests, passes them to the table of routes, and writes answers and problems. Decides nothing
// about money.
import type { FastifyInstance } from 'fastify'
import { toJson } from '#/kernel/json.ts'
import type { Identity } from '#/merchants/authenticator.ts'
import { requireOpenAccount } from './account-acts.ts'
import { createKeyAuth } from './auth.ts'
import type { HttpDeps } from './deps.ts'
import { createJsonServer } from './json-server.ts'
import { mountRoute, type Entrance } from './mount.ts'
import { noteCalls } from './note-call.ts'
import { describeApi } from './openapi.ts'
import { routesServed } from './routes.ts'

/** The API's server, not listening yet. */
export function createServer(deps: HttpDeps): FastifyInstance {
  const { server, edge } = createJsonServer(deps, 'api')
  const keyAuth = createKeyAuth(deps)
  for (const route of routesServed(deps)) {
    const entrance: Entrance<Identity> = {
      identify: keyAuth.identify,
      admit(identity, { scope }, request, reply) {
        keyAuth.admit(identity, request, reply, scope)
        requireOpenAccount(identity.accountState, route)
      },
      originOf: ({ keyId }, request) => ({
        actor: { kind: 'API_KEY', id: keyId },
        address: request.ip,
        requestId: request.id,
      }),
      deps,
      note: noteCalls(deps, route.path),
    }
    mountRoute(server, route, { url: route.path.replace('{id}', ':id'), edge, entrance })
  }
  registerOpen(server, deps)
  return server
}

/** The routes without a key: liveness, readiness, and the document of the API. */
function registerOpen(server: FastifyInstance, deps: HttpDeps): void {
  const document = toJson(describeApi(routesServed(deps)))
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(document))
  server.get('/health/live', async () => ({ status: 'ok' }))
  server.get('/health/ready', async (_request, reply) => {
    const checks = await deps.ready()
    const failing = checks.filter((check) => !check.ok)
    const isWelcome = failing.every(({ isPart }) => isPart === true)
    reply.code(isWelcome ? 200 : 503)
    if (!isWelcome) reply.header('retry-after', '1')
    const reasons = failing.flatMap(({ name, reason }) =>
      reason === undefined ? [] : [[name, reason] as const],
    )
    return {
      status: !isWelcome ? 'not_ready' : failing.length > 0 ? 'degraded' : 'ready',
      checks: Object.fromEntries(checks.map(({ name, ok }) => [name, ok])),
      ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
    }
  })
}
