// A flood: one transaction that makes thousands of transfers to the address of one payment, against a whole installation;
// and an address that got very many deposits one after another.
import { readFileSync } from 'node:fs'
import { encodeFunctionData } from 'viem'
import { artifacts } from '#/evm/artifacts.ts'
import { createRpc, type Rpc } from '#/evm/client.ts'
import { monotonicMs, sleep } from '#/kernel/time.ts'
import { describePayments } from '#/payments/describe.ts'
import { paymentRecord } from '#/payments/record.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { createInstallation, type Installation } from '../journeys/installation.ts'
import { call, type Json } from '../journeys/merchant.ts'
import { cent, openLine } from '../line.ts'

type Caller = { readonly apiUrl: string; readonly apiKey: string }

const calmPayments = 30
const mebibyte = 1_048_576

/** Books the flood while another merchant's payers pay by PIX, and reports how both fared. */
export async function measureFlood(transfers: number): Promise<string> {
  await using installation = await createInstallation({ VINTEM_RATE_LIMIT: '0' })
  await installation.start()
  const { apiUrl, apiKey, chain } = installation.sandbox()
  const flooded: Caller = { apiUrl, apiKey }
  const other = await otherMerchant(installation)
  const rpc = createRpc(chain.rpcUrl, { timeoutMs: 60_000 })
  // Code that runs for the first time is slow, and so are caches that are empty.
  for (let n = 0; n < 10; n += 1) await payByPix(other)
  const memory = watchMemory(installation)
  const calm: number[] = []
  for (let n = 0; n < calmPayments; n += 1) calm.push(await payByPix(other))
  const before = memory.peak()
  const created = await call(flooded, 'POST', '/v1/payments', {
    amount: transfers,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: 'flooded',
  })
  const address = await addressOf(flooded, created.body['id'])
  memory.reset()
  const cpuBefore = cpuSeconds(installation)
  const minedAt = await mint(rpc, chain.usdt, address, transfers)
  const meanwhile: number[] = []
  const booked: number[] = []
  const booking = untilBooked(flooded, created.body['id'], transfers).then((at) => booked.push(at))
  while (booked.length === 0) meanwhile.push(await payByPix(other))
  await booking
  const grown = (memory.peak() - before) / mebibyte
  const cpu = cpuSeconds(installation) - cpuBefore
  memory.stop()
  rpc.close()
  const { code, output } = await installation.run('verify')
  if (code !== 0) throw new Error(output)
  const seconds = (Math.max(...booked) - minedAt) / 1_000
  const ratio = middle(meanwhile) / middle(calm)
  return [
    `| ${transfers.toLocaleString('en-US')} transfers to one address in one block | figure | aim |`,
    '|---|--:|---|',
    `| all booked, from the block on (final after two more) | ${seconds.toFixed(1)} s | ≤ 5 s: ${verdict(seconds <= 5)} |`,
    `| another merchant's PIX payment PAID, calm (median of ${calm.length}) | ${Math.round(middle(calm))} ms |  |`,
    `| the same meanwhile (median of ${meanwhile.length}, slowest ${Math.round(Math.max(...meanwhile))} ms) | ${Math.round(middle(meanwhile))} ms, ${ratio.toFixed(1)} × | ≤ 2 ×: ${verdict(ratio <= 2)} |`,
    `| processor time of the server meanwhile, the payers' payments included | ${cpu.toFixed(1)} s |  |`,
    `| memory of the server, above calm | ${Math.round(grown)} MiB | ≤ 100 MiB: ${verdict(grown <= 100)} |`,
  ].join('\n')
}

/** Deposits one after another to one address, thousand by thousand, and the cost of the last compared with the first. */
export async function measureLongLife(deposits: number): Promise<string> {
  const each = 1_000
  await using line = await openLine()
  const payment = await line.create({ amount: deposits })
  const to = await line.addressOf(payment)
  const spans: number[] = []
  for (let n = 0; n < deposits / each; n += 1) {
    await line.mine(Array.from({ length: each }, () => ({ to, units: cent })))
    await line.finalize()
    const signals = line.drainSignals()
    const startedAt = monotonicMs()
    await line.settle(signals)
    spans.push((monotonicMs() - startedAt) / signals.length)
  }
  const rails = listRails([createCryptoRail(() => [line.chain])])
  const [fresh, old] = [await line.create(), await line.payment(payment.id)]
  const reads = async (shown: typeof old) => {
    const took: number[] = []
    for (let n = 0; n < 200; n += 1) {
      const startedAt = monotonicMs()
      paymentRecord(shown, (await describePayments(line.sql, rails, [shown], 'full')).of(shown))
      took.push(monotonicMs() - startedAt)
    }
    return middle(took)
  }
  const [first, last] = [spans.slice(1, 6), spans.slice(-5)].map(middle)
  const [readFresh, readOld] = [await reads(fresh), await reads(old)]
  const [row] = await line.sql<{ longest: number; events: bigint }[]>`
    select max(length(body)) as longest, count(*) as events from event where resource_id = ${payment.id}`
  return [
    `| ${deposits.toLocaleString('en-US')} deposits to one address | figure | compared |`,
    '|---|--:|---|',
    `| a receipt of the first thousands, settled | ${(first ?? 0).toFixed(2)} ms |  |`,
    `| a receipt of the last thousands | ${(last ?? 0).toFixed(2)} ms | ${((last ?? 0) / (first ?? 1)).toFixed(1)} × |`,
    `| its record, against a payment without deposits (${readFresh.toFixed(1)} ms) | ${readOld.toFixed(1)} ms | ${(readOld / readFresh).toFixed(1)} × |`,
    `| the longest of its ${String(row?.events)} events | ${((row?.longest ?? 0) / 1_024).toFixed(1)} KiB |  |`,
  ].join('\n')
}

