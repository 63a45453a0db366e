// Wires the callbacks of providers.
import type { FastifyInstance } from 'fastify'
import type { Config } from '#/config.ts'
import type { Drain } from '#/edge/drain.ts'
import { createCallbackServer, type CallbackDeps } from '#/http/callbacks.ts'
import type { WakeUps } from '#/kernel/wake-up.ts'
import { reportCertificate, type Metrics } from './metrics.ts'

/** What of the core servers of callbacks need. */
type CallbackCore = Omit<CallbackDeps, 'onSignal' | 'onRequestEnd' | 'drain'> & {
  readonly config: Config
  readonly wakeUps: WakeUps
  readonly drain: Drain
  readonly metrics: Metrics | undefined
}

/** The server for callbacks with client certificates, listening. */
export async function openCallbackServer(
  core: CallbackCore,
  tls: { readonly certificate: string; readonly privateKey: string },
): Promise<FastifyInstance> {
  const server = createCallbackServer(callbackDeps(core), tls)
  reportCertificate(core.metrics, tls.certificate)
  await server.listen({ host: core.config.VINTEM_HOST, port: core.config.PORT + 3 })
  return server
}

/** What servers of callbacks use. */
export function callbackDeps(core: CallbackCore): CallbackDeps {
  const { sql, clock, log, connections, rails, wakeUps, metrics, drain } = core
  const onSignal = () => wakeUps.signals.forEach((wake) => wake())
  return { sql, clock, log, connections, rails, onSignal, onRequestEnd: metrics?.request, drain }
}
