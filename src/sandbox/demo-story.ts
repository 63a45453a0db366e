// The parts of a story in the terminal: steps and facts, calls to the API, and a merchant's server that accepts a webhook only when
// its signature is valid.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { messageOf } from '#/kernel/error.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { monotonicMs, sleep, type Clock } from '#/kernel/time.ts'
import { member } from './member.ts'
import type { SandboxFile } from './provision.ts'
import { isGenuine, webhookSecretBytes, type HeaderValues } from './verify-webhook.ts'
import { inSeconds } from './welcome.ts'

export const nameIt = 'One that runs with another VINTEM_DATA_DIR is found when that is set here too.'
export const startIt = 'Run npm start in another terminal, then this again.'

/** Something is not as promised. */
export class Surprise extends Error {
  override name = 'Surprise'
  readonly remedy: string
  constructor(message: string, remedy = '') {
    super(message)
    this.remedy = remedy
  }
}

export type Story = {
  readonly terminal: Terminal
  readonly sandbox: SandboxFile
  readonly receiver: Receiver
  readonly clock: Clock
  readonly patienceMs: number
  /** How many steps were shown so far. */
  readonly steps: { shown: number }
}

export type Amount = { readonly minor: number; readonly currency: Currency }

/** Waits for the webhook of the completed payment and verifies its signature. Returns its `data`. */
export async function receive(story: Story, id: string, { minor }: Amount): Promise<unknown> {
  step(story, 'Receive the webhook and verify it', `POST ${story.receiver.origin}/webhooks`)
  const isOurs = (body: unknown) =>
    member(body, 'type') === 'payment.completed' && member(member(body, 'data'), 'id') === id
  const webhook = await poll(story, 'the webhook', async () =>
    story.receiver.calls.find(({ body }) => isOurs(parse(body.toString('utf8')))),
  )
  const secrets = [webhookSecretBytes(story.sandbox.webhookSecret)]
  const now = story.clock.now()
  expect(isGenuine(secrets, webhook, now), 'The signature of the webhook is not valid.')
  const forged = Buffer.from(webhook.body.toString('utf8').replace(String(minor), '99999'))
  expect(
    !isGenuine(secrets, { ...webhook, body: forged }, now),
    'The signature is valid for a forged amount too.',
  )
  const event = parse(webhook.body.toString('utf8'))
  fact(story, 'type', textOf(event, 'type'))
  fact(story, 'signature', 'is valid; with another amount it is not')
  return member(event, 'data')
}

export async function compareWallet(
  story: Story,
  before: number,
  { minor, currency }: Amount,
): Promise<void> {
  step(story, 'Look into the wallet', 'GET /v1/wallets')
  const after = await walletBalance(story, currency)
  fact(story, 'before', `${decimal({ minor: before, currency })} ${currency}`)
  fact(story, 'after', `${decimal({ minor: after, currency })} ${currency}`)
  expect(after - before === minor, 'The wallet grew by another amount; was something else paid meanwhile?')
}

export async function walletBalance(story: Story, currency: Currency): Promise<number> {
  const wallets = member(await call(story, 'GET', '/v1/wallets'), 'data')
  const list: readonly unknown[] = Array.isArray(wallets) ? wallets : []
  const wallet = list.find(
    (each) => member(each, 'currency') === currency && member(each, 'isDefault') === true,
  )
  const balance = member(wallet, 'balance')
  if (typeof balance !== 'number') throw new Surprise(`There is no ${currency} wallet.`)
  return balance
}

// ---- Output

export function step({ terminal, steps }: Story, title: string, request: string): void {
  const { out, paint } = terminal
  steps.shown += 1
  out()
  out(`  ${paint.accent(String(steps.shown))}  ${paint.strong(title)}  ${paint.soft(request)}`)
}

export function fact({ terminal }: Story, label: string, value: string): void {
  terminal.out(`     ${terminal.paint.soft(label.padEnd(13))}  ${printable(value)}`)
}

export function decimal({ minor, currency }: Amount): string {
  return toDecimal({ minor: BigInt(minor), currency })
}

// ---- Calls

/** The JSON of a successful answer. */
export async function call(
  { sandbox }: Story,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const headers = {
    apikey: sandbox.apiKey,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const response = await fetch(sandbox.apiUrl + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  }).catch((error: unknown) => {
    throw new Surprise(`No server answers at ${sandbox.apiUrl} (${causeOf(error)}).`, startIt)
  })
  const text = await response.text()
  const answer = parse(text)
  if (response.ok && answer !== undefined) return answer
  const detail = member(answer, 'detail')
  throw new Surprise(
    `${method} ${path} answered ${response.status}: ${typeof detail === 'string' ? detail : text.slice(0, 200)}`,
  )
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = member(cause, 'code')
  return typeof code === 'string' ? code : messageOf(error)
}

/** Calls `read` four times a second until there is a value. */
export async function poll<Value>(
  { patienceMs }: Story,
  what: string,
  read: () => Promise<Value | undefined>,
): Promise<Value> {
  const giveUpAt = monotonicMs() + patienceMs
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    if (monotonicMs() > giveUpAt) throw new Surprise(`${inSeconds(patienceMs)} were not enough for ${what}.`)
    await sleep(250)
  }
}

export function expect(condition: boolean, surprise: string): void {
  if (!condition) throw new Surprise(surprise)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function textOf(value: unknown, name: string): string {
  const text = member(value, name)
  if (typeof text !== 'string') throw new Surprise(`The answer has no ${name}.`)
  return text
}

// ---- The merchant's server

type Received = { readonly headers: HeaderValues; readonly body: Buffer }

type Receiver = AsyncDisposable & { readonly origin: string; readonly calls: readonly Received[] }

/** Receives webhooks on a free port of this machine, and keeps them. */
export async function startReceiver(): Promise<Receiver> {
  const calls: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      calls.push({ headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
