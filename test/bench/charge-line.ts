// Whole charges through every part that writes: created by the creation lane, paid on a chain that exists only as rows, put into the
// inbox, settled, credited, and announced by an event with its delivery.
import type { Hex } from 'viem'
import { mainToken } from '#/coins/chain.ts'
import { connect, list, recordSeparator, type Sql, type Tx } from '#/db/client.ts'
import { createLane } from '#/db/lane.ts'
import { bytesOf, hexOf } from '#/evm/address.ts'
import { newId } from '#/kernel/id.ts'
import { createLog } from '#/kernel/log.ts'
import { sha256 } from '#/kernel/secret.ts'
import { systemClock } from '#/kernel/time.ts'
import { createLedgerLane, type LedgerLane } from '#/ledger/post.ts'
import { createPaymentCreator } from '#/payments/create.ts'
import type { Payment, PaymentRequest } from '#/payments/payment.ts'
import { listRails } from '#/rails/all.ts'
import { createCryptoRail } from '#/rails/crypto/rail.ts'
import type { TransferSignal } from '#/rails/crypto/signal.ts'
import { insertSignals } from '#/settlement/inbox-queries.ts'
import { createInbox } from '#/settlement/inbox.ts'
import { settleKind, type SettleItem } from '#/settlement/settle.ts'
import { announce } from '#/webhooks/announce.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import { pages } from '../page-hosts.ts'
import { benchChain } from './chain.ts'
import { cell, type Place } from './place.ts'
import { beChild, drive } from './process.ts'

export type ChargeLineOptions = { readonly place: Place; readonly clients: number }

beChild(async ({ place, clients }: ChargeLineOptions) => {
  const log = createLog('warn', { role: 'bench', cell: 'a1' })
  const sql = connect(place.url)
  const rails = listRails([createCryptoRail(() => [benchChain])])
  const settled = new Map<string, () => void>()
  const lane = reportingLane(
    await createLedgerLane({
      openSql: () => connect(place.url, { max: 1 }),
      cell: place.cell ?? cell,
      auditKey: Buffer.from(place.auditKey),
      announce,
      log,
    }),
    ({ receipts }) => receipts.forEach(({ attempt }) => settled.get(attempt?.paymentId ?? '')?.()),
  )
  const creator = createPaymentCreator({ pages, sql, rails, ledger: lane, clock: systemClock, log })
  const inbox = createInbox({ sql, rails, lane, kind: settleKind(rails), log })
  const blocks = createBlocks(sql, () => inbox.wake())

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
    async run(spanMs) {
      const stop = new AbortController()
      const draining = inbox.run(stop.signal)
      const sample = await drive(clients, spanMs, charge)
      stop.abort()
      await draining
      return sample
    },
    async close() {
      await creator.close()
      await blocks.close()
      await lane.close()
      await sql.end({ timeout: 5 })
    },
  }
})

/** The same lane, which also reports each item that it settled. */
function reportingLane(
  lane: LedgerLane<EventDraft>,
  report: (item: SettleItem) => void,
): LedgerLane<EventDraft> {
  return {
    ...lane,
    async submit(kind, item) {
      const verdict = await lane.submit(kind, item)
      report(item as SettleItem)
      return verdict
    },
  }
}

/**
 * Stands in for the chain and its watcher: writes what they would write, for each payment a final transfer and the signal about it.
 */
function createBlocks(sql: Sql, onSignals: () => void) {
  const run = newId()
  let height = 0
  return createLane<Payment, undefined>({
    name: 'blocks',
    itemsMax: 500,
    bytesMax: 1_048_576,
    queueMax: 100_000,
    bytesOf: () => 1_024,
    async commit(payments) {
      height += 1
      const block = { number: height, hash: hexOf(sha256(`${run} ${height}`)), at: systemClock.now() }
      const deposits = await selectDeposits(sql, payments)
      const signals = deposits.map((each, logIndex) => signalOf(each, block, logIndex))
      await sql.begin(async (tx) => {
        await insertTransfers(tx, signals, block.number)
        const bodies = signals.map((signal) => Buffer.from(JSON.stringify(signal)))
        const { connection } = benchChain
        await insertSignals(
          tx,
          bodies.map((body) => ({ method: 'CRYPTO', connection, body })),
          block.at,
        )
      })
      onSignals()
      return payments.map(() => ({ ok: true, verdict: undefined }))
    },
  })
}

type Block = { readonly number: number; readonly hash: Hex; readonly at: Date }

type Deposit = Pick<TransferSignal, 'merchantId' | 'paymentId' | 'attemptId' | 'value'> & {
  readonly address: Buffer
}

/** The amount and the address of each payment. */
function selectDeposits(sql: Sql, payments: readonly Payment[]): Promise<readonly Deposit[]> {
  return sql<Deposit[]>`
    select merchant_id as "merchantId", payment_id as "paymentId", attempt_id as "attemptId", asked::text as value, address
      from deposit_address
     where merchant_id = any (${list([...new Set(payments.map((each) => each.merchantId))])}::uuid[])
       and payment_id = any (${list(payments.map((each) => each.id))}::uuid[])`
}

function signalOf(deposit: Deposit, block: Block, logIndex: number): TransferSignal {
  const { merchantId, paymentId, attemptId, value } = deposit
  const address = hexOf(deposit.address)
  const txHash = hexOf(sha256(paymentId))
  const log = {
    address: mainToken(benchChain).address,
    topics: [transferTopic, wordOf(benchChain.treasury), wordOf(address)],
    data: wordOf(`0x${BigInt(value).toString(16)}`),
    blockHash: block.hash,
    blockNumber: `0x${block.number.toString(16)}`,
    transactionHash: txHash,
    transactionIndex: `0x${logIndex.toString(16)}`,
    logIndex: `0x${logIndex.toString(16)}`,
  }
  return {
    chain: benchChain.key,
    outcome: 'paid',
    occurrence: 1,
    merchantId,
    paymentId,
    attemptId,
    blockHash: block.hash,
    blockAt: block.at.toISOString(),
    logIndex,
    txHash,
    ordinal: 0,
    address,
    value,
    log,
  }
}

/** Transfer(address,address,uint256) of ERC-20. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function wordOf(hex: string): Hex {
  return `0x${hex.slice(2).padStart(64, '0')}`
}

async function insertTransfers(tx: Tx, signals: readonly TransferSignal[], number: number): Promise<void> {
  const bytes = (hex: string) => bytesOf(hex as Hex)
  await tx`
    insert into chain_transfer (chain, block_number, state, sender, block_hash, log_index, block_at, tx_hash, ordinal,
                                address, value, log)
    select ${benchChain.key}, ${number}, 'FINAL', ${bytes(benchChain.treasury)},
           unnest(${list(signals.map((each) => bytes(each.blockHash)))}::bytea[]),
           unnest(${list(signals.map((each) => each.logIndex))}::integer[]),
           unnest(${list(signals.map((each) => each.blockAt))}::timestamptz[]),
           unnest(${list(signals.map((each) => bytes(each.txHash)))}::bytea[]),
           unnest(${list(signals.map((each) => each.ordinal))}::integer[]),
           unnest(${list(signals.map((each) => bytes(each.address)))}::bytea[]),
           unnest(${list(signals.map((each) => each.value))}::numeric[]),
           unnest(string_to_array(${signals.map((each) => JSON.stringify(each.log)).join(recordSeparator)}, ${recordSeparator})::json[])`
}
