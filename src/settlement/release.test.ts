// Money that waits for the end of its provider's settlement delay: shown as pending, debited first, and released once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import { walletRecords } from '#/wallets/balance.ts'
import { selectWallets } from '#/wallets/queries.ts'
import { statementPage } from '#/wallets/statement.ts'
import { openCardWorld, type CardBalances, type CardWorld } from '../../test/card-world.ts'
import { releaseDue, releaseKind } from './release.ts'

let world: CardWorld
before(async () => {
  world = await openCardWorld()
  world.provider.delayMs = hourMs
})
after(async () => {
  await using _ = world
  assert.deepEqual((await world.line.verify()).faults, [])
})

let names = 0
async function paid(amount = 1_000) {
  const { payment, attempt } = await world.create({ amount })
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'paid', ref))
  return { payment, attempt, ref }
}

async function since(start: CardBalances): Promise<Partial<Record<keyof CardBalances, bigint>>> {
  const now = await world.balances()
  const names = Object.keys(now) as (keyof CardBalances)[]
  const changes = names.map((name) => [name, now[name] - start[name]] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0n))
}

const unreleased = async (id: Parameters<CardWorld['payment']>[0]) =>
  (await world.payment(id)).unreleasedMinor

test('it is PAID and pending until the delay is over; then it is released once, however many workers try', async () => {
  const { sql, lane, merchant } = world.line
  const start = await world.balances()
  const { payment } = await paid()
  assert.equal((await world.payment(payment.id)).status, 'PAID')
  assert.deepEqual(await since(start), { pending: 1_000n, provider: 1_000n })
  const wallets = await selectWallets(sql, merchant.id, { currency: 'EUR' })
  const [record] = await walletRecords(sql, merchant, wallets)
  assert.equal(record?.['pendingBalance'], 1_000n)
  assert.equal(await releaseDue({ sql, lane, kind: releaseKind(), log: silentLog }), 0)
  const counts = await Promise.all([world.release(), world.release()])
  assert.equal(
    counts.reduce((a, b) => a + b),
    1,
  )
  assert.equal(await world.release(), 0)
  assert.deepEqual(await since(start), { available: 1_000n, provider: 1_000n })
  assert.equal(await unreleased(payment.id), 0n)
  const page = await statementPage(sql, merchant, { limit: 1 })
  assert.ok(typeof page === 'object')
  const [entry] = page.data
  assert.deepEqual([entry?.kind, entry?.amount, entry?.paymentId], ['RELEASE', 1_000n, payment.id])
})

test('our fee is deducted from the unreleased money', async () => {
  const rule = { merchantId: world.line.merchant.id, method: 'CREDIT_CARD', currency: 'EUR' } as const
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 30n, ratePpm: 0n })
  // A payment pays by the rule at its creation, so the rule has to be older.
  await world.line.clock.advance(hourMs)
  const start = await world.balances()
  const { payment } = await paid()
  assert.deepEqual(await since(start), { pending: 970n, provider: 1_000n, fees: 30n })
  assert.equal(await unreleased(payment.id), 970n)
  await world.release()
  assert.deepEqual(await since(start), { available: 970n, provider: 1_000n, fees: 30n })
  await writeFeeRule(world.line.sql, { ...rule, fixedMinor: 0n, ratePpm: 0n })
  await world.line.clock.advance(hourMs)
})

test('a refund debits its own payment’s unreleased money, and returns it there when it fails', async () => {
  await paid()
  const start = await world.balances()
  const { payment, attempt } = await paid()
  const { refund } = await world.refund(payment, 400)
  assert.deepEqual(await since(start), { pending: 600n, held: 400n, provider: 1_000n })
  assert.equal(await unreleased(payment.id), 600n)
  await world.settle(world.refundReceipt(attempt, refund.id, 'refund_failed', 400n))
  assert.deepEqual(await since(start), { pending: 1_000n, provider: 1_000n })
  const again = await world.refund(payment, 1_000)
  await world.settle(world.refundReceipt(attempt, again.refund.id, 'refunded', 1_000n))
  assert.deepEqual(await since(start), {})
  assert.equal(await unreleased(payment.id), 0n)
  await world.release()
})

