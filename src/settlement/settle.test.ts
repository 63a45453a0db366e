// What a merchant sees of money that came: the payment, the wallet, and the events.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addMs, hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import { walletRecords } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { cent, openLine, type Line } from '../../test/line.ts'

let line: Line

before(async () => {
  line = await openLine()
})

after(async () => {
  await using _ = line
  assert.deepEqual((await line.verify()).faults, [])
})

async function wallet(): Promise<readonly unknown[]> {
  const wallets = await selectWallets(line.sql, line.merchant.id, { currency: 'USDT' })
  const [record] = await walletRecords(line.sql, line.merchant, wallets)
  return [record?.['balance'], record?.['pendingBalance'], record?.['heldBalance']]
}

async function notifiedOf({ id }: Payment): Promise<readonly string[]> {
  const rows = await line.sql<
    { type: string }[]
  >`select type from event where resource_id = ${id} order by sequence`
  return rows.map(({ type }) => type)
}

async function mine(payment: Payment, ...units: bigint[]): Promise<void> {
  const to = await line.addressOf(payment)
  await line.mine(units.map((each) => ({ to, units: each })))
  await line.settleAll()
}

async function finalize(): Promise<void> {
  await line.finalize()
  await line.settleAll()
}

/** The balances since those before a test, because the tests share one wallet. */
async function since(before: readonly unknown[]): Promise<readonly bigint[]> {
  return (await wallet()).map((now, index) => (now as bigint) - (before[index] as bigint))
}

test('mined money is pending, final money is available, and there is one event', async () => {
  const start = await wallet()
  const payment = await line.create()
  await mine(payment, 1_000n * cent)
  assert.deepEqual(await since(start), [0n, 1_000n, 0n])
  assert.deepEqual(await notifiedOf(payment), [])
  await finalize()
  assert.deepEqual(await since(start), [1_000n, 0n, 0n])
  const paid = await line.payment(payment.id)
  assert.deepEqual([paid.status, paid.receivedMinor, paid.seenMinor], ['PAID', 1_000n, 0n])
  assert.deepEqual(await notifiedOf(payment), ['payment.completed'])
})

test('several transfers add up, including fractions of a cent, and only whole cents are credited', async () => {
  const start = await wallet()
  const payment = await line.create()
  await mine(payment, 400n * cent, cent / 2n, cent / 2n + 1n)
  await finalize()
  assert.deepEqual(await since(start), [401n, 0n, 0n])
  // Two of the three credited something; they were settled in one batch, which has one event of a payment.
  assert.deepEqual(await notifiedOf(payment), ['payment.underpaid'])
  await mine(payment, 599n * cent)
  await finalize()
  const paid = await line.payment(payment.id)
  assert.deepEqual([paid.status, paid.receivedMinor, [...paid.exceptions]], ['PAID', 1_000n, []])
  assert.deepEqual(await since(start), [1_000n, 0n, 0n])
})

test('less than a cent is recorded and counted, without an event', async () => {
  const start = await wallet()
  const payment = await line.create()
  await mine(payment, 1n)
  await finalize()
  assert.deepEqual(await since(start), [0n, 0n, 0n])
  assert.deepEqual(await notifiedOf(payment), [])
  const [row] = await line.sql<
    { held: string }[]
  >`select held::text from deposit_address where payment_id = ${payment.id}`
  assert.equal(row?.held, '1')
})

test('orphaned money is not pending any more, and is pending again when it is mined again', async () => {
  const start = await wallet()
  const payment = await line.create()
  const to = await line.addressOf(payment)
  const txHash = `0x${'ab'.repeat(32)}` as const
  await line.mine([{ to, units: 1_000n * cent, txHash }])
  await line.settleAll()
  await line.unmine()
  await line.settleAll()
  assert.deepEqual(await since(start), [0n, 0n, 0n])
  await line.mine([{ to, units: 1_000n * cent, txHash }])
  await line.settleAll()
  assert.deepEqual(await since(start), [0n, 1_000n, 0n])
  await finalize()
  assert.deepEqual(await since(start), [1_000n, 0n, 0n])
  assert.equal((await line.payment(payment.id)).status, 'PAID')
})

