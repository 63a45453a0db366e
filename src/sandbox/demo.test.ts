import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createTerminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { startReceiver, type Call, type Receiver, type Reply } from '../../test/receiver.ts'
import { runDemo } from './demo.ts'
import type { SandboxFile } from './provision.ts'

const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const txHash = `0x${'ab'.repeat(32)}`
const endToEndId = 'E99999008202611210755Bb6MsM9oTb5'
const copyPaste = `00020101021226710014br.gov.bcb.pix${'x'.repeat(90)}6304AF2B`

type Paid = { webhookUrl: string; status: string; readonly amount: number; readonly currency: string }

/** The part of a sandbox that the demo uses. `faults`: what it does wrong. */
async function startSandbox(
  faults: { secret?: string; credited?: number; tx?: string; pix?: string } = {},
): Promise<Receiver> {
  const balances: Record<string, number> = { BRL: 100, USDT: 500 }
  const payments: Record<string, Paid> = {}
  const create = ({ webhookUrl, amount, currency }: Record<string, unknown>) => {
    const id = currency === 'BRL' ? 'p2' : 'p1'
    payments[id] = {
      webhookUrl: String(webhookUrl),
      status: 'WAITING_PAYMENT',
      amount: Number(amount),
      currency: String(currency),
    }
    return { id, status: 'WAITING_PAYMENT', amount, ...(id === 'p2' ? { pixCopyPaste: copyPaste } : {}) }
  }
  const show = () => ({
    id: 'p1',
    status: payments['p1']?.status,
    amountReceived: payments['p1']?.status === 'PAID' ? 1234 : 0,
    cryptoAddress: `0x${'1'.repeat(40)}`,
    cryptoAmount: '12340000000000000000',
    cryptoNetwork: 'BSC',
    cryptoCurrency: 'USDT',
  })
  const pay = (id: string) => () => {
    const paid = payments[id] ?? assert.fail('it was created')
    paid.status = 'PAID'
    balances[paid.currency] = (balances[paid.currency] ?? 0) + (faults.credited ?? paid.amount)
    void deliver(id, paid)
    const names = id === 'p2' ? { endToEndIds: [endToEndId] } : { txHashes: [txHash] }
    return { paymentId: id, scenario: 'exact', ...names }
  }
  const answers: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
    'POST /v1/payments': create,
    'GET /v1/payments/p1': show,
    'POST /v1/sandbox/payments/p1/pay': pay('p1'),
    'POST /v1/sandbox/payments/p2/pay': pay('p2'),
    'GET /v1/wallets': () => ({
      data: Object.entries(balances).map(([currency, balance]) => ({ currency, isDefault: true, balance })),
    }),
  }
  async function deliver(id: string, { webhookUrl, amount }: Paid): Promise<void> {
    const names =
      id === 'p2' ? { endToEndIds: [faults.pix ?? endToEndId] } : { onchainTxHash: faults.tx ?? txHash }
    const body = JSON.stringify({ id: 'e1', type: 'payment.completed', data: { id, amount, ...names } })
    const at = systemClock.now()
    const signature = new Webhook(faults.secret ?? webhookSecret).sign('e1', at, body)
    const timestamp = String(Math.floor(at.getTime() / 1_000))
    const headers = { 'webhook-id': 'e1', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    await fetch(webhookUrl, { method: 'POST', headers, body })
  }
  return startReceiver(({ path, body, headers }: Call): Reply => {
    const name = `${body.length > 0 ? 'POST' : 'GET'} ${path}`
    const answer = headers['apikey'] === 'key' ? answers[name] : undefined
    if (answer === undefined) return { status: 401, body: '{"detail":"A valid API key is needed."}' }
    return { body: JSON.stringify(answer(read(body))) }
  })
}

function read(body: Buffer): Record<string, unknown> {
  return body.length > 0 ? (JSON.parse(String(body)) as Record<string, unknown>) : {}
}

async function demo(apiUrl: string | undefined, apiKey = 'key') {
  const printed = { out: '', err: '' }
  const terminal = createTerminal(
    {
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.err += text) },
    },
    {},
  )
  const sandbox = apiUrl === undefined ? undefined : ({ apiUrl, apiKey, webhookSecret } as SandboxFile)
  const code = await runDemo(terminal, sandbox, {
    clock: systemClock,
    searchedDir: '/data/of/nobody',
    patienceMs: 2_000,
  })
  return { code, ...printed }
}

test('both stories end well when every promise is kept', async () => {
  await using sandbox = await startSandbox()
  const { code, out, err } = await demo(sandbox.origin)
  assert.equal(err, '')
  assert.equal(code, 0)
  for (const part of [
    'p1',
    txHash,
    'PAID after',
    'payment.completed',
    '5.00 USDT',
    '17.34 USDT',
    copyPaste.slice(0, 40),
    endToEndId,
    '1.00 BRL',
    '50.90 BRL',
    'All as promised',
  ]) {
    assert.ok(out.includes(part), part)
  }
})

test('any surprise ends it with 1 and one line that says which', async () => {
  const surprises: readonly (readonly [Parameters<typeof startSandbox>[0], RegExp])[] = [
    [
      { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      /^x The signature of the webhook is not valid\.\n$/,
    ],
    [{ credited: 1233 }, /^x The wallet grew by another amount/],
    [{ tx: '0x00' }, /^x The webhook names another transaction\.\n$/],
    [{ pix: 'E0' }, /^x The webhook names another Pix\.\n$/],
  ]
  for (const [faults, expected] of surprises) {
    await using sandbox = await startSandbox(faults)
    const { code, err } = await demo(sandbox.origin)
    assert.equal(code, 1)
    assert.match(err, expected)
  }
})

test('a key that is refused is reported in the words of the API', async () => {
  await using sandbox = await startSandbox()
  const { code, err } = await demo(sandbox.origin, 'other')
  assert.equal(code, 1)
  assert.equal(err, 'x GET /v1/wallets answered 401: A valid API key is needed.\n')
})

test('without a running sandbox one line says how to start it', async () => {
  const none = await demo(undefined)
  assert.equal(none.code, 1)
  assert.match(
    none.err,
    /^x No sandbox is running in \/data\/of\/nobody\. Run npm start in another terminal, then this again\. One that .*VINTEM_DATA_DIR.*\n$/,
  )
  const gone = await startSandbox()
  await gone[Symbol.asyncDispose]()
  const stale = await demo(gone.origin)
  assert.equal(stale.code, 1)
  assert.match(
    stale.err,
    /^x No server answers at http:\S+ \(ECONNREFUSED\)\. Run npm start in another terminal/,
  )
})
