// The whole line except the network: merchants, payments, the crypto rail over a chain that the test makes block by
// block, settlement, the books, and webhooks that are written but not sent.
import { randomBytes } from 'node:crypto'
import { verify } from '#/audit/verify.ts'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { connect, type Sql } from '#/db/client.ts'
import type { Report } from '#/db/inspection.ts'
import { factoryAddress, hexOf, implementationAddress, type Address } from '#/evm/address.ts'
import { createIssuanceLog } from '#/issuance/log.ts'
import { selectBooks } from '#/issuance/queries.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { secondMs, systemClock } from '#/kernel/time.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { endKind, type EndVerdict } from '#/payments/end.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { listRails } from '#/rails/all.ts'
import * as cursors from '#/rails/crypto/cursor.ts'
import { ensureChain, selectAddresses } from '#/rails/crypto/queries.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { DepositOwner, Sighting, TransferSignal } from '#/rails/crypto/signal.ts'
import { selectOwners } from '#/rails/crypto/watch-queries.ts'
import type { Receipt, Signal } from '#/rails/receipt.ts'
import { settleKind, type SettleVerdict } from '#/settlement/settle.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { worldClock, type WorldClock } from './clock.ts'
import { pages } from './page-hosts.ts'
import { testDatabase } from './postgres.ts'
import { soon } from './soon.ts'
import { webhookSealKey } from './world-keys.ts'

export const cell = 't1'
export const auditKey = sha256('the audit key of tests')

/** Base units in a cent of USDT. */
export const cent = 10n ** 16n

/** One transfer of the token in a block. */
export type Deposit = {
  readonly to: Address
  readonly units: bigint
  /** The same transaction in another block is the same money. */
  readonly txHash?: Address
  readonly ordinal?: number
}

export type Line = AsyncDisposable & {
  /** As the application, and as the owner of the tables. */
  readonly sql: Sql
  readonly owner: Sql
  readonly appUrl: string
  readonly merchant: { readonly id: Payment['merchantId']; readonly mode: 'SANDBOX' }
  readonly chain: Chain
  readonly clock: WorldClock
  readonly lane: LedgerLane<EventDraft>
  create(request?: Partial<PaymentRequest>, key?: string): Promise<Payment>
  payment(id: Payment['id']): Promise<Payment>
  addressOf(payment: Payment): Promise<Address>
  close(payment: Payment, event: 'expired' | 'canceled', more?: { readonly early: true }): Promise<EndVerdict>
  /** A new block on top. Returns its hash; `hash` lets one come back. */
  mine(
    deposits?: readonly Deposit[],
    more?: { readonly hash?: Address; readonly at?: Date },
  ): Promise<Address>
  /** The last block leaves the chain. */
  unmine(): Promise<void>
  /** Everything up to here is final. */
  finalize(): Promise<void>
  /** The watcher's signals since the last call, each as the inbox keeps it. */
  drainSignals(): readonly Signal[]
  /** Settles these signals, each by itself, all at the same time. */
  settle(signals: readonly Signal[]): Promise<readonly SettleVerdict[]>
  /** Settles all signals that are left. */
  settleAll(): Promise<readonly SettleVerdict[]>
  receiptsOf(signal: Signal): Promise<readonly Receipt[]>
  /** Makes these inspections; all of them when no names are given. */
  verify(only?: readonly string[]): Promise<Report>
}

const treasury: Address = '0x00000000000000000000000000000000000000aa'

type Place = { readonly appUrl: string; readonly ownerUrl: string }

/**
 * Opens the line in a database of its own. `at`: a migrated, empty database to use instead, whose clock no test moves. `issuedIn`: the
 * folder of the issuance log.
 */
