// A line to the API of an installation, for tests of clients that have to bear a lost answer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type LossyLine = AsyncDisposable & {
  readonly url: string
  readonly breakAt: (call: RegExp) => void
  readonly mend: () => void
}

/** A line to the API whose calls arrive, and whose answers are lost from the first call that matches on, until it is mended. */
export async function openLossyLine(target: () => string): Promise<LossyLine> {
  let broken: RegExp | undefined
  let isDown = false
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
      const { apikey = '', 'idempotency-key': key, 'content-type': type } = request.headers
      const answer = await fetch(`${target()}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          apikey: String(apikey),
          ...(key === undefined ? {} : { 'idempotency-key': String(key) }),
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        ...(body.length === 0 ? {} : { body }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      isDown ||= broken?.test(`${request.method} ${request.url}`) === true
      if (isDown) request.socket.destroy()
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakAt: (call: RegExp) => (broken = call),
    mend: () => {
      broken = undefined
      isDown = false
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
