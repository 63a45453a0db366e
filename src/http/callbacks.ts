// Callbacks of providers. The bytes are stored, the provider is answered, and the truth is queried afterwards: a callback is only a
// hint. A provider proves its identity by its certificate, to us or to the proxy in front of us, or signs what it sends
// (signed-callbacks.ts).
import { X509Certificate } from 'node:crypto'
import { TLSSocket } from 'node:tls'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Sql } from '#/db/client.ts'
import type { Drain } from '#/edge/drain.ts'
import { connectionOptions, edgeOptions, setUpEdge, type EdgeOptions } from '#/edge/server.ts'
import { AppError } from '#/kernel/error.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { within } from '#/kernel/network.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook, ProviderConnection } from '#/rails/connection.ts'
import type { Method } from '#/rails/method.ts'
import { certifiedOf, type Rails } from '#/rails/rail.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { sendNothingHere, sendProblem } from './errors.ts'

export type CallbackDeps = {
  readonly sql: Sql
  readonly clock: Clock
  readonly log: Log
  readonly connections: ConnectionBook
  readonly rails: Rails
  /** Called when a signal was stored. */
  readonly onSignal: () => void
  readonly onRequestEnd?: EdgeOptions['onRequestEnd']
  /** Ends the servers of the process together. */
  readonly drain?: Drain
}

/** The header in which a proxy says that it checked the certificate. Only our own proxies are trusted. */
export type VerifiedByProxy = { readonly header: string; readonly value: string }

/** Reads `name: value` of the header. Undefined when there is none, or no proxy to trust. */
export function readVerifiedByProxy(
  text: string,
  proxies: readonly string[],
): (VerifiedByProxy & { readonly isProxy: (address: string) => boolean }) | undefined {
  const [header = '', value = ''] = text.split(/: ?(.*)/)
  if (header === '' || proxies.length === 0) return undefined
  return { header, value, isProxy: within(proxies) }
}

export const bodyBytesMax = 262_144

/** A separate server that requests a certificate from every caller, and serves callbacks only. */
export function createCallbackServer(
  deps: CallbackDeps,
  tls: { readonly certificate: string; readonly privateKey: string },
): FastifyInstance {
  const server = Fastify({
    ...edgeOptions(),
    https: {
      ...connectionOptions(),
      cert: tls.certificate,
      key: tls.privateKey,
      requestCert: true,
      // Which certificate is required depends on the connection that is called, which is known only after the handshake.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
    },
  })
  server.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply))
  const edge = setUpEdge(server, { ...deps, name: 'callbacks', usesAddress: false })
  server.setNotFoundHandler((request, reply) => sendNothingHere(deps, edge, request, reply))
  serveCallbacks(server, deps, (request, connection) => isIssuedFor(request, connection, deps.clock.now()))
  return server
}

/** Callbacks on a server behind a proxy that checked the certificate. */
export function serveProxiedCallbacks(
  server: FastifyInstance,
  deps: CallbackDeps,
  verified: VerifiedByProxy & { readonly isProxy: (address: string) => boolean },
): void {
  serveCallbacks(server, deps, (request) => {
    const header = request.headers[verified.header.toLowerCase()]
    return header === verified.value && verified.isProxy(request.socket.remoteAddress ?? '')
  })
}

type IsVerified = (request: FastifyRequest, connection: ProviderConnection) => boolean

function serveCallbacks(server: FastifyInstance, deps: CallbackDeps, isVerified: IsVerified): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
      done(null, body),
    )
    // Providers append their own suffix to the URL they were given, and a query too (Efí).
    for (const path of ['/callbacks/:method/:connection', '/callbacks/:method/:connection/pix']) {
      scope.post(path, async (request, reply) => {
        const { method, connection } = find(deps, request)
        if (!isVerified(request, connection)) {
          // Providers make such a call when an address is registered; any other caller gains nothing.
          deps.log.info(
            { connection: connection.id, from: request.ip },
            'a callback without a certificate of its provider',
          )
          throw new AppError('forbidden', 'A client certificate of the provider is needed.')
        }
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        await insertSignals(deps.sql, [{ method, connection: connection.id, body }], deps.clock.now())
        deps.onSignal()
        return reply.code(200).send()
      })
    }
  })
}

/** Only of a rail whose provider calls with a client certificate. */
function find(
  { connections, rails }: CallbackDeps,
  { params }: FastifyRequest,
): { readonly method: Method; readonly connection: ProviderConnection } {
  const named = params as { readonly method: string; readonly connection: string }
  const name = named.method.toUpperCase().replaceAll('-', '_')
  const method = [...rails.values()].find((rail) => rail.method === name && certifiedOf(rail))?.method
  const connection = connections.find(named.connection as ConnectionId)
  if (method === undefined || connection?.method !== method)
    throw new AppError('not_found', 'There is nothing here.')
  return { method, connection }
}

/** Whether the caller's certificate was issued by an authority of this connection's provider, and is valid now. */
function isIssuedFor({ socket }: FastifyRequest, { settings }: ProviderConnection, at: Date): boolean {
  const peer = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
  const authorities = settings['callbackCa'] ?? settings['ca']
  if (peer === undefined || typeof authorities !== 'string') return false
  if (at < peer.validFromDate || at > peer.validToDate) return false
  return certificatesIn(authorities).some(
    (authority) => peer.checkIssued(authority) && peer.verify(authority.publicKey),
  )
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}
