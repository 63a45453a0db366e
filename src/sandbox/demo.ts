// The whole story of one payment, told in the terminal by real calls to the running sandbox. It is a merchant's program
// in small: it knows sandbox.json and the API, and believes a webhook only when its signature holds.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { messageOf } from '#/kernel/error.ts'
import { toDecimal } from '#/kernel/money.ts'
import { monotonicMs, sleep, type Clock } from '#/kernel/time.ts'
import { newId } from '#/kernel/id.ts'
import { member } from './member.ts'
import type { SandboxFile } from './provision.ts'
import { printable, type Terminal } from './terminal.ts'
import { isGenuine, webhookSecretBytes, type HeaderValues } from './verify-webhook.ts'
import { inSeconds } from './welcome.ts'

const amountMinor = 1_234
const currency = 'USDT'
/** 12.34 with the token's 18 decimals. */
const amountUnits = '12340000000000000000'

export type DemoOptions = {
  readonly clock: Clock
  /** How long to wait for the network and for the webhook. */
  readonly patienceMs?: number
}

/** Runs the demo against the sandbox that is running. Answers the exit code: 1 when anything is not as promised. */
export async function runDemo(
  terminal: Terminal,
  sandbox: SandboxFile | undefined,
  options: DemoOptions,
): Promise<number> {
  const { out, err, paint, symbols } = terminal
  const startedAt = monotonicMs()
  try {
    if (sandbox === undefined) throw new Surprise('No sandbox is running.', startIt)
    await using receiver = await startReceiver()
    await tell({
      terminal,
      sandbox,
      receiver,
      clock: options.clock,
      patienceMs: options.patienceMs ?? 20_000,
    })
    out()
    out(`  ${paint.good(symbols.done)} All as promised, in ${inSeconds(monotonicMs() - startedAt)}.`)
    out(
      `    ${paint.soft('Next, do it yourself:')} ${paint.strong(sandbox.apiUrl)} ${paint.soft('has the calls to paste.')}`,
    )
    out()
    return 0
  } catch (error) {
    const remedy = error instanceof Surprise ? error.remedy : ''
    err(`${paint.bad(symbols.fail)} ${printable(messageOf(error))} ${remedy}`.trimEnd())
    return 1
  }
}

const startIt = 'Run npm start in another terminal, then this again.'

/** Something is not as it was promised. */
class Surprise extends Error {
  override name = 'Surprise'
  readonly remedy: string
  constructor(message: string, remedy = '') {
    super(message)
    this.remedy = remedy
  }
}

type Story = {
  readonly terminal: Terminal
  readonly sandbox: SandboxFile
  readonly receiver: Receiver
  readonly clock: Clock
  readonly patienceMs: number
}

async function tell(story: Story): Promise<void> {
  const { out, paint } = story.terminal
  const before = await walletBalance(story)
  out()
  out(`  ${paint.strong('One payment, from the call to the signed webhook')}`)
  const id = await create(story)
  await showAddress(story, id)
  const txHashes = await pay(story, id)
  await untilPaid(story, id)
  await receive(story, id, txHashes)
  await compareWallet(story, before)
}

async function create(story: Story): Promise<string> {
  step(story, 1, `Create a payment of ${decimal(amountMinor)} ${currency}`, 'POST /v1/payments')
  const payment = await call(story, 'POST', '/v1/payments', {
    amount: amountMinor,
    currency,
    paymentMethods: ['CRYPTO'],
    idempotencyKey: newId(),
    webhookUrl: `${story.receiver.origin}/webhooks`,
    metadata: { orderId: 'demo' },
  })
  const id = textOf(payment, 'id')
  expect(member(payment, 'status') === 'WAITING_PAYMENT', 'The new payment does not wait for its money.')
  fact(story, 'id', id)
  fact(story, 'status', 'WAITING_PAYMENT')
  return id
}

async function showAddress(story: Story, id: string): Promise<void> {
  step(story, 2, 'See where the payer sends it', 'GET /v1/payments/{id}')
  const payment = await poll(story, 'the address', async () => {
    const found = await call(story, 'GET', `/v1/payments/${id}`)
    return member(found, 'cryptoAddress') === undefined ? undefined : found
  })
  const address = textOf(payment, 'cryptoAddress')
  expect(/^0x[0-9a-fA-F]{40}$/.test(address), 'The deposit address is none.')
  expect(
    member(payment, 'cryptoAmount') === amountUnits,
    'The amount on the chain is another than the amount asked for.',
  )
  fact(story, 'address', address)
  fact(
    story,
    'amount',
    `${decimal(amountMinor)} ${textOf(payment, 'cryptoCurrency')} on ${textOf(payment, 'cryptoNetwork')}`,
  )
}

