// Everything between a block and a wallet, for tests: a database, the lanes, the rail, and scenes on a chain.
import { randomBytes } from 'node:crypto'
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import { connect, type Sql, type Tx } from '#/db/client.ts'
import { parseAddress, type Address } from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { invariant, must } from '#/kernel/check.ts'
import { newId, type ConnectionId, type MerchantId, type PaymentId, type WalletId } from '#/kernel/id.ts'
import { silentLog, type Log } from '#/kernel/log.ts'
import * as chart from '#/ledger/chart.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { createMerchant } from '#/merchants/merchant.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import { describePayments } from '#/payments/describe.ts'
import { endKind } from '#/payments/end.ts'
import type { PaymentRequest } from '#/payments/payment.ts'
import { selectPayments } from '#/payments/queries.ts'
import { paymentRecord } from '#/payments/record.ts'
import { listRails } from '#/rails/all.ts'
import { releaseLease, type Cursor } from '#/rails/crypto/cursor.ts'
import { ensureChain } from '#/rails/crypto/queries.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import { oneAtATime } from '#/rails/crypto/sandbox.ts'
import type { KeepSignals, TransferSignal } from '#/rails/crypto/signal.ts'
import { begin, step, type WatcherDeps } from '#/rails/crypto/watch.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { createInbox, drainOnce } from '#/settlement/inbox.ts'
import { settleKind } from '#/settlement/settle.ts'
import { openStartingWallets } from '#/wallets/create.ts'
import { selectBalances, selectWallets } from '#/wallets/queries.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { worldClock, type WorldClock } from '../clock.ts'
import { pages } from '../page-hosts.ts'
import { testDatabase } from '../postgres.ts'
import { webhookSealKey } from '../world-keys.ts'
import { treasury, type TestChain } from './watcher-chain.ts'

export type Payment = { readonly id: PaymentId; readonly address: Address }

/** One chain of its own in the books, with a merchant of its own: its sums contain nothing of other scenes. */
export type Scene = {
  readonly chain: Chain
  readonly merchantId: MerchantId
  newPayment(minor: bigint, more?: Partial<PaymentRequest>): Promise<Payment>
  /** The payment as the API shows it. */
  show(payment: Payment): Promise<Readonly<Record<string, unknown>>>
  /** The dependencies of a watcher of this chain. */
  watching(rpc: Rpc, more?: Partial<WatcherDeps>): WatcherDeps
  balance(): Promise<{ readonly available: bigint; readonly pending: bigint }>
}

export type World = AsyncDisposable & {
  readonly appUrl: string
  readonly sql: Sql
  /** Runs, and can be moved besides. */
  readonly clock: WorldClock
  readonly node: () => TestChain
  readonly lane: LedgerLane<EventDraft>
  readonly auditKey: Buffer
  keep: KeepSignals<Tx>
  newScene(more?: Partial<Chain>): Promise<Scene>
  /** A merchant on a chain that the books have already. */
  sceneOn(chain: Chain): Promise<Scene>
  /** Settles due signals in any order, at most `most` of them. Returns how many there were. */
  drain(most?: number): Promise<number>
  drainAll(): Promise<void>
  /** Settles what comes, as a worker does, until it is disposed of. */
  keepSettling(): AsyncDisposable
  /** Ends the payment's time now. */
  expire(scene: Scene, payment: Payment): Promise<void>
  cancel(scene: Scene, payment: Payment): Promise<void>
  /** Types of the events of this payment, in order. */
  eventsOf(payment: Payment): Promise<readonly string[]>
}

/** Starts a watcher, polls until nothing is new, and stops it. */
export async function catchUp(deps: WatcherDeps): Promise<Cursor> {
  let cursor = must(await begin(deps), 'the lease is free')
  for (let steps = 0; ; steps++) {
    invariant(steps < 1_000, 'the watcher comes to rest')
    const next = await step(deps, cursor)
    if (next === cursor) break
    cursor = next
  }
  await releaseLease(deps, cursor.fence)
  return cursor
}

