// The load on POST /v1/payments or /v1/withdrawals, in a process of its own: connections that each ask again as soon as they are answered,
// with a fresh idempotency key in each request. It writes to sockets directly: a general load generator takes as much of
// a processor as the server itself, and the database would have to share what is left.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { newId } from '#/kernel/id.ts'
import { beChild, drive } from './process.ts'

export type HttpLoadOptions = {
  readonly url: string
  readonly apiKey: string
  readonly connections: number
  /** What is asked for, and the status that it is answered with. */
  readonly asks?: { readonly for: 'withdrawals'; readonly status: 201 | 422 }
}

beChild(async ({ url, apiKey, connections, asks }: HttpLoadOptions) => {
  const [requestFor, expected] = asks === undefined ? [paymentRequest, 201] : [withdrawalRequest, asks.status]
  const { hostname, port, host } = new URL(url)
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      await once(socket, 'connect')
      return createClient(socket)
    }),
  )
  const free = [...clients]

  /** `drive` has as many callers as there are connections, so one is always free. */
  async function askOnce(): Promise<void> {
    const client = free.pop()
    const status = await client?.ask(requestFor(host, apiKey))
    if (client === undefined || status !== expected) throw new Error(`the answer was ${status}`)
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
  const body = JSON.stringify(fields)
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\napikey: ${apiKey}\r\ncontent-type: application/json\r\n`
  return `${head}content-length: ${body.length}\r\n\r\n${body}`
}

/** One connection, one request at a time. `ask` answers with the status. */
function createClient(socket: Socket) {
  let received = ''
  let answered = Promise.withResolvers<number>()
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1]
    if (bodyAt < 4 || received.length < bodyAt + Number(length)) return
    const status = Number(received.slice(9, 12))
    received = ''
    answered.resolve(status)
  })
  socket.on('error', (error) => answered.reject(error))
  socket.on('close', () => answered.reject(new Error('the server closed a connection')))
  return {
    ask(request: string): Promise<number> {
      answered = Promise.withResolvers<number>()
      socket.write(request)
      return answered.promise
    },
    close: () => socket.destroy(),
  }
}
