// For tests: a wallet of its own, a merchant with its own signing code, and a receiver of webhooks.
import { createHmac, createPublicKey, randomInt, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { eventually } from '../../test/eventually.ts'
import { callControl, hearing, hosted, type Json } from '../kit/harness.ts'
import { startWallet, usualOptions } from './server.ts'
import type { WalletOptions } from './wallet.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed, where it is JSON. */
  readonly body: Json
}

export type TestWallet = AsyncDisposable & {
  readonly url: string
  readonly seed: number
  readonly dataDir: string
  control(path: string, body: Json): Promise<Json>
  events(): Promise<readonly Json[]>
  merchant(options?: Json): Promise<Merchant>
  close(): Promise<void>
}

/** A wallet 50 times as fast as usual, whose window is wide enough for a busy machine. */
export async function startTestWallet(options: Partial<WalletOptions> = {}): Promise<TestWallet> {
  const wallet = await hosted(options.dataDir, (dataDir) =>
    startWallet({ ...usualOptions, port: 0, speed: 50, toleranceMs: 10_000, ...options, dataDir }),
  )
  const url = wallet.apiUrl
  return {
    ...wallet,
    url,
    control: (path, body) => control(url, path, body),
    events: async () =>
      (await fetchAnswer(`${url}/_sim/events?limit=5000`)).body['events'] as readonly Json[],
    merchant: (wanted) => openMerchant(url, wanted),
  }
}

/** One control call; rejects with the refusal. */
function control(url: string, path: string, body: Json): Promise<Json> {
  return callControl(url, 'POST', `/${path}`, body)
}

export type Keys = { readonly apiKey: string; readonly apiSecret: string }
export type Merchant = Keys & {
  readonly url: string
  /** A signed call of the merchant API. */
  call(path: string, body?: Json, spelling?: Partial<Spelling>): Promise<Answer>
  /** Its `data`; throws when it is refused. */
  data(path: string, body?: Json): Promise<Json>
  /** The same, where it is a list. */
  list(path: string, body?: Json): Promise<readonly Json[]>
}

/** Deviations in a call. */
type Spelling = {
  readonly timestamp: string
  readonly nonce: string
  readonly apiKey: string
  readonly signature: string
  readonly text: string
}

export async function openMerchant(url: string, options: Json = {}): Promise<Merchant> {
  return merchantWith(url, (await control(url, 'merchants', options)) as Keys)
}

/** Signs by the documentation, with none of the simulator's own code. */
export function merchantWith(url: string, { apiKey, apiSecret }: Keys): Merchant {
  const call: Merchant['call'] = (path, body = {}, spelling = {}) => {
    const text = spelling.text ?? JSON.stringify(body)
    const timestamp = spelling.timestamp ?? `${Date.now()}`
    const nonce = spelling.nonce ?? freshNonce()
    const signature = createHmac('sha512', apiSecret)
      .update(`${timestamp}\n${nonce}\n${text}\n`)
      .digest('hex')
    return fetchAnswer(`${url}/binancepay/openapi${path}`, {
      method: 'POST',
      body: text,
      headers: {
        'content-type': 'application/json',
        'BinancePay-Timestamp': timestamp,
        'BinancePay-Nonce': nonce,
        'BinancePay-Certificate-SN': spelling.apiKey ?? apiKey,
        'BinancePay-Signature': spelling.signature ?? signature.toUpperCase(),
      },
    })
  }
  const data = async (path: string, body?: Json): Promise<unknown> => {
    const answer = await call(path, body)
    if (answer.body['code'] !== '000000') throw new Error(answer.text)
    return answer.body['data']
  }
  return {
    url,
    apiKey,
    apiSecret,
    call,
    data: async (path, body) => (await data(path, body)) as Json,
    list: async (path, body) => (await data(path, body)) as readonly Json[],
  }
}

export function freshNonce(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
  return Array.from({ length: 32 }, () => letters.charAt(randomInt(letters.length))).join('')
}

export async function fetchAnswer(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson ? (JSON.parse(text) as Json) : {},
  }
}

let tradeNos = 0
/** A new merchantTradeNo with each call. */
export function terms(orderAmount: unknown = '10.00', more: Json = {}): Json {
  tradeNos += 1
  return {
    env: { terminalType: 'WEB' },
    merchantTradeNo: `trade${tradeNos.toString().padStart(27, '0')}`,
    orderAmount,
    currency: 'USDT',
    description: 'Order 1001',
    goodsDetails: [
      { goodsType: '02', goodsCategory: 'Z000', referenceGoodsId: '1001', goodsName: 'Order 1001' },
    ],
    ...more,
  }
}

export type Received = {
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: Json
  /** The JSON inside `data`. */
  readonly data: Json
  readonly at: number
}

export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly received: Received[]
  /** Status and body of the next answers; success when there are none. */
  readonly answers: (readonly [status: number, body: string])[]
  /** Resolves when this number of webhooks has come. */
  until(count: number): Promise<readonly Received[]>
}

/** On `port`, or any free one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const answers: (readonly [number, string])[] = []
  const server = createServer((incoming, outgoing) => {
    void textOf(incoming).then((raw) => {
      const body = JSON.parse(raw) as Json
      const data = JSON.parse(String(body['data'])) as Json
      received.push({ headers: incoming.headers, raw, body, data, at: performance.now() })
      const [status, text] = answers.shift() ?? [200, '{"returnCode":"SUCCESS","returnMessage":null}']
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  const { port: boundPort, ...ending } = await hearing(server, port)
  return {
    url: `http://127.0.0.1:${boundPort}/hook`,
    received,
    answers,
    until: (count) => eventually(`${count} webhooks`, () => received.length >= count && received),
    ...ending,
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Verifies a webhook by the documentation, with the key that the API serves under its serial; false without such a key. */
export async function isGenuine(merchant: Merchant, { headers, raw }: Received): Promise<boolean> {
  const served = await merchant.list('/certificates')
  const header = (name: string) => String(headers[`binancepay-${name}`])
  const found = served.find(({ certSerial }) => certSerial === header('certificate-sn'))
  if (found === undefined) return false
  const payload = Buffer.from(`${header('timestamp')}\n${header('nonce')}\n${raw}\n`)
  const signature = Buffer.from(header('signature'), 'base64')
  return verify('RSA-SHA256', payload, createPublicKey(String(found['certPublic'])), signature)
}
