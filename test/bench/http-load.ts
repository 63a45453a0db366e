// The load on POST /v1/payments or /v1/withdrawals, in a process of its own: each connection calls again as soon as
// it is answered, with a fresh idempotency key in each request.
import { newId } from '#/kernel/id.ts'
import { openClient, postOf } from './http-client.ts'
import { beChild, drive } from './process.ts'

const requests = { withdrawals: withdrawalRequest, pix: pixRequest }

export type HttpLoadOptions = {
  readonly url: string
  readonly apiKey: string
  readonly connections: number
  /** The kind of request, and the expected status of its answer. */
  /** Earlier commits, which `--against` starts with these options, know it by this name. */
  readonly asks?: { readonly for: keyof typeof requests; readonly status: 201 | 422 }
}

beChild(async ({ url, apiKey, connections, asks: wanted }: HttpLoadOptions) => {
  const [requestFor, expected] =
    wanted === undefined ? [paymentRequest, 201] : [requests[wanted.for], wanted.status]
  const { host } = new URL(url)
  const clients = await Promise.all(Array.from({ length: connections }, () => openClient(url)))
  const free = [...clients]

  /** `drive` has as many callers as there are connections, so one is always free. */
  async function askOnce(): Promise<void> {
    const client = free.pop()
    const answer = await client?.send(requestFor(host, apiKey))
    if (client === undefined || answer?.status !== expected)
      throw new Error(`the answer was ${answer?.status}`)
    free.push(client)
  }

  return {
    run: (spanMs) => drive(connections, spanMs, askOnce),
    close: async () => clients.forEach(({ close }) => close()),
  }
})

function paymentRequest(host: string, apiKey: string): string {
  return request('/v1/payments', host, apiKey, {
    amount: 1234,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    customerName: 'Ana Souza',
    customerEmail: 'ana@example.com',
    metadata: { orderId: 'A-1000' },
    webhookUrl: 'http://127.0.0.1:9/webhook',
    idempotencyKey: newId(),
  })
}

function pixRequest(host: string, apiKey: string): string {
  return request('/v1/payments', host, apiKey, {
    amount: 1234,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    customerName: 'Ana Souza',
    metadata: { orderId: 'A-1000' },
    webhookUrl: 'http://127.0.0.1:9/webhook',
    idempotencyKey: newId(),
  })
}

function withdrawalRequest(host: string, apiKey: string): string {
  return request('/v1/withdrawals', host, apiKey, {
    type: 'PIX',
    amount: 100,
    currency: 'BRL',
    pixKey: 'ana@example.com',
    pixKeyType: 'EMAIL',
    metadata: { invoice: 'A-1000' },
    webhookUrl: 'http://127.0.0.1:9/webhook',
    idempotencyKey: newId(),
  })
}

function request(path: string, host: string, apiKey: string, fields: object): string {
  return postOf(path, [`host: ${host}`, `apikey: ${apiKey}`], fields)
}
