import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import { newPayer, transferFromCall, word } from '../../../test/laws/watcher-chain.ts'
import { cent, openTill } from '../../../test/laws/watcher-till.ts'
import { catchUp } from '../../../test/laws/watcher-world.ts'
import { openForTests } from '../../../test/open-for-tests.ts'
import { createCryptoRail } from './rail.ts'

const till = openForTests(openTill)

const completed = 'payment.completed'
const underpaid = 'payment.underpaid'
const afterClose = 'payment.received_after_close'

describe('what arrives', () => {
  test('the exact amount completes the payment, and the event names its transaction', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_234n)
    const { hash } = await till.payAndSettle(scene, payment, 1_234n * cent)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_234,
      exceptions: [],
      events: [completed],
    })
    assert.deepEqual(await scene.balance(), { available: 1_234n, pending: 0n })
    const [event] = await till.world.sql<
      { body: string }[]
    >`select body from event where resource_id = ${payment.id}`
    const { data } = JSON.parse(event?.body ?? '{}') as { data: { onchainTxHash: string } }
    assert.equal(data.onchainTxHash, hash)
  })

  test('several transfers add up, and the one that crosses the line is named', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    for (const cents of [300n, 300n]) await till.payAndSettle(scene, payment, cents * cent)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'WAITING_PAYMENT',
      amountReceived: 600,
      exceptions: ['UNDERPAID'],
      events: [underpaid, underpaid],
    })
    const { hash } = await till.payAndSettle(scene, payment, 400n * cent)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: [],
      events: [underpaid, underpaid, completed],
    })
    const [row] = await till.world.sql<
      { tx: string }[]
    >`select completing_tx as tx from payment where id = ${payment.id}`
    assert.equal(row?.tx, hash)
  })

  test('more than was requested is credited in full and marked as an exception', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    await till.payAndSettle(scene, payment, 1_001n * cent)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_001,
      exceptions: ['OVERPAID'],
      events: [completed],
    })
    assert.equal((await scene.balance()).available, 1_001n)
  })

  test('a second payment is credited and marked as an exception, and the payment stays paid', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    await till.payAndSettle(scene, payment, 1_000n * cent)
    await till.payAndSettle(scene, payment, 1_000n * cent)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 2_000,
      exceptions: ['DUPLICATE'],
      events: [completed, afterClose],
    })
  })

  test('after its end an expired payment is still completed, and a canceled one only credited', async () => {
    const scene = await till.newScene()
    const [expired, canceled] = [await scene.newPayment(1_000n), await scene.newPayment(1_000n)]
    await till.world.expire(scene, expired)
    await till.world.cancel(scene, canceled)
    // Block times are whole seconds, and the clock of a busy node may be behind.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    for (const payment of [expired, canceled]) await till.payAndSettle(scene, payment, 1_000n * cent)
    assert.deepEqual(await till.outcome(scene, expired), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: ['LATE'],
      events: ['payment.expired', completed],
    })
    const { status, amountReceived, events } = await till.outcome(scene, canceled)
    assert.deepEqual(
      { status, amountReceived, events },
      { status: 'CANCELED', amountReceived: 1_000, events: ['payment.canceled', afterClose] },
    )
  })

  test('money sent in time is not late, however late it was detected', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    await till.pay(payment, 1_000n * cent)
    // No watcher runs for a while, and the payment expires.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await till.world.expire(scene, payment)
    await till.settle(scene)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: [],
      events: ['payment.expired', completed],
    })
  })

  /** What the record says beyond whole cents. */
  async function exactly({ id }: { readonly id: PaymentId }): Promise<unknown> {
    const [row] = await till.world.sql<
      { merchantId: MerchantId }[]
    >`select merchant_id as "merchantId" from deposit_address where payment_id = ${id}`
    assert.ok(row)
    const refs = [{ merchantId: row.merchantId, paymentId: id }]
    const { record } = createCryptoRail(() => [])
    assert.ok(record.from === 'TABLES')
    return (await record.describe(till.world.sql, refs)).get(id)?.['cryptoReceived']
  }

  test('fractions of a cent are kept and add up to cents, never lost and never invented', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(2n)
    await till.payAndSettle(scene, payment, cent / 2n)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'WAITING_PAYMENT',
      amountReceived: 0,
      exceptions: [],
      events: [],
    })
    assert.equal(await exactly(payment), (cent / 2n).toString())
    await till.payAndSettle(scene, payment, cent / 2n)
    assert.equal((await till.outcome(scene, payment)).amountReceived, 1)
    assert.equal(await exactly(payment), undefined, 'whole cents are said by amountReceived')
    await till.payAndSettle(scene, payment, (3n * cent) / 2n - 1n)
    assert.deepEqual((await till.outcome(scene, payment)).status, 'PAID')
    assert.equal((await scene.balance()).available, 2n)
    const [row] = await till.world
      .sql`select received::text, held::text from deposit_address where payment_id = ${payment.id}`
    assert.deepEqual({ ...row }, { received: '24999999999999999', held: '24999999999999999' })
    await till.payAndSettle(scene, payment, cent / 2n + 1n)
    assert.equal((await scene.balance()).available, 3n)
  })
})