async function pay(story: Story, id: string): Promise<readonly string[]> {
  step(story, 3, 'Pay it, as the payer would', 'POST /v1/sandbox/payments/{id}/pay')
  const answer = await call(story, 'POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
  const hashes = member(answer, 'txHashes')
  const txHashes = Array.isArray(hashes) ? hashes.map(String) : []
  expect(txHashes.length === 1, 'The payer sent nothing.')
  fact(story, 'transaction', txHashes.join(', '))
  return txHashes
}

async function untilPaid(story: Story, id: string): Promise<void> {
  step(story, 4, 'Wait for the network', 'GET /v1/payments/{id}')
  const startedAt = monotonicMs()
  const paid = await poll(story, 'the payment to be PAID', async () => {
    const payment = await call(story, 'GET', `/v1/payments/${id}`)
    const status = textOf(payment, 'status')
    story.terminal.progress(`     ${inSeconds(monotonicMs() - startedAt)}  ${standing(payment)}`)
    expect(status === 'WAITING_PAYMENT' || status === 'PAID', `The payment is ${status}.`)
    return status === 'PAID' ? payment : undefined
  })
  expect(member(paid, 'amountReceived') === amountMinor, 'Another amount was received than was paid.')
  fact(story, 'status', `PAID after ${inSeconds(monotonicMs() - startedAt)}`)
}

function standing(payment: unknown): string {
  const deposits = member(payment, 'deposits')
  const first: unknown = Array.isArray(deposits) ? deposits[0] : undefined
  if (first === undefined) return 'not yet in a block'
  const confirmations = member(first, 'confirmations')
  return `confirmed by the network, ${String(confirmations)} so far`
}

async function receive(story: Story, id: string, txHashes: readonly string[]): Promise<void> {
  step(story, 5, 'Receive the webhook and verify it', `POST ${story.receiver.origin}/webhooks`)
  const isOurs = (body: unknown) =>
    member(body, 'type') === 'payment.completed' && member(member(body, 'data'), 'id') === id
  const webhook = await poll(story, 'the webhook', async () =>
    story.receiver.calls.find(({ body }) => isOurs(parse(body.toString('utf8')))),
  )
  const secrets = [webhookSecretBytes(story.sandbox.webhookSecret)]
  const now = story.clock.now()
  expect(isGenuine(secrets, webhook, now), 'The signature of the webhook does not hold.')
  const forged = Buffer.from(webhook.body.toString('utf8').replace(String(amountMinor), '99999'))
  expect(!isGenuine(secrets, { ...webhook, body: forged }, now), 'A forged amount passes the signature.')
  const event = parse(webhook.body.toString('utf8'))
  const hash = textOf(member(event, 'data'), 'onchainTxHash')
  expect(txHashes.includes(hash), 'The webhook names another transaction.')
  fact(story, 'type', textOf(event, 'type'))
  fact(story, 'onchainTxHash', hash)
  fact(story, 'signature', 'holds; with another amount it does not')
}

async function compareWallet(story: Story, before: number): Promise<void> {
  step(story, 6, 'Look into the wallet', 'GET /v1/wallets')
  const after = await walletBalance(story)
  fact(story, 'before', `${decimal(before)} ${currency}`)
  fact(story, 'after', `${decimal(after)} ${currency}`)
  expect(
    after - before === amountMinor,
    'The wallet grew by another amount; was something else paid meanwhile?',
  )
}

async function walletBalance(story: Story): Promise<number> {
  const wallets = member(await call(story, 'GET', '/v1/wallets'), 'data')
  const list: readonly unknown[] = Array.isArray(wallets) ? wallets : []
  const wallet = list.find(
    (each) => member(each, 'currency') === currency && member(each, 'isDefault') === true,
  )
  const balance = member(wallet, 'balance')
  if (typeof balance !== 'number') throw new Surprise(`There is no ${currency} wallet.`)
  return balance
}

// ---- Speaking

function step({ terminal }: Story, number: number, title: string, request: string): void {
  const { out, paint } = terminal
  out()
  out(`  ${paint.accent(String(number))}  ${paint.strong(title)}  ${paint.soft(request)}`)
}

function fact({ terminal }: Story, label: string, value: string): void {
  terminal.out(`     ${terminal.paint.soft(label.padEnd(13))}  ${printable(value)}`)
}

function decimal(minor: number): string {
  return toDecimal({ minor: BigInt(minor), currency })
}

// ---- Calling

/** The JSON of a successful answer. */
async function call({ sandbox }: Story, method: string, path: string, body?: unknown): Promise<unknown> {
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

/** Asks four times a second until there is an answer. */
async function poll<Value>(
  { patienceMs }: Story,
  what: string,
  ask: () => Promise<Value | undefined>,
): Promise<Value> {
  const giveUpAt = monotonicMs() + patienceMs
  for (;;) {
    const value = await ask()
    if (value !== undefined) return value
    if (monotonicMs() > giveUpAt) throw new Surprise(`${inSeconds(patienceMs)} were not enough for ${what}.`)
    await sleep(250)
  }
}

function expect(condition: boolean, surprise: string): void {
  if (!condition) throw new Surprise(surprise)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(value: unknown, name: string): string {
  const text = member(value, name)
  if (typeof text !== 'string') throw new Surprise(`The answer has no ${name}.`)
  return text
}

// ---- The merchant's server

type Received = { readonly headers: HeaderValues; readonly body: Buffer }

type Receiver = AsyncDisposable & { readonly origin: string; readonly calls: readonly Received[] }

/** Takes webhooks on a free port of this machine, and remembers them. */
async function startReceiver(): Promise<Receiver> {
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
