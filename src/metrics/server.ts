// Serves /metrics, in the text format of Prometheus, on a port of its own that only the operator reaches.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '#/kernel/error.ts'
import type { Log } from '#/kernel/log.ts'

export type MetricsServerOptions = {
  readonly host: string
  readonly port: number
  readonly log: Log
  /** The text of all series now, and its media type. */
  readonly read: () => Promise<string>
  readonly contentType: string
}

/** Listens until it is closed. It answers one scrape at a time; those that come meanwhile get the same answer. */
export async function serveMetrics(
  options: MetricsServerOptions,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const { log, read, contentType } = options
  let reading: Promise<string> | undefined
  const answer = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    if (path !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
    answer().then(
      (text) => void response.writeHead(200, { 'content-type': contentType }).end(text),
      (error: unknown) => {
        log.error({ error: messageOf(error) }, 'metrics were not read')
        response.writeHead(500).end()
      },
    )
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