test('two refunds that are refused in one batch with equal evidence are both booked', async () => {
  const { payment, attempt } = await paid()
  const [first, second] = [await world.refund(payment, 400), await world.refund(payment, 100)]
  const reports = [
    world.refundReceipt(attempt, first.refund.id, 'refund_failed', 400n),
    world.refundReceipt(attempt, second.refund.id, 'refund_failed', 100n),
  ]
  const evidence = Buffer.from('refused')
  // Reported in the reverse order of their requests; `verify` uses the order of the requests.
  await world.settle(...reports.toReversed().map((report) => ({ ...report, evidence })))
  assert.equal((await world.payment(payment.id)).refundedMinor, 0n)
  assert.deepEqual((await world.line.verify()).faults, [])
  await world.release()
})

test('a refund that fails after the release goes to the available balance', async () => {
  const start = await world.balances()
  const { payment, attempt } = await paid()
  const { refund } = await world.refund(payment, 400)
  await world.release()
  assert.deepEqual(await since(start), { available: 600n, held: 400n, provider: 1_000n })
  await world.settle(world.refundReceipt(attempt, refund.id, 'refund_failed', 400n))
  assert.deepEqual(await since(start), { available: 1_000n, provider: 1_000n })
  assert.equal(await unreleased(payment.id), 0n)
})

test('a refund above the unreleased money debits the rest from the available balance', async () => {
  const { payment, attempt } = await paid()
  await world.release()
  const second = `pi_second_${names}`
  await world.settle(world.receipt(attempt, 'paid', second))
  const dispute = { paidRef: second, kind: 'CHARGEBACK' } as const
  const part = { ...attempt.amount, minor: 700n }
  await world.settle(world.receipt(attempt, 'dispute_opened', `dp_${second}`, { dispute, amount: part }))
  assert.equal(await unreleased(payment.id), 300n)
  const start = await world.balances()
  await world.refund(payment, 1_000)
  assert.deepEqual(await since(start), { pending: -300n, available: -700n, held: 1_000n })
  assert.equal(await unreleased(payment.id), 0n)
  await world.release()
})

test('a dispute debits unreleased money first; later the rest is released', async () => {
  const start = await world.balances()
  const { payment, attempt, ref } = await paid()
  const dispute = { paidRef: ref, kind: 'CHARGEBACK', fee: 100n } as const
  const amount = { ...attempt.amount, minor: 800n }
  const opened = world.receipt(attempt, 'dispute_opened', `dp_${ref}`, { dispute, amount })
  await world.settle(opened)
  assert.deepEqual(await since(start), { pending: 100n, held: 800n, provider: 900n })
  await world.release()
  assert.deepEqual(await since(start), { available: 100n, held: 800n, provider: 900n })
  await world.settle({ ...opened, outcome: 'dispute_won' })
  assert.deepEqual(await since(start), { available: 900n, provider: 900n })
  assert.equal(await unreleased(payment.id), 0n)
})

test('a debt is repaid when money is released, not before', async () => {
  const first = await paid()
  await world.release()
  const start = await world.balances()
  const dispute = { paidRef: first.ref, kind: 'CHARGEBACK' } as const
  const huge = { ...first.attempt.amount, minor: start.available + 500n }
  await world.settle(
    world.receipt(first.attempt, 'dispute_opened', `dp_${first.ref}`, { dispute, amount: huge }),
  )
  assert.equal((await world.balances()).owed, 500n)
  const { payment } = await paid()
  assert.equal((await world.balances()).owed, 500n)
  await world.release()
  const now = await world.balances()
  assert.deepEqual([now.owed, now.available, now.pending], [0n, 500n, 0n])
  must((await world.payment(payment.id)).paidAt, 'it is paid')
})
