// Shared by the laws about schedules: a database, the parts of the program wired as in the program, callbacks over HTTP, and shops, each
// with an account of its own at a provider that may be unreachable.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { openCore, type Core } from '#/app/core.ts'
import { verify } from '#/audit/verify.ts'
import { readConfig } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import type { Report } from '#/db/inspection.ts'
import { sendProblem } from '#/http/errors.ts'
import { serveSignedCallbacks } from '#/http/signed-callbacks.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import { systemClock, type Clock } from '#/kernel/time.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { listRails } from '#/rails/all.ts'
import type { Rail, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { refundKind, type RefundKind } from '#/refunds/request.ts'
import { settleKind, type SettleKind } from '#/settlement/settle.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { pages } from '../page-hosts.ts'
import { testDatabase } from '../postgres.ts'

export type ScheduleWorld = AsyncDisposable & {
  /** The dependencies that every part of the program gets. */
  readonly shared: Pick<Core, 'sql' | 'lane'> & {
    readonly rails: Rails
    readonly clock: Clock
    readonly log: Log
  }
  readonly connections: Core['connections']
  readonly kinds: { readonly settle: SettleKind; readonly refund: RefundKind }
  settle(receipts: readonly Receipt[], inquiry?: Inquiry): Promise<unknown>
  openShop(account: Account): Promise<Shop>
  verify(): Promise<Report>
}

/** A merchant's account at the provider, as a connection keeps it. */
type Account = Pick<
  Parameters<typeof addConnection>[1],
  'provider' | 'settings' | 'secrets' | 'refundSecrets'
> & { readonly currency: string }

export type Shop = {
  readonly merchantId: MerchantId
  readonly connection: ConnectionId
  /** Where this connection's callbacks arrive. */
  readonly callbackUrl: string
  create(request: Omit<PaymentRequest, 'currency'>): Promise<PaymentId>
  payment(id: PaymentId): Promise<Payment>
  refund(id: PaymentId, minor: bigint): Promise<void>
  bringForward(what: Work): Promise<void>
  /** Whether a worker has nothing left to do but to repeat its checks. */
  isQuiet(): Promise<boolean>
  /** Every balance of this merchant or its account, by the account's name. */
  balances(): Promise<readonly { readonly name: string; readonly minor: bigint }[]>
}

/** A worker's jobs. */
type Work = 'inbox' | 'checks' | 'reconciliation' | 'refunds' | 'captures' | 'cancellations' | 'expiry'

const keys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
}
const keyOf = (name: keyof typeof keys) => Buffer.from(keys[name], 'hex')

