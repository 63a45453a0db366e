// The load on POST /v1/payments: autocannon, in a process of its own, with a fresh idempotency key in each request.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Sample } from './stats.ts'

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))

/** What autocannon tells; latencies in whole milliseconds. */
type Result = {
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
  readonly duration: number
  readonly latency: { readonly p50: number; readonly p99: number }
}

const body = JSON.stringify({
  amount: 1234,
  currency: 'USDT',
  paymentMethods: ['CRYPTO'],
  customerName: 'Ana Souza',
  customerEmail: 'ana@example.com',
  metadata: { orderId: 'A-1000' },
  webhookUrl: 'http://127.0.0.1:9/webhook',
  idempotencyKey: '[<id>]',
})

/** Asks for payments over so many connections, each again as soon as it is answered. An answer but 201 fails the bench. */
export async function loadPayments(
  url: string,
  apiKey: string,
  connections: number,
  spanMs: number,
): Promise<Sample> {
  const how = [
    '--json',
    '--no-progress',
    '--idReplacement',
    '-c',
    `${connections}`,
    '-d',
    `${spanMs / 1_000}`,
  ]
  const what = ['-m', 'POST', '-H', `apikey=${apiKey}`, '-H', 'content-type=application/json', '-b', body]
  const command = [autocannon, ...how, ...what, `${url}/v1/payments`]
  const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 16_777_216 })
  const { '2xx': made, non2xx, errors, duration, latency } = JSON.parse(stdout) as Result
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors under load`)
  return { perSecond: made / duration, p50: latency.p50, p99: latency.p99 }
}
