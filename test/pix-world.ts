// Everything of PIX except the API: a database, the parts of the program wired as in the program, a merchant with a
// connection. The test decides when the worker's jobs run.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openCore, type Core } from '#/app/core.ts'
import { verify } from '#/audit/verify.ts'
import { readConfig } from '#/config.ts'
import type { Report } from '#/db/inspection.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { invariant, must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import {
  newId,
  type ConnectionId,
  type MerchantId,
  type PaymentId,
  type RefundId,
  type WalletId,
} from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { deriveKey } from '#/kernel/secret.ts'
import { systemClock } from '#/kernel/time.ts'
import { connectionKeys, addConnection } from '#/merchants/connections.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import { cancelDue } from '#/payments/check.ts'
import { createPaymentCreator, type CreationAnswer, type PaymentCreator } from '#/payments/create.ts'
import { describePayments } from '#/payments/describe.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { paymentRecord } from '#/payments/record.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { listRefunds } from '#/refunds/queries.ts'
import type { Refund, RefundRequest } from '#/refunds/refund.ts'
import { refundKind, type RefundVerdict } from '#/refunds/request.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { logPutAside, drainOnce } from '#/settlement/inbox.ts'
import { reconcileDue } from '#/settlement/reconcile.ts'
import type { SettleVerdict } from '#/settlement/settle.ts'
import { walletRecords } from '#/wallets/balance.ts'
import { createWalletKind, openStartingWallets } from '#/wallets/create.ts'
import type { OwnTransferId } from '#/wallets/own-transfer.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { ownTransferKind } from '#/wallets/transfer.ts'
import type { Json } from '../simulators/kit/harness.ts'
import { worldClock, type WorldClock } from './clock.ts'
import { pages } from './page-hosts.ts'
import { testDatabase, type TestDatabase } from './postgres.ts'
import type { BankCustomer } from './rails/pix/bank.ts'
import { sumsOfAccounts } from './sums-of-accounts.ts'
import { keyOf, worldKeys } from './world-keys.ts'

export type MerchantEvent = { readonly type: string; readonly resourceId: string; readonly data: Json }

export type Merchant = { readonly id: MerchantId; readonly mode: 'SANDBOX' }

export type PixWorld = AsyncDisposable & {
  readonly core: Core
  readonly appUrl: string
  readonly database: TestDatabase
  /** Owns the tables: to tamper with them. */
  readonly ownerUrl: string
  readonly merchant: Merchant
  readonly connection: ConnectionId
  /** Runs, and can be moved besides. */
  readonly clock: WorldClock
  /** Lines of the log, parsed. */
  readonly logged: readonly Json[]
  newMerchant(): Promise<Merchant>
  addConnection(customer: BankCustomer, merchantId?: MerchantId): Promise<ConnectionId>
  /** Creates payments as another process does, with connections of its own to the database. */
  openCreator(): Promise<PaymentCreator>
  /** Another process: connections, lane and bank clients of its own. */
  openOther(): Promise<Core>
  create(request?: Partial<PaymentRequest>, key?: string): Promise<CreationAnswer>
  payment(id: PaymentId): Promise<Payment>
  /** As its GET shows it. */
  shown(id: PaymentId): Promise<Json>
  txidOf(payment: Pick<Payment, 'merchantId' | 'id'>): Promise<string>
  /** The merchant's events, in order; of one resource if named. */
  eventsOf(resourceId?: string): Promise<readonly MerchantEvent[]>
  /** Keeps a callback of this body, and settles it. */
  callback(body: unknown): Promise<void>
  settle(receipts: readonly Receipt[], inquiry?: Inquiry): Promise<SettleVerdict>
  /** Runs a reconciliation pass now. Returns how much was new. */
  reconcile(): Promise<number>
  refund(payment: Pick<Payment, 'id'>, request?: RefundRequest, key?: string): Promise<RefundVerdict>
  refundOf(id: RefundId): Promise<Refund>
  /** Sends the refunds that are due to the bank. */
  sendRefunds(): Promise<number>
  /** Cancels at the bank the charges of payments that ended. */
  revoke(): Promise<number>
  newWallet(walletType: 'SPENDABLE' | 'RESERVE'): Promise<WalletId>
  /** The available balance of each of the merchant's BRL wallets, the default one first. */
  wallets(): Promise<readonly { readonly id: WalletId; readonly available: bigint }[]>
  /** Moves money between wallets of the merchant. */
  move(from: WalletId, to: WalletId, minor: bigint): Promise<void>
  /** Balances in minor units, summed by the first word of the account's name or its last. */
  balances(): Promise<Balances>
  /** Makes these inspections; all of them when no names are given. */
  verify(only?: readonly string[]): Promise<Report>
}

