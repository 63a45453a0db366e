// For tests: the sandbox's acquirer as a process of its own, a provider that answers what a test says, and the rail at them.
import type { ProviderConnection, Receipt } from '#/rails/words.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock, type Clock } from '#/kernel/time.ts'
import { createHttpClient } from '#/rails/http.ts'
import type { OpenedAttempt, Opening } from '#/rails/rail.ts'
import { createCardRail, type CardRail } from '#/rails/acquirer/rail.ts'

export type Json = Readonly<Record<string, unknown>>

type AcquirerState = Readonly<Record<string, readonly Json[]>>

export type TestAcquirer = {
  readonly apiUrl: string
  /** A call of the control port; its answer, parsed. */
  control(path: string, body?: Json): Promise<Json>
  /** Of all accounts, or of one. */
  state<State extends Json = AcquirerState>(account?: string): Promise<State>
  /** SIGKILL, and then again at the same address. Resolves when it is ready. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../../simulators/acquirer/main.ts', import.meta.url))

export async function startTestAcquirer(): Promise<TestAcquirer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'card-rail-'))
  const first = await launch(dataDir, '0')
  const { apiUrl, controlUrl } = first
  let { acquirer } = first
  const http = createHttpClient({ connectMs: 2_000, totalMs: 10_000, maxConnections: 4 })
  const call = async (method: 'GET' | 'POST', path: string, body?: Json): Promise<Json> => {
    const answer = await http.request({
      method,
      url: `${controlUrl}/_sim/${path}`,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(answer.status < 300, `${path}: ${answer.body.toString()}`)
    return JSON.parse(answer.body.toString()) as Json
  }
  return {
    apiUrl,
    control: (path, body = {}) => call('POST', path, body),
    async state<State extends Json = AcquirerState>(account?: string) {
      const query = account === undefined ? '' : `?account=${account}`
      return (await call('GET', `state${query}`)) as State
    },
    async restart() {
      const killed = once(acquirer, 'exit')
      acquirer.kill('SIGKILL')
      await killed
      ;({ acquirer } = await launch(dataDir, new URL(apiUrl).port))
    },
    async stop() {
      await http.close()
      const ended = once(acquirer, 'exit')
      acquirer.stdin.end()
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function launch(dataDir: string, port: string) {
  const args = ['--port', port, '--data-dir', dataDir, '--die-with-parent', '--speed', '50']
  const acquirer = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(acquirer.stdout, 'data')) as [Buffer]
  const { apiUrl, controlUrl } = JSON.parse(line.toString()) as { apiUrl: string; controlUrl: string }
  return { acquirer, apiUrl, controlUrl }
}

export const merchantId = newId<'merchant'>()

export function connectionOf(
  settings: Json,
  secrets: Json,
  more: Partial<ProviderConnection> = {},
): ProviderConnection {
  return {
    id: `00-${newId()}` as ConnectionId,
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
    connections: {
      of: ({ mode }) => connections.filter((each) => each.mode === mode),
      find: (id) => connections.find((each) => each.id === id),
      all: () => connections,
    },
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

/** Opens it, and it must be taken. */
export async function opened(rail: CardRail, opening: Opening): Promise<OpenedAttempt> {
  const answer = await open(rail, opening)
  assert.ok(answer.ok, JSON.stringify(answer))
  const { id, paymentId, method, connection, amount } = opening
  return { id, merchantId, paymentId, method, connection, amount, artifacts: answer.artifacts }
}

export async function errorOf(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ProviderError, String(error))
  return error
}

export async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(...page)
  return found
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
    /** What the acquirer has of this merchant. */
    async has(kind: string): Promise<readonly Json[]> {
      return (await acquirer.state())[kind] ?? []
    },
    pay: async (attempt: OpenedAttempt, card: string, how: Json = {}) => {
      const answer = await acquirer.control('pay', { session: attempt.artifacts['sessionId'], card, ...how })
      return answer as Json & { readonly paymentIntent: string; readonly status: string }
    },
    async paid(wish: Partial<Opening> = {}, card = 'success') {
      const attempt = await opened(rail, openingOf(id, wish))
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

export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly form: URLSearchParams
}
export type Reply = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A rail at a provider that answers as `reply` says; without an answer the connection is cut. */
export async function railAtProvider(t: TestContext, reply: (call: Call) => Reply | undefined) {
  const calls: Call[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const call = { method, path: url, headers, form: new URLSearchParams(body) }
      calls.push(call)
      const answer = reply(call)
      if (answer === undefined) return void request.socket.destroy()
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      const { body: sent = '' } = answer
      response.end(typeof sent === 'string' ? sent : JSON.stringify(sent))
    })
  })
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { apiUrl, publishableKey: 'pk_test_1', currencies: ['EUR'] }
  const connection = connectionOf(settings, { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'] })
  return { rail: railOf(t, [connection]), id: connection.id, calls }
}