test('a payment does not expire while money on its way covers it, and is not canceled while any is on its way', async () => {
  const payment = await line.create({ expiresIn: 60 })
  await mine(payment, 1_000n * cent)
  await line.clock.advance(hourMs)
  assert.equal((await line.close(payment, 'expired')).kind, 'refused')
  assert.equal((await line.close(payment, 'canceled')).kind, 'refused')
  await finalize()
  assert.equal((await line.payment(payment.id)).status, 'PAID')
  assert.equal((await line.close(payment, 'canceled')).kind, 'refused')
})

test('late money makes an expired payment PAID and LATE; a canceled one keeps its state and its money', async () => {
  const start = await wallet()
  const [expired, canceled] = await Promise.all([line.create(), line.create()])
  assert.equal((await line.close(expired, 'expired', { early: true })).kind, 'closed')
  assert.equal((await line.close(canceled, 'canceled')).kind, 'closed')
  const later = addMs(line.clock.now(), hourMs)
  const [one, other] = await Promise.all([line.addressOf(expired), line.addressOf(canceled)])
  await line.mine(
    [
      { to: one, units: 1_000n * cent },
      { to: other, units: 1_000n * cent },
    ],
    { at: later },
  )
  await finalize()
  const [late, stays] = await Promise.all([line.payment(expired.id), line.payment(canceled.id)])
  assert.deepEqual([late.status, [...late.exceptions]], ['PAID', ['LATE']])
  assert.deepEqual([stays.status, stays.receivedMinor], ['CANCELED', 1_000n])
  assert.deepEqual(await notifiedOf(late), ['payment.expired', 'payment.completed'])
  assert.deepEqual(await notifiedOf(stays), ['payment.canceled', 'payment.received_after_close'])
  assert.deepEqual(await since(start), [2_000n, 0n, 0n])
})

test('a payment in USD is credited to the USDT wallet', async () => {
  const start = await wallet()
  const payment = await line.create({ currency: 'USD' })
  await mine(payment, 1_000n * cent)
  await finalize()
  const paid = await line.payment(payment.id)
  assert.deepEqual([paid.status, paid.currency], ['PAID', 'USD'])
  assert.deepEqual(await since(start), [1_000n, 0n, 0n])
})

test('our fee is deducted from each credit, and parts together pay the same fee as the whole', async () => {
  const start = await wallet()
  const rule = { merchantId: line.merchant.id, method: 'CRYPTO', currency: 'USDT' } as const
  await writeFeeRule(line.sql, { ...rule, fixedMinor: 30n, ratePpm: 15_000n })
  // A payment pays by the rule at its creation, so the rule has to be older.
  await line.clock.advance(hourMs)
  const payment = await line.create({ amount: 10_000 })
  for (const cents of [3_333n, 3_333n, 3_334n]) {
    await mine(payment, cents * cent)
    await finalize()
  }
  await writeFeeRule(line.sql, { ...rule, fixedMinor: 0n, ratePpm: 0n })
  await line.clock.advance(hourMs)
  // 0.30 and 1.5 % of 100.00.
  assert.equal((await line.payment(payment.id)).feeMinor, 180n)
  assert.deepEqual(await since(start), [9_820n, 0n, 0n])
  // Each credit is shown in full, and its fee as a separate movement.
  const [statement] = await line.sql<{ kinds: string[] }[]>`
    select array_agg(kind order by number) as kinds from transfer where subject = ${payment.id} and kind <> 'PENDING'`
  assert.deepEqual(statement?.kinds, ['PAYMENT', 'FEE', 'PAYMENT', 'FEE', 'PAYMENT', 'FEE'])
})

test('each transfer of a payment has the hash of its evidence', async () => {
  const payment = await line.create()
  await mine(payment, 1_000n * cent)
  await finalize()
  const rows = await line.sql<{ same: boolean }[]>`
    select transfer.cause = sha256(receipt.evidence) as same
      from transfer join receipt on receipt.payment_id = transfer.subject and receipt.ordinal = split_part(transfer.step, '.', 1)::integer
     where transfer.subject = ${payment.id}`
  assert.equal(rows.length, 3)
  assert.ok(rows.every(({ same }) => same))
})
