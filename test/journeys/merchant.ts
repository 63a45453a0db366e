// A merchant as a test plays it: real calls over HTTP, and a server that receives and verifies webhooks.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { SandboxFile } from '#/sandbox/provision.ts'

export type Json = Readonly<Record<string, unknown>>

export type Answer = { readonly status: number; readonly body: Json; readonly headers: Headers }

/** Calls the API with the sandbox's key. */
export async function call(
  { apiUrl, apiKey }: Pick<SandboxFile, 'apiUrl' | 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { apikey: apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Json),
    headers: response.headers,
  }
}

export type Received = {
  readonly id: string
  readonly type: string
  readonly data: Json
  readonly body: Json
}

export type WebhookServer = AsyncDisposable & {
  readonly url: string
  /** Verified events, one for each delivery. */
  readonly received: readonly Received[]
  /** Deliveries with an invalid signature. */
  readonly refused: () => number
}

/**
 * Receives webhooks as a merchant's server does: verifies the raw bytes with the official library, then answers. `secret` as a function is
 * called for each delivery: the secret of an endpoint exists only after this server's URL was registered.
 */
export async function startWebhookServer(secret: string | (() => string)): Promise<WebhookServer> {
  const received: Received[] = []
  const webhookNow = () => new Webhook(typeof secret === 'string' ? secret : secret())
  let refused = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      try {
        const text = Buffer.concat(parts).toString('utf8')
        webhookNow().verify(text, request.headers as Record<string, string>)
        const body = JSON.parse(text) as Json & Omit<Received, 'body'>
        received.push({ id: body.id, type: body.type, data: body.data, body })
        response.writeHead(204).end()
      } catch {
        refused += 1
        response.writeHead(400).end()
      }
    })
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    refused: () => refused,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
}