/** The program, with this rail and no other. */
export async function openScheduleWorld(
  createRail: (
    deps: Pick<Core, 'connections'> & { readonly clock: Clock; readonly log: Log },
  ) => Rail & { stop(): Promise<void> },
): Promise<ScheduleWorld> {
  const database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-schedule-'))
  const env = { ...keys, DATABASE_URL: database.appUrl, VINTEM_DATA_DIR: folder, VINTEM_DB_POOL: '8' }
  const core = await openCore({
    config: readConfig(env),
    databaseUrl: database.appUrl,
    masterKey: keyOf('VINTEM_MASTER_KEY'),
    workerKey: keyOf('VINTEM_WORKER_KEY'),
    auditKey: keyOf('VINTEM_AUDIT_KEY'),
    log: silentLog,
  })
  const { sql, lane, connections } = core
  const [clock, log] = [systemClock, silentLog]
  const rail = createRail({ connections, clock, log })
  const rails = listRails([rail])
  const shared = { sql, rails, lane, clock, log }
  const kinds = { settle: settleKind(rails), refund: refundKind(rails) }
  const creator = createPaymentCreator({ pages, ...shared, ledger: lane })
  const server = Fastify()
  server.setErrorHandler((error, request, reply) => sendProblem({ log }, error, request, reply))
  serveSignedCallbacks(server, { sql, clock, log, connections, rails, onSignal: () => {} })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const callbacks = `http://127.0.0.1:${port}/callbacks/${rail.method.toLowerCase().replaceAll('_', '-')}`

  return {
    shared,
    connections,
    kinds,
    settle: (receipts, inquiry) => lane.submit(kinds.settle, { receipts, ...given({ inquiry }) }),
    openShop: (account) => openShop({ core, rail, creator, kinds, callbacks }, account),
    verify: () => verify(sql, { cell: core.config.VINTEM_CELL, auditKey: keyOf('VINTEM_AUDIT_KEY') }),
    async [Symbol.asyncDispose]() {
      await server.close()
      await creator.close()
      await rail.stop()
      await core.close()
      await database[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Wired = {
  readonly core: Core
  readonly rail: Rail
  readonly creator: ReturnType<typeof createPaymentCreator>
  readonly kinds: ScheduleWorld['kinds']
  readonly callbacks: string
}

async function openShop({ core, rail, creator, kinds, callbacks }: Wired, account: Account): Promise<Shop> {
  const { sql, lane, connections, config } = core
  const sealKey = keyOf('VINTEM_MASTER_KEY')
  const { currency, ...secret } = account
  const { merchant } = await createMerchant(
    { sql, clock: systemClock, sealKey, openWallets: openStartingWallets },
    { mode: 'SANDBOX', name: 'Ana' },
  )
  const { id: merchantId } = merchant
  const connection = await addConnection(
    { sql, cell: config.VINTEM_CELL, keys: connectionKeys(sealKey, keyOf('VINTEM_WORKER_KEY')) },
    { merchantId, mode: 'SANDBOX', method: rail.method, ...secret },
  )
  await connections.refresh()
  return {
    merchantId,
    connection,
    callbackUrl: `${callbacks}/${connection}`,
    async create(request) {
      const { payment } = await creator.create(merchant, newId(), {
        ...request,
        currency,
        paymentMethods: [rail.method],
      })
      return payment.id
    },
    async payment(paymentId) {
      const [found] = await selectPayments(sql, [{ merchantId, paymentId }])
      return must(found, 'the payment is there')
    },
    async refund(paymentId, minor) {
      const item = { merchantId, mode: 'SANDBOX', paymentId, id: newId<'refund'>() } as const
      await lane.submit(kinds.refund, { ...item, request: { amount: Number(minor) } })
    },
    bringForward: (what) => bringForward(sql, what, merchantId, connection),
    isQuiet: () => isQuiet(sql, merchantId, connection),
    balances: () => sql<{ name: string; minor: bigint }[]>`
      select account.name, balance.minor
        from account
        join balance on balance.account_id = account.id
       where account.currency = ${currency}
         and (position(${connection} in account.name) > 0 or position(${merchantId} in account.name) > 0
              or exists (select 1 from wallet where merchant_id = ${merchantId}
                            and position(wallet.id::text in account.name) > 0))`,
  }
}

/** Accepts the errors that any schedule may cause: the provider is away, or the action is not possible any more. */
export async function allowAway<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const isAllowed =
      error instanceof AppError &&
      ['provider_unavailable', 'invalid_state', 'limit_exceeded'].includes(error.code)
    assert.ok(isAllowed, String(error))
    return undefined
  }
}

/** Makes due at once what a worker would wait for. */
async function bringForward(
  sql: Sql,
  what: Work,
  merchantId: MerchantId,
  connection: ConnectionId,
): Promise<void> {
  const due = sql`due_at = now() - interval '1 second'`
  if (what === 'inbox')
    await sql`update inbox set ${due}, lease_until = '-infinity' where connection = ${connection} and not parked`
  if (what === 'checks') await sql`update attempt_check set ${due} where merchant_id = ${merchantId}`
  if (what === 'refunds') await sql`update refund_due set ${due} where merchant_id = ${merchantId}`
  if (what === 'cancellations') await sql`update attempt_closing set ${due} where merchant_id = ${merchantId}`
  if (what === 'captures')
    await sql`update authorisation_order set ${due} where merchant_id = ${merchantId} and ended_at is null`
  if (what === 'reconciliation')
    await sql`update reconciliation set ${due} where connection = ${connection} and look = 'recent'`
}

async function isQuiet(sql: Sql, merchantId: MerchantId, connection: ConnectionId): Promise<boolean> {
  const [open] = await sql<{ count: number }[]>`
    select ((select count(*) from refund where merchant_id = ${merchantId} and status = 'PENDING')
          + (select count(*) from authorisation_order where merchant_id = ${merchantId} and ended_at is null)
          + (select count(*) from inbox where connection = ${connection} and not parked))::integer as count`
  return open?.count === 0
}
