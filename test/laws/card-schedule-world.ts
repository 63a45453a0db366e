// Cards with everything but the API: a database, the parts of the program as they are wired, the acquirer as a process of its
// own, callbacks over HTTP, and the work of a worker, done when a schedule says so, at providers that may be away.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { verify } from '#/cli/verify.ts'
import { connectionKeys, openCore } from '#/app.ts'
import { readConfig } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import type { Report } from '#/db/inspection.ts'
import { sendProblem } from '#/http/errors.ts'
import { takeSignedCallbacks } from '#/http/signed-callbacks.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { newId, type ConnectionId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs, systemClock } from '#/kernel/time.ts'
import { addConnection } from '#/merchants/connections.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { authorisationKind } from '#/payments/capture-kind.ts'
import { createCapturer } from '#/payments/capture.ts'
import { checkDue } from '#/payments/check.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { createPageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { listRails } from '#/rails/all.ts'
import { createCardRail } from '#/rails/card/rail.ts'
import { startTestAcquirer, type TestAcquirer } from '#/rails/card/test-acquirer.ts'
import type { Receipt } from '#/rails/rail.ts'
import { refundKind } from '#/refunds/request.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { drainOnce } from '#/settlement/inbox.ts'
import { reconcileDue } from '#/settlement/reconcile.ts'
import { settleKind } from '#/settlement/settle.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { testDatabase } from '../postgres.ts'
import { pages } from '../page-hosts.ts'

export type CardSchedule = AsyncDisposable & {
  readonly sql: Sql
  readonly acquirer: TestAcquirer
  /** A merchant with an account of its own at the acquirer. */
  openShop(): Promise<CardShop>
  verify(): Promise<Report>
}

export type CardShop = {
  create(isManual: boolean): Promise<PaymentId>
  payment(id: PaymentId): Promise<Payment>
  /** What a payer does: opens the page, and types a card in if there is a form. */
  pay(id: PaymentId, card: string): Promise<void>
  capture(id: PaymentId, minor: bigint): Promise<void>
  cancel(id: PaymentId): Promise<void>
  refund(id: PaymentId, minor: bigint): Promise<void>
  /** Everything that a worker has to do now; with `isLate`, also what is not due yet. */
  work(what: Work, isLate?: boolean): Promise<void>
  /** Whether nothing waits for a worker but to look again. */
  isQuiet(): Promise<boolean>
  /** What the acquirer has of this merchant. */
  told(): Promise<Told>
  /** Every balance that is this merchant's or its account's, by the account's name. */
  balances(): Promise<readonly { readonly name: string; readonly minor: bigint }[]>
}

type Named = { readonly id: string; readonly status: string; readonly amount: number }
type Metadata = Readonly<Record<string, string>>
type OfIntent = Named & { readonly payment_intent: string }

/** Objects as the acquirer shows them. */
export type Told = {
  readonly paymentIntents: readonly (Named & {
    readonly amount_received: number
    readonly metadata: Metadata
  })[]
  readonly refunds: readonly (OfIntent & { readonly metadata: Metadata })[]
  readonly disputes: readonly OfIntent[]
  readonly sessions: readonly { readonly metadata: Metadata }[]
  readonly webhooks: { readonly waiting: number }
}

export const works = ['inbox', 'checks', 'reconciliation', 'refunds', 'captures'] as const
export type Work = (typeof works)[number]

const amount = 2_000
const keys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
}
const keyOf = (name: keyof typeof keys) => Buffer.from(keys[name], 'hex')

