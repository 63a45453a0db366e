// Refunds of money that is disputed: not sent while the dispute is OPEN; sent after it was WON; FAILED after it was LOST.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { hourMs } from '#/kernel/time.ts'
import { listRails } from '#/rails/all.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import { openCardWorld, type CardBalances, type CardWorld } from '../../test/card-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { hastenDue } from './due-queries.ts'
import { listRefunds } from './queries.ts'
import { sendDueRefunds } from './send.ts'

const world = openForTests(openCardWorld)

let names = 0

async function paid() {
  const { payment, attempt } = await world.create()
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'paid', ref))
  /** Settles the provider's report of a dispute over this amount. */
  const say = (outcome: Outcome, minor = 1_000n, name = 'dp') => {
    const dispute = { paidRef: ref, kind: 'CHARGEBACK' as const }
    const amount = { minor, currency: 'EUR' as const }
    return world.settle(world.receipt(attempt, outcome, `${name}_${ref}`, { dispute, amount }))
  }
  return { payment, attempt, ref, say }
}

/** Sends the due refunds. Returns those for which the provider was asked. */
async function send(does: (id: RefundId) => readonly Receipt[] = () => []): Promise<readonly RefundId[]> {
  const sent: RefundId[] = []
  const rails = listRails([
    {
      ...world.rail,
      refunds: {
        async send({ id }) {
          sent.push(id)
          return does(id)
        },
      },
    },
  ])
  const { sql, clock } = world.line
  await clock.advance(hourMs)
  const settle = (receipts: readonly Receipt[]) => world.settle(...receipts)
  await sendDueRefunds({ sql, rails, log: silentLog, settle })
  return sent
}

const refundOf = async (id: RefundId) => {
  const [found] = await listRefunds(world.line.sql, world.line.merchant.id, { id, limit: 1 })
  return must(found, 'it is there')
}

async function since(before: CardBalances) {
  const now = await world.balances()
  const names = ['available', 'held', 'provider', 'owed'] as const
  return names.map((name) => Number(now[name] - before[name]))
}

for (const isTaken of [false, true]) {
  const how = isTaken ? 'took the money at once' : 'only holds the money'
  test(`a refund that was not sent waits for the dispute over its money, and goes on when it is won; the provider ${how}`, async () => {
    const start = await world.balances()
    const { payment, attempt, say } = await paid()
    const { refund } = await world.refund(payment, 300)
    await say('dispute_opened')
    if (isTaken) await say('dispute_taken')
    // All of the payment is disputed, and no more than that is held or owed.
    assert.deepEqual(await since(start), isTaken ? [0, 0, 0, 0] : [0, 1_000, 1_000, 0])
    assert.deepEqual(await send(), [])
    await hastenDue(world.line.sql, [refund.id])
    assert.deepEqual(await send(), [])
    assert.equal((await refundOf(refund.id)).status, 'PENDING')
    await say('dispute_won')
    assert.deepEqual(await since(start), [700, 300, 1_000, 0])
    const done = (id: RefundId) => [world.refundReceipt(attempt, id, 'refunded', 300n)]
    assert.deepEqual(await send(done), [refund.id])
    assert.equal((await refundOf(refund.id)).status, 'COMPLETED')
    assert.deepEqual(await since(start), [700, 0, 700, 0])
    assert.deepEqual(await world.eventsOf(refund.id), ['refund.created', 'refund.completed'])
    await giveBack(payment.id, attempt, 700)
  })
}

/** Empties the wallet for the next test. */
async function giveBack(
  id: Parameters<CardWorld['payment']>[0],
  attempt: Awaited<ReturnType<typeof paid>>['attempt'],
  minor: number,
): Promise<void> {
  const { refund } = await world.refund({ id }, minor)
  await world.settle(world.refundReceipt(attempt, refund.id, 'refunded', BigInt(minor)))
}

test('when the dispute is lost the refund fails, so that the payer gets the money once', async () => {
  const start = await world.balances()
  const { payment, attempt, say } = await paid()
  const { refund } = await world.refund(payment, 300)
  await say('dispute_opened')
  await say('dispute_taken')
  await say('dispute_lost')
  assert.deepEqual(await since(start), [0, 0, 0, 0])
  const { status, failure } = await refundOf(refund.id)
  assert.deepEqual([status, failure?.code], ['FAILED', 'disputed'])
  assert.deepEqual(await send(), [])
  const { refundedMinor, disputedMinor } = await world.payment(payment.id)
  assert.deepEqual([refundedMinor, disputedMinor], [0n, 1_000n])
  assert.deepEqual(await world.eventsOf(refund.id), ['refund.created', 'refund.failed'])
  // After the dispute is reinstated all of it is the merchant's and can be refunded again.
  await say('dispute_won')
  assert.deepEqual(await since(start), [1_000, 0, 1_000, 0])
  await giveBack(payment.id, attempt, 1_000)
})

test('after a dispute of a part that leaves enough, the refund goes on, however the dispute ends', async () => {
  const { payment, say } = await paid()
  const { refund } = await world.refund(payment, 300)
  await say('dispute_opened', 600n)
  assert.deepEqual(await send(), [])
  // A refund that is requested while it is OPEN waits too, with its amount held.
  const later = await world.refund(payment, 100)
  assert.deepEqual(await send(), [])
  await say('dispute_lost', 600n)
  assert.deepEqual((await send()).toSorted(), [refund.id, later.refund.id].toSorted())
  for (const { id } of [refund, later.refund]) assert.equal((await refundOf(id)).status, 'PENDING')
})

test('with two disputes it waits until none is OPEN', async () => {
  const { payment, say } = await paid()
  const { refund } = await world.refund(payment, 100)
  await say('dispute_opened', 300n, 'a')
  await say('dispute_opened', 300n, 'b')
  await say('dispute_won', 300n, 'a')
  assert.ok(!(await send()).includes(refund.id))
  await say('dispute_won', 300n, 'b')
  assert.ok((await send()).includes(refund.id))
})

test('a refund that may have been sent is not held back, and is looked up until its end is known', async () => {
  const { payment, say } = await paid()
  const { refund } = await world.refund(payment, 300)
  assert.ok((await send()).includes(refund.id))
  await say('dispute_opened', 700n)
  assert.ok((await send()).includes(refund.id))
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.line.verify()).faults, [])
})