describe('while a transfer is mined and not final', () => {
  test('it is pending, shown with its confirmations, and keeps the payment from expiring and being canceled', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const { hash } = await till.pay(payment, 1_000n * cent)
    const deposits = []
    for (const confirmations of [1, 2, 3]) {
      await catchUp(scene.watching(till.chain.rpc))
      await till.world.drainAll()
      const { available, pending } = await scene.balance()
      const { status, deposits: shown } = await scene.show(payment)
      const [deposit] = shown as {
        txHash: string
        amount: string
        confirmations: number
        final: boolean
        at: string
      }[]
      deposits.push({ ...deposit, status, available, pending })
      if (confirmations === 1) {
        await assert.rejects(till.world.expire(scene, payment), /refused/)
        await assert.rejects(till.world.cancel(scene, payment), /refused/)
      }
      await till.chain.mine()
    }
    const same = { txHash: hash, amount: String(1_000n * cent), at: deposits[0]?.at }
    assert.deepEqual(deposits, [
      { ...same, confirmations: 1, final: false, status: 'WAITING_PAYMENT', available: 0n, pending: 1_000n },
      { ...same, confirmations: 2, final: false, status: 'WAITING_PAYMENT', available: 0n, pending: 1_000n },
      { ...same, confirmations: 3, final: true, status: 'PAID', available: 1_000n, pending: 0n },
    ])
    const block = await till.chain.rpc.getTransactionReceipt(hash)
    const { timestamp } = (await till.chain.rpc.getBlockByNumber(block?.blockNumber ?? 0n)) ?? {}
    assert.equal(Date.parse(String(deposits[0]?.at)) / 1_000, Number(timestamp))
  })

  test('it is not pending after its block left the chain, and credited once when it is in another block', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const tx = await till.pay(payment, 1_000n * cent)
    await catchUp(scene.watching(till.chain.rpc))
    await till.world.drainAll()
    await till.chain.reorg(1)
    await catchUp(scene.watching(till.chain.rpc))
    await till.world.drainAll()
    assert.deepEqual(await scene.balance(), { available: 0n, pending: 0n })
    assert.deepEqual((await scene.show(payment))['deposits'], [])
    await till.mineIn(tx)
    await till.settle(scene)
    assert.deepEqual(await till.outcome(scene, payment), {
      status: 'PAID',
      amountReceived: 1_000,
      exceptions: [],
      events: [completed],
    })
  })
})

describe('in one transaction', () => {
  test('two transfers to one address are both credited', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const half = { to: payment.address, value: 500n * cent }
    const { hash } = await till.payByContract([till.transferring(half), till.transferring(half)])
    await till.settle(scene)
    assert.equal((await till.outcome(scene, payment)).status, 'PAID')
    const shown = (await scene.show(payment))['deposits'] as { txHash: string }[]
    assert.deepEqual(
      shown.map(({ txHash }) => txHash),
      [hash, hash],
    )
  })

  test('two payments are both paid, and a transfer to a stranger between them is ignored', async () => {
    const scene = await till.newScene()
    const [one, other] = [await scene.newPayment(1_000n), await scene.newPayment(2_000n)]
    await till.payByContract([
      till.transferring({ to: one.address, value: 1_000n * cent }),
      till.transferring({ to: newPayer().address, value: 7n * cent }),
      till.transferring({ to: other.address, value: 2_000n * cent }),
    ])
    await till.settle(scene)
    assert.equal((await till.outcome(scene, one)).status, 'PAID')
    assert.equal((await till.outcome(scene, other)).status, 'PAID')
    assert.equal((await scene.balance()).available, 3_000n)
  })

  test('a transfer by allowance from a third party is a payment like any other', async () => {
    const scene = await till.newScene()
    const payment = await scene.newPayment(1_000n)
    const owner = await till.newPayerWithCoins()
    const spender = newPayer()
    // approve(address,uint256)
    const approve = `0x095ea7b3${word(BigInt(spender.contract))}${word(10n ** 30n)}` as const
    await till.mineIn(await owner.sign({ to: till.token, data: approve }))
    const call = { call: till.token, data: transferFromCall(owner.address, payment.address, 1_000n * cent) }
    await till.mineIn(await spender.contractMade([call]))
    await till.settle(scene)
    assert.equal((await till.outcome(scene, payment)).status, 'PAID')
  })
})

test('what a chain showed is settled although its node cannot be reached, as when only a worker was started', async () => {
  const scene = await till.newScene()
  const payment = await scene.newPayment(1_000n)
  await till.pay(payment, 1_000n * cent)
  await till.chain.mine(3)
  await catchUp(scene.watching(till.chain.rpc))
  const [signal] = await till.world.sql<{ body: Buffer; connection: ConnectionId; receivedAt: Date }[]>`
    select body, connection, received_at as "receivedAt" from inbox where connection = ${scene.chain.connection} order by id desc`
  const rail = createCryptoRail(() => [])
  const receipts = await rail.read(signal ?? assert.fail())
  assert.deepEqual(rail.arrival(scene.chain.connection), {
    at: 'CHAIN',
    chain: scene.chain.key,
    token: 'USDT',
  })
  const units = await rail.coins.units.load(till.world.sql, receipts)
  assert.equal(units?.credit(receipts[0] ?? assert.fail()), 1_000n)
})
