// For tests: an acquirer of its own, the official client, and a receiver of webhooks, over real HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import type { AcquirerOptions } from './acquirer.ts'
import { startAcquirer } from './server.ts'

export type Json = Readonly<Record<string, unknown>>

export type TestAccount = {
  readonly accountId: string
  readonly secretKey: string
  readonly refundKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** The official client, with the key that takes money in, and with the one that gives it back. */
  readonly stripe: Stripe
  readonly refunder: Stripe
}

export type TestAcquirer = AsyncDisposable & {
  readonly apiUrl: string
  readonly dataDir: string
  /** A control call; one that is refused throws. */
  control(path: string, body?: Json): Promise<Json>
  account(wish?: Json): Promise<TestAccount>
  close(): Promise<void>
}

/** An acquirer 100 times as fast as usual. */
export async function startTestAcquirer(wish: Partial<AcquirerOptions> = {}): Promise<TestAcquirer> {
  const dataDir = wish.dataDir ?? mkdtempSync(join(tmpdir(), 'acquirer-'))
  const running = await startAcquirer({ port: 0, speed: 100, ...wish, dataDir })
  let isOpen = true
  const close = async () => {
    if (isOpen) await running.close()
    isOpen = false
  }
  const control = (path: string, body: Json = {}) => controlOf(running.controlUrl, path, body)
  return {
    apiUrl: running.apiUrl,
    dataDir,
    control,
    account: async (wanted = {}) => clientsOf(running.apiUrl, await control('accounts', wanted)),
    close,
    [Symbol.asyncDispose]: async () => {
      await close()
      if (wish.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function controlOf(url: string, path: string, body: Json): Promise<Json> {
  const answer = await fetch(`${url}/_sim/${path}`, { method: 'POST', body: JSON.stringify(body) })
  const said = (await answer.json()) as Json
  if (!answer.ok) throw new Error(`${answer.status} ${String(said['code'])}: ${String(said['title'])}`)
  return said
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

/** A session of 19.90 in a frame that redirects nobody. */
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
  /** What the next calls are answered with; 200 when there is nothing. */
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
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    types: () => received.map(({ event }) => event.type),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
