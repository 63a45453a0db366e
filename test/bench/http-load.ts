// The load on POST /v1/payments: autocannon, in a process of its own, with a fresh idempotency key in each request.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const autocannon = fileURLToPath(new URL('../../node_modules/autocannon/autocannon.js', import.meta.url))

/** What autocannon measured: answers a second, and latencies in milliseconds. Anything but 201 is an error. */
export type Load = { readonly perSecond: number; readonly p50: number; readonly p99: number }

export const connections = 100

export async function loadPayments(url: string, apiKey: string, spanMs: number): Promise<Load> {
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
  const args = ['--json', '--no-progress', '--idReplacement', '-c', `${connections}`, '-d', `${spanMs / 1_000}`, '-m', 'POST']
  const headers = ['-H', `apikey=${apiKey}`, '-H', 'content-type=application/json']
  const command = [autocannon, ...args, ...headers, '-b', body, `${url}/v1/payments`]
  const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 16_777_216 })
  const result = JSON.parse(stdout) as {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    readonly duration: number
    readonly latency: { readonly p50: number; readonly p99: number }
  }
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors under load`)
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}