export type Balances = {
  readonly available: bigint
  readonly pending: bigint
  readonly held: bigint
  readonly provider: bigint
  readonly suspense: bigint
  readonly receivable: bigint
  readonly fees: bigint
}

export const auditKey = keyOf('VINTEM_AUDIT_KEY')
const connectionKey = connectionKeys(keyOf('VINTEM_MASTER_KEY'), keyOf('VINTEM_WORKER_KEY'))

/** A connection without a bank: for tests that make the bank's reports themselves. */
const noBank = {
  settings: { baseUrl: 'https://127.0.0.1:9/v2', tokenUrl: 'https://127.0.0.1:9/oauth/token' },
  secrets: {},
} as const

/** The dynamic example of the Manual de Padrões para Iniciação do Pix. */
const code =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'

/** A bank where every charge exists as soon as it is requested. */
function withoutBank(rails: Rails): Rails {
  const pix = must(rails.get('PIX'), 'there is PIX')
  assert.equal(pix.opens.at, 'REQUEST')
  const open = async () => ({ ok: true as const, artifacts: { copyPaste: code } })
  return new Map([...rails, ['PIX', { ...pix, opens: { ...pix.opens, open } }]])
}

/** A world with one merchant, whose PIX connection is at the bank of `customer`, or at no bank. `settings`: besides the usual ones. */
export async function openPixWorld(
  customer?: BankCustomer,
  settings: Readonly<Record<string, string>> = {},
): Promise<PixWorld> {
  const database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'vintem-world-'))
  const logged: Json[] = []
  const log: Log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line) as Json) })
  const place = { DATABASE_URL: database.appUrl, VINTEM_DATA_DIR: folder, VINTEM_DB_POOL: '6' }
  const env = { ...worldKeys, ...place, ...settings }
  const moved = await worldClock(database)
  const clock: WorldClock = { ...moved, now: moved.running.now }
  const open = () =>
    openCore({
      ownClock: clock,
      config: readConfig(env),
      databaseUrl: database.appUrl,
      masterKey: keyOf('VINTEM_MASTER_KEY'),
      workerKey: keyOf('VINTEM_WORKER_KEY'),
      auditKey,
      log,
    })
  const core = await open()
  const { sql, rails, lane, connections } = core
  const creators: PaymentCreator[] = []
  const others: Core[] = []
  const openOther = async () => {
    const other = await open()
    others.push(other)
    return other
  }
  const creatorOf = (of: Core) => {
    const rails = customer === undefined ? withoutBank(of.rails) : of.rails
    const issue = of.issuance?.write
    const parts = { sql: of.sql, rails, ledger: of.lane, clock: of.clock, log, issue }
    const made = createPaymentCreator({ pages, ...parts })
    creators.push(made)
    return made
  }
  const connect = async ({ settings, ...sealed }: BankCustomer | typeof noBank, merchantId?: MerchantId) => {
    const id = await addConnection(
      { sql, cell: core.config.VINTEM_CELL, keys: connectionKey },
      {
        mode: 'SANDBOX',
        method: 'PIX',
        provider: 'bacen',
        settings,
        ...sealed,
        ...given({ merchantId }),
      },
    )
    await connections.refresh()
    return id
  }
  const newMerchant = async (): Promise<Merchant> => {
    const deps = {
      sql,
      clock: systemClock,
      sealKey: deriveKey(keyOf('VINTEM_MASTER_KEY'), 'webhook secrets'),
      openWallets: openStartingWallets,
    }
    const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })
    return { id: merchant.id, mode: 'SANDBOX' }
  }
  const merchant = await newMerchant()
  const connection = await connect(customer ?? noBank)
  const creator = creatorOf(core)
  const refunding = refundKind(rails)
  const settle = async (receipts: readonly Receipt[], inquiry?: Inquiry) => {
    const item = { receipts, ...given({ inquiry }) }
    const verdicts = await lane.submit(core.settleKind, item)
    logPutAside(log, receipts, verdicts)
    return verdicts
  }
  const worker = { sql, rails, lane, clock, log, connections, settle }

  return {
    core,
    appUrl: database.appUrl,
    database,
    ownerUrl: database.ownerUrl,
    merchant,
    connection,
    clock,
    logged,
    newMerchant,
    addConnection: connect,
    openCreator: async () => creatorOf(await openOther()),
    openOther,
    create(request = {}, key = newId()) {
      return creator.create(merchant, key, { amount: 1_000, paymentMethods: ['PIX'], ...request })
    },
    async payment(id) {
      const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id }])
      return must(found, 'the payment is there')
    },
    async shown(id) {
      const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id }])
      const payment = must(found, 'the payment is there')
      return paymentRecord(payment, (await describePayments(sql, rails, [payment], 'full')).of(payment))
    },
    async txidOf({ merchantId, id }) {
      const [attempt] = await selectAttempts(sql, [{ merchantId, paymentId: id }])
      return must(attempt, 'the payment has an attempt').id.replaceAll('-', '')
    },
    async eventsOf(resourceId) {
      const rows = await sql<MerchantEvent[]>`
        select type, resource_id as "resourceId", body::json -> 'data' as data
          from event
         where merchant_id = ${merchant.id}
           ${resourceId === undefined ? sql`` : sql`and resource_id = ${resourceId}`}
         order by sequence`
      return [...rows]
    },
    async callback(body) {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      await insertSignals(sql, [{ method: 'PIX', connection, body: bytes }], clock.now())
      await drainOnce({ ...worker, kind: core.settleKind })
    },
    settle,
    async reconcile() {
      await sql`update reconciliation set due_at = ${clock.now()} where connection = ${connection}`
      return reconcileDue({ ...worker, periodMs: 1_000 })
    },
    refund({ id }, request = {}, key) {
      return lane.submit(refunding, {
        merchantId: merchant.id,
        mode: merchant.mode,
        paymentId: id,
        id: newId<'refund'>(),
        request,
        ...given({ idempotencyKey: key }),
      })
    },
    async refundOf(id) {
      const [found] = await listRefunds(sql, merchant.id, { id, limit: 1 })
      return must(found, 'the refund is there')
    },
    sendRefunds: () => sendDueRefunds(worker),
    revoke: () => cancelDue(worker),
    ...walletsOf(core, merchant),
    async balances() {
      const sum = await sumsOfAccounts(sql)
      return {
        available: sum(/:available$/),
        pending: sum(/:pending$/),
        held: sum(/:held$/),
        provider: sum(/^provider:/),
        suspense: sum(/^suspense:/),
        receivable: sum(/^receivable:/),
        fees: sum(/^fees:/),
      }
    },
    verify: (only) => verify(sql, { cell: core.config.VINTEM_CELL, auditKey, ...given({ only }) }),
    async [Symbol.asyncDispose]() {
      await Promise.all(creators.map((each) => each.close()))
      await Promise.all([core, ...others].map((each) => each.close()))
      await database[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function walletsOf(
  { sql, lane }: Core,
  { id: merchantId, mode }: Merchant,
): Pick<PixWorld, 'newWallet' | 'wallets' | 'move'> {
  return {
    async newWallet(walletType) {
      const id: WalletId = newId()
      const request = { currency: 'BRL' as const, label: 'another', walletType }
      await lane.submit(createWalletKind(), { merchantId, mode, id, request })
      return id
    },
    async wallets() {
      const found = await selectWallets(sql, merchantId, { currency: 'BRL' })
      const records = await walletRecords(sql, { id: merchantId, mode }, found)
      return found
        .map(({ id, isDefault }, index) => ({
          id,
          isDefault,
          available: BigInt(Number(records[index]?.['balance'])),
        }))
        .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    },
    async move(fromWalletId, toWalletId, minor) {
      const request = { fromWalletId, toWalletId, amount: Number(minor) }
      const id: OwnTransferId = newId()
      const verdict = await lane.submit(ownTransferKind, { merchantId, mode, id, request })
      invariant(verdict.kind === 'created', `the transfer was ${verdict.kind}`)
    },
  }
}
