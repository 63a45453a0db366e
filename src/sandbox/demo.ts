// Two payments, shown in the terminal with real calls to the running sandbox: in USDT, and by PIX. It is a small merchant's program:
// it uses sandbox.json and the API, and nothing else.
import { messageOf } from '#/kernel/error.ts'
import { parseAddress } from '#/kernel/evm-address.ts'
import { newId } from '#/kernel/id.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { monotonicMs, type Clock } from '#/kernel/time.ts'
import {
  call,
  compareWallet,
  decimal,
  expect,
  fact,
  nameIt,
  poll,
  receive,
  startIt,
  startReceiver,
  step,
  Surprise,
  textOf,
  walletBalance,
  type Amount,
  type Story,
} from './demo-story.ts'
import { member } from './member.ts'
import type { SandboxFile } from './provision.ts'
import { inSeconds } from './welcome.ts'

const inUsdt: Amount = { minor: 1_234, currency: 'USDT' }
/** 12.34 with the token's 18 decimals. */
const usdtUnits = '12340000000000000000'
/** An amount without a meaning to the bank's simulator. */
const inBrl: Amount = { minor: 4_990, currency: 'BRL' }

export type DemoOptions = {
  readonly clock: Clock
  /** The data directory of the sandbox. */
  readonly searchedDir: string
  /** How long to wait for the network and for the webhook. */
  readonly patienceMs?: number
}

/** Runs the demo against the running sandbox. Returns the exit code: 1 when anything is not as promised. */
export async function runDemo(
  terminal: Terminal,
  sandbox: SandboxFile | undefined,
  options: DemoOptions,
): Promise<number> {
  const { out, err, paint, symbols } = terminal
  const startedAt = monotonicMs()
  try {
    if (sandbox === undefined)
      throw new Surprise(`No sandbox is running in ${options.searchedDir}.`, `${startIt} ${nameIt}`)
    await using receiver = await startReceiver()
    const patienceMs = options.patienceMs ?? 20_000
    const story = { terminal, sandbox, receiver, clock: options.clock, patienceMs }
    await showUsdt({ ...story, steps: { shown: 0 } })
    await showPix({ ...story, steps: { shown: 0 } })
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

async function showUsdt(story: Story): Promise<void> {
  const before = await walletBalance(story, inUsdt.currency)
  title(story, 'A payment in USDT, from the call to the signed webhook')
  const { id } = await create(story, inUsdt, 'CRYPTO')
  await showAddress(story, id)
  const txHashes = await pay(story, id, 'txHashes', 'transaction')
  await untilPaid(story, id)
  const data = await receive(story, id, inUsdt)
  expect(txHashes.includes(textOf(data, 'onchainTxHash')), 'The webhook names another transaction.')
  await compareWallet(story, before, inUsdt)
}

async function showPix(story: Story): Promise<void> {
  const before = await walletBalance(story, inBrl.currency)
  title(story, 'The same by PIX: the code is in the first answer')
  const { id, payment } = await create(story, inBrl, 'PIX')
  fact(story, 'code', `${textOf(payment, 'pixCopyPaste').slice(0, 44)}...`)
  const endToEndIds = await pay(story, id, 'endToEndIds', 'end-to-end id')
  const data = await receive(story, id, inBrl)
  const ids = member(data, 'endToEndIds')
  expect(Array.isArray(ids) && ids.includes(endToEndIds[0]), 'The webhook names another Pix.')
  await compareWallet(story, before, inBrl)
}

function title({ terminal: { out, paint } }: Story, text: string): void {
  out()
  out(`  ${paint.strong(text)}`)
}

async function create(story: Story, amount: Amount, method: 'CRYPTO' | 'PIX') {
  step(story, `Create a payment of ${decimal(amount)} ${amount.currency}`, 'POST /v1/payments')
  const payment = await call(story, 'POST', '/v1/payments', {
    amount: amount.minor,
    currency: amount.currency,
    paymentMethods: [method],
    idempotencyKey: newId(),
    webhookUrl: `${story.receiver.origin}/webhooks`,
    metadata: { orderId: 'demo' },
  })
  const id = textOf(payment, 'id')
  expect(member(payment, 'status') === 'WAITING_PAYMENT', 'The new payment does not wait for its money.')
  fact(story, 'id', id)
  fact(story, 'status', 'WAITING_PAYMENT')
  return { id, payment }
}

async function showAddress(story: Story, id: string): Promise<void> {
  step(story, 'See where the payer sends it', 'GET /v1/payments/{id}')
  const payment = await poll(story, 'the address', async () => {
    const found = await call(story, 'GET', `/v1/payments/${id}`)
    return member(found, 'cryptoAddress') === undefined ? undefined : found
  })
  const address = textOf(payment, 'cryptoAddress')
  expect(parseAddress(address) !== undefined, 'The deposit address is none.')
  expect(
    member(payment, 'cryptoAmount') === usdtUnits,
    'The amount on the chain differs from the amount of the payment.',
  )
  fact(story, 'address', address)
  fact(
    story,
    'amount',
    `${decimal(inUsdt)} ${textOf(payment, 'cryptoCurrency')} on ${textOf(payment, 'cryptoNetwork')}`,
  )
}

/** Returns the provider's ids of what was paid. */
async function pay(
  story: Story,
  id: string,
  field: 'txHashes' | 'endToEndIds',
  label: string,
): Promise<readonly string[]> {
  step(story, 'Pay it, as the payer would', 'POST /v1/sandbox/payments/{id}/pay')
  const answer = await call(story, 'POST', `/v1/sandbox/payments/${id}/pay`, { scenario: 'exact' })
  const names = member(answer, field)
  const paid = Array.isArray(names) ? names.map(String) : []
  expect(paid.length === 1, 'The payer sent nothing.')
  fact(story, label, paid.join(', '))
  return paid
}

async function untilPaid(story: Story, id: string): Promise<void> {
  step(story, 'Wait for the network', 'GET /v1/payments/{id}')
  const startedAt = monotonicMs()
  const paid = await poll(story, 'the payment to be PAID', async () => {
    const payment = await call(story, 'GET', `/v1/payments/${id}`)
    const status = textOf(payment, 'status')
    story.terminal.progress(`     ${inSeconds(monotonicMs() - startedAt)}  ${standing(payment)}`)
    expect(status === 'WAITING_PAYMENT' || status === 'PAID', `The payment is ${status}.`)
    return status === 'PAID' ? payment : undefined
  })
  expect(member(paid, 'amountReceived') === inUsdt.minor, 'Another amount was received than was paid.')
  fact(story, 'status', `PAID after ${inSeconds(monotonicMs() - startedAt)}`)
}

function standing(payment: unknown): string {
  const deposits = member(payment, 'deposits')
  const first: unknown = Array.isArray(deposits) ? deposits[0] : undefined
  if (first === undefined) return 'not yet in a block'
  const confirmations = member(first, 'confirmations')
  return `confirmed by the network, ${String(confirmations)} so far`
}
