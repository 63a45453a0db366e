// The welcome page on a server of its own, with payments and webhooks that a test adds.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { newId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { testClock } from '#/kernel/time.ts'
import type { PaymentLine } from '#/sandbox/page-view.ts'
import type { DeliveryLine } from '#/sandbox/page-webhooks.ts'
import { registerWelcomePage } from '#/sandbox/page.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import type { ReceivedWebhook } from '#/sandbox/queries.ts'

const startAt = new Date('2026-11-21T14:03:20.000Z')

export type WelcomeServer = AsyncDisposable & {
  readonly url: string
  readonly sandbox: SandboxFile
  /** The rows of the page: tests add to the front. */
  readonly payments: PaymentLine[]
  readonly webhooks: ReceivedWebhook[]
  readonly deliveries: DeliveryLine[]
}

export async function startWelcomeServer(): Promise<WelcomeServer> {
  const server = Fastify({ forceCloseConnections: 'idle' })
  const payments: PaymentLine[] = []
  const webhooks: ReceivedWebhook[] = []
  const deliveries: DeliveryLine[] = []
  // The page's addresses are needed before the port is known, so they show the usual port.
  const sandbox = exampleSandbox('http://127.0.0.1:4000')
  registerWelcomePage(server, {
    sandbox,
    version: '0.1.0',
    referencePath: '/reference',
    clock: testClock(startAt),
    log: silentLog,
    latestPayments: async (limit) => payments.slice(0, limit),
    latestWebhooks: async (limit) => webhooks.slice(0, limit),
    latestDeliveries: async (limit) => deliveries.slice(0, limit),
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sandbox,
    payments,
    webhooks,
    deliveries,
    [Symbol.asyncDispose]: () => server.close(),
  }
}

function exampleSandbox(apiUrl: string): SandboxFile {
  return {
    apiUrl,
    checkoutBaseUrl: 'http://127.0.0.1:4001',
    partnerCheckoutBaseUrl: 'http://127.0.0.1:4002',
    dashboard: { url: 'http://localhost:4004', signInUrl: 'http://localhost:4004/sign-in#link=example' },
    apiKey: 'vtm_test_a17Qm2cXv9TtB4kLwZ0nRj5YhUe8PsDg3FiQWx',
    webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    merchantId: '019aa4c1-7f3e-7c52-9d0b-52a1c7e04b11',
    chain: {
      rpcUrl: 'http://127.0.0.1:4021',
      chainId: 31337,
      usdt: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      treasury: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      faucet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    },
    simulators: {
      pixBank: { apiUrl: 'https://127.0.0.1:4010', controlUrl: 'http://127.0.0.1:4011' },
      acquirer: { apiUrl: 'http://127.0.0.1:4012', controlUrl: 'http://127.0.0.1:4012' },
      partnerWallet: { apiUrl: 'http://127.0.0.1:4013', controlUrl: 'http://127.0.0.1:4013' },
      sepaBank: { apiUrl: 'http://127.0.0.1:4014', controlUrl: 'http://127.0.0.1:4014' },
    },
  }
}

/** A payment that is some seconds old by the server's clock. */
export function examplePayment(secondsAgo: number, over: Partial<PaymentLine>): PaymentLine {
  return {
    id: newId<'payment'>(),
    status: 'WAITING_PAYMENT',
    amountMinor: 1000n,
    receivedMinor: 0n,
    seenMinor: 0n,
    refundedMinor: 0n,
    disputedMinor: 0n,
    currency: 'USDT',
    exceptions: [],
    createdAt: before(secondsAgo),
    request: { webhookUrl: 'http://127.0.0.1:4000/sandbox/inbox' },
    ...over,
  }
}

/** A delivery to the developer's server; its only try, some seconds ago, reached no server. */
export function exampleDelivery(
  secondsAgo: number,
  paymentId: string,
  over: Partial<DeliveryLine> = {},
): DeliveryLine {
  const at = before(secondsAgo)
  return {
    id: newId(),
    url: 'http://127.0.0.1:8080/webhooks',
    status: 'PENDING',
    type: 'payment.completed',
    resourceId: paymentId,
    at,
    attempts: [{ at, durationMs: 3, responseStatus: null, error: 'connection refused' }],
    ...over,
  }
}

export function exampleWebhook(
  secondsAgo: number,
  paymentId: string,
  over: Partial<ReceivedWebhook> = {},
): ReceivedWebhook {
  const data = { id: paymentId, mode: 'SANDBOX', status: 'PAID', amount: 1000, currency: 'USDT' }
  const event = {
    id: newId(),
    type: 'payment.completed',
    timestamp: before(secondsAgo).toISOString(),
    mode: 'SANDBOX',
    sequence: 1,
    data,
  }
  return {
    id: newId(),
    receivedAt: before(secondsAgo),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(event)),
    verified: true,
    ...over,
  }
}

function before(seconds: number): Date {
  return new Date(startAt.getTime() - seconds * 1_000)
}
