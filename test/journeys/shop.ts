// A merchant's shop at an installation, for tests of the card and the partner's wallet app: the API, the received
// webhooks, the payer's page, the provider's remote control, and the operator's view.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { sleep } from '#/kernel/time.ts'
import { connectionKeys, openConnectionBook } from '#/merchants/connections.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { eventually } from '../eventually.ts'
import type { Installation } from './installation.ts'
import {
  call,
  startWebhookServer,
  type Answer,
  type Json,
  type Received,
  type WebhookServer,
} from './merchant.ts'
import { sharedInstallation } from './shared-installation.ts'

export type Simulator = 'acquirer' | 'partnerWallet' | 'sepaBank'

export type Shop = AsyncDisposable & {
  readonly installation: Installation
  readonly hooks: WebhookServer
  api(method: string, path: string, body?: unknown): Promise<Answer>
  get(path: string): Promise<Json>
  /** Creates a payment with the usual terms and `more`; the API must accept it. */
  create(more?: Json): Promise<Payment>
  /** Plays the payer of the sandbox. */
  pay(payment: Payment, scenario: string): Promise<void>
  /** A new payment, paid. */
  paid(more?: Json): Promise<Payment>
  /** Waits until the payment has this state, and returns it. */
  until(payment: Payment, what: string, isSo: (payment: Json) => boolean): Promise<Json>
  untilPaid(payment: Payment): Promise<Json>
  /** Waits for the webhook of this type about the payment, and returns it. */
  notified(payment: Payment, type: string): Promise<Received>
  /** The types of all events about the payment, in order, as the API lists them. */
  events(payment: Payment): Promise<readonly string[]>
  /** The sums of all wallets of the currency. */
  wallet(currency: string): Promise<{ readonly balance: number; readonly held: number }>
  simulate(simulator: Simulator, path: string, body?: Json): Promise<Json>
  /** What a simulator has: all, or what its control call `path` reads. */
  stateOf(simulator: Simulator, path?: string): Promise<Json>
  /** Runs `work` with our database and the connections, their secrets decrypted. */
  asOperator<T>(work: (sql: Sql, connectionOf: ConnectionOf) => Promise<T>): Promise<T>
  /** Waits until the payment's page has this state, and returns it. */
  page(payment: Payment, what: string, isSo: (state: Json) => boolean): Promise<Json>
  /** The number of all receipts, booked or in suspense. */
  receipts(): Promise<number>
}

export type Payment = Json & { readonly id: string }

/** The one connection of a method. */
export type ConnectionOf = (method: string) => ProviderConnection

let keys = 0

/** Opens a shop at an installation, by default one that it shares with others. `usual`: the default terms of its payments. */
export async function openShop(usual: Json, own?: Installation): Promise<Shop> {
  const installation = own ?? (await sharedInstallation())
  const hooks = await startWebhookServer(installation.sandbox().webhookSecret)
  const api: Shop['api'] = (method, path, body) => call(installation.sandbox(), method, path, body)
  const get = async (path: string) => (await api('GET', path)).body
  const shop: Shop = {
    installation,
    hooks,
    api,
    get,
    async create(more = {}) {
      const body = { ...usual, idempotencyKey: `shop-${++keys}`, webhookUrl: hooks.url, ...more }
      const answer = await api('POST', '/v1/payments', body)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body as Payment
    },
    async pay({ id }, scenario) {
      const answer = await api('POST', `/v1/sandbox/payments/${id}/pay`, { scenario })
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
    },
    async paid(more) {
      const payment = await shop.create(more)
      await shop.pay(payment, usual['currency'] === 'USDT' ? 'confirm' : 'success')
      await shop.untilPaid(payment)
      return payment
    },
    until: ({ id }, what, isSo) =>
      eventually(`${id} ${what}`, async () => {
        const payment = await get(`/v1/payments/${id}`)
        return isSo(payment) && payment
      }),
    untilPaid: (payment) => shop.until(payment, 'is PAID', ({ status }) => status === 'PAID'),
    notified: ({ id }, type) =>
      eventually(`${id} is notified of ${type}`, async () =>
        hooks.received.find((each) => each.type === type && isAbout(each.data, id)),
      ),
    async events({ id }) {
      const types: string[] = []
      for (let after = 0; ;) {
        const { data } = await get(`/v1/events?after=${after}&limit=100`)
        const page = data as readonly (Json & { readonly type: string; readonly data: Json })[]
        if (page.length === 0) return types
        types.push(...page.flatMap((each) => (isAbout(each.data, id) ? [each.type] : [])))
        after = Number(page.at(-1)?.['sequence'])
      }
    },
    async wallet(currency) {
      const { data } = await get('/v1/wallets/balance')
      const found = (data as readonly Json[]).find((each) => each['currency'] === currency)
      return { balance: Number(found?.['balance'] ?? 0), held: Number(found?.['heldBalance'] ?? 0) }
    },
    simulate: (simulator, path, body = {}) => controlOf(installation, simulator, 'POST', path, body),
    stateOf: (simulator, path = '/state') => controlOf(installation, simulator, 'GET', path),
    asOperator: (work) => asOperator(installation, work),
    page: ({ id, cardRedirectUrl }, what, isSo) =>
      eventually(`the page of ${id} ${what}`, async () => {
        // The server limits how often a page may be requested.
        await sleep(250)
        const state = (await (await fetch(`${String(cardRedirectUrl)}/state`)).json()) as Json
        return isSo(state) && state
      }),
    receipts: () =>
      asOperator(installation, async (sql) => {
        const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from receipt`
        return row?.count ?? 0
      }),
    [Symbol.asyncDispose]: () => hooks[Symbol.asyncDispose](),
  }
  return shop
}

function isAbout(data: Json, id: string): boolean {
  return data['id'] === id || data['paymentId'] === id
}

/** A call of a simulator's own remote control. */
export async function controlOf(
  installation: Pick<Installation, 'sandbox'>,
  simulator: Simulator,
  method: 'GET' | 'POST',
  path: string,
  body?: Json,
): Promise<Json> {
  const { controlUrl } = installation.sandbox().simulators[simulator]
  const answer = await fetch(`${controlUrl}/_sim${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${path}: ${text}`)
  return JSON.parse(text) as Json
}

/** Runs `work` with the database of the installation and its connections, their secrets decrypted. */
export async function asOperator<T>(
  { dataDir, databaseUrl }: Installation,
  work: (sql: Sql, connectionOf: ConnectionOf) => Promise<T>,
): Promise<T> {
  const keyOf = (name: string) => Buffer.from(readFileSync(join(dataDir, 'keys', name), 'utf8').trim(), 'hex')
  const sql = connect(await databaseUrl(), { max: 2 })
  const keys = connectionKeys(keyOf('master.key'), undefined)
  const book = await openConnectionBook({ sql, keys, log: silentLog })
  try {
    return await work(sql, (method) => must(book.all(method)[0], `there is a connection for ${method}`))
  } finally {
    book.close()
    await sql.end({ timeout: 1 })
  }
}