export async function openLine(at?: Place, issuedIn?: string): Promise<Line> {
  const database: Place & Partial<AsyncDisposable> = at ?? (await testDatabase())
  const sql = connect(database.appUrl, { max: 6 })
  const owner = connect(database.ownerUrl, { max: 2, transactionSeconds: 60 })
  const clock = await worldClock(database, at === undefined ? soon() : systemClock.now())
  const chain = testChain()
  await ensureChain(sql, chain)
  const rail = createCryptoRail(() => [chain])
  const rails = listRails([rail])
  const lane = await createLedgerLane<EventDraft>({
    openSql: () => connect(database.appUrl, { max: 1 }),
    cell,
    auditKey,
    announce,
    clock: clock.running,
    log: silentLog,
  })
  const issuance =
    issuedIn === undefined
      ? undefined
      : createIssuanceLog({ folder: issuedIn, books: () => selectBooks(sql), clock, log: silentLog })
  const options = { pages, sql, rails, ledger: lane, clock, log: silentLog, issue: issuance?.write }
  const creator = createPaymentCreator(options)
  const deps = {
    sql,
    clock,
    sealKey: webhookSealKey,
    openWallets: openStartingWallets,
  }
  const { merchant } = await createMerchant(deps, { mode: 'SANDBOX', name: 'Ana' })
  const settling = settleKind(rails)
  const closing = endKind(rails)
  const watched = await openChain(sql, chain, clock)
  const settle = async (signals: readonly Signal[]) =>
    Promise.all(signals.map(async (signal) => lane.submit(settling, { receipts: await rail.read(signal) })))

  return {
    sql,
    owner,
    appUrl: database.appUrl,
    merchant: { id: merchant.id, mode: 'SANDBOX' },
    chain,
    clock,
    lane,
    async create(request = {}, key = newId()) {
      const terms = { amount: 1_000, currency: 'USDT', paymentMethods: ['CRYPTO'] as const, ...request }
      return (await creator.create({ id: merchant.id, mode: 'SANDBOX' }, key, terms)).payment
    },
    async payment(id) {
      const [found] = await selectPayments(sql, [{ merchantId: merchant.id, paymentId: id }])
      return must(found, 'the payment is there')
    },
    async addressOf({ merchantId, id }) {
      const [row] = await selectAddresses(sql, [{ merchantId, paymentId: id }])
      return hexOf(must(row, 'the payment has an address').address)
    },
    close: ({ merchantId, id }, event, more) =>
      lane.submit(closing, { merchantId, paymentId: id, event, ...more }),
    ...watched,
    settle,
    settleAll: () => settle(watched.drainSignals()),
    receiptsOf: async (signal) => rail.read(signal),
    verify: (only) => verify(sql, { cell, auditKey, ...given({ only }) }),
    async [Symbol.asyncDispose]() {
      await Promise.all([lane.close(), creator.close()])
      await Promise.all([sql.end({ timeout: 1 }), owner.end({ timeout: 1 })])
      await database[Symbol.asyncDispose]?.()
    },
  }
}

function testChain(): Chain {
  return {
    key: 'sandbox',
    mode: 'SANDBOX',
    connection: `${cell}-${newId()}` as ConnectionId,
    chainId: 31_337n,
    network: 'BSC',
    tokens: [usdtAt('0x00000000000000000000000000000000000000bb')],
    treasury,
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    confirmationsMin: 1,
  }
}

export function randomHash(): Address {
  return hexOf(randomBytes(32))
}

/** The watcher's cursor over blocks that the test makes. */
async function openChain(sql: Sql, chain: Chain, clock: WorldClock) {
  const kept: Signal[] = []
  const deps: cursors.CursorDeps = {
    sql,
    chain,
    clock,
    keep: async (_tx, connection, signals: readonly TransferSignal[], receivedAt) => {
      for (const signal of signals)
        kept.push({ connection, receivedAt, body: Buffer.from(JSON.stringify(signal)) })
    },
  }
  const { fence } = must(await cursors.acquireLease(deps), 'the chain is free')
  let cursor = await cursors.beginAt(deps, fence, { number: 1n, hash: randomHash() })
  return {
    async mine(deposits: readonly Deposit[] = [], { hash = randomHash(), at = clock.now() } = {}) {
      const number = cursor.tip.number + 1n
      const owners = await selectOwners(
        sql,
        chain.key,
        deposits.map(({ to }) => to),
      )
      const sightings = deposits.map((deposit, logIndex): Sighting & { owner: DepositOwner } => ({
        blockHash: hash,
        blockNumber: number,
        blockAt: at,
        logIndex,
        txHash: deposit.txHash ?? randomHash(),
        ordinal: deposit.ordinal ?? 0,
        address: deposit.to,
        sender: '0x00000000000000000000000000000000000000cc',
        value: deposit.units,
        log: { logIndex },
        owner: must(owners.get(deposit.to), 'an address of ours'),
      }))
      cursor = await cursors.advance(deps, cursor, [
        { number, hash, parentHash: cursor.tip.hash, moves: [], sightings },
      ])
      await clock.advance(secondMs)
      return hash
    },
    async unmine() {
      cursor = await cursors.rewind(deps, cursor)
    },
    async finalize() {
      cursor = await cursors.finalize(deps, cursor, cursor.tip, { missed: [], strays: [] })
    },
    drainSignals: () => kept.splice(0),
  }
}
