// Whole charges through every part that writes: created by the creation lane, paid on a chain that is only rows, put into
// the inbox, settled, credited, and told of by an event with its delivery.
import { connect, type Sql } from '#/db/client.ts'
import { createLane } from '#/db/lane.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { createLog } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { systemClock } from '#/kernel/time.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { listRails } from '#/rails/all.ts'
import { createDepositAddresses, hexOf, keccak } from '#/rails/crypto/address.ts'
import { baseUnitsPerCent, type Sighting, type TransferSignal } from '#/rails/crypto/chain.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import * as watcher from '#/rails/crypto/watch-queries.ts'
import { createInbox } from '#/settlement/inbox.ts'
import { insertSignals } from '#/settlement/queries.ts'
import { settleKind, type SettleItem } from '#/settlement/settle.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { benchChain } from './chain.ts'
import { cell, type Place } from './place.ts'
import { beChild, drive } from './process.ts'

export type ChargesOptions = { readonly place: Place; readonly clients: number }

beChild<ChargesOptions>(async ({ place, clients }) => {
  const log = createLog('warn')
  const sql = connect(place.url)
  const rails = listRails([createCryptoRail(() => [benchChain])])
  const creator = createPaymentCreator({ sql, rails, clock: systemClock, log })
  const settled = new Map<string, () => void>()
  const lane = tellingOf(
    await createLedgerLane({
      openSql: () => connect(place.url, { max: 1 }),
      cell,
      auditKey: Buffer.from(place.auditKey),
      announce,
      log,
    }),
    ({ receipts }) => receipts.forEach(({ attempt }) => settled.get(attempt.paymentId)?.()),
  )
  const inbox = createInbox({ sql, rails, lane, kind: settleKind(rails), clock: systemClock, log })
  const blocks = createBlocks(sql, () => inbox.wake())
  const stop = new AbortController()
  const draining = inbox.run(stop.signal)

  async function charge(): Promise<void> {
    const key = newId()
    const request: PaymentRequest = {
      amount: 1234,
      currency: 'USDT',
      paymentMethods: ['CRYPTO'],
      customerName: 'Ana Souza',
      customerEmail: 'ana@example.com',
      metadata: { orderId: key },
      webhookUrl: 'http://127.0.0.1:9/webhook',
    }
    const { payment } = await creator.create({ id: place.merchantId, mode: 'SANDBOX' }, key, request)
    const isSettled = new Promise<void>((resolve) => settled.set(payment.id, resolve))
    await blocks.submit(payment)
    await isSettled
    settled.delete(payment.id)
  }

  return {
    run: (spanMs) => drive(clients, spanMs, charge),
    async close() {
      stop.abort()
      await draining
      await creator.close()
      await blocks.close()
      await lane.close()
      await sql.end({ timeout: 5 })
    },
  }
})

/** The same lane, which also tells of each item that it settled. */
function tellingOf(lane: LedgerLane<EventDraft>, tell: (item: SettleItem) => void): LedgerLane<EventDraft> {
  return {
    ...lane,
    async submit(kind, item) {
      const verdict = await lane.submit(kind, item)
      tell(item as SettleItem)
      return verdict
    },
  }
}

/** What the watcher does when final blocks hold transfers to our addresses; only the blocks are made up. */
function createBlocks(sql: Sql, onSignals: () => void) {
  const addressOf = createDepositAddresses(benchChain)
  let height = 0n
  return createLane<Payment, undefined>({
    name: 'blocks',
    itemsMax: 500,
    bytesMax: 1_048_576,
    queueMax: 100_000,
    bytesOf: () => 1_024,
    async commit(payments) {
      height += 1n
      const now = systemClock.now()
      const sightings = payments.map((payment, logIndex) => transferTo(addressOf(payment.id), payment, height, logIndex, now))
      await sql.begin(async (tx) => {
        await watcher.insertSightings(tx, benchChain.key, sightings)
        const final = await watcher.finalizeSightings(tx, benchChain.key, height)
        const signals = final.map((each): TransferSignal => {
          const { owner, occurrence, blockHash, blockAt, logIndex, txHash, ordinal, address, value, log } = each
          const { merchantId, paymentId, attemptId } = owner
          const place = { blockHash, blockAt: blockAt.toISOString(), logIndex, txHash, ordinal, address }
          return { outcome: 'paid', occurrence, merchantId, paymentId, attemptId, ...place, value: `${value}`, log }
        })
        await insertSignals(
          tx,
          signals.map((signal) => ({
            method: 'CRYPTO',
            connection: benchChain.connection,
            body: Buffer.from(JSON.stringify(signal)),
          })),
          now,
        )
      })
      onSignals()
      return payments.map(() => ({ ok: true, verdict: undefined }))
    },
  })
}

const run = newId()

function transferTo(address: Sighting['address'], payment: Payment, number: bigint, logIndex: number, at: Date): Sighting {
  const blockHash = hexOf(sha256(`${run} ${number}`))
  const txHash = keccak(Buffer.from(payment.id))
  const value = payment.amountMinor * baseUnitsPerCent
  const topics = [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    `0x${treasuryWord}`,
    `0x${address.slice(2).padStart(64, '0')}`,
  ]
  return {
    blockHash,
    blockNumber: number,
    blockAt: at,
    logIndex,
    txHash,
    ordinal: 0,
    address,
    sender: benchChain.treasury,
    value,
    log: {
      address: benchChain.token,
      topics,
      data: `0x${value.toString(16).padStart(64, '0')}`,
      blockHash,
      blockNumber: `0x${number.toString(16)}`,
      transactionHash: txHash,
      transactionIndex: `0x${logIndex.toString(16)}`,
      logIndex: `0x${logIndex.toString(16)}`,
    },
  }
}

const treasuryWord = benchChain.treasury.slice(2).padStart(64, '0')
