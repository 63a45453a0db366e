// For tests: an acquirer of its own, the official client, and a receiver of webhooks, over real HTTP.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { Stripe } from 'stripe'
import { callControl, hearing, hosted, type Json } from '../kit/harness.ts'
import type { AcquirerOptions } from './acquirer.ts'
import { startAcquirer } from './server.ts'

export type TestAccount = {
  readonly accountId: string
  readonly secretKey: string
  readonly refundKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** The official client, with the key that collects money, and with the key that refunds it. */
  readonly stripe: Stripe
  readonly refunder: Stripe
}

export type TestAcquirer = AsyncDisposable & {
  readonly apiUrl: string
  readonly dataDir: string
  /** A control call. Throws if it is refused. */
  control(path: string, body?: Json): Promise<Json>
  account(options?: Json): Promise<TestAccount>
  close(): Promise<void>
}

/** An acquirer 100 times as fast as usual. */
export async function startTestAcquirer(options: Partial<AcquirerOptions> = {}): Promise<TestAcquirer> {
  const running = await hosted(options.dataDir, (dataDir) =>
    startAcquirer({ port: 0, speed: 100, ...options, dataDir }),
  )
  const control = (path: string, body: Json = {}) => callControl(running.controlUrl, 'POST', `/${path}`, body)
  return {
    ...running,
    control,
    account: async (wanted = {}) => clientsOf(running.apiUrl, await control('accounts', wanted)),
  }
}

export function clientsOf(apiUrl: string, made: Json): TestAccount {
  const keys = made as Omit<TestAccount, 'stripe' | 'refunder'>
  return { ...keys, stripe: clientOf(apiUrl, keys.secretKey), refunder: clientOf(apiUrl, keys.refundKey) }
}

function clientOf(apiUrl: string, key: string): Stripe {
  const { hostname, port } = new URL(apiUrl)
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

type Create = Stripe.Checkout.SessionCreateParams

/** A session of 19.90 in a frame, without a redirect. */
export function terms(more: Partial<Create> = {}): Create {
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    redirect_on_completion: 'never',
    line_items: [item('eur', 1990)],
    ...more,
  }
}

export function hostedTerms(more: Partial<Create> = {}): Create {
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    success_url: 'http://shop.localhost/thanks?s={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://shop.localhost/cart',
    line_items: [item('brl', 5000)],
    ...more,
  }
}

export function item(currency: string, amount: number) {
  return { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Pedido 17' } } }
}

export type Received = {
  readonly body: string
  readonly event: Stripe.Event
  readonly headers: IncomingHttpHeaders
}
export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly received: readonly Received[]
  /** The status codes of the next answers; 200 when there are none. */
  readonly answers: number[]
  types(): readonly string[]
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const status = answers.shift() ?? 200
      if (status === 200)
        received.push({ body, event: JSON.parse(body) as Stripe.Event, headers: incoming.headers })
      outgoing.writeHead(status).end()
    })
  })
  const { port, ...ending } = await hearing(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    types: () => received.map(({ event }) => event.type),
    ...ending,
  }
}
