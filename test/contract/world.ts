// One installation for a test: a database, the lanes, and any number of API processes' worth of servers over them.
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { scopes } from '#/contract/keys.ts'
import { connect } from '#/db/client.ts'
import type { HttpDeps } from '#/http/deps.ts'
import { createServer } from '#/http/server.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { ApiKeyId, MerchantId, PaymentId, WalletId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import { minOf, type Currency } from '#/kernel/money.ts'
import { systemClock } from '#/kernel/time.ts'
import { provider, walletAvailable, type AccountSpec } from '#/ledger/chart.ts'
import { createLedgerLane } from '#/ledger/post.ts'
import { type Scope } from '#/merchants/api-key.ts'
import { createAuthenticator, type Authenticator } from '#/merchants/authenticator.ts'
import { issueApiKey, revokeApiKey, rotateApiKey } from '#/merchants/keys.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { authorisationKind } from '#/payments/capture-kind.ts'
import { createCapturer } from '#/payments/capture.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { endKind } from '#/payments/end.ts'
import { listRails } from '#/rails/all.ts'
import { refundKind } from '#/refunds/request.ts'
import { refundDecisionKind } from '#/settlement/refund-decide.ts'
import { settleKind } from '#/settlement/settle.ts'
import { createWalletKind, openStartingWallets } from '#/wallets/create.ts'
import { selectDefaultWallets } from '#/wallets/queries.ts'
import { announce } from '#/webhooks/announce.ts'
import { createWaitingReaders } from '#/webhooks/waiting-readers.ts'
import { batchDecisionKind } from '#/withdrawals/decide-batch.ts'
import { decisionKind } from '#/withdrawals/decide.ts'
import { withdrawalBatchKind } from '#/withdrawals/request-batch.ts'
import { withdrawalKind } from '#/withdrawals/request.ts'
import { move, posting } from '../books.ts'
import { pages } from '../page-hosts.ts'
import { testPayoutRails } from '../payout-rail.ts'
import { testDatabase } from '../postgres.ts'
import { arrival, testRail } from './rail.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

