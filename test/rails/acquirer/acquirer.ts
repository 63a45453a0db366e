// For tests: the sandbox's acquirer as a process of its own, a provider that answers as the test chooses, and rails for both.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { must } from '#/kernel/check.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock, type Clock } from '#/kernel/time.ts'
import { createCardRail, type CardRail } from '#/rails/acquirer/rail.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import type { OpenedAttempt, Opening } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { startProgram, type Json } from '../../../simulators/kit/harness.ts'
import * as provider from '../provider.ts'
import type { Reply } from '../provider.ts'
import { all, bookOf, merchantId, newConnectionId } from '../rail.ts'

type AcquirerState = Readonly<Record<string, readonly Json[]>>

export type TestAcquirer = {
  readonly apiUrl: string
  /** A control call. Returns its answer, parsed. */
  control(path: string, body?: Json): Promise<Json>
  /** Of all accounts, or of one. */
  state<State extends Json = AcquirerState>(account?: string): Promise<State>
  /** SIGKILL, and then again at the same address. Resolves when it is ready. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** `speed`: how many times as fast as an acquirer's own clock its money comes. */
export async function startTestAcquirer(speed = 50): Promise<TestAcquirer> {
  const program = await startProgram('acquirer', { args: ['--speed', String(speed)] })
  return {
    apiUrl: program.apiUrl,
    control: (path, body = {}) => program.control('POST', `/${path}`, body),
    async state<State extends Json = AcquirerState>(account?: string) {
      const query = account === undefined ? '' : `?account=${account}`
      return (await program.control('GET', `/state${query}`)) as State
    },
    async restart() {
      await program.kill('SIGKILL')
      await program.start()
    },
    stop: async () => await program[Symbol.asyncDispose](),
  }
}

export function connectionOf(
  settings: Json,
  secrets: Json,
  more: Partial<ProviderConnection> = {},
): ProviderConnection {
  return {
    id: newConnectionId(),
    mode: 'SANDBOX',
    method: 'CREDIT_CARD',
    provider: 'stripe',
    settings,
    secrets,
    refundSecrets: secrets,
    ...more,
  }
}

/** A rail over these connections, which may be changed while it runs. */
export function railOf(
  t: TestContext,
  connections: readonly ProviderConnection[],
  more: { readonly clock?: Clock; readonly totalMs?: number } = {},
): CardRail {
  const rail = createCardRail({
    connections: bookOf(connections),
    clock: more.clock ?? systemClock,
    log: silentLog,
    timeouts: { connectMs: 2_000, totalMs: more.totalMs ?? 5_000 },
  })
  t.after(() => rail.stop())
  return rail
}

export function openingOf(connection: ConnectionId, more: Partial<Opening> = {}): Opening {
  return {
    id: newId<'attempt'>(),
    merchantId,
    paymentId: newId<'payment'>(),
    method: 'CREDIT_CARD',
    connection,
    amount: { minor: 19_90n, currency: 'EUR' },
    expiresAt: addMs(systemClock.now(), hourMs),
    pageUrl: 'http://localhost:4001/c/token',
    captureMode: 'AUTOMATIC',
    ...more,
  }
}

export const brief = ({ outcome, attempt, providerRef, amount }: Receipt) => [
  outcome,
  attempt?.id,
  providerRef,
  amount.minor,
]
export const outcomes = (receipts: readonly Receipt[]) => receipts.map(({ outcome }) => outcome)
export const open = (rail: CardRail, what: Opening) => rail.opens.open(what)
export const check = (rail: CardRail, what: OpenedAttempt) => rail.opens.check(what)

/** Opens it; the test fails if it is refused. */
export async function opened(rail: CardRail, opening: Opening): Promise<OpenedAttempt> {
  const answer = await open(rail, opening)
  assert.ok(answer.ok, JSON.stringify(answer))
  const { id, paymentId, method, connection, amount } = opening
  return { id, merchantId, paymentId, method, connection, amount, artifacts: answer.artifacts }
}

/** A merchant of the acquirer, and a rail with its connection alone. */
export async function shopAt(
  acquirer: TestAcquirer,
  t: TestContext,
  more: { readonly settings?: Json; readonly clock?: Clock; readonly totalMs?: number } = {},
) {
  const account = await acquirer.control('accounts', { name: 'Loja' })
  const { accountId, secretKey, refundKey, publishableKey, webhookSecret } = account as Readonly<
    Record<string, string>
  >
  const { apiUrl } = acquirer
  const settings = {
    apiUrl,
    scriptUrl: `${apiUrl}/endive/stripe.js`,
    origins: [apiUrl],
    publishableKey,
    currencies: ['EUR', 'BRL'],
    ...more.settings,
  }
  const secrets = { secretKey, webhookSecrets: [webhookSecret] }
  const connection = connectionOf(settings, secrets, { refundSecrets: { secretKey: refundKey } })
  const rail = railOf(t, [connection], more)
  const { id } = connection
  return {
    rail,
    connection,
    id,
    accountId: String(accountId),
    webhookSecret: String(webhookSecret),
    /** The acquirer's objects of this merchant. */
    async has(kind: string): Promise<readonly Json[]> {
      return (await acquirer.state())[kind] ?? []
    },
    pay: async (attempt: OpenedAttempt, card: string, how: Json = {}) => {
      const answer = await acquirer.control('pay', { session: attempt.artifacts['sessionId'], card, ...how })
      return answer as Json & { readonly paymentIntent: string; readonly status: string }
    },
    async paid(terms: Partial<Opening> = {}, card = 'success') {
      const attempt = await opened(rail, openingOf(id, terms))
      const { paymentIntent } = await this.pay(attempt, card)
      return { attempt, paymentIntent }
    },
    listed: (onlyReturned = false) => {
      const now = systemClock.now()
      const span = { from: addMs(now, -hourMs), to: addMs(now, hourMs) }
      return all(must(rail.list, 'it lists')(id, { ...span, ...(onlyReturned ? { onlyReturned } : {}) }))
    },
    read: (body: unknown) =>
      Promise.resolve(
        rail.read({ connection: id, receivedAt: systemClock.now(), body: Buffer.from(JSON.stringify(body)) }),
      ),
  }
}

export type Call = provider.Call & { readonly form: URLSearchParams }

/** A rail at a provider that answers as `reply` says; without an answer the connection is cut. */
export async function railAtProvider(t: TestContext, reply: (call: Call) => Reply | undefined) {
  const calls: Call[] = []
  const { url: apiUrl, stop } = await provider.startTestProvider((heard) => {
    const call = { ...heard, form: new URLSearchParams(heard.body.toString()) }
    calls.push(call)
    return reply(call) ?? { status: 0, cut: true }
  })
  t.after(stop)
  const settings = { apiUrl, publishableKey: 'pk_test_1', currencies: ['EUR'] }
  const connection = connectionOf(settings, { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'] })
  return { rail: railOf(t, [connection]), id: connection.id, calls }
}
