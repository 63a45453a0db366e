// Wires the metrics of a process for Prometheus. prom-client is loaded only where there is a port for it.
import { X509Certificate } from 'node:crypto'
import type { Config } from '#/config.ts'
import type { Sql, SqlOptions } from '#/db/client.ts'
import type { ConnectionId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { OpenConnection } from '#/merchants/connections.ts'
import type { Instruments, Readings } from '#/metrics/instruments.ts'
import { methods } from '#/rails/methods.ts'

/** Which process it is, in metrics and in the log. `all`: `start`, which does everything. */
export type RoleName = 'all' | 'api' | 'worker' | 'watcher'

export type Metrics = Instruments & {
  /** Listens. `openSql`: for the figures that a process with workers reads from the database. */
  readonly serve: (parts: {
    readonly config: Config
    readonly log: Log
    readonly openSql: (options: SqlOptions) => Sql
    readonly readings: Readings & {
      /** The connection decrypted, as far as this process can. */
      readonly opened: (id: ConnectionId) => OpenConnection | undefined
    }
  }) => Promise<{ readonly close: () => Promise<void> }>
}

/** The instruments of this process. Undefined: the operator set no port. */
export async function openMetrics(config: Config, role: RoleName): Promise<Metrics | undefined> {
  if (config.VINTEM_METRICS_PORT === 0) return undefined
  const { createInstruments } = await import('#/metrics/instruments.ts')
  const instruments = createInstruments({ role, cell: config.VINTEM_CELL }, { methods })
  const { registry } = instruments
  return {
    ...instruments,
    async serve({ log, openSql, readings }) {
      instruments.readFrom(readings)
      const { serveMetrics } = await import('#/metrics/server.ts')
      const figures = hasWorkers(role) ? await figuresOf() : undefined
      const server = await serveMetrics({
        host: config.VINTEM_METRICS_HOST,
        port: config.VINTEM_METRICS_PORT,
        log,
        contentType: registry.contentType,
        read: async () => {
          await figures?.refresh()
          return registry.metrics()
        },
      })
      return {
        async close() {
          await server.close()
          await figures?.close()
        },
      }

      async function figuresOf() {
        const { createFigures } = await import('#/metrics/figures.ts')
        const { knownFigures } = await import('#/metrics/known-figures.ts')
        const sql = openSql({ max: 4, applicationName: 'vintem-metrics' })
        const created = createFigures({
          sql,
          log,
          registry,
          figures: knownFigures(config.VINTEM_CELL, readings.opened),
        })
        return { ...created, close: () => sql.end({ timeout: 1 }) }
      }
    },
  }
}

/** Only these read the database's figures: they are the same for all, and one process of a kind is enough. */
function hasWorkers(role: RoleName): boolean {
  return role === 'worker' || role === 'all'
}

/** Counts the calls of each connection also by its method. */
export function watchedCalls<Call extends { readonly ms: number; readonly fault?: string }>(
  metrics: Metrics | undefined,
  watch: (connection: ConnectionId) => (call: Call) => void,
  methodOf: (connection: ConnectionId) => string | undefined,
): (connection: ConnectionId) => (call: Call) => void {
  if (metrics === undefined) return watch
  return (connection) => {
    const counted = watch(connection)
    const method = methodOf(connection) ?? 'other'
    return (call) => {
      counted(call)
      metrics.providerCall(method, call)
    }
  }
}

/** Reports when the certificate (PEM) of the callback server ends. */
export function reportCertificate(metrics: Metrics | undefined, pem: string): void {
  metrics?.callbackCertificate(new X509Certificate(pem).validToDate)
}