export type Ask = {
  readonly key?: string
  readonly body?: unknown
  /** Bytes as they are, instead of `body`. */
  readonly raw?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

export type Api = {
  readonly url: string
  ask(method: string, path: string, ask?: Ask): Promise<Answer>
  close(): Promise<void>
}

export type Tenant = {
  readonly id: MerchantId
  readonly mode: Mode
  readonly key: string
  readonly keyId: ApiKeyId
}

export type ApiWorld = Awaited<ReturnType<typeof openApiWorld>>

const pepper = randomBytes(32)
const sealKey = randomBytes(32)
/** Encrypts the secrets of webhook endpoints in every site. */
export const endpointSealKey = randomBytes(32)

export async function openApiWorld() {
  const database = await testDatabase()
  const sql = connect(database.appUrl, { max: 6 })
  const rails = listRails([testRail()])
  const auditKey = randomBytes(32)
  const lane = await createLedgerLane({
    openSql: () => connect(database.appUrl, { max: 1 }),
    cell: 'a1',
    auditKey,
    announce,
    log: silentLog,
  })
  const creator = createPaymentCreator({
    pages,
    sql,
    rails,
    ledger: lane,
    clock: systemClock,
    log: silentLog,
  })
  const settle = settleKind(rails)
  const keyDeps = { sql, clock: systemClock, pepper, cell: 'a1' }
  const apis: Api[] = []
  let arrivals = 0

  /** Final money arrives for a payment. */
  async function settlePayment(
    merchantId: MerchantId,
    paymentId: PaymentId,
    minor: bigint,
    currency: Currency = 'USDT',
  ): Promise<string> {
    const [attempt] = await selectAttempts(sql, [{ merchantId, paymentId }])
    arrivals += 1
    const receipt = arrival(
      { merchantId, id: paymentId },
      must(attempt, 'an attempt').id,
      { minor, currency },
      arrivals,
    )
    await lane.submit(settle, { receipts: [receipt] })
    return receipt.txHash ?? ''
  }

  /** Puts money into the merchant's default wallet. Returns the wallet. */
  async function fund(
    { id, mode }: Pick<Tenant, 'id' | 'mode'>,
    minor: bigint,
    currency: Currency = 'BRL',
  ): Promise<WalletId> {
    const [wallet] = await selectDefaultWallets(sql, [{ merchantId: id, currency }])
    const walletId = must(wallet, 'a default wallet').id
    const bank = provider(mode, 'a1-funds', currency)
    await book(bank, walletAvailable(mode, walletId, currency), minor)
    return walletId
  }

  /** Books this, whatever it means. */
  async function book(debit: AccountSpec, credit: AccountSpec, minor: bigint): Promise<void> {
    await lane.submit(move, { postings: [posting(debit, credit, minor, { kind: 'ADJUSTMENT' })] })
  }

  /** What the routes of the API use. */
  function depsWith(authenticator: Authenticator, more: Partial<HttpDeps> = {}): HttpDeps {
    const policy = { allowHttp: true, allowLoopback: true }
    return {
      log: silentLog,
      clock: systemClock,
      sql,
      rails,
      authenticator,
      keyMint: { pepper, cell: 'a1' },
      creator,
      pages,
      lane,
      endKind: endKind(rails),
      capturer: createCapturer({
        sql,
        rails,
        lane,
        kind: authorisationKind(),
        log: silentLog,
        settle: (receipts) => lane.submit(settle, { receipts }),
      }),
      settle: (receipts) => lane.submit(settle, { receipts }),
      walletKind: createWalletKind(),
      refundKind: refundKind(rails),
      refundDecisionKind: refundDecisionKind(rails),
      withdrawals: {
        rails: testPayoutRails(),
        kind: withdrawalKind(),
        decisionKind: decisionKind(testPayoutRails()),
        batchKind: withdrawalBatchKind(),
        batchDecisionKind: batchDecisionKind(testPayoutRails()),
      },
      waitingReaders: createWaitingReaders({ sql, log: silentLog }),
      webhookPolicy: { LIVE: { allowHttp: false, allowLoopback: false }, SANDBOX: policy },
      endpointSealKey,
      newMerchants: { sealKey, openWallets: openStartingWallets },
      sandbox: {
        pay: async (merchantId, paymentId, { scenario, amount = 100n, beforePaying }) => {
          await beforePaying?.()
          // Thousands of payments of the largest amount would leave the range of the books, as no faucet could.
          const txHash = await settlePayment(merchantId, paymentId, minOf(amount, 1_000_000n))
          return { paymentId, scenario, txHashes: [txHash] }
        },
      },
      ready: async () => [{ name: 'database', ok: true }],
      ...more,
    }
  }

  async function openApi(
    more: Partial<HttpDeps> = {},
    decorate?: (server: FastifyInstance) => void,
  ): Promise<Api> {
    const authenticator = createAuthenticator({ sql, pepper, log: silentLog })
    const server = createServer(depsWith(authenticator, more))
    decorate?.(server)
    await server.listen({ host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    const api: Api = {
      url,
      ask: (method, path, ask = {}) => askAt(url, method, path, ask),
      close: async () => {
        await server.close()
        await authenticator.close()
      },
    }
    apis.push(api)
    return api
  }

  async function openTenant(mode: Mode = 'SANDBOX'): Promise<Tenant> {
    const deps = { sql, clock: systemClock, sealKey, openWallets: openStartingWallets }
    const { merchant } = await createMerchant(deps, { mode, name: 'Test' })
    const issued = await issueApiKey(keyDeps, { merchantId: merchant.id, name: 'test', scopes })
    return { id: merchant.id, mode, key: issued.key, keyId: issued.id }
  }

  return {
    appUrl: database.appUrl,
    ownerUrl: database.ownerUrl,
    auditKey,
    sql,
    rails,
    pepper,
    lane,
    creator,
    openApi,
    depsWith,
    openTenant,
    settlePayment,
    fund,
    book,
    issue: (
      merchantId: MerchantId,
      scopes: readonly Scope[],
      expiresAt?: Date,
      more: { readonly person?: string; readonly allowedCidrs?: readonly string[] } = {},
    ) =>
      issueApiKey(keyDeps, {
        merchantId,
        name: 'test',
        scopes,
        ...more,
        ...given({ expiresAt }),
      }),
    rotate: (merchantId: MerchantId, id: ApiKeyId) => rotateApiKey(keyDeps, { merchantId, id }),
    revoke: (merchantId: MerchantId, id: ApiKeyId) => revokeApiKey(keyDeps, { merchantId, id }),
    async close() {
      await Promise.all(apis.map((api) => api.close()))
      await creator.close()
      await lane.close()
      await sql.end({ timeout: 5 })
      await database[Symbol.asyncDispose]()
    },
  }
}

async function askAt(
  url: string,
  method: string,
  path: string,
  { key, body, raw, headers }: Ask,
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url + path, {
    method,
    headers: {
      ...given({ apikey: key }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...given({ body: sent }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {},
  }
}

/** The body of a valid payment, with a key of its own. */
export function paymentBody(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    amount: 1234,
    currency: 'USDT',
    paymentMethods: ['CRYPTO'],
    idempotencyKey: randomBytes(12).toString('hex'),
    metadata: { orderId: 'A-1' },
    ...more,
  }
}

/** The body of a valid withdrawal. */
export function withdrawalBody(
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    type: 'PIX',
    amount: 100,
    currency: 'BRL',
    pixKey: 'ana@example.com',
    pixKeyType: 'EMAIL',
    ...more,
  }
}
