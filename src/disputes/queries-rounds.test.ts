// Disputes whose end is revoked: a lost one is reinstated, the money of a won one is taken once more, reported in any order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { Outcome } from '#/rails/receipt.ts'
import { openCardWorld, type CardBalances } from '../../test/card-world.ts'
import { openForTests } from '../../test/open-for-tests.ts'
import { listDisputes } from './queries.ts'

const world = openForTests(openCardWorld)

let names = 0

/** A payment of 1000, and its provider's reports of a dispute of all of it. */
async function disputed() {
  const { payment, attempt } = await world.create()
  const ref = `pi_${(names += 1)}`
  await world.settle(world.receipt(attempt, 'paid', ref))
  const report = (outcome: Outcome, occurrence = 1, fee = 15n) =>
    world.receipt(attempt, outcome, `dp_${ref}`, {
      occurrence,
      evidence: Buffer.from(`${ref} ${outcome} ${occurrence}`),
      dispute: { paidRef: ref, kind: 'CHARGEBACK', fee },
    })
  const now = async () => {
    const [found] = await listDisputes(world.line.sql, world.line.merchant.id, {
      paymentId: payment.id,
      limit: 2,
    })
    return must(found, 'there is a dispute')
  }
  return { payment, attempt, ref, report, now }
}

async function since(before: CardBalances) {
  const now = await world.balances()
  const names = ['available', 'held', 'provider', 'owed'] as const
  return names.map((name) => Number(now[name] - before[name]))
}

test('money of a reinstated dispute is the merchant’s again, with an event', async () => {
  const start = await world.balances()
  const { payment, report, now } = await disputed()
  await world.settle(report('dispute_opened'), report('dispute_taken'), report('dispute_lost'))
  assert.deepEqual(await since(start), [0, 0, -15, 15])
  const lost = await now()
  assert.equal((await world.payment(payment.id)).disputedMinor, 1_000n)
  assert.deepEqual(await world.settle(report('dispute_won')), ['booked'])
  // The debt, here the fee, is repaid first.
  assert.deepEqual(await since(start), [985, 0, 985, 0])
  const won = await now()
  assert.deepEqual([won.status, won.isTaken, won.version], ['WON', false, lost.version + 1])
  assert.ok(won.closedAt !== undefined && lost.closedAt !== undefined && won.closedAt > lost.closedAt)
  assert.equal((await world.payment(payment.id)).disputedMinor, 0n)
  assert.deepEqual(await world.eventsOf(won.id), ['dispute.opened', 'dispute.lost', 'dispute.won'])
})

test('a report from before the reinstatement that arrives after it changes nothing', async () => {
  const start = await world.balances()
  const { report, now } = await disputed()
  await world.settle(report('dispute_opened'), report('dispute_taken'), report('dispute_won'))
  assert.deepEqual(await world.settle(report('dispute_lost')), ['noted'])
  assert.equal((await now()).status, 'WON')
  assert.deepEqual(await since(start), [985, 0, 985, 0])
})

test('a won dispute whose money is taken once more is OPEN again, with a second fee, and ends again', async () => {
  const start = await world.balances()
  const { payment, report, now } = await disputed()
  await world.settle(report('dispute_opened'), report('dispute_taken'), report('dispute_won'))
  await world.settle(report('dispute_taken', 2, 30n))
  const open = await now()
  assert.deepEqual([open.status, open.isTaken, open.round, open.feeMinor], ['OPEN', true, 2, 30n])
  assert.equal(open.closedAt, undefined)
  assert.deepEqual((await since(start))[2], -30)
  assert.equal((await world.payment(payment.id)).disputedMinor, 1_000n)
  await world.settle(report('dispute_lost', 2))
  assert.equal((await now()).status, 'LOST')
  await world.settle(report('dispute_won', 2))
  assert.deepEqual([(await now()).status, (await since(start))[2]], ['WON', 970])
  assert.deepEqual(await world.eventsOf((await now()).id), [
    'dispute.opened',
    'dispute.won',
    'dispute.opened',
    'dispute.lost',
    'dispute.won',
  ])
})

test('a late report of an earlier round does not end the present one', async () => {
  const { payment, report, now } = await disputed()
  await world.settle(report('dispute_opened'), report('dispute_taken'), report('dispute_won'))
  await world.settle(report('dispute_taken', 2))
  const [open, start] = [await now(), await world.balances()]
  assert.deepEqual([open.status, open.round], ['OPEN', 2])
  assert.deepEqual(await world.settle(report('dispute_lost', 1)), ['noted'])
  assert.deepEqual(await now(), open)
  assert.deepEqual(await since(start), [0, 0, 0, 0])
  assert.equal((await world.payment(payment.id)).disputedMinor, 1_000n)
  assert.deepEqual(await world.eventsOf(open.id), ['dispute.opened', 'dispute.won', 'dispute.opened'])
})

test('a dispute that is lost right after it was won debits the money again', async () => {
  const start = await world.balances()
  const { report, now } = await disputed()
  await world.settle(report('dispute_opened'), report('dispute_won'))
  await world.settle(report('dispute_lost', 2))
  const { status, isTaken, round } = await now()
  assert.deepEqual([status, isTaken, round], ['LOST', true, 2])
  assert.equal((await since(start))[2], -15)
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.line.verify()).faults, [])
})
