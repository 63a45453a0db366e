// For tests: a bank of its own, a receiver of webhooks, and clients, over real TLS.
import { createServer } from 'node:https'
import { TLSSocket } from 'node:tls'
import { Agent, request } from 'undici'
import { eventually } from '../../test/eventually.ts'
import { given } from '../kit/given.ts'
import { hearing, hosted, type Json } from '../kit/harness.ts'
import type { BankOptions } from './bank.ts'
import { startBank, usualOptions } from './server.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed, where it is JSON. */
  readonly body: Json
  readonly text: string
}

export type Credentials = {
  readonly clientId: string
  readonly clientSecret: string
  readonly certificate: string
  readonly privateKey: string
  readonly ca: string
  readonly pixKey: string
}

export type TestBank = AsyncDisposable & {
  readonly apiUrl: string
  readonly controlUrl: string
  readonly seed: number
  readonly dataDir: string
  control(method: string, path: string, body?: unknown): Promise<Answer>
  application(options?: Json): Promise<Credentials>
  /** The bank's events since the beginning. */
  events(): Promise<readonly Json[]>
  close(): Promise<void>
}

/** A bank 50 times as fast as usual. */
export async function startTestBank(options: Partial<BankOptions> = {}): Promise<TestBank> {
  const bank = await hosted(options.dataDir, (dataDir) =>
    startBank({ ...usualOptions, port: 0, controlPort: 0, speed: 50, ...options, dataDir }),
  )
  const control = (method: string, path: string, body?: unknown) =>
    fetchAnswer(`${bank.controlUrl}${path}`, { method, body })
  return {
    ...bank,
    control,
    application: async (wanted = {}) => {
      const made = await control('POST', '/_sim/applications', wanted)
      return made.body as Credentials
    },
    events: async () => {
      const { body } = await control('GET', '/_sim/events?limit=10000')
      return body['events'] as readonly Json[]
    },
  }
}

export type Client = AsyncDisposable & {
  readonly agent: Agent
  readonly token: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Connects with a certificate and requests a token. */
export async function connect(apiUrl: string, credentials: Credentials, scope?: string): Promise<Client> {
  const agent = agentOf(credentials)
  const granted = await takeToken(apiUrl, credentials, agent, scope)
  const token = String(granted.body['access_token'])
  return {
    agent,
    token,
    call: (method, path, body, headers = {}) =>
      fetchAnswer(`${apiUrl}${path}`, {
        method,
        body,
        agent,
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

export function agentOf(options: {
  readonly ca: string
  readonly certificate?: string
  readonly privateKey?: string
}): Agent {
  const { ca, certificate, privateKey } = options
  const client = certificate === undefined ? {} : { cert: certificate, key: privateKey }
  return new Agent({ connect: { ca, ...client } })
}

export function takeToken(
  apiUrl: string,
  { clientId, clientSecret }: Pick<Credentials, 'clientId' | 'clientSecret'>,
  agent: Agent,
  scope?: string,
): Promise<Answer> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return fetchAnswer(`${apiUrl}/oauth/token`, {
    method: 'POST',
    agent,
    headers: { authorization: `Basic ${basic}` },
    body: { grant_type: 'client_credentials', ...given({ scope }) },
  })
}

type CallOptions = {
  readonly method: string
  readonly body?: unknown
  readonly agent?: Agent
  readonly headers?: Record<string, string>
}

export async function fetchAnswer(
  url: string,
  { method, body, agent, headers = {} }: CallOptions,
): Promise<Answer> {
  const answer = await request(url, {
    method,
    ...given({ dispatcher: agent }),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  const isJson = /json/.test(String(answer.headers['content-type']))
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    body: isJson ? (JSON.parse(text) as Json) : {},
  }
}

export type Received = { readonly path: string; readonly body: Json; readonly pix: readonly Json[] }

export type Receiver = AsyncDisposable & {
  readonly url: string
  /** Calls with a certificate of the bank, at /pix. */
  readonly received: Received[]
  /** Calls that were refused because they had no certificate. */
  refused: number
  /** The status codes of the next answers; 200 when there are none. */
  readonly answers: number[]
  /** Resolves when this number of calls has come. */
  until(count: number): Promise<readonly Received[]>
}

/** A server that only the bank may call, unless it is `open`. */
export async function startReceiver(bank: TestBank, { open = false } = {}): Promise<Receiver> {
  const { body } = await bank.control('POST', '/_sim/server-certificates', { hosts: ['127.0.0.1'] })
  const { certificate, privateKey, ca } = body as Readonly<Record<string, string>>
  const received: Received[] = []
  const answers: number[] = []
  const receiver = { received, answers, refused: 0 }
  const server = createServer(
    { cert: certificate, key: privateKey, ca, requestCert: true, rejectUnauthorized: false },
    (incoming, outgoing) => {
      const isTrusted = incoming.socket instanceof TLSSocket && incoming.socket.authorized
      let text = ''
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
      incoming.on('end', () => {
        if (!open && !isTrusted) {
          receiver.refused += 1
          return outgoing.writeHead(403).end()
        }
        const parsed = JSON.parse(text) as Json
        const path = incoming.url ?? ''
        const isPix = path.endsWith('/pix')
        const status = isPix ? (answers.shift() ?? 200) : 200
        if (isPix && status === 200)
          received.push({ path, body: parsed, pix: parsed['pix'] as readonly Json[] })
        outgoing.writeHead(status).end()
      })
    },
  )
  const { port, ...ending } = await hearing(server)
  return Object.assign(receiver, {
    url: `https://127.0.0.1:${port}/hook`,
    until: (count: number) => eventually(`${count} webhooks`, () => received.length >= count && received),
    ...ending,
  })
}

let txids = 0
/** A new txid with each call. */
export function freshTxid(): string {
  txids += 1
  return `txid${txids.toString().padStart(28, '0')}`
}

export function terms({ pixKey }: Pick<Credentials, 'pixKey'>, original = '10.00', more: Json = {}): Json {
  return { calendario: { expiracao: 3600 }, valor: { original }, chave: pixKey, ...more }
}