async function otherMerchant(installation: Installation): Promise<Caller> {
  const made = await installation.run('merchant', 'create', 'Other', '--json')
  const { id } = JSON.parse(made.output) as { id: string }
  const key = await installation.run('key', 'create', id, '--json')
  return { apiUrl: installation.sandbox().apiUrl, apiKey: (JSON.parse(key.output) as { key: string }).key }
}

let payments = 0

/** The time from the payer's payment to PAID, in milliseconds. */
async function payByPix(caller: Caller): Promise<number> {
  const { body } = await call(caller, 'POST', '/v1/payments', {
    amount: 1_000,
    paymentMethods: ['PIX'],
    idempotencyKey: `pix-${(payments += 1)}`,
  })
  const startedAt = monotonicMs()
  const paid = await call(caller, 'POST', `/v1/sandbox/payments/${String(body['id'])}/pay`, {})
  if (paid.status !== 202) throw new Error(`not paid: ${JSON.stringify(paid.body)}`)
  await until(caller, body['id'], (payment) => payment['status'] === 'PAID')
  const tookMs = monotonicMs() - startedAt
  // Payers come one after another, not as fast as they can.
  await sleep(50)
  return tookMs
}

async function addressOf(caller: Caller, id: unknown): Promise<string> {
  const shown = await until(caller, id, (payment) => payment['cryptoAddress'] !== undefined)
  return String(shown['cryptoAddress'])
}

async function untilBooked(caller: Caller, id: unknown, cents: number): Promise<number> {
  await until(caller, id, (payment) => payment['amountReceived'] === cents, 50)
  return monotonicMs()
}

async function until(
  caller: Caller,
  id: unknown,
  isSo: (payment: Json) => boolean,
  everyMs = 10,
): Promise<Json> {
  for (;;) {
    const { body } = await call(caller, 'GET', `/v1/payments/${String(id)}`)
    if (isSo(body)) return body
    await sleep(everyMs)
  }
}

/** The token's owner mints a cent this number of times in one transaction, as any contract could. Returns when. */
async function mint(rpc: Rpc, token: string, address: string, times: number): Promise<number> {
  const [owner] = (await rpc.call('eth_accounts', [])) as readonly string[]
  const to = Array.from({ length: times }, () => address)
  const args = [to, to.map(() => cent)]
  const data = encodeFunctionData({ abi: artifacts.SandboxToken.abi, functionName: 'mintBatch', args })
  await rpc.call('evm_setBlockGasLimit', ['0x40000000'])
  const sent = { from: owner as `0x${string}`, to: token as `0x${string}`, data, gas: 500_000_000n }
  const hash = await rpc.sendTransaction(sent)
  for (;;) {
    const receipt = (await rpc.call('eth_getTransactionReceipt', [hash])) as { status: string } | null
    if (receipt?.status === '0x1') return monotonicMs()
    if (receipt !== null) throw new Error('the flood was reverted')
    await sleep(10)
  }
}

/** User and system time in all (Linux: proc(5), in hundredths). */
function cpuSeconds(installation: Installation): number {
  const stat = readFileSync(`/proc/${installation.pid() ?? 0}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** The most memory that the server had since the last reset (Linux: proc(5)). */
function watchMemory(installation: Installation) {
  let peak = 0
  const sample = () => {
    const status = readFileSync(`/proc/${installation.pid() ?? 0}/status`, 'utf8')
    const [, resident] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
    peak = Math.max(peak, Number(resident) * 1_024)
  }
  const timer = setInterval(sample, 25)
  sample()
  return { peak: () => peak, reset: () => (peak = 0), stop: () => clearInterval(timer) }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed'
}