/** A world on a node, which may be replaced meanwhile. */
export async function openWorld(node: () => TestChain, log: Log = silentLog): Promise<World> {
  const database = await testDatabase()
  const sql = connect(database.appUrl, { max: 4 })
  const moved = await worldClock(database)
  const clock: WorldClock = { ...moved, now: moved.running.now }
  const chains: Chain[] = []
  const rails = listRails([createCryptoRail(() => chains)])
  const auditKey = randomBytes(32)
  const lane = await createLedgerLane({
    openSql: () => connect(database.appUrl, { max: 1 }),
    cell: 'a1',
    auditKey,
    announce,
    clock: clock.running,
    log,
  })
  const creator = createPaymentCreator({ pages, sql, rails, ledger: lane, clock, log })
  const settling = { sql, rails, lane, kind: settleKind(rails), clock, log }
  const endingKind = endKind(rails)

  const keep: KeepSignals<Tx> = (tx, connection, signals: readonly TransferSignal[], at) => {
    const body = (signal: TransferSignal) => Buffer.from(JSON.stringify(signal))
    return insertSignals(
      tx,
      signals.map((signal) => ({ method: 'CRYPTO', connection, body: body(signal) })),
      at,
    )
  }

  async function newScene(more: Partial<Chain> = {}): Promise<Scene> {
    const id = newId<'connection'>()
    const chain: Chain = {
      key: `chain-${id.slice(-12)}`,
      mode: 'SANDBOX',
      connection: `a1-${id}` as ConnectionId,
      chainId: 31_337n,
      network: `net-${id.slice(-12)}`,
      tokens: [usdtAt(node().contracts.token)],
      ...node().contracts,
      treasury,
      confirmationsMin: 1,
      ...more,
    }
    await ensureChain(sql, chain)
    return sceneOn(chain)
  }

  async function sceneOn(chain: Chain): Promise<Scene> {
    if (!chains.some(({ key }) => key === chain.key)) chains.push(chain)
    const { merchant } = await createMerchant(
      { sql, clock, sealKey: webhookSealKey, openWallets: openStartingWallets },
      { mode: 'SANDBOX', name: 'Test' },
    )
    const wallets = await selectWallets(sql, merchant.id, { currency: 'USDT' })
    const walletId: WalletId = must(wallets[0], 'a USDT wallet').id
    return {
      chain,
      merchantId: merchant.id,
      async newPayment(minor, request = {}) {
        const metadata = { cryptoNetwork: chain.network }
        const terms = {
          amount: Number(minor),
          currency: 'USDT',
          paymentMethods: ['CRYPTO'] as const,
          metadata,
          ...request,
        }
        const { payment } = await creator.create({ id: merchant.id, mode: 'SANDBOX' }, newId(), terms)
        const { cryptoAddress } = await shown(merchant.id, payment.id)
        return { id: payment.id, address: must(parseAddress(String(cryptoAddress)), 'an address') }
      },
      show: ({ id }) => shown(merchant.id, id),
      watching: (rpc, watching = {}) => ({ sql, chain, clock, keep, rpc, log, pollMs: 5, ...watching }),
      async balance() {
        const available = chart.walletAvailable('SANDBOX', walletId, 'USDT').name
        const pending = chart.walletPending('SANDBOX', walletId, 'USDT').name
        const { balances } = await selectBalances(sql, 'SANDBOX', [available, pending])
        const minorOf = (name: string) => balances.find((each) => each.name === name)?.minor ?? 0n
        return { available: minorOf(available), pending: minorOf(pending) }
      },
    }
  }

  async function shown(merchantId: MerchantId, paymentId: PaymentId) {
    const found = await selectPayments(sql, [{ merchantId, paymentId }])
    const payment = must(found[0], 'a payment')
    const described = await describePayments(sql, rails, found, 'full')
    return paymentRecord(payment, described.of(payment))
  }

  const inTurn = oneAtATime()
  const drain = (most = 500): Promise<number> =>
    inTurn(async () => {
      await sql`update inbox set due_at = received_at - random() * interval '1 hour', lease_until = '-infinity' where not parked`
      return drainOnce({ ...settling, batchMax: most })
    })

  async function end(scene: Scene, payment: Payment, event: 'expired' | 'canceled'): Promise<void> {
    const item = { merchantId: scene.merchantId, paymentId: payment.id, event }
    const { kind } = await lane.submit(
      endingKind,
      event === 'expired' ? { ...item, event, early: true } : item,
    )
    must(kind === 'closed' || undefined, `the payment was ended, not ${kind}`)
  }

  return {
    appUrl: database.appUrl,
    sql,
    clock,
    node,
    lane,
    auditKey,
    keep,
    newScene,
    sceneOn,
    drain,
    async drainAll() {
      for (let rounds = 0; (await drain()) > 0; rounds++)
        must(rounds < 50 || undefined, 'signals are settled')
    },
    keepSettling() {
      const stop = new AbortController()
      const running = createInbox(settling).run(stop.signal)
      return {
        async [Symbol.asyncDispose]() {
          stop.abort()
          await running
        },
      }
    },
    expire: (scene, payment) => end(scene, payment, 'expired'),
    cancel: (scene, payment) => end(scene, payment, 'canceled'),
    async eventsOf({ id }) {
      const rows = await sql<
        { type: string }[]
      >`select type from event where resource_id = ${id} order by sequence`
      return rows.map(({ type }) => type)
    },
    async [Symbol.asyncDispose]() {
      await creator.close()
      await lane.close()
      await sql.end({ timeout: 5 })
      await database[Symbol.asyncDispose]()
    },
  }
}