export async function openCardSchedule(): Promise<CardSchedule> {
  const [database, acquirer] = await Promise.all([testDatabase(), startTestAcquirer()])
  const folder = mkdtempSync(join(tmpdir(), 'vintem-cards-'))
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
  const clock = systemClock
  // The rail as it is, but for its patience.
  const rail = createCardRail({
    connections,
    clock,
    log: silentLog,
    timeouts: { connectMs: 1_000, totalMs: 1_000 },
  })
  const rails = listRails([rail])
  const shared = { sql, rails, lane, clock, log: silentLog }
  const kinds = { settle: settleKind(rails), refund: refundKind(rails) }
  const settle = (receipts: readonly Receipt[]) => lane.submit(kinds.settle, { receipts })
  const creator = createPaymentCreator({ pages, ...shared, ledger: lane })
  const opener = createPageOpener(shared)
  const capturer = createCapturer({ ...shared, kind: authorisationKind(), settle })
  const server = Fastify()
  server.setErrorHandler((error, request, reply) => sendProblem({ log: silentLog }, error, request, reply))
  takeSignedCallbacks(server, { sql, clock, log: silentLog, connections, rails, onSignal: () => {} })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const callbacks = `http://127.0.0.1:${port}/callbacks/credit-card`
  const periodMs = hourMs
  const doing: Readonly<Record<Work, () => Promise<unknown>>> = {
    inbox: () => drainOnce({ ...shared, kind: kinds.settle }),
    checks: () => checkDue({ ...shared, settle }),
    reconciliation: () => reconcileDue({ ...shared, connections, periodMs, settle }),
    refunds: () => sendDueRefunds({ ...shared, settle }),
    captures: () => capturer.sendDue(),
  }

  async function openShop(): Promise<CardShop> {
    const sealKey = keyOf('VINTEM_MASTER_KEY')
    const { merchant } = await createMerchant(
      { sql, clock, sealKey, openWallets: openStartingWallets },
      { mode: 'SANDBOX', name: 'Ana' },
    )
    const merchantId = merchant.id
    const { connection, accountId } = await connect(core, acquirer, merchantId, callbacks)
    const payment = async (id: PaymentId) => {
      const [found] = await selectPayments(sql, [{ merchantId, paymentId: id }])
      return must(found, 'the payment is there')
    }
    return {
      payment,
      async create(isManual) {
        const request = { amount, currency: 'EUR', paymentMethods: ['CREDIT_CARD'] }
        const wish = isManual ? { ...request, captureMode: 'MANUAL' as const } : request
        return (await creator.create(merchant, newId(), wish)).payment.id
      },
      async pay(id, card) {
        const opened = await allowAway(opener.openPage(await payment(id), { method: 'CREDIT_CARD' }))
        const session = opened?.attempt?.artifacts['sessionId']
        if (session === undefined) return
        // Complete, or expired, or the acquirer is just away: then nobody pays.
        await acquirer.control('pay', { session, card }).catch(() => undefined)
      },
      async capture(paymentId, minor) {
        await allowAway(capturer.capture({ merchantId, paymentId }, minor))
      },
      async cancel(paymentId) {
        await allowAway(capturer.cancel({ merchantId, paymentId }))
      },
      async refund(paymentId, minor) {
        const item = { merchantId, mode: 'SANDBOX', paymentId, id: newId<'refund'>() } as const
        await lane.submit(kinds.refund, { ...item, request: { amount: Number(minor) } })
      },
      async work(what, isLate = false) {
        if (isLate) await bringForward(sql, what, merchantId, connection)
        await doing[what]()
      },
      isQuiet: () => isQuiet(sql, merchantId, connection),
      told: () => acquirer.state<Told>(accountId),
      balances: () => sql<{ name: string; minor: bigint }[]>`
        select account.name, balance.minor
          from account
          join balance on balance.account_id = account.id
         where account.currency = 'EUR'
           and (position(${connection} in account.name) > 0 or position(${merchantId} in account.name) > 0
                or exists (select 1 from wallet where merchant_id = ${merchantId}
                              and position(wallet.id::text in account.name) > 0))`,
    }
  }

  return {
    sql,
    acquirer,
    openShop,
    verify: () => verify(sql, { cell: core.config.VINTEM_CELL, auditKey: keyOf('VINTEM_AUDIT_KEY') }),
    async [Symbol.asyncDispose]() {
      // Ended first: it would go on calling back.
      await acquirer.stop()
      await server.close()
      await creator.close()
      await rail.stop()
      await core.close()
      await database[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The merchant's account at the acquirer, and where its callbacks go. */
async function connect(
  { sql, connections, config }: Awaited<ReturnType<typeof openCore>>,
  acquirer: TestAcquirer,
  merchantId: MerchantId,
  callbacks: string,
): Promise<{ readonly connection: ConnectionId; readonly accountId: string }> {
  const made = (await acquirer.control('accounts', { name: 'Loja' })) as Readonly<Record<string, string>>
  const { accountId = '', secretKey, refundKey, publishableKey, webhookSecret } = made
  const { apiUrl } = acquirer
  const connection = await addConnection(
    {
      sql,
      cell: config.VINTEM_CELL,
      keys: connectionKeys(keyOf('VINTEM_MASTER_KEY'), keyOf('VINTEM_WORKER_KEY')),
    },
    {
      merchantId,
      mode: 'SANDBOX',
      method: 'CREDIT_CARD',
      provider: 'stripe',
      settings: { apiUrl, scriptUrl: `${apiUrl}/endive/stripe.js`, publishableKey, currencies: ['EUR'] },
      secrets: { secretKey, webhookSecrets: [webhookSecret] },
      refundSecrets: { secretKey: refundKey },
    },
  )
  await connections.refresh()
  await acquirer.control(`accounts/${accountId}/webhook`, { url: `${callbacks}/${connection}` })
  return { connection, accountId }
}

/** A provider that is away, and what cannot be done any more, are part of every schedule. */
async function allowAway<T>(work: Promise<T>): Promise<T | undefined> {
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

/** As if all the time had passed that a worker would wait. */
async function bringForward(
  sql: Sql,
  what: Work,
  merchantId: MerchantId,
  connection: ConnectionId,
): Promise<void> {
  const due = sql`due_at = now() - interval '1 second'`
  if (what === 'inbox') await sql`update inbox set ${due} where connection = ${connection} and not parked`
  if (what === 'checks') await sql`update attempt_check set ${due} where merchant_id = ${merchantId}`
  if (what === 'refunds') await sql`update refund_due set ${due} where merchant_id = ${merchantId}`
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
